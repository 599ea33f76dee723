# SPDX-License-Identifier: Apache-2.0
"""The number of runs it takes to see a known race go wrong: by seeds without pauses, by seeds with
them, and by the guided search. The races are those of bugs.c that return a value, and the two of
the C10 example.

`python -m scripts.examples.races.needed` puts the table into the manual.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import mean

from scripts.examples.c10.race import KERNEL, NEW
from scripts.examples.races.bugs import BUGS, ended, loaded, programs
from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.order.seeds.bench import Bench
from tensix_gdb.gdbstub.order.seeds.case import Case
from tensix_gdb.gdbstub.order.seeds.guided import Guide
from tensix_gdb.gdbstub.order.seeds.program import Program, files_of, state_of
from tests.programs.build import build

BLOCK = Generated("needed", "python -m scripts.examples.races.needed", MANUAL / "seeds.md")
TRIES = 10  # searches of each kind, with other seeds
MOST = 400  # runs of one search
CYCLES = 3000
A0 = 10


@dataclass(frozen=True, slots=True)
class Race:
    """One race: the program with it, and what T0's main returns without it."""

    name: str
    elfs: dict[int, Path]
    right: int


def races(folder: Path) -> Iterator[Race]:
    """All that return a value."""
    for bug in BUGS:
        if bug.has_value:
            with closing(
                loaded(programs(bug, True, folder), Execution(Schedule.LATENCY))
            ) as machine:
                right = ended(machine)[0]
            yield Race(f"{bug.what} ({bug.links})", programs(bug, False, folder), right)
    for wait, name in ((0, "no wait"), (2, "a wait with the wrong block mask")):
        elf = build(KERNEL, "T0", folder / f"wait{wait}.elf", defines=(f"WAIT={wait}",))
        yield Race(f"the C10 example, {name}", {T0: elf}, NEW)


def bench_of(race: Race) -> Bench:
    """A machine for its runs."""

    def judged(machine: Machine) -> str:
        return "" if machine.read_x(T0, A0) == race.right else "another value"

    with closing(loaded(race.elfs, Execution(Schedule.LATENCY))) as machine:
        program = Program(race.name, state_of(machine), files_of(machine.images), most=CYCLES)
    return Bench(program, judge=judged)


def uniform(bench: Bench, first: int, options: str) -> int | None:
    """Runs until one is wrong; None if none of MOST is."""
    for at in range(MOST):
        if bench.run(Case(0, f"random:{first + at}{options}")).wrong:
            return at + 1
    return None


def guided(bench: Bench, first: int) -> int | None:
    """The same of the guided search."""
    guide = Guide(0, range(first, first + MOST), ("random",))
    for at, case in enumerate(islice(guide.cases(), MOST)):
        outcome = bench.run(case)
        if outcome.wrong:
            return at + 1
        guide.tell([outcome])
    return None


def _said(needed: list[int | None]) -> str:
    found = [each for each in needed if each is not None]
    if not found:
        return f"none in {MOST}"
    text = f"{mean(found):.1f}"
    return text if len(found) == len(needed) else f"{text} in {len(found)} of {len(needed)}"


def table(folder: Path) -> str:
    """A row for each race: the mean of the runs that were needed."""
    rows = ["| race | seeds, no pauses | seeds | guided |", "|---|--:|--:|--:|"]
    for race in races(folder):
        with closing(bench_of(race)) as bench:
            starts = [1 + 1000 * at for at in range(TRIES)]
            cells = [
                _said([uniform(bench, start, ",no-pauses") for start in starts]),
                _said([uniform(bench, start, "") for start in starts]),
                _said([guided(bench, start) for start in starts]),
            ]
        rows.append(f"| {race.name} | {' | '.join(cells)} |")
        print(rows[-1], flush=True)
    return "\n".join(rows) + "\n"


def main() -> int:
    """Make the table."""
    with tempfile.TemporaryDirectory() as name:
        BLOCK.write(table(Path(name)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
