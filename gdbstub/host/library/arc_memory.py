# SPDX-License-Identifier: Apache-2.0
"""The memory and registers of an ARC, of either chip, and the interrupt of its messages.

A chip's ARC says where its CSM is, which register has the interrupt, and how messages are answered
(arc.py, arc_wormhole.py).
"""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from collections.abc import Mapping

from tensix_gdb.core.debug.memory import MemoryFault
from tensix_gdb.gdbstub.host.simulator.messages import MAX_BYTES

CSM_BYTES = 512 << 10
INTERRUPT = 1 << 16  # of ARC_MISC_CNTL: IRQ0, a message has come


class ArcMemory(ABC):
    """Its CSM, from `csm` on, and words by address; `interrupts` is the register that has
    INTERRUPT. MemoryFault for an address of which nothing is known."""

    def __init__(self, csm: int, interrupts: int) -> None:
        self.csm_at, self._interrupts = csm, interrupts
        self.csm = bytearray(CSM_BYTES)
        self._words: dict[int, int] = {}
        self._read_only: dict[int, int] = {}

    def read(self, addr: int, size: int) -> bytes:
        """Return bytes of the CSM, or a register."""
        if self._has(addr, size) and size <= MAX_BYTES:
            return bytes(self.csm[addr - self.csm_at : addr - self.csm_at + size])
        known = self._words.get(addr, self._read_only.get(addr))
        if size == 4 and known is not None:
            return known.to_bytes(4, "little")
        raise MemoryFault(f"{addr:#x} of the ARC ({size} bytes): nothing is known of it")

    def write(self, addr: int, data: bytes) -> None:
        """Write bytes of the CSM, or a register; an interrupt has messages answered."""
        if self._has(addr, len(data)):
            self.csm[addr - self.csm_at : addr - self.csm_at + len(data)] = data
        elif len(data) == 4 and addr in self._words:
            value = int.from_bytes(data, "little")
            if addr == self._interrupts and value & INTERRUPT:
                self._answer()
                value &= ~INTERRUPT
            self._words[addr] = value
        else:
            raise MemoryFault(f"{addr:#x} of the ARC ({len(data)} bytes): nothing is known of it")

    def _has(self, addr: int, size: int) -> bool:
        return addr >= self.csm_at and addr + size <= self.csm_at + CSM_BYTES

    def _put(self, at: int, *words: int) -> None:
        struct.pack_into(f"<{len(words)}I", self.csm, at, *words)

    def _put_telemetry(self, table: int, values: int, rows: Mapping[int, int]) -> None:
        """Write a telemetry's table, with its version and the tag of each entry, and its values."""
        self._put(table, 1, len(rows))
        for number, (tag, value) in enumerate(rows.items()):
            self._put(table + 8 + 4 * number, tag | number << 16)
            self._put(values + 4 * number, value)

    @abstractmethod
    def _answer(self) -> None:
        """Answer what the host has asked."""
