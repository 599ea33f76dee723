# SPDX-License-Identifier: Apache-2.0
"""README.md's sessions with Tensix threads, lanes and back in time are what a real GDB shows."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scripts.examples.tensix import back, lanes, threads
from scripts.examples.tensix.sessions import Session, SessionPage, run
from tensix_gdb.core.explain.instruction.block import MANUAL
from tensix_gdb.gdbstub.demo.transcript import gdb_version
from tests.gdb.inside.wordings import says
from tests.programs.build import COMPILER, compiler_version
from tests.tools import find_tool

pytestmark = pytest.mark.gdb

SCHEDULES = ("sc", "latency", "random:3")
PAGES = (back.PAGE, lanes.PAGE, threads.PAGE)
RUNS = [(page.session, schedule) for page in PAGES for schedule in SCHEDULES]


@pytest.fixture(autouse=True)
def _tools() -> None:
    find_tool("gdb-multiarch")
    find_tool("riscv64-unknown-elf-gcc")


@pytest.mark.parametrize(("session", "schedule"), RUNS, ids=lambda one: getattr(one, "name", one))
def test_it_shows_what_it_should(session: Session, schedule: str, tmp_path: Path) -> None:
    shown = run(session, session.elfs(tmp_path), schedule)
    for text in session.shows:
        assert says(shown, text), text


def test_dst_against_a_file(tmp_path: Path) -> None:
    """The last store has 32 lanes in the even columns; one is different in the file."""
    values = [0.0] * 64
    for lane in range(32):
        values[lane // 8 * 16 + 2 * (lane % 8)] = abs(abs(2.0 * lane - 20) - 20)
    values[18] = 17.0
    path = tmp_path / "wanted.bin"
    path.write_bytes(struct.pack("<64f", *values))
    commands = ("continue", f"tensix-dst-diff {path}", f"tensix-dst-diff {path} bf16 40")
    shown = run(replace(lanes.LANES, commands=commands), lanes.LANES.elfs(tmp_path))
    assert "row 1 column 2: 18 (0x41900000), in the file 17 (0x41880000)" in shown
    assert "1 of 64 datums differ" in shown
    assert "of 128 datums differ" in shown


def test_an_array_into_dst_and_no_module_left_behind(tmp_path: Path) -> None:
    """GDB's Python may have a user's own `core`: the command's imports leave none."""
    path = tmp_path / "in.npy"
    np.save(path, np.arange(1024.0).reshape(32, 32))
    integers = tmp_path / "row.bin"
    np.array([*range(15), -1], "i4").tofile(integers)
    commands = (
        *("continue", f"tensix-dst-load {path} fp32 64", "monitor dst 80 --format fp32"),
        *(f"tensix-dst-diff {path} fp32 64", f"tensix-dst-diff {path} fp32 64 rows"),
        *(f"tensix-dst-load {path} int32 256", f"tensix-dst-diff {integers} int32 256 rows"),
        f"tensix-dst-diff {integers} bfp8",
        "python import sys; print('core' in sys.modules)",
    )
    shown = run(replace(lanes.LANES, commands=commands), lanes.LANES.elfs(tmp_path))
    assert "32x32 numbers as fp32 in rows 64 to 127 of Dst" in shown
    # The first row of the second face.
    assert " ".join(shown.split("Dst32b as fp32")[1].split()[17:34]) == "80 " + " ".join(
        map(str, range(16, 32))
    )
    assert "0 of 1024 datums differ" in shown
    # In the first and the last row of each face the file has other numbers row by row.
    assert "row 65 column 0: 32 (0x42000000), in the file 16 (0x41800000)" in shown
    assert "row 256 column 15: 15 (0x0000000f), in the file -1 (0x80000001)" in shown
    assert "'bfp8' is none of fp32, bf16, fp16, int32, " in shown
    assert shown.rstrip().endswith("False")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.block.name)
def test_readme_has_this_session(page: SessionPage) -> None:
    if gdb_version() not in (MANUAL / "session.md").read_text("utf-8") or (
        compiler_version() != COMPILER
    ):
        pytest.skip("the session in the manual was made with another GDB or compiler")
    assert page.shown() == page.block.read(), f"run `{page.block.maker}`"
