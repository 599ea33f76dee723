# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: the window `tensix` of its TUI. `layout tensix` shows it below the source."""

import textwrap
from typing import Any

import gdb

from gdbstub.inside.commands import selected_thread
from gdbstub.inside.query import ask

NAME = "tensix"
LAYOUT = f"tui new-layout {NAME} src 1 {NAME} 1 status 0 cmd 1"
INDENT = "    "


class Window:
    """The window of the wait gates: what is at each, what holds it, how full the FIFOs are, and why
    nothing moves.

    It is drawn anew before each prompt, so after every stop and every command.
    """

    def __init__(self, window: Any) -> None:
        self._window = window
        self._text: list[str] = []
        self._first = self._left = 0
        window.title = NAME
        gdb.events.before_prompt.connect(self.render)

    def close(self) -> None:
        """Note that the layout has changed: the window is gone."""
        gdb.events.before_prompt.disconnect(self.render)

    def render(self) -> None:
        """Ask the tile, and draw."""
        if not self._window.is_valid():
            return
        try:
            self._text = ask(f"window {selected_thread()}").splitlines()
        except (gdb.error, gdb.GdbError) as problem:
            self._text = [str(problem)]
        self._draw()

    def vscroll(self, count: int) -> None:
        """Scroll lines down, or up if negative: the arrow keys, when the window has the focus."""
        self._first += count
        self._draw()

    def hscroll(self, count: int) -> None:
        """Columns to the right."""
        self._left = max(self._left + count, 0)
        self._draw()

    def _draw(self) -> None:
        if not self._window.is_valid():
            return
        width, height = self._window.width, self._window.height
        lines = [
            part[self._left :]
            for line in self._text
            for part in textwrap.wrap(
                line,
                width + self._left,
                subsequent_indent=INDENT + " " * (len(line) - len(line.lstrip())),
                break_on_hyphens=False,
                drop_whitespace=True,
            )
            or [""]
        ]
        self._first = max(0, min(self._first, len(lines) - height))
        self._window.erase()
        for line in lines[self._first : self._first + height]:
            # A full line wraps by itself.
            self._window.write(line if len(line) == width else f"{line}\n")


def define() -> None:
    """Make GDB know it, if it has a TUI that can be added to (GDB 11 and newer)."""
    if not hasattr(gdb, "register_window_type"):
        return
    try:
        gdb.register_window_type(NAME, Window)
        gdb.execute(LAYOUT, to_string=True)
    except gdb.error:
        pass  # built without a TUI
