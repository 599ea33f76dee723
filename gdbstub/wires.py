# SPDX-License-Identifier: Apache-2.0
"""Sockets without the event loop, for the moments in which one client alone wants something.

A debugger sends its next packet as soon as it has the answer to the last one. Going through the
event loop for each takes several times as long as answering it. So after an answer a client's next
bytes are waited for here, for LINGER_MILLISECONDS and while no other socket of the server has
anything: then the event loop has its turn, as it has after TURNS packets in any case.
"""

from __future__ import annotations

import select
import socket

LINGER_MILLISECONDS = 1
TURNS = 64


class Ears:
    """Every socket of the server: does anybody want anything?"""

    def __init__(self) -> None:
        # Where a system has none, the event loop does it all.
        self._poll = select.poll() if hasattr(select, "poll") else None

    def add(self, number: int) -> None:
        """Listen to a socket too."""
        if self._poll is not None:
            self._poll.register(number, select.POLLIN)

    def remove(self, number: int) -> None:
        """Its end; before it is closed, because the number is used again."""
        if self._poll is not None:
            self._poll.unregister(number)

    def only(self, number: int) -> bool:
        """Wait a little; has this socket something, and no other?"""
        if self._poll is None:
            return False
        return self._poll.poll(LINGER_MILLISECONDS) == [(number, select.POLLIN)]

    def nobody(self) -> bool:
        """Has no socket anything now?"""
        return self._poll is not None and not self._poll.poll(0)


class Wire:
    """One client's socket, which the event loop has as well: nothing here waits for it."""

    def __init__(self, number: int, ears: Ears) -> None:
        self._number = number
        self._ears = ears
        self._socket: socket.socket | None = socket.socket(fileno=number)
        self._turns = 0
        ears.add(number)

    def receive(self, most: int) -> bytes:
        """What the client sends in the next moment; empty when the event loop has its turn."""
        self._turns += 1
        if self._socket is None or self._turns > TURNS or not self._ears.only(self._number):
            self._turns = 0
            return b""
        try:
            return self._socket.recv(most)
        except OSError:
            return b""  # the event loop meets it again, and knows what to do

    def send(self, data: bytes | bytearray) -> int:
        """Send what fits into the system's buffer; how much it was."""
        if self._socket is None:
            return 0
        try:
            return self._socket.send(data)
        except OSError:
            return 0

    def release(self) -> None:
        """From now on the socket is the event loop's alone, which may close it."""
        if self._socket is not None:
            self._ears.remove(self._number)
            self._socket.detach()
            self._socket = None
