# SPDX-License-Identifier: Apache-2.0
"""Packets on a chip's links (WormholeB0 NoC/RoutingPaths.md: routes, congestion, cut-through).

    IN ──► router ──► TO_COLUMN, TO_ROW ... ──► router ──► OUT ──► arrived

A packet takes each link of its route for a cycle for each flit and HEADER more. Where several wait
for one link, its inputs have turns: so of flows that meet one after the other the last to join has
half of the link, as on a card (mesham/tt-sim, nocbench). What has gone over the edge of the grid
has another virtual channel (its dateline bit), and channels are interleaved on a link: the two
lanes have turns first, and in each lane its inputs. What a tile sends itself goes through its
router, by the links from its NIU and back to it.

UNSPECIFIED(NoC/RoutingPaths.md): how much a router holds of packets that cannot continue. Here it
has room for ROOM cycles of them for each link that leads to it, or for one packet, which lies over
as many routers as it is longer: others that want a link that leads to one of these wait until its
tail has left it. Each lane has room of its own, as a ring of links that wait for each other would
stand still.
UNSPECIFIED(NoC/RoutingPaths.md): how many requests a tile of DRAM holds. Here one has its turn and
one waits for it; the next ones keep their links, also from packets to other tiles that come after
them (tt-metal#23294: head-of-line blocking). So the nearest of many readers ends long before the
others, as on a card (mesham/tt-sim, dramratebench, onechan).
UNSPECIFIED(NoC/RoutingPaths.md): which channel of two that are interleaved has the next flit. Here
a whole packet of one follows one of the other, which ends at the same time; what differs in more
than the dateline bit, as a read's data and a request, has one lane.
"""

from tensix_gdb.core.links.acks import acknowledge, pass_link
from tensix_gdb.core.links.events import put, take
from tensix_gdb.core.links.multicast import claim, reserve
from tensix_gdb.core.links.state import (
    CHANNELS,
    DRAM_READ,
    DRAM_WRITE,
    EVENT_BITS,
    IN,
    INPUTS,
    KINDS,
    LANES,
    LINKS,
    MULTICAST,
    NIU_CYCLES,
    OUT,
    PACKETS,
    PLAIN,
    RESERVING,
    TO_COLUMN,
    TO_ROW,
    TRAIL,
)
from tensix_gdb.core.links.ways import beyond, link, onward
from tensix_gdb.core.noc.coordinates import COLUMNS_OF, HOP_CYCLES, ROWS
from tensix_gdb.core.noc.dram import PARTS, answers, turn
from tensix_gdb.core.noc.request import FLIT, on_link
from tensix_gdb.core.noc.state import NIUS, PLACES, SLOTS
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)

ROOM = 16  # cycles of packets
EVENT_MASK = (1 << EVENT_BITS) - 1


def enter(S: View, packet: int, cycle: int, here: int, there: int, size: int, how: int) -> int:
    """A packet of `size` bytes is at the NIU of the tile `here`; `there` is a tile, or a rectangle.
    `how` is its kind, then the axis of a multicast, a channel of DRAM, and ANSWERS."""
    niu = packet // SLOTS % NIUS
    kind = how & 15
    S.net.kind[packet] = kind
    S.net.major[packet] = how >> 4 & 1
    S.net.channel[packet] = how >> 5 & 31
    S.net.answers[packet] = how >> 10
    S.net.bytes[packet] = size
    S.net.to[packet] = there & 0xFFF
    S.net.area[packet] = there
    flits = 1 if kind == DRAM_READ or size == 0 else flits_of(S, size)
    S.net.length[packet] = on_link(flits)
    S.net.wants[packet] = link(S, niu, here, IN)
    S.net.input[packet] = LANES * IN
    S.net.flies[packet] = 1
    S.net.flying[packet // (NIUS * SLOTS)] = S.net.flying[packet // (NIUS * SLOTS)] + 1
    S.net.bound[packet] = 0
    S.net.taken[packet] = 0
    S.net.at[packet] = cycle
    return put(S, cycle, packet)


def flits_of(S: View, size: int) -> int:
    """Return how many flits so many bytes need."""
    return (size + FLIT[S.net.chip] - 1) // FLIT[S.net.chip]


def advance(S: View, now: int) -> int:
    """Process all events up to the cycle `now`, without it. Return how many packets have arrived,
    or are known to arrive."""
    S.net.count = 0
    while S.net.size and S.net.event[0] >> EVENT_BITS < now:
        event = take(S)
        number = event & EVENT_MASK
        if number < PACKETS:
            at_link(S, number, event >> EVENT_BITS)
        elif number >= PACKETS + LINKS:
            pass_link(S, number - PACKETS - LINKS, event >> EVENT_BITS)
        elif S.net.asked[number - PACKETS] == event >> EVENT_BITS:  # else it was asked before
            S.net.asked[number - PACKETS] = 0
            serve(S, number - PACKETS, event >> EVENT_BITS)
    return S.net.count


def at_link(S: View, packet: int, cycle: int) -> int:
    """A packet is at the link that it takes next."""
    if S.net.kind[packet] == RESERVING:
        return reserve(S, packet, cycle)
    wants = S.net.wants[packet]
    at = S.net.input[packet]
    S.net.at[packet] = cycle
    S.net.queued[packet] = 1
    S.net.next[packet] = 0
    if S.net.first[wants, at]:
        S.net.next[S.net.last[wants, at] - 1] = packet + 1
    else:
        S.net.first[wants, at] = packet + 1
    S.net.last[wants, at] = packet + 1
    return serve(S, wants, cycle) if S.net.free[wants] <= cycle else ask(S, wants)


def ask(S: View, wants: int) -> int:
    """Serve a link when it is free."""
    if S.net.asked[wants] < S.net.free[wants]:
        S.net.asked[wants] = S.net.free[wants]
        put(S, S.net.free[wants], PACKETS + wants)
    return 0


def serve(S: View, wants: int, cycle: int) -> int:
    """The next input in turn has a link, if it is free and there is room at its end."""
    if S.net.free[wants] > cycle:
        return ask(S, wants)
    at = chosen(S, wants)
    if at < INPUTS:
        packet = S.net.first[wants, at] - 1
        S.net.first[wants, at] = S.net.next[packet]
        S.net.queued[packet] = 0
        S.net.waited[wants] = S.net.waited[wants] + cycle - S.net.at[packet]
        take_link(S, packet, wants, cycle)
    if S.net.free[wants] > cycle and waits(S, wants):
        ask(S, wants)
    return 0


def chosen(S: View, wants: int) -> int:
    """Return the input that has the next turn at a link, of those that can have it; INPUTS if none
    can. Lanes have turns, and in each the links that lead to the router."""
    for i in range(LANES):
        lane = (S.net.lane[wants] + 1 + i) % LANES
        for j in range(INPUTS // LANES):
            before = (S.net.turn[wants, lane] + 1 + j) % (INPUTS // LANES)
            for at in range(LANES * before, LANES * (before + 1)):
                packet = S.net.first[wants, at] - 1
                if packet >= 0 and lane_of(S, at, wants) == lane and has_room(S, packet, wants):
                    S.net.lane[wants] = lane
                    S.net.turn[wants, lane] = before
                    return at
    return INPUTS


def waits(S: View, wants: int) -> int:
    """True if packets wait for a link."""
    for at in range(INPUTS):
        if S.net.first[wants, at]:
            return 1
    return 0


def has_room(S: View, packet: int, wants: int) -> int:
    """True if a packet can go to the end of a link. If not, the packet that makes room asks."""
    held = S.net.held[wants, lane_of(S, S.net.input[packet], wants)]
    return 1 if wants % KINDS == OUT or not held or held + S.net.length[packet] <= ROOM else 0


def lane_of(S: View, at: int, wants: int) -> int:
    """Return the lane that packets of an input have on their next link: 1 if they have gone over
    the edge of the grid, in this direction, at its end. To the NIU they keep theirs."""
    kind = wants % KINDS
    place = wants // KINDS % PLACES
    columns = COLUMNS_OF[S.net.chip]
    if kind == TO_COLUMN and place % columns == columns - 1:
        return 1
    if kind == TO_ROW and place // columns == ROWS - 1:
        return 1
    return at & 1 if kind == OUT or at >> 1 == kind else 0


def take_link(S: View, packet: int, wants: int, cycle: int) -> int:
    """A packet takes a link, and its head goes to the end of it. It leaves the end of the link
    before."""
    length = S.net.length[packet]
    kind = wants % KINDS
    if kind == IN and S.net.kind[packet] == MULTICAST:
        return claim(S, packet, wants, cycle)
    S.net.user[wants] = packet
    S.net.free[wants] = cycle + length
    S.net.load[wants] = S.net.load[wants] + length
    if kind != IN:
        leave_links(S, packet, kind, cycle)
    if kind == OUT:
        return arrive(S, packet, cycle + NIU_CYCLES)
    lane = lane_of(S, S.net.input[packet], wants)
    S.net.held[wants, lane] = S.net.held[wants, lane] + length
    S.net.trail[packet, S.net.taken[packet] & (TRAIL - 1)] = wants << 1 | lane
    S.net.taken[packet] = S.net.taken[packet] + 1
    niu = wants // (PLACES * KINDS)
    place = beyond(S, wants)
    S.net.input[packet] = LANES * kind + lane
    S.net.wants[packet] = link(S, niu, place, onward(niu, place, S.net.to[packet]))
    cycle += NIU_CYCLES if kind == IN else HOP_CYCLES
    S.net.at[packet] = cycle
    return put(S, cycle, packet)


def leave_links(S: View, packet: int, kind: int, cycle: int) -> int:
    """The head of a packet moves: its tail leaves the link that is as far back as the packet is
    long, and all of them, one after the other, when the head goes to a NIU."""
    length = S.net.length[packet]
    taken = S.net.taken[packet]
    back = taken - (length + ROOM - 1) // ROOM
    for i in range(max(back, 0), taken if kind == OUT else back + 1):
        entry = S.net.trail[packet, i & (TRAIL - 1)]
        before = entry >> 1
        gone = entry & 1
        S.net.held[before, gone] = max(0, S.net.held[before, gone] - length)
        if kind == OUT:
            leaves = cycle + length - (taken - i) * ROOM
            S.net.free[before] = max(S.net.free[before], leaves)
        if waits(S, before):
            again(S, before, cycle)
    return 0


def again(S: View, wants: int, cycle: int) -> int:
    """There is room at the end of a link at which packets wait."""
    when = max(cycle, S.net.free[wants])
    if S.net.asked[wants] != when:
        S.net.asked[wants] = when
        put(S, when, PACKETS + wants)
    return 0


def arrive(S: View, packet: int, cycle: int) -> int:
    """The head of a packet is at a NIU."""
    kind = S.net.kind[packet]
    whole = cycle + S.net.length[packet]
    if kind == PLAIN:
        return arrives(S, packet, whole)
    channel = S.net.channel[packet]
    inlet = S.net.wants[packet]
    size = S.net.bytes[packet]
    begins = (whole if kind == DRAM_READ else cycle) * PARTS
    ends = begins
    if channel < CHANNELS:  # else it is the host's memory
        begins = max(begins, S.net.until[channel])
        ends = begins + turn(S.net.chip, size)
        S.net.until[channel] = ends
        S.net.moved[channel] = S.net.moved[channel] + size
        # The next one is there when this one's turn begins, and others wait at the link before.
        ahead = NIU_CYCLES + (S.net.length[packet] if kind == DRAM_READ else 0)
        S.net.free[inlet] = max(S.net.free[inlet], begins // PARTS - ahead)
    if kind == DRAM_WRITE:
        return arrives(S, packet, max(whole, ends // PARTS))
    flits = flits_of(S, size)
    leaves = begins // PARTS + (answers(S.net.chip, size) if channel < CHANNELS else 0)
    niu = packet // SLOTS % NIUS
    S.net.wants[packet] = link(S, niu, S.net.to[packet], IN)
    S.net.input[packet] = LANES * IN
    S.net.taken[packet] = 0
    S.net.kind[packet] = PLAIN
    S.net.to[packet] = S.net.area[packet] >> 12
    S.net.length[packet] = on_link(flits)
    S.net.at[packet] = leaves
    return put(S, leaves, packet)


def arrives(S: View, packet: int, cycle: int) -> int:
    """All of a packet is there in a cycle."""
    S.net.flies[packet] = 0
    S.net.flying[packet // (NIUS * SLOTS)] = S.net.flying[packet // (NIUS * SLOTS)] - 1
    S.net.at[packet] = cycle
    S.net.arrived[S.net.count] = packet
    S.net.count = S.net.count + 1
    return acknowledge(S, packet, cycle) if S.net.answers[packet] else 0
