# SPDX-License-Identifier: Apache-2.0
"""The server's lines: they go where the host's standard error goes, which may be a full disk.

A line that cannot be written is lost. The server continues without it, as the host has its results
from there.
"""

from __future__ import annotations

import io
import logging
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class Lossy(io.FileIO):
    """A file to which writes always succeed."""

    def write(self, data: ReadableBuffer) -> int:
        try:
            return super().write(data) or 0
        except OSError:
            return len(memoryview(data).cast("B"))


def lose_what_cannot_be_written() -> None:
    """Let standard output, standard error and the log be such files."""
    sys.stdout, sys.stderr = _lines(sys.stdout.fileno()), _lines(sys.stderr.fileno())
    for handler in logging.getLogger().handlers:
        if isinstance(handler, logging.StreamHandler):
            handler.setStream(sys.stderr)


def _lines(descriptor: int) -> io.TextIOWrapper:
    buffered = io.BufferedWriter(Lossy(descriptor, "w", closefd=False))
    return io.TextIOWrapper(buffered, "utf-8", "replace", line_buffering=True)
