# SPDX-License-Identifier: Apache-2.0
"""Tile control, debug and status registers of Wormhole (WormholeB0 TileControlDebugStatus.md).

They are Blackhole's (`devices/tile_control.py`) but for these:

    ABSENT           reset pcs are words of the backend configuration there, and neither a page nor
                     `tensix.h` has DISABLE_RESET, LFSR_HIT_MASK, the registers from 0x21c on, or
                     clock gating from 0x240 on
    SOFT_RESET_0     bits from 23 on have no effect, there is no Auto TTSync
    CFGREG_RD_CNTL   samples a word of Wormhole's window
"""

from tensix_gdb.core.arch.wormhole import SOFT_RESET_WRITABLE
from tensix_gdb.core.devices import tile_control
from tensix_gdb.core.devices.soft_reset import set_soft_reset
from tensix_gdb.core.devices.wormhole import backend_config
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import fault

COLD = True  # little time of LLVM for it (core/engine/README.md)

BLOCK = tile_control.BLOCK
SOFT_RESET_0, CFGREG_RD_CNTL = 0x1B0, 0x058
FIRST_ABSENT, AFTER_ABSENT = 0x21C, 0x24C


def is_absent(addr: int) -> int:
    """True for registers that Wormhole does not have."""
    return 1 if FIRST_ABSENT <= addr & 0xFFC < AFTER_ABSENT else 0


def peek(S: View, hart: int, addr: int) -> int:
    """Return the register at `addr`, or -1 when there is none."""
    return -1 if is_absent(addr) else tile_control.peek(S, hart, addr)


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Sub-word loads pick their bytes."""
    if is_absent(addr):
        return fault(S, hart, Fault.UNKNOWN_REGISTER, addr, size)
    return tile_control.read(S, hart, addr, size)


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    """`sw` only."""
    if is_absent(addr):
        return fault(S, hart, Fault.UNKNOWN_REGISTER, addr, size)
    if addr & 0xFFF == SOFT_RESET_0 and size == 4:
        return set_soft_reset(S, value & SOFT_RESET_WRITABLE)
    status = tile_control.write(S, hart, addr, size, value)
    if addr & 0xFFF == CFGREG_RD_CNTL and status == 0:
        S.tile_control.config_data = backend_config.word_at(S, value & 0x7FF)
    return status


def power_up(S: View) -> None:
    """Set what is not 0 when the tile gets power."""
    tile_control.power_up(S)
