# SPDX-License-Identifier: Apache-2.0
"""The output of a tile's programs and their requests to the host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.protocol.rsp.framing import PACKET_SIZE
from tensix_gdb.gdbstub.protocol.target import Target

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.protocol.session.protocol import ServedClient

MAX_TEXT = PACKET_SIZE // 2 - 1  # bytes of a program's text in one packet


class HostSide:
    """The console and the calls of a target, as far as it has them."""

    def __init__(self, target: Target) -> None:
        self._console = target.console
        self._calls = target.calls

    def show_text(self, sessions: Sequence[ServedClient], *, stopped: bool = False) -> None:
        """Show what programs have written to the clients that wait; all of it where the target has
        stopped."""
        text = b"" if self._console is None else self._console.take_text(stopped=stopped)
        for start in range(0, len(text), MAX_TEXT):
            for session in sessions:
                session.show(text[start : start + MAX_TEXT])

    def ask(self, driver: ServedClient | None) -> None:
        """Let programs ask this client, if it can answer: LLDB knows no requests."""
        if self._calls is not None and driver is not None:
            self._calls.ask(client_can=not driver.features.thread_suffix)

    def ask_no_client(self) -> None:
        """Let programs ask no client."""
        if self._calls is not None:
            self._calls.ask(client_can=False)

    def answered(self, result: int, errno: int) -> str:
        """Give the last request its answer; return the next one, empty when the target may go
        on."""
        return "" if self._calls is None else self._calls.answered(result, errno)

    def forget_call(self) -> None:
        """Give the request no answer: the program asks again when it continues."""
        if self._calls is not None:
            self._calls.forget_call()
