# SPDX-License-Identifier: Apache-2.0
"""The suite's regression tests of orders in many seeds of `random`: `scripts/llk seeds`.

The suite runs each test once, in `latency`; the simulator keeps what its kernels began with. From
there they run again here, without the suite and its driver: once in `latency`, which has to give
what the suite's host has read, and once for each seed (beginning.py). Then the same with the test's
fix undone in a scratch copy (ordering.py), until a seed fails. Exit status 0 when everything passed
that should, and a failing seed was found for each that should fail.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.table import Table

from scripts.llktests.beginning import LATENCY, Beginning
from scripts.llktests.ordering import LLK_FOLDERS, TESTS, OrderingTest, words_of
from scripts.llktests.scratch import scratch
from scripts.llktests.sweep import pool_of
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.llk.running import Choice, Outcome, run
from tensix_gdb.gdbstub.llk.suite import CannotPrepare, Suite
from tensix_gdb.gdbstub.llk.tree import add_llk_option, suite_of
from tensix_gdb.gdbstub.usage import UsageError

SEEDS = 200
MAX_TRIED = 500  # seeds in which a failure is looked for
SEEDS_PER_PROCESS = 5
LEAST_RESULT = 1024  # bytes
AS_SHIPPED, SETTLED, UNDONE = "as shipped", "end settled", "fix undone"


@dataclass
class Tried:
    """The results of a test in one form."""

    test: OrderingTest
    form: str
    runs: int = 0
    latency: int = 0  # executions in `latency`, all of them right
    executions: int = 0
    failed: list[tuple[int, str]] = field(default_factory=list)
    cycles: int = 0
    seconds: float = 0.0
    problem: str = ""

    def add(self, one: Judged) -> None:
        """One more."""
        self.executions += 1
        self.cycles += one.cycles
        self.seconds += one.seconds
        if one.problem:
            self.failed.append((one.seed, one.problem))

    @property
    def good(self) -> bool:
        """Is it as it should be?"""
        if self.problem:
            return False
        if self.form == UNDONE:
            return bool(self.failed)
        # What the next form settles is a race of the test itself.
        return not self.failed or (self.form == AS_SHIPPED and bool(self.test.settle))


@dataclass(frozen=True, slots=True)
class Seeds:
    """The seeds, and in how many processes."""

    first: int
    count: int
    jobs: int = 1
    on: str | None = None  # a Dask cluster
    arch: str = "blackhole"

    def batches(self) -> Iterator[range]:
        """All of them, cut."""
        end = self.first + self.count
        for at in range(self.first, end, SEEDS_PER_PROCESS):
            yield range(at, min(at + SEEDS_PER_PROCESS, end))


@dataclass(frozen=True, slots=True)
class Judged:
    """One seed's."""

    seed: int
    problem: str
    cycles: int
    seconds: float


def judged(test: OrderingTest, beginning: Beginning, execution: Execution) -> Judged:
    """Run, and judge the result; without a judge of our own it has to be what it was."""
    begun = perf_counter()
    ran = beginning.run(execution)
    seconds = perf_counter() - begun
    problem = ran.why
    if not problem and test.judge is not None:
        words = words_of(ran.result)
        problem = next(iter(test.judge(words)), "")
    elif not problem and ran.result != beginning.result:
        problem = "another result than the suite was content with"
    return Judged(execution.seed, problem, ran.cycles, seconds)


_opened: dict[str, Beginning] = {}  # in a process of its own: the one that it has used last


def piece(test: OrderingTest, core: str, seeds: range) -> list[Judged]:
    """Some seeds, in a process of its own."""
    if core not in _opened:
        beginning = Beginning(Path(core))
        for other in _opened.values():
            other.close()
        _opened.clear()
        _opened[core] = beginning
    return [judged(test, _opened[core], Execution(Schedule.RANDOM, seed)) for seed in seeds]


def piece_there(
    test: OrderingTest, name: str, core: bytes, kept: str, seeds: range
) -> list[Judged]:
    """The same of a worker of a cluster, which has no file of it."""
    with tempfile.TemporaryDirectory(prefix="llk-piece-") as folder:
        path = Path(folder) / name
        path.write_bytes(core)
        path.with_suffix(".json").write_text(kept, encoding="ascii")
        with closing(Beginning(path)) as beginning:
            return [judged(test, beginning, Execution(Schedule.RANDOM, seed)) for seed in seeds]


def tried(test: OrderingTest, form: str, suite: Suite, seeds: Seeds) -> Tried:
    """Compile and run a test once, then in every seed; with the fix undone, until one fails."""
    found = Tried(test, form)
    if form == UNDONE and test.judge is None:
        return _by_the_suite(found, suite, seeds.arch)
    choice = Choice(test.variants, "1", "latency", "compiled", arch=seeds.arch)
    with tempfile.TemporaryDirectory(prefix="llk-kept-") as name:
        outcomes = run(suite, [test.file], choice, name)
        found.problem = _refused(outcomes, form)
        cores = sorted(Path(name).glob("*.core"))
        if not found.problem and not cores:
            found.problem = "the simulator has kept no run"
        if not found.problem and form == UNDONE:
            _until_one_fails(found, cores, seeds)
        elif not found.problem:
            _all_seeds(found, cores, seeds)
        if not found.runs and not found.problem:
            found.problem = "no run has a result"
    return found


def _by_the_suite(found: Tried, suite: Suite, arch: str) -> Tried:
    """Add the suite's verdict in the first seed."""
    choice = Choice(found.test.variants, "1", "random:1", "compiled", arch=arch)
    outcomes = run(suite, [found.test.file], choice)
    found.problem = _refused(outcomes, found.form)
    for one in outcomes:
        found.runs += 1
        found.executions += 1
        found.cycles += one.cycles
        found.seconds += one.simulated
        if not one.passed:
            found.failed.append((1, f"{one.test.partition('::')[2]}: {one.why()}"))
    return found


def _refused(outcomes: Sequence[Outcome], form: str) -> str:
    """Return why there is nothing to continue with. With the fix undone a test may fail in
    `latency` too."""
    for one in outcomes:
        if form != UNDONE and not one.passed:
            return f"in latency: {one.why()}"
        if not one.cycles:
            return f"has not run: {one.why()}"
    return "" if outcomes else "the suite said nothing"


def _usable(found: Tried, cores: Iterable[Path]) -> Iterator[tuple[Path, Beginning]]:
    """Those that something can be judged by, until one has a problem."""
    for core in cores:
        with closing(Beginning(core)) as beginning:
            # A kernel of the suite's own, or a host that gave up.
            if len(beginning.result) < LEAST_RESULT:
                continue
            found.problem = beginning.check()
            if found.problem:
                return
            found.runs += 1
            yield core, beginning


def _until_one_fails(found: Tried, cores: Iterable[Path], seeds: Seeds) -> None:
    for _, beginning in _usable(found, cores):
        for seed in range(seeds.first, seeds.first + MAX_TRIED):
            found.add(judged(found.test, beginning, Execution(Schedule.RANDOM, seed)))
            if found.failed:
                return


def _all_seeds(found: Tried, cores: Iterable[Path], seeds: Seeds) -> None:
    """In `latency` here, and in the seeds by as many processes as wanted."""
    with pool_of(seeds.on, seeds.jobs) as pool:
        pending = []
        for core, beginning in _usable(found, cores):
            if seeds.on is None:
                call = partial(pool.submit, piece, found.test, str(core))
            else:
                kept = core.with_suffix(".json").read_text(encoding="ascii")
                content = core.read_bytes()
                call = partial(pool.submit, piece_there, found.test, core.name, content, kept)
            pending += [call(some) for some in seeds.batches()]
            once = judged(found.test, beginning, LATENCY)
            found.latency += 1
            if once.problem:
                found.problem = f"in latency: {once.problem}"
        for future in pending:
            for one in future.result():
                found.add(one)


def _forms(test: OrderingTest, suite: Suite, seeds: Seeds) -> Iterator[Tried]:
    yield tried(test, AS_SHIPPED, suite, seeds)
    for form, edits in ((SETTLED, test.settle), (UNDONE, test.settle + test.undo)):
        if edits:
            with tempfile.TemporaryDirectory(prefix="llk-scratch-", dir=suite.root.parent) as name:
                yield tried(test, form, scratch(suite, edits, Path(name)), seeds)


def _row(one: Tried) -> Sequence[str]:
    first = f"random:{one.failed[0][0]}" if one.failed else "-"
    said = one.problem or (one.failed[0][1] if one.failed else "")
    return (
        *(one.test.file.removeprefix("test_").removesuffix(".py"), one.form, str(one.runs)),
        *(str(one.latency), f"{one.executions:,}", f"{len(one.failed):,}", first),
        f"{one.cycles // max(one.executions, 1):,}",
        f"{one.seconds:.1f}",
        *("as it should be" if one.good else "NOT as it should be", said),
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(prog="llk seeds", description=__doc__.split("\n\n")[0])
    parser.add_argument("tests", nargs="*", metavar="NAME", help="part of a test's name")
    parser.add_argument("--seeds", type=int, default=SEEDS, metavar="N", help="default 200")
    parser.add_argument("--first", type=int, default=1, metavar="SEED", help="default 1")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="default: processors"
    )
    parser.add_argument(
        "--variants", type=int, default=0, metavar="N", help="of each file; default: all"
    )
    parser.add_argument("--on", metavar="local|tcp://...", help="on a Dask cluster")
    parser.add_argument(
        "--arch", choices=tuple(LLK_FOLDERS), default="blackhole", help="the chip of the tile"
    )
    add_llk_option(parser)
    arguments = parser.parse_args(argv)
    arch = arguments.arch
    chosen = [
        replace(test, variants=arguments.variants).of_chip(arch) for test in TESTS
        if (not arguments.tests or any(name in test.file for name in arguments.tests))
        and arch in test.chips
    ]  # fmt: skip
    console = Console()
    seeds = Seeds(arguments.first, arguments.seeds, arguments.jobs, arguments.on, arch)
    table = Table("test", "form", "runs", "latency", "random", "failed", "first")
    for title in ("cycles", "s", "", ""):
        table.add_column(title)
    good = bool(chosen)
    try:
        with suite_of(arguments.llk) as suite:
            for test in chosen:
                for one in _forms(test, suite, seeds):
                    good &= one.good
                    table.add_row(*_row(one))
                    print(*_row(one), sep="; ", file=sys.stderr)
    except (CannotPrepare, UsageError) as problem:
        print(f"llk seeds: {problem}", file=sys.stderr)
        return 2
    console.print(table)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
