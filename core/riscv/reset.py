# SPDX-License-Identifier: Apache-2.0
"""A hart entering and leaving soft reset (SoftReset.md), and whether it may issue."""

from tensix_gdb.core.arch.blackhole import HARTS, NC, RESET_PC, T0, VLENB, B
from tensix_gdb.core.arch.chips import BURSTS, CFG0_RESET
from tensix_gdb.core.arch.wormhole import (
    NCRISC_RESET_PC,
    NCRISC_RESET_PC_OVERRIDE,
    TRISC_RESET_PC,
    TRISC_RESET_PC_OVERRIDE,
)
from tensix_gdb.core.devices.wormhole.config_words import modify, word_of
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.abort import abort
from tensix_gdb.core.riscv.pipeline import asleep

COLD = True  # little time of LLVM for it (core/engine/README.md)

# hart.paused
PAUSED = 1  # before the instruction at its pc
PAUSED_AT_EBREAK = 2  # the pc still is that of the ebreak or ecall, which is over


def next_pc(S: View, hart: int) -> int:
    """Return the address of the instruction that `hart` executes next."""
    if S.hart.paused[hart] == PAUSED_AT_EBREAK:
        return (S.hart.pc[hart] + 4) & 0xFFFFFFFF
    return S.hart.pc[hart]


def reset_pc(S: View, hart: int) -> int:
    """Return where `hart` starts when it leaves soft reset."""
    return RESET_PCS[S.tile.chip](S, hart)


def reset_pc_wormhole(S: View, hart: int) -> int:
    """SoftReset.md of Wormhole: the backend configuration has what overrides the first pc."""
    if hart == B:
        return RESET_PC[hart]
    if hart == NC:
        overridden = word_of(S, 0, NCRISC_RESET_PC_OVERRIDE) & 1
        return word_of(S, 0, NCRISC_RESET_PC) if overridden else RESET_PC[hart]
    thread = hart - T0
    if (word_of(S, 0, TRISC_RESET_PC_OVERRIDE) >> thread) & 1:
        return word_of(S, 0, TRISC_RESET_PC + thread)
    return RESET_PC[hart]


def set_reset_pc_wormhole(S: View, hart: int, pc: int) -> None:
    """Let `hart` start at `pc`, as far as there is a word of the configuration for it."""
    if hart == NC:
        modify(S, 0, NCRISC_RESET_PC, pc)
        modify(S, 0, NCRISC_RESET_PC_OVERRIDE, 1)
    elif hart != B:
        thread = hart - T0
        modify(S, 0, TRISC_RESET_PC + thread, pc)
        overridden = word_of(S, 0, TRISC_RESET_PC_OVERRIDE)
        modify(S, 0, TRISC_RESET_PC_OVERRIDE, overridden | 1 << thread)


def reset_pc_blackhole(S: View, hart: int) -> int:
    """SoftReset.md: registers of tile control have what overrides it."""
    if hart == B:
        return RESET_PC[hart]
    if hart == NC:
        return S.tile_control.ncrisc_reset_pc if S.tile_control.ncrisc_override else RESET_PC[hart]
    thread = hart - T0
    if (S.tile_control.trisc_override >> thread) & 1:
        return S.tile_control.trisc_reset_pc[thread]
    return RESET_PC[hart]


RESET_PCS = (reset_pc_blackhole, reset_pc_wormhole)


def enter_reset(S: View, hart: int) -> int:
    """Hold `hart` in reset: no new instruction starts."""
    S.hart.in_reset[hart] = 1
    S.hart.paused[hart] = 0
    abort(S, hart)
    S.hart.in_handler[hart] = 0
    S.hart.waits_for[hart] = 0
    return update_issuing(S, hart)


def leave_reset(S: View, hart: int, pc: int) -> int:
    """Let `hart` go from `pc` with all registers zero.

    UNSPECIFIED(SoftReset.md): the page names GPRs, FPRs and vector registers. That CSRs return to
    their reset values too is a guess from CSRs.md: its values are "at reset".
    """
    for i in range(32):
        S.hart.x[hart, i] = 0
    for i in range(16):
        S.hart.scratch[hart, i] = 0
    S.hart.cfg0[hart] = CFG0_RESET[S.tile.chip]
    S.hart.pmacfg[hart, 0] = 0
    S.hart.pmacfg[hart, 1] = 0
    S.hart.fcsr[hart] = 0
    for i in range(5):
        S.hart.vector_csr[hart, i] = VLENB if i == 4 else 0
    for i in range(6):
        S.hart.hpm[hart, i] = 0
    S.hart.restore_pc[hart] = 0
    S.hart.pc[hart] = pc
    S.hart.in_reset[hart] = 0
    S.hart.paused[hart] = 0
    S.semihosting.exited[hart] = 0
    S.semihosting.answered[hart] = 0
    return update_issuing(S, hart)


def update_issuing(S: View, hart: int) -> int:
    """Work out again whether `hart` issues, and which hart does if only one."""
    issues = 0 if S.hart.in_reset[hart] or S.hart.paused[hart] or S.hart.held[hart] else 1
    if issues and not S.hart.issuing[hart]:
        S.counted.since[hart] = S.tile.cycle
    S.hart.issuing[hart] = issues
    asleep.wake(S, hart)
    count = 0
    only = HARTS
    for i in range(HARTS):
        if S.hart.issuing[i]:
            count += 1
            only = i
    S.tile.issuing = count
    bursts = BURSTS[S.tile.chip]
    S.tile.only_hart = only if count == 1 and bursts and not S.hart.observed[only] else HARTS
    observed = 0
    for i in range(HARTS):
        if S.hart.issuing[i]:
            observed = observed | S.hart.observed[i]
    S.tile.plain = 1 if count and bursts and not observed else 0
    return 0
