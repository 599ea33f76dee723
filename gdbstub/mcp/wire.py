# SPDX-License-Identifier: Apache-2.0
"""Lines on standard input and output, without threads.

A thread that waits for a line of input cannot be cancelled, so a server with one would outlive
Ctrl-C until its client closes the pipe. Here trio waits, for both directions.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import trio

from tensix_gdb.gdbstub.usage import UsageError

PIECE = 1 << 16
ATOMIC = 512  # bytes that a pipe takes at once when it is ready (PIPE_BUF is at least that)
MAX_LINE = 4 << 20


class Lines:
    """Lines of a descriptor, as an asynchronous file has them."""

    def __init__(self, number: int) -> None:
        self._number = number

    async def __aiter__(self) -> AsyncIterator[str]:
        kept = bytearray()
        while True:
            await _ready(self._number, trio.lowlevel.wait_readable)
            piece = os.read(self._number, PIECE)
            if not piece:
                return
            kept += piece
            *lines, rest = kept.split(b"\n")
            for line in lines:
                yield line.decode("utf-8", "replace")
            kept = bytearray(rest)
            if len(kept) > MAX_LINE:
                raise UsageError(f"the client's message has more than {MAX_LINE >> 20} MiB")


class Output:
    """A descriptor to write to."""

    def __init__(self, number: int) -> None:
        self._number = number

    async def write(self, text: str) -> None:
        """Write all of it."""
        left = memoryview(text.encode())
        while left:
            await _ready(self._number, trio.lowlevel.wait_writable)
            left = left[os.write(self._number, left[:ATOMIC]) :]

    async def flush(self) -> None:
        """Keep nothing back."""


async def _ready(number: int, wait: object) -> None:
    """Wait for a descriptor; a file is always ready, and the system refuses to wait for it."""
    try:
        await wait(number)  # type: ignore[operator]
    except PermissionError:
        await trio.lowlevel.checkpoint()


@contextmanager
def own_streams() -> Iterator[tuple[int, int]]:
    """Standard input and output for the messages alone: what else is printed goes to standard
    error."""
    kept = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    try:
        os.dup2(null, 0)
        os.dup2(2, 1)
        yield kept
    finally:
        os.close(null)
        for number, own in enumerate(kept):
            os.dup2(own, number)
            os.close(own)
