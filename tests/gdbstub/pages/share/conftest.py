# SPDX-License-Identifier: Apache-2.0
"""A hang as a recording, with its source beside the programs, and a recording of four tiles."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from scripts.examples.tensix.sessions import FOLDER, SESSIONS
from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.host.simulator.grid import places_of
from tensix_gdb.gdbstub.tensix.chip.history import RecordedChip
from tensix_gdb.gdbstub.tensix.chip.recording import recorded_chip
from tensix_gdb.gdbstub.tensix.chip.tiles import Tiles
from tests.assembler import asm, image, li
from tests.core.chip.programs import DATA, MARKED, WRITE, at, barrier, request
from tests.gdbstub.pages.web.visit import chromium
from tests.patience import HANG

CYCLES = 300


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def hang(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a hang: its programs, its sources, `run.rec` and `end.core`."""
    folder = tmp_path_factory.mktemp("hang")
    for name in ("hang.c", "tensix.h"):
        shutil.copy(FOLDER / name, folder)
    elfs = SESSIONS[0].elfs(folder)
    programs = [f"--elf={hart.lower()}={path}" for hart, path in elfs.items()]
    end = ["--record-to", str(folder / "run.rec"), "--core", str(folder / "end.core")]
    assert main(["run", *programs, *end]) == 1
    return folder


@pytest.fixture(scope="session")
def quiet(hang: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the recording without reports of races."""
    return shared_file(tmp_path_factory.mktemp("quiet"), hang, "--no-races")


@pytest.fixture(scope="session")
def of_chip(chip: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the recording of four tiles, with an origin."""
    file = tmp_path_factory.mktemp("of chip") / "chip.html"
    place = f"1-3 {DATA + 64:#x}"
    command = ["share", str(chip), "-o", str(file), "--events", "400", "--origin", place]
    assert main(command) == 0
    return file


@pytest.fixture(scope="session")
def bug(hang: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the recording with an origin that was asked for, alone in its folder."""
    return shared_file(tmp_path_factory.mktemp("bug"), hang, "--origin", "gpr T1 4")


def shared_file(folder: Path, hang: Path, *options: str) -> Path:
    """Share the recording; return the file."""
    file = folder / "bug.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tensix_gdb.gdbstub.pages.share.first_origins.SECONDS", HANG, raising=False)
        assert main(["share", str(hang / "run.rec"), "-o", str(file), *options]) == 0
    return file


@pytest.fixture(scope="session")
def chip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of four tiles that write to each other, and read what others write."""
    path = tmp_path_factory.mktemp("chip") / "chip.rec"
    places = places_of("2x2")
    tiles = Chip(places, engine="compiled")
    for number, (place, tile) in enumerate(tiles.tiles.items()):
        words = request(WRITE | MARKED, DATA, at(place), DATA + 64, at(places[number - 1]), 256)
        words += barrier(0)
        words += [*li(10, DATA + 64), asm("lw", rd=11, rs1=10)]  # which another tile writes
        tile.load(B, image([*words, asm("jal", imm=-4 * len(words))], 0))
    recorded = RecordedChip(Tiles(tiles))
    with recorded_chip(tiles, recorded, str(path)) as ending:
        recorded.run(CYCLES)
        ending.append("the host has given up")
    tiles.close()
    return path
