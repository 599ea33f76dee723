# SPDX-License-Identifier: Apache-2.0
"""`simulator DIR --gdb`: a GDB in the terminal of a program that loads the library."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.host.library.build import LIBRARY
from tensix_gdb.gdbstub.host.library.terminal import NO_TERMINAL
from tests.gdbstub.cli.terminal import ROOT, in_terminal

# B spins, so GDB has a hart to look at; the host reads a word, and says a line at its end.
HOST = """
import sys
from tests.gdbstub.host.library.host import *
lib = Library(sys.argv[1])
lib.init()
lib.poke(0, (0x6F).to_bytes(4, "little"))
lib.poke(SOFT_RESET, (0x47000).to_bytes(4, "little"))
{body}
lib.exit()
print("the host has ended", flush=True)
while sys.stdin.isatty() and os.tcgetpgrp(0) != os.getpgrp(): pass
print("it read", input(), flush=True)
"""
LOOKS = "for _ in range(20): lib.peek(SOFT_RESET); lib.clock()"
WAITS = "while not os.path.exists(sys.argv[2]): lib.peek(0x100); lib.clock()"


def written(folder: Path) -> Path:
    """A folder of the command, with a GDB."""
    words = ["simulator", str(folder), "--tiles", "1x1", "--port", "0", "--gdb"]
    assert main([*words, "--engine", "reference"]) == 0
    return folder / LIBRARY


@pytest.fixture
def library(tmp_path: Path, tool: Callable[[str], str]) -> Path:
    tool("gdb-multiarch")
    return written(tmp_path / "tiles")


@pytest.mark.parametrize("goes_first", ["gdb", "host"])
def test_gdb_has_the_terminal(library: Path, tmp_path: Path, goes_first: str) -> None:
    """The keys are GDB's, and afterwards the program's; GDB ends with the program."""
    body = LOOKS if goes_first == "gdb" else WAITS
    go = tmp_path / "go"
    command = (sys.executable, "-c", HOST.format(body=body))
    with in_terminal([library, go], command=command, TERM="dumb") as terminal:
        terminal.wait_for(b"(gdb) ")
        terminal.type(b"info threads\n")
        assert b'"B"' in terminal.wait_for(b"(gdb) ")
        terminal.type(b"print/x 0x2a + 1\n")
        terminal.wait_for(b"$1 = 0x2b")
        if goes_first == "gdb":
            terminal.type(b"detach\n")
            terminal.type(b"quit\n")
        else:
            terminal.type(b"continue\n")
            terminal.wait_for(b"Continuing.")
            go.write_text("", encoding="ascii")
        terminal.wait_for(b"the host has ended")
        terminal.type(b"a line\n")
        terminal.wait_for(b"it read a line")
        assert terminal.wait_for_end() == 0


def test_without_a_terminal(library: Path) -> None:
    """A line says so, and the program runs; its first kernel waits for a debugger."""
    done = subprocess.run(
        [sys.executable, "-c", HOST.format(body="lib.peek(0)"), str(library)],
        cwd=ROOT,
        input="a line\n",
        capture_output=True,
        text=True,
        start_new_session=True,
        check=True,
    )
    assert done.stdout == "the host has ended\nit read a line\n"
    attach, said = done.stderr.splitlines()
    assert re.match(r"tensix-gdb: the tile is at port \d+: ", attach)
    assert said == f"tensix-gdb: {NO_TERMINAL}"


def test_no_such_gdb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulator", str(tmp_path), "--gdb", "/nowhere/gdb"]) == 2
    assert "/nowhere/gdb" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
