# SPDX-License-Identifier: Apache-2.0
"""Packets on a chip's links (WormholeB0 NoC/RoutingPaths.md: routes, congestion, cut-through).

    IN ──► router ──► TO_COLUMN, TO_ROW ... ──► router ──► OUT ──► arrived

A packet takes each link of its route for a cycle for each flit and HEADER more. Where several wait
for one link, its inputs have turns: so of flows that meet one after the other the last to join has
half of the link, as on a card (mesham/tt-sim, nocbench).

UNSPECIFIED(NoC/RoutingPaths.md): how much a router holds of packets that cannot continue. Here it
has room for ROOM cycles of them for each link that leads to it, or for one packet, which lies over
as many routers as it is longer: others that want a link that leads to one of these wait until its
tail has left it. Packets that have gone over the edge of the grid have room of their own,
as a ring of links that wait for each other would stand still (on a chip they have another virtual
channel: its buddy bit).
UNSPECIFIED(NoC/RoutingPaths.md): how many requests a tile of DRAM holds. Here one has its turn and
one waits for it; the next ones keep their links, also from packets to other tiles that come after
them (tt-metal#23294: head-of-line blocking). So the nearest of many readers ends long before the
others, as on a card (mesham/tt-sim, dramratebench, onechan).
UNSPECIFIED(NoC/RoutingPaths.md): packets of different virtual channels are interleaved on a link.
Here one is after the other, which ends at the same time.
"""

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
    `how` is its kind, then the axis of a multicast, then a channel of DRAM."""
    niu = packet // SLOTS % NIUS
    kind = how & 15
    S.net.kind[packet] = kind
    S.net.major[packet] = how >> 4 & 1
    S.net.channel[packet] = how >> 5
    S.net.bytes[packet] = size
    S.net.to[packet] = there & 0xFFF
    S.net.area[packet] = there
    flits = 1 if kind == DRAM_READ or size == 0 else flits_of(S, size)
    S.net.length[packet] = on_link(flits)
    S.net.wants[packet] = link(S, niu, here, IN)
    S.net.input[packet] = 2 * IN
    S.net.flies[packet] = 1
    S.net.flying[packet // (NIUS * SLOTS)] = S.net.flying[packet // (NIUS * SLOTS)] + 1
    S.net.bound[packet] = 0
    S.net.taken[packet] = 0
    S.net.at[packet] = cycle
    return put(S, cycle, packet)


def flits_of(S: View, size: int) -> int:
    """Return how many flits so many bytes need."""
    return (size + FLIT[S.net.chip] - 1) // FLIT[S.net.chip]


def link(S: View, niu: int, place: int, kind: int) -> int:
    """Return the number of a link of the router at `place`, x and y of six bits each."""
    at = (place & 63) + COLUMNS_OF[S.net.chip] * (place >> 6 & 63)
    return (niu * PLACES + at) * KINDS + kind


def advance(S: View, now: int) -> int:
    """Process all events up to the cycle `now`, without it. Return how many packets have arrived,
    or are known to arrive."""
    S.net.count = 0
    while S.net.size and S.net.event[0] >> EVENT_BITS < now:
        event = take(S)
        number = event & EVENT_MASK
        if number < PACKETS:
            at_link(S, number, event >> EVENT_BITS)
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
    for i in range(INPUTS):
        at = (S.net.turn[wants] + 1 + i) % INPUTS
        packet = S.net.first[wants, at] - 1
        if packet >= 0 and has_room(S, packet, wants):
            S.net.first[wants, at] = S.net.next[packet]
            S.net.queued[packet] = 0
            S.net.waited[wants] = S.net.waited[wants] + cycle - S.net.at[packet]
            take_link(S, packet, wants, cycle)
            break
    if S.net.free[wants] > cycle and waits(S, wants):
        ask(S, wants)
    return 0


def waits(S: View, wants: int) -> int:
    """True if packets wait for a link."""
    for at in range(INPUTS):
        if S.net.first[wants, at]:
            return 1
    return 0


def has_room(S: View, packet: int, wants: int) -> int:
    """True if a packet can go to the end of a link. If not, the packet that makes room asks."""
    held = S.net.held[wants, edge(S, packet, wants)]
    return 1 if wants % KINDS == OUT or not held or held + S.net.length[packet] <= ROOM else 0


def edge(S: View, packet: int, wants: int) -> int:
    """True if a packet has gone over the edge of the grid, in this direction, at the end of its
    next link."""
    kind = wants % KINDS
    place = wants // KINDS % PLACES
    columns = COLUMNS_OF[S.net.chip]
    if kind == TO_COLUMN and place % columns == columns - 1:
        return 1
    if kind == TO_ROW and place // columns == ROWS - 1:
        return 1
    return S.net.input[packet] & 1 if S.net.input[packet] >> 1 == kind else 0


def take_link(S: View, packet: int, wants: int, cycle: int) -> int:
    """A packet takes a link, and its head goes to the end of it. It leaves the end of the link
    before."""
    length = S.net.length[packet]
    S.net.turn[wants] = S.net.input[packet]
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
    over = edge(S, packet, wants)
    S.net.held[wants, over] = S.net.held[wants, over] + length
    S.net.trail[packet, S.net.taken[packet] & (TRAIL - 1)] = wants << 1 | over
    S.net.taken[packet] = S.net.taken[packet] + 1
    niu = wants // (PLACES * KINDS)
    place = wants // KINDS % PLACES
    columns = COLUMNS_OF[S.net.chip]
    x = place % columns
    y = place // columns
    if kind == TO_COLUMN:
        x = (x + 1) % columns
    elif kind == TO_ROW:
        y = (y + 1) % ROWS
    S.net.input[packet] = 2 * kind + over
    onto = onward(niu, x | y << 6, S.net.to[packet])
    S.net.wants[packet] = link(S, niu, x | y << 6, onto)
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


def onward(niu: int, place: int, to: int) -> int:
    """Return the kind of the link that leads on: columns first on NoC 0, rows first on NoC 1."""
    columns = 1 if (place ^ to) & 63 else 0
    rows = 1 if (place ^ to) >> 6 & 63 else 0
    if niu == 0:
        return TO_COLUMN if columns else TO_ROW if rows else OUT
    return TO_ROW if rows else TO_COLUMN if columns else OUT


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
    S.net.input[packet] = 2 * IN
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
    return 0
