# SPDX-License-Identifier: Apache-2.0
"""README.md's sessions with a host are what the commands and a real GDB show."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.examples.host import sessions
from tensix_gdb.core.explain.instruction.block import MANUAL
from tensix_gdb.gdbstub.demo.transcript import gdb_version
from tests.core.device_print.build import compiler
from tests.programs.build import COMPILER, compiler_version
from tests.tools import find_tool

pytestmark = pytest.mark.gdb


@pytest.fixture(autouse=True)
def _tools() -> None:
    find_tool("gdb-multiarch")
    compiler(find_tool)


def test_files_of_ours_and_of_gdb(tmp_path: Path) -> None:
    sessions.program(tmp_path)
    ours = sessions.console_and_files(tmp_path)
    assert "SYS_OPEN, a semihosting call, and nothing answers it" in ours
    assert "The average is 26.\nB has ended with status 0" in ours
    theirs = sessions.by_gdb(tmp_path)
    assert '"1 2 6\\n"' in theirs
    assert "The average is 3.\n" in theirs
    assert (tmp_path / "average.txt").read_text() == "3"
    assert (tmp_path / "files" / "average.txt").read_text() == "26"


def test_readme_has_these_sessions() -> None:
    if gdb_version() not in (MANUAL / "session.md").read_text("utf-8") or (
        compiler_version() != COMPILER
    ):
        pytest.skip("the session in the manual was made with another GDB or compiler")
    assert sessions.all_that_is_shown() == sessions.BLOCK.read(), f"run `{sessions.BLOCK.maker}`"
