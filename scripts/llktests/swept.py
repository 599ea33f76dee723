# SPDX-License-Identifier: Apache-2.0
"""One kernel in many seeds of `random`, for `scripts/llk sweep` (sweep.py): its runs again, and
what differs from the run that the suite was content with."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from scripts.llktests.beginning import LATENCY, Beginning, Ran
from scripts.llktests.ordering import Judge, words_of
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.explain.orders import broken, relied_on
from tensix_gdb.core.schedule import Schedule

LONGEST = 100_000_000  # cycles that a kernel may take in `latency`
# A run may take so many times the cycles of `latency`, and so many more.
SLOWER, SETTLING = 20, 1_000_000


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
