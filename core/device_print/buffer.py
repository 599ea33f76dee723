# SPDX-License-Identifier: Apache-2.0
"""The ring buffer in L1 that all harts of a tile print into (hostdev/device_print_common.h).

    wpos   where the next message goes; kernels write it, or say that they wait (STALLED)
    rpos   up to where the host has read; the host writes it
    risc_state[5], lock
    data   messages, each of a header and its arguments; none crosses the end

A header has `is_kernel`, the hart, the length of the arguments and the number of the format string
(hostdev/device_print_structures.h). A kernel that finds no room waits until the host has read.
"""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import L1_BYTES, NC, T0, T1, T2, B
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine

# hostdevcommon/dprint_common.h: what the host says by wpos, and by rpos.
STARTING = 0x98989898
DISABLED = 0xF8F8F8F8
RESET = 0xF0E1D2C3
STALLED = 1 << 31

AUX_BYTES = 20  # before the data, with the states of five harts
RPOS_AT = 4
DEFAULT_BYTES = 1020  # DevicePrintMemoryLayout of a Blackhole Tensix tile
HEADER_BYTES = 4
WRAP_ID = 0xFFFF  # together with no arguments: the next message is at the beginning
NEW_KERNEL = 1023  # as the length: no arguments follow, and the number is that of a kernel

# core_config.h, TensixProcessorTypes: the number of each hart.
HART_OF = {0: B, 1: NC, 2: T0, 3: T1, 4: T2}


@dataclass(frozen=True, slots=True)
class Message:
    """One print: which hart, of its kernel or of the firmware, which string, and the arguments."""

    risc: int
    is_kernel: bool
    number: int
    arguments: bytes
    new_kernel: bool = False


@dataclass(frozen=True, slots=True)
class Buffer:
    """The place of a tile's buffer."""

    addr: int
    size: int = DEFAULT_BYTES

    @property
    def data_bytes(self) -> int:
        """The length of the ring in bytes."""
        return self.size - AUX_BYTES

    def fits(self) -> bool:
        """True if it is in L1, and long enough to be one."""
        return not self.addr % 4 and self.size > AUX_BYTES and self.addr + self.size <= L1_BYTES

    def _word(self, machine: Machine, offset: int) -> int:
        # As the NoC sees it: what a hart has not got out yet is not there.
        return int(machine.S.l1.word[(self.addr + offset) >> 2])

    def positions(self, machine: Machine) -> tuple[int, int] | None:
        """wpos and rpos, when there is something that they say."""
        write, read = self._word(machine, 0), self._word(machine, RPOS_AT)
        if write in (STARTING, DISABLED) or read == RESET:
            return None
        write &= ~STALLED
        if write > self.data_bytes or read > self.data_bytes or (write | read) % 4:
            return None
        return write, read

    def disabled(self, machine: Machine) -> bool:
        """True if kernels are told not to print."""
        return self._word(machine, 0) == DISABLED

    def say(self, machine: Machine, position: int) -> None:
        """Tell kernels by wpos whether the host reads: STARTING or DISABLED."""
        self._write_word(machine, 0, position)

    def have_read(self, machine: Machine, position: int) -> None:
        """Everything up to there is read."""
        self._write_word(machine, RPOS_AT, position)

    def _write_word(self, machine: Machine, offset: int, word: int) -> None:
        at = self.addr + offset
        machine.S.l1.word[at >> 2] = word
        machine.memory.drop_decoded(at, at + 4)

    def messages(self, machine: Machine, start: int, end: int) -> Iterator[Message]:
        """Yield the messages between two positions, across the end of the ring if `end` is below
        `start`."""
        data, at, left = self._data(machine), start, self.data_bytes
        while at != end and left > 0:
            if at + HEADER_BYTES > self.data_bytes:
                at, left = 0, left - HEADER_BYTES
                continue
            header = int.from_bytes(data[at : at + HEADER_BYTES], "little")
            risc, number = header >> 1 & 31, header >> 16
            length = header >> 6 & 1023
            if number == WRAP_ID and not header & 0xFFFF:
                at, left = 0, left - HEADER_BYTES
                continue
            at += HEADER_BYTES
            fresh = bool(header & 1) and length == NEW_KERNEL
            length = 0 if fresh else length
            if at + length > self.data_bytes:
                return  # damaged: no message crosses the end
            yield Message(risc, bool(header & 1), number, data[at : at + length], fresh)
            at += length
            left -= HEADER_BYTES + length

    def _data(self, machine: Machine) -> bytes:
        l1 = machine.record.row(machine.record.layout.slot("l1", "word"))
        return bytes(l1[self.addr + AUX_BYTES : self.addr + self.size])
