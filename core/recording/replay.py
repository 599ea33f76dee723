# SPDX-License-Identifier: Apache-2.0
"""Replay a recording: the same inputs at the same progress have to give the same states."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.history import MachineHistory
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.run import RunLimits
from tensix_gdb.core.recording.file import Recording
from tensix_gdb.core.recording.steps import Check, Progress, Step, Watched, hashes

SLICE_CYCLES = 1 << 20  # after which others get their turn


@dataclass(frozen=True, slots=True)
class Difference:
    """The first one that was found: `known` is the last cycle in which all was equal."""

    known: int
    at: int
    what: str

    def __str__(self) -> str:
        return f"equal up to cycle {self.known}; different at cycle {self.at}: {self.what}"


class Replay:
    """Plays a recording on a machine that is at its start (`Recording.machine`). With a
    `history` it can be gone back in afterwards. `at` are cycles in which it gives a turn."""

    def __init__(
        self,
        recording: Recording,
        machine: Machine,
        history: MachineHistory | None = None,
        at: Iterable[int] = (),
    ) -> None:
        self._recording, self._machine, self._history = recording, machine, history
        self._at = sorted(at)
        self._watched = Watched(machine.record)
        self._equal = int(machine.S.tile.cycle)
        self.difference: Difference | None = None
        self.checks = 0

    def play(self) -> Iterator[int]:
        """Play, and give the cycle now and then. In the end `difference` is the first, or None."""
        for step in self._recording.steps:
            self._enter(step)
            for check in (*step.checks, None):
                yield from self._run(step.progress if check is None else check.progress)
                if check is not None and not self._differs_already():
                    self._check(check)
                if self._differs_already():
                    return
            if self._history is not None:
                self._history.suspend()
        self._machine.S.stop.kind = 0
        if self._machine.hash() != self._recording.hash:
            self._differs("the hash of the whole tile")

    def disarm(self) -> None:
        """Forget what was armed when it was recorded."""
        self._watched.disarm()
        self._machine.memory.forget_all()
        self._machine.disarm()

    def _enter(self, step: Step) -> None:
        """Make the inputs of a step."""
        machine = self._machine
        machine.faults.set(step.faults)
        if step.patches:
            self._watched.write_patches(step.patches)
            machine.memory.forget_all()
        for memory, pages in zip(machine.outside.memories(), step.outside, strict=False):
            for page, data in pages.items():
                memory.write(page * len(data), data)
        if self._history is not None:
            self._history.resume()

    def _run(self, end: Progress) -> Iterator[int]:
        """Run to a certain progress. What stops the tile on the way did so when it was recorded."""
        machine = self._machine
        while (here := Progress.of(machine.S)) != end:
            if here.cycle > end.cycle or here.executed > end.executed:
                self._differs("the tile does not come to where it was")
                return
            limits = RunLimits(min(max(end.cycle - here.cycle, 1), self._most(here.cycle)))
            machine.runner.advance(machine.engine, limits, checked=True)
            if Progress.of(machine.S) == here:
                self._differs("the tile does not continue")
                return
            if self._history is not None:
                self._history.add_checkpoint_if_due()
            yield int(machine.S.tile.cycle)

    def _most(self, cycle: int) -> int:
        """Return how many cycles may pass until others get their turn."""
        after = bisect_right(self._at, cycle)
        return min([SLICE_CYCLES, *(at - cycle for at in self._at[after : after + 1])])

    def _check(self, check: Check) -> None:
        self.checks += 1
        actual = hashes(self._machine.record, self._machine.outside.memories())
        wrong = [
            name
            for name, mine, theirs in zip(self._recording.parts, actual, check.parts, strict=True)
            if mine != theirs
        ]
        if wrong:
            self._differs(", ".join(wrong))
        else:
            self._equal = int(self._machine.S.tile.cycle)

    def _differs_already(self) -> bool:
        return self.difference is not None

    def _differs(self, what: str) -> None:
        if self.difference is None:
            self.difference = Difference(self._equal, int(self._machine.S.tile.cycle), what)
