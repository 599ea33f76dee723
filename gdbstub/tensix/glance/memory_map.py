# SPDX-License-Identifier: Apache-2.0
"""L1 and the local RAMs as a letter for each cell of some bytes, which is enough for a map.

.        all bytes are 0              s   a stack: from the stack pointer of a hart to its top
d        some byte is not 0           c   a circular buffer of tt-metal's
0 to 4   a program of that hart       p   a program of no hart in particular
i        an input of `--tile`
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import (
    HART_NAMES,
    HARTS,
    L1_BYTES,
    LOCAL_BASE,
    LOCAL_BYTES,
    LOCAL_STRIDE,
    B,
)
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image, LoadError
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.host.circular_buffers import CircularBuffer, CircularBuffers
from tensix_gdb.gdbstub.tensix.tiles.inputs import inputs_of

CELL = 1024  # bytes of L1
LOCAL_CELL = 128  # bytes of a local RAM
CELLS = L1_BYTES // CELL
SP = 2
EMPTY, DATA, STACK, BUFFER, PROGRAM, INPUT = ".dscpi"
_ZEROS = bytes(CELL)


@dataclass(frozen=True, slots=True)
class Region:
    """A part of L1 or of a local RAM that is known by name; `end` is the first address after it."""

    kind: str
    name: str
    start: int
    end: int


class MemoryMap:
    """The map of one tile at its last `look_at_tile`: `l1_bytes` is all of L1, `regions` everything
    that is known by name, stacks and buffers after programs. It remembers what programs say of
    themselves, since that takes long."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._buffers = CircularBuffers(machine)
        self._known: dict[int, tuple[Image, tuple[int, ...]]] = {}
        self.l1_bytes = b""
        self.regions: list[Region] = []

    def look_at_tile(self) -> None:
        """Look at the tile as it is now."""
        # A copy: to compare parts of it is many times as fast as parts of a view.
        self.l1_bytes = memoryview(self._machine.S.l1.byte.raw).cast("B").tobytes()
        named = (Region(INPUT, *one) for one in inputs_of(self._machine))
        self.regions = [*self._programs(), *named, *self._circular_buffers(), *self._stacks()]

    def l1(self) -> str:
        """Return a letter for each KiB of L1."""
        memory = self.l1_bytes
        cells = [
            EMPTY if memory[at : at + CELL] == _ZEROS else DATA for at in range(0, L1_BYTES, CELL)
        ]
        _mark(cells, self.regions, 0, CELL)
        return "".join(cells)

    def local(self) -> tuple[str, ...]:
        """Return by hart a letter for each 128 bytes of its local RAM."""
        memory = memoryview(self._machine.S.local.byte.raw).cast("B").tobytes()
        found = []
        for hart in range(HARTS):
            start = hart * LOCAL_STRIDE
            cells = [
                EMPTY if memory[at : at + LOCAL_CELL] == _ZEROS[:LOCAL_CELL] else DATA
                for at in range(start, start + LOCAL_BYTES[hart], LOCAL_CELL)
            ]
            own = [r for r in self.regions if r.start >= LOCAL_BASE and r.name == _stack_of(hart)]
            _mark(cells, own, LOCAL_BASE, LOCAL_CELL)
            found.append("".join(cells))
        return tuple(found)

    def _programs(self) -> Iterator[Region]:
        for image in self._machine.images:
            for segment in image.segments:
                if segment.addr < L1_BYTES and segment.data:
                    kind = PROGRAM if image.hart is None else str(image.hart)
                    yield Region(kind, image.path.name, segment.addr, segment.end)

    def _circular_buffers(self) -> Iterator[Region]:
        if all(image.hart != B for image in self._machine.images):
            return
        with contextlib.suppress(LoadError, TargetError):
            for buffer in self._buffers.all():
                start = buffer.address
                yield Region(BUFFER, name_of_buffer(buffer), start, start + buffer.size)

    def _stacks(self) -> Iterator[Region]:
        """Yield what is from the stack pointer to the top, which is the end of a local RAM; in L1
        it is where a symbol of the program says, or only the cell of the pointer is marked."""
        machine = self._machine
        for hart in range(HARTS):
            pointer = int(machine.read_x(hart, SP))
            top = LOCAL_BASE + LOCAL_BYTES[hart]
            if machine.S.hart.in_reset[hart]:
                continue
            if LOCAL_BASE <= pointer <= top:
                yield Region(STACK, _stack_of(hart), pointer, top)
            elif 0 < pointer <= L1_BYTES:
                tops = [addr for addr in self._tops(hart) if addr >= pointer]
                yield Region(STACK, _stack_of(hart), pointer, min(tops, default=pointer + 1))

    def _tops(self, hart: int) -> tuple[int, ...]:
        """Addresses that a program calls its stack."""
        found: list[int] = []
        for image in self._machine.images:
            if image.hart != hart:
                continue
            known = self._known.get(id(image))
            if known is None or known[0] is not image:
                named = (s.addr for name, s in image.symbols.items() if "stack" in name.lower())
                known = self._known[id(image)] = image, tuple(named)
            found += known[1]
        return tuple(found)


def _stack_of(hart: int) -> str:
    return f"stack of {HART_NAMES[hart]}"


def name_of_buffer(buffer: CircularBuffer) -> str:
    """Return the name of a buffer, with how many pages it has, and the next ones to be read and
    written. They are counted from 0 at each launch, modulo 65536, so of a buffer with 3 pages they
    are right for the first 65,536 pages."""
    name = f"cb {buffer.number}"
    if not buffer.pages:
        return name
    read, write = buffer.acknowledged % buffer.pages, buffer.received % buffer.pages
    return f"{name}, {buffer.filled} of {buffer.pages} pages, read {read}, write {write}"


def _mark(cells: list[str], regions: list[Region], base: int, size: int) -> None:
    for region in regions:
        first = (region.start - base) // size
        last = (max(region.end, region.start + 1) - 1 - base) // size
        for at in range(max(first, 0), min(last + 1, len(cells))):
            cells[at] = region.kind
