# SPDX-License-Identifier: Apache-2.0
"""Freeze harts for a debugger. Done by the engine, because every step begins and ends so."""

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.reset import update_issuing


def freeze(S: View, harts: int) -> int:
    """Let the harts with a bit in `harts` not issue, and the others as they may."""
    for hart in range(HARTS):
        wanted = (harts >> hart) & 1
        if S.hart.held[hart] != wanted:
            S.hart.held[hart] = wanted
            update_issuing(S, hart)
    return 0


def disarm(S: View) -> int:
    """Forget armed steps and what harts step over."""
    for hart in range(HARTS):
        S.debug.stepping[hart] = 0
        S.debug.step_over[hart] = 0
    return 0
