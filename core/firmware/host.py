# SPDX-License-Identifier: Apache-2.0
"""The host's part: load the firmware, release B, wait, launch kernels (tt-metal's llrt).

    place     L1 with all segments, a jump to brisc at address 0, the go signal RUN_MSG_INIT, B free
    boot      B starts the other four; when all have answered, the go signal is RUN_MSG_DONE
    launch    kernels in L1, a launch message that says where, the go signal RUN_MSG_GO
    finish    they run; the go signal is RUN_MSG_DONE again

The tile is not told of any of this: it sees L1 and its reset register, as from a real host.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tensix_gdb.core.arch.blackhole import L1_BYTES, LOCAL_BASE, NC, SOFT_RESET_BIT, T0, T1, T2, B
from tensix_gdb.core.arch.wormhole import IRAM_BASE, IRAM_BYTES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.device_print.buffer import AUX_BYTES, DISABLED, STARTING, Buffer
from tensix_gdb.core.devices.soft_reset import set_soft_reset
from tensix_gdb.core.firmware.image import Firmware
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image, LoadError, Segment
from tensix_gdb.core.stop import Stop

# core_config.h, TensixProcessorTypes: the number of a hart in the launch message.
PROCESSORS = {B: 0, NC: 1, T0: 2, T1: 3, T2: 4}
# core_config.h, subordinate_map_t: the hart of each byte of subordinate_sync.
SYNC_ORDER = (NC, T0, T1, T2)
# dev_msgs.h, dispatch_mode: the host looks at the go signal itself, no core is to be notified.
DISPATCH_MODE_HOST = 1
# remote_dfb_constants.h, REMOTE_DFB_OFFSET_NONE: no such buffers in this launch.
NO_REMOTE_BUFFERS = 0xFF
# circular_buffer_constants.h, NUM_CIRCULAR_BUFFERS by chip: all buffers are local ones.
CIRCULAR_BUFFERS = (64, 32)
# Where kernels go. A host may choose; this is above all that the firmware of any release has.
KERNELS = 0x20000
KERNEL_ALIGNMENT = 16
MAX_CYCLES = 1_000_000  # some hundred times what a boot takes


@dataclass(frozen=True, slots=True)
class State:
    """The two words that a host watches, from `cycle` on."""

    cycle: int
    sync: int
    signal: int


def print_buffer(firmware: Firmware) -> Buffer | None:
    """Find the buffer of prints in a firmware's mailboxes; older firmware has none: None."""
    try:
        place, data = firmware.field("dprint_buf.buffer"), firmware.field("dprint_buf.buffer.data")
    except LoadError:
        return None
    return Buffer(place.offset, place.size) if data.offset - place.offset == AUX_BYTES else None


class Host:
    """The host's side of one machine. Makes the machine start over with the firmware placed.

    What kernels print is read only with `reads_prints`; else they are told, and do not wait for it.
    """

    def __init__(self, machine: Machine, firmware: Firmware, *, reads_prints: bool = False) -> None:
        self.machine, self.firmware = machine, firmware
        self.print_buffer = print_buffer(firmware)
        self._prints = STARTING if reads_prints else DISABLED
        self._sync = firmware.field("subordinate_sync.map").offset
        self._signal = firmware.field("go_messages[0].signal").offset
        # Asked now and then while the tile runs: is it to come back before the firmware is done?
        self.is_interrupted: Callable[[], bool] = lambda: False
        machine.load_by(self.place, firmware.images)
        machine.runner.waits_for_work = self.is_done

    def place(self, machine: Machine) -> None:
        """Fill the L1 of a fresh tile and release B."""
        firmware = self.firmware
        for hart in range(len(firmware.images)):
            for addr, data in firmware.placed(hart):
                machine.poke(B, addr, data)
        machine.poke(B, 0, jump(firmware.images[B].entry).to_bytes(4, "little"))
        machine.poke(B, self._signal, bytes([firmware.signal("RUN_MSG_INIT")]))
        if self.print_buffer is not None:
            self.print_buffer.say(machine, self._prints)
        set_soft_reset(machine.S, machine.S.tile_control.soft_reset & ~(1 << SOFT_RESET_BIT[B]))

    def state(self) -> State:
        """Return the words as they are now."""
        sync = int.from_bytes(self.machine.peek(B, self._sync, 4), "little")
        return State(self.machine.S.tile.cycle, sync, self.machine.peek(B, self._signal, 1)[0])

    def run_until_done(
        self, cycles: int = MAX_CYCLES, after_each: Callable[[], None] = lambda: None
    ) -> tuple[list[State], Stop | None]:
        """Run until the go signal is RUN_MSG_DONE: every state on the way, and a stop before it.

        Without a stop, the last state says whether it is done. `after_each` is called after each
        cycle.
        """
        machine, done = self.machine, self.firmware.signal("RUN_MSG_DONE")
        states = [self.state()]
        end = machine.S.tile.cycle + cycles
        while states[-1].signal != done and machine.S.tile.cycle < end:
            stop = machine.run(1)
            if stop is not None:
                return states, stop
            after_each()
            now = self.state()
            if (now.sync, now.signal) != (states[-1].sync, states[-1].signal):
                states.append(now)
            if not now.cycle & 0xFF:
                machine.engine.poll()
                if self.is_interrupted():
                    break
        return states, None

    def is_done(self) -> bool:
        """True if the firmware has said so."""
        return self.state().signal == self.firmware.signal("RUN_MSG_DONE")

    def done_at(self) -> tuple[int, bytes]:
        """Return where the firmware says so in L1, and by which byte."""
        return self._signal, bytes([self.firmware.signal("RUN_MSG_DONE")])

    # Kernels

    def launch(self, kernels: Mapping[int, Image]) -> dict[int, Image]:
        """Put kernels (by hart) into L1 and give the go signal; the kernels where they are now.

        A kernel is a function that returns, at the entry of its file; it is moved to where it runs
        (core/program/relocate.py), and the addresses in its debug information with it. That of NC
        on Wormhole runs where it was linked, at the beginning of NC's instruction RAM: the firmware
        has the mover copy it there, and B starts it by a reset (`wh_iram_trampoline`).
        """
        moved: dict[int, Image] = {}
        at = KERNELS
        starts: dict[int, int] = {}
        iram = 0
        for hart, image in kernels.items():
            starts[hart] = at
            if hart == NC and self.machine.S.tile.chip:
                kernel, segments = image, [Segment(at, iram_bytes(image))]
                iram = len(segments[0].data)
            else:
                kernel = image.moved_to(at)
                segments, starts[hart] = packed(kernel), kernel.entry
            moved[hart] = kernel
            kernel.hart = hart
            for segment in segments:
                self.machine.poke(B, segment.addr, segment.data)
                at = max(at, -(-segment.end // KERNEL_ALIGNMENT) * KERNEL_ALIGNMENT)
        self.machine.loader.add_hosted(list(moved.values()))
        message = "launch[0].kernel_config."
        for name, value in {
            "kernel_config_base[0]": KERNELS,
            "mode": DISPATCH_MODE_HOST,
            "cross_node_dfb_offset": NO_REMOTE_BUFFERS,
            "prefetcher_pipe_offset": NO_REMOTE_BUFFERS,
            "min_remote_cb_start_index": CIRCULAR_BUFFERS[self.machine.S.tile.chip],
            "enables": sum(1 << PROCESSORS[hart] for hart in moved),
            **{
                f"kernel_text_offset[{PROCESSORS[hart]}]": start - KERNELS
                for hart, start in starts.items()
            },
            **({"ncrisc_kernel_size16": iram // KERNEL_ALIGNMENT} if iram else {}),
        }.items():
            self._write(message + name, value)
        self._write("go_messages[0].signal", self.firmware.signal("RUN_MSG_GO"))
        return moved

    def _write(self, path: str, value: int) -> None:
        place = self.firmware.field(path)
        self.machine.poke(B, place.offset, value.to_bytes(place.size, "little"))


def packed(kernel: Image) -> list[Segment]:
    """Return the segments of a kernel in L1: what is for local RAM stands after the rest, from
    where the kernel's own start-up code copies it (`__kernel_data_lma`). Zeros are left to that
    code too."""
    placed = [segment for segment in kernel.segments if segment.addr < L1_BYTES]
    end = max(segment.end for segment in placed)
    for segment in kernel.segments:
        if segment.addr >= LOCAL_BASE and any(segment.data):
            end = -(-end // 4) * 4
            placed.append(Segment(end, segment.data))
            end += len(segment.data)
    return placed


def iram_bytes(kernel: Image) -> bytes:
    """Return the contents of NC's instruction RAM for a kernel, in whole units of the mover;
    LoadError when it was linked elsewhere."""
    data = bytearray()
    for segment in kernel.segments:
        at = segment.addr - IRAM_BASE
        if not 0 <= at <= IRAM_BYTES - len(segment.data) or kernel.entry != IRAM_BASE:
            raise LoadError(
                f"{kernel.path}: a kernel of NC has to be linked to NC's instruction RAM, with its "
                f"entry at {IRAM_BASE:#x} and not more than {IRAM_BYTES >> 10} KiB"
            )
        data[at : at + len(segment.data)] = segment.data
    return bytes(data) + bytes(-len(data) % KERNEL_ALIGNMENT)


def jump(target: int) -> int:
    """Return the instruction at address 0 that goes to `target`."""
    return (
        0x6F
        | (target >> 20 & 1) << 31
        | (target >> 1 & 0x3FF) << 21
        | (target >> 11 & 1) << 20
        | (target >> 12 & 0xFF) << 12
    )
