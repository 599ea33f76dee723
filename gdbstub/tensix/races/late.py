# SPDX-License-Identifier: Apache-2.0
"""`run --late N`: the run again, with the earlier access of report N held until the later one is
over; and what differs at the end."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.race.differences import Memories, differences
from tensix_gdb.gdbstub.race.known import Judgement
from tensix_gdb.gdbstub.race.text import MARGIN, plural
from tensix_gdb.gdbstub.race.witness import NotAgain, Outcome, from_the_start, witness
from tensix_gdb.gdbstub.race.witness_text import witness_lines
from tensix_gdb.gdbstub.usage import UsageError

# Options about one run.
ALONE = (
    *("until", "trace", "core_out", "record_to", "coverage", "tensix_coverage", "profile"),
    *("firmware", "semihosting", "dprint", "seeds"),
)


def check_alone(arguments: argparse.Namespace) -> None:
    """UsageError for options that are about one run."""
    for name in ALONE:
        if getattr(arguments, name, None):
            option = {"core_out": "core"}.get(name, name).replace("_", "-")
            raise UsageError(f"--late runs the program again: leave out --{option}")


def other_order(
    machine: Machine,
    number: int,
    judgement: Judgement,
    before: Memories,
    run_on: Callable[[], list[str]],
    memories: Callable[[], Memories],
) -> list[str]:
    """What to say about report `number`: the witness, how that run ends, and what differs."""
    reports = {one.located.report.number: one.located for one in judgement.reports}
    if number not in reports:
        has = plural(len(reports), "report")
        return [f"--late {number}: there is no such report; the run has {has}"]
    try:
        found = witness(machine, reports[number], from_the_start(machine))
    except NotAgain as problem:
        return [f"--late {number}: {problem}"]
    lines = ["", *witness_lines(found)]
    if found.outcome is not Outcome.POSSIBLE:
        return lines
    lines += [f"{MARGIN}{line}" for line in run_on()]
    changed = differences(machine, before, memories())
    lines += [f"{MARGIN}{line}" for line in changed or ["memories end as in the observed run"]]
    return lines
