# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb diagnose --try`, `--patch`, `--apply`: the remedies of the page's reports, tried.

The remedy that the page names is then the first that has ended its report in a run, with what that
run has shown. A cause that is no report (a fault, a wait) has no remedy that could be put in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.findings import Report
from tensix_gdb.gdbstub.cli.build import machine_of
from tensix_gdb.gdbstub.cli.options.tile import elsewhere
from tensix_gdb.gdbstub.cli.terminal.width import width_of_terminal
from tensix_gdb.gdbstub.diagnose.evidence import Evidence, Symptom
from tensix_gdb.gdbstub.diagnose.options import DiagnoseOptions
from tensix_gdb.gdbstub.diagnose.page import wrapped
from tensix_gdb.gdbstub.diagnose.reported import INIT, LEAKS, group_of
from tensix_gdb.gdbstub.order.report.known import Judgement
from tensix_gdb.gdbstub.order.seeds.bench import Interrupted
from tensix_gdb.gdbstub.order.seeds.program import cycles_for
from tensix_gdb.gdbstub.order.tried.command import Wanted, patch_lines, tries
from tensix_gdb.gdbstub.order.tried.text import result_text, said, tried_lines
from tensix_gdb.gdbstub.order.tried.trial import Tried

NOT_ALL = "interrupted: not all remedies were tried"
NONE = (
    "no remedy is tried: all accesses that were observed are in order, and nothing is left "
    "changed, so no wait, barrier or restore changes a value: the cause is what a line says, and "
    "not when"
)
CUT_OFF = (
    "no remedy is tried: all accesses that were observed are in order, so no wait or barrier "
    "changes where it stops: the cause is what a line says, and not when"
)
# Their kernels have not come to an end: what is left then is what they were in the middle of.
UNENDED = (Symptom.FAULT, Symptom.HANG, Symptom.WAITS, Symptom.ENDLESS)


@dataclass(frozen=True, slots=True)
class Remedies:
    """The outcome of trying: lines by the number of a report, and lines after the page."""

    of_report: Mapping[int, Sequence[str]] = field(default_factory=dict)
    after: Sequence[str] = ()


def tried_remedies(
    evidence: Evidence, options: DiagnoseOptions, observe: Callable[[Machine], None]
) -> Remedies:
    """Try the remedies of the reports that count; without a report there are none."""
    machine, judgement = evidence.machine, evidence.judgement
    if not options.are_tried or judgement is None:
        return Remedies()
    has_ended = evidence.symptom not in UNENDED
    to_try = _with_remedy(judgement, has_ended=has_ended)
    if not to_try.new:
        said = NONE if has_ended else CUT_OFF
        return Remedies(after=list(wrapped([said], width_of_terminal())))
    files, subject = evidence.files, evidence.subject
    cycles, bench = evidence.cycles, None
    if subject.bench is not None:
        is_right = files.are_as_wanted if files is not None else lambda _: True
        bench = subject.bench(
            cycles_for(cycles),
            lambda m: "" if is_right(m) else "is not as wanted",
            evidence.is_interrupted,
        )
    wanted = Wanted(
        observe,
        files.are_as_wanted if files is not None else lambda _: True,
        evidence.is_interrupted,
        options.patch or options.apply is not None,
        options.apply or "",
        lambda there: machine_of(elsewhere(options.programs, there), files)[0],
        bench=bench,
    )
    try:
        found = tries(machine, to_try, cycles, wanted)
        lines = {one.report.number: tuple(_lines(one, machine)) for one in found}
        after = list(patch_lines(machine, found, cycles, wanted)) if wanted.patch else []
    except Interrupted:
        return Remedies(after=[NOT_ALL])
    for one in found:
        for number in one.ended.gone if one.ended is not None else ():
            lines.setdefault(number, (f"Remedy: that of report {one.report.number} ends it, too",))
    return Remedies(lines, after)


def _with_remedy(judgement: Judgement, *, has_ended: bool) -> Judgement:
    """Leave out what a kernel has not initialised: nothing can be put in for it, and only so many
    reports are tried; and what is left by kernels that have not come to their end."""

    def is_tried(report: Report) -> bool:
        group = group_of(report)
        return group != INIT and (group != LEAKS or has_ended)

    return replace(
        judgement,
        reports=tuple(one for one in judgement.reports if is_tried(one.located.report)),
    )


def _lines(one: Tried, machine: Machine) -> Iterator[str]:
    """Yield the remedy that has ended a report, with what was measured; or what did not."""
    places, ended = machine.places, one.ended
    if ended is None:
        yield from tried_lines(one, places)
        return
    yield f"Remedy, tried: {said(ended, places)}"
    yield f"    {result_text(ended, one.base)}"
    for other in one.tries:
        if other is not ended:
            yield f"tried, too: {said(other, places)}: {result_text(other, one.base)}"
