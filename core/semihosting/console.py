# SPDX-License-Identifier: Apache-2.0
"""The console `:tt`: where a program's text goes, and where its input comes from."""

from __future__ import annotations

from typing import Protocol

OUT, ERROR = 1, 2


class Console(Protocol):
    """A console with two outputs, as a terminal has them."""

    def write(self, stream: int, data: bytes) -> None:
        """Show bytes, of OUT or ERROR."""

    def read(self, count: int) -> bytes | None:
        """Return at most `count` bytes and at least one; empty at the end of the input, and None
        when there may be some later: the call waits, and is made again."""


class Silent:
    """A console without a user: what is written is kept, and there is no input."""

    def __init__(self) -> None:
        self.written: list[tuple[int, bytes]] = []
        self.input = b""

    def write(self, stream: int, data: bytes) -> None:
        self.written.append((stream, data))

    def read(self, count: int) -> bytes | None:
        data, self.input = self.input[:count], self.input[count:]
        return data
