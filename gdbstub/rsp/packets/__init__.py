# SPDX-License-Identifier: Apache-2.0
"""Every packet that is understood, one class each: its form, its fields, what it is for.

The classes are the index of the protocol: a handler in `gdbstub.commands` names the class that it
handles. Spellings are those of the GDB manual, appendix Remote Protocol. `gdbstub.rsp.packet` finds
the class of a payload, `gdbstub.packet_table` prints them all, in the order of these rooms.
"""

from tensix_gdb.gdbstub.rsp.packets import execution as running  # isort: skip
from tensix_gdb.gdbstub.rsp.packets import registers_memory as contents  # isort: skip
from tensix_gdb.gdbstub.rsp.packets import general  # isort: skip
from tensix_gdb.gdbstub.rsp.packets import files  # isort: skip
from tensix_gdb.gdbstub.rsp.packets import lldb  # isort: skip
from tensix_gdb.gdbstub.rsp.packets import tracing  # isort: skip

__all__ = ["contents", "files", "general", "lldb", "running", "tracing"]
