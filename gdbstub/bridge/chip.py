# SPDX-License-Identifier: Apache-2.0
"""The chip that the driver talks to: one tile, DRAM, and nothing else.

A write of the driver takes effect at once, as a write over the NoC. Time passes between messages
(host_clock.py). A core that is not there reads as zeros and drops writes and resets; the log says
so once.
"""

from __future__ import annotations

import logging

from tensix_gdb.core.arch.blackhole import SOFT_RESET_BIT, SOFT_RESET_HARTS, B
from tensix_gdb.core.devices.soft_reset import set_soft_reset
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.machine import MemoryFault
from tensix_gdb.core.memory.noc_access import NocAccess
from tensix_gdb.gdbstub.bridge.grid import CHANNEL, TILE
from tensix_gdb.gdbstub.bridge.messages import Command, Message

log = logging.getLogger(__name__)

MAX_READ = 1 << 24  # bytes in one answer


class Chip:
    """Carries out messages. `machine` is its tile."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.dram = machine.outside.dram
        self._noc = NocAccess(machine.record, machine.memory)
        self._told: set[str] = set()

    def perform(self, message: Message) -> bytes | None:
        """Carry out the message; return the answer to a READ, None for everything else."""
        match message.command:
            case Command.READ:
                return self._read(message)
            case Command.WRITE:
                self._write(message)
            case Command.ALL_TENSIX_RESET_ASSERT if message.core == TILE:
                self._reset(SOFT_RESET_HARTS)
            case Command.ALL_TENSIX_RESET_DEASSERT if message.core == TILE:
                # As the driver does it on a card: B alone, which lets the others go.
                self._reset(self.machine.S.tile_control.soft_reset & ~(1 << SOFT_RESET_BIT[B]))
            case Command.ALL_TENSIX_RESET_ASSERT | Command.ALL_TENSIX_RESET_DEASSERT:
                self._tell(f"a reset of core {_name(message.core)}, which is not there, is dropped")
            case Command.START | Command.EXIT:
                pass
        return None

    def running(self) -> bool:
        """True if any hart is out of reset."""
        reset = int(self.machine.S.tile_control.soft_reset)
        return reset & SOFT_RESET_HARTS != SOFT_RESET_HARTS

    def _reset(self, value: int) -> None:
        set_soft_reset(self.machine.S, value)
        self.machine.S.tile.idle_cycles = 0

    def _read(self, message: Message) -> bytes:
        size = min(message.size, MAX_READ)
        try:
            if message.core == TILE:
                return self._noc.read(message.addr, size)
            if message.core in CHANNEL:
                return self.dram[CHANNEL[message.core]].read(message.addr, size)
            self._tell(f"core {_name(message.core)} is not there: what is read from it is zero")
        except (MemoryFault, IndexError) as problem:
            self._tell(f"the host reads zeros: {problem}")
        return bytes(size)

    def _write(self, message: Message) -> None:
        try:
            if message.core == TILE:
                self._noc.write(message.addr, message.data)
            elif message.core in CHANNEL:
                self.dram[CHANNEL[message.core]].write(message.addr, message.data)
            else:
                self._tell(
                    f"core {_name(message.core)} is not there: what is written to it is lost"
                )
        except (MemoryFault, IndexError) as problem:
            self._tell(f"a write of the host is lost: {problem}")

    def _tell(self, text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            log.warning("%s", text)


def _name(core: tuple[int, int]) -> str:
    return f"{core[0]}-{core[1]}"
