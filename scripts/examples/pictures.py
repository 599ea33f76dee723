# SPDX-License-Identifier: Apache-2.0
"""The race of scripts/examples/c10/kernel.c as two pictures: without a wait and with the right one;
and the hang of the README.

`python -m scripts.examples.pictures` draws them, and puts the commands between the marks in the
manual.
"""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from scripts.examples.c10.race import KERNEL
from scripts.examples.tensix.sessions import SESSIONS
from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.gdbstub.cli.main import main as tensix_gdb
from tensix_gdb.gdbstub.pages.picture.state import Picture, take_picture
from tests.programs.build import build

BLOCK = Generated("pictures", "python -m scripts.examples.pictures", MANUAL / "pictures.md")
FOLDER = MANUAL / "pictures"
NAMES = ("no-wait", "wait")
HANG = "hang"
CYCLES, SEEDS = 1000, 1000


def has_passed(picture: Picture) -> bool:
    """True if RDCFG is in its unit and the store has not arrived."""
    unit = next(unit for unit in picture.units if unit.name == "Configuration Unit")
    return unit.last.startswith("RDCFG") and bool(unit.threads) and is_under_way(picture)


def is_held(picture: Picture) -> bool:
    """True if RDCFG is held at its gate by C10."""
    gate = picture.threads[0]
    return gate.gate.startswith("RDCFG") and "C10" in gate.latched and is_under_way(picture)


def is_under_way(picture: Picture) -> bool:
    """True if T0's store was emitted, and not processed."""
    return any("emitted  store" in line and "(C10)" in line for line in picture.harts[1].under_way)


LOOKED_FOR: tuple[Callable[[Picture], bool], ...] = (has_passed, is_held)


def first_cycle(elf: str, execution: Execution, wanted: Callable[[Picture], bool]) -> int | None:
    """The first cycle of an execution in which the tile is as wanted."""
    machine = Machine(engine="reference", schedule=execution)
    with contextlib.closing(machine):
        machine.load(T0, read_elf(elf))
        while not machine.idle() and machine.S.tile.cycle < CYCLES:
            machine.run(1)
            if wanted(take_picture(machine)):
                return int(machine.S.tile.cycle)
    return None


def seen_in_both() -> tuple[Execution, list[int]]:
    """The first seed in which both kernels show what is looked for, and the cycles."""
    for seed in range(1, SEEDS):
        execution = Execution.parse(f"random:{seed}")
        cycles = []
        for name, wanted in zip(NAMES, LOOKED_FOR, strict=True):
            cycle = first_cycle(f"{name}.elf", execution, wanted)
            cycles += [] if cycle is None else [cycle]
        if len(cycles) == len(NAMES):
            return execution, cycles
    raise RuntimeError(f"no seed below {SEEDS} shows it")


def typed(words: list[str]) -> str:
    """A command and what it prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        tensix_gdb(words)
    return f"$ tensix-gdb {' '.join(words)}\n{out.getvalue()}"


def session(folder: Path) -> str:
    """Build and run the kernel twice in `folder`, draw it there; return what was typed."""
    said = ""
    here = Path.cwd()
    os.chdir(folder)
    try:
        for wait, name in enumerate(NAMES):
            build(KERNEL, "T0", folder / f"{name}.elf", defines=(f"WAIT={wait}",))
        execution, cycles = seen_in_both()
        for name, cycle in zip(NAMES, cycles, strict=True):
            words = ["run", "--elf", f"t0={name}.elf", "--schedule", str(execution)]
            said += typed([*words, "--record-to", f"{name}.rec"])
            said += typed(["picture", f"{name}.rec", "--at", str(cycle), "-o", f"{name}.svg"])
        for hart, path in SESSIONS[0].elfs(folder).items():
            path.rename(folder / f"{hart.lower()}.elf")
        # Recorded, so that nothing is kept in the user's cache; the README has what it says.
        typed(["run", "--elf", "t1=t1.elf", "--elf", "t2=t2.elf", "--record-to", f"{HANG}.rec"])
        typed(["picture", f"{HANG}.rec", "-o", f"{HANG}.svg"])
    finally:
        os.chdir(here)
    return f"```\n{said}```\n"


def main() -> None:
    """Write the pictures and the manual."""
    with tempfile.TemporaryDirectory() as name:
        text = session(Path(name))
        for each in (*NAMES, HANG):
            (FOLDER / f"{each}.svg").write_bytes((Path(name) / f"{each}.svg").read_bytes())
    BLOCK.write(text)


if __name__ == "__main__":
    main()
