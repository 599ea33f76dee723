# SPDX-License-Identifier: Apache-2.0
"""C1 to C8: what tt-metal's library, and the pages, ask of a kernel.

C1      loads of lines with runtime arguments that are not of the hart's kernel
C2..C4  loads and stores of the two registers of a stream that count the pages of a circular
        buffer; a wait for more pages than there are is found when it is asked for (pages.py)
C5, C6  stores to the first bytes of L1; divisions by 0
C7      rows of the half of Dst that is not the one of the thread's section
C8      SEMPOST of a semaphore without SEMINIT (objects.py)
C9      places where cards are reported to fail (core/faults/reports.py), when it is asked
C10     SFPLOADMACRO that comes from neither a MOP nor a REPLAY
C11     a store that changes the layout of Dst while something is under way
"""

from tensix_gdb.core.arch.blackhole import T0, THREADS
from tensix_gdb.core.devices.backend_config import THREAD_WORDS
from tensix_gdb.core.devices.overlay import OVERLAY_BASE, STREAM_STRIDE
from tensix_gdb.core.race.lines import HOST
from tensix_gdb.core.race.state.fields import CODE, GIVEN, found, is_kernel
from tensix_gdb.core.race.state.memory import COUNT_BITS, is_transfer
from tensix_gdb.core.race.state.table import Number
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.table import OPS
from tensix_gdb.core.tensix import occupancy
from tensix_gdb.core.tensix.in_flight import in_flight
from tensix_gdb.core.tensix.matrix.formats import OFFSET_WORD
from tensix_gdb.core.tensix.vector.opcodes import Sfp

COLD = True  # little time of LLVM for it (core/engine/README.md)

RECEIVED, ACKNOWLEDGED = 10, 8  # registers of a stream
TOO_MANY, NO_ROOM, NOT_THERE = 0, 1, 2  # kinds of C3
WRAPPED = 1 << 31  # of pages_at: the count has gone through 0, so no place follows from it
HALF = 512  # rows of DstBits
DIVIDES = tuple(int(op in (OPS["div"], OPS["divu"], OPS["rem"], OPS["remu"])) for op in range(256))


def touched(S: View, cell: int, mask: int, writes: int, line: int, site: int) -> int:
    """C1 and C5: an access to a line of L1."""
    if writes:
        # tt-metal lets atomics return what was there to the word after it.
        first = 1 if cell == 0 and mask & 15 and line != HOST else 0
        if first and S.state.areas[0] != CODE and is_kernel(S, site):
            found(S, Number.C5, site, 0, 0, 0, mask)
        return 0
    given = S.state.arguments[cell]
    if given & GIVEN == 0 or is_transfer(line):
        return 0
    key = S.race.site[site]
    at = 0
    while at < 15 and not (mask >> at) & 1:
        at += 1
    own = (given >> (key & 7)) & (S.state.argument_words[cell] >> (at >> 2)) & 1
    if (key >> 3) & 3 or own or not is_kernel(S, site):
        return 0
    return found(S, Number.C1, site, 0, (cell * 4 + (at >> 2)) & 0xFFFF, cell * 16 + at, 0)


def divides_by_zero(S: View, hart: int, d: int) -> int:
    """True of a division by 0 that was issued. If it writes its own divisor that is gone."""
    divisor = (d >> 24) & 31
    return 0 if divisor and ((d >> 8) & 31 == divisor or S.hart.x[hart, divisor]) else 1


def divided(S: View, site: int) -> int:
    """C6: an instruction has divided by 0."""
    return found(S, Number.C6, site, 0, 0, 0, 0) if is_kernel(S, site) else 0


def counter(S: View, addr: int, value: int, stores: int, site: int) -> int:
    """C2 to C4: an access to a register of a stream; `value` is what is stored."""
    register = (addr & (STREAM_STRIDE - 1)) >> 2
    if register != RECEIVED and register != ACKNOWLEDGED:
        return 0
    stream = (addr - OVERLAY_BASE) // STREAM_STRIDE
    which = 0 if register == RECEIVED else 1
    before = S.state.pages_at[stream, which]
    now = value & COUNT_BITS
    if stores:
        went_round = WRAPPED if now < before & COUNT_BITS and now else 0
        S.state.pages_at[stream, which] = now | (before & WRAPPED if now else 0) | went_round
    if S.state.ring == 0 or not is_kernel(S, site):
        return 0
    buffer = S.state.buffer_of[stream] - 1
    if buffer < 0:
        return found(S, Number.C2, site, 0, stream, 0, 0)
    if stores == 0:
        return 0
    number = (now - before) & COUNT_BITS
    size = S.state.page[buffer]
    if number == 0 or number > COUNT_BITS // 2 or size == 0:
        return 0
    S.state.pages_by[stream, which] = 1 + (S.race.site[site] & 7)
    count = S.state.size[buffer] // size
    other = S.state.pages_at[stream, 1 - which]
    filled = (now - other if which == 0 else other - now) & COUNT_BITS
    if number > count:
        return found(S, Number.C3, site, 0, TOO_MANY << 8 | buffer, number, count)
    if which == 0 and filled > count:
        found(S, Number.C3, site, 0, NO_ROOM << 8 | buffer, filled, count)
    if which and filled > COUNT_BITS // 2:
        found(S, Number.C3, site, 0, NOT_THERE << 8 | buffer, (-filled) & COUNT_BITS, count)
    if before & WRAPPED == 0 and went_beyond(before & COUNT_BITS, number, count):
        found(S, Number.C4, site, 0, buffer, number, count)
    return 0


def went_beyond(before: int, number: int, count: int) -> int:
    """True if so many pages from a count on do not end before the end of the buffer."""
    return 1 if count and before % count + number > count else 0


def selected(S: View, word: int, value: int, site: int) -> int:
    """A word of ThreadConfig is written. The first offset of a section of Dst selects its half;
    what comes after it, until the section is given to the packer, selects tiles."""
    thread = word // THREAD_WORDS
    if word % THREAD_WORDS == OFFSET_WORD and S.state.posted[thread] == 0:
        S.state.posted[thread] = 1
        half = 1 if value & HALF else 0
        S.state.half[thread] = half
        S.state.section[thread] = site
        S.state.half_site[thread, half] = site
    return 0


def gives(S: View, site: int) -> int:
    """A thread gives its section of Dst to the packer."""
    thread = ((S.race.site[site] >> 3) & 3) - 1
    if thread >= 0:
        S.state.posted[thread] = 0
    return 0


def row(S: View, thread: int, at: int, site: int) -> int:
    """C7: an instruction of the Matrix or the Vector Unit touches a row of DstBits. Whether the
    kernel uses halves is known when it is asked what was found."""
    half = S.state.half[thread]
    if S.state.posted[thread] and at // HALF != half and is_kernel(S, site):
        found(S, Number.C7, site, S.state.section[thread], half, at, thread)
    return 0


def vector(S: View, thread: int, word: int, at: int, site: int) -> int:
    """C7 and C10: an instruction of the Vector Unit is at the gate. What it reads of the other half
    is no finding: kernels end a pipeline of SFPLOADMACRO with loads of rows before their tile."""
    if word >> 24 == Sfp.STORE:
        return row(S, thread, at, site)
    if word >> 24 == Sfp.LOADMACRO and (S.race.site[site] >> 5) & 7 == 0 and is_kernel(S, site):
        found(S, Number.C10, site, 0, 0, 0, 0)
    return 0


def lays_out(S: View, site: int) -> int:
    """C11: a hart changes which rows of DstBits a row of Dst16b is."""
    if not is_kernel(S, site):
        return 0
    hart = S.race.site[site] & 7
    for thread in range(THREADS):
        # What waits at a gate of another thread may well be meant to come after the store.
        own = in_flight(S, thread) if hart == T0 + thread else 0
        if own or occupancy.in_units(S, thread):
            found(S, Number.C11, site, 0, thread, 0, 0)
    return 0
