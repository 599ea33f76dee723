# SPDX-License-Identifier: Apache-2.0
"""The host's memory by its callbacks, which its process runs while it waits in a call."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic

from tensix_gdb.gdbstub.host.library.channel import BLOCK_BYTES, Channel

log = logging.getLogger(__name__)

ANSWER_SECONDS = 10
LOOK_SECONDS = 0.05
LOST = "what is read from its memory is zero, what is written there is lost"


class CallbackMemory:
    """Reads and writes memory of the host's process. `has_gone` is True when that has ended."""

    def __init__(self, channel: Channel, has_gone: Callable[[], bool]) -> None:
        self._channel, self._has_gone = channel, has_gone
        self._lost = False
        self.has_written = False  # a caller that waits for it sets it to False
        self.is_asked = False  # it has been, once

    def read_host(self, addr: int, size: int, chip: int = 0) -> bytes:
        """Return its bytes; zeros, and a line in the log, if it does not answer."""
        found = bytearray()
        while len(found) < size:
            at, part = addr + len(found), min(BLOCK_BYTES, size - len(found))
            data = self._answer(lambda: self._channel.ask_to_read(at, part, chip))  # noqa: B023
            found += self._channel.block(part) if data else bytes(part)
        return bytes(found)

    def write_host(self, addr: int, data: bytes, chip: int = 0) -> None:
        """Write to it."""
        self.has_written = True
        for start in range(0, len(data), BLOCK_BYTES):
            part = data[start : start + BLOCK_BYTES]
            self._answer(lambda: self._channel.ask_to_write(addr + start, part, chip))  # noqa: B023

    def _answer(self, ask: Callable[[], None]) -> bool:
        """Ask, and wait until the host has done it; False if it does not."""
        self.is_asked = True
        if self._lost:
            return False
        ask()
        patience = monotonic() + ANSWER_SECONDS
        while not self._channel.is_answered(LOOK_SECONDS):
            gone = self._has_gone()
            if gone or monotonic() > patience:
                self._lost = gone
                log.warning("the host %s: %s", "has gone" if gone else "does not answer", LOST)
                return False
        return True
