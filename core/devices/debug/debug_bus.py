# SPDX-License-Identifier: Apache-2.0
"""The debug daisychain: 128 bits of internal signals at a time (WormholeB0 DebugDaisychain.md).

DBG_BUS_CNTL_REG selects, DBG_RD_DATA shows 32 bits of the selection (signals.py; of Wormhole
wormhole/bus_signals.py), and DBG_L1_MEM_REG0 to 2 write all 128 to L1 (samples.py).

UNSPECIFIED(DebugDaisychain.md): what is read while the bus is not enabled; 0.
"""

from tensix_gdb.core.devices.debug import samples, signals
from tensix_gdb.core.devices.registers import Access, Bits, Register
from tensix_gdb.core.devices.wormhole import bus_signals
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)

ENABLED = 1 << 29
GROUP = (signals.group, bus_signals.group)  # by chip


def data(S: View, hart: int, addr: int) -> int:
    """DBG_RD_DATA."""
    return word(S, (S.tile_control.bus_control >> 25) & 3)


def word(S: View, number: int) -> int:
    """Word `number` of the 128 bits that are selected."""
    selected = S.tile_control.bus_control
    if not selected & ENABLED:
        return 0
    return GROUP[S.tile.chip](S, (selected >> 16) & 0xFF, selected & 0xFFFF, number)


def sample(S: View) -> int:
    """Take the samples that are due (samples.py)."""
    if samples.is_due(S):
        for number in range(4):
            samples.write_word(S, number, word(S, number))
        samples.taken(S)
    return 0


_PAGE = "WormholeB0 DebugDaisychain.md"

REGISTERS = (
    *samples.REGISTERS,
    Register(
        0x054,
        "DBG_BUS_CNTL_REG",
        Access.READ_WRITE,
        "selects 32 bits of internal signals",
        row="bus_control",
        page=_PAGE,
        fields=(
            Bits(0, 16, "SignalSel"),
            Bits(16, 8, "DaisySel"),
            Bits(25, 2, "Read32Sel"),
            Bits(29, 1, "Enabled"),
        ),
    ),
    Register(0x05C, "DBG_RD_DATA", Access.IGNORES_WRITES, "the selection", peek=data, page=_PAGE),
)
