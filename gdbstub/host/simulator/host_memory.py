# SPDX-License-Identifier: Apache-2.0
"""The host's memory as tiles see it over PCI Express: it is in the host's process.

tt-metal's dispatcher reads its commands there and writes results there. Requests go there
as they are, with the address that the tile has given. What is there is no state of the chip: no
snapshot and no hash has it.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import Protocol

from tensix_gdb.core.memory.pages import Pages
from tensix_gdb.core.noc.outside import HOST_BYTES, HOST_SPAN

log = logging.getLogger(__name__)
NOT_KEPT = (
    "a tile reads the host's memory, which its history has not: in it the same reads ask again"
)


class MemoryLink(Protocol):
    """Reaches memory of the host's process."""

    def read_host(self, addr: int, size: int, chip: int = 0) -> bytes:
        """Return its bytes, at an address that a chip has for them; zeros if it does not answer."""

    def write_host(self, addr: int, data: bytes, chip: int = 0) -> None:
        """Write to it."""


class HostMemory(Pages):
    """Memory at the other end of a link, of the tiles of a chip; with `is_recorded` the first read
    of it is said."""

    def __init__(
        self, link: MemoryLink, kind: int = 0, chip: int = 0, *, is_recorded: bool = False
    ) -> None:
        super().__init__(HOST_BYTES)
        self._link, self._chip, self._warns = link, chip, is_recorded
        self._first = HOST_SPAN[kind][0]  # by which tiles go to what is at 0 here

    def read(self, addr: int, length: int) -> bytes:
        if self._warns:
            self._warns = False
            log.warning(NOT_KEPT)
        if not length:
            return b""
        return self._link.read_host(self._first + addr, length, self._chip)

    def write(self, addr: int, data: bytes) -> None:
        if data:
            self._link.write_host(self._first + addr, data, self._chip)


def dispatches_from_its_memory(variables: Mapping[str, str] = os.environ) -> bool:
    """True if tt-metal, with these variables, has its dispatcher read commands from the host's
    memory: fast dispatch with queues there."""
    return "TT_METAL_SIMULATOR" in variables and not (
        "TT_METAL_SLOW_DISPATCH_MODE" in variables or "TT_METAL_DRAM_BACKED_CQ" in variables
    )
