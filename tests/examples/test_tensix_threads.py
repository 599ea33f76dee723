# SPDX-License-Identifier: Apache-2.0
"""README.md's session with a Tensix thread is what a real GDB shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdbstub.demo.transcript import gdb_version
from scripts.examples.tensix.sessions import run
from scripts.examples.tensix.threads import THREADS, all_that_is_shown, in_readme
from tests.programs.build import COMPILER, ROOT, compiler_version
from tests.tools import find_tool

pytestmark = pytest.mark.gdb


@pytest.mark.parametrize("schedule", ["sc", "latency"])
def test_it_shows_what_it_should(schedule: str, tmp_path: Path) -> None:
    """Not in `random`: no page orders stores to MopCfg before the push of the MOP behind them."""
    find_tool("gdb-multiarch")
    find_tool("riscv64-unknown-elf-gcc")
    shown = run(THREADS, THREADS.elfs(tmp_path), schedule)
    for text in THREADS.shows:
        assert text in shown


def test_readme_has_this_session() -> None:
    find_tool("gdb-multiarch")
    if gdb_version() not in (ROOT / "README.md").read_text("utf-8") or (
        compiler_version() != COMPILER
    ):
        pytest.skip("the session in README.md was made with another GDB or compiler")
    wanted = "run `python -m scripts.examples.tensix.threads`"
    assert all_that_is_shown() == in_readme(), wanted
