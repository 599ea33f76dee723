# SPDX-License-Identifier: Apache-2.0
"""The time of simulating a kernel, from its release to its end: `scripts/llk times`.

The suite runs some variants of each file in `latency`; the simulator keeps what their kernels began
with, and here each runs again, without the suite's compiler and the host, several times. The best
time counts: what is longer has waited for others on the same machine. A *typical* kernel has 2,000
to 8,000 RISC-V instructions in the T core that has most, and up to 5,000 Tensix instructions.

With --races each kernel also runs observed (core/race), and with --check with each group of the
checks of state, and all of them, in turn with the runs that are not: how many times as long that
takes, in processor time, and how much memory the observer has.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

from rich.console import Console
from rich.table import Table

from scripts.llktests.beginning import LATENCY, Beginning
from tensix_gdb.core.arch.blackhole import T0, T2, THREADS, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.state.table import GROUPS
from tensix_gdb.gdbstub.llk.running import Choice, run
from tensix_gdb.gdbstub.llk.suite import CannotPrepare, Suite
from tensix_gdb.gdbstub.llk.tree import add_llk_option, covered_by, suite_of

VARIANTS, TIMES, ROUNDS = 2, 3, 60
LONGEST = 5_000_000  # cycles
OBSERVER = ("race", "check", "state", "stages", "found")  # parts of the record
LEAST, MOST, MAX_TENSIX = 2_000, 8_000, 5_000
WANTED = 10.0  # milliseconds


@dataclass(frozen=True, slots=True)
class Time:
    """One kernel."""

    name: str
    milliseconds: float
    cycles: int
    instructions: int  # of the T core with most
    tensix: int
    observed: Mapping[str, float] = field(default_factory=dict)  # by WAYS: times as long

    @property
    def typical(self) -> bool:
        return LEAST <= self.instructions <= MOST and self.tensix <= MAX_TENSIX


def timed(name: str, beginning: Beginning, ways: Sequence[str] = ()) -> Time | None:
    """Run a kernel TIMES times; None if it does not end without its host."""
    S = beginning.machine.S
    best, ran = 0.0, None
    beginning.machine.restore(beginning.start)
    retired = [int(S.hart.retired[hart]) for hart in range(T0, T2 + 1)]
    passed = [int(S.passed.count[thread]) for thread in range(THREADS)]
    for _ in range(TIMES):
        begun = perf_counter()
        ran = beginning.run(LATENCY, poisoned=False, most=LONGEST)
        seconds = perf_counter() - begun
        if ran.why:
            return None
        best = min(best, seconds) if best else seconds
    assert ran is not None
    instructions = max(int(S.hart.retired[T0 + i]) - before for i, before in enumerate(retired))
    tensix = sum(int(S.passed.count[i]) - before for i, before in enumerate(passed))
    observed = times_as_long(beginning, ways) if ways else {}
    return Time(name, 1000 * best, ran.cycles, instructions, tensix, observed)


def times_as_long(beginning: Beginning, ways: Sequence[str]) -> dict[str, float]:
    """Return how many times as long a run takes that is observed in these ways; the best of ROUNDS
    of each, in turn."""
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        for way in ("", *ways):
            beginning.begin(LATENCY, poisoned=False)
            leave(beginning.machine)
            if way:
                WAYS[way](beginning.machine)
            begun = process_time()
            beginning.resume(LONGEST)
            seconds = process_time() - begun
            best[way] = min(best.get(way, seconds), seconds)
    leave(beginning.machine)
    return {way: best[way] / best[""] for way in ways}


def observe(machine: Machine) -> None:
    """From now on, with the checks that are on by default."""
    machine.observe_races()


def _check(groups: Sequence[str], machine: Machine, *, races: bool) -> None:
    """From now on check state, as `simulator --check` does it for LLK's driver."""
    state = machine.check_state(groups, races=races, fresh=True)
    state.firmware_harts = frozenset({B})
    state.note_programs()


RACES = "--races"
WAYS: dict[str, Callable[[Machine], None]] = {
    RACES: observe,
    **{f"--check {group}": partial(_check, (group,), races=False) for group in GROUPS},
    "--check all": partial(_check, GROUPS, races=False),
    "--races --check all": partial(_check, GROUPS, races=True),
}


def leave(machine: Machine) -> None:
    """Observe no more."""
    machine.runner.races = machine.reports.races = None
    machine.S.race.on = machine.S.state.on = 0


def memory() -> int:
    """Bytes of the rows of the observer, of which a run touches what it uses."""
    record = Machine(engine="reference").record
    slots = record.layout.slots.values()
    rows = [slot for slot in slots if slot.part in OBSERVER and not slot.field.alias]
    return sum(len(record.row(slot)) for slot in rows)


def of_file(suite: Suite, name: str, variants: int, ways: Sequence[str]) -> Iterator[Time]:
    """Its kernels."""
    with tempfile.TemporaryDirectory(prefix="llk-kept-") as folder:
        run(suite, [name], Choice(variants, "1", "latency", "compiled"), folder)
        yield from of_folder(name, Path(folder), ways)


def of_folder(name: str, folder: Path, ways: Sequence[str] = ()) -> Iterator[Time]:
    """Those that the simulator has kept there (`tensix-gdb simulator --keep`)."""
    for core in sorted(folder.glob("*.core")):
        with closing(Beginning(core)) as beginning:
            time = timed(name, beginning, ways)
        if time is not None:
            yield time


def _row(table: Table, name: str, times: Sequence[Time]) -> None:
    table.add_row(
        name,
        str(len(times)),
        f"{max(time.instructions for time in times):,}",
        f"{max(time.tensix for time in times):,}",
        *_spread([time.milliseconds for time in times]),
    )


def _spread(values: Sequence[float], digits: int = 1) -> list[str]:
    nine_tenths = sorted(values)[(9 * len(values) - 1) // 10]
    shown = statistics.median(values), nine_tenths, max(values)
    return [f"{value:.{digits}f}" for value in shown]


def report(console: Console, times: Sequence[Time]) -> None:
    """A row for each file, then all, then those that are typical."""
    table = Table("file", "kernels", "RISC-V", "Tensix", "median ms", "9 of 10", "largest")
    for name in dict.fromkeys(time.name for time in times):
        _row(table, name, [time for time in times if time.name == name])
    _row(table, "all", times)
    typical = [time for time in times if time.typical]
    if typical:
        _row(table, "typical", typical)
    console.print(table)
    quick = sum(time.milliseconds <= WANTED for time in typical)
    console.print(f"{quick} of {len(typical)} typical kernels take {WANTED:.0f} ms at most")
    if times[0].observed:
        console.print(_observed(times))
        console.print(f"the observer has {memory() / 1e6:.1f} MB")


def _observed(times: Sequence[Time]) -> Table:
    """Return a table of how many times as long runs take, a row for each way."""
    table = Table("observed, times as long", "median", "9 of 10", "largest", "of")
    for way in times[0].observed:
        slowest = max(times, key=lambda time: time.observed[way])
        table.add_row(way, *_spread([time.observed[way] for time in times], 2), slowest.name)
    return table


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(prog="llk times", description=__doc__.split("\n\n")[0])
    parser.add_argument("tests", nargs="*", metavar="FILE", help="default: every covered file")
    parser.add_argument("--variants", type=int, default=VARIANTS, metavar="N", help="default 2")
    parser.add_argument("--kept", type=Path, metavar="DIR", help="folders of `simulator --keep`")
    parser.add_argument("--races", action="store_true", help="also observed: times as long")
    parser.add_argument("--check", action="store_true", help="also with each group of --check")
    add_llk_option(parser)
    arguments = parser.parse_args(argv)
    ways = [way for way in WAYS if arguments.check or (arguments.races and way == RACES)]
    times: list[Time] = []
    try:
        if arguments.kept is not None:
            for folder in sorted({core.parent for core in arguments.kept.rglob("*.core")}):
                times += of_folder(folder.name, folder, ways)
        else:
            with suite_of(arguments.llk) as suite:
                for name in arguments.tests or covered_by(suite.tests):
                    print(name, file=sys.stderr)
                    times += of_file(suite, name, arguments.variants, ways)
    except CannotPrepare as problem:
        print(f"llk times: {problem}", file=sys.stderr)
        return 2
    if not times:
        print("llk times: no kernel has run to its end", file=sys.stderr)
        return 1
    report(Console(), times)
    return 0


if __name__ == "__main__":
    sys.exit(main())
