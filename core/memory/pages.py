# SPDX-License-Identifier: Apache-2.0
"""Memory outside the tile, as much of it as is used: DRAM and pages of the host.

It is not in the record, because it is gigabytes of which a kernel touches little. A snapshot
shares its pages with the memory until one side writes, so it costs nothing at first.
"""

from __future__ import annotations

import hashlib

PAGE_BYTES = 4096
_ZERO = bytes(PAGE_BYTES)


class Pages:
    """`size` bytes, all zero at first. Addresses outside are the caller's mistake: IndexError."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._pages: dict[int, bytes | bytearray] = {}

    def read(self, addr: int, length: int) -> bytes:
        """Return the bytes at [addr, addr + length)."""
        self._check(addr, length)
        out = bytearray()
        while len(out) < length:
            page, offset = divmod(addr + len(out), PAGE_BYTES)
            out += self._pages.get(page, _ZERO)[offset : offset + length - len(out)]
        return bytes(out)

    def write(self, addr: int, data: bytes) -> None:
        """Put `data` at `addr`."""
        self._check(addr, len(data))
        done = 0
        while done < len(data):
            page, offset = divmod(addr + done, PAGE_BYTES)
            run = min(PAGE_BYTES - offset, len(data) - done)
            self._own(page)[offset : offset + run] = data[done : done + run]
            done += run

    def _own(self, page: int) -> bytearray:
        """Return the page, unshared."""
        kept = self._pages.get(page, _ZERO)
        if not isinstance(kept, bytearray):
            kept = self._pages[page] = bytearray(kept)
        return kept

    def snapshot(self) -> dict[int, bytes]:
        """Return the pages of this moment, shared until either side changes them."""
        frozen = {page: bytes(kept) for page, kept in self._pages.items()}
        self._pages = dict(frozen)
        return frozen

    def restore(self, snapshot: dict[int, bytes]) -> None:
        """Go back to a snapshot."""
        self._pages = dict(snapshot)

    def changes(self, known: dict[int, bytes]) -> dict[int, bytes]:
        """Return the pages that are others than in a snapshot; one that is gone is zeros."""
        changes = {
            page: bytes(kept)
            for page, kept in self._pages.items()
            if known.get(page) is not kept and known.get(page, _ZERO) != kept
        }
        gone = (page for page, kept in known.items() if page not in self._pages and any(kept))
        return changes | dict.fromkeys(gone, _ZERO)

    def hash(self) -> str:
        """Hash the content: pages of zeros are like pages that were never written."""
        digest = hashlib.blake2b(digest_size=16)
        for page, kept in sorted(self._pages.items()):
            if any(kept):
                digest.update(page.to_bytes(8, "little"))
                digest.update(kept)
        return digest.hexdigest()

    def _check(self, addr: int, length: int) -> None:
        if addr < 0 or addr + length > self.size:
            raise IndexError(f"{length} bytes at {addr:#x} are outside {self.size:#x}")
