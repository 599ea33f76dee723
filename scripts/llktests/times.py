# SPDX-License-Identifier: Apache-2.0
"""How long the simulation of a kernel takes, from its release to its end: `scripts/llk times`.

The suite runs some variants of each file in `latency`; the bridge keeps what their kernels began
with, and here each runs again, without the suite's compiler and the host, several times. The best
time counts: what is longer has waited for others on the same machine. A *typical* kernel has 2,000
to 8,000 RISC-V instructions in the T core that has most, and up to 5,000 Tensix instructions.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.table import Table

from scripts.llktests.beginning import LATENCY, Beginning
from scripts.llktests.running import Choice, run
from scripts.llktests.suite import CannotPrepare, Suite
from scripts.llktests.tree import add_llk_option, covered_by, suite_of
from tensix_gdb.core.arch.blackhole import T0, T2, THREADS

VARIANTS, TIMES = 2, 3
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

    @property
    def typical(self) -> bool:
        return LEAST <= self.instructions <= MOST and self.tensix <= MAX_TENSIX


def timed(name: str, beginning: Beginning) -> Time | None:
    """Run a kernel TIMES times; None if it does not end without its host."""
    S = beginning.machine.S
    best, ran = 0.0, None
    beginning.machine.restore(beginning.start)
    retired = [int(S.hart.retired[hart]) for hart in range(T0, T2 + 1)]
    passed = [int(S.passed.count[thread]) for thread in range(THREADS)]
    for _ in range(TIMES):
        begun = perf_counter()
        ran = beginning.run(LATENCY, poisoned=False, most=1_000_000)
        seconds = perf_counter() - begun
        if ran.why:
            return None
        best = min(best, seconds) if best else seconds
    assert ran is not None
    instructions = max(int(S.hart.retired[T0 + i]) - before for i, before in enumerate(retired))
    tensix = sum(int(S.passed.count[i]) - before for i, before in enumerate(passed))
    return Time(name, 1000 * best, ran.cycles, instructions, tensix)


def of_file(suite: Suite, name: str, variants: int) -> Iterator[Time]:
    """Its kernels."""
    with tempfile.TemporaryDirectory(prefix="llk-kept-") as folder:
        run(suite, [name], Choice(variants, "1", "latency", "compiled"), folder)
        yield from of_folder(name, Path(folder))


def of_folder(name: str, folder: Path) -> Iterator[Time]:
    """Those that the bridge has kept there (`tensix-gdb bridge --keep`)."""
    for core in sorted(folder.glob("*.core")):
        with closing(Beginning(core)) as beginning:
            time = timed(name, beginning)
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


def _spread(values: Sequence[float]) -> tuple[str, str, str]:
    nine_tenths = sorted(values)[(9 * len(values) - 1) // 10]
    return f"{statistics.median(values):.1f}", f"{nine_tenths:.1f}", f"{max(values):.1f}"


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


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(prog="llk times", description=__doc__.split("\n\n")[0])
    parser.add_argument("tests", nargs="*", metavar="FILE", help="default: every covered file")
    parser.add_argument("--variants", type=int, default=VARIANTS, metavar="N", help="default 2")
    parser.add_argument("--kept", type=Path, metavar="DIR", help="folders of `bridge --keep`")
    add_llk_option(parser)
    arguments = parser.parse_args(argv)
    times: list[Time] = []
    try:
        if arguments.kept is not None:
            for folder in sorted({core.parent for core in arguments.kept.rglob("*.core")}):
                times += of_folder(folder.name, folder)
        else:
            with suite_of(arguments.llk) as suite:
                for name in arguments.tests or covered_by(suite):
                    print(name, file=sys.stderr)
                    times += of_file(suite, name, arguments.variants)
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
