# SPDX-License-Identifier: Apache-2.0
"""Look for the seeds in which kernel.c goes wrong: without a wait, with one, with a wrong one."""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tests.programs.build import build

HERE = Path(__file__).resolve().parent
KERNEL = HERE / "kernel.c"
VARIANTS = ("no wait", "STALLWAIT block=B7, wait=C10", "STALLWAIT block=B6, wait=C10")
NEW = 0x2000
LONGEST = 20_000  # cycles


@dataclass(frozen=True, slots=True)
class Found:
    """How one variant of the kernel has ended, over all seeds."""

    seeds: int
    wrong: int
    first: int | None


def look(elf: Path, seeds: int, show: bool = False) -> Found:
    """Run the kernel with every seed from 1 on."""
    machine = Machine(engine="compiled", schedule=Schedule.RANDOM)
    machine.load(T0, read_elf(elf))
    wrong, first = 0, None
    for seed in track(range(1, seeds + 1), elf.stem, disable=not show, transient=True):
        machine.reseed(seed)
        machine.reset()
        stop = machine.run(LONGEST)
        assert stop is not None
        assert stop.kind is StopKind.EBREAK, stop.text
        if machine.read_x(T0, 10) != NEW:
            wrong += 1
            first = first or seed
    machine.close()
    return Found(seeds, wrong, first)


def main() -> int:
    """Build, run, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10_000, help="executions of each variant")
    parser.add_argument("--keep", type=Path, help="put the ELF files here")
    arguments = parser.parse_args()
    console = Console()
    with tempfile.TemporaryDirectory() as folder:
        into = arguments.keep or Path(folder)
        into.mkdir(exist_ok=True)
        table = Table("between store and RDCFG", "executions", "wrong", "first wrong seed")
        for wait, name in enumerate(VARIANTS):
            elf = build(KERNEL, "T0", into / f"wait{wait}.elf", defines=(f"WAIT={wait}",))
            found = look(elf, arguments.seeds, show=True)
            seed = "-" if found.first is None else f"random:{found.first}"
            table.add_row(name, f"{found.seeds:,}", f"{found.wrong:,}", seed)
        console.print(table)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
