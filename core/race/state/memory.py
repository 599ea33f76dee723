# SPDX-License-Identifier: Apache-2.0
"""M2 to M5, M8: programs and buffers in L1, the pages of circular buffers.

Each line of L1 has an area: none, code, one buffer, or several that share it. Circular buffers
count their pages in two registers of a stream of the NoC overlay, as tt-metal's kernels do.

Where a page lies follows from the count of those that were popped, as long as the number of pages
divides 65536 or no counter has wrapped.
"""

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.devices.overlay import SLOT
from tensix_gdb.core.noc.request import ATOMIC, BYTE_ENABLE, INLINE, KIND
from tensix_gdb.core.race.fields import LINE_BYTES
from tensix_gdb.core.race.lines import (
    FIRST_OF_NOC,
    FIRST_OF_THREADS,
    HOST,
    LINES,
    MOVER,
    NOC_LINES,
    THREAD_LINES,
    Line,
    Noc,
)
from tensix_gdb.core.race.state.fields import (
    CODE,
    FIRST_BUFFER,
    MAILBOXES,
    NO_AREA,
    SHARED,
    found,
    is_kernel,
)
from tensix_gdb.core.race.state.table import Number
from tensix_gdb.core.record.layout import View

RECEIVED, ACKNOWLEDGED = SLOT[10], SLOT[8]
COUNT_BITS = 0xFFFF
NOT_PUSHED, POPPED, OVERWRITES = 0, 1, 2


def is_unit(line: int) -> int:
    """True if a line is of an unpacker or a packer."""
    if not FIRST_OF_THREADS <= line < MOVER:
        return 0
    of = (line - FIRST_OF_THREADS) % THREAD_LINES
    return 1 if Line.UNPACKER_0 <= of <= Line.PACKER else 0


def is_transfer(line: int) -> int:
    """True if a line is of data that a NIU moves."""
    if not FIRST_OF_NOC <= line < HOST:
        return 0
    of = (line - FIRST_OF_NOC) % NOC_LINES
    return 0 if of == Noc.ANSWERED or of == Noc.ACKED + 1 or of == Noc.POSTED + 1 else 1


UNIT, TRANSFER = 1, 2
IN_MAILBOXES = 1  # a kind of M2
# By line of the observer: what moves tiles.
MOVES = tuple(UNIT if is_unit(i) else TRANSFER if is_transfer(i) else 0 for i in range(LINES))


def touched(S: View, cell: int, writes: int, line: int, number: int, site: int) -> int:
    """An access to a line of L1."""
    area = S.state.areas[cell]
    if area == CODE and writes and line != HOST:
        return found(S, Number.M2, site, 0, 0, cell, 0)
    if area == MAILBOXES:
        if writes and MOVES[line] == TRANSFER and is_kernel(S, site):
            found(S, Number.M2, site, 0, IN_MAILBOXES, cell, 0)
        return 0
    unit = 1 if MOVES[line] == UNIT else 0
    if MOVES[line] == 0 or S.state.buffers == 0 or area == SHARED:
        return 0
    if S.state.span_line != line or S.state.span_at != number or S.state.span_site != site:
        S.state.span_line = line
        S.state.span_at = number
        S.state.span_site = site
        S.state.span_area = area
        if unit and area == NO_AREA:
            found(S, Number.M3, site, 0, 0, cell, 0)
    elif S.state.span_area >= FIRST_BUFFER and area != S.state.span_area:
        found(S, Number.M3, site, 0, S.state.span_area, cell, 0)
    elif unit and area == NO_AREA:
        found(S, Number.M3, site, 0, 0, cell, 0)
    if area >= FIRST_BUFFER and S.state.page[area - FIRST_BUFFER]:
        pages(S, area - FIRST_BUFFER, cell * LINE_BYTES, writes, site)
    return 0


def pages(S: View, buffer: int, addr: int, writes: int, site: int) -> int:
    """M4, M5: an access to a circular buffer."""
    stream = S.state.stream[buffer] - 1
    size = S.state.page[buffer]
    count = S.state.size[buffer] // size
    if stream < 0 or count == 0 or addr < S.state.first[buffer]:
        return 0
    popped = S.overlay.word[stream, ACKNOWLEDGED] & COUNT_BITS
    filled = (S.overlay.word[stream, RECEIVED] - popped) & COUNT_BITS
    if filled > count:
        return 0
    page = (addr - S.state.first[buffer]) // size
    ahead = (page - popped) % count  # of the oldest page that is in it
    if writes:
        if ahead < filled:
            found(S, Number.M5, site, 0, OVERWRITES << 8 | buffer, addr >> 4, page)
        return 0
    if ahead >= filled:
        # The nearer one of both: it was popped so many pages ago, or will be pushed.
        ago = (popped - 1 - page) % count
        kind = POPPED if ago < popped and ago <= ahead - filled else NOT_PUSHED
        found(S, Number.M4, site, 0, kind << 8 | buffer, addr >> 4, page)
    return 0


def requested(S: View, niu: int, slot: int, line: int, number: int, site: int) -> int:
    """A request has left its initiator: M8, and the last one of each hart, for M7."""
    hart = S.noc.hart[niu, slot]
    S.state.by_hart[niu, line, hart] = number
    S.state.by_site[niu, line, hart] = site
    ctrl = S.noc.ctrl[niu, slot]
    if ctrl & KIND == ATOMIC or ctrl & INLINE or ctrl & BYTE_ENABLE:
        return 0
    length = S.noc.length[niu, slot]
    if length == 0:
        found(S, Number.M8, site, 0, 0, min(S.noc.targ[niu, slot], L1_BYTES) >> 4, length)
    return 0
