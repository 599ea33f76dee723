# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb manual TOPIC`: what a person sees in a terminal, and what a pipe gets."""

from __future__ import annotations

import os
from pathlib import Path

import pyte
import pytest

from tensix_gdb.gdbstub import manual
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.cli.terminal.narrow import narrowed
from tensix_gdb.gdbstub.cli.terminal.pager import Pager, chosen
from tests.gdbstub.cli.terminal import in_terminal
from tests.tools import find_tool

LINES, COLUMNS = 24, 80


def first_screen(home: Path, shown: bytes, **environment: str) -> pyte.Screen:
    """The terminal when it has shown this, of a person who has set these variables alone."""
    find_tool("less")
    screen = pyte.Screen(COLUMNS, LINES)
    with in_terminal(
        ["manual", "kernel"], inherits=False, size=(LINES, COLUMNS),
        PATH=os.environ["PATH"], HOME=str(home), TERM="xterm-256color", **environment,
    ) as terminal:  # fmt: skip
        seen = terminal.wait_for(shown) + shown
        pyte.ByteStream(screen).feed(seen)
        terminal.type(b"q")
        assert terminal.wait_for_end() == 0
    return screen


@pytest.mark.parametrize(
    "environment",
    [{}, {"LESS": "-S"}, {"PAGER": "less"}, {"PAGER": "less -S"}, {"LESS": "M"}],
    ids=str,
)
def test_a_chapter_in_a_terminal(tmp_path: Path, environment: dict[str, str]) -> None:
    screen = first_screen(tmp_path, b"sfpi --install", **environment)
    text = "\n".join(screen.display)
    assert "Your own kernel" in text
    assert "ESC" not in text
    cells = [cell for row in screen.buffer.values() for cell in row.values()]
    assert any(cell.fg != "default" or cell.bold for cell in cells)  # with its colours
    assert "<E2>" not in text


def test_another_pager_gets_plain_text(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    with in_terminal(
        ["manual", "kernel"], PAGER=f"tee {plain} >/dev/null", TERM="xterm"
    ) as terminal:
        assert terminal.wait_for_end() == 0
    text = plain.read_text("utf-8")
    assert "Your own kernel" in text
    assert "\x1b" not in text


def test_a_pager_that_is_not_there(tmp_path: Path) -> None:
    with in_terminal(["manual", "kernel"], PAGER="no-such-pager", TERM="xterm") as terminal:
        terminal.wait_for(b"Your own kernel")
        assert terminal.wait_for_end() == 0


@pytest.mark.parametrize(
    ("environment", "pager"),
    [
        ({"TERM": "xterm", "PAGER": "/usr/bin/less -F"}, Pager("/usr/bin/less -R -F", True)),
        ({"TERM": "xterm", "PAGER": "most"}, Pager("most", False)),
        ({"TERM": "xterm", "PAGER": "cat"}, Pager("cat", True)),
        ({"TERM": "xterm", "PATH": "/nowhere"}, None),
        ({"TERM": "dumb", "PAGER": "less"}, None),
        ({}, None),
    ],
)
def test_the_pager(environment: dict[str, str], pager: Pager | None) -> None:
    assert chosen(environment) == pager


@pytest.mark.parametrize("topic", manual.TOPICS)
def test_a_pipe_gets_lines_of_80(topic: str) -> None:
    """But for what is typed or printed, and tables with long names. No word is lost."""
    text = manual.text_of(topic)
    lines = narrowed(text, 80).splitlines()
    fenced = False
    for line in lines:
        fenced ^= line.startswith("```")
        is_text = not fenced and not line.startswith(("    ", "|", "#"))
        assert len(line) <= 80 or not is_text or " " not in line.strip(), line
    assert sorted(_words("\n".join(lines))) == sorted(_words(text))
    assert narrowed(text, 1000) == text


def _words(text: str) -> list[str]:
    return [word for word in text.split() if word.strip("|-:")]


def test_a_pipe_has_the_width_of_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    widths = {}
    for columns in ("", "60", "120", "0", "wide"):
        monkeypatch.setenv("COLUMNS", columns)
        assert main(["manual", "io"]) == 0
        text = capsys.readouterr().out.partition("```")[0]  # before what was printed
        prose = [line for line in text.splitlines() if line[:1].isalpha()]
        widths[columns] = max(map(len, prose))
    assert widths[""] == widths["0"] == widths["wide"] <= 80
    assert 40 < widths["60"] <= 60
    assert 80 < widths["120"] <= 120
