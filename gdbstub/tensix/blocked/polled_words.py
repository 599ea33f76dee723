# SPDX-License-Identifier: Apache-2.0
"""Names of words that harts poll: what a person calls the word at an address.

A counter of a circular buffer, a semaphore of the program, a field of tt-metal's mailboxes, a
semaphore of the coprocessor, a register, a variable of a program, or an address of L1.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from tensix_gdb.core.devices.blocks import register_name
from tensix_gdb.core.devices.overlay import OVERLAY_BASE, STREAM_STRIDE, address_of, as_here
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.map import Region
from tensix_gdb.core.noc import state
from tensix_gdb.core.polls.keeping import SEMAPHORE_WINDOW
from tensix_gdb.core.polls.terms import Read
from tensix_gdb.core.program.elf import Image, LoadError
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.host.circular_buffers import (
    ACKNOWLEDGED,
    RECEIVED,
    CircularBuffer,
    CircularBuffers,
)

if TYPE_CHECKING:
    from tensix_gdb.core.dwarf.types import Type
    from tensix_gdb.core.firmware.facts import Facts

COUNTERS = {
    f"NIU_COUNTER[{getattr(state, name)}]": f"NIU_MST_{name}"
    for name in (
        *("ATOMIC_RESP_RECEIVED", "WR_ACK_RECEIVED", "RD_RESP_RECEIVED", "RD_DATA_WORD_RECEIVED"),
        *("CMD_ACCEPTED", "RD_REQ_SENT", "NONPOSTED_ATOMIC_SENT", "POSTED_ATOMIC_SENT"),
        *("NONPOSTED_WR_DATA_WORD_SENT", "POSTED_WR_DATA_WORD_SENT", "NONPOSTED_WR_REQ_SENT"),
        *("POSTED_WR_REQ_SENT", "NONPOSTED_WR_REQ_STARTED", "POSTED_WR_REQ_STARTED"),
        *("RD_REQ_STARTED", "NONPOSTED_ATOMIC_STARTED"),
    )
}
BUFFERS = 32  # of each program; later streams serve the dispatcher of tt-metal too
SEMAPHORES, SEMAPHORE_BYTES = 16, 16  # NUM_SEMAPHORES and L1_ALIGNMENT of tt-metal


def is_firmware(image: Image) -> bool:
    """tt-metal's folders: firmware/trisc1/trisc1.elf, kernels/NAME/HASH/trisc1/trisc1.elf."""
    return image.path.parts[-3:-2] == ("firmware",)


class PolledWords:
    """Names the words of one tile. Looking changes nothing; files are read when they are wanted."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._buffers: list[CircularBuffer] | None = None
        self._facts: Facts | None = None
        self._has_looked = False

    def name(self, hart: int, read: Read) -> str:
        """Return the name of what a hart reads."""
        if read.region == Region.L1:
            return self.in_l1(read.addr)
        if read.region == Region.PCBUF and read.addr in SEMAPHORE_WINDOW:
            return f"semaphore {(read.addr - SEMAPHORE_WINDOW.start) // 4} of the coprocessor"
        name = register_name(hart, read.addr, int(self._machine.S.tile.chip))
        if name is None:
            return f"the word at {read.addr:#010x}"
        if read.region == Region.OVERLAY and (number := self._missing_buffer(read.addr & ~3)) >= 0:
            return f"cb {number}, which the program does not have"
        if read.region in (Region.NOC0, Region.NOC1):
            return f"{COUNTERS.get(name, name)} of NoC {read.region - Region.NOC0}"
        return name

    @property
    def has_firmware(self) -> bool:
        """True if tt-metal's firmware says where things are."""
        return self._firmware() is not None

    def buffer(self, read: Read) -> tuple[CircularBuffer, bool] | None:
        """Return the circular buffer that a word counts pages of, and whether the word counts those
        that were popped (a producer polls it); None if it is no such word."""
        if read.region != Region.OVERLAY:
            return None
        chip = int(self._machine.S.tile.chip)
        for each in self._all_buffers():
            if read.addr & ~3 == address_of(chip, each.stream, ACKNOWLEDGED):
                return each, True
            if read.addr & ~3 == address_of(chip, each.stream, RECEIVED):
                return each, False
        return None

    def _missing_buffer(self, addr: int) -> int:
        """Return the number of the circular buffer that a register counts pages of, though the
        program has none of that number; -1 if it is no such register."""
        facts = self._firmware()
        stream, offset = divmod(
            as_here(int(self._machine.S.tile.chip), addr) - OVERLAY_BASE, STREAM_STRIDE
        )
        if facts is None or offset not in (4 * RECEIVED, 4 * ACKNOWLEDGED):
            return -1
        number = stream - facts.constant("OPERAND_START_STREAM")
        return number if number < BUFFERS else -1

    def _all_buffers(self) -> list[CircularBuffer]:
        if self._buffers is None:
            self._buffers = []
            with contextlib.suppress(LoadError, TargetError, ValueError):
                self._buffers = CircularBuffers(self._machine).all()
        return self._buffers

    def in_l1(self, addr: int) -> str:
        """Return the name of a word of L1."""
        at = f"L1 {addr:#x}"
        with contextlib.suppress(LoadError, TargetError, ValueError):
            facts = self._firmware()
            if facts is not None:
                name = self._semaphore(facts, addr) or _mailbox(facts, addr)
                if name:
                    return f"{name} ({at})"
        for image in self._machine.images:
            for symbol in image.symbols.values():
                if not symbol.is_function and symbol.addr <= addr < symbol.addr + symbol.size:
                    offset = addr - symbol.addr
                    return f"{symbol.shown}{f'+{offset}' if offset else ''} ({at})"
        return at

    def _firmware(self) -> Facts | None:
        if not self._has_looked:
            self._has_looked = True
            with contextlib.suppress(LoadError, TargetError):
                self._facts = CircularBuffers(self._machine).facts()
        return self._facts

    def _semaphore(self, facts: Facts, addr: int) -> str:
        """Return the name of a semaphore of the program that was launched last."""
        kind, mailboxes = facts.target("mailboxes"), facts.constant("mailboxes")

        def field(path: str) -> int:
            place = facts.place(kind, path)
            data = self._machine.peek(0, mailboxes + place.offset, place.size)
            return int.from_bytes(data, "little")

        message = f"launch[{field('launch_msg_rd_ptr')}].kernel_config."
        offset = field(message + "sem_offset[0]")
        number, rest = divmod(
            addr - field(message + "kernel_config_base[0]") - offset, SEMAPHORE_BYTES
        )
        if rest or not 0 <= number < SEMAPHORES:
            return ""
        end = field(message + "local_cb_offset")
        is_one = offset + SEMAPHORE_BYTES * number < end or end <= offset
        return f"semaphore {number} of the program" if is_one else ""


def _mailbox(facts: Facts, addr: int) -> str:
    """Return the field of tt-metal's mailboxes at an address: `go_messages[0].signal`."""
    kind, offset = facts.target("mailboxes"), addr - facts.constant("mailboxes")
    return _path(kind, offset).removeprefix(".") if 0 <= offset < kind.size else ""


def _path(kind: Type, offset: int) -> str:
    if kind.members:
        for member in kind.members:
            if member.offset <= offset < member.offset + max(member.type.size, 1):
                inner = _path(member.type, offset - member.offset)
                return f".{member.name}{inner}" if member.name else inner
    elif kind.is_array and kind.target is not None and kind.target.size:
        number, rest = divmod(offset, kind.target.size)
        return f"[{number}]{_path(kind.target, rest)}"
    return ""
