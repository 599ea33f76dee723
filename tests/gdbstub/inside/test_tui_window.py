# SPDX-License-Identifier: Apache-2.0
"""The window `tensix` in a made-up GDB: what is written where."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from tests.gdbstub.inside.made_up_gdb import Error, inside

WIDE, HIGH = 60, 4


class Paper:
    """A window of GDB that keeps what is written."""

    width, height, title = WIDE, HIGH, ""

    def __init__(self) -> None:
        self.text, self.is_there = "", True

    def is_valid(self) -> bool:
        return self.is_there

    def erase(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text


@pytest.fixture
def made() -> Iterator[tuple[Any, Paper, list[Callable[[], None]]]]:
    """The module's window, its paper, and what is called before each prompt."""
    with inside("tui_window") as module:
        called: list[Callable[[], None]] = []
        before = SimpleNamespace(connect=called.append, disconnect=called.remove)
        module.gdb.events = SimpleNamespace(before_prompt=before)
        module.gdb.selected_thread = lambda: SimpleNamespace(ptid=(1, 2, 0), num=2)
        paper = Paper()
        yield module.Window(paper), paper, called


def test_it_is_drawn_before_each_prompt(made: tuple[Any, Paper, list[Any]]) -> None:
    window, paper, called = made
    assert paper.title == "tensix"
    (draw,) = called
    draw()
    lines = paper.text.splitlines()
    assert lines[0] == "cycle 0"
    assert lines[1].startswith("> T0 unpack  A 0/32  B 0/8  C 0/2  ")
    assert len(lines) == HIGH
    assert all(len(line) <= WIDE for line in lines)
    window.close()
    assert called == []


def test_long_lines_are_folded_and_scrolled(made: tuple[Any, Paper, list[Any]]) -> None:
    window, paper, _ = made
    window._text = ["a " * 40, "    held by b " + "c " * 40, "last"]
    window.vscroll(0)
    folded = paper.text.splitlines()
    assert folded[1].startswith("    a a")
    assert folded[3].startswith("        c c")
    window.vscroll(100)
    assert paper.text.splitlines()[-1] == "last"
    window.vscroll(-100)
    assert paper.text.splitlines() == folded
    window.hscroll(6)
    assert paper.text.splitlines()[0].startswith("a a")
    window.hscroll(-9)
    assert paper.text.splitlines() == folded


def test_a_full_line_takes_one_line(made: tuple[Any, Paper, list[Any]]) -> None:
    window, paper, _ = made
    window._text = ["x" * WIDE, "y"]
    window.vscroll(0)
    assert paper.text == "x" * WIDE + "y\n"


def test_problems_are_sentences(made: tuple[Any, Paper, list[Any]]) -> None:
    window, paper, _ = made

    def refuse(question: str) -> str:
        raise Error("GDB is not attached to a tile of tensix-gdb.")

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(window.render.__globals__, "ask", refuse)
        window.render()
    assert paper.text == "GDB is not attached to a tile of tensix-gdb.\n"
    paper.is_there = False
    paper.text = "as before"
    window.render()
    window.vscroll(1)
    assert paper.text == "as before"


def test_a_gdb_without_a_tui() -> None:
    with inside("tui_window") as module:
        module.define()  # it has no register_window_type
        asked: list[str] = []
        module.gdb.register_window_type = lambda name, window: asked.append(name)
        module.gdb.execute = lambda command, to_string: asked.append(command)
        module.define()
        assert asked == ["tensix", "tui new-layout tensix src 1 tensix 1 status 0 cmd 1"]

        def refuse(*_: object, **__: object) -> None:
            raise module.gdb.error("no TUI")

        module.gdb.register_window_type = refuse
        module.define()
