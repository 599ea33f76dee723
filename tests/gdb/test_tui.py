# SPDX-License-Identifier: Apache-2.0
"""The window `tensix` of a real GDB's TUI, in a terminal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.examples.tensix.sessions import SESSIONS
from tests.gdb.openings import GDB
from tests.gdb.screen import COLUMNS, ROWS, Screen
from tests.gdbstub.cli.terminal import in_terminal

DOWN = b"\x1bOB"  # of xterm, when a program wants its keypad

pytestmark = pytest.mark.gdb


def test_gates_fifos_and_why(tool: Callable[[str], str], tmp_path: Path) -> None:
    gdb = tool(GDB)
    tool("riscv64-unknown-elf-gcc")
    (hang,) = [session for session in SESSIONS if session.name == "hang"]
    elfs = [f"--elf={hart}={path}" for hart, path in hang.elfs(tmp_path).items()]
    arguments = ["gdb", "--gdb", gdb, *elfs, "--", "-nx"]
    size = {"LINES": str(ROWS), "COLUMNS": str(COLUMNS)}
    with in_terminal(arguments, TERM="xterm", **size) as terminal:
        screen = Screen(terminal)
        screen.wait_for("(gdb)")
        screen.type("layout tensix")
        screen.wait_for("cycle 0", "  T0 unpack  A 0/32  B 0/8  C 0/2  nothing at the gate")
        # A stop draws it anew. The selected thread's gate is marked.
        screen.type("tbreak pack")
        screen.type("continue")
        shown = screen.wait_for("hit Temporary breakpoint", "> T2 pack ")
        assert "cycle 0\n" not in shown
        # So does a command.
        screen.type("thread 3")
        screen.wait_for("> T1 math ")
        screen.type("thread 4")
        screen.type("continue")
        screen.wait_for("_start at crt0.S:38")
        screen.type("continue")
        shown = screen.wait_for("C 2/2  SETDMAREG.Immediate", "by SEMWAIT block=ALL")
        assert "semaphore 1 is 0 until it is posted" in " ".join(shown.replace("x", " ").split())
        # What is too long for the window is scrolled to.
        assert "xNothing to do: B, T0, NC" not in shown
        screen.type("focus tensix")
        screen.wait_for("Focus set to tensix window.")
        for _ in range(12):
            screen.press(DOWN)
        screen.wait_for("xNothing to do: B, T0, NC, T0 unpack, T1 math.")
        screen.wait_for_no("xcycle ")
        # Without a tile it says so.
        screen.type("set confirm off")
        screen.type("kill")
        screen.wait_for("GDB is not attached to a tile of tensix-gdb.")
        screen.type("quit")
        assert terminal.wait_for_end() == 0
