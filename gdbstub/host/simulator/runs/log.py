# SPDX-License-Identifier: Apache-2.0
"""The cost of each run of a kernel: one line of JSON per run.

A run begins with the access after which a T core has left reset, and ends when the host puts all
of them back or has gone. A launch of tt-metal's kernels (launches.py) ends a run and begins one.
Cycles in which the host polls or does nothing belong to the run.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, TextIO

from tensix_gdb.core.arch.blackhole import HARTS, SOFT_RESET_BIT, T0, T1, T2, THREADS
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.perf.reading import by_name, has_counted
from tensix_gdb.gdbstub.usage import UsageError

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.host.simulator.runs.times import LaunchTimes

log = logging.getLogger(__name__)
MAX_FAULTS = 20  # in a line; after the first, others often follow from it
T_CORES = sum(1 << SOFT_RESET_BIT[hart] for hart in (T0, T1, T2))


def opened_runs(path: str | None) -> AbstractContextManager[TextIO | None]:
    """Open the file of `--runs` to append to it."""
    if path is None:
        return nullcontext()
    try:
        return open(path, "a", encoding="ascii")
    except OSError as problem:
        raise UsageError(f"--runs {path} cannot be written: {problem.strerror}") from None


class RunLog:
    """Watches the resets of one tile and writes to `file`; without one it does nothing. Of several
    tiles each has a `name`, which is `tile` in its lines.

    A line has `begun` and `ended` (seconds since the epoch), `cycles`, `instructions` of each hart,
    `tensix` instructions of each thread, `seconds` of simulation, and the `faults` that were
    skipped because --faults says so, each place once and not more than twenty. That of a launch has
    `kernels` too, their names, and with `times` what runs/times.py has of it. When performance
    counters have counted it has `perf`, those that are not 0 at the end, by name.
    """

    def __init__(self, machine: Machine, file: TextIO | None, name: str = "") -> None:
        self._machine, self._file, self._name = machine, file, name
        self._before: tuple[float, int, list[int], list[int]] | None = None
        self._begun: tuple[float, int, list[int], list[int]] | None = None
        self._counts: dict[str, int] = {}  # of the performance counters, before the run
        self._known = 0  # places with faults before the run
        self.seconds = 0.0  # of simulation, in the current run
        self._kernels: list[str] = []
        self.times: LaunchTimes | None = None

    @property
    def is_wanted(self) -> bool:
        """True if runs have lines."""
        return self._file is not None

    def before_message(self) -> None:
        """Note the counts before an access of the host; call before it is carried out."""
        if self._file is None or self._begun is not None:
            return
        self._before = self._now()
        self._counts = by_name(self._machine.S)
        self._known = len(self._machine.faults.places)
        self.seconds = 0.0

    def on_reset_change(self, before: int, now: int) -> None:
        """Begin or end a run; call when SOFT_RESET_0 has changed."""
        if self._file is None:
            return
        if self._begun is None and now & T_CORES != T_CORES:
            self._begun = self._before or self._now()
        elif self._begun is not None and now & T_CORES == T_CORES:
            self.end()

    def on_launch(self, kernels: Sequence[str]) -> None:
        """End the run before, and begin that of these kernels."""
        self.end()
        if self._file is not None:
            self._begun, self._kernels = self._now(), list(dict.fromkeys(kernels))
            self._known, self.seconds = len(self._machine.faults.places), 0.0
            if self.times is not None:
                self.times.begin()

    def end(self) -> None:
        """End the current run, if there is one."""
        if self._begun is None or self._file is None:
            return
        began, cycle, retired, passed = self._begun
        ended, last_cycle, last_retired, last_passed = self._now()
        new = list(self._machine.faults.places.values())[self._known :]
        line: dict[str, object] = {
            "begun": began,
            "ended": ended,
            "cycles": last_cycle - cycle,
            "instructions": [b - a for a, b in zip(retired, last_retired, strict=True)],
            "tensix": [b - a for a, b in zip(passed, last_passed, strict=True)],
            "seconds": round(self.seconds, 6),
            "faults": [place.text for place in new[:MAX_FAULTS]],
        }
        if self._name:
            line = {"tile": self._name, **line}
        counts = by_name(self._machine.S)
        if has_counted(self._machine.S) and counts != self._counts:
            line["perf"] = {name: value for name, value in counts.items() if value}
        if self._kernels:
            line["kernels"] = self._kernels
        if self.times is not None:
            line |= self.times.ended()
        self._begun = None
        try:
            print(json.dumps(line), file=self._file, flush=True)
        except OSError as problem:  # a full disk is no reason to end the host
            log.warning(
                "--runs: no more lines, %s cannot be written: %s", self._file.name, problem.strerror
            )
            self._file = None

    def _now(self) -> tuple[float, int, list[int], list[int]]:
        S = self._machine.S
        return (
            time.time(),
            int(S.tile.cycle),
            [int(S.hart.retired[hart]) for hart in range(HARTS)],
            [int(S.passed.count[thread]) for thread in range(THREADS)],
        )
