# SPDX-License-Identifier: Apache-2.0
"""The chip that the host accesses: its tiles, DRAM, and devices that it is given.

A write of the host takes effect at once, as a write over the NoC. Time passes between accesses
(host_clock.py). An access to what is not there ends the host, or, where such faults are only
counted, reads zeros and drops what is written; the log says so once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Protocol

from tensix_gdb.core.arch.blackhole import L1_BYTES, SOFT_RESET_HARTS
from tensix_gdb.core.chip.places import beside, chip_of, name_of
from tensix_gdb.core.devices.debug.samples import PENDING_SAMPLE
from tensix_gdb.core.faults.codes import Category
from tensix_gdb.core.faults.policy import Policy
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.machine import MemoryFault
from tensix_gdb.core.memory.noc_access import NocAccess
from tensix_gdb.core.memory.segments import Segments
from tensix_gdb.core.noc.dram_data import DRAM_END
from tensix_gdb.gdbstub.host.simulator.grid import CHANNELS_OF, Core
from tensix_gdb.gdbstub.host.simulator.messages import Command, Message

if TYPE_CHECKING:
    from tensix_gdb.core.chip.ethernet.tile import Ethernet

log = logging.getLogger(__name__)

FAULT = Category.UNIMPLEMENTED
SOFT_RESET_0 = 0xFFB121B0
MAX_READ = 1 << 24  # bytes in one answer


class Device(Protocol):
    """A core that is neither a tile nor DRAM. MemoryFault for an address that it does not have."""

    def read(self, addr: int, size: int) -> bytes:
        """Return bytes."""

    def write(self, addr: int, data: bytes) -> None:
        """Write bytes."""


class Chip:
    """Carries out accesses. `tiles` are by their cores, and have one DRAM for each chip. `wake`
    brings a tile that sleeps up to date, before it is changed or its registers are read, and lets
    it run after that; `wake_for_bytes` is for a write to L1 alone. `sleeps` says if it does."""

    def __init__(
        self,
        tiles: Mapping[Core, Machine],
        wake: Callable[[Core], object] = lambda core: None,
        wake_for_bytes: Callable[[Core], object] = lambda core: None,
        ethernet: Mapping[Core, Ethernet] | None = None,
        sleeps: Callable[[Core], bool] = lambda core: False,
    ) -> None:
        self.tiles, self.wake, self.wake_for_bytes = tiles, wake, wake_for_bytes
        self.sleeps = sleeps
        first = next(iter(tiles.values()))
        kind = self.chip = int(first.S.tile.chip)
        firsts: dict[int, Core] = {}
        for core in tiles:
            firsts.setdefault(chip_of(core), core)
        self.firsts = list(firsts.values())  # of each chip, its first tile
        self.channels: dict[Core, int] = {}  # by core: which of `dram` it leads to
        self.dram: list[Segments] = []
        for near in self.firsts:
            for core, number in CHANNELS_OF[kind].items():
                self.channels[beside(core, near)] = len(self.dram) + number
            self.dram += tiles[near].outside.dram
        self.dram_end = DRAM_END[kind]
        self._outsides = [tiles[near].outside for near in self.firsts]
        self._ran = first
        self._nocs = {
            core: NocAccess(tile.record, tile.memory, partial(_call, tile))
            for core, tile in tiles.items()
        }
        self.ethernet = dict(ethernet or {})
        self.others: dict[Core, Device] = {}
        self.refuse: Callable[[str], None] | None = None  # ends the host, with a sentence
        self._policies = first.faults
        self._told: set[str] = set()

    def perform(self, message: Message) -> bytes | None:
        """Carry out the access; return the answer to a READ, None to a WRITE."""
        if message.core in self.ethernet:
            self.wake(message.core)  # some of what is read there tells time
        elif message.core in self.tiles and not reads_l1(message):
            wake = self.wake_for_bytes if is_in_l1(message) else self.wake
            wake(message.core)
        if message.command is Command.READ:
            return self._read(message)
        self._write(message)
        return None

    def running(self) -> bool:
        """True if any hart is out of reset, or the debug bus is to write samples."""
        # As a rule the one that ran when it was last asked still does.
        if is_running(self._ran) or is_sampled(self._ran):
            return True
        ran = (tile for tile in self.tiles.values() if is_running(tile) or is_sampled(tile))
        self._ran = next(ran, self._ran)
        return is_running(self._ran) or is_sampled(self._ran)

    def _read(self, message: Message) -> bytes:
        size = min(message.size, MAX_READ)
        try:
            if message.core in self.ethernet:
                self._note(message, size)
                return self.ethernet[message.core].read_bytes(message.addr, size)
            if message.core in self._nocs:
                self._note(message, size)
                return self._nocs[message.core].read(message.addr, size)
            if message.core in self.channels:
                self._check_dram(message, size)
                self._note_dram(message, size)
                return self.dram[self.channels[message.core]].read(message.addr, size)
            if message.core in self.others:
                return self.others[message.core].read(message.addr, size)
            self._has_nothing(message, f"core {name_of(message.core)} is not there")
        except (MemoryFault, IndexError) as problem:
            self._has_nothing(message, str(problem))
        return bytes(size)

    def _note(self, message: Message, size: int) -> None:
        """Tell an observer of races of an access of the host, where tt-metal's firmware is
        recognised: words of L1 say there when each side may continue. Other drivers, as that of
        LLK's tests, wait in ways that the observer does not know, and all that they read would be
        reported."""
        tile = self.tiles[message.core]
        firmware = "ethernet" if message.core in self.ethernet else "firmware"
        if tile.runner.races is not None and tile.loader.has_hosted(firmware):
            tile.note_host(message.addr, size, writes=message.command is Command.WRITE)

    def _check_dram(self, message: Message, size: int) -> None:
        """MemoryFault for an access after the end of what the core of DRAM leads to."""
        if message.addr + size > self.dram_end:
            raise MemoryFault(
                f"{message.addr:#x} of DRAM core {name_of(message.core)} is not there: "
                f"its memory ends at {self.dram_end:#x}"
            )

    def is_dram_observed(self) -> bool:
        """True if an observer of races counts accesses of the host to DRAM."""
        return self._outsides[0].races is not None

    def _note_dram(self, message: Message, size: int) -> None:
        channel = self.channels[message.core]
        chip, number = divmod(channel, len(self.dram) // len(self._outsides))
        races = self._outsides[chip].races
        if races is not None and size:
            races.host(number, message.addr, size)

    def _write(self, message: Message) -> None:
        try:
            if message.core in self.ethernet:
                self._note(message, len(message.data))
                self.ethernet[message.core].write_bytes(message.addr, message.data)
            elif message.core in self._nocs:
                self._note(message, len(message.data))
                self._nocs[message.core].write(message.addr, message.data)
            elif message.core in self.channels and message.addr == SOFT_RESET_0:
                pass  # of the cores that other chips have in DRAM tiles
            elif message.core in self.channels:
                self._check_dram(message, len(message.data))
                self.dram[self.channels[message.core]].write(message.addr, message.data)
                self._note_dram(message, len(message.data))
            elif message.core in self.others:
                self.others[message.core].write(message.addr, message.data)
            else:
                self._has_nothing(message, f"core {name_of(message.core)} is not there")
        except (MemoryFault, IndexError) as problem:
            self._has_nothing(message, str(problem))

    def _has_nothing(self, message: Message, why: str) -> None:
        """Refuse an access to where nothing is, or continue if such faults are not to stop: say
        once what becomes of it."""
        reads = message.command is Command.READ
        instead = "what is read from it is zero" if reads else "what is written to it is lost"
        if self.refuse is None or self._policies.of[FAULT] is not Policy.STOP:
            self._tell(f"{why}: {instead}")
            return
        size = message.size if reads else len(message.data)
        self.refuse(
            f"{FAULT.value}: the host {'reads' if reads else 'writes'} {size} bytes at "
            f"{message.addr:#x} of core {name_of(message.core)}: {why}. Next: "
            f"--faults {FAULT.value}=count, with which {instead}"
        )

    def _tell(self, text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            log.warning("%s", text)


def _call(tile: Machine, name: str, *arguments: int) -> int:
    return tile.engine.call(name, *arguments)  # which may be another one than before


def is_running(tile: Machine) -> bool:
    """True if any hart of a tile is out of reset."""
    return int(tile.S.tile_control.soft_reset) & SOFT_RESET_HARTS != SOFT_RESET_HARTS


def is_sampled(tile: Machine) -> bool:
    """True if samples of the debug bus are to be written to L1, which needs no hart."""
    return bool(int(tile.S.tile.pending) & PENDING_SAMPLE)


def reads_l1(message: Message) -> bool:
    """True if an access changes nothing, nor what it reads."""
    return message.command is Command.READ and message.addr + message.size <= L1_BYTES


def is_in_l1(message: Message) -> bool:
    """True if an access reads or writes L1 of a tile alone, and so can put no hart into reset."""
    size = max(message.size, len(message.data))
    return message.addr + size <= L1_BYTES
