# SPDX-License-Identifier: Apache-2.0
"""`run --races --try`, `--patch`, `--apply`: remedies that were tried, after the observed run.

`tried_lines_of` has all of it for a command. `tries` and `patches` are its parts: for a page that
says what is wrong with a run, and for tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import field
from pathlib import Path

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.findings import Report
from tensix_gdb.gdbstub.order.report.known import Judgement
from tensix_gdb.gdbstub.order.report.located import located
from tensix_gdb.gdbstub.order.report.text import MARGIN, WIDTH, plural
from tensix_gdb.gdbstub.order.seeds.bench import Bench, Interrupted
from tensix_gdb.gdbstub.order.tried.apply import built
from tensix_gdb.gdbstub.order.tried.machine_runs import MachineRuns
from tensix_gdb.gdbstub.order.tried.patch import Patch, diff_of, patches_of
from tensix_gdb.gdbstub.order.tried.spelling import NoPatch
from tensix_gdb.gdbstub.order.tried.text import all_lines, verdict_of
from tensix_gdb.gdbstub.order.tried.trial import Result, Tried, try_all, was_hidden

CANNOT = Result.CANNOT
FAILED = {
    Result.STAYS: "the report stays",
    Result.WORSE: "the run ends otherwise",
    Result.OTHERS: "there are other reports",
}
Right = Callable[[Machine], bool]
Observe = Callable[[Machine], None]
# A machine with the programs that are now at other places: given where a file is now.
Again = Callable[[Callable[[Path], Path]], Machine]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Tasks after an observed run."""

    observe: Observe
    is_right: Right = field(default=lambda _: True)
    is_interrupted: Callable[[], bool] = field(default=lambda: False)
    patch: bool = False
    command: str = ""  # builds a scratch copy
    again: Again | None = None
    width: int = WIDTH
    bench: Bench | None = None  # of a run that does not begin at a reset


def tries(machine: Machine, judgement: Judgement, cycles: int, wanted: Wanted) -> list[Tried]:
    """Try remedies for the reports that count, of a machine that has had an observed run of so
    many cycles. Interrupted if the user wants no more runs."""
    runs = MachineRuns(
        machine,
        wanted.observe,
        cycles,
        wanted.is_right,
        wanted.is_interrupted,
        wanted.bench,
    )
    numbers = {one.located.report.number for one in judgement.new}
    return try_all(runs, [one for one in runs.base.findings.reports if one.number in numbers])


def tried_lines_of(
    machine: Machine, judgement: Judgement, cycles: int, wanted: Wanted
) -> Iterator[str]:
    """Yield what `--try` and `--patch` say."""
    if not judgement.new:
        yield "no report: there is no remedy to try"
        return
    try:
        found = tries(machine, judgement, cycles, wanted)
        yield from all_lines(found, machine.places, wanted.width)
        if wanted.patch:
            yield from patch_lines(machine, found, cycles, wanted)
    except Interrupted:
        yield "interrupted: not all remedies were tried"


def patch_lines(
    machine: Machine, found: Sequence[Tried], cycles: int, wanted: Wanted
) -> Iterator[str]:
    """Yield the diff of each remedy that has ended its report, or why there is none; of a report
    for which nothing could be tried, nothing."""
    here = Path.cwd().resolve()
    programs = [image.path for image in machine.images if image.content]
    for one in found:
        name = verdict_of(one.report)
        if one.ended is None:
            if one.tries:
                yield f"{name}: no diff: {_failed(one)}"
            continue
        try:
            patches = patches_of(one.ended, machine.places, one.report)
            said = "not compiled: --apply COMMAND does that in a copy"
            if wanted.command:
                said = checked(machine, one, patches, programs, cycles, wanted)
        except NoPatch as problem:
            first, *more = str(problem).splitlines()
            yield f"{name}: no diff: {first}"
            yield from (f"{MARGIN}{line}" for line in more)
            continue
        yield f"{name}: a diff; {said}"
        yield from diff_of(patches, here).splitlines()


def checked(
    machine: Machine,
    one: Tried,
    patches: Sequence[Patch],
    programs: Sequence[Path],
    cycles: int,
    wanted: Wanted,
) -> str:
    """Compile and run a copy with the patch; return what that has shown. NoPatch if the report is
    there again, or if the run has become worse."""
    assert wanted.again is not None
    assert one.ended is not None
    gone = next(
        each.identity
        for each in located(one.base.findings, machine.places)
        if each.report.number == one.report.number
    )
    known = {each.identity for each in located(one.base.findings, machine.places)}
    with ExitStack() as stack:
        there = stack.enter_context(built(patches, programs, wanted.command))
        other = wanted.again(there)
        stack.callback(other.close)
        runs = MachineRuns(other, wanted.observe, cycles, wanted.is_right, wanted.is_interrupted)
        base = runs.base
        found = located(base.findings, other.places)
        if gone in {each.identity for each in found}:
            raise NoPatch("compiled with it the program has the report again")
        if base.end and base.end != one.base.end:
            raise NoPatch(f"compiled with it the run ends otherwise: {base.end} {base.text}")
        others = [
            each
            for each in found
            if each.identity not in known
            and not was_hidden(one.ended.remedy, one.report, each.report)
        ]
        if others:
            raise NoPatch(f"compiled with it there is another report: {_short(others[0].report)}")
        return (
            f"compiled and run in a copy: the report is gone, {base.cycles:,} cycles, "
            f"{one.base.cycles:,} without it"
        )


def _failed(one: Tried) -> str:
    """`2 remedies tried: the report stays`."""
    why = dict.fromkeys(each.text if each.result is CANNOT else FAILED[each.result]
                        for each in one.tries)  # fmt: skip
    return f"{plural(len(one.tries), 'remedy', 'remedies')} tried: {', or '.join(why)}"


def _short(report: Report) -> str:
    return f"{verdict_of(report)} of {report.place.name}"
