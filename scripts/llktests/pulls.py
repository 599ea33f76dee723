# SPDX-License-Identifier: Apache-2.0
"""Pull requests of LLK as cases: `scripts/llk pulls [NUMBER ...]`.

The job (`tensix-gdb llk --ci`) runs a test on a tree as it was before the pull request, and on the
same tree with it. Most are bugs of bugs.py, and the tree with it is LLK as it is; one is not merged
there, and what it does is written here. Exit status 0 if each first job has news that the second
one has not, and the second one none of its own.
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
from scripts.llktests.scratch import Edit, scratch
from scripts.llktests.undo import number_among
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.gdbstub.llk.suite import CannotPrepare, Suite
from tensix_gdb.gdbstub.llk.tree import add_llk_option, suite_of

BLOCK = Generated("pulls", "scripts/llk pulls --write", MANUAL / "llk-bugs-2026.md")
_TOPK = "tests/sources/topk_test.cpp"
_DONE = "semaphore::PACK_DONE"


@dataclass(frozen=True, slots=True)
class Pull:
    """A pull request, and the bug that it mends: by undoing the bug's edits or, if LLK does not
    have it yet, by more of them."""

    link: str
    bug: Bug
    fix: tuple[Edit, ...] = ()


def _merged(number: int, link: str) -> Pull:
    return Pull(link, next(bug for bug in BUGS if bug.number == number))


# fmt: off
PULLS = (
    _merged(1, "tt-metal#56333"),
    _merged(15, "tt-llk#1565"),
    _merged(21, "tt-llk#1342"),
    # The test of rows of 1,024 is skipped there, because its results are wrong. What mends it is
    # described in tt-metal#56500.
    Pull("tt-metal#56894", Bug(
        56894, "tt-metal#56500, tt-llk#1344",
        "the unpacker reads tiles of topk that the packer of the iteration before is still writing",
        (Edit("tests/python_tests/test_topk.py",
              r'pytest\.skip\("Skipping test for 32x1024[^"]*"\)', "pass"),),
        "test_topk.py", words=("-k", "test_topk_sfpu and 1024 and stable")),
        fix=(Edit(_TOPK, r"(?s)(#ifdef LLK_TRISC_UNPACK.*?)"
                  r"(?=const int distance_between_corresponding_tiles\b)",
                  rf"\1if (current_iteration > 0) {{ t6_semaphore_wait_on_zero"
                  rf"<p_stall::STALL_SYNC>({_DONE}); t6_semaphore_get<>({_DONE}); }}\n"),
             Edit(_TOPK, r"(_llk_pack_dest_section_done_<[^;]*;\s*\})",
                  rf"\1\nif (!last_iteration) {{ t6_semaphore_post<p_stall::PACK>({_DONE}); }}"))),
)
# fmt: on
SEEDS = 4
FAILED = "test-failed"
TITLES = ("| pull request | the tree | status | said |", "|---|---|--:|---|")


@dataclass(frozen=True)
class Job:
    """A job that has ended: its status, and the results of its SARIF file."""

    status: int
    results: Sequence[dict[str, Any]]


def jobs_of(suite: Suite, pull: Pull) -> Iterator[Job]:
    """Run the job on the tree before the pull request, and with it."""
    bug = pull.bug
    for edits in (bug.edits, (*bug.edits, *pull.fix) if pull.fix else ()):
        with tempfile.TemporaryDirectory(prefix="llk-scratch-", dir=suite.root.parent) as name:
            yield _job(scratch(suite, edits, Path(name)).llk, bug, Path(name))


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


def news_of(job: Job) -> Sequence[str]:
    """Return what a job says, each once: tests that fail, and reports."""
    failing = sum(one["ruleId"] == FAILED for one in job.results)
    parts = [f"{failing} test fails"] if failing else []
    for one in job.results:
        if one["ruleId"] != FAILED:
            lines = one["message"]["text"].splitlines()
            place = one["locations"][0]["physicalLocation"]
            file = place["artifactLocation"]["uri"].rpartition("/")[2]
            what = " ".join(lines[0].partition("  ")[2].split())
            parts.append(f"{one['ruleId']}: {what}, `{file}:{place['region']['startLine']}`")
    return parts


def is_mended(before: Job, after: Job) -> bool:
    """True if the second job says less than the first one, and nothing else."""
    return set(news_of(after)) < set(news_of(before))


def said(job: Job) -> str:
    """Return what a job says, in a cell of the table."""
    parts = [*news_of(job)]
    seeds = {line.strip() for one in job.results for line in one["message"]["text"].splitlines()}
    parts += sorted(line for line in seeds if line.startswith("seeds: "))
    return "; ".join(parts).replace("|", "/") or "nothing"


def rows_of(pull: Pull, jobs: Sequence[Job]) -> list[str]:
    """Return the two rows of a pull request."""
    before, after = jobs
    first = pull.link if pull.fix else f"{pull.link} ({pull.bug.number})"
    return [
        f"| {first} | before | {before.status} | {said(before)} |",
        f"| | with it | {after.status} | {said(after)} |",
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(prog="llk pulls", description=__doc__.split("\n\n")[0])
    number = number_among([pull.bug.number for pull in PULLS])
    parser.add_argument("numbers", nargs="*", type=number, metavar="NUMBER", help="default: all")
    parser.add_argument("--write", action="store_true", help="put the table into the manual")
    add_llk_option(parser)
    arguments = parser.parse_args(argv)
    rows, good = [], True
    try:
        with suite_of(arguments.llk) as suite:
            for pull in PULLS:
                if not arguments.numbers or pull.bug.number in arguments.numbers:
                    jobs = list(jobs_of(suite, pull))
                    good &= is_mended(*jobs)
                    rows += rows_of(pull, jobs)
                    print(*rows[-2:], sep="\n", flush=True)
    except CannotPrepare as problem:
        print(f"llk pulls: {problem}", file=sys.stderr)
        return 2
    if arguments.write:
        BLOCK.write("\n".join([*TITLES, *rows]) + "\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
