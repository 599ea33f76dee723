# SPDX-License-Identifier: Apache-2.0
"""Registers and memory, and what stops when it gets there."""

from __future__ import annotations

from tensix_gdb.gdbstub.protocol.rsp.grammar import ThreadId
from tensix_gdb.gdbstub.protocol.rsp.packet import packet


@packet("g[;thread:{thread:thread};]")
class ReadRegisters:
    """read x0 to x31 and the pc"""

    thread: ThreadId | None


@packet("G{data:bytes}[;thread:{thread:thread};]")
class WriteRegisters:
    """write them"""

    data: bytes
    thread: ThreadId | None


@packet("p{number:hex}[;thread:{thread:thread};]")
class ReadRegister:
    """read one register"""

    number: int
    thread: ThreadId | None


@packet("P{number:hex}={data:bytes}[;thread:{thread:thread};]")
class WriteRegister:
    """write one register"""

    number: int
    data: bytes
    thread: ThreadId | None


@packet("m{addr:hex},{length:hex}")
class ReadMemory:
    """read memory; the answer is in hex"""

    addr: int
    length: int


@packet("M{addr:hex},{length:hex}:{data:bytes}")
class WriteMemory:
    """write memory given in hex"""

    addr: int
    length: int
    data: bytes


@packet("x{addr:hex},{length:hex}")
class ReadBinary:
    """read memory; the answer is binary"""

    addr: int
    length: int


@packet("X{addr:hex},{length:hex}:{data:binary}")
class WriteBinary:
    """write memory given in binary"""

    addr: int
    length: int
    data: bytes


@packet("qCRC:{addr:hex},{length:hex}")
class QCrc:
    """checksum of memory, for `compare-sections`"""

    addr: int
    length: int


@packet("qSearch:memory:{addr:hex};{length:hex};{pattern:binary}")
class SearchMemory:
    """`find`"""

    addr: int
    length: int
    pattern: bytes


# Breakpoints


@packet("Z{type:digit},{addr:hex},{kind:hex}[;{rest:text}]")
class InsertBreakpoint:
    """set a breakpoint (0, 1) or a watchpoint (2 write, 3 read, 4 access)"""

    type: int
    addr: int
    kind: int
    rest: str | None


@packet("z{type:digit},{addr:hex},{kind:hex}")
class RemoveBreakpoint:
    """remove it"""

    type: int
    addr: int
    kind: int
