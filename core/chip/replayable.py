# SPDX-License-Identifier: Apache-2.0
"""A history of a Chip: all its tiles in one, which goes back to between any two cycles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tensix_gdb.core.chip.chip import Chip, ChipStop
from tensix_gdb.core.chip.places import Place
from tensix_gdb.core.chip.snapshots import ChipPosition, ChipState
from tensix_gdb.core.history.checkpoints import position
from tensix_gdb.core.history.history import History
from tensix_gdb.core.history.replay import PASSED, step_over, steps_kept
from tensix_gdb.core.history.replayable import Goal
from tensix_gdb.core.stop import Stop

CHECKPOINTS = 48
SLICE_CYCLES = 1 << 14  # of a run, after which others get their turn
NEAR = 512  # cycles that are run again rather than copied
ACCESS_CYCLES = 1 << 12  # in which a hart that has stopped before an access has done it

ChipHistory = History[ChipState, ChipStop]


def begin_chip_history(
    chip: Chip, checkpoints: int = CHECKPOINTS, *, note: Callable[[ChipState], None] | None = None
) -> ChipHistory:
    """Return a history of a chip from now on."""
    return History(ReplayableChip(chip), checkpoints, note=note)


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
                return  # at a fault: nothing continued from there


class ReplayableChip:
    """Serves `Replayable`."""

    def __init__(self, chip: Chip) -> None:
        self.chip, self.machines = chip, tuple(chip.tiles.values())
        self._numbers: dict[Place, int] = {place: i for i, place in enumerate(chip.tiles)}

    @property
    def cycle(self) -> int:
        return self.chip.cycle

    def position(self) -> ChipPosition:
        return ChipPosition(self.chip.cycle, tuple(map(position, self.machines)))

    def has_reached(self, at: ChipPosition) -> bool:
        return self.chip.cycle >= at.cycle

    def capture(self, like: ChipState | None = None) -> ChipState:
        return self.chip.capture(like)

    def changed_since(self, state: ChipState) -> ChipState | None:
        now = self.chip.capture(state)
        return now if now.differs(state) else None

    def restore(self, state: ChipState) -> None:
        self.chip.restore(state)

    @contextmanager
    def steps_kept(self) -> Iterator[None]:
        with steps_kept(self.machines):
            yield
        self.chip.wake_all()

    def hash(self) -> str:
        return "" if self.chip.stands_at_stop() else self.chip.hash()

    def run(self, cycles: int) -> ChipStop | None:
        return self.chip.run(cycles)

    def run_again(self, cycles: int) -> ChipStop | None:
        return self.chip.run(min(cycles, SLICE_CYCLES))

    def run_on(self, cycles: int) -> ChipStop | None:
        return self.chip.run(cycles)

    def is_still(self) -> bool:
        return self.chip.stands_still()

    def run_to(self, cycle: int, *, traced: bool = False) -> None:
        """Always traced: clients trace no tile of a chip."""
        run_to(self.chip, cycle)

    def forward(
        self, goal: Goal, start: ChipState, limit: ChipPosition, keep: Callable[[ChipState], None]
    ) -> Iterator[bool]:
        """Go to the last cycle in which the goal is not passed, by halves."""
        machine, chip = self.machines[goal.tile], self.chip
        low, high, last = start.cycle, limit.of(goal.tile).cycle, start
        while low < high:
            middle = min((low + high + 1) // 2, low + SLICE_CYCLES)
            run_to(chip, middle)
            if goal.left(position(machine)) >= 0:
                low = middle
                if low - last.cycle > NEAR:
                    last = chip.capture(last)
            else:
                high = middle - 1
                chip.restore(last)
                run_to(chip, low)
            yield True
        if last is not start:
            # A client that goes back goes back again: the next time it is not so far.
            keep(last)

    def stop_of(self, stop: ChipStop) -> tuple[int, Stop]:
        return self._numbers[stop.place], stop.stop

    def finish_access(self, stop: ChipStop) -> None:
        machine, hart = self.chip.tiles[stop.place], stop.stop.hart
        before = int(machine.S.hart.retired[hart])
        step_over(machine, stop.stop)
        end = self.chip.cycle + ACCESS_CYCLES
        while machine.S.hart.retired[hart] == before and self.chip.cycle < end:
            other = self.chip.run(1)
            if other is not None:
                step_over(self.chip.tiles[other.place], other.stop)
