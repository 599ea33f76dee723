# SPDX-License-Identifier: Apache-2.0
"""Look for the seeds in which kernel.c goes wrong: without a wait, with one, with a wrong one."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.table import Table

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.gdbstub.order.seeds.case import Case, Outcome
from tensix_gdb.gdbstub.order.seeds.finding import Plan, carried_out
from tensix_gdb.gdbstub.order.seeds.program import Program, files_of, state_of
from tensix_gdb.gdbstub.order.seeds.tally import Tally
from tests.programs.build import build

HERE = Path(__file__).resolve().parent
KERNEL = HERE / "kernel.c"
VARIANTS = ("no wait", "STALLWAIT block=B7, wait=C10", "STALLWAIT block=B6, wait=C10")
# Of the same: a name and what it is built with.
FORMS = {"no_wait": ["WAIT=0"], "wait": ["WAIT=1"], "wrong_wait": ["WAIT=2"]}
NEW = 0x2000
LONGEST = 20_000  # cycles


@dataclass(frozen=True, slots=True)
class Found:
    """The ends of one variant of the kernel, over all seeds."""

    seeds: int
    wrong: int
    first: int | None


def look(elf: Path, seeds: int, on: str | None = None) -> Found:
    """Run the kernel with every seed from 1 on, on all processors or a cluster."""
    machine = Machine(engine="reference")
    with closing(machine):
        machine.load(T0, read_elf(elf))
        wrong = machine.images[0].symbol("wrong")
        assert wrong is not None
        program = Program(
            elf.stem,
            state_of(machine),
            files_of(machine.images),
            until=((T0, wrong),),
            most=LONGEST,
        )
    tally = Tally(elf.stem)

    def count(outcomes: Sequence[Outcome]) -> None:
        for one in outcomes:
            assert one.end in ("", "reached "), one.text
            tally.add(one)

    plan = Plan([program], on=on, tell=count)
    carried_out(plan, (Case(0, f"random:{seed}") for seed in range(1, seeds + 1)), seeds)
    first = None if tally.first is None else Execution.parse(tally.first.execution).seed
    return Found(tally.runs, tally.wrong, first)


def loop(elf: Path, seeds: int) -> float:
    """Seconds of a process for each of so many seeds, one after the other."""
    begun = perf_counter()
    for seed in range(1, seeds + 1):
        words = ["run", "--elf", f"t0={elf}", "--schedule", f"random:{seed}", "--until", "wrong"]
        command = [sys.executable, "-m", "tensix_gdb.gdbstub", *words]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    return perf_counter() - begun


def main() -> int:
    """Build, run, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10_000, help="executions of each variant")
    parser.add_argument("--on", metavar="local|tcp://...", help="on a Dask cluster")
    parser.add_argument(
        "--loop",
        type=int,
        default=0,
        metavar="N",
        help="compare with N processes, a seed each",
    )
    parser.add_argument("--keep", type=Path, help="put the ELF files here")
    arguments = parser.parse_args()
    console = Console()
    with tempfile.TemporaryDirectory() as folder:
        into = arguments.keep or Path(folder)
        into.mkdir(exist_ok=True)
        begun = perf_counter()
        table = Table("between store and RDCFG", "executions", "wrong", "first wrong seed")
        for wait, name in enumerate(VARIANTS):
            elf = build(KERNEL, "T0", into / f"wait{wait}.elf", defines=(f"WAIT={wait}",))
            found = look(elf, arguments.seeds, arguments.on)
            seed = "-" if found.first is None else f"random:{found.first}"
            table.add_row(name, f"{found.seeds:,}", f"{found.wrong:,}", seed)
        console.print(table)
        seconds = (perf_counter() - begun) / len(VARIANTS)
        console.print(f"{arguments.seeds:,} seeds of one variant: {seconds:.1f} s")
        if arguments.loop:
            each = loop(elf, arguments.loop) / arguments.loop
            whole = each * arguments.seeds
            console.print(
                f"a process for each seed: {each:.2f} s, of {arguments.loop}; {whole:,.0f} s for "
                f"as many, {whole / seconds:.0f} times as long"
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
