# SPDX-License-Identifier: Apache-2.0
"""The events to come on a chip's links: a heap, the earliest first, then packets before links, each
by number. So the order in which they were put there changes nothing."""

from tensix_gdb.core.links.state import EVENT_BITS
from tensix_gdb.core.record.layout import View


def put(S: View, cycle: int, number: int) -> int:
    """Add an event of a packet, or of PACKETS + a link."""
    key = cycle << EVENT_BITS | number
    at = S.net.size
    S.net.size = at + 1
    while at > 0:
        above = (at - 1) >> 1
        if S.net.event[above] <= key:
            break
        S.net.event[at] = S.net.event[above]
        at = above
    S.net.event[at] = key
    return 0


def take(S: View) -> int:
    """Remove the earliest event and return it."""
    key = S.net.event[0]
    size = S.net.size - 1
    S.net.size = size
    moved = S.net.event[size]
    at = 0
    while 2 * at + 1 < size:
        below = 2 * at + 1
        if below + 1 < size and S.net.event[below + 1] < S.net.event[below]:
            below += 1
        if moved <= S.net.event[below]:
            break
        S.net.event[at] = S.net.event[below]
        at = below
    S.net.event[at] = moved
    return key
