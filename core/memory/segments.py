# SPDX-License-Identifier: Apache-2.0
"""DRAM as compiled code and C reach it: segments at addresses, zero pages until they are touched.

Of a channel of 4 GiB a program touches some MiB. A table has the address of each MiB of it, 0
where nothing was ever written; what is read there is zero. Only Python adds a segment, at the first
write to it. After the bytes of a segment there is a byte for each page of it, which a writer
to the page makes 1: a snapshot copies these pages and no others.

Compiled code has the same reads and writes in core/noc/dram.py, C in pump.c of the host's library;
tests hold them together.
"""

from __future__ import annotations

import ctypes
import errno
import mmap
from functools import cached_property

from tensix_gdb.core.memory.pages import PAGE_BYTES, Pages

SEGMENT_BYTES = 1 << 20
SEGMENT_PAGES = SEGMENT_BYTES // PAGE_BYTES
_CLEAN, _CHANGED = bytes(SEGMENT_PAGES), b"\1" * SEGMENT_PAGES
_PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS


class Segments(Pages):
    """`size` bytes as Pages has them. What is kept there is of the last snapshot."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._segments: dict[int, memoryview] = {}  # bytes, then a byte for each page

    @cached_property
    def _table(self) -> ctypes.Array[ctypes.c_uint64]:
        return (ctypes.c_uint64 * -(-self.size // SEGMENT_BYTES))()

    @property
    def table(self) -> int:
        """The address of the table of segments, which stays."""
        return ctypes.addressof(self._table)

    def read(self, addr: int, length: int) -> bytes:
        self._check(addr, length)
        number, offset = divmod(addr, SEGMENT_BYTES)
        if offset + length <= SEGMENT_BYTES:  # nearly always
            segment = self._segments.get(number)
            return bytes(length) if segment is None else bytes(segment[offset : offset + length])
        run = SEGMENT_BYTES - offset
        return self.read(addr, run) + self.read(addr + run, length - run)

    def write(self, addr: int, data: bytes) -> None:
        self._check(addr, len(data))
        done = 0
        while done < len(data):
            number, offset = divmod(addr + done, SEGMENT_BYTES)
            run = min(SEGMENT_BYTES - offset, len(data) - done)
            self.touch(addr + done, run)
            self._segments[number][offset : offset + run] = data[done : done + run]
            done += run

    def touch(self, addr: int, length: int) -> None:
        """Bytes are about to be written: have segments for them, and note their pages."""
        while length > 0:
            number, offset = divmod(addr, SEGMENT_BYTES)
            run = min(SEGMENT_BYTES - offset, length)
            first, last = offset // PAGE_BYTES, (offset + run - 1) // PAGE_BYTES
            flags = slice(SEGMENT_BYTES + first, SEGMENT_BYTES + last + 1)
            self._own_segment(number)[flags] = _CHANGED[first : last + 1]
            addr, length = addr + run, length - run

    def _own_segment(self, number: int) -> memoryview:
        segment = self._segments.get(number)
        if segment is None:
            try:
                memory = mmap.mmap(-1, SEGMENT_BYTES + PAGE_BYTES, flags=_PRIVATE)
            except OSError as problem:
                if problem.errno == errno.ENOMEM:
                    raise MemoryError from None
                raise
            segment = self._segments[number] = memoryview(memory)
            self._table[number] = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        return segment

    def snapshot(self) -> dict[int, bytes]:
        self._keep_changes()
        return super().snapshot()

    def changes(self, known: dict[int, bytes]) -> dict[int, bytes]:
        self._keep_changes()
        return super().changes(known)

    def hash(self) -> str:
        self._keep_changes()
        return super().hash()

    def restore(self, snapshot: dict[int, bytes]) -> None:
        if not snapshot:
            for number in self._segments:
                self._table[number] = 0
            self._segments.clear()
        else:
            self._keep_changes()
            for page in self._pages.keys() - snapshot.keys():
                self._put(page, bytes(PAGE_BYTES))
            for page, kept in snapshot.items():
                if self._pages.get(page) is not kept:
                    self._put(page, kept)
        super().restore(snapshot)

    def _put(self, page: int, data: bytes) -> None:
        """Write a page that is kept as well."""
        number, at = divmod(page, SEGMENT_PAGES)
        offset = at * PAGE_BYTES
        self._own_segment(number)[offset : offset + PAGE_BYTES] = data

    def _keep_changes(self) -> None:
        """Copy the pages that were written since the last time."""
        for number, segment in self._segments.items():
            flags = bytes(segment[SEGMENT_BYTES : SEGMENT_BYTES + SEGMENT_PAGES])
            at = flags.find(1)
            if at < 0:
                continue
            segment[SEGMENT_BYTES : SEGMENT_BYTES + SEGMENT_PAGES] = _CLEAN
            while at >= 0:
                page, offset = number * SEGMENT_PAGES + at, at * PAGE_BYTES
                now = bytes(segment[offset : offset + PAGE_BYTES])
                if self._pages.get(page) != now:  # else the same object: it is soon compared
                    self._pages[page] = now
                at = flags.find(1, at + 1)
