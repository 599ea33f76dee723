# SPDX-License-Identifier: Apache-2.0
"""Programs of Ethernet tiles, recognised in tt-metal's cache so that debuggers have their lines.

The host starts a kernel there by a go message, as on a Tensix tile, after it has written a launch
message that says where the kernel is (hw/inc/hostdev/dev_msgs.h; the places are those of active
Ethernet cores, of Blackhole as ttsim has them, of Wormhole by wormhole/dev_mem_map.h and
eth_l1_address_map.h). A file counts only if its code is in L1 at that place. On Wormhole it is
always at one place: firmware copies it to the core's instruction RAM from there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tensix_gdb.core.arch.blackhole import NC, B
from tensix_gdb.core.program.elf import Image
from tensix_gdb.gdbstub.host.simulator.kernels.cache import KernelCache
from tensix_gdb.gdbstub.host.simulator.messages import Command, Message
from tensix_gdb.gdbstub.host.simulator.runs.races import RunRaces

if TYPE_CHECKING:
    from tensix_gdb.core.chip.ethernet.tile import Ethernet

MAILBOX_OF = (0x100, 0x3DD50)  # by kind of chip
POINTER, LAUNCH, LAUNCH_BYTES, GO = 12, 16, 144, 0x490  # in a mailbox
BASE, TEXT = 4, 52  # in a launch message: where the kernels are, and E0's offset there
SIGNAL = 0x80  # RUN_MSG_GO, in the last byte of the go message
KERNEL_OF = (0, 0xA840)  # where it is, if no message says it
PROCESSOR_OF = ("active_erisc", "erisc")  # as tt-metal names its folders and files


class EthernetPrograms:
    """Of one tile. `first_thread` is the one of its threads that debuggers have first; `races` are
    told of each launch."""

    def __init__(
        self, tile: Ethernet, cache: KernelCache, first_thread: int, races: RunRaces
    ) -> None:
        self._tile, self._cache, self.first_thread = tile, cache, first_thread
        self._kind = int(tile.machine.S.tile.chip)
        self._mailbox = MAILBOX_OF[self._kind]
        self._races = races

    def starts_by(self, message: Message) -> bool:
        """True if this access is the go message."""
        data = message.data
        return (
            message.command is Command.WRITE
            and (message.addr, len(data)) == (self._mailbox + GO, 4)
            and data[3] == SIGNAL
        )

    def recognise(self) -> bool:
        """Find the firmware and the kernel that are there. True if they are others than before."""
        machine = self._tile.machine
        processor = PROCESSOR_OF[self._kind]
        found: list[Image] = self._cache.fixed(processor, machine)
        # Where one core is left to base firmware the host's programs are the other one's.
        hart = B if not machine.S.hart.in_reset[B] and machine.S.hart.in_reset[NC] else NC
        kernels = self._cache.kernels_of(processor, hart, self._entry(), self._read)
        found += kernels
        for image in found:
            image.hart = hart
        self._races.on_launch([image.path.parents[2].name for image in kernels])
        if [image.path for image in found] == [i.path for i in machine.loader.hosted("ethernet")]:
            return False
        machine.loader.set_hosted("ethernet", found)
        return True

    def _entry(self) -> int:
        if KERNEL_OF[self._kind]:
            return KERNEL_OF[self._kind]
        launch = self._mailbox + LAUNCH + LAUNCH_BYTES * self._word(self._mailbox + POINTER)
        return self._word(launch + BASE) + self._word(launch + TEXT)

    def _word(self, addr: int) -> int:
        return int.from_bytes(self._read(addr, 4), "little")

    def _read(self, addr: int, size: int) -> bytes:
        return self._tile.machine.peek(B, addr, size)
