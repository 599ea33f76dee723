# SPDX-License-Identifier: Apache-2.0
"""Measure and compare: one table of speeds, one of starts, and which targets are met."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from scripts.benchmark import starting
from scripts.benchmark.emulators import best, in_qemu, in_unicorn, tile
from scripts.benchmark.programs import Program, programs
from tests.programs.build import PLACES

TIMES = 3
# How many instructions a measurement takes: about half a second of each emulator.
COMPILED, REFERENCE, UNICORN, QEMU = 3e8, 4e5, 3e8, 2e9
FIVE = 5e7

# Of the speed of qemu-riscv32, for the compiled engine and one hart.
TARGETS = {"alu": 0.07, "memory": 0.10, "call": 0.20}
ARMED_TARGET = 0.75  # of the speed without breakpoints
FASTER_THAN_UNICORN = ("memory", "call")
# Seconds until the server listens, on a machine where qemu-riscv32 does so many MIPS.
WARM_TARGET, COLD_TARGET = 0.5, 1.0
REFERENCE_MIPS = 5800


class Report:
    """The targets, met or missed."""

    def __init__(self) -> None:
        self.table = Table("target", "wanted", "measured", "", title="Targets")
        self.missed = 0

    def add(self, name: str, wanted: str, measured: str, met: bool) -> None:
        """Add one target."""
        self.missed += not met
        self.table.add_row(name, wanted, measured, "met" if met else "[bold]MISSED[/bold]")


def measure(program: Program) -> dict[str, float]:
    """MIPS of everything that runs this program."""
    _, few = tile({"B": program.for_hart("B", 2)}, "compiled", armed=False)
    _, more = tile({"B": program.for_hart("B", 12)}, "compiled", armed=False)
    program.count(2, few, 12, more)

    def on_tile(engine: str, instructions: float, *, armed: bool) -> float:
        elfs = {"B": program.for_hart("B", program.rounds_for(instructions))}
        return best(lambda: tile(elfs, engine, armed=armed)[0], TIMES).mips

    speeds = {
        "compiled": on_tile("compiled", COMPILED, armed=False),
        "compiled, armed": on_tile("compiled", COMPILED, armed=True),
        "reference": on_tile("reference", REFERENCE, armed=False),
        "reference, armed": on_tile("reference", REFERENCE, armed=True),
    }
    rounds = program.rounds_for(FIVE)
    five = {hart: program.for_hart(hart, rounds) for hart in PLACES}
    speeds["compiled, five harts"] = best(
        lambda: tile(five, "compiled", armed=False)[0], TIMES
    ).mips
    rounds = program.rounds_for(UNICORN)
    ours, _ = tile({"B": program.for_hart("B", rounds)}, "compiled", armed=False)
    theirs = best(lambda: in_unicorn(program, rounds), TIMES)
    if theirs.result != ours.result:
        raise RuntimeError(f"{program.name}: unicorn and the tile differ in the result")
    speeds["unicorn"] = theirs.mips
    speeds["qemu-riscv32"] = best(lambda: in_qemu(program, program.rounds_for(QEMU)), TIMES).mips
    return speeds


def main() -> int:
    """Print everything; 1 when a target is missed."""
    console = Console(width=None if sys.stdout.isatty() else 100)
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        all_programs = programs(Path(folder))
        with console.status("measuring"):
            speeds = {program.name: measure(program) for program in all_programs}
            console.print(_speed_table(speeds))
            elf = all_programs[0].for_hart("B", 2)
            warm, cold = starting.warm(elf), starting.cold(elf)
    for name, speed in speeds.items():
        ratio = speed["compiled"] / speed["qemu-riscv32"]
        report.add(
            f"{name}: compiled, of qemu",
            f"{TARGETS[name]:.2f}",
            f"{ratio:.3f}",
            ratio >= TARGETS[name],
        )
        ratio = speed["compiled, armed"] / speed["compiled"]
        report.add(
            f"{name}: with breakpoints, of without",
            f"{ARMED_TARGET:.2f}",
            f"{ratio:.2f}",
            ratio >= ARMED_TARGET,
        )
        if name in FASTER_THAN_UNICORN:
            ratio = speed["compiled"] / speed["unicorn"]
            report.add(f"{name}: compiled, of unicorn", "1.00", f"{ratio:.2f}", ratio > 1)
    slower = max(1.0, REFERENCE_MIPS / speeds["alu"]["qemu-riscv32"])
    for name, seconds, wanted in (("warm", warm, WARM_TARGET), ("cold", cold, COLD_TARGET)):
        limit = wanted * slower
        report.add(f"listening, {name}", f"{limit:.2f} s", f"{seconds:.2f} s", seconds <= limit)
    console.print(report.table)
    console.print(f"{os.cpu_count()} cores; MIPS are the best of {TIMES} runs.")
    return 1 if report.missed else 0


def _speed_table(speeds: dict[str, dict[str, float]]) -> Table:
    table = Table(title="Million RV32 instructions per second (of qemu-riscv32)")
    table.add_column("")
    for name in speeds:
        table.add_column(name, justify="right")

    def cell(speed: dict[str, float], row: str) -> str:
        digits = 0 if speed[row] >= 10 else 2
        return f"{speed[row]:,.{digits}f} ({speed[row] / speed['qemu-riscv32']:.3f})"

    for row in next(iter(speeds.values())):
        table.add_row(row, *(cell(speed, row) for speed in speeds.values()))
    return table


if __name__ == "__main__":
    raise SystemExit(main())
