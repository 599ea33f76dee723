# SPDX-License-Identifier: Apache-2.0
"""The screen of a terminal in which a program draws: lines of text, as a person sees them."""

from __future__ import annotations

import fcntl
import struct
import termios
import time

import pyte

from tests.gdbstub.cli.terminal import SECONDS, Terminal

ROWS, COLUMNS = 44, 120


class Screen:
    """The contents of a terminal, by an emulator of it (pyte)."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)
        size = struct.pack("HHHH", ROWS, COLUMNS, 0, 0)
        fcntl.ioctl(terminal._keyboard, termios.TIOCSWINSZ, size)

    def type(self, text: str) -> None:
        """Type it, and Enter."""
        self._terminal.type(f"{text}\n".encode())

    def press(self, keys: bytes) -> None:
        """Press keys."""
        self._terminal.type(keys)

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    def wait_for(self, *wanted: str) -> str:
        """Wait until all of this is on the screen; the whole of it."""
        end = time.monotonic() + SECONDS
        while not all(one in self.text for one in wanted):
            assert self._terminal._read(end), f"waited for {wanted}, and saw\n{self.text}"
            shown, self._terminal.shown = self._terminal.shown, b""
            self._stream.feed(shown)
        return self.text

    def wait_for_no(self, unwanted: str) -> str:
        """Wait until this is not on the screen any more."""
        end = time.monotonic() + SECONDS
        while unwanted in self.text:
            assert self._terminal._read(end), f"{unwanted} stays on\n{self.text}"
            shown, self._terminal.shown = self._terminal.shown, b""
            self._stream.feed(shown)
        return self.text
