# SPDX-License-Identifier: Apache-2.0
"""The effects of entering and leaving soft reset on harts and units (SoftReset.md).

Units of the coprocessor take no new instructions while they are in reset (gate/wait_gate.py).
What reset does to them besides is in their files, and done from here where their bit changes.
"""

from tensix_gdb.core.arch.blackhole import (
    DISABLE_RESET_SHIFT,
    HARTS,
    LOCAL_BYTES,
    LOCAL_STRIDE,
    NC,
    SOFT_RESET_BIT,
    SOFT_RESET_WRITABLE,
    T0,
    B,
    SoftReset,
)
from tensix_gdb.core.arch.chips import CLEARS_LOCAL
from tensix_gdb.core.devices import mailboxes, pcbufs, tdma
from tensix_gdb.core.devices.debug import risc_debug
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.reset import enter_reset, leave_reset, reset_pc
from tensix_gdb.core.stop import BY_REQUEST, StopKind
from tensix_gdb.core.tensix.config.words import RESET_THCON
from tensix_gdb.core.tensix.matrix import reset as matrix_reset
from tensix_gdb.core.tensix.mover import unit as mover
from tensix_gdb.core.tensix.packer import reset as pack_reset
from tensix_gdb.core.tensix.scalar import pipeline as thcon
from tensix_gdb.core.tensix.unpacker import reset as unpack_reset
from tensix_gdb.core.tensix.vector import pipeline as pipe
from tensix_gdb.core.tensix.vector import state as vector_state

COLD = True  # little time of LLVM for it (core/engine/README.md)


def set_soft_reset(S: View, value: int) -> int:
    """Write SOFT_RESET_0: harts and units enter or leave reset where their bit changes."""
    entering = value & ~S.tile_control.soft_reset
    leaving = S.tile_control.soft_reset & ~value
    pack_reset.change(S, entering, leaving)
    unpack_reset.change(S, entering, leaving)
    matrix_reset.change(S, entering)
    S.tile_control.soft_reset = value & SOFT_RESET_WRITABLE
    if entering & SoftReset.TDMA_RISC:
        tdma.enter_reset(S)
    if entering & SoftReset.THCON:
        RESET_THCON[S.tile.chip](S)
        thcon.abort(S)
    if entering & SoftReset.MOVER:
        mover.stop(S)
    if entering & SoftReset.FPU:
        pipe.abort(S)
    if leaving & SoftReset.FPU:
        vector_state.power_up(S)
    for hart in range(HARTS):
        held = (value >> SOFT_RESET_BIT[hart]) & 1
        if held and not S.hart.in_reset[hart]:
            hart_enters_reset(S, hart)
        if not held and S.hart.in_reset[hart]:
            hart_leaves_reset(S, hart)
    return 0


def hart_enters_reset(S: View, hart: int) -> int:
    """Put a hart into reset. Its mailboxes and debug registers lose what they hold."""
    enter_reset(S, hart)
    if S.stop.kind == StopKind.FAULT and S.stop.hart == hart and S.stop.stream < BY_REQUEST:
        S.stop.kind = StopKind.NONE  # a client has done this: the instruction is no more
    if hart != NC:
        mailboxes.empty_written_by(S, hart)
        if not (S.tile_control.disable_reset >> (DISABLE_RESET_SHIFT[hart] + 1)) & 1:
            risc_debug.clear(S, hart)
    return risc_debug.forget(S, hart)


def hart_leaves_reset(S: View, hart: int) -> int:
    """It starts at its reset pc, with registers, local RAM and (a T core) PCBuf empty; on Wormhole
    local RAM keeps what it has.

    UNSPECIFIED(BabyRISCV/README.md): clearing takes "up to" 2048 cycles, in which the core waits
    when it accesses the RAM; in the schedule `sc` it takes none.
    """
    if hart != B and hart != NC:
        pcbufs.empty(S, hart - T0)
    kept = (S.tile_control.disable_reset >> DISABLE_RESET_SHIFT[hart]) & 1
    if CLEARS_LOCAL[S.tile.chip] and not kept:
        for i in range(LOCAL_BYTES[hart] // 4):
            S.local.word[hart * LOCAL_STRIDE // 4 + i] = 0
    return leave_reset(S, hart, reset_pc(S, hart))
