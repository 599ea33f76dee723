# SPDX-License-Identifier: Apache-2.0
"""`tensix why` in GDB's terminal quotes the lines that it names, as `tensix-gdb run` does."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from scripts.examples.tensix.sessions import FOLDER, SESSIONS
from tests.gdbstub.cli.terminal import in_terminal
from tests.tools import find_tool

SCRIPT = """set pagination off
set confirm off
set style enabled {style}
continue
continue
echo asked\\n
tensix why
kill
quit
"""


@pytest.mark.gdb
@pytest.mark.long("tests/gdbstub/cli/test_quoted.py quotes outside of GDB")
@pytest.mark.parametrize(
    ("term", "is_quoted", "style"),
    [("xterm", True, "off"), ("xterm", True, "on"), ("dumb", False, "on")],
)
def test_why_quotes(tmp_path: Path, term: str, is_quoted: bool, style: str) -> None:
    find_tool("gdb-multiarch")
    for name in ("hang.c", "tensix.h"):
        shutil.copy(FOLDER / name, tmp_path)
    programs = [f"--elf={hart.lower()}={elf}" for hart, elf in SESSIONS[0].elfs(tmp_path).items()]
    script = tmp_path / "script.gdb"
    script.write_text(SCRIPT.format(style=style))
    arguments = ["gdb", *programs, "--", "-x", script]
    with in_terminal(arguments, TERM=term, COLUMNS="120", size=(50, 120)) as terminal:
        assert terminal.wait_for_end() == 0
    said = terminal.shown.decode().partition("asked\r\n")[2]
    is_coloured = is_quoted and style == "on"
    for coloured in ("\x1b[31mT2 pack\x1b[m: SETDMAREG held", "\x1b[1mhang.c:26\x1b[m"):
        assert (coloured in said) == is_coloured
    assert ("\x1b[1;31m      |     ^~~~" in said) == is_coloured
    said = re.sub(r"\x1b\[[\d;]*m", "", said)
    assert "semaphore 1 is 0 until it is posted" in said.replace("\r\n", "")
    assert ("    SEMWAIT_WHILE_0(S1);" in said) == is_quoted
    assert ("^~~~~~~~~~~~" in said) == is_quoted
