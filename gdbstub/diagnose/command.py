# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb diagnose`: run, look for the cause of what went wrong, and print one page.

The run is observed (races, all checks), so it is the only one in which the tile has to fail. What
was found is ranked by the rows of causes.py. Only where they find nothing, other orders of events
are tried.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.checks.table import DEFAULT
from tensix_gdb.core.race.state.table import GROUPS
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.cli.options.again import option_again, typed_again
from tensix_gdb.gdbstub.cli.terminal.files_of import FilesOf
from tensix_gdb.gdbstub.cli.terminal.keyboard import end_if_asked, listening
from tensix_gdb.gdbstub.cli.terminal.width import say, width_of_terminal
from tensix_gdb.gdbstub.diagnose.as_sarif import write_causes
from tensix_gdb.gdbstub.diagnose.evidence import Evidence
from tensix_gdb.gdbstub.diagnose.options import DiagnoseOptions
from tensix_gdb.gdbstub.diagnose.page import page_lines, rank, wrapped
from tensix_gdb.gdbstub.diagnose.remedies import tried_remedies
from tensix_gdb.gdbstub.diagnose.subject import subject_of
from tensix_gdb.gdbstub.order.report.known import (
    Judgement,
    firmware_rows,
    judge,
    read_suppressions,
)
from tensix_gdb.gdbstub.order.report.located import located
from tensix_gdb.gdbstub.tensix.output.progress import progress, working
from tensix_gdb.gdbstub.tensix.races.launched import firmware_of, note_launch
from tensix_gdb.gdbstub.tensix.races.output import RaceOptions, observed

NOTHING_FOUND, FOUND = 0, 1
LOOKS = "looking for the cause, by running it again"


def diagnose(options: DiagnoseOptions) -> int:
    """Print the page; return 0 if nothing was found, 1 with a cause."""
    if options.script:
        from tensix_gdb.gdbstub.diagnose.host import diagnose_program

        return FOUND if diagnose_program(options) else NOTHING_FOUND
    suppressions = [row for path in options.races_suppressions for row in read_suppressions(path)]
    subject = subject_of(options)
    machine = subject.machine
    try:
        is_observed = machine.execution.schedule is not Schedule.SC
        wanted = RaceOptions(
            suppressions=suppressions,
            checks=DEFAULT if options.races_checks is None else options.races_checks,
            groups=GROUPS,
            buffers=options.buffer,
            tell=lambda tile: note_launch(tile, options.buffer, subject.arguments),
        )
        with observed(machine, wanted if is_observed else None):
            with listening() as keyboard, progress(options.max_cycles) as tell:
                lines, status = subject.run(keyboard, tell)
            end_if_asked()
        judgement = _judged(machine, wanted) if is_observed else None
        with listening(second_ends=True) as keyboard, working(LOOKS):
            evidence = Evidence(subject, lines, not status, judgement, keyboard.is_interrupted)
            page, after, found = _page(evidence, options, wanted.observe)
    finally:
        machine.close()
    # A diff keeps its lines.
    say([*wrapped(page, width_of_terminal()), *after], FilesOf(machine.images))
    return FOUND if found else NOTHING_FOUND


def _judged(machine: Machine, options: RaceOptions) -> Judgement:
    findings = machine.races()
    rows = [*options.suppressions, *(firmware_rows() if firmware_of(machine) else ())]
    return judge(findings, located(findings, machine.places), rows)


def _page(
    evidence: Evidence, options: DiagnoseOptions, observe: Callable[[Machine], None]
) -> tuple[list[str], Sequence[str], bool]:
    """Return the page, lines after it, and True if there is a cause."""
    ranking = rank(evidence)
    found = bool(ranking.found)
    tried = tried_remedies(evidence, options, observe)
    page = page_lines(
        evidence,
        ranking,
        lambda text: _command(options, text, evidence),
        remedies=tried.of_report if options.are_tried else None,
        everything=options.everything,
    )
    lines = list(page)
    if options.races_to is not None:
        try:
            write_causes(Path(options.races_to), evidence, ranking, tried.of_report)
        except OSError as problem:
            lines.append(f"{options.races_to}: cannot be written: {problem.strerror}")
    of_itself = any(not cause.of_others for cause, _ in ranking.found)
    if not of_itself and options.seeds and options.kept is None:
        orders = evidence.other_orders(options.seeds)
        lines += orders.lines
        if orders.found:
            found = True
            lines.append(f"next: {_command(options, f'run --seeds {options.seeds}', evidence)}")
    return lines, tried.after, found


def _command(options: DiagnoseOptions, text: str, evidence: Evidence) -> str:
    """Complete a command with the options that it needs for the same run."""
    if options.kept is not None:
        return _of_kept(options, text)
    text, hash_, comment = text.partition("  #")
    name = text.split()[0]
    rest = text.removeprefix(name).strip()
    words = ["tensix-gdb", name, typed_again(options.programs), rest]
    if name != "gdb":
        words.append(option_again(options, "max_cycles"))
    if name == "origin":
        words.append(shlex.quote(evidence.wrong.text) if evidence.wrong is not None else "")
    elif name == "run":
        words.append(option_again(options, "expect"))
    return " ".join(filter(None, words)) + hash_ + comment


def _of_kept(options: DiagnoseOptions, text: str) -> str:
    """Return the command that looks further into a run that was kept."""
    assert options.kept is not None
    file = shlex.quote(options.kept)
    if text.startswith("gdb"):
        return f"tensix-gdb serve --core {file} --record"
    if text.startswith("run"):
        return f"tensix-gdb seeds --kept {file} --races"
    expect = option_again(options, "expect")
    return f"tensix-gdb diagnose --kept {file} {expect} --all".replace("  ", " ")
