# SPDX-License-Identifier: Apache-2.0
"""A multicast on a chip's links: its tree is taken as a whole.

The packet goes along its major axis past the rectangle's columns (rows, with BRCST_XY), and from
each of these along the other axis (WormholeB0 NoC/RoutingPaths.md). It is at the same time in all
of its branches, so that the latest link of the tree keeps the others waiting.

A path reservation goes to the farthest receiver and back before the data leaves, and the next one
of the same NIU waits until the path is given back. A request that continues a linked transaction
has its path.
"""

from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.links.events import put
from tensix_gdb.core.links.state import (
    KINDS,
    MULTICAST,
    NIU_CYCLES,
    OUT,
    TO_COLUMN,
    TO_ROW,
)
from tensix_gdb.core.noc.coordinates import COLUMNS_OF, HOP_CYCLES, ROWS, in_span
from tensix_gdb.core.noc.state import NIUS, PLACES, SLOTS
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)

RESERVE = cost(
    "noc.reserve", 16, "cycles", "that a path reservation takes for each hop to the farthest tile",
    source="tt-metal noc_estimator, noc_latencies.yaml", trust=Trust.FITTED,
    note="there and back; fitted to a card's 39, 71 and 135 cycles for each of 256 multicasts of "
    "64 bytes to 2x2, 3x3 and 5x5 tiles with the sender in a corner, 2, 4 and 8 hops; figures of "
    "rows, columns, 8x8 and 110 tiles were known and not used, and none was kept out by a seed; a "
    "Wormhole card has 40.0 and 72.0 to 2x2 and 3x3, and 135.9 and 136.0 along a row and a column",
)  # fmt: skip
RELEASE = cost(
    "noc.release", 4, "cycles", "from a multicast's tail to the NIU's next path reservation",
    source="tt-metal noc_estimator, noc_latencies.yaml", trust=Trust.FITTED,
    note="fitted with noc.reserve: 16 for each hop and 7 more, of which the packet has 3; a "
    "Wormhole card has 8 more, and the packet of 64 bytes 4 of them",
)  # fmt: skip


def reserve(S: View, packet: int, cycle: int) -> int:
    """A multicast is to reserve its path: when the one before has given back its own."""
    niu = packet // SLOTS
    begins = max(cycle, S.net.kept[niu])
    leaves = begins + RESERVE * (columns_to(S, packet) + rows_to(S, packet))
    S.net.kept[niu] = leaves + S.net.length[packet] + RELEASE
    S.net.kind[packet] = MULTICAST
    S.net.at[packet] = leaves
    return put(S, leaves, packet)


def columns_to(S: View, packet: int) -> int:
    """Return columns from the sender to the farthest one of the rectangle."""
    area = S.net.area[packet]
    columns = COLUMNS_OF[S.net.chip]
    here = S.net.wants[packet] // KINDS % PLACES % columns
    most = 0
    for away in range(columns):
        if in_span((here + away) % columns, area >> 12 & 63, area & 63):
            most = away
    return most


def rows_to(S: View, packet: int) -> int:
    """The same of rows."""
    area = S.net.area[packet]
    here = S.net.wants[packet] // KINDS % PLACES // COLUMNS_OF[S.net.chip]
    most = 0
    for away in range(ROWS):
        if in_span((here + away) % ROWS, area >> 18 & 63, area >> 6 & 63):
            most = away
    return most


def claim(S: View, packet: int, inlet: int, cycle: int) -> int:
    """Take the whole tree, in the first cycle from which on all of it is free."""
    length = S.net.length[packet]
    later = max(0, S.net.free[inlet] - cycle)
    later = max(later, along(S, packet, cycle, 0))
    S.net.waited[inlet] = S.net.waited[inlet] + later
    along(S, packet, cycle + later, length)
    S.net.free[inlet] = cycle + later + length
    S.net.load[inlet] = S.net.load[inlet] + length
    S.net.flies[packet] = 0
    S.net.flying[packet // (NIUS * SLOTS)] = S.net.flying[packet // (NIUS * SLOTS)] - 1
    S.net.at[packet] = cycle + later
    S.net.arrived[S.net.count] = packet
    S.net.count = S.net.count + 1
    return 0


def along(S: View, packet: int, cycle: int, length: int) -> int:
    """Take the links of the tree from a cycle on; or, for a length of 0, return how much later all
    of them are free."""
    area = S.net.area[packet]
    place = S.net.wants[packet] // KINDS % PLACES
    columns = COLUMNS_OF[S.net.chip]
    x = place % columns
    y = place // columns
    far_x = columns_to(S, packet)
    far_y = rows_to(S, packet)
    rows_first = S.net.major[packet]
    later = 0
    for i in range(far_y + 1 if rows_first else far_x + 1):
        if rows_first:
            covered = in_span((y + i) % ROWS, area >> 18 & 63, area >> 6 & 63)
        else:
            covered = in_span((x + i) % columns, area >> 12 & 63, area & 63)
        if i < (far_y if rows_first else far_x):
            here = x | (y + i) % ROWS << 6 if rows_first else (x + i) % columns | y << 6
            kind = TO_ROW if rows_first else TO_COLUMN
            later = max(later, one(S, packet, here, kind, cycle + i * HOP_CYCLES, length))
        if covered:
            for j in range(far_x + 1 if rows_first else far_y + 1):
                begins = cycle + (i + j) * HOP_CYCLES
                if rows_first:
                    here = (x + j) % columns | (y + i) % ROWS << 6
                    ends = in_span((x + j) % columns, area >> 12 & 63, area & 63)
                    last = 1 if j == far_x else 0
                else:
                    here = (x + i) % columns | (y + j) % ROWS << 6
                    ends = in_span((y + j) % ROWS, area >> 18 & 63, area >> 6 & 63)
                    last = 1 if j == far_y else 0
                if ends:
                    later = max(later, one(S, packet, here, OUT, begins, length))
                if not last:
                    kind = TO_COLUMN if rows_first else TO_ROW
                    later = max(later, one(S, packet, here, kind, begins, length))
    return later


def one(S: View, packet: int, place: int, kind: int, cycle: int, length: int) -> int:
    """Take one link, or return how much later it is free."""
    niu = packet // SLOTS % NIUS
    at = (place & 63) + COLUMNS_OF[S.net.chip] * (place >> 6)
    at = (niu * PLACES + at) * KINDS + kind
    cycle += NIU_CYCLES
    if length:
        S.net.free[at] = cycle + length
        S.net.user[at] = packet
        S.net.load[at] = S.net.load[at] + length
    return max(0, S.net.free[at] - cycle)
