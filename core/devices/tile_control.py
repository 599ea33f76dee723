# SPDX-License-Identifier: Apache-2.0
"""Tile control, debug and status registers: soft reset and reset pcs.

SoftReset.md, TileControlDebugStatus.md. Registers that no row below names stop the hart by name.
"""

from core.arch.blackhole import (
    HARTS,
    NC,
    RESET_PC,
    SOFT_RESET_BIT,
    SOFT_RESET_WRITABLE,
    T0,
    TILE_CONTROL_BASE,
    B,
)
from core.faults import Fault
from core.layout import View
from core.riscv.reset import enter_reset, leave_reset
from core.stop import fault

# Offsets from TILE_CONTROL_BASE.
SOFT_RESET_0 = 0x1B0
TRISC0_RESET_PC = 0x228
TRISC1_RESET_PC = 0x22C
TRISC2_RESET_PC = 0x230
TRISC_RESET_PC_OVERRIDE = 0x234
NCRISC_RESET_PC = 0x238
NCRISC_RESET_PC_OVERRIDE = 0x23C


def peek(S: View, hart: int, addr: int) -> int:
    """The register at `addr`, or -1 when there is none."""
    match addr - TILE_CONTROL_BASE:
        case 0x1B0:
            return S.tile_control.soft_reset
        case 0x228:
            return S.tile_control.trisc_reset_pc[0]
        case 0x22C:
            return S.tile_control.trisc_reset_pc[1]
        case 0x230:
            return S.tile_control.trisc_reset_pc[2]
        case 0x234:
            return S.tile_control.trisc_override
        case 0x238:
            return S.tile_control.ncrisc_reset_pc
        case 0x23C:
            return S.tile_control.ncrisc_override
        case _:
            return -1


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Loads have no side effect on any register that is here. Sub-word loads pick their bytes."""
    value = peek(S, hart, addr & 0xFFFFFFFC)
    if value < 0:
        return fault(S, hart, Fault.UNKNOWN_REGISTER, addr, size)
    return (value >> ((addr & 3) * 8)) & ((1 << (size * 8)) - 1)


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    """`sw` only; bits without a meaning are not kept.

    UNSPECIFIED(SoftReset.md): narrower stores are not described; they stop the hart.
    """
    if size != 4:
        return fault(S, hart, Fault.STORE_WIDTH, addr, size)
    match addr - TILE_CONTROL_BASE:
        case 0x1B0:
            return set_soft_reset(S, value)
        case 0x228:
            S.tile_control.trisc_reset_pc[0] = value
        case 0x22C:
            S.tile_control.trisc_reset_pc[1] = value
        case 0x230:
            S.tile_control.trisc_reset_pc[2] = value
        case 0x234:
            S.tile_control.trisc_override = value & 7
        case 0x238:
            S.tile_control.ncrisc_reset_pc = value
        case 0x23C:
            S.tile_control.ncrisc_override = value & 1
        case _:
            return fault(S, hart, Fault.UNKNOWN_REGISTER, addr, size)
    return 0


def set_soft_reset(S: View, value: int) -> int:
    """Write SOFT_RESET_0: harts enter or leave reset where their bit changes."""
    S.tile_control.soft_reset = value & SOFT_RESET_WRITABLE
    for hart in range(HARTS):
        held = (value >> SOFT_RESET_BIT[hart]) & 1
        if held and not S.hart.in_reset[hart]:
            enter_reset(S, hart)
        if not held and S.hart.in_reset[hart]:
            leave_reset(S, hart, reset_pc(S, hart))
    return 0


def reset_pc(S: View, hart: int) -> int:
    """Where `hart` starts when it leaves soft reset."""
    if hart == B:
        return RESET_PC[hart]
    if hart == NC:
        return S.tile_control.ncrisc_reset_pc if S.tile_control.ncrisc_override else RESET_PC[hart]
    thread = hart - T0
    if (S.tile_control.trisc_override >> thread) & 1:
        return S.tile_control.trisc_reset_pc[thread]
    return RESET_PC[hart]
