# SPDX-License-Identifier: Apache-2.0
"""Every packet that is understood: its form, fields and purpose.

The classes are the index of the protocol: a handler in `gdbstub.protocol.commands` names the class
that it handles. Spellings are those of the GDB manual, appendix Remote Protocol.
`gdbstub.protocol.rsp.packet` finds the class of a payload, `gdbstub.protocol.packet_table` prints
them all, in the order of these rooms.
"""

from tensix_gdb.gdbstub.protocol.rsp.packets import execution as running  # isort: skip
from tensix_gdb.gdbstub.protocol.rsp.packets import registers_memory as contents  # isort: skip
from tensix_gdb.gdbstub.protocol.rsp.packets import general  # isort: skip
from tensix_gdb.gdbstub.protocol.rsp.packets import files  # isort: skip
from tensix_gdb.gdbstub.protocol.rsp.packets import lldb  # isort: skip
from tensix_gdb.gdbstub.protocol.rsp.packets import tracing  # isort: skip

__all__ = ["contents", "files", "general", "lldb", "running", "tracing"]
