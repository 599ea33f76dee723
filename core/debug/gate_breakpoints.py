# SPDX-License-Identifier: Apache-2.0
"""The breakpoints and steps at the wait gates, here and in the record where the CHECKED loop
looks."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tensix_gdb.core.arch.blackhole import L1_BYTES, THREADS
from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.debug.breakpoints import ArmedError
from tensix_gdb.core.debug.l1_ranges import L1Ranges, Range
from tensix_gdb.core.devices import gprs
from tensix_gdb.core.memory import regions
from tensix_gdb.core.memory.l1_watch import RANGES
from tensix_gdb.core.memory.map import Region, local_offset, region_of
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import WatchKind
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.gate.breakpoints import (
    BREAKS,
    COMPARISONS,
    ENTRIES,
    Compare,
    arm_step,
    disarm,
    fits,
)
from tensix_gdb.core.tensix.gate.watchpoints import CELLS, Cell

ALL_THREADS = (1 << THREADS) - 1
WHOLE_WORD = 0xFFFFFFFF
ANYWHERE = ((0, 1 << 32),)


@dataclass(frozen=True, slots=True)
class FieldTest:
    """A comparison of (word >> shift) & bits with a number."""

    compare: Compare
    shift: int
    bits: int
    against: int


@dataclass(frozen=True, slots=True)
class WordTest:
    """Instructions with these bits, and with fields that compare so."""

    mask: int = 0
    match: int = 0
    fields: tuple[FieldTest, ...] = ()


@dataclass(frozen=True, slots=True)
class GateBreak:
    """Stop when an instruction of one of `threads` (a bit each) that was pushed from one of the
    ranges, and that one of the tests fits, is at its gate; with `nth` at the nth of each push."""

    text: str
    ranges: tuple[tuple[int, int], ...] = ANYWHERE
    threads: int = ALL_THREADS
    tests: tuple[WordTest, ...] = (WordTest(),)
    nth: int = 0


@dataclass(frozen=True, slots=True)
class Word:
    """A watched word (core/tensix/gate/watchpoints.py)."""

    kind: Cell
    at: int
    seen_by: int = 0
    mask: int = WHOLE_WORD


@dataclass(frozen=True, slots=True)
class GateWatch:
    """Stop after the coprocessor has changed one of the words, or after one but a hart has done
    something in one of the ranges. `addr` is what the client that
    has inserted it calls them, `hart` the one that sees them there; None for a word with only a
    name."""

    text: str
    words: tuple[Word, ...]
    addr: int | None = None
    hart: int = 0
    ranges: tuple[Range, ...] = ()  # of L1, for all but the harts
    kind: WatchKind = WatchKind.WRITE  # as the client has asked for it


class GateArmed:
    """Breakpoints at gates, watched words, steps of threads and threads that are held."""

    def __init__(self, S: View) -> None:
        self._S = S
        self._held, self._stepping = S.gate_stop.held.raw, S.gate_stop.stepping.raw
        self._breaks: dict[int, GateBreak] = {}
        self._slots: list[int] = []  # of the breakpoints in the record, their numbers
        self._watches: dict[int, GateWatch] = {}
        self._owners: list[int] = []  # of the words in the record, their watches
        self.l1 = L1Ranges(S)
        self._next = 1

    def anything(self) -> bool:
        """True if the loop has to check for anything."""
        breaks = any(one.ranges for one in self._breaks.values())
        return breaks or bool(self._watches) or any(self._held) or any(self._stepping)

    def holds(self) -> bool:
        """True if a thread is frozen."""
        return any(self._held)

    # Breakpoints

    @property
    def breaks(self) -> Mapping[int, GateBreak]:
        """By number."""
        return self._breaks

    @property
    def watches(self) -> Mapping[int, GateWatch]:
        """By number, which breakpoints and watches share; clients' own have negative ones."""
        return self._watches

    def add_break(self, wanted: GateBreak) -> int:
        """Return its number; ArmedError without room."""
        if any(len(test.fields) > COMPARISONS for test in wanted.tests):
            raise ArmedError(f"no more than {COMPARISONS} fields can be compared")
        number = self._next
        self._keep_breaks({**self._breaks, number: wanted})
        return self._take_number()

    def replace_break(self, number: int, wanted: GateBreak) -> None:
        """Put another breakpoint in the place of one, which keeps its number and its counts.
        ArmedError without room."""
        self._keep_breaks({**self._breaks, number: wanted})

    def _keep_breaks(self, breaks: dict[int, GateBreak]) -> None:
        entries = sum(len(b.ranges) * len(b.tests) for b in breaks.values())
        if len(breaks) > BREAKS or entries > ENTRIES:
            raise ArmedError(f"no more than {BREAKS} gate breakpoints with {ENTRIES} places fit")
        self._breaks = breaks
        self._write_breaks()

    def remove(self, number: int) -> bool:
        """Take a breakpoint or watch away; False when there is none of that number."""
        if self._breaks.pop(number, None) is not None:
            self._write_breaks()
            return True
        if self._watches.pop(number, None) is not None:
            self._write_words()
            return True
        return False

    def _take_number(self) -> int:
        number = self._next
        self._next += 1
        return number

    def hits(self, number: int) -> int:
        """Return how often a breakpoint was hit, with the hits that were ignored."""
        return int(self._S.gate_stop.hits[self._slots.index(number)])

    def ignore(self, number: int, hits: int) -> None:
        """Let the next `hits` hits of a breakpoint pass."""
        self._S.gate_stop.ignored[self._slots.index(number)] = hits

    def ignored(self, number: int) -> int:
        """Return how many of the next hits of a breakpoint do not stop."""
        return int(self._S.gate_stop.ignored[self._slots.index(number)])

    def break_number(self, slot: int) -> int:
        """Return the number of what the record calls breakpoint `slot`."""
        return self._slots[slot]

    def stopping(self, thread: int) -> list[int]:
        """Return the numbers of all breakpoints that the instruction at the gate fits, when it has
        just been looked at; the record has the first one."""
        S, table, numbers = self._S, self._S.gate_stop, []
        at = S.fifo.head[thread, C]
        pc, word = S.fifo.pc[thread, C, at], S.fifo.word[thread, C, at]
        for entry in range(table.entries):
            slot = table.owner[entry]
            if fits(S, entry, thread, pc, word) and (
                not table.nth[slot] or table.nth[slot] == table.fits[slot, thread]
            ):
                numbers.append(self._slots[slot])
        return list(dict.fromkeys(numbers))

    def _write_breaks(self) -> None:
        """Counts of what stays are kept; those of a number that is new begin at 0."""
        table = self._S.gate_stop
        kept = {
            number: (int(table.hits[slot]), int(table.ignored[slot]))
            for slot, number in enumerate(self._slots)
        }
        self._slots = list(self._breaks)
        entry = 0
        for slot, (number, breakpoint) in enumerate(self._breaks.items()):
            table.nth[slot] = breakpoint.nth
            table.hits[slot], table.ignored[slot] = kept.get(number, (0, 0))
            table.seen[slot] = 0
            for thread in range(THREADS):
                table.cycle[slot, thread] = table.fits[slot, thread] = 0
            for lo, hi in breakpoint.ranges:
                for test in breakpoint.tests:
                    table.owner[entry], table.threads[entry] = slot, breakpoint.threads
                    table.lo[entry], table.hi[entry] = lo, hi
                    self._write_test(entry, test)
                    entry += 1
        table.entries = entry

    def _write_test(self, entry: int, test: WordTest) -> None:
        table = self._S.gate_stop
        table.mask[entry], table.match[entry] = test.mask, test.match
        for i in range(COMPARISONS):
            known = i < len(test.fields)
            field = test.fields[i] if known else FieldTest(Compare.NONE, 0, 0, 0)
            table.compare[entry, i], table.shift[entry, i] = field.compare, field.shift
            table.field[entry, i], table.against[entry, i] = field.bits, field.against

    # Watched words

    def add_watch(self, wanted: GateWatch) -> int:
        """Return its number; ArmedError without room."""
        if len(self._owners) + len(wanted.words) > CELLS:
            raise ArmedError(f"no more than {CELLS} words can be watched for the coprocessor")
        if len(self.l1.owners) + len(wanted.ranges) > RANGES:
            raise ArmedError(f"no more than {RANGES} ranges of L1 can be watched")
        number = self._take_number() if wanted.addr is None else min([0, *self._watches]) - 1
        self._watches[number] = wanted
        self._write_words()
        return number

    def _write_words(self) -> None:
        table = self._S.gate_watch
        self._owners.clear()
        for number, watch in self._watches.items():
            for word in watch.words:
                i = len(self._owners)
                table.kind[i], table.seen_by[i] = word.kind, word.seen_by
                table.at[i], table.mask[i] = word.at, word.mask
                self._owners.append(number)
        table.cells = len(self._owners)
        self.l1.write([(n, one) for n, watch in self._watches.items() for one in watch.ranges])

    def watch_number(self, cell: int) -> int:
        """Return the watch that word `cell` of the record belongs to; from CELLS on, a range of
        L1."""
        return self._owners[cell] if cell < CELLS else self.l1.owners[cell - CELLS]

    def watching(self, cell: int) -> list[int]:
        """Return the numbers of all watches of that word, or of what was done in L1 there."""
        if cell >= CELLS:
            here = range(int(self._S.l1_watch.addr), int(self._S.l1_watch.addr) + 1)
            return [
                number
                for number, watch in self._watches.items()
                if any(one.start < here.stop and here.start < one.end for one in watch.ranges)
            ]
        table = self._S.gate_watch
        watched = table.kind[cell], table.at[cell], table.seen_by[cell]
        same = [
            i
            for i in range(table.cells)
            if (table.kind[i], table.at[i], table.seen_by[i]) == watched
        ]
        return list(dict.fromkeys(self._owners[i] for i in same))

    # Running

    def freeze(self, threads: Collection[int]) -> None:
        """Let nothing of exactly these threads pass its gate."""
        if threads or any(self._held):
            for thread in range(THREADS):
                self._held[thread] = thread in threads

    def step(self, thread: int, lo: int, hi: int) -> None:
        """Stop after an instruction, or before the first one from outside [lo, hi)."""
        arm_step(self._S, thread, lo, hi)

    def disarm(self) -> None:
        """Clear steps and the threads that the debugger freezes."""
        if any(self._held) or any(self._stepping):
            disarm(self._S)

    def look_again(self) -> None:
        """The record has another state: what was looked at and counted there is not known."""
        self._S.request_watch.pending = self._S.l1_watch.hit = 0
        for thread in range(THREADS):
            self._S.gate_stop.looked[thread] = 0
            for slot in range(len(self._slots)):
                self._S.gate_stop.cycle[slot, thread] = 0


def watched_at(
    S: View, hart: int, addr: int, length: int, kind: WatchKind = WatchKind.WRITE
) -> tuple[tuple[Word, ...], tuple[Range, ...]]:
    """Return the words at an address that the coprocessor can change, as `hart` sees them, and what
    is in L1, of any length. Of words, changes are seen and no reads."""
    end = L1_END[S.tile.chip]
    inside = max(0, min(length, end - addr))
    ranges = (Range(addr, addr + inside, kind),) if inside else ()
    words: tuple[Word, ...] = ()
    if length > inside and kind & WatchKind.WRITE:
        words = words_at(S, hart, addr + inside, length - inside)
    return words, ranges


def words_at(S: View, hart: int, addr: int, length: int) -> tuple[Word, ...]:
    """Return the words at an address that the coprocessor can change, as `hart` sees them."""
    words = []
    for at in range(addr & ~3, addr + length, 4):
        first, last = max(addr - at, 0), min(addr + length - at, 4)
        mask = (1 << 8 * last) - (1 << 8 * first)
        region = region_of(hart, at)
        if at < L1_BYTES:
            words.append(Word(Cell.L1, at, 0, mask))
        elif region == Region.GPR and gprs.offset_of(hart, at) >= 0:
            words.append(Word(Cell.GPR, gprs.offset_of(hart, at) >> 2, 0, mask))
        elif local_offset(hart, at) < 0 and regions.peek(S, hart, at) >= 0:
            words.append(Word(Cell.DEVICE, at, hart, mask))
        if len(words) > CELLS:
            break
    return tuple(words)
