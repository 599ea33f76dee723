# SPDX-License-Identifier: Apache-2.0
"""Every covered file of the suite in many seeds of `random`: `scripts/llk sweep`.

The suite runs some variants of each file once, in `latency`; the simulator keeps what their kernels
began with (beginning.py). From there each runs again for each seed, once with the promises kept
and once in `strict`, and has to end with the bytes that the suite was content with. A failure
has to name the promises that the run broke: by default these are the ones that cards do not keep
either (P18), so it is a race of the kernel; in `strict` any. Exit status 0 if each failure does.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TextIO

from scripts.llktests.beginning import LATENCY, Beginning, Ran
from scripts.llktests.ordering import TESTS, Judge, Words, words_of
from scripts.llktests.running import Choice, run
from scripts.llktests.suite import CannotPrepare, Suite
from scripts.llktests.tree import add_llk_option, covered_by, suite_of
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.explain.orders import broken, relied_on
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.order.seeds.cluster import executor
from tensix_gdb.gdbstub.usage import UsageError

SEEDS = 20
LONGEST = 100_000_000  # cycles that a kernel may take in `latency`
SHOWN = 6  # failures of a file; all of them are in the file of --json
# A run may take so many times the cycles of `latency`, and so many more.
SLOWER, SETTLING = 20, 1_000_000


def _any(_: Words) -> list[str]:
    """The result has times that the kernel has measured: it has to come to its end."""
    return []


# What judges a result. Of other files it has to be what it was in `latency`.
JUDGES = {
    **{test.file: test.judge for test in TESTS if test.judge is not None},
    "test_fp32_dest_acc_cfg_occupancy.py": _any,
    "test_profiler_stress.py": _any,
}


@dataclass(frozen=True, slots=True)
class Failure:
    """A run that did not end as the suite was content with, and the promises it had broken."""

    run: str
    schedule: str
    problem: str
    promises: list[str]


@dataclass
class Swept:
    """The results of kernels in all seeds; `relied`: in how many runs each promise had a part."""

    kernels: int = 0
    runs: int = 0
    cycles: int = 0
    relied: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def add(self, other: Swept) -> None:
        """Count another's too."""
        self.kernels += other.kernels
        self.runs += other.runs
        self.cycles += other.cycles
        self.relied += other.relied
        self.failures += other.failures
        self.problems += other.problems

    @property
    def by_default(self) -> list[Failure]:
        """Failures with the promises kept."""
        return [one for one in self.failures if not one.schedule.endswith(",strict")]

    @property
    def unnamed(self) -> list[Failure]:
        """Failures that no broken promise explains."""
        return [one for one in self.failures if not one.promises]

    @property
    def good(self) -> bool:
        """True if everything is as it should be."""
        return not (self.unnamed or self.problems) and self.kernels > 0


def swept(core: Path, seeds: range, modes: Sequence[bool], judge: Judge | None) -> Swept:
    """Run one kernel in all seeds; each mode says whether it is strict."""
    found = Swept(kernels=1)
    with closing(Beginning(core)) as beginning:
        problem = beginning.check(LONGEST)
        if problem:
            found.problems.append(f"{core.stem}: {problem}")
            return found
        # With the poison of bytes that the kernel does not write.
        usual = beginning.run(LATENCY)
        for strict in modes:
            for seed in seeds:
                _one(found, beginning, Execution(Schedule.RANDOM, seed, strict), usual, judge)
    return found


def swept_there(
    name: str,
    core: bytes,
    kept: str,
    seeds: range,
    modes: Sequence[bool],
    judge: Judge | None,
) -> Swept:
    """The same of a worker of a cluster, which has no file of it."""
    with tempfile.TemporaryDirectory(prefix="llk-swept-") as folder:
        path = Path(folder) / name
        path.write_bytes(core)
        path.with_suffix(".json").write_text(kept, encoding="ascii")
        return swept(path, seeds, modes, judge)


def _one(
    found: Swept, beginning: Beginning, execution: Execution, usual: Ran, judge: Judge | None
) -> None:
    most = SLOWER * usual.cycles + SETTLING
    ran = beginning.run(execution, most=most)
    found.runs += 1
    found.cycles += ran.cycles
    S = beginning.machine.S
    found.relied.update(order.promise.name for order in relied_on(S))
    problem = ran.why
    if not problem:
        problem = _wrong(judge, ran.result, usual.result)
    if problem:
        names = [order.promise.name for order in broken(S)]
        found.failures.append(Failure(beginning.name, str(execution), problem, names))


def _wrong(judge: Judge | None, got: bytes, wanted: bytes) -> str:
    """Return what is wrong with a result; empty if nothing is."""
    if judge is not None:
        return next(iter(judge(words_of(got))), "")
    return "" if got == wanted else _difference(got, wanted)


def _difference(got: bytes, wanted: bytes) -> str:
    wrong = [i for i, (a, b) in enumerate(zip(got, wanted, strict=True)) if a != b]
    return f"{len(wrong)} of {len(wanted)} bytes of the result differ, the first is {wrong[0]}"


@dataclass(frozen=True, slots=True)
class Plan:
    """The runs of each file."""

    choice: Choice
    seeds: range
    modes: tuple[bool, ...]
    remote: bool = False  # the pool is of other machines


class Sweep:
    """Files whose kernels are run again by `pool` while the suite runs the next file."""

    def __init__(self, suite: Suite, plan: Plan, pool: Executor, folder: Path) -> None:
        self._suite, self._plan, self._pool, self._folder = suite, plan, pool, folder

    def files(self, names: Sequence[str]) -> Iterator[tuple[str, Swept]]:
        """Yield the results of each."""
        before: tuple[str, Swept, list[Future[Swept]]] | None = None
        for name in names:
            begun = name, *self._begin(name)
            if before is not None:
                yield self._end(*before)
            before = begun
        if before is not None:
            yield self._end(*before)

    def _begin(self, name: str) -> tuple[Swept, list[Future[Swept]]]:
        found = Swept()
        kept = self._folder / name
        kept.mkdir(parents=True)
        for one in run(self._suite, [name], self._plan.choice, str(kept)):
            if not one.passed and one.outcome != "skipped":
                found.problems.append(f"in latency: {one.test.partition('::')[2]}: {one.why()}")
        plan = self._plan
        judge = JUDGES.get(name)
        return found, [
            self._pool.submit(
                *(swept_there, core.name, core.read_bytes()),
                *(core.with_suffix(".json").read_text(encoding="ascii"),),
                *(plan.seeds, plan.modes, judge),
            )
            if plan.remote
            else self._pool.submit(swept, core, plan.seeds, plan.modes, judge)
            for core in sorted(kept.glob("*.core"))
        ]

    def _end(self, name: str, found: Swept, kernels: list[Future[Swept]]) -> tuple[str, Swept]:
        for kernel in kernels:
            found.add(kernel.result())
        shutil.rmtree(self._folder / name)
        return name, found


def _say(name: str, found: Swept) -> None:
    relied = " ".join(f"{key}:{times}" for key, times in sorted(found.relied.items()))
    strict = len(found.failures) - len(found.by_default)
    print(
        f"{name}: {found.kernels} kernels, {found.runs} runs, {found.cycles:,} cycles; "
        f"failures: {len(found.by_default)} by default, {strict} in strict, "
        f"{len(found.unnamed)} without a promise; relied on {relied or 'no promise'}",
        flush=True,
    )
    for problem in found.problems:
        print(f"    {problem}")
    for one in (*found.unnamed, *found.by_default)[:SHOWN]:
        names = " ".join(one.promises) or "no promise"
        print(f"    {one.run}, {one.schedule}, {names}: {one.problem}", flush=True)


def _keep(file: TextIO | None, name: str, found: Swept) -> None:
    if file is not None:
        failures = [asdict(one) for one in found.failures]
        row = {**vars(found), "file": name, "relied": dict(found.relied), "failures": failures}
        json.dump(row, file)
        file.write("\n")
        file.flush()


def pool_of(address: str | None, jobs: int) -> AbstractContextManager[Executor]:
    """Return what runs kernels: processes of this machine, or the workers of a Dask cluster."""
    if address is None:
        return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))
    return executor(address, jobs)


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(prog="llk sweep", description=__doc__.split("\n\n")[0])
    parser.add_argument("tests", nargs="*", metavar="FILE", help="default: every covered file")
    parser.add_argument("--seeds", type=int, default=SEEDS, metavar="N", help="default 20")
    parser.add_argument("--first", type=int, default=1, metavar="SEED", help="default 1")
    parser.add_argument("--variants", type=int, default=5, metavar="N", help="of each; default 5")
    parser.add_argument("--mode", choices=("default", "strict", "both"), default="both")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--on", metavar="local|tcp://...", help="on a Dask cluster")
    parser.add_argument("--json", metavar="FILE", help="append a line for each file to FILE")
    add_llk_option(parser)
    arguments = parser.parse_args(argv)
    modes = {"default": (False,), "strict": (True,), "both": (False, True)}[arguments.mode]
    plan = Plan(
        Choice(arguments.variants, "1", "latency", "compiled"),
        range(arguments.first, arguments.first + arguments.seeds),
        modes,
        arguments.on is not None,
    )
    total = Swept()
    try:
        with (
            suite_of(arguments.llk) as suite,
            open(arguments.json or os.devnull, "a", encoding="utf-8") as report,
            tempfile.TemporaryDirectory(prefix="llk-sweep-") as folder,
            pool_of(arguments.on, arguments.jobs) as pool,
        ):
            sweep = Sweep(suite, plan, pool, Path(folder))
            for name, found in sweep.files(arguments.tests or covered_by(suite)):
                _say(name, found)
                _keep(report, name, found)
                total.add(found)
    except (CannotPrepare, UsageError) as problem:
        print(f"llk sweep: {problem}", file=sys.stderr)
        return 2
    _say("all", total)
    return 0 if total.good else 1


if __name__ == "__main__":
    sys.exit(main())
