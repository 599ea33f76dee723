# SPDX-License-Identifier: Apache-2.0
"""The Ethernet tiles of both chips, side by side: registers, and which core is which.

Blackhole's has three TX queues, header tables and a link status. Wormhole's has two queues, a
register that copies L1 to the core's instruction RAM, and one core: it is NC of the machine, which
has such a RAM. Pages: EthernetTile/EthernetTxRx.md of each chip, EthernetTile/BabyRISCV/README.md;
tt-metal, tt_eth_ss_regs.h and erisc.cc; ttsim 1.10.0, tile.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tensix_gdb.core.arch.blackhole import NC, SOFT_RESET_BIT, B
from tensix_gdb.core.chip.ethernet import base_firmware, base_firmware_wormhole
from tensix_gdb.core.chip.ethernet.assembled import Side
from tensix_gdb.core.dataclass import dataclass

FIRST, END = 0xFFB90000, 0xFFBB0000  # registers that a Tensix tile has not
TXQ, QUEUE = 0xFFB90000, 0x1000
# Of a TX queue.
CONTROL, CMD, STATUS, START, SIZE, DEST, DATA = 0x00, 0x04, 0x08, 0x14, 0x18, 0x1C, 0x44
TT_LINK_TX, TT_LINK_RX = 1, 2  # the bit of each queue's control that says so
SOFT_RESET_0 = 0xFFB121B0


@dataclass(frozen=True, slots=True)
class Kind:
    """All that such a tile has. Addresses, but for `txq_kept`, which are offsets in a queue."""

    l1_bytes: int
    queues: int
    queues_with_words: int  # so many TX queues send words for registers, the first ones
    busy: tuple[int, int]  # of a TX queue: what is read where while it takes no packet
    txq_kept: tuple[int, ...]  # registers that are storage, as `kept` and `kept_from`
    rxq: int
    kept: tuple[int, ...]
    kept_from: range
    reset_values: Mapping[int, int]
    link_status: int  # 1 while the link is up; 0 if there is no such register
    iram_load: int  # copies L1 to instruction RAM; 0 if there is none
    heartbeat: int  # in L1
    first: int  # the hart that base firmware begins on
    bits: tuple[tuple[int, int], ...]  # of its soft reset, and of that of the machine
    contents: Callable[[Side, Side], dict[int, bytes]]

    @property
    def harts(self) -> int:
        """Return the bits of the machine's soft reset that belong to cores of the tile."""
        return sum(1 << bit for _, bit in self.bits)


_BLACKHOLE = Kind(
    l1_bytes=512 << 10,
    queues=3,
    queues_with_words=2,
    busy=(STATUS, 1 << 16),
    txq_kept=(CONTROL, 0x0C, START, SIZE, DEST, DATA, 0x6C, 0x80, 0x84, 0x88),
    rxq=0xFFB94000,
    kept=(0xFFB98150, 0xFFB98154),  # routing by MAC address
    kept_from=range(0xFFB98200, 0xFFB98700),  # the header table
    reset_values={
        **{TXQ + QUEUE * i: TT_LINK_TX for i in range(2)},
        **{0xFFB94000 + QUEUE * i: TT_LINK_RX for i in range(2)},
        0xFFB98154: 0xA00,
        TXQ + QUEUE + 0x80: 0x111,
        TXQ + QUEUE + 0x84: 1,
    },
    link_status=0xFFB9800C,
    iram_load=0,
    heartbeat=base_firmware.HEARTBEAT,
    first=B,
    bits=((11, SOFT_RESET_BIT[B]), (12, SOFT_RESET_BIT[NC])),
    contents=base_firmware.contents,
)
_WORMHOLE = Kind(
    l1_bytes=256 << 10,
    queues=2,
    queues_with_words=1,
    busy=(CMD, 1),
    txq_kept=(CONTROL, 0x0C, START, SIZE, DEST, DATA, *range(0x48, 0x64, 4), 0x6C),
    rxq=0xFFB92000,
    kept=(0xFFBA0000, 0xFFBA0004),  # of the MAC: a program stops it while it loads its RAM
    kept_from=range(0),
    reset_values={
        **{TXQ + QUEUE * i: TT_LINK_TX for i in range(2)},
        **{0xFFB92000 + QUEUE * i: TT_LINK_RX for i in range(2)},
        TXQ + 0x54: 0xAB,
        TXQ + QUEUE + 0x54: 0xAA,
        0xFFBA0000: 0x30000001,
        0xFFBA0004: 7,
    },
    link_status=0,
    iram_load=0xFFB94098,
    heartbeat=base_firmware_wormhole.HEARTBEAT,
    first=NC,
    bits=((11, SOFT_RESET_BIT[NC]),),
    contents=base_firmware_wormhole.contents,
)
KINDS = (_BLACKHOLE, _WORMHOLE)  # by chip
