# SPDX-License-Identifier: Apache-2.0
"""The fields of a request's NOC_CTRL, and what follows from them (NoC/MemoryMap.md).

Tables have Blackhole's number and then Wormhole's, and are indexed by `S.tile.chip`.
"""

from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.record.layout import View

KIND, READ, ATOMIC, WRITE = 3, 0, 1, 2
BYTE_ENABLE, INLINE, MARKED, BROADCAST = 1 << 2, 1 << 3, 1 << 4, 1 << 5
LINKED, STATIC, PATH_RESERVE = 1 << 6, 1 << 7, 1 << 8  # VC_LINKED, VC_STATIC
CHANNEL, CLASS, CLASS_OF_BROADCASTS = 7 << 13, 14, 2  # STATIC_VC: a buddy bit, two class bits
XY, SRC_INCLUDE = 1 << 16, 1 << 17  # of broadcasts
ACCUMULATE = 1 << 31  # L1_ACC_AT_EN
# NOC_PACKET_TAG: of writes; and what a transaction id above 15 sets, of any request.
TO_OVERLAY, HEADER_STORE, RESERVED_TAG = 1 << 6, 1 << 9, 3 << 14

FLIT = (
    cost(
        "noc.flit", 64, "bytes in a cycle", "of a link of the NoC", source="NoC/README.md",
        trust=Trust.PAGE,
    ),
    cost(
        "noc.flit_wormhole", 32, "bytes in a cycle", "of a link of the NoC, on Wormhole",
        source="WormholeB0 NoC/README.md", trust=Trust.PAGE,
    ),
)  # fmt: skip
HEADER = cost(
    "noc.header", 2, "cycles", "that a packet keeps a link beside one for each flit",
    source="tt-metal noc_estimator, noc_latencies.yaml", trust=Trust.MEASURED,
    note="a card: 34.0, 66.1 and 263.3 cycles for each write of 32, 64 and 256 flits; a Wormhole "
    "card: 33.5, 66.2, 131.9 and 263.2 for each of 32, 64, 128 and 256",
)  # fmt: skip
PAUSE = cost(
    "noc.pause", 48, "flits", "of a packet, for each of which it keeps a link for a cycle more",
    source="tt-metal noc_estimator, noc_latencies.yaml", trust=Trust.FITTED,
    note="fitted with noc.header to writes and reads of 32, 64 and 256 flits; writes of a Wormhole "
    "card are as noc.header has them, its reads of another tile's L1 take 37.0, 72.2, 143.4 and "
    "288.3 cycles, an eighth more, which is not modelled",
)  # fmt: skip
MAX_BYTES = (256 * FLIT[0], 256 * FLIT[1])  # of a packet
MMIO = 0xFF000000  # addresses of a Tensix tile from here on are registers


def is_write_of_data(ctrl: int) -> int:
    """True if it is a write with data in memory."""
    return 1 if ctrl & KIND == WRITE and not ctrl & INLINE else 0


def target(ctrl: int) -> int:
    """True if the request goes to NOC_TARG_ADDR; a write of data goes to NOC_RET_ADDR."""
    return 0 if is_write_of_data(ctrl) else 1


def packets(S: View, ctrl: int, length: int) -> int:
    """Return how many packets a request of that length in bytes needs."""
    if ctrl & KIND == ATOMIC or ctrl & (BYTE_ENABLE | INLINE):
        return 1
    return max(1, (length + MAX_BYTES[S.tile.chip] - 1) // MAX_BYTES[S.tile.chip])


def flits_of(S: View, length: int) -> int:
    """Flits that so many bytes need."""
    return (length + FLIT[S.tile.chip] - 1) // FLIT[S.tile.chip]


def length_cycles(S: View, ctrl: int, length: int) -> int:
    """Return cycles that the packet of a request keeps a link. A read asks with one flit."""
    if ctrl & (BYTE_ENABLE | INLINE | ATOMIC) or ctrl & KIND == READ:
        return on_link(1)
    return on_link(flits_of(S, length))


def on_link(flits: int) -> int:
    """Return cycles that a packet of so many flits of data keeps a link."""
    return flits + flits // PAUSE + HEADER


def has_wrong_channel(ctrl: int) -> int:
    """True if software dictates a virtual channel of another class: 2 is for broadcasts, 0 and 1
    for the rest."""
    channel = (ctrl >> CLASS) & 3
    if not ctrl & STATIC:
        return 0
    return 1 if (channel != CLASS_OF_BROADCASTS if ctrl & BROADCAST else channel > 1) else 0
