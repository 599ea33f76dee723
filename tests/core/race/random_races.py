# SPDX-License-Identifier: Apache-2.0
"""Random litmus programs: does one observed run say what exhaustive search says?

    python -m tests.core.race.random_races [PROGRAMS] [SEED] [--on local|tcp://HOST:PORT]

PROGRAMS is how many are decided: searched to the end, or until two outcomes are known. Those with
too many states, or that end with a fault in some execution, are left out, and counted. A report in
a program with one outcome has to be of a class of unseen.py, which shows that the report is true.
What does not agree otherwise is named in exceptions.py, with the reason. `--on` has the workers of
a Dask cluster do it (`tensix-gdb manual seeds`); they need this folder and its Python.
Where promises with a bound in cycles hold (core/ordering/promises.py), as after a long poll, the
run relies on them, and `strict` reports it. Search has no time and does not keep them.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field

from tensix_gdb.core.litmus.explore import explore
from tensix_gdb.core.litmus.text import Litmus, LitmusError
from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.race.findings import Verdict
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.usage import UsageError
from tests.core.race.exceptions import RANDOM
from tests.core.race.observed import observe, races
from tests.core.race.random_programs import Program, draw
from tests.core.race.unseen import UNEXPLAINED, why_unseen
from tests.machines import observed_tile

RACE = "several outcomes, and a report"
NONE = "one outcome, and no report"
PROMISED = "several outcomes, and a promise that search does not keep"
MISSED = "several outcomes, and no report"
UNSEEN = "one outcome, and a report"
SAY_EVERY = 500
AT_ONCE, MOST_AT_ONCE = 25, 2000  # seeds of a batch on a cluster, and of all that are under way


@dataclass
class Tally:
    """The compared programs: by what the two sides say, and by what is in them."""

    said: Counter[str] = field(default_factory=Counter)
    unseen: Counter[str] = field(default_factory=Counter)  # by class
    kinds: dict[str, Counter[str]] = field(default_factory=dict)
    missed: list[int] = field(default_factory=list)  # seeds
    unexplained: list[int] = field(default_factory=list)
    named: list[int] = field(default_factory=list)  # exceptions.py
    too_large: int = 0
    faulty: int = 0
    next_seed: int = 0

    @property
    def decided(self) -> int:
        return self.said.total()

    def add(self, other: Tally) -> None:
        """Count another's too."""
        self.said += other.said
        self.unseen += other.unseen
        for kind, said in other.kinds.items():
            self.kinds.setdefault(kind, Counter()).update(said)
        self.missed += other.missed
        self.unexplained += other.unexplained
        self.named += other.named
        self.too_large += other.too_large
        self.faulty += other.faulty

    def note(self, program: Program, said: str) -> None:
        self.said[said] += 1
        for kind in (f"{len(program.cores)} cores", *program.kinds):
            self.kinds.setdefault(kind, Counter())[said] += 1


def compare(plain: Tile, observed: Tile, seed: int, tally: Tally) -> None:
    """Explore and observe the program of a seed."""
    program = draw(seed)
    test = program.litmus()
    try:
        outcomes = explore(plain.prepare(test, Schedule.EXHAUSTIVE), enough=2).outcomes
    except LitmusError as problem:
        if "more than" not in str(problem):
            raise
        tally.too_large += 1
        return
    if any(outcome.ending.startswith("fault") for outcome in outcomes):
        tally.faulty += 1
        return
    findings, _ = observe(observed, test)
    found = races(findings)
    if len(outcomes) > 1:
        said = RACE if found else MISSED
        if not found and is_promised(observed, test):
            said = PROMISED
        tally.note(program, said)
        if said == MISSED:
            (tally.named if seed in RANDOM else tally.missed).append(seed)
        return
    tally.note(program, UNSEEN if found else NONE)
    for report in found:
        reason = why_unseen(plain, program, report)
        tally.unseen[reason] += 1
        if reason == UNEXPLAINED:
            (tally.named if seed in RANDOM else tally.unexplained).append(seed)


def is_promised(observed: Tile, test: Litmus) -> bool:
    """True if `strict` reports pairs that only promises with a bound in cycles order."""
    findings, _ = observe(observed, test, strict=True)
    verdicts = {report.verdict for report in races(findings)}
    return verdicts == {Verdict.PROMISED} and all(
        count.promise.bound is not None for count in findings.relied
    )


def run(first: int, count: int, *, says: bool = False) -> Tally:
    """Compare programs until `count` are decided."""
    tally = Tally()
    seed = first
    with (
        closing(Tile("compiled")) as plain,
        closing(observed_tile()) as observed,
    ):
        while tally.decided < count:
            compare(plain, observed, seed, tally)
            seed += 1
            if says and (seed - first) % SAY_EVERY == 0:
                print(f"seeds {first} to {seed - 1}: {tally.decided} decided", flush=True)
                print(f"  missed {tally.missed}, unexplained {tally.unexplained}", flush=True)
    tally.next_seed = seed
    return tally


def some(first: int, count: int) -> tuple[int, list[Tally]]:
    """Run a worker's share: so many seeds. Return the tally of each."""
    found = []
    with closing(Tile("compiled")) as plain, closing(observed_tile()) as observed:
        for seed in range(first, first + count):
            found.append(Tally())
            compare(plain, observed, seed, found[-1])
    return first, found


def run_on(address: str, first: int, count: int, *, says: bool = False) -> Tally:
    """The same as `run` by the workers of a cluster."""
    from tensix_gdb.gdbstub.order.seeds.cluster import gathered

    tally, seed = Tally(), first
    while tally.decided < count:
        # Somewhat less than half of the programs are decided.
        wanted = min(MOST_AT_ONCE, max(AT_ONCE, 2 * (count - tally.decided)))
        calls = [(at, AT_ONCE) for at in range(seed, seed + wanted, AT_ONCE)]
        answers = dict(gathered(address, some, calls))
        for at, _ in calls:
            for one in answers[at]:
                if tally.decided < count:
                    tally.add(one)
                    seed += 1
        if says:
            print(f"seeds {first} to {seed - 1}: {tally.decided} decided", flush=True)
    tally.next_seed = seed
    return tally


def table(tally: Tally, first: int) -> str:
    """The whole as text."""
    columns = (RACE, NONE, PROMISED, UNSEEN, MISSED)
    lines = [
        f"{tally.decided} programs are decided, of seeds {first} to {tally.next_seed - 1};",
        f"{tally.too_large} have too many states, {tally.faulty} may end with a fault",
        "",
        *(f"{tally.said[column]:6}  {column}" for column in columns),
        "",
        *(
            f"{count:6}  reports without a second outcome: {why}"
            for why, count in tally.unseen.items()
        ),
        f"missed: {tally.missed}; unexplained: {tally.unexplained}; named: {tally.named}",
        "",
        f"{'race':>6} {'none':>6} {'promis':>6} {'unseen':>6} {'missed':>6}  programs with",
    ]
    for kind, said in sorted(tally.kinds.items(), key=lambda row: -row[1].total()):
        lines.append(" ".join(f"{said[column]:6}" for column in columns) + f"  {kind}")
    return "\n".join(lines)


def main(words: list[str]) -> int:
    """Compare as many as the command line says."""
    parser = argparse.ArgumentParser(prog="random_races", description=__doc__.split("\n\n")[0])
    parser.add_argument("programs", nargs="?", type=int, default=10_000, help="default 10000")
    parser.add_argument("seed", nargs="?", type=int, default=0, help="the first; default 0")
    parser.add_argument("--on", metavar="local|tcp://...", help="on a Dask cluster")
    arguments = parser.parse_args(words)
    first, count = arguments.seed, arguments.programs
    try:
        if arguments.on:
            tally = run_on(arguments.on, first, count, says=True)
        else:
            tally = run(first, count, says=True)
    except UsageError as problem:
        parser.error(str(problem))
    print(table(tally, first))
    return 1 if tally.missed or tally.unexplained else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
