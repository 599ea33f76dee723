# SPDX-License-Identifier: Apache-2.0
"""The host that reads a tile's prints: at fixed cycles it takes what is there and says so.

That is a function of the tile's state, every PERIOD cycles, so an execution with prints is the same
each time, and the same again in the past. What is shown is another matter: nothing twice, and at a
stop also what kernels have written since the last time, which they may then keep for a while.
"""

from __future__ import annotations

from collections.abc import Callable

from tensix_gdb.core.arch.blackhole import HART_NAMES, L1_BYTES, LOCAL_BASE
from tensix_gdb.core.debug.memory import MemoryFault
from tensix_gdb.core.device_print.buffer import HART_OF, STARTING, Buffer, Message
from tensix_gdb.core.device_print.rendering import Damaged, Surroundings, rendered
from tensix_gdb.core.device_print.strings import Strings
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image

PERIOD = 4096  # cycles: microseconds on the chip, as a host's look takes
MAX_STRING = 256  # bytes of a string that is in the tile's memory


class Prints:
    """The prints of one tile; `show` gets whole lines."""

    period = PERIOD

    def __init__(self, machine: Machine, buffer: Buffer, show: Callable[[str], None]) -> None:
        self._machine = machine
        self._show = show
        self.buffer = buffer
        self._known: dict[int, Strings] = {}
        self._lines: dict[int, str] = {}  # by hart: what its line has so far
        self._front = -1  # the cycle up to which everything was shown
        self._at = 0  # and where in the buffer that is
        self._read = 0  # what the host had read then
        self._resets = machine.resets

    def begin_reading(self) -> None:
        """Read from now on; let kernels print that were told not to."""
        if self.buffer.disabled(self._machine):
            self.buffer.say(self._machine, STARTING)

    def has_work(self) -> bool:
        """True if there is anything to take."""
        positions = self.buffer.positions(self._machine)
        return positions is not None and positions[0] != positions[1]

    def observe(self) -> None:
        """Show what is new, and let kernels have the room again."""
        self.show(partly=False)
        positions = self.buffer.positions(self._machine)
        if positions is not None and positions[0] != positions[1]:
            self.buffer.have_read(self._machine, positions[0])
            if self._machine.S.tile.cycle >= self._front:
                self._read = positions[0]

    def show(self, *, partly: bool = True) -> None:
        """Show what has come since the last time, also of lines that have not ended yet."""
        machine = self._machine
        if self._resets != machine.resets:
            self._resets, self._front, self._at, self._read = machine.resets, -1, 0, 0
            self._lines.clear()
        cycle = int(machine.S.tile.cycle)
        positions = self.buffer.positions(machine)
        if cycle >= self._front and positions is not None:
            write, read = positions
            start = self._at if read == self._read else read
            for message in self.buffer.messages(machine, start, write):
                self._take_message(message)
            self._front, self._at, self._read = cycle, write, read
        if partly:
            for hart, line in self._lines.items():
                if line:
                    self._show(f"{HART_NAMES[hart]}: {line}\n")
                    self._lines[hart] = ""

    def fork(self, cycle: int) -> None:
        """From this cycle on everything is another future."""
        self._front = min(self._front, cycle)

    def _take_message(self, message: Message) -> None:
        hart = HART_OF.get(message.risc)
        if hart is None:
            self._show(f"a print of hart {message.risc}, which a tile does not have\n")
        elif not message.new_kernel:
            lines = (self._lines.get(hart, "") + self._text(hart, message)).split("\n")
            for line in lines[:-1]:
                self._show(f"{HART_NAMES[hart]}: {line}\n")
            self._lines[hart] = lines[-1]

    def _text(self, hart: int, message: Message) -> str:
        strings = self._strings(hart, kernel=message.is_kernel)
        what = f"print {message.number} with {len(message.arguments)} bytes"
        if strings is None:
            return f"<{what}: no file with prints is loaded for {HART_NAMES[hart]}>\n"
        printed = strings.print(message.number)
        if printed is None:
            return f"<{what}: {strings.image.path.name} has no such print>\n"
        around = Surroundings(strings, lambda addr: self._string(hart, addr))
        try:
            return rendered(printed.format, message.arguments, around)
        except Damaged as problem:
            return f"<{printed.file}:{printed.line}: {problem}>\n"

    def _strings(self, hart: int, *, kernel: bool) -> Strings | None:
        """Return those of the kernel launched last, of the firmware, or of the only file."""
        images = [image for image in self._machine.images if image.hart == hart]
        with_prints = [strings for image in images if (strings := self._of(image)).any()]
        if not with_prints:
            return None
        return with_prints[-1 if kernel else 0]

    def _of(self, image: Image) -> Strings:
        if id(image) not in self._known:
            self._known[id(image)] = Strings(image)
        return self._known[id(image)]

    def _string(self, hart: int, addr: int) -> str:
        """Return a string that is in memory, as it is by now."""
        if addr >= L1_BYTES and addr < LOCAL_BASE:
            return f"<no string at {addr:#010x}>"
        try:
            data = self._machine.peek(hart, addr, MAX_STRING)
        except MemoryFault:
            return f"<no string at {addr:#010x}>"
        return data.partition(b"\0")[0].decode("utf-8", "replace")
