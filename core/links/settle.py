# SPDX-License-Identifier: Apache-2.0
"""The links between two quanta of the tiles, in compiled code (core/chip/together_ir.py).

As `Network.settle` does it in Python. All tiles are at one cycle, so what has left before it is
known, and all that the links do before it can be done. Two things follow: when some packets are at
their ends, which their tiles are told at once, long before it is so as a rule; and for the others a
cycle before which they are not, which ends the next quantum.
"""

from tensix_gdb.core.engine.native import call_on, load_word
from tensix_gdb.core.links.bound import bound
from tensix_gdb.core.links.flow import advance
from tensix_gdb.core.noc.columns import (
    COLUMNS,
    ENTER_CODE,
    LEAVE_CODE,
    NET_RECORD,
    PENDING,
    RECORD,
    TOLD_CODE,
)
from tensix_gdb.core.noc.order import NEVER
from tensix_gdb.core.noc.state import NIUS, PENDING_NOC, SLOTS
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)

TILE = NIUS * SLOTS  # packets of a tile
SOON = 32  # cycles; a bound that is farther away is not computed anew


def settle(S: View, table: int, records: int, now: int, codes: int) -> int:
    """Process all events up to a cycle. Return a later one; no packet arrives earlier of which it
    is not known."""
    net = load_word(codes + 8 * NET_RECORD)
    for number in range(records):
        row = table + 8 * COLUMNS * number
        if is_pending(row):
            record = load_word(row + 8 * RECORD)
            call_on(
                record,
                load_word(codes + 8 * LEAVE_CODE),
                number,
                net,
                load_word(codes + 8 * ENTER_CODE),
            )
    advance(S, now)
    for i in range(S.net.count):
        packet = S.net.arrived[i]
        row = table + 8 * COLUMNS * (packet // TILE)
        code = load_word(codes + 8 * TOLD_CODE)
        call_on(load_word(row + 8 * RECORD), code, packet % TILE, S.net.at[packet])
    first = NEVER
    for number in range(records):
        if S.net.flying[number]:
            first = min(first, soonest(S, number, now))
    return first


def is_pending(row: int) -> int:
    """True if a tile has a request under way."""
    at = load_word(row + 8 * PENDING)  # of 32 bits
    return load_word(at & ~7) >> 8 * (at & 7) & PENDING_NOC


def soonest(S: View, number: int, now: int) -> int:
    """Return a cycle after `now` before which no packet of a tile is there of which it is not
    known."""
    first = NEVER
    for packet in range(number * TILE, (number + 1) * TILE):
        if S.net.flies[packet]:
            if S.net.bound[packet] < now + SOON:
                S.net.bound[packet] = bound(S, packet, now)
            first = min(first, S.net.bound[packet])
    return first
