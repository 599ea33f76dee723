# SPDX-License-Identifier: Apache-2.0
"""Copy and compare records by the pages of theirs that were ever touched.

A record has tens of megabytes, most of them tables for which a vector has no use: there the system
has no page yet, and its bytes are zeros (core/record/record.py). mincore(2) says where that is so.
Where the system swaps, a page that it does not have in memory may have content: then all are taken.
"""

from __future__ import annotations

import ctypes
import mmap
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mincore.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p)
_libc.memcmp.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
_RUN = re.compile(rb"[^\0]+")


def copy(to: int, source: int, size: int) -> None:
    """`size` bytes from one page-aligned address to another."""
    there = _resident(source, size)
    for start, end in _runs(_resident(to, size), size):
        # What only the target has: zeros, and the source is not to get a page for that.
        ctypes.memset(to + start, 0, end - start)
    for start, end in _runs(there, size):
        ctypes.memmove(to + start, source + start, end - start)


def equal(one: int, other: int, size: int) -> bool:
    """Are the `size` bytes at two page-aligned addresses the same?"""
    left, right = _resident(one, size), _resident(other, size)
    either = int.from_bytes(left, "little") | int.from_bytes(right, "little")
    both = either.to_bytes(len(left), "little")
    return all(
        _libc.memcmp(one + start, other + start, end - start) == 0
        for start, end in _runs(both, size)
    )


def _resident(address: int, size: int) -> bytes:
    """A byte for each page: 0 where there is none."""
    found = ctypes.create_string_buffer(-(-size // mmap.PAGESIZE))
    if _swaps() or _libc.mincore(address, size, found):
        return b"\1" * len(found)
    return found.raw


def _runs(resident: bytes, size: int) -> Iterator[tuple[int, int]]:
    for run in _RUN.finditer(resident):
        yield run.start() * mmap.PAGESIZE, min(run.end() * mmap.PAGESIZE, size)


@cache
def _swaps() -> bool:
    try:
        return len(Path("/proc/swaps").read_text("ascii").splitlines()) > 1
    except OSError:
        return True
