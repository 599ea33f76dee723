# SPDX-License-Identifier: Apache-2.0
"""The `HostCalls` capability: semihosting calls while clients have the tile.

Text is collected until the end of a slice, where the client that waits is shown it; a slice ends
early when there is much text. With `--semihosting gdb`, and a client that knows the File-I/O
protocol, calls are that client's. The run stops before the call, so nothing has happened yet: a
call that gets no answer is made again when a client resumes the tile.
"""

from __future__ import annotations

from collections.abc import Callable

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.semihosting.asked import Asked
from tensix_gdb.core.semihosting.calls import Calls
from tensix_gdb.gdbstub.tensix.capabilities.file_io import (
    FIRST_OF_OURS,
    Dialogue,
    dialogue,
    is_for_gdb,
)
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory

MAX_TEXT_BYTES = 1 << 16  # bytes that end a slice; the call that wrote them is not cut
MAX_LINE_SLICES = 100  # of a run, in which a line may come to its end: a moment for a person


class ClientConsole:
    """The console of programs, with text for clients. Its input is typed by `monitor`."""

    def __init__(self) -> None:
        self._text = bytearray()
        self._line_slices = 0  # that have found only a part of a line
        self.input = b""
        self.before_stop: Callable[[], None] = lambda: None

    def write(self, stream: int, data: bytes) -> None:
        self._text += data

    def is_full(self) -> bool:
        """True if text has to be taken before the programs continue."""
        return len(self._text) >= MAX_TEXT_BYTES

    def read(self, count: int) -> bytes | None:
        data, self.input = self.input[:count], self.input[count:]
        return data

    def take_text(self, *, stopped: bool) -> bytes:
        """Return what was written since the last time: whole lines, because editors show each piece
        as one line, and the rest where the tile has stopped, when nothing follows for a while, or
        when it is long."""
        if stopped:
            self.before_stop()
        end = len(self._text)
        if not stopped and self._line_slices < MAX_LINE_SLICES:
            end = self._text.rfind(b"\n") + 1
            self._line_slices += 1 if self._text else 0
            if len(self._text) - end >= MAX_TEXT_BYTES:
                end = len(self._text)
        if not end:
            return b""
        data = bytes(self._text[:end])
        del self._text[:end]
        self._line_slices = 0
        return data


class TileCalls:
    """The calls of one tile; `by_gdb` when clients are to answer them."""

    def __init__(
        self, machine: Machine, calls: Calls, console: ClientConsole, *, by_gdb: bool
    ) -> None:
        self._machine = machine
        self._calls = calls
        self._history: TileHistory | None = None
        self.console = console
        self._dialogue: tuple[Asked, Dialogue] | None = None
        self._by_gdb = by_gdb
        self.client_answers = by_gdb
        if by_gdb:
            calls.elsewhere = self._is_elsewhere
            calls.files.first = FIRST_OF_OURS

    def keep_history(self, history: TileHistory) -> None:
        """Note in `history` what a client answers: it is an input."""
        self._history = history

    def ask(self, *, client_can: bool) -> None:
        """Ask the client for which the tile runs from now on, if it can answer."""
        self.client_answers = self._by_gdb and client_can

    def _is_elsewhere(self, asked: Asked) -> bool:
        return self.client_answers and is_for_gdb(asked)

    def begin_call(self) -> str:
        """Return the first request about the call that the run has stopped at; empty when there is
        nothing to ask, and the run may continue."""
        asked = self._machine.host.call()
        self._dialogue = asked, dialogue(asked)
        return self._next_request(None)

    def answered(self, result: int, errno: int) -> str:
        """Return the next request after this result; empty when the call has its answer."""
        return self._next_request((result, errno))

    def _next_request(self, result: tuple[int, int] | None) -> str:
        if self._dialogue is None:
            return ""
        asked, talk = self._dialogue
        try:
            return next(talk) if result is None else talk.send(result)
        except StopIteration as end:
            self._dialogue = None
            self._calls.done(asked, end.value)
            if self._history is not None and self._history.history is not None:
                self._history.history.resume()
            return ""

    def forget_call(self) -> None:
        """Give the call no answer; it is made again."""
        if self._dialogue is not None:
            _, talk = self._dialogue
            self._dialogue = None
            talk.close()
