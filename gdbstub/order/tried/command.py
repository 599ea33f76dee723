# SPDX-License-Identifier: Apache-2.0
"""`run --races --try`, `--patch`, `--apply`: remedies that were tried, after the observed run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.findings import Report
from tensix_gdb.gdbstub.order.report.known import Judgement
from tensix_gdb.gdbstub.order.report.text import WIDTH
from tensix_gdb.gdbstub.order.seeds.bench import Interrupted
from tensix_gdb.gdbstub.order.tried.machine_runs import MachineRuns
from tensix_gdb.gdbstub.order.tried.text import all_lines
from tensix_gdb.gdbstub.order.tried.trial import Tried, try_all

Right = Callable[[Machine], bool]


def tries(
    machine: Machine,
    judgement: Judgement,
    observe: Callable[[Machine], None],
    cycles: int,
    is_right: Right = lambda _: True,
    is_interrupted: Callable[[], bool] = lambda: False,
) -> list[Tried]:
    """Try remedies for the reports that count, of a machine that has had an observed run of so
    many cycles. Interrupted if the user wants no more runs."""
    runs = MachineRuns(machine, observe, cycles, is_right, is_interrupted)
    wanted = [one.located.report for one in judgement.new]
    return try_all(runs, _again(runs.base.findings.reports, wanted))


def _again(found: Sequence[Report], wanted: Sequence[Report]) -> list[Report]:
    """Return the reports of the run that was made again that are those of the first one."""
    numbers = {one.number for one in wanted}
    return [one for one in found if one.number in numbers]


def tried_lines_of(
    machine: Machine,
    judgement: Judgement,
    observe: Callable[[Machine], None],
    cycles: int,
    is_right: Right,
    is_interrupted: Callable[[], bool],
    width: int = WIDTH,
) -> Iterator[str]:
    """Yield what `--try` says."""
    if not judgement.new:
        yield "no report: there is no remedy to try"
        return
    try:
        found = tries(machine, judgement, observe, cycles, is_right, is_interrupted)
    except Interrupted:
        yield "interrupted: not all remedies were tried"
        return
    yield from all_lines(found, machine.places, width)
