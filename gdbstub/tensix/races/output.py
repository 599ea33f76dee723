# SPDX-License-Identifier: Apache-2.0
"""`--races` and what goes with it: observe a run, say what was found, write it to files."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.observer import NotObservable
from tensix_gdb.gdbstub.race.as_json import json_text
from tensix_gdb.gdbstub.race.junit import junit_text
from tensix_gdb.gdbstub.race.known import (
    Judgement,
    Suppression,
    judge,
    read_baseline,
    read_suppressions,
)
from tensix_gdb.gdbstub.race.located import located
from tensix_gdb.gdbstub.race.sarif import sarif_text
from tensix_gdb.gdbstub.race.text import all_lines
from tensix_gdb.gdbstub.tensix.output.recording import Ending, own_version
from tensix_gdb.gdbstub.usage import UsageError

STRICT = "strict"
ENDINGS = (".sarif", ".json", ".xml")
NEEDED = (
    ("races_to", "--races-to"),
    ("races_suppressions", "--races-suppressions"),
    ("races_baseline", "--races-baseline"),
    ("error_exitcode", "--error-exitcode"),
)


@dataclass
class RaceOptions:
    """What the command line asks for, with the contents of the files that it names."""

    strict: bool = False
    files: tuple[str, ...] = ()
    suppressions: list[Suppression] = field(default_factory=list)
    baseline: frozenset[str] = frozenset()
    status: int = 0  # exit status for reports that count; 0 leaves it as it is

    def judge(self, machine: Machine) -> Judgement:
        """What was found so far, judged."""
        findings = machine.races()
        reports = located(findings, machine.places)
        return judge(findings, reports, self.suppressions, self.baseline)

    def write(self, machine: Machine, judgement: Judgement) -> Iterator[str]:
        """Write the files; a line for each."""
        for path in self.files:
            text = _form(path, judgement, machine)
            try:
                Path(path).write_text(text, encoding="utf-8")
            except OSError as problem:
                raise UsageError(f"{path}: cannot be written: {problem.strerror}") from None
            yield f"wrote the races to {path}"


def race_options(arguments: argparse.Namespace) -> RaceOptions | None:
    """What the arguments say; None without --races. UsageError if a file is wrong."""
    if arguments.races is None:
        for name, option in NEEDED:
            if getattr(arguments, name):
                raise UsageError(f"{option} is about races: add --races")
        return None
    for path in arguments.races_to:
        if not path.endswith(ENDINGS):
            raise UsageError(f"--races-to {path}: the name has to end in .sarif, .json or .xml")
    return RaceOptions(
        arguments.races == STRICT,
        tuple(arguments.races_to),
        [row for path in arguments.races_suppressions for row in read_suppressions(path)],
        read_baseline(arguments.races_baseline) if arguments.races_baseline else frozenset(),
        arguments.error_exitcode,
    )


@contextmanager
def observed(machine: Machine, options: RaceOptions | None) -> Iterator[Ending]:
    """Observe from now on. Gives what says the end: lines, and the exit status, from the one that
    it would be otherwise."""
    if options is None:
        yield lambda status: ([], status)
        return
    try:
        machine.observe_races(strict=options.strict)
    except NotObservable as problem:
        raise UsageError(f"--races: {problem}") from None

    def end(status: int) -> tuple[list[str], int]:
        judgement = options.judge(machine)
        lines = [*all_lines(judgement, machine.places), *options.write(machine, judgement)]
        if judgement.new and options.status and status == 0:
            status = options.status
        return lines, status

    yield end


def _form(path: str, judgement: Judgement, machine: Machine) -> str:
    if path.endswith(".json"):
        return json_text(judgement, machine.places)
    if path.endswith(".xml"):
        return junit_text(judgement)
    return sarif_text(judgement, own_version())
