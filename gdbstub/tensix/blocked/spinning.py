# SPDX-License-Identifier: Apache-2.0
"""The loops in which harts spin: a run that has used up its cycles says which lines each went round
in.

The last cycles are run one by one, and each hart's pc is noted. One pc alone says little: it may be
anywhere in a loop, or in a function that the loop calls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stall import sentence
from tensix_gdb.core.stop import Stop
from tensix_gdb.gdbstub.tensix.blocked.instructions import place

CYCLES = 1000  # that are looked at
LOOP = 64  # a hart at no more addresses than these spins
MAX_LINES = 4


class LastCycles:
    """The pcs of each hart in the last cycles of a run."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._seen: list[Counter[int]] = [Counter() for _ in range(HARTS)]

    @property
    def can_be_run(self) -> bool:
        """True if each cycle may be a run: without a recorder, or if nothing is an input."""
        host = self._machine.host
        has_inputs = host.observer is not None or host.calls is not None
        return self._machine.runner.recorder is None or not has_inputs

    def run(self, most: int) -> Stop | None:
        """Run up to cycle `most`; return a stop before that. To a recorder it is one run."""
        runner = self._machine.runner
        recorder, runner.recorder = runner.recorder, None
        if recorder is None:
            return self._run(most)
        recorder.resume()
        try:
            return self._run(most)
        finally:
            runner.recorder = recorder
            recorder.suspend()

    def _run(self, most: int) -> Stop | None:
        machine = self._machine
        while machine.S.tile.cycle < most:
            stop = machine.run(1)
            if stop is not None:
                return stop
            self.note()
        return None

    def note(self) -> None:
        """Take a cycle that something else has run as one of the last."""
        S = self._machine.S
        for hart in range(HARTS):
            if S.hart.issuing[hart]:
                self._seen[hart][int(S.hart.pc[hart])] += 1

    def text(self) -> str:
        """Return a line for each hart that waits or spins."""
        return "".join(f"\n    {line}" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        for hart, seen in enumerate(self._seen):
            if not self._machine.S.hart.issuing[hart] or not 0 < len(seen) <= LOOP:
                continue
            waits = sentence(self._machine.S, hart) if len(seen) == 1 else ""
            at = self._places(hart, seen)
            cycles = f"in the last {sum(seen.values())} cycles"
            yield f"{HART_NAMES[hart]} {waits or 'spins'} at {at} {cycles}"

    def _places(self, hart: int, seen: Counter[int]) -> str:
        lines: Counter[str] = Counter()
        for pc, count in seen.items():
            lines[place(self._machine, hart, pc)] += count
        shown = [line for line, _ in lines.most_common(MAX_LINES)]
        more = f" and {len(lines) - MAX_LINES} more lines" if len(lines) > MAX_LINES else ""
        return ", ".join(shown) + more
