# SPDX-License-Identifier: Apache-2.0
"""Find a moment of a chip's history: a cycle, the last instruction of a hart, the last stop.

Each is reached from a copy of an earlier state. All tiles stand at the same cycle there; only at a
stop the others may be up to a quantum ahead of the one that has stopped, as in any run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from tensix_gdb.core.chip.chip import Chip, ChipStop
from tensix_gdb.core.chip.places import Place
from tensix_gdb.core.chip.snapshots import Kept, keep
from tensix_gdb.core.history.checkpoints import position
from tensix_gdb.core.history.replay import PASSED, nothing_counted, step_over
from tensix_gdb.core.history.replayable import Position
from tensix_gdb.core.history.search import HistoryDefect
from tensix_gdb.core.stop import StopKind

SLICE_CYCLES = 1 << 14  # of a run, after which others get their turn
NEAR = 512  # cycles that are run again rather than copied
MAX_STOPS = 16  # after so many others get their turn too
ACCESS_CYCLES = 1 << 12  # in which a hart that has stopped before an access has done it


@dataclass(slots=True)
class Part:
    """From one change to the next one: copies, and the cycle at which it ends."""

    copies: list[Kept]
    end: int
    digest: str = ""  # of the state at its end, if it is wanted and all tiles stand there

    def gaps(self) -> Iterator[tuple[int, int, int]]:
        """Give of each copy but the first the cycle of the one before, its own, and the cycle of
        the next one, or of the end."""
        cycles = [copy.cycle for copy in self.copies]
        return zip(cycles, cycles[1:], [*cycles[2:], max(self.end, cycles[-1])], strict=False)


def run_to(chip: Chip, cycle: int, run: Callable[[int], ChipStop | None] | None = None) -> None:
    """Run to the start of a cycle, past whatever stops tiles before it; by `run`, if it is not the
    chip's own."""
    while chip.cycle < cycle:
        was = chip.cycle, list(map(position, chip.tiles.values()))
        stop = (run or chip.run)(cycle - chip.cycle)
        if stop is not None:
            step_over(chip.tiles[stop.place], stop.stop)
            now = chip.cycle, list(map(position, chip.tiles.values()))
            if stop.stop.kind not in PASSED and now == was:
                return  # at a fault: nothing went on from there


class Search:
    """Moves a chip through `parts`; `go_to` puts it at a copy of a part."""

    def __init__(
        self, chip: Chip, parts: Sequence[Part], go_to: Callable[[int, Kept], None]
    ) -> None:
        self._chip, self._parts, self._go_to = chip, parts, go_to
        self._numbers = {place: number for number, place in enumerate(chip.tiles)}
        self._machines = list(chip.tiles.values())
        # Where to go if a search is given up: it has seen all that is after this.
        self.seen: tuple[int, Kept] | None = None

    def to_cycle(self, number: int, cycle: int) -> None:
        """Go to a cycle of a part."""
        copies = [copy for copy in self._parts[number].copies if copy.cycle <= cycle]
        self._go_to(number, copies[-1])
        run_to(self._chip, cycle)

    def before_last(
        self, number: int, place: Place, hart: int, tensix: int | None
    ) -> Iterator[bool]:
        """Go to the last cycle at which the hart, or Tensix thread, has executed one instruction
        less; False where there is none."""
        tile = self._numbers[place]
        machine = self._chip.tiles[place]

        def executed(at: Position) -> int:
            return at.retired[hart] if tensix is None else at.passed[tensix]

        here = position(machine)
        wanted, high = executed(here) - 1, here.cycle
        for part in range(number, -1, -1):
            copies = self._parts[part].copies
            if part != number:
                high = self._parts[part + 1].copies[0].at[tile].cycle
            for copy in reversed([copy for copy in copies if copy.cycle <= high]):
                if executed(copy.at[tile]) <= wanted:
                    self._go_to(part, copy)
                    yield from self._last_with(
                        part, copy, high, lambda: executed(position(machine)) <= wanted
                    )
                    self.seen = None
                    yield True
                    return
        self._go_to(0, self._parts[0].copies[0])
        yield False

    def _last_with(
        self, part: int, copy: Kept, high: int, holds: Callable[[], bool]
    ) -> Iterator[bool]:
        """Go to the last cycle from a copy, where the chip is, to `high` in which it holds."""
        low, last = copy.cycle, copy
        while low < high:
            middle = min((low + high + 1) // 2, low + SLICE_CYCLES)
            run_to(self._chip, middle)
            if holds():
                low = middle
                if low - last.cycle > NEAR:
                    last = keep(self._chip.snapshot(), self._machines, last)
            else:
                high = middle - 1
                self._go_to(part, last)
                run_to(self._chip, low)
            yield True
        if last is not copy:
            # A client that goes back goes back again: the next time it is not so far.
            there = self._parts[part].copies
            there.insert(there.index(copy) + 1, last)

    def last_stop(
        self, number: int, wanted: Callable[[ChipStop], bool]
    ) -> Iterator[ChipStop | None]:
        """Go to the last stop before here that is wanted, and give it; None until then."""
        limit = tuple(map(position, self._machines))
        for part in range(number, -1, -1):
            for copy in reversed(self._parts[part].copies):
                if not any(one.before(other) for one, other in zip(copy.at, limit, strict=True)):
                    continue
                last: tuple[object, ...] | None = None
                self._go_to(part, copy)
                for stop in self._stops(limit, wanted):
                    if stop is None:
                        yield None
                    else:
                        last = self._identity(stop)
                if last is not None:
                    # `wanted` is not asked again: a condition may give another answer then.
                    self._go_to(part, copy)
                    for stop in self._stops(limit, lambda stop: True):
                        if stop is None:
                            yield None
                        elif self._identity(stop) == last:
                            self._finish(stop)
                            self.seen = None
                            yield stop
                            return
                    raise HistoryDefect(f"the stop {last} does not come again")
                limit = copy.at
                self.seen = part, copy
                yield None
            if part:
                limit = self._parts[part].copies[0].at
        self._go_to(0, self._parts[0].copies[0])

    def _identity(self, stop: ChipStop) -> tuple[object, ...]:
        at, one = position(self._chip.tiles[stop.place]), stop.stop
        return stop.place, at, one.kind, one.hart, one.thread, one.pc, one.addr, one.access

    def _stops(
        self, limit: tuple[Position, ...], wanted: Callable[[ChipStop], bool]
    ) -> Iterator[ChipStop | None]:
        """Give what stops the chip before each tile is at its limit; None now and then."""
        chip, asked = self._chip, 0
        end = max(at.cycle for at in limit)
        was: object = None
        while chip.cycle < end:
            with ExitStack() as meanwhile:
                for machine in self._machines:
                    meanwhile.enter_context(nothing_counted(machine))
                stop = chip.run(min(end - chip.cycle, SLICE_CYCLES))
            if stop is None:
                yield None
                continue
            machine, kind = chip.tiles[stop.place], stop.stop.kind
            there, at = limit[self._numbers[stop.place]], position(machine)
            if kind in (StopKind.BREAK, StopKind.WATCH, StopKind.GATE):
                hart = stop.stop.hart
                # An access that has not happened yet there is none of the past.
                is_over = kind is StopKind.BREAK or stop.stop.thread is not None
                is_over = is_over or stop.stop.is_over or at.retired[hart] < there.retired[hart]
                if is_over and at.before(there) and wanted(stop):
                    yield stop
                asked += 1
                if asked % MAX_STOPS == 0:
                    yield None
                step_over(machine, stop.stop)
            elif (stop.place, at) == was:
                return  # nothing goes on from there
            was = stop.place, at

    def _finish(self, stop: ChipStop) -> None:
        """Of an access by a hart, go to after it."""
        one = stop.stop
        if one.kind is not StopKind.WATCH or one.thread is not None or one.is_over:
            return
        machine, hart = self._chip.tiles[stop.place], stop.stop.hart
        before = int(machine.S.hart.retired[hart])
        step_over(machine, stop.stop)
        end = self._chip.cycle + ACCESS_CYCLES
        while machine.S.hart.retired[hart] == before and self._chip.cycle < end:
            other = self._chip.run(1)
            if other is not None:
                step_over(self._chip.tiles[other.place], other.stop)
