# SPDX-License-Identifier: Apache-2.0
"""A semihosting call: what a hart asks, what its host can say to it, and what the host has.

The functions of answering.py take `Host` and `Asked`. So they need nothing of the class that calls
them (calls.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.debug import registers
from tensix_gdb.core.debug.memory import Access, MemoryFault
from tensix_gdb.core.memory.map import local_offset
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.semihosting.console import Console
from tensix_gdb.core.semihosting.files import Files
from tensix_gdb.core.semihosting.folder import Folder
from tensix_gdb.core.semihosting.operations import Errno, Refused

STRING_CHUNK_BYTES = 256
MAX_NAME = 1024  # bytes of the name of a file


class Host(Protocol):
    """The host as answers need it: the console, the open files, the folder of the files."""

    console: Console
    files: Files
    folder: Folder
    arguments: tuple[str, ...]
    errno: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The changes of a call on the tile: a0, bytes in memory; or with which status the hart ends.
    `errno` is what SYS_ERRNO answers from then on, unless it is 0."""

    result: int = 0
    writes: tuple[tuple[int, bytes], ...] = ()
    exit: int | None = None
    errno: int = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """A call, what its argument points to, and the files that were loaded into the tile."""

    S: View
    access: Access
    images: Sequence[Image]
    hart: int
    operation: int
    argument: int

    @staticmethod
    def now(S: View, access: Access, images: Sequence[Image]) -> Asked:
        """Return the call that the run has stopped at."""
        return Asked(S, access, images, S.stop.hart, S.stop.a, S.stop.b)

    def poke(self, addr: int, data: bytes) -> None:
        """Write memory as the hart sees it."""
        registers.poke(self.S, self.access, self.hart, addr, data)

    def fields(self, count: int) -> list[int]:
        """Return the words of the argument block."""
        data = self.memory(self.argument, 4 * count)
        return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]

    def memory(self, addr: int, length: int) -> bytes:
        """Return bytes as the hart sees them; Refused when there is no such memory."""
        with _faults_refused():
            data = self.access.peek(self.hart, addr, length) if length else b""
            if len(data) < length:
                raise Refused(Errno.EFAULT)
            return data

    def string(self, addr: int) -> bytes:
        """Return the bytes up to the NUL."""
        content = bytearray()
        for chunk in self._chunks(addr):
            text, end, _ = chunk.partition(b"\0")
            content += text
            if end:
                return bytes(content)
        raise Refused(Errno.EFAULT)

    def _chunks(self, addr: int) -> Iterator[bytes]:
        while True:
            length = STRING_CHUNK_BYTES - addr % STRING_CHUNK_BYTES
            with _faults_refused():
                data = self.access.peek(self.hart, addr, length)
            yield data
            if len(data) < length:
                return
            addr += length

    def name(self, addr: int, length: int) -> str:
        """Return the name of a file."""
        if length > MAX_NAME:
            raise Refused(Errno.ENAMETOOLONG)
        return self.memory(addr, length).decode("utf-8", "surrogateescape")

    def can_be_written(self, addr: int, length: int) -> None:
        """Refused unless all of it is L1, or all of it the hart's local RAM."""
        last = addr + max(length, 1) - 1
        local = local_offset(self.hart, addr) >= 0 and local_offset(self.hart, last) >= 0
        if last >= L1_BYTES and not local:
            raise Refused(Errno.EFAULT)


@contextmanager
def _faults_refused() -> Iterator[None]:
    try:
        yield
    except MemoryFault:
        raise Refused(Errno.EFAULT) from None
