# SPDX-License-Identifier: Apache-2.0
"""A public report of a bug, re-created in a small kernel.

number      where it is: its sentences are not repeated here
edits       of the kernel that `tensix-gdb new` writes; or `files`, programs of their own
command     the one that a person types
guilty      what is in the line that has to be named, and in no other one
right       how the first of the causes names it, with PLACE for the line
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.examples.planted.planting import Edit, edited, typed
from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.program.elf import Image, read_elf
from tensix_gdb.core.race.findings import Access
from tensix_gdb.gdbstub.kernels.places import FOLDER
from tensix_gdb.gdbstub.kernels.project import FILES, RUN
from tensix_gdb.gdbstub.order.report.known import judge
from tensix_gdb.gdbstub.order.report.located import located
from tensix_gdb.gdbstub.order.report.run_text import all_lines
from tests.gdbstub.tensix.chip.test_target import client_of, monitor

TEMPLATE = "add.c"
ORIGIN = f"tensix-gdb origin --dir build {' '.join(FILES[:-1])}"
DIAGNOSE = f"tensix-gdb diagnose --dir build {' '.join(FILES)}"
DIFF = f"{ORIGIN} --diff 0x41000=sum.npy:bf16"
ONE = "tensix-gdb run --dir build --max-cycles 30000"
LEAKS, INIT, RACES = f"{RUN} --check leaks", f"{RUN} --check init", f"{RUN} --races"


@dataclass(frozen=True, slots=True)
class Report:
    """One of them."""

    number: str  # `tt-metal#53756`
    what: str  # in few words
    command: str
    guilty: str
    right: str
    edits: Sequence[Edit] = ()
    files: Sequence[tuple[str, str]] = ()  # names that say the hart, and texts

    @property
    def id(self) -> str:
        """`tt-metal-53756`."""
        return re.sub(r"\W+", "-", self.number)

    def kernel(self) -> dict[str, str]:
        """The sources."""
        if self.files:
            return dict(self.files)
        return {TEMPLATE: edited(self.number, template(), self.edits)}

    @property
    def place(self) -> str:
        """`add.c:83`."""
        found = [
            f"{Path(name).name}:{number}"
            for name, text in self.kernel().items()
            for number, line in enumerate(text.splitlines(), 1)
            if self.guilty in line
        ]
        (place,) = found
        return place

    def output(self, folder: Path) -> str:
        """Build the kernel and type the command; return what it prints."""
        return output_of(self.kernel(), self.command, folder)

    def is_in(self, output: str) -> bool:
        """True if an output has the right answer."""
        return re.search(self.right.replace("PLACE", re.escape(self.place)), output) is not None


def template() -> str:
    """The kernel without edits."""
    return (FOLDER / "template" / TEMPLATE).read_text("utf-8")


def output_of(kernel: Mapping[str, str], command: str, folder: Path) -> str:
    """Build a kernel and type a command; return what it prints."""
    project = folder / "mine"
    typed(f"tensix-gdb new {project}", folder)
    for name, text in kernel.items():
        (project / name).write_text(text, "utf-8")
    typed(f"tensix-gdb build {' '.join(kernel)} --sfpi none", project)
    return typed(command, project)


NEAR, FAR = (1, 2), (2, 2)  # places of tiles
CYCLES = 20_000


@dataclass(frozen=True, slots=True)
class OnTiles(Report):
    """The same on two tiles: a file is `near/nc.c` or `far/b.c`; `command` is one of `monitor`, or
    `races` for the reports of both, as `ttnn` has them."""

    def output(self, folder: Path) -> str:
        """Build the programs, run them on a chip of two tiles; return what GDB is told."""
        chip = Chip((NEAR, FAR), engine="compiled")
        try:
            for name, text in self.kernel().items():
                place = NEAR if name.startswith("near") else FAR
                file = folder / name
                file.parent.mkdir(exist_ok=True)
                file.write_text(text, "utf-8")
                out, hart = file.with_suffix(""), file.stem
                typed(f"tensix-gdb build --{hart} {file} -o {out} --sfpi none", folder)
                program = read_elf(out / f"{hart}.elf")
                chip.tiles[place].load(HART_NAMES.index(hart.upper()), program)
            chip.observe_races()
            client = client_of(chip)
            chip.run(CYCLES)
            return races_of(chip) if self.command == "races" else monitor(client, self.command)
        finally:
            chip.close()


def races_of(chip: Chip) -> str:
    """Return the reports of all tiles."""
    names = {f"tile {place}": tile for place, tile in chip.tiles.items()}

    def elsewhere(access: Access) -> Image | None:
        there = names.get(access.outside)
        return there and there.places.image(access.hart, access.pc)

    lines: list[str] = []
    for tile in chip.tiles.values():
        findings = tile.races()
        found = judge(findings, located(findings, tile.places, elsewhere))
        lines += all_lines(found, tile.places)
    return "\n".join(lines)
