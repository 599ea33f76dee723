# SPDX-License-Identifier: Apache-2.0
"""Memory as a thread of the tile sees it."""

from __future__ import annotations

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.machine import MemoryFault
from tensix_gdb.core.memory.map import REGION_NAMES, ROWS
from tensix_gdb.core.memory.map import Region as MapRegion
from tensix_gdb.gdbstub.protocol.target import Region, TargetError
from tensix_gdb.gdbstub.tensix.capabilities.threads import hart_of

END = 1 << 32


class HartMemory:
    """The `Memory` capability."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def read_memory(self, thread: int, addr: int, length: int) -> bytes:
        if self._machine.unknown:
            from tensix_gdb.gdbstub.tensix.corefile.unknown_memory import readable

            length = readable(self._machine, hart_of(thread), addr, length)
        try:
            return self._machine.peek(hart_of(thread), addr, length)
        except MemoryFault as problem:
            raise TargetError(str(problem)) from None

    def write_memory(self, thread: int, addr: int, data: bytes) -> None:
        try:
            self._machine.poke(hart_of(thread), addr, data)
        except MemoryFault as problem:
            raise TargetError(str(problem)) from None

    def region(self, thread: int, addr: int) -> Region:
        hart = hart_of(thread)
        start = 0
        for row in (row for row in ROWS if hart in row.harts):
            if addr < row.start:
                return Region(start, row.start, "", REGION_NAMES[0])
            if addr < row.end:
                access = "rwx" if row.region == MapRegion.L1 else "rw"
                return Region(row.start, row.end, access, REGION_NAMES[row.region])
            start = row.end
        return Region(start, END, "", REGION_NAMES[0])
