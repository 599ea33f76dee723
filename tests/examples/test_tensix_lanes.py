# SPDX-License-Identifier: Apache-2.0
"""README.md's session with the Vector Unit is what a real GDB shows."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path

import pytest

from gdbstub.demo.transcript import gdb_version
from scripts.examples.tensix.lanes import LANES, all_that_is_shown, in_readme
from scripts.examples.tensix.sessions import run
from tests.programs.build import COMPILER, ROOT, compiler_version
from tests.tools import find_tool

pytestmark = pytest.mark.gdb


@pytest.mark.parametrize("schedule", ["sc", "latency", "random:3"])
def test_it_shows_what_it_should(schedule: str, tmp_path: Path) -> None:
    find_tool("gdb-multiarch")
    find_tool("riscv64-unknown-elf-gcc")
    shown = run(LANES, LANES.elfs(tmp_path), schedule)
    for text in LANES.shows:
        assert text in shown


def test_dst_against_a_file(tmp_path: Path) -> None:
    """The last store has 32 lanes in the even columns; one is different in the file."""
    find_tool("gdb-multiarch")
    find_tool("riscv64-unknown-elf-gcc")
    values = [0.0] * 64
    for lane in range(32):
        values[lane // 8 * 16 + 2 * (lane % 8)] = abs(abs(2.0 * lane - 20) - 20)
    values[18] = 17.0
    path = tmp_path / "wanted.bin"
    path.write_bytes(struct.pack("<64f", *values))
    commands = ("continue", f"tensix-dst-diff {path}", f"tensix-dst-diff {path} bf16 40")
    shown = run(replace(LANES, commands=commands), LANES.elfs(tmp_path))
    assert "row 1 column 2: 18 (0x41900000), in the file 17 (0x41880000)" in shown
    assert "1 of 64 datums differ" in shown
    assert "of 128 datums differ" in shown


def test_readme_has_this_session() -> None:
    find_tool("gdb-multiarch")
    if gdb_version() not in (ROOT / "README.md").read_text("utf-8") or (
        compiler_version() != COMPILER
    ):
        pytest.skip("the session in README.md was made with another GDB or compiler")
    wanted = "run `python -m scripts.examples.tensix.lanes`"
    assert all_that_is_shown() == in_readme(), wanted
