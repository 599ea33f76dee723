# SPDX-License-Identifier: Apache-2.0
"""`run --late N`: the run again, with the earlier access of report N held until the later one is
over; and what differs at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.order.report.differences import differences, memories
from tensix_gdb.gdbstub.order.report.text import MARGIN, plural, width_in
from tensix_gdb.gdbstub.order.report.witness import NotAgain, Outcome, from_the_start, witness
from tensix_gdb.gdbstub.order.report.witness_text import witness_lines

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.tensix.races.output import RaceOptions


class Late:
    """The other order of report `number`, after the observed run."""

    def __init__(self, machine: Machine, options: RaceOptions, number: int) -> None:
        """Keep what the memories have at the end of the run."""
        self._machine, self._options, self._number = machine, options, number
        self._before = memories(machine)

    def lines(self, run_on: Callable[[], list[str]]) -> list[str]:
        """Return the lines about a late access: the witness, how that run ends, and what
        differs."""
        machine, number, judgement = self._machine, self._number, self._options.judgement
        assert judgement is not None
        reports = {one.located.report.number: one.located for one in judgement.reports}
        if number not in reports:
            has = plural(len(reports), "report")
            return [f"--late {number}: there is no such report; the run has {has}"]
        try:
            found = witness(machine, reports[number], from_the_start(machine))
        except NotAgain as problem:
            return [f"--late {number}: {problem}"]
        lines = ["", *witness_lines(found, width_in(self._options.width))]
        if found.outcome is Outcome.POSSIBLE:
            lines += [f"{MARGIN}{line}" for line in run_on()]
            changed = differences(machine, self._before, memories(machine))
            same = ["memories end as in the observed run"]
            lines += [f"{MARGIN}{line}" for line in changed or same]
        return lines
