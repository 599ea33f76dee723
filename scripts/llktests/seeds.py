# SPDX-License-Identifier: Apache-2.0
"""The suite's regression tests of orders in many seeds of `random`: `scripts/llk seeds`.

The suite runs each test once, in `latency`; the bridge keeps what its kernels began with. From
there they run again here, without the suite and its driver, once for each seed. Then the same with
the test's fix undone in a scratch copy (ordering.py), until a seed fails. Exit status 0 when
everything passed that should, and a failing seed was found for each that should fail.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.table import Table

from core.arch.blackhole import B
from core.machine import Machine
from core.schedule import Schedule, seed_state
from gdbstub.tensix.core_file import machine_from, read_core
from scripts.llktests.ordering import TESTS, Edit, OrderingTest, words_of
from scripts.llktests.running import Choice, Outcome, run
from scripts.llktests.suite import LLK, CannotPrepare, Suite, prepare

SEEDS = 200
MOST_TRIED = 500  # seeds in which a failure is looked for
# Where T0, T1 and T2 say that they are done, and what (tests/helpers of the suite).
DONE_AT, DONE = (0x1FFB8, 0x1FFBC, 0x1FFC0), 0xFF
CHUNK = 20_000  # cycles between two looks
MOST_CYCLES = 200_000_000
LEAST_RESULT = 1024  # bytes
AS_SHIPPED, SETTLED, UNDONE = "as shipped", "end settled", "fix undone"


class Beginning:
    """A kernel that the suite has started once, ready to be started again."""

    def __init__(self, core: Path) -> None:
        kept = json.loads(core.with_suffix(".json").read_text(encoding="ascii"))
        self.addr, self.data = int(kept["addr"]), bytes.fromhex(kept["data"])
        reads = {int(addr): bytes.fromhex(data) for addr, data in kept["reads"].items()}
        self.result_at, self.result = _largest(reads)
        self.machine: Machine = machine_from(read_core(str(core)), "compiled")
        self.machine.has_host = True
        self._start = self.machine.snapshot()

    def close(self) -> None:
        self.machine.close()

    def run(self, schedule: Schedule, seed: int) -> tuple[bytes, str, int]:
        """The result, why there is none, and how many cycles."""
        machine = self.machine
        machine.restore(self._start)
        # B has run in `latency` until here, whose pipelines are those of `random`.
        machine.S.schedule.kind = schedule
        machine.S.schedule.random = seed_state(seed)
        if self.data:
            machine.poke(B, self.addr, self.data)
        begun = int(machine.S.tile.cycle)
        while not self._done():
            stop = machine.run(CHUNK)
            cycles = int(machine.S.tile.cycle) - begun
            if stop is not None:
                return b"", stop.text, cycles
            if cycles > MOST_CYCLES:
                return b"", f"not done after {cycles:,} cycles", cycles
        cycles = int(machine.S.tile.cycle) - begun
        return machine.peek(B, self.result_at, len(self.result)), "", cycles

    def _done(self) -> bool:
        return all(self.machine.peek(B, addr, 1)[0] == DONE for addr in DONE_AT)


def _largest(reads: Mapping[int, bytes]) -> tuple[int, bytes]:
    """The result is what the host has read most of, which it does piece by piece."""
    pieces: list[tuple[int, bytes]] = []
    for addr in sorted(reads):
        if pieces and pieces[-1][0] + len(pieces[-1][1]) == addr:
            pieces[-1] = pieces[-1][0], pieces[-1][1] + reads[addr]
        else:
            pieces.append((addr, reads[addr]))
    return max(pieces, key=lambda piece: len(piece[1]), default=(0, b""))


@dataclass
class Tried:
    """What came of a test in one form."""

    test: OrderingTest
    form: str
    runs: int = 0
    executions: int = 0
    failed: list[tuple[int, str]] = field(default_factory=list)
    cycles: int = 0
    seconds: float = 0.0
    problem: str = ""

    @property
    def good(self) -> bool:
        """Is it as it should be?"""
        if self.problem:
            return False
        if self.form == UNDONE:
            return bool(self.failed)
        return not self.failed or (self.form == AS_SHIPPED and bool(self.test.settle))


def problems_of(test: OrderingTest, beginning: Beginning, result: bytes) -> list[str]:
    """What is wrong with a result."""
    if test.judge is not None:
        return test.judge(words_of(result))
    return [] if result == beginning.result else ["another result than the suite was content with"]


def tried(test: OrderingTest, form: str, suite: Suite, seeds: int) -> Tried:
    """Compile and run a test once, then in every seed; with the fix undone, until one fails."""
    found = Tried(test, form)
    if form == UNDONE and test.judge is None:
        return _by_the_suite(found, suite)
    with tempfile.TemporaryDirectory(prefix="llk-kept-") as name:
        outcomes = run(suite, [test.file], Choice(test.variants, "1", "latency", "compiled"), name)
        found.problem = _refused(outcomes, form)
        cores = sorted(Path(name).glob("*.core"))
        if not found.problem and not cores:
            found.problem = "the bridge has kept no run"
        for core in cores if not found.problem else ():
            if form == UNDONE and found.failed:
                break
            with closing(Beginning(core)) as beginning:
                # A kernel of the suite's own, or a host that gave up: nothing to judge by.
                if len(beginning.result) < LEAST_RESULT:
                    continue
                _try_seeds(found, beginning, seeds)
            found.runs += 1
        if not found.runs and not found.problem:
            found.problem = "no run has a result"
    return found


def _by_the_suite(found: Tried, suite: Suite) -> Tried:
    """What the suite says of it in the first seed."""
    choice = Choice(found.test.variants, "1", "random:1", "compiled")
    for one in run(suite, [found.test.file], choice):
        found.runs += 1
        found.executions += 1
        found.cycles += one.cycles
        found.seconds += one.simulated
        if not one.passed:
            found.failed.append((1, f"{one.test.partition('::')[2]}: {one.why()}"))
    return found


def _refused(outcomes: Sequence[Outcome], form: str) -> str:
    """Why there is nothing to go on with. With the fix undone a test may fail in `latency` too."""
    for one in outcomes:
        if form != UNDONE and not one.passed:
            return f"in latency: {one.why()}"
        if not one.cycles:
            return f"has not run: {one.why()}"
    return "" if outcomes else "the suite said nothing"


def _try_seeds(found: Tried, beginning: Beginning, seeds: int) -> None:
    begun = perf_counter()
    for seed in range(1, (MOST_TRIED if found.form == UNDONE else seeds) + 1):
        result, why, cycles = beginning.run(Schedule.RANDOM, seed)
        found.executions += 1
        found.cycles += cycles
        problems = [why] if why else problems_of(found.test, beginning, result)
        if problems:
            found.failed.append((seed, problems[0]))
            if found.form == UNDONE:
                break
    found.seconds += perf_counter() - begun


def scratch(suite: Suite, edits: Sequence[Edit], folder: Path) -> Suite:
    """A copy of the suite with these edits; what is not edited is the same file."""
    root = folder / "suite"
    shutil.copytree(suite.root, root, copy_function=os.link, symlinks=True)
    for edit in edits:
        path = root / LLK / edit.file
        text, times = re.subn(edit.old, edit.new, path.read_text(encoding="utf-8"))
        if not times:
            raise CannotPrepare(f"{edit.file}: {edit.old!r} is not in it")
        path.unlink()
        path.write_text(text, encoding="utf-8")
    return Suite(root, suite.python)


def _forms(test: OrderingTest, suite: Suite, seeds: int) -> Iterator[Tried]:
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
        *(f"{one.executions:,}", f"{len(one.failed):,}", first),
        f"{one.cycles // max(one.executions, 1):,}",
        f"{one.seconds:.1f}",
        *("as it should be" if one.good else "NOT as it should be", said),
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(prog="llk seeds", description=__doc__.split("\n\n")[0])
    parser.add_argument("tests", nargs="*", metavar="NAME", help="part of a test's name")
    parser.add_argument("--seeds", type=int, default=SEEDS, metavar="N", help="default 200")
    parser.add_argument("--variants", type=int, metavar="N", help="of each file; default: all")
    arguments = parser.parse_args(argv)
    chosen = [
        test for test in TESTS
        if not arguments.tests or any(name in test.file for name in arguments.tests)
    ]  # fmt: skip
    console = Console()
    table = Table("test", "form", "runs", "executions", "failed", "first", "cycles", "s", "", "")
    good = bool(chosen)
    try:
        suite = prepare()
        for test in chosen:
            for one in _forms(test, suite, arguments.seeds):
                good &= one.good
                table.add_row(*_row(one))
                print(*_row(one), sep="; ", file=sys.stderr)
    except CannotPrepare as problem:
        print(f"llk seeds: {problem}", file=sys.stderr)
        return 2
    console.print(table)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
