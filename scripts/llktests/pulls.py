# SPDX-License-Identifier: Apache-2.0
"""Pull requests of LLK as cases: `scripts/llk pulls [NUMBER ...]`.

Each is a bug of bugs.py. The job (`tensix-gdb llk --ci`) runs its test on a tree as it was before
the pull request, and on the same tree with it. Exit status 0 if the first job has news (status 1)
and the second one none (status 0).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.llktests.bug import Bug
from scripts.llktests.bugs import BUGS
from scripts.llktests.scratch import scratch
from scripts.llktests.undo import number_among
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.gdbstub.llk.suite import CannotPrepare, Suite
from tensix_gdb.gdbstub.llk.tree import add_llk_option, suite_of

BLOCK = Generated("pulls", "scripts/llk pulls --write", MANUAL / "llk-bugs-2026.md")
# The number of a bug, with the pull request that mends it.
PULLS = {1: "tt-metal#56333", 15: "tt-llk#1565", 21: "tt-llk#1342"}
SEEDS = 4
FAILED = "test-failed"
TITLES = ("| pull request | the tree | status | said |", "|---|---|--:|---|")


@dataclass(frozen=True)
class Job:
    """A job that has ended: its status, and the results of its SARIF file."""

    status: int
    results: Sequence[dict[str, Any]]


def jobs_of(suite: Suite, bug: Bug) -> Iterator[Job]:
    """Run the job on the tree before the pull request, and with it."""
    with tempfile.TemporaryDirectory(prefix="llk-scratch-", dir=suite.root.parent) as name:
        tree = scratch(suite, bug.edits, Path(name)).llk
        yield _job(tree, bug, Path(name))
        for file in {edit.file for edit in bug.edits}:
            text = (suite.llk / file).read_text(encoding="utf-8")
            (tree / file).write_text(text, encoding="utf-8")
        yield _job(tree, bug, Path(name))


def _job(tree: Path, bug: Bug, folder: Path) -> Job:
    reports = folder / "reports"
    command = [sys.executable, "-m", "tensix_gdb.gdbstub", "llk", "--ci", "--llk", str(tree)]
    command += ["--arch", bug.arch, "--variants", str(bug.variants), "--seeds", str(SEEDS)]
    command += ["--reports", str(reports), "--results", str(folder / "results"), bug.test]
    command += ["--", *bug.words] if bug.words else []
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        said = done.stderr.strip().splitlines() or ["it has ended without a word"]
        raise CannotPrepare(f"the job of {bug.number} ends with {done.returncode}: {said[-1]}")
    runs = json.loads((reports / "results.sarif").read_text(encoding="utf-8"))["runs"]
    return Job(done.returncode, [one for run in runs for one in run["results"]])


def said(job: Job) -> str:
    """Return what a job says, in a cell of the table."""
    failing = sum(one["ruleId"] == FAILED for one in job.results)
    parts = [f"{failing} test fails"] if failing else []
    for one in job.results:
        if one["ruleId"] != FAILED:
            lines = one["message"]["text"].splitlines()
            place = one["locations"][0]["physicalLocation"]
            file = place["artifactLocation"]["uri"].rpartition("/")[2]
            what = " ".join(lines[0].partition("  ")[2].split())
            parts.append(f"{one['ruleId']}: {what}, `{file}:{place['region']['startLine']}`")
    seeds = {line.strip() for one in job.results for line in one["message"]["text"].splitlines()}
    parts += sorted(line for line in seeds if line.startswith("seeds: "))
    return "; ".join(parts).replace("|", "/") or "nothing"


def rows_of(bug: Bug, jobs: Sequence[Job]) -> list[str]:
    """Return the two rows of a pull request."""
    before, after = jobs
    first = f"{PULLS[bug.number]} ({bug.number})"
    return [
        f"| {first} | before | {before.status} | {said(before)} |",
        f"| | with it | {after.status} | {said(after)} |",
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(prog="llk pulls", description=__doc__.split("\n\n")[0])
    number = number_among(list(PULLS))
    parser.add_argument("numbers", nargs="*", type=number, metavar="NUMBER", help="default: all")
    parser.add_argument("--write", action="store_true", help="put the table into the manual")
    add_llk_option(parser)
    arguments = parser.parse_args(argv)
    rows, good = [], True
    try:
        with suite_of(arguments.llk) as suite:
            for bug in BUGS:
                if bug.number in (arguments.numbers or PULLS):
                    jobs = list(jobs_of(suite, bug))
                    good &= [one.status for one in jobs] == [1, 0]
                    rows += rows_of(bug, jobs)
                    print(*rows[-2:], sep="\n", flush=True)
    except CannotPrepare as problem:
        print(f"llk pulls: {problem}", file=sys.stderr)
        return 2
    if arguments.write:
        BLOCK.write("\n".join([*TITLES, *rows]) + "\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
