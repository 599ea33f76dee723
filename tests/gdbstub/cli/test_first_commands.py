# SPDX-License-Identifier: Apache-2.0
"""The first commands of a newcomer, in a terminal with nothing set: no line is wider than it, no
control sequence is shown as text, and no command ends in a traceback."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.gdbstub.cli.terminal import in_terminal
from tests.programs.build import DEMO

COMMANDS = {
    "run": ["run", "--dir", DEMO, "--until", "publish"],
    "manual": ["manual"],
    "chapter": ["manual", "kernel"],
    "word": ["manual", "SFPMAD"],
    "explain": ["explain", "--config", "pack", "bf16"],
}
CONTROL = re.compile(r"\x1b\[[?\d;]*[A-Za-z]|\x1b[=>]")


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("command", COMMANDS)
def test_in_a_terminal(command: str, columns: int, tmp_path: Path) -> None:
    environment = {"PATH": os.defpath, "HOME": str(tmp_path), "TERM": "xterm-256color"}
    with in_terminal(
        COMMANDS[command], inherits=False, size=(24, columns), **environment
    ) as terminal:
        if command == "chapter":
            terminal.wait_for(b"kernel")
            terminal.type(b"q")
        assert terminal.wait_for_end() == 0
        shown = CONTROL.sub("", terminal.shown.decode())
    assert "Traceback" not in shown
    assert "\x1b" not in shown
    assert "ESC" not in shown
    lines = re.split(r"[\r\n]+", shown)
    assert max(map(len, lines)) <= columns
