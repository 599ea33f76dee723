# SPDX-License-Identifier: Apache-2.0
"""The run of a failed test again: command lines that begin it, and the recording that `run` keeps.

Recording each test would make each of its steps slower, so the run is made once more, recorded,
with the programs and the arrays that the test put into L1 before the first cycle. A test that
changed the tile in another way has had another run: then nothing is kept.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tensix_gdb.core.arch.blackhole import L1_BYTES, B
from tensix_gdb.core.engine.reference import ReferenceEngine
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.recording.file import write_recording
from tensix_gdb.core.recording.steps import Progress
from tensix_gdb.core.tiles.tile import to_l1
from tensix_gdb.gdbstub.cli.kept import Keep, keeping, runs_folder
from tensix_gdb.gdbstub.tensix.output.recording import own_version
from tensix_gdb.gdbstub.usage import HARTS

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.testing.tile import Tile

MOST_CYCLES = 10_000_000  # of a run that is made once more
SLICE = 1 << 16  # cycles between two looks at whether the engine has moved up


def gdb_command(tile: Tile, inputs: Path) -> str:
    """`tensix-gdb gdb` with the tile's programs, schedule and inputs; empty without a program.

    Arrays that the test wrote before the first cycle are written to files in `inputs`. What else a
    test changes from outside is in no option.
    """
    return _command("gdb", tile, inputs)


def diagnose_command(tile: Tile, inputs: Path) -> str:
    """`tensix-gdb diagnose` with the same, and the array that the test expected in vain."""
    words = []
    unmet = tile.l1.unmet
    if unmet is not None:
        inputs.mkdir(parents=True, exist_ok=True)
        words.append(unmet.option(_shown(inputs / "expected.npy")))
    elif tile.stop is None:
        words.append(f"--max-cycles={max(int(tile.machine.S.tile.cycle), 1)}")
    return _command("diagnose", tile, inputs, words)


def keep_run(tile: Tile) -> list[str]:
    """Keep the run of a tile so far; return what there is to say."""
    if runs_folder() is None:
        return []
    with TemporaryDirectory() as folder:
        unmet = tile.l1.unmet
        option = unmet.option(Path(folder) / "expected.npy") if unmet is not None else ""
        expected = [option.partition("=")[2]] if option else []
        return _again(tile, lambda machine: keeping(machine, is_wanted=True, expected=expected))


def record_run(tile: Tile, path: Path) -> bool:
    """Write the recording of the run of a tile so far; False if it cannot be made again."""

    @contextmanager
    def recording(machine: Machine) -> Iterator[Keep]:
        recorder = machine.start_recording()

        def keep(ending: str) -> list[str]:
            with path.open("wb") as out:
                write_recording(out, recorder, machine, own_version(), ending)
            return [str(path)]

        yield keep

    return bool(_again(tile, recording))


def _again(tile: Tile, recording: Callable[[Machine], AbstractContextManager[Keep]]) -> list[str]:
    """Make the run once more, recorded, and keep it if it is the same; what there is to say."""
    cycles = tile.cycle
    programs = [hart for hart in tile.harts if hart.program is not None]
    if not programs or not 0 < cycles <= MOST_CYCLES:
        return []
    ours = tile.machine
    engine = "reference" if isinstance(ours.engine, ReferenceEngine) else "auto"
    with closing(Machine(engine=engine, schedule=ours.execution, arch=ours.arch)) as machine:
        for hart in programs:
            assert hart.program is not None
            machine.load(hart.number, hart.program.image)
        for one in tile.l1.inputs:
            if one.cycle == 0:
                machine.poke(B, one.addr, to_l1(one.format, one.array, one.by_rows))
        ending = tile.stop.text if tile.stop is not None else f"the test fails in cycle {cycles}"
        with recording(machine) as keep:
            is_same = any(_is_as(ours, machine) for _ in _up_to(machine, cycles))
            return keep(ending) if is_same else []


def _up_to(machine: Machine, cycles: int) -> Iterator[None]:
    """Run to a cycle, and through it: a breakpoint stops a tile in the middle of one."""
    for end in (cycles, cycles + 1):
        while (here := Progress.of(machine.S)).cycle < end:
            for hart in range(len(HARTS)):
                if not machine.S.hart.paused[hart]:
                    machine.resume_from(hart)
            machine.engine.poll()
            machine.run(min(SLICE, end - here.cycle))
            if Progress.of(machine.S) == here:
                break
        yield


def _is_as(one: Machine, other: Machine) -> bool:
    """True if two tiles have come equally far, but for the rest of a cycle, to the same L1."""
    a, b = Progress.of(one.S), Progress.of(other.S)
    is_near = abs(a.executed - b.executed) <= len(HARTS) and abs(a.cycle - b.cycle) <= 1
    return is_near and one.peek(B, 0, L1_BYTES) == other.peek(B, 0, L1_BYTES)


def _command(name: str, tile: Tile, inputs: Path, more: Sequence[str] = ()) -> str:
    words = ["tensix-gdb", name]
    for hart, letters in zip(tile.harts, HARTS, strict=True):
        if hart.program is not None:
            words.append(f"--elf={letters}={_shown(hart.program.image.path)}")
    if len(words) == 2:
        return ""
    words.append(f"--schedule={tile.machine.execution}")
    if tile.machine.S.tile.chip:
        words.append("--arch=wormhole")
    given = [one for one in tile.l1.inputs if one.cycle == 0]
    if given:
        inputs.mkdir(parents=True, exist_ok=True)
    words += [one.option(_shown(inputs / f"{i}.npy")) for i, one in enumerate(given)]
    return shlex.join([*words, *more])


def _shown(path: Path) -> Path:
    """Return a path as a person would type it: from here, if it is below."""
    here = Path.cwd()
    path = Path(os.path.abspath(path))
    return path.relative_to(here) if path.is_relative_to(here) else path
