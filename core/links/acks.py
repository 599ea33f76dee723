# SPDX-License-Identifier: Apache-2.0
"""Acknowledgements on a chip's links.

One is a header flit, on a virtual channel of its own class (WormholeB0 NoC/README.md), so that it
waits for no request and is interleaved with packets: it comes when it would come alone, and what it
takes of each link of its way is taken from what else wants it. Of a multicast they take no links.
"""

from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.links.events import put
from tensix_gdb.core.links.state import IN, KINDS, LINKS, NIU_CYCLES, OUT, PACKETS
from tensix_gdb.core.links.ways import beyond, link, onward
from tensix_gdb.core.noc.coordinates import HOP_CYCLES
from tensix_gdb.core.noc.state import NIUS, PLACES, SLOTS
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)

LENGTH = cost(
    "noc.acknowledgement", 1, "cycles", "that an acknowledgement keeps a link",
    source="WormholeB0 NoC/README.md", trust=Trust.PAGE,
    note="exactly one header flit. a card has 64.0 cycles for each of linked multicasts to 64 tiles"
    " and 112.2 to 110, which all acknowledge to one NIU (tt-metal noc_estimator)",
)  # fmt: skip


def acknowledge(S: View, packet: int, cycle: int) -> int:
    """A packet has arrived in a cycle: its acknowledgement leaves the target."""
    niu = packet // SLOTS % NIUS
    S.net.ack[packet] = link(S, niu, S.net.to[packet], IN)
    return put(S, cycle, PACKETS + LINKS + packet)


def pass_link(S: View, packet: int, cycle: int) -> int:
    """The acknowledgement of a packet is at a link, and takes its cycle of it."""
    at = S.net.ack[packet]
    S.net.free[at] = max(S.net.free[at], cycle) + LENGTH
    S.net.load[at] = S.net.load[at] + LENGTH
    kind = at % KINDS
    if kind == OUT:
        return 0
    niu = at // (PLACES * KINDS)
    place = beyond(S, at)
    S.net.ack[packet] = link(S, niu, place, onward(niu, place, S.net.area[packet] >> 12))
    return put(S, cycle + (NIU_CYCLES if kind == IN else HOP_CYCLES), PACKETS + LINKS + packet)
