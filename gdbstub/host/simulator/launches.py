# SPDX-License-Identifier: Apache-2.0
"""Which programs run on the tile: recognised when tt-metal's host, or its dispatcher, starts them.

The firmware is recognised when B leaves reset. Its debug information says where the launch messages
are. When the host writes the go signal, or a request of a dispatcher on another tile has written
it, the launch message says where the kernels are, and which harts have one. Debuggers are told of
them as of libraries, before the first instruction of a kernel is executed; those of the launch
before are forgotten.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tensix_gdb.core.arch.blackhole import HART_NAMES, L1_BYTES, SOFT_RESET_BIT, B
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.firmware.host import PROCESSORS
from tensix_gdb.core.firmware.image import Firmware
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image, LoadError
from tensix_gdb.gdbstub.host.simulator.grid import TILE, Core
from tensix_gdb.gdbstub.host.simulator.kernels.cache import KernelCache
from tensix_gdb.gdbstub.host.simulator.messages import Command, Message

if TYPE_CHECKING:
    from tensix_gdb.core.firmware.answers import FieldLocation

log = logging.getLogger(__name__)

GO_MESSAGE_BYTES = 4
POINTER_BYTES = 4  # of the number of the next launch message
Announce = Callable[[], Awaitable[None]]


async def _tell_none() -> None:
    """There is no debugger."""


@dataclass(frozen=True, slots=True)
class _LaunchMessage:
    """Where the parts of one launch message are; of each hart, also which bit enables it."""

    enables: FieldLocation
    base: FieldLocation
    texts: tuple[tuple[int, int, FieldLocation], ...]

    def span(self) -> slice:
        """Return the bytes of L1 that have them all."""
        parts = [self.enables, self.base, *(text for _, _, text in self.texts)]
        return slice(
            min(part.offset for part in parts), max(part.offset + part.size for part in parts)
        )


@dataclass(frozen=True, slots=True)
class Repeatable:
    """The last launch, in bytes of L1: if they say the same again, the same kernels are launched.

    `pointer` is where the number of the next launch message is. Message 0 has `fields`, each a
    place, its size and its value; the next one has them `stride` bytes later."""

    pointer: int
    messages: int
    stride: int
    signals: range
    go: int
    fields: list[tuple[int, int, int]]
    parts: list[tuple[slice, bytes]]


def _message(firmware: Firmware, now: int) -> _LaunchMessage:
    """Find the parts of launch message `now`; LoadError if the firmware has other ones."""
    config = f"launch[{now}].kernel_config."
    texts = (
        (hart, number, firmware.field(f"{config}kernel_text_offset[{number}]"))
        for hart, number in PROCESSORS.items()
    )
    enables, base = (firmware.field(config + name) for name in ("enables", "kernel_config_base[0]"))
    return _LaunchMessage(enables, base, tuple(texts))


def _name(image: Image) -> str:
    """Return NAME of kernels/NAME/HASH/trisc1/trisc1.elf."""
    return image.path.parts[-4]


class Launches:
    """Watches the host's accesses to one tile. `announce` tells debuggers that programs have
    changed; `begins` is called with the names of the kernels before a launch, `found_firmware` with
    the addresses of go signals when they are known."""

    def __init__(
        self,
        machine: Machine,
        cache: KernelCache,
        begins: Callable[[Sequence[str]], None],
        core: Core = TILE,
    ) -> None:
        self._machine, self._cache, self._core = machine, cache, core
        self._l1 = machine.record.row(machine.record.layout.slot("l1", "word"))
        self.announce: Announce = _tell_none
        self.found_firmware: Callable[[Core, range], None] = lambda core, signals: None
        self.signals = range(0)  # where go signals are in L1, when the firmware is known
        self._begins = begins
        self._firmware: Firmware | None = None
        self._kernels: list[Image] = []
        self._names: list[str] = []  # of the kernels
        self._places: list[tuple[int | None, int]] = []  # their harts, and where they are
        self._bytes: list[tuple[slice, bytes]] = []  # of theirs in L1
        # Of the firmware, by number: where they are, and their bytes.
        self._messages: dict[int, tuple[_LaunchMessage, slice]] = {}
        self._last: tuple[int, bytes, list[tuple[int, int]]] = -1, b"", []  # and what they say
        self._unknown: set[tuple[int, bytes]] = set()
        self.repeatable: Repeatable | None = None

    def launched(self) -> tuple[int, list[tuple[int, int]]]:
        """Return the number that the host has given to the program of the next launch message, 0 if
        the firmware has no place for it; and its harts, each with where its kernel is in L1."""
        firmware = self._firmware
        if firmware is None:
            return 0, []
        launched = self._launched(firmware)
        try:
            now = self._last[0]
            program = firmware.field(f"launch[{now}].kernel_config.host_assigned_id")
        except LoadError:
            return 0, launched
        return self._read(program), launched

    def starts_by(self, message: Message) -> bool:
        """True if this access is the go signal: call `start` before it is carried out."""
        if message.addr >= self.signals.stop or message.command is not Command.WRITE:
            return False
        return self._firmware is not None and self._is_go(message, self._firmware)

    async def start(self) -> None:
        """Recognise the kernels of the launch message."""
        if self._firmware is not None:
            for kernels in self._steps(self._firmware):
                await self._set(kernels)

    def after_request(self) -> Iterator[None]:
        """Recognise the kernels if the go signal is there; call when a request of another tile has
        written to where signals are. After each step debuggers have to be told before anything is
        executed."""
        if self._firmware is None or not self._has_go(self._firmware):
            return
        for kernels in self._steps(self._firmware):
            self._keep_kernels(kernels)
            yield

    def _steps(self, firmware: Firmware) -> Iterator[list[Image]]:
        """Yield the kernels that debuggers have to know, in one step or two."""
        launched = self._launched(firmware)
        # A loop launches the same again and again, on each tile.
        if launched == self._places and self._are_there():
            self._begins(self._names)
            self._learn(firmware)
            return
        kernels = self._recognised(launched)
        self._begins([_name(image) for image in kernels])
        if _are_same(kernels, self._kernels):
            return
        biases = {image.path: image.bias for image in self._kernels}
        if any(biases.get(image.path, image.bias) != image.bias for image in kernels):
            # GDB knows a library by its name: one that has moved has to be gone meanwhile.
            yield [i for i in kernels if biases.get(i.path) == i.bias]
        yield kernels
        if launched == self._places:
            self._learn(firmware)

    async def on_reset_change(self, before: int, now: int) -> None:
        """Recognise the firmware; call when SOFT_RESET_0 has changed."""
        if not (before & ~now) >> SOFT_RESET_BIT[B] & 1:
            return
        firmware = self._cache.firmware(self._machine)
        if firmware is None or (
            self._firmware is not None and _are_same(firmware.images, self._firmware.images)
        ):
            return
        self._firmware = firmware
        self._messages, self._last = {}, (-1, b"", [])
        place = firmware.field("go_messages")
        first = firmware.field("go_messages[0].signal").offset
        self.signals = range(first, place.offset + place.size, GO_MESSAGE_BYTES)
        self.found_firmware(self._core, range(place.offset, place.offset + place.size))
        self._machine.loader.set_hosted("firmware", firmware.images)
        await self._set([])

    async def _set(self, kernels: list[Image]) -> None:
        self._keep_kernels(kernels)
        await self.announce()

    def _learn(self, firmware: Firmware) -> None:
        """Note the launch that has just been recognised, unless it is noted."""
        if self.repeatable is not None or not self._last[2]:
            return
        try:
            first, second = (_message(firmware, number) for number in range(2))
            pointer = firmware.field("launch_msg_rd_ptr")
            ring, one = (firmware.field(path).size for path in ("launch", "launch[0]"))
        except LoadError:
            return
        stride = second.enables.offset - first.enables.offset
        now = self._last[0]
        fields = [first.enables, first.base, *(text for _, _, text in first.texts)]
        said = [replace(field, offset=field.offset + now * stride) for field in fields]
        if pointer.size != POINTER_BYTES or stride != one:
            return
        self.repeatable = Repeatable(
            pointer.offset,
            ring // one,
            stride,
            self.signals,
            firmware.signal("RUN_MSG_GO"),
            [(at.offset, at.size, self._read(has)) for at, has in zip(fields, said, strict=True)],
            self._bytes,
        )

    def _keep_kernels(self, kernels: list[Image]) -> None:
        self._kernels, self.repeatable = kernels, None
        self._names = [_name(image) for image in kernels]
        self._places = [(image.hart, image.entry) for image in kernels]
        self._bytes = [
            (slice(segment.addr, segment.addr + len(segment.data)), segment.data)
            for image in kernels
            for segment in image.segments
            if segment.addr < L1_BYTES
        ]
        self._machine.loader.set_hosted("kernels", kernels)

    def _has_go(self, firmware: Firmware) -> bool:
        go = firmware.signal("RUN_MSG_GO")
        return any(self._machine.peek(B, at, 1)[0] == go for at in self.signals)

    def _is_go(self, message: Message, firmware: Firmware) -> bool:
        if message.core != self._core:
            return False
        start, end = message.addr, message.addr + len(message.data)
        if end <= self.signals.start or start >= self.signals.stop:
            return False
        go = firmware.signal("RUN_MSG_GO")
        return any(start <= at < end and message.data[at - start] == go for at in self.signals)

    def _launched(self, firmware: Firmware) -> list[tuple[int, int]]:
        """Return the harts that have a kernel in the next launch message, and where it is in L1."""
        try:
            pointer = firmware.field("launch_msg_rd_ptr")
            # A hart may have it in its store queue yet. All else comes from the host or a tile.
            now = int.from_bytes(self._machine.peek(B, pointer.offset, pointer.size), "little")
            if now not in self._messages:
                message = _message(firmware, now)
                self._messages[now] = message, message.span()
            message, span = self._messages[now]
            data = self._l1[span].tobytes()
            if self._last[:2] != (now, data):
                self._last = now, data, self._said_by(message)
            return self._last[2]
        except LoadError as problem:
            log.warning("kernels are not recognised: %s", problem)
            return []

    def _said_by(self, message: _LaunchMessage) -> list[tuple[int, int]]:
        enables, base = self._read(message.enables), self._read(message.base)
        launched = [
            (hart, base + self._read(text))
            for hart, number, text in message.texts
            if enables >> number & 1
        ]
        return [(hart, addr) for hart, addr in launched if addr < L1_BYTES]

    def _read(self, place: FieldLocation) -> int:
        return int.from_bytes(self._l1[place.offset : place.offset + place.size], "little")

    def _in_l1(self, addr: int, length: int) -> bytes:
        return bytes(self._l1[addr : addr + length])

    def _recognised(self, launched: Sequence[tuple[int, int]]) -> list[Image]:
        """Return the kernels at these places. Of files with the same code, those that belong
        together are taken: T0, T1 and T2 have a kernel in common."""
        build = None if self._firmware is None else self._firmware.folder.parent
        places = tuple(launched)
        if known := self._cache.together(places, self._in_l1, build):
            return known
        candidates = [self._candidates(hart, addr) for hart, addr in launched]
        together = Counter(image.path.parents[1] for images in candidates for image in images)
        found = [
            max(images, key=lambda image: together[image.path.parents[1]])
            for images in candidates
            if images
        ]
        self._cache.keep_together(places, found, build)
        return found

    def _candidates(self, hart: int, addr: int) -> list[Image]:
        for image in self._kernels:
            if (image.hart, image.entry) == (hart, addr) and self._is_there(image):
                return [image]
        build = None if self._firmware is None else self._firmware.folder.parent
        found = self._cache.kernels(hart, addr, self._in_l1, build)
        if not found:
            self._say_unknown(hart, addr)
        return found

    def _are_there(self) -> bool:
        """True if the kernels that were recognised last are in L1 as they were."""
        l1 = self._l1
        return all(l1[place].tobytes() == data for place, data in self._bytes)

    def _is_there(self, image: Image) -> bool:
        return all(
            self._in_l1(segment.addr, len(segment.data)) == segment.data
            for segment in image.segments
            if segment.addr < L1_BYTES
        )

    def _say_unknown(self, hart: int, addr: int) -> None:
        key = addr, self._in_l1(addr, 64)
        if key not in self._unknown:
            self._unknown.add(key)
            where = f"the kernel of {HART_NAMES[hart]} at {addr:#x}"
            log.warning("%s is none of those in %s: it has no symbols", where, self._cache.root)


def _are_same(some: Sequence[Image], others: Sequence[Image]) -> bool:
    return [(i.path, i.bias, i.hart, i.content) for i in some] == [
        (i.path, i.bias, i.hart, i.content) for i in others
    ]
