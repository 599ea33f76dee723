# SPDX-License-Identifier: Apache-2.0
"""The measurements as tables: on the terminal, and between the marks in the manual."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from rich.table import Table

from tensix_gdb.core.engine import jit
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated

BLOCK = Generated("speed", "scripts/bench --readme", MANUAL / "speed.md")
YARDSTICK = "qemu-riscv32"

Speeds = Mapping[str, Mapping[str, float]]  # of each program: MIPS of each contender


# What a wanted figure is compared with, in the same run.
OF_YARDSTICK = f"of {YARDSTICK}, this program"
BY_YARDSTICK = f"a figure of another machine, by {YARDSTICK}'s alu"
IN_TIME = "a figure, on whatever machine"
OF_TTSIM = "of ttsim, the same program"
NO_TTSIM = "of ttsim: --ttsim LIBRARY measures it"


def compiled_for() -> str:
    """The processor that the machine code is for, as LLVM calls it."""
    return jit.versions().processor


class Report:
    """The targets, met or missed."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, str, str]] = []
        columns = ("target", "wanted", "measured", "wanted is", "")
        self.table = Table(*columns, title=f"Targets, compiled for {compiled_for()}")
        self.missed = 0

    def add(self, name: str, wanted: str, measured: str, met: bool | None, anchor: str) -> None:
        """Add one target; `anchor` is what the wanted figure is compared with. `met` is None
        where that is not there."""
        self.missed += met is False
        self.rows.append((name, wanted, measured, anchor))
        told = "" if met is None else "met" if met else "[bold]MISSED[/bold]"
        self.table.add_row(name, wanted, measured, anchor, told)


def speed_rows(speeds: Speeds) -> Iterator[tuple[str, ...]]:
    """A row for each contender: its name, and of each program its speed beside the yardstick's."""
    for contender in next(iter(speeds.values())):
        cells = []
        for speed in speeds.values():
            digits = 0 if speed[contender] >= 10 else 2
            ratio = speed[contender] / speed[YARDSTICK]
            share = f"{ratio:.3f}" if ratio >= 0.001 else f"{ratio:.1g}"
            cells.append(f"{speed[contender]:,.{digits}f} ({share})")
        yield contender, *cells


def speed_table(speeds: Speeds) -> Table:
    """For the terminal."""
    table = Table(title=f"Million RV32 instructions per second (of {YARDSTICK})")
    table.add_column("")
    for program in speeds:
        table.add_column(program, justify="right")
    for row in speed_rows(speeds):
        table.add_row(*row)
    return table


def put_in_readme(speeds: Speeds, report: Report) -> None:
    """Put the figures of this run into the manual; ValueError when it has no marks for them."""
    BLOCK.write(_markdown(speeds, report))


def _markdown(speeds: Speeds, report: Report) -> str:
    lines = [
        f"One run on {os.cpu_count()} shared cores, compiled for {compiled_for()}, in million RV32 "
        "instructions per\nsecond of the processor, and in brackets as a share of what "
        f"{YARDSTICK} does with the same\nprogram in the same run.",
        "",
        "| | " + " | ".join(speeds) + " |",
        "|---|" + "--:|" * len(speeds),
        *(f"| {' | '.join(row)} |" for row in speed_rows(speeds)),
        "",
        "| target | wanted | measured | wanted is |",
        "|---|--:|--:|---|",
        *(f"| {' | '.join(row)} |" for row in report.rows),
        "",
    ]
    return "\n".join(lines)
