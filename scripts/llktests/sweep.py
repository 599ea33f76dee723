# SPDX-License-Identifier: Apache-2.0
"""Every covered file of the suite in many seeds of `random`: `scripts/llk sweep`.

The suite runs some variants of each file once, in `latency`; the simulator keeps what their kernels
began with (beginning.py). From there each runs again for each seed, once with the promises kept
and once in `strict`, and has to end with the bytes that the suite was content with. A failure
has to name the promises that the run broke: by default these are the ones that cards do not keep
either (P18), so it is a race of the kernel; in `strict` any. Exit status 0 if each failure does.
`--kept DIR` takes what `scripts/llk --keep DIR` has kept, and compiles nothing.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TextIO

from scripts.llktests.ordering import TESTS, Words
from scripts.llktests.swept import Swept, swept, swept_there
from tensix_gdb.gdbstub.llk.running import Choice, run
from tensix_gdb.gdbstub.llk.suite import CannotPrepare, Suite
from tensix_gdb.gdbstub.llk.tree import add_llk_option, covered_by, suite_of
from tensix_gdb.gdbstub.order.seeds.cluster import executor
from tensix_gdb.gdbstub.usage import UsageError

SEEDS = 20
SHOWN = 6  # failures of a file; all of them are in the file of --json


def _any(_: Words) -> list[str]:
    """The result has times that the kernel has measured: it has to come to its end."""
    return []


# What judges a result. Of other files it has to be what it was in `latency`.
JUDGES = {
    **{test.file: test.judge for test in TESTS if test.judge is not None},
    "test_fp32_dest_acc_cfg_occupancy.py": _any,
    "test_profiler_overhead.py": _any,
    "test_profiler_stress.py": _any,
}


@dataclass(frozen=True, slots=True)
class Plan:
    """The runs of each file."""

    choice: Choice
    seeds: range
    modes: tuple[bool, ...]
    remote: bool = False  # the pool is of other machines


class Sweep:
    """Files whose kernels are run again by `pool` while the suite runs the next file. Without a
    suite `folder` has what was kept."""

    def __init__(self, suite: Suite | None, plan: Plan, pool: Executor, folder: Path) -> None:
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
        if self._suite is not None:
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
        if self._suite is not None:
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


def files_kept(folder: Path) -> list[str]:
    """The files of the suite of which kernels were kept. CannotPrepare if there are none."""
    found = sorted({str(core.parent.relative_to(folder)) for core in folder.rglob("*.core")})
    if not found:
        raise CannotPrepare(f"{folder} has no kernels; `scripts/llk --keep {folder}` keeps some")
    return found


@contextmanager
def _source(kept: Path | None, llk: Path | None) -> Iterator[tuple[Suite | None, Path]]:
    """The suite and a folder for what it keeps, or only the folder of what was kept."""
    if kept is not None:
        yield None, kept
        return
    with suite_of(llk) as suite, tempfile.TemporaryDirectory(prefix="llk-sweep-") as folder:
        yield suite, Path(folder)


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
    parser.add_argument(
        "--kept", type=Path, metavar="DIR", help="kernels that `scripts/llk --keep DIR` has kept"
    )
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
            _source(arguments.kept, arguments.llk) as (suite, folder),
            open(arguments.json or os.devnull, "a", encoding="utf-8") as report,
            pool_of(arguments.on, arguments.jobs) as pool,
        ):
            names = covered_by(suite.tests) if suite is not None else files_kept(folder)
            sweep = Sweep(suite, plan, pool, folder)
            for name, found in sweep.files(arguments.tests or names):
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
