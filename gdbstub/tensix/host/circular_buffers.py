# SPDX-License-Identifier: Apache-2.0
"""`monitor cb`: tt-metal's circular buffers, of the kernels that were launched last.

Where they are is in the launch message and in the kernels' configuration in L1: the firmware's
DWARF says where its fields are. How many pages were received and acknowledged is in two registers
of a stream of the NoC overlay: kernels count them there, so that each hart sees them.

    16 bytes for each buffer (tt_metal/hw/inc/.../circular_buffer_init.h): address, size, number of
    pages, size of a page
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tensix_gdb.core.arch.blackhole import L1_BYTES, B
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.overlay import STREAMS, address_of
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import LoadError
from tensix_gdb.core.race.state.areas import Buffer
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.monitor_row import Command, no_more, table

if TYPE_CHECKING:
    from tensix_gdb.core.firmware.facts import Facts

WORDS = 4
COUNT_BITS = 0xFFFF  # kernels count modulo that
RECEIVED, ACKNOWLEDGED = 10, 8  # registers REMOTE_DEST_BUF_SIZE, REMOTE_DEST_BUF_START
NO_FIRMWARE = (
    "the circular buffers are in the launch messages of tt-metal's firmware, and B has none that "
    "says where they are: start with --firmware DIR, or `tensix-gdb simulator` or `ttnn`, which "
    "recognise it"
)


@dataclass(frozen=True, slots=True)
class CircularBuffer:
    """A buffer in L1. Sizes in bytes; `received` and `acknowledged` count pages modulo 65536."""

    number: int
    address: int
    size: int
    pages: int
    page_size: int
    received: int
    acknowledged: int
    stream: int

    @property
    def filled(self) -> int:
        """The number of pages in it."""
        return (self.received - self.acknowledged) & COUNT_BITS


class CircularBuffers:
    """Reads them. Looking changes nothing."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def all(self) -> list[CircularBuffer]:
        """Return the buffers that the kernels of the last launch have, by number. LoadError if the
        firmware does not say where they are; TargetError if there is none."""
        facts = self.facts()
        kind, mailboxes = facts.target("mailboxes"), facts.constant("mailboxes")

        def field(path: str) -> int:
            place = facts.place(kind, path)
            return self._number(mailboxes + place.offset, place.size)

        message = f"launch[{field('launch_msg_rd_ptr')}].kernel_config."
        mask = field(message + "local_cb_mask")
        base = field(message + "kernel_config_base[0]") + field(message + "local_cb_offset")
        first = facts.constant("OPERAND_START_STREAM")
        return list(self._buffers(mask, base, first))

    def _buffers(self, mask: int, base: int, first: int) -> Iterator[CircularBuffer]:
        chip = int(self._machine.S.tile.chip)
        for number in range(mask.bit_length()):
            at = base + 4 * WORDS * number
            if not mask >> number & 1 or first + number >= STREAMS or at + 4 * WORDS > L1_BYTES:
                continue
            address, size, pages, page_size = (self._number(at + 4 * i, 4) for i in range(WORDS))
            yield CircularBuffer(
                number,
                address,
                size,
                pages,
                page_size,
                self._number(address_of(chip, first + number, RECEIVED), 4) & COUNT_BITS,
                self._number(address_of(chip, first + number, ACKNOWLEDGED), 4) & COUNT_BITS,
                first + number,
            )

    def _number(self, addr: int, size: int) -> int:
        return int.from_bytes(self._machine.peek(B, addr, size), "little")

    def facts(self) -> Facts:
        """Return those of B's firmware."""
        from tensix_gdb.core.firmware.facts import Facts  # reads DWARF: others start without

        for image in self._machine.images:
            if image.hart == B and image.content:
                with contextlib.suppress(LoadError):
                    facts = Facts(image)
                    facts.constant("mailboxes")
                    return facts
        raise TargetError(NO_FIRMWARE)


def buffers_of(machine: Machine) -> list[Buffer]:
    """Return the circular buffers as checks of memory know them; none where nothing says where they
    are."""
    with contextlib.suppress(LoadError, TargetError, ValueError):
        return [
            Buffer(f"cb {one.number}", one.address, one.size, one.page_size, one.stream)
            for one in CircularBuffers(machine).all()
            if one.size
        ]
    return []


def circular_buffer_commands(machine: Machine) -> tuple[Command, ...]:
    """Return the row of the table of commands."""
    buffers = CircularBuffers(machine)

    def show(thread: int, words: list[str]) -> str:
        wanted = words[0] if words else ""
        no_more(words[1:], "cb")
        try:
            found = buffers.all()
        except LoadError as problem:
            raise TargetError(str(problem)) from None
        if wanted:
            found = [buffer for buffer in found if str(buffer.number) == wanted]
            if not found:
                raise TargetError(f"the kernels that were launched last have no cb {wanted}")
        if not found:
            return "The kernels that were launched last have no circular buffers.\n"
        return table([_row(buffer) for buffer in found])

    return (Command("cb", "[N]", "tt-metal's circular buffers and the pages in them", show),)


def _row(buffer: CircularBuffer) -> tuple[str, str, str, str]:
    end = buffer.address + buffer.size
    counts = f"{buffer.received} received, {buffer.acknowledged} acknowledged"
    state = "empty" if not buffer.filled else f"{buffer.filled} in it"
    if buffer.filled == buffer.pages:
        state = "full"
    elif buffer.filled > buffer.pages:
        state = f"{buffer.filled} in it, more than it has"
    return (
        f"cb {buffer.number}",
        f"{buffer.address:#x} to {end - 1:#x}",
        f"{buffer.pages} page{'s' if buffer.pages != 1 else ''} of {buffer.page_size}",
        f"{counts}: {state}",
    )
