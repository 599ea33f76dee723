# SPDX-License-Identifier: Apache-2.0
"""README.md's session back in time is what a real GDB shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdbstub.demo.transcript import gdb_version
from scripts.examples.tensix.back import BACK, all_that_is_shown, in_readme
from scripts.examples.tensix.sessions import run
from tests.programs.build import COMPILER, ROOT, compiler_version
from tests.tools import find_tool

pytestmark = pytest.mark.gdb


@pytest.mark.parametrize("schedule", ["sc", "latency", "random:3"])
def test_it_shows_what_it_should(schedule: str, tmp_path: Path) -> None:
    find_tool("gdb-multiarch")
    find_tool("riscv64-unknown-elf-gcc")
    shown = run(BACK, BACK.elfs(tmp_path), schedule)
    for text in BACK.shows:
        assert text in shown


def test_readme_has_this_session() -> None:
    find_tool("gdb-multiarch")
    if gdb_version() not in (ROOT / "README.md").read_text("utf-8") or (
        compiler_version() != COMPILER
    ):
        pytest.skip("the session in README.md was made with another GDB or compiler")
    wanted = "run `python -m scripts.examples.tensix.back`"
    assert all_that_is_shown() == in_readme(), wanted
