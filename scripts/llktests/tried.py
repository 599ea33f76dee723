# SPDX-License-Identifier: Apache-2.0
"""Remedies for bugs of LLK's history, tried: `scripts/llk tried [NUMBER ...]`.

For each of fixes.py a test of the suite runs with the fix undone in a scratch copy of LLK. From
what its kernels began with each runs again, observed; the remedies of the reports that are about
the bug are put into it (gdbstub/order/tried), and written as a diff of the copy.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from scripts.llktests.fixes import FIXES, Fix
from scripts.llktests.running import Choice, run
from scripts.llktests.scratch import scratch
from scripts.llktests.suite import CannotPrepare, Suite
from scripts.llktests.tree import add_llk_option, suite_of
from scripts.llktests.undo import LONGEST, kind, lines
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.order.report.as_json import document_of
from tensix_gdb.gdbstub.order.report.known import Judged
from tensix_gdb.gdbstub.order.report.located import located
from tensix_gdb.gdbstub.order.search.options import SeedsOptions
from tensix_gdb.gdbstub.order.search.programs import kept_program
from tensix_gdb.gdbstub.order.seeds.bench import Bench
from tensix_gdb.gdbstub.order.tried.machine_runs import MachineRuns
from tensix_gdb.gdbstub.order.tried.patch import diff_of, patches_of
from tensix_gdb.gdbstub.order.tried.spelling import NoPatch
from tensix_gdb.gdbstub.order.tried.text import said, tried_lines
from tensix_gdb.gdbstub.order.tried.trial import Tried, try_all

SLICE = 64  # cycles between two looks whether a kernel is done
REPORTS = 2  # of a kernel that are tried
SLICE = 64  # cycles between two looks whether a kernel is done


@dataclass
class Row:
    """Outcome of the remedies for one bug."""

    number: int
    reports: int = 0  # that are about the bug
    tried: int = 0
    ended: int = 0
    first: int = 0  # of these by the remedy that was tried first
    remedies: list[str] = field(default_factory=list)  # that have ended them
    diffs: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


def tried(suite: Suite, fix: Fix) -> Row:
    """Run the test without the fix, and try remedies."""
    row = Row(fix.number)
    choice = Choice(fix.variants, fix.seed, "latency", "compiled")
    with (
        tempfile.TemporaryDirectory(prefix="llk-scratch-", dir=suite.root.parent) as name,
        tempfile.TemporaryDirectory(prefix="llk-kept-") as kept,
    ):
        copy = scratch(suite, fix.edits, Path(name))
        if not [one for one in run(copy, [fix.test], choice, kept) if one.cycles]:
            raise CannotPrepare(f"{fix.test} has not run; `scripts/llk {fix.test}` says why")
        for core in sorted(Path(kept).glob("*.core")):
            _kernel(row, core, fix)
            if row.ended:
                break
    return row


def _kernel(row: Row, core: Path, fix: Fix) -> None:
    # What the host has read is the result without the fix: nothing to compare with.
    program = replace(
        kept_program(core, SeedsOptions()), most=LONGEST, slice=SLICE, result=(), poison=()
    )
    with closing(Bench(program, "compiled")) as bench:
        machine = bench.machine

        def observe(machine: Machine) -> None:
            machine.observe_races(strict=fix.strict, checks=fix.checks)

        execution = f"random:{fix.observed_in}" if fix.observed_in else "latency"
        runs = MachineRuns(machine, observe, 0, bench=bench, execution=execution)
        found = located(runs.base.findings, machine.places)
        about = []
        for one in found:
            document = document_of(Judged(one, None, False))
            if fix.is_said_by(kind(document), *lines(document)):
                about.append(one.report)
        row.reports += len(about)
        for each in try_all(runs, about[:REPORTS]):
            _note(row, each, machine)


def _note(row: Row, each: Tried, machine: Machine) -> None:
    row.tried += 1
    row.lines += tried_lines(each, machine.places)
    if each.ended is None:
        return
    row.ended += 1
    row.first += each.ended is each.tries[0]
    row.remedies.append(said(each.ended, machine.places))
    try:
        row.diffs.append(diff_of(patches_of(each.ended, machine.places, each.report)))
    except NoPatch as problem:
        row.diffs.append(f"no diff: {problem}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(prog="llk tried", description=__doc__.split("\n\n")[0])
    parser.add_argument("numbers", nargs="*", type=int, metavar="NUMBER", help="default: all")
    parser.add_argument("--json", type=Path, metavar="FILE", help="append a line for each bug")
    add_llk_option(parser)
    arguments = parser.parse_args(argv)
    chosen = [fix for fix in FIXES if not arguments.numbers or fix.number in arguments.numbers]
    good = bool(chosen)
    try:
        with suite_of(arguments.llk) as suite:
            for fix in chosen:
                row = tried(suite, fix)
                good &= row.ended == row.tried > 0
                print(f"{fix.number} {fix.what}: {row.ended} of {row.tried} ended")
                print("\n".join([*row.lines, *row.diffs, ""]), flush=True)
                if arguments.json is not None:
                    with arguments.json.open("a", encoding="utf-8") as file:
                        print(json.dumps(asdict(row)), file=file)
    except CannotPrepare as problem:
        print(f"llk tried: {problem}", file=sys.stderr)
        return 2
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
