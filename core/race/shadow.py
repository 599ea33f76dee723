# SPDX-License-Identifier: Apache-2.0
"""The last accesses to each piece of state, and the check of each new access against them.

A slot keeps an access by its *end*: a line, and the number of an event there. It is ordered before
a later access if the clock with which that begins has reached the number. A cell has four slots;
one that is ordered before a new access and says no more than it is used again.

    slot_what   0       writes
                1       changes: what it writes was not there before
                2-9     line
                10-23   site
                24      atomic: two of them are no race
                25      the end of a read that is at the gate as far as is known: SAMPLING

A site is an instruction, in a table by hash:

    0-2 hart   3-4 thread + 1, 0 for the hart itself   5-7 via   8-15 opcode   16-45 pc >> 2
    46-53 of the hart itself: what it had at its pc, as the number of the row (riscv/table.py)

A hart of another tile has in place of the opcode 1 + the number of the tile modulo 255, so 0 is
none, and the rest of the number in bits 46-53.

So an instruction that another program has at the same address is another site.
"""

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.isa.opcodes import ZEROACC
from tensix_gdb.core.memory.map import fetched_at
from tensix_gdb.core.memory.ram import decode_at
from tensix_gdb.core.ordering.promises import Number
from tensix_gdb.core.race import heard, near
from tensix_gdb.core.race.checks import waits
from tensix_gdb.core.race.checks.table import Number as Check
from tensix_gdb.core.race.clocks import join, reach
from tensix_gdb.core.race.fields import (
    CONFIG_CELLS,
    DST_CELLS,
    IN_MATRIX,
    RELIED_SITES,
    REPORTS,
    SITES,
    SLOTS,
    STRIDE,
    UNIT_RING,
)
from tensix_gdb.core.race.lines import FIRST_OF_THREADS, Line, of_thread
from tensix_gdb.core.race.state import reads as state
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.vector.opcodes import FIRST_OPCODE

WRITES, CHANGES = 1, 2
LINE, SITE = 2, 10
LINE_BITS = 0xFF
IS_ATOMIC = 1 << 24
IS_LATE = 1 << 25
READ, WRITE, ATOMIC = 0, WRITES | CHANGES, WRITES | CHANGES | IS_ATOMIC  # what an access does
SAMPLED = 63  # in place of 1 + a promise
NO_SITE = SITES - 1
LONGEST_PROBE = 256
KNOWN = 1 << 62  # keeps a key from being 0
OPERATION = 46  # of a key
OF_TILES = 255


def site_of(S: View, hart: int, thread: int, via: int, opcode: int, pc: int) -> int:
    """Return the number of an instruction; `thread` is 0 for the hart, or 1 more than the
    thread."""
    key = KNOWN | hart | thread << 3 | via << 5 | opcode << 8 | (pc >> 2) << 16
    if thread == 0 and opcode == 0 and hart < HARTS:
        key = key | operation(S, hart, pc) << OPERATION
    return number_of(S, key)


def site_of_tile(S: View, hart: int, tile: int, pc: int) -> int:
    """Return the number of an instruction of a hart of another tile, by 1 + the number of that; 0
    is this one."""
    if tile == 0:
        return site_of(S, hart, 0, 0, 0, pc)
    low = 1 + (tile - 1) % OF_TILES
    high = (tile - 1) // OF_TILES
    return number_of(S, KNOWN | hart | low << 8 | (pc >> 2) << 16 | high << OPERATION)


def tile_of(key: int) -> int:
    """Return 1 + the number of the other tile that the key of a hart's site is of; 0: of none."""
    low = (key >> 8) & 0xFF
    return low + OF_TILES * ((key >> OPERATION) & 0xFF) if low else 0


def number_of(S: View, key: int) -> int:
    """Return the number of a key in the table."""
    # Those of eight instructions side by side share a line of the processor's cache.
    block = (key >> 19 << 8 | key & 0xFF) & 0x3FFFFFFF
    i = (block * 0x1E3779B1 >> 24) << 3 | (key >> 16) & 7
    for _ in range(LONGEST_PROBE):
        i &= SITES - 1
        if S.race.site[i] == key:
            return i
        if S.race.site[i] == 0 and i != NO_SITE:
            S.race.site[i] = key
            return i
        i += 1
    S.race.lost += 1
    return NO_SITE


def operation(S: View, hart: int, pc: int) -> int:
    """Return the number of the row of what `hart` has at `pc`; 0 where it fetches nothing."""
    at = fetched_at(S, hart, pc)
    if at < 0:
        return 0
    d = S.decoded.word[at >> 2]
    return (d if d else decode_at(S, at)) & 0xFF


def access(
    S: View, cell: int, mask: int, what: int, clock: int, line: int, number: int, site: int
) -> int:
    """Check an access that begins with `clock` and ends as event `number` of `line`, and keep it.
    `what` is READ, WRITE or WRITES alone. How many unordered pairs there were."""
    if S.state.on:
        # A read of a register with all that it reads written is what most accesses are.
        if what & WRITES or cell < CONFIG_CELLS or mask & ~S.state.written[cell]:
            state.accessed(S, cell, mask, what, line, number, site)
        if S.state.alone:
            return 0
    first = cell * STRIDE
    some = S.race.slot_at[first] | S.race.slot_at[first + 1]
    if (some | S.race.slot_at[first + 2] | S.race.slot_at[first + 3]) == 0:
        # Nothing has touched it, like most lines that an unpacker reads or the packer writes.
        put(S, first + SLOTS - 1, mask, what, clock, line, number, site)
        S.race.last[cell] = 0 if S.race.strict else SLOTS
        return 0
    judges_waits = (S.check.on >> Check.S12) & 1
    again = S.race.last[cell]
    if (
        again
        and not judges_waits
        and is_again(S, first + again - 1, mask, what, line, number, site)
    ):
        return 0
    races = 0
    late = -1
    # Where it is to be kept is looked for in the same loop, as `keep_access` does it.
    is_asked = 0
    place = -1
    free = -1
    alike = -1
    for i in range(first, first + SLOTS):
        at = S.race.slot_at[i]
        if at == 0:
            free = i
            continue
        known = S.race.slot_what[i]
        of_line = (known >> LINE) & LINE_BITS
        is_ordered = 1 if at <= S.race.clock[clock, of_line] else 0
        common = S.race.slot_mask[i] & mask
        if common and (known | what) & WRITES:
            if is_ordered:
                if judges_waits:
                    waits.needed(S, of_line, at)
            elif not known & what & IS_ATOMIC:
                if known & IS_LATE:
                    late = i
                else:
                    races += unordered(S, cell, common, i, what, line, site, clock)
                    is_asked = 1
        if cell >= DST_CELLS and of_line == line and (known ^ what) & WRITES == 0:
            alike = i
        if is_ordered | (of_line == line) and says_less(S, i, mask, what):
            place = i
    if late >= 0 and races == 0:
        report(S, cell, S.race.slot_mask[late] & mask, late, what, line, site, SAMPLED, clock)
    if is_asked:  # a promise may have made an edge, so that more is ordered now
        place = keep_access(S, cell, mask, what, clock, line, number, site)
    else:
        place = keep_at(S, cell, place, free, alike, mask, what, clock, line, number, site)
    if races == 0 and late < 0 and S.race.strict == 0:
        S.race.last[cell] = 1 + place - first
    return races


def is_again(S: View, slot: int, mask: int, what: int, line: int, number: int, site: int) -> int:
    """True if the last access to the cell was by the same instruction: that was in order, and its
    slot continues to this one."""
    if (
        S.race.slot_mask[slot] != mask
        or S.race.slot_what[slot] != what | line << LINE | site << SITE
        or S.race.slot_at[slot] > number
    ):
        return 0
    S.race.slot_at[slot] = number
    S.race.slot_when[slot] = S.tile.cycle & 0xFFFFFFFF
    return 1


def keep_access(
    S: View, cell: int, mask: int, what: int, clock: int, line: int, number: int, site: int
) -> int:
    """Keep an access in a slot of its cell, and return which: one that says no more, a free one,
    or in Dst one of its line, with the rows of both."""
    place = -1
    free = -1
    alike = -1
    for i in range(cell * STRIDE, cell * STRIDE + SLOTS):
        at = S.race.slot_at[i]
        if at == 0:
            free = i
            continue
        known = S.race.slot_what[i]
        of_line = (known >> LINE) & LINE_BITS
        if cell >= DST_CELLS and of_line == line and (known ^ what) & WRITES == 0:
            alike = i
        if (at <= S.race.clock[clock, of_line] or of_line == line) and says_less(S, i, mask, what):
            place = i
    return keep_at(S, cell, place, free, alike, mask, what, clock, line, number, site)


def says_less(S: View, slot: int, mask: int, what: int) -> int:
    """True if an access to `mask` that does `what` says all that the one in a slot says."""
    known = S.race.slot_what[slot]
    if S.race.slot_mask[slot] & ~mask or known & WRITES > what & WRITES:
        return 0
    return 1 if what & WRITES or known & IS_LATE == what & IS_LATE else 0


def keep_at(
    S: View, cell: int, less: int, free: int, alike: int, mask: int, what: int, clock: int,
    line: int, number: int, site: int,
) -> int:  # fmt: skip
    """Keep an access in one of these slots, the first that there is, or any; return which."""
    bytes_of = mask
    place = less if less >= 0 else free
    if place < 0 and alike >= 0:
        place = alike
        bytes_of = mask | S.race.slot_mask[alike]
    if place < 0:
        place = cell * STRIDE + (number & (SLOTS - 1))
    put(S, place, bytes_of, what, clock, line, number, site)
    S.race.last[cell] = 0
    return place


def put(
    S: View, slot: int, mask: int, what: int, clock: int, line: int, number: int, site: int
) -> int:
    """Fill a slot."""
    S.race.slot_at[slot] = number
    S.race.slot_what[slot] = what | line << LINE | site << SITE
    S.race.slot_mask[slot] = mask
    S.race.slot_when[slot] = S.tile.cycle & 0xFFFFFFFF
    if line < FIRST_OF_THREADS:  # of others it is 0
        S.race.slot_sent[slot] = heard.sent(S, clock, line)
    return 0


def unordered(
    S: View, cell: int, common: int, slot: int, what: int, line: int, site: int, clock: int
) -> int:
    """No page orders a slot before an access: does a promise? Then it is an edge, and counted."""
    known = S.race.slot_what[slot]
    if clears_before(S, slot, site, clock):
        rely(S, Number.P27, (known >> SITE) & (SITES - 1), site)
        if S.race.strict:
            report(S, cell, common, slot, what, line, site, Number.P27 + 1, clock)
        return 0
    for i in range(S.race.promises):
        if (
            S.race.promise_line[i] == (known >> LINE) & LINE_BITS
            and S.race.slot_at[slot] <= S.race.promise_upto[i]
        ):
            promise = S.race.promise_of[i]
            rely(S, promise, (known >> SITE) & (SITES - 1), site)
            reach(S, S.race.promise_clock, S.race.promise_line[i], S.race.promise_upto[i])
            if S.race.strict:
                report(S, cell, common, slot, what, line, site, promise + 1, clock)
            return 0
    row = S.race.promise_row
    if S.race.slot_at[slot] <= S.race.clock[row, (known >> LINE) & LINE_BITS]:
        rely(S, Number.P10, (known >> SITE) & (SITES - 1), site)
        join(S, S.race.promise_clock, row)
        if S.race.strict:
            report(S, cell, common, slot, what, line, site, Number.P10 + 1, clock)
        return 0
    return report(S, cell, common, slot, what, line, site, 0, clock)


def clears_before(S: View, slot: int, site: int, clock: int) -> int:
    """True if the access of a slot is a ZEROACC, and that of `site` one of the Vector Unit that
    knows that it has begun (promise P27)."""
    known = S.race.slot_what[slot]
    earlier = S.race.site[(known >> SITE) & (SITES - 1)]
    if opcode_of(earlier) != ZEROACC or not opcode_of(S.race.site[site]) >= FIRST_OPCODE:
        return 0
    thread = ((earlier >> 3) & 3) - 1
    if thread < 0 or (known >> LINE) & LINE_BITS != of_thread(thread, Line.MATRIX):
        return 0
    begun = S.race.clock[clock, of_thread(thread, Line.GATE)]
    if begun == 0 or S.race.ends[thread, Line.GATE] - begun >= UNIT_RING:
        return 0
    number = S.race.units_at[thread, IN_MATRIX, begun & (UNIT_RING - 1)]
    return 1 if S.race.slot_at[slot] <= number else 0


def opcode_of(key: int) -> int:
    """Return the opcode in the key of a site of the coprocessor; 0 of a hart's."""
    return (key >> 8) & 0xFF if (key >> 3) & 3 else 0


def rely(S: View, promise: int, earlier: int, later: int) -> int:
    """Count that the run relies on a promise, and keep the first sites."""
    S.race.relied[promise] += 1
    pair = KNOWN | earlier << 16 | later
    for i in range(RELIED_SITES):
        if S.race.relied_at[promise, i] == pair:
            return 0
        if S.race.relied_at[promise, i] == 0:
            S.race.relied_at[promise, i] = pair
            return 0
    return 0


def report(
    S: View,
    cell: int,
    common: int,
    slot: int,
    what: int,
    line: int,
    site: int,
    promised: int,
    clock: int,
) -> int:
    """Keep an unordered pair: that of a slot, and a new access with its clock; 1 + the promise, or
    0."""
    known = S.race.slot_what[slot]
    earlier = (known >> SITE) & (SITES - 1)
    pair = KNOWN | promised << 32 | earlier << 16 | site << 2
    pair = pair | (known & WRITES) << 1 | (what & WRITES)
    i = find(S, pair)
    if i < 0:
        S.race.lost += 1
        return 1
    began = (S.tile.cycle & ~0xFFFFFFFF) | S.race.slot_when[slot]
    if S.race.pair[i] == 0:
        S.race.pair[i] = pair
        S.race.cell[i] = cell
        S.race.mask[i] = common
        S.race.when[i, 0, 0] = began
        S.race.when[i, 0, 1] = S.tile.cycle
        S.race.lines[i, 0] = (known >> LINE) & LINE_BITS
        S.race.lines[i, 1] = line
        near.keep_waits(
            S, i, (known >> LINE) & LINE_BITS, S.race.slot_at[slot], began, earlier, site
        )
        of_line = (known >> LINE) & LINE_BITS
        heard.keep(S, i, of_line, S.race.slot_at[slot], began, earlier, clock)
        words = S.race.slot_sent[slot] if of_line < FIRST_OF_THREADS else 0
        heard.keep_order(S, i, words, began, earlier, site, clock)
        if S.race.stops:
            S.race.hit = i + 1
    S.race.when[i, 1, 0] = began
    S.race.when[i, 1, 1] = S.tile.cycle
    S.race.times[i] += 1
    # The write that decides is the later one; before a read it is the earlier one.
    if what & CHANGES or (what & WRITES == 0 and known & CHANGES):
        S.race.changes[i] = 1
    return 1


def find(S: View, pair: int) -> int:
    """Return the place of a report, or a free one; -1 if there is none."""
    i = ((pair & 0x3FFFFFFF) * 0x1E3779B1 >> 11) & (REPORTS - 1)
    for _ in range(REPORTS):
        if S.race.pair[i] == pair or S.race.pair[i] == 0:
            return i
        i = (i + 1) & (REPORTS - 1)
    return -1


INLINED = (number_of, is_again, says_less, put, keep_at)
