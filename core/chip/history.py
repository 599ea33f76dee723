# SPDX-License-Identifier: Apache-2.0
"""Go back in time with a whole chip, and forward again through what it has been.

    part 0                  part 1                    part 2
    copy .. copy .. copy ─┐ copy .. copy ───────────┐ copy .. (the present)
                        change                    change

A chip runs through its history instead of by itself: `run` keeps copies of all state as it goes. An
earlier state is reached from the last copy before it, as the same cycles give the same states. To a
change by a client or a host nothing leads: `suspend` copies the chip where it comes to rest, and if
it is another one when it goes on (`resume`), a new part begins with a copy of its own. In the past
the chip goes as it went, past these changes too, until one is made there: then what followed is
forgotten.

Copies share the pages that have not changed. When there are too many, one that is near to others is
given up: the older, the fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import TypeVar

from tensix_gdb.core.chip.chip import Chip, ChipStop
from tensix_gdb.core.chip.places import Place
from tensix_gdb.core.chip.search import Part, Search
from tensix_gdb.core.chip.snapshots import Kept, differs, keep, put_back
from tensix_gdb.core.history.segments import SEGMENTS

T = TypeVar("T")

COPIES = 48
PARTS = SEGMENTS  # each a change by a client or a host, and some pages of memory
SHARE = 8  # run so many times as long as a copy takes before the next one


@dataclass(frozen=True, slots=True)
class Past:
    """How the chip has come to where it is: the state after each change, and the state there."""

    starts: tuple[Kept, ...]
    here: Kept


class ChipHistory:
    """Records from now on. `most` is how many copies are kept beside those after changes. For a
    recording `note` gets the copy with which each part begins, and each part has the hash of its
    end."""

    def __init__(
        self, chip: Chip, most: int = COPIES, *, note: Callable[[Kept], None] | None = None
    ) -> None:
        self.chip, self._most, self._note = chip, most, note
        self._machines = list(chip.tiles.values())
        self._parts = [Part([self._copy()], chip.cycle)]
        self._in = 0  # the part where the chip is
        self._rest: Kept | None = self._parts[0].copies[0]
        self._present: Kept | None = None  # while the chip is in the past
        self._due = 0.0
        if note is not None:
            note(self._parts[0].copies[0])
        self._search = Search(chip, self._parts, self._go_to)

    # What there is

    @property
    def past(self) -> bool:
        """True if the chip is somewhere where it has been already."""
        return self._present is not None

    @property
    def first_cycle(self) -> int:
        """Where the history begins."""
        return self._parts[0].copies[0].cycle

    @property
    def last_cycle(self) -> int:
        """Where it ends."""
        return self._parts[-1].end if self.past else self.chip.cycle

    def count(self) -> int:
        """How many copies there are."""
        return sum(len(part.copies) for part in self._parts)

    def parts(self) -> Iterator[tuple[Kept, int, str]]:
        """Of each part the state at its start, the cycle at its end, and the hash of all state
        there; "" where a tile stood at a stop in the middle of a quantum."""
        self.note_changes()
        for part in self._parts:
            yield part.copies[0], part.end, part.digest

    def past_of_here(self) -> Past:
        """At rest: how the chip has come to where it is."""
        self.note_changes()
        assert self._rest is not None
        starts = tuple(part.copies[0] for part in self._parts[: self._in + 1])
        return Past(starts, self._rest)

    # Recording

    def suspend(self) -> None:
        """After the chip has come to rest: whatever changes from here on is a change."""
        if self._rest is not None:
            return
        self._rest = self._copy(self._parts[self._in].copies[-1])
        if not self.past:
            part = self._parts[-1]
            part.end = self.chip.cycle
            is_wanted = self._note is not None and not self._rest.stopped
            part.digest = self.chip.hash() if is_wanted else ""

    def truncate_future(self) -> None:
        """Before the chip goes on in the past: if it was changed there, drop what followed."""
        rest = self._rest
        if rest is None or not self.past or not differs(self._copy(rest), rest):
            return
        del self._parts[self._in + 1 :]
        part = self._parts[self._in]
        part.copies[1:] = [copy for copy in part.copies[1:] if copy.cycle < rest.cycle]
        part.end, part.digest, self._present = rest.cycle, "", None
        if self._note is not None and not rest.stopped:
            part.digest = self._digest_of(rest)

    def _digest_of(self, rest: Kept) -> str:
        changed = self._copy(rest)
        put_back(self.chip, rest)
        digest = self.chip.hash()
        put_back(self.chip, changed)
        return digest

    def resume(self) -> None:
        """Before the chip goes on: note what was changed while it rested."""
        rest, self._rest = self._rest, None
        if rest is None or self.past:
            return
        now = self._copy(rest)
        if differs(now, rest):
            self._parts.append(Part([now], now.cycle))
            self._in = len(self._parts) - 1
            self._thin()
            if self._note is not None:
                self._note(now)

    def note_changes(self) -> None:
        """At rest: what has been changed until now is part of the history."""
        self.suspend()
        self.truncate_future()
        rest, count = self._rest, len(self._parts)
        self.resume()
        if len(self._parts) == count:
            self._rest = rest
        self.suspend()

    def run(self, cycles: int, *, lazy: bool = False, rests: bool = True) -> ChipStop | None:
        """Run the chip, and keep copies; in the past through what was recorded. If it does not come
        to rest, nothing may be changed after it before `suspend`."""
        chip, end = self.chip, self.chip.cycle + cycles
        self.truncate_future()
        self.resume()
        stop = None
        while chip.cycle < end and stop is None and not (lazy and chip.notices):
            last = end
            if self.past:
                last = min(end, self._parts[self._in].end)
                if last <= chip.cycle:
                    self._next_part()
                    continue
            stop = chip.run(last - chip.cycle, lazy=lazy)
            if not self.past:
                self._copy_if_due()
        if rests:
            self.suspend()
        return stop

    def jumped(self, *, anew: bool) -> None:
        """The chip was brought to another state: go on from there, as after a change, or `anew`,
        without what was before."""
        if anew:
            self._parts.clear()
        self._rest = self._copy(self._rest)
        self._parts.append(Part([self._rest], self.chip.cycle))
        self._in = len(self._parts) - 1

    def pass_change(self) -> None:
        """In the past: go on after the change, if the chip is at one."""
        while self.past and self.chip.cycle >= self._parts[self._in].end:
            self._next_part()

    def _next_part(self) -> None:
        """From the end of a part to the start of the next one, or to the present. Steps that are
        armed stay so."""
        rows = [row for machine in self._machines for row in _steps(machine.S.debug)]
        armed = [bytes(row) for row in rows]
        if self._in < len(self._parts) - 1:
            self._go_to(self._in + 1, self._parts[self._in + 1].copies[0])
        elif self._present is not None:
            present, self._present = self._present, None
            put_back(self.chip, present)
        for row, kept in zip(rows, armed, strict=True):
            memoryview(row).cast("B")[:] = kept
        self.chip.wake_all()

    def _copy_if_due(self) -> None:
        start = perf_counter()
        if start < self._due:
            return
        part = self._parts[-1]
        part.copies.append(self._copy(part.copies[-1]))
        part.end = self.chip.cycle
        self._thin()
        now = perf_counter()
        self._due = now + SHARE * (now - start)

    def _thin(self) -> None:
        """Give up the copy that is least missed: near to others, compared with its age. The first
        of a part cannot be made again: of these the oldest go, and the history is shorter then,
        unless it is recorded for a file."""
        while len(self._parts) > PARTS and self._note is None and not self.past:
            del self._parts[0]
            self._in = max(self._in - 1, 0)
        while self.count() - len(self._parts) > self._most:
            now = self._parts[-1].end
            _, number, i = min(
                ((after - before) / (now - cycle + 1), number, i)
                for number, part in enumerate(self._parts)
                for i, (before, cycle, after) in enumerate(part.gaps(), 1)
            )
            del self._parts[number].copies[i]

    # Back

    def to_present(self) -> None:
        """Go to where the history ends."""
        if self._present is not None:
            self._in = len(self._parts) - 1
            put_back(self.chip, self._present)
            self._rest, self._present = self._present, None

    def to_cycle(self, cycle: int) -> bool:
        """Go to the start of a cycle; False when the history has none such."""
        self._leave()
        for number in range(len(self._parts) - 1, -1, -1):
            part = self._parts[number]
            if part.copies[0].cycle <= cycle <= part.end:
                self._search.to_cycle(number, cycle)
                self.suspend()
                return True
        if self._present is self._rest:
            self._present = None  # it has not left
        return False

    def step_back(self, place: Place, hart: int, tensix: int | None = None) -> Iterator[bool]:
        """Go to before the last instruction of a hart, or of a Tensix thread if one is named. The
        last answer is False when the history has none, and then the chip is at its start; True
        meanwhile."""
        self._leave()
        yield from self._until_given_up(self._search.before_last(self._in, place, hart, tensix))

    def last_stop(self, wanted: Callable[[ChipStop], bool]) -> Iterator[ChipStop | None]:
        """Go to the last breakpoint or watchpoint before here that is `wanted`, and give it; of an
        access by a hart, after it. None until then. At the end the chip is at the start. If it is
        given up, by an interrupt, the chip is where no stop is between it and where it was."""
        self._leave()
        yield from self._until_given_up(self._search.last_stop(self._in, wanted))

    def _until_given_up(self, search: Iterator[T]) -> Iterator[T]:
        """Go back by a search; if it is given up, to where it has missed nothing."""
        assert self._rest is not None
        self._search.seen = self._in, self._rest
        try:
            yield from search
        except GeneratorExit:
            if self._search.seen is not None:
                self._go_to(*self._search.seen)
                if self._search.seen[1] is self._present:
                    self._rest, self._present = self._present, None
            raise
        finally:
            self.suspend()
            self._thin()  # a search leaves copies for the next one

    def _leave(self) -> None:
        """Leave the present for the past."""
        self.note_changes()
        self._present = self._present or self._rest

    def _go_to(self, number: int, copy: Kept) -> None:
        self._in, self._rest = number, None
        put_back(self.chip, copy)

    def _copy(self, like: Kept | None = None) -> Kept:
        return keep(self.chip.snapshot(), self._machines, like)


def _steps(debug: object) -> tuple[memoryview, ...]:
    return tuple(getattr(debug, name).raw for name in ("stepping", "step_lo", "step_hi"))
