# SPDX-License-Identifier: Apache-2.0
"""Registers of a hart as a debugger reads and writes them: in program order, whatever is still
under way."""

from __future__ import annotations

from tensix_gdb.core.debug.kept_stop import keep_stop, put_stop_back
from tensix_gdb.core.debug.memory import Access
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv import csrs
from tensix_gdb.core.riscv.pipeline.pipeline import NO_ENTRY
from tensix_gdb.core.riscv.reset import PAUSED_AT_EBREAK, update_issuing

MASK32 = 0xFFFFFFFF


def read_x(S: View, memory: Access, hart: int, number: int) -> int:
    """Return an integer register: of a load from RAM that is under way, what it would get now; of
    one from a device, what was there before."""
    if S.pipeline.writers[hart, number]:
        for load, value in memory.awaited(hart):
            if load.register == number and value is not None:
                return value
    return int(S.hart.x[hart, number])


def write_x(S: View, hart: int, number: int, value: int) -> None:
    """Set an integer register; x0 stays 0."""
    if number:
        S.hart.x[hart, number] = value & MASK32
        # A load under way comes before this write in program order: its answer is not wanted.
        if S.pipeline.writers[hart, number]:
            S.pipeline.last_writer[hart, number] = NO_ENTRY


def poke(S: View, memory: Access, hart: int, addr: int, data: bytes) -> None:
    """Write memory as `hart` sees it; to a device, a store by the hart."""
    # A load under way comes before this write in program order, whenever it is processed.
    for load, value in list(memory.awaited(hart)):
        if value is not None and addr - 4 < load.addr < addr + len(data):
            write_x(S, hart, load.register, value)
    memory.poke(hart, addr, data)


def write_pc(S: View, hart: int, pc: int) -> None:
    """Set the pc. A hart paused at an ebreak that is sent elsewhere is no longer paused."""
    if S.hart.paused[hart] == PAUSED_AT_EBREAK and pc != S.hart.pc[hart]:
        S.hart.paused[hart] = 0
        update_issuing(S, hart)
    S.hart.pc[hart] = pc & MASK32


def read_csr(S: View, hart: int, number: int) -> int | None:
    """Return a CSR without its side effects; None when the hart has none of that number."""
    if S.tile.chip:
        return None  # harts there have no Zicsr
    value = csrs.peek(S, hart, number)
    return None if value < 0 else value


def write_csr(S: View, hart: int, number: int, value: int) -> bool:
    """Write a CSR as an instruction would; False when the hart has none of that number."""
    if S.tile.chip:
        return False
    stop = keep_stop(S)
    if csrs.write(S, hart, number, value & MASK32) < 0:
        put_stop_back(S, stop)  # the refusal is none of the tile's
        return False
    return True
