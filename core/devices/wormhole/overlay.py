# SPDX-License-Identifier: Apache-2.0
"""The registers of the NoC overlay's streams on Wormhole (WormholeB0 NoC/Overlay/AsGeneralUse.md).

They are those of Blackhole by other numbers, and the record has them in Blackhole's places
(core/devices/overlay.py). What only Wormhole has stops the hart: STREAM_GATHER_CLEAR.
"""

from dataclasses import replace

from tensix_gdb.core.devices import overlay as blackhole
from tensix_gdb.core.devices.overlay import (
    FROM_WORMHOLE,
    NUMBERS_ON_WORMHOLE,
    OVERLAY_BASE,
    STREAM_STRIDE,
    as_here,
)
from tensix_gdb.core.devices.registers import (
    RegisterBlock,
    hidden,
    no_register,
    no_register_write,
)
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)

WORMHOLE = 1
# Other names of the same registers.
NAMES = {"STREAM_REMOTE_DEST_TRAFFIC": "STREAM_REMOTE_DEST_TRAFFIC_PRIORITY"}


def _place(offset: int) -> int:
    """Return where the record has a register: its slot on Blackhole."""
    return blackhole.SLOT[FROM_WORMHOLE[offset >> 2]]


BLOCK = RegisterBlock(
    "NoC overlay",
    OVERLAY_BASE,
    STREAM_STRIDE,
    "WormholeB0 NoC/Overlay/AsGeneralUse.md",
    tuple(
        replace(
            row,
            offset=4 * NUMBERS_ON_WORMHOLE[row.offset >> 2],
            name=NAMES.get(row.name, row.name),
        )
        for row in blackhole.REGISTERS
    ),
    kept=blackhole.kept,
    keep=blackhole.keep,
    row="overlay.word",
    copies="stream",
    place=_place,
)
SLOT = BLOCK.slots
# 1 for a register that would set a stream going.
STARTS = tuple(
    int(slot != 0 and BLOCK.register_at(4 * number).write is blackhole.start_stream)
    for number, slot in enumerate(SLOT)
)


def peek(S: View, hart: int, addr: int) -> int:
    """Return the register at `addr`."""
    if not SLOT[(addr & 0xFFF) >> 2]:
        return hidden(S, hart, addr)
    return blackhole.peek(S, hart, as_here(WORMHOLE, addr))


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Sub-word loads pick their bytes."""
    if not SLOT[(addr & 0xFFF) >> 2]:
        return no_register(S, hart, addr & 0xFFFFFFFC)
    return blackhole.read(S, hart, as_here(WORMHOLE, addr), size)


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    """`sw` only."""
    if not SLOT[(addr & 0xFFF) >> 2]:
        return no_register_write(S, hart, addr, value)
    if STARTS[(addr & 0xFFF) >> 2]:
        return blackhole.start_stream(S, hart, addr, value)
    return blackhole.write(S, hart, as_here(WORMHOLE, addr), size, value)
