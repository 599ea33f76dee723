# SPDX-License-Identifier: Apache-2.0
"""The registers that an Ethernet tile has and a Tensix tile has not, as `kind.py` lists them.

What is stored is in the words of `l1` after the tile's own L1, so that snapshots, hashes and
recordings have it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Protocol

from tensix_gdb.core.arch.wormhole import IRAM_BYTES, IRAM_PLACE
from tensix_gdb.core.chip.ethernet.kind import (
    CMD,
    CONTROL,
    END,
    FIRST,
    KINDS,
    QUEUE,
    TT_LINK_RX,
    TT_LINK_TX,
    TXQ,
)
from tensix_gdb.core.chip.ethernet.packets import Packet, Packets
from tensix_gdb.core.chip.places import Place, name_of
from tensix_gdb.core.debug.memory import MemoryFault
from tensix_gdb.core.machine import Machine


class Observer(Protocol):
    """Sees packets at both ends (core/chip/races/packets.py)."""

    def sent(self, machine: Machine, packet: int, hart: int, queue: int, *, is_data: bool) -> None:
        """A core has sent the packet with that number."""

    def arrived(self, near: Machine, far: Machine, number: int, packet: Packet | None) -> None:
        """A packet is at the other end; None: it was lost."""


class Registers(ABC):
    """Those of the Ethernet tile that a machine is."""

    def __init__(self, machine: Machine, place: Place) -> None:
        self.machine, self.place, self._S = machine, place, machine.S
        self.kind = KINDS[machine.S.tile.chip]
        record = machine.record
        self._l1 = record.row(record.layout.slot("l1", "word"))
        # In `l1`, after what the tile has of it.
        self._kept_at = self.kind.l1_bytes
        self.packets = Packets(machine.S, self._l1, self._kept_at + END - FIRST)

    @abstractmethod
    def is_up(self) -> bool:
        """True if the link is."""

    @abstractmethod
    def send(self, queue: int, command: int) -> None:
        """Carry out a command of a TX queue. MemoryFault if it cannot be."""

    def read(self, addr: int) -> int:
        """Return a register. MemoryFault if nothing is known of it."""
        kind = self.kind
        queue, offset = divmod(addr - TXQ, QUEUE)
        if queue < kind.queues:
            if offset == kind.busy[0]:
                return kind.busy[1] if self.packets.is_full() else 0
            if offset == CMD:
                return 0
            if offset in kind.txq_kept:
                return self.kept(addr)
        if addr == kind.link_status:
            return int(self.is_up())
        if addr == kind.iram_load:
            return 0  # it has loaded
        if self._is_storage(addr) or self._is_rxq(addr):
            return self.kept(addr)
        raise MemoryFault(self._nothing(addr, "read"))

    def write(self, addr: int, value: int) -> None:
        """Write a register. MemoryFault if nothing is known of it, or of what it would do."""
        queue, offset = divmod(addr - TXQ, QUEUE)
        is_txq = queue < self.kind.queues
        if is_txq and offset == CMD:
            self.send(queue, value)
        elif is_txq and offset in self.kind.txq_kept:
            if offset == CONTROL and not value & TT_LINK_TX:
                raise MemoryFault(f"{self.where(addr)}: a TX queue in raw mode is not emulated")
            self.keep(addr, value)
        elif self._is_rxq(addr):
            if not value & TT_LINK_RX:
                raise MemoryFault(f"{self.where(addr)}: an RX queue in raw mode is not emulated")
            self.keep(addr, value)
        elif self._is_storage(addr):
            self.keep(addr, value)
        elif addr == self.kind.iram_load:
            self._load_iram(value << 4)
        else:
            raise MemoryFault(self._nothing(addr, "written"))

    def _load_iram(self, start: int) -> None:
        """Copy L1 to the core's instruction RAM.

        UNSPECIFIED(BabyRISCV/InstructionRAM.md): how long that takes; no time here."""
        data = bytes(self._l1[start : start + IRAM_BYTES])
        if start + IRAM_BYTES > self.kind.l1_bytes:
            raise MemoryFault(
                f"{self.where(self.kind.iram_load)}: L1 ends before {start:#x} + 16 KiB"
            )
        self._l1[IRAM_PLACE : IRAM_PLACE + IRAM_BYTES] = data
        self.machine.memory.drop_decoded(IRAM_PLACE, IRAM_PLACE + IRAM_BYTES)

    def _is_rxq(self, addr: int) -> bool:
        return addr in range(self.kind.rxq, self.kind.rxq + self.kind.queues * QUEUE, QUEUE)

    def _is_storage(self, addr: int) -> bool:
        return addr in self.kind.kept or addr in self.kind.kept_from

    def where(self, addr: int) -> str:
        """Return a register's address and tile, for a sentence."""
        return f"register {addr:#x} of Ethernet tile {name_of(self.place)}"

    def _nothing(self, addr: int, done: str) -> str:
        return f"{self.where(addr)} is {done}, and nothing is known of it here"

    def kept(self, addr: int) -> int:
        """Return a register that is storage."""
        at = self._kept_at + addr - FIRST
        return int.from_bytes(self._l1[at : at + 4], "little")

    def keep(self, addr: int, value: int) -> None:
        """Store one."""
        self.put(self._kept_at + addr - FIRST, value)

    def put(self, at: int, value: int) -> None:
        """Write a word of L1."""
        self._l1[at : at + 4] = (value & 0xFFFFFFFF).to_bytes(4, "little")
        self.machine.memory.drop_decoded(at, at + 4)
