# SPDX-License-Identifier: Apache-2.0
"""A cycle before which a packet that is under way does not arrive.

Tiles run by themselves until then (core/chip). A bound may be early, as what is in the way on later
links is not looked at; it is never late.
"""

from tensix_gdb.core.links.flow import flits_of
from tensix_gdb.core.links.state import (
    CHANNELS,
    DRAM_READ,
    DRAM_WRITE,
    IN,
    KINDS,
    MULTICAST,
    NIU_CYCLES,
)
from tensix_gdb.core.noc.coordinates import COLUMNS_OF, HOP_CYCLES, ROWS
from tensix_gdb.core.noc.dram import PARTS, answers, turn
from tensix_gdb.core.noc.request import on_link
from tensix_gdb.core.noc.state import PLACES
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)


def bound(S: View, packet: int, now: int) -> int:
    """Return a cycle after `now` before which a packet that is under way does not arrive."""
    wants = S.net.wants[packet]
    begins = S.net.at[packet]
    if S.net.queued[packet]:
        begins = max(S.net.free[wants], now)
        ahead = S.net.first[wants, S.net.input[packet]] - 1
        while ahead != packet:
            begins += S.net.length[ahead]
            ahead = S.net.next[ahead] - 1
    kind = S.net.kind[packet]
    if kind >= MULTICAST:
        return max(begins, now) + NIU_CYCLES
    place = wants // KINDS % PLACES
    here = place % COLUMNS_OF[S.net.chip] | place // COLUMNS_OF[S.net.chip] << 6
    to = S.net.to[packet]
    cycle = begins + hops(S, here, to) * HOP_CYCLES + NIU_CYCLES
    cycle += NIU_CYCLES if wants % KINDS == IN else 0
    head = cycle
    cycle += S.net.length[packet]
    channel = S.net.channel[packet]
    if kind == DRAM_WRITE and channel < CHANNELS:
        turns = max(head * PARTS, S.net.until[channel]) + turn(S.net.chip, S.net.bytes[packet])
        cycle = max(cycle, turns // PARTS)
    if kind == DRAM_READ:
        cycle = max(cycle, S.net.until[channel] // PARTS) if channel < CHANNELS else cycle
        cycle += hops(S, to, S.net.area[packet] >> 12) * HOP_CYCLES + 2 * NIU_CYCLES
        cycle += answers(S.net.chip, S.net.bytes[packet]) if S.net.channel[packet] < CHANNELS else 0
        cycle += on_link(flits_of(S, S.net.bytes[packet]))
    return max(cycle, now + 1)


def hops(S: View, here: int, there: int) -> int:
    """Return the routers from one place to another one."""
    columns = ((there & 63) - (here & 63)) % COLUMNS_OF[S.net.chip]
    return columns + ((there >> 6 & 63) - (here >> 6 & 63)) % ROWS
