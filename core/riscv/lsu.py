# SPDX-License-Identifier: Apache-2.0
"""Load/Store Unit: loads, stores and atomics of a hart (BabyRISCV/README.md, MemoryOrdering.md).

L1 and the hart's own local RAM are reached from here; everything else goes to its region through
`core.memory.regions`. What is checked before an access is in `check_access.py`. Functions are forms
of `core.riscv.execute`: they return the next pc, or WAIT, STOPPED, or (ALONE, in a burst) LEAVE
before anything has happened.
"""

from collections.abc import Callable

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.arch.chips import CHECKS_ALL
from tensix_gdb.core.arch.numbers import MASK32, sext
from tensix_gdb.core.memory import regions
from tensix_gdb.core.memory.map import local_offset
from tensix_gdb.core.memory.ram import l1_read, l1_write, local_read, local_write
from tensix_gdb.core.numeric.half import BOX
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.check_access import check_access, needs_check, refuse, watched
from tensix_gdb.core.stop import LEAVE, WatchKind


def load(
    S: View, hart: int, pc: int, d: int, CHECKED: int, ALONE: int, SIZE: int, SIGNED: int
) -> int:
    """lb, lh, lw, lbu, lhu, flw, flh: rd = the value at x[rs1] + imm."""
    addr = (S.hart.x[hart, (d >> 16) & 31] + (d >> 32)) & MASK32
    watch = -1
    if CHECKED and S.debug.watches > 0:
        watch = watched(S, hart, addr, SIZE, WatchKind.READ)
    asked = 0 if ALONE else CHECKS_ALL[S.tile.chip]
    if watch >= 0 or asked or needs_check(hart, addr, SIZE):
        problem = check_access(S, hart, addr, SIZE, WatchKind.READ, CHECKED, ALONE)
        if problem:
            return LEAVE if ALONE else refuse(S, hart, addr, SIZE, WatchKind.READ, problem)
    if addr < L1_BYTES:
        value = l1_read(S, addr, SIZE, SIGNED == 1)
    else:
        offset = local_offset(hart, addr)
        if offset >= 0:
            value = local_read(S, offset, SIZE, SIGNED == 1)
        elif ALONE:
            return LEAVE
        else:
            value = regions.read(S, hart, addr, SIZE, pc)
            if value < 0:
                return value
            if SIGNED == 1:
                value = sext(value, SIZE * 8) & MASK32
    if SIGNED == 2:
        value |= BOX
    S.hart.x[hart, (d >> 8) & 63] = value
    S.hart.x[hart, 0] = 0
    return pc + 4


def store(S: View, hart: int, pc: int, d: int, CHECKED: int, ALONE: int, SIZE: int) -> int:
    """sb, sh, sw, fsw, fsh: the low bytes of x[rs2] to x[rs1] + imm."""
    addr = (S.hart.x[hart, (d >> 16) & 31] + (d >> 32)) & MASK32
    value = S.hart.x[hart, (d >> 24) & 63]
    watch = -1
    if CHECKED and S.debug.watches > 0:
        watch = watched(S, hart, addr, SIZE, WatchKind.WRITE)
    asked = 0 if ALONE else CHECKS_ALL[S.tile.chip]
    if watch >= 0 or asked or needs_check(hart, addr, SIZE):
        problem = check_access(S, hart, addr, SIZE, WatchKind.WRITE, CHECKED, ALONE)
        if problem:
            return LEAVE if ALONE else refuse(S, hart, addr, SIZE, WatchKind.WRITE, problem)
    if addr < L1_BYTES:
        l1_write(S, addr, value, SIZE)
        return pc + 4
    offset = local_offset(hart, addr)
    if offset >= 0:
        local_write(S, offset, value, SIZE)
        return pc + 4
    if ALONE:
        return LEAVE
    status = regions.write(S, hart, addr, SIZE, value & ((1 << (SIZE * 8)) - 1), pc)
    return status if status < 0 else pc + 4


def amo(
    S: View,
    hart: int,
    pc: int,
    d: int,
    CHECKED: int,
    ALONE: int,
    OPERATION: Callable[[int, int], int],
) -> int:
    """amo*.w: rd = the word of L1 at x[rs1], which becomes OPERATION(word, x[rs2])."""
    addr = S.hart.x[hart, (d >> 16) & 31]
    problem = check_access(S, hart, addr, 4, WatchKind.ACCESS, CHECKED, ALONE)
    if problem:
        return LEAVE if ALONE else refuse(S, hart, addr, 4, WatchKind.ACCESS, problem)
    old = l1_read(S, addr, 4, 0)
    l1_write(S, addr, OPERATION(old, S.hart.x[hart, (d >> 24) & 31]), 4)
    S.hart.x[hart, (d >> 8) & 31] = old
    S.hart.x[hart, 0] = 0
    return pc + 4
