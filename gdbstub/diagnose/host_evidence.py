# SPDX-License-Identifier: Apache-2.0
"""All that is known of a program with tiles as its device: what its tiles have said.

The program cannot be run again with something else in mind, as one of a tile alone can: its host
decides about what comes next. So there are no second runs, and no datum is followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tensix_gdb.gdbstub.diagnose.evidence import Evidence, Symptom, Waiting
from tensix_gdb.gdbstub.diagnose.found import Found
from tensix_gdb.gdbstub.host.simulator.runs.found import FaultFound, RunFound, WaitFound
from tensix_gdb.gdbstub.host.ttnn.observed import Observed
from tensix_gdb.gdbstub.order.report.located import Located
from tensix_gdb.gdbstub.order.report.text import plural

UNJUDGED = ", as far as its exit status says"
MOST_NAMES = 4  # kernels that a line names


class HostEvidence(Evidence):
    """The evidence of a program, which has ended or was ended."""

    def __init__(self, observed: Observed, *, is_observed: bool = True) -> None:
        finds = observed.finds
        self._status, self.is_observed = observed.status, is_observed
        faults = [one.text for one in finds if isinstance(one, FaultFound)]
        self.fault, self.fault_settings = next(iter(faults), ""), []
        self.waits = [_waiting(one) for one in finds if isinstance(one, WaitFound)]
        self.polled = [poll for one in self.waits for poll in one.polled]
        self.waiters = [each for one in self.waits for each in one.waiters]
        self.wrong = self.files = self.judgement = None
        self._runs = [one for one in finds if isinstance(one, RunFound)]
        self.is_observed &= bool(self._runs)  # else nothing is ruled out
        self._reports = dict(self._numbered())

    @property
    def symptom(self) -> Symptom:
        """The way in which the program has failed."""
        if self.fault:
            return Symptom.FAULT
        if self.waits:
            return Symptom.WAITS
        return Symptom.HOST if self._status else Symptom.NONE

    @property
    def reports(self) -> list[Located]:
        """The reports that count: of a hang those of the run that hangs, else of all runs."""
        return list(self._reports.values())

    @property
    def ending_lines(self) -> Iterator[str]:
        """The end of the program, briefly."""
        numbers = {one.number for one in self._runs}
        if self._status:
            yield f"its exit status is {self._status}"
        if self._status is None:
            yield "the program was ended there"
        if not self._runs:
            yield "no kernel of it has run, as far as is known"
            return
        last = self._runs[-1]
        more = "" if last.is_over or self._status is not None else ", which has not ended"
        yield f"after {plural(max(numbers), 'run')} of kernels; the last{_kernels(last)}{more}"

    @property
    def unjudged(self) -> str:
        """The words that nothing but the exit status says whether a result is right."""
        return UNJUDGED if self.symptom is Symptom.NONE else ""

    def of_run(self, found: Found) -> Found:
        """Return a cause with the run that it was found in."""
        run = self._of_report.get(found.report or 0)
        if run is None:
            return found
        tile = f" of tile {run.tile}" if run.tile else ""
        line = f"in run {run.number}{tile}{_kernels(run)}"
        return replace(found, evidence=(line, *found.evidence))

    def _numbered(self) -> Iterator[tuple[int, Located]]:
        """Yield each report once, with a number of its own: each tile and run counts from one."""
        self._of_report: dict[int, RunFound] = {}
        known: set[str] = set()
        hanging = {(one.tile, one.number) for one in self._runs if not one.is_over}
        for run in self._runs:
            if hanging and (run.tile, run.number) not in hanging:
                continue
            for one in run.reports:
                if one.identity not in known:
                    known.add(one.identity)
                    number = len(known)
                    self._of_report[number] = run
                    yield number, replace(one, report=replace(one.report, number=number))


def _waiting(one: WaitFound) -> Waiting:
    return Waiting(one.tile, one.waiters, one.polled)


def _kernels(run: RunFound) -> str:
    names = [*run.kernels[:MOST_NAMES], *(["..."] if len(run.kernels) > MOST_NAMES else [])]
    return f" ({', '.join(names)})" if names else ""
