# SPDX-License-Identifier: Apache-2.0
"""The time of DRAM: a channel has a rate, which its three tiles share, and an access time.

UNSPECIFIED(NoC/README.md): no page has either of Blackhole, nor Wormhole's access times. They are
of cards. `RATE` and `ACCESS` have Blackhole's number and then Wormhole's, by `S.tile.chip`.
"""

from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.noc.coordinates import DRAM_0
from tensix_gdb.core.noc.request import FLIT
from tensix_gdb.core.record.layout import View

PARTS = 16  # of a cycle: the turn of a request does not begin with a whole one
RATE = (
    cost(
        "dram.rate", 471, "tenths of a byte in a cycle", "of a channel of DRAM, reads and writes",
        source="mesham/tt-sim, dramratebench", trust=Trust.MEASURED,
        note="a card: 46.2 to 47.2 bytes in a cycle for 1 to 120 readers of one channel, writes "
        "46.3 to 47.1; fan-out over eight channels was kept out",
    ),
    cost(
        "dram.rate_wormhole", 220, "tenths of a byte in a cycle", "the same, on Wormhole",
        source="mesham/tt-sim, dramratebench; WormholeB0 DRAMTile/README.md", trust=Trust.MEASURED,
        note="a card of 1 GHz: 21.8 to 22.2 bytes in a cycle for 1 to 64 readers of one channel "
        "but 20.3 once for 2; the page has 22.2 or 22.3 read and 21.8 to 22.0 written in most "
        "rows; fan-out over twelve channels was kept out",
    ),
)  # fmt: skip
ACCESS = (
    cost(
        "dram.access", 130, "cycles", "from a read's arrival at a channel of DRAM to its data",
        source="tt-metal noc_estimator, noc_latencies.yaml", trust=Trust.FITTED,
        note="fitted to one read of 64 bytes, 481 cycles on a card with the profiler's zone; reads "
        "of more bytes and in a row were not used",
    ),
    cost(
        "dram.access_wormhole", 92, "cycles", "the same, on Wormhole",
        source="tt-metal noc_estimator, noc_latencies.yaml", trust=Trust.FITTED,
        note="fitted to one read of 64 bytes, 381 cycles on a Wormhole card with the profiler's "
        "zone (another version of the file has 500 and 397); mesham/tt-sim has 99, the difference "
        "of two other figures of tt-metal (358 for DRAM, 259 for another tile's L1); reads of "
        "more bytes and in a row were kept out",
    ),
)  # fmt: skip

WRITTEN_WORMHOLE = cost(
    "dram.write_wormhole", 116, "cycles",
    "from a write's arrival at a channel of DRAM until its acknowledgement leaves, on Wormhole",
    source="tt-metal noc_estimator, noc_latencies.yaml", trust=Trust.FITTED,
    note="fitted to the difference of two writes of 64 bytes on NoC 0 of a Wormhole card: 409 to "
    "DRAM (521 on NoC 1, where 128 bytes take 425), 293 to another tile's L1; writes of more bytes "
    "were not used. In a row a card writes 64 bytes each 65 cycles and 128 to 512 each 25: what "
    "makes the shortest slow is not known, here they take 25. A Blackhole's are 21 slower than "
    "here, which is left",
)  # fmt: skip


def channel_of(S: View, niu: int, slot: int, place: int, is_read: int) -> int:
    """Return the channel of a request; on Wormhole a place leads to two, by the address."""
    if not S.tile.chip:
        return place - DRAM_0
    addr = S.noc.targ[niu, slot] if is_read else S.noc.ret[niu, slot]
    return 2 * (place - DRAM_0) + (addr >> 30 & 1)


def turn(chip: int, size: int) -> int:
    """Return how long a request of so many bytes has a channel, in PARTS of a cycle."""
    return size * 10 * PARTS // RATE[chip]


def acknowledges(chip: int) -> int:
    """Return cycles from a write's arrival until its acknowledgement leaves."""
    return WRITTEN_WORMHOLE if chip else 0


def answers(chip: int, size: int) -> int:
    """Return cycles from a read's turn until its answer leaves: the last flit leaves when the
    channel has all of it."""
    return ACCESS[chip] + max(0, turn(chip, size) // PARTS - (size + FLIT[chip] - 1) // FLIT[chip])
