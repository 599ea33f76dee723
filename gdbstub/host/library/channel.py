# SPDX-License-Identifier: Apache-2.0
"""The server's end of the channel to a host: the same layout as channel.h and pump.c."""

from __future__ import annotations

import ctypes
import enum
import mmap
import socket
from collections.abc import Collection, Iterator, Mapping, Sequence
from ctypes import c_int8, c_int16, c_uint8, c_uint16, c_uint32, c_uint64
from dataclasses import replace
from pathlib import Path
from typing import cast

from tensix_gdb.core.arch.blackhole import NC
from tensix_gdb.core.arch.chips import L1_END, MOST_CHIPS
from tensix_gdb.core.chip.places import SIDE, chip_of
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.segments import Segments
from tensix_gdb.core.race.fields import L1_CELLS
from tensix_gdb.core.race.state.host import CELL
from tensix_gdb.gdbstub.host.library.launch_table import Launch
from tensix_gdb.gdbstub.host.library.pump import Pump
from tensix_gdb.gdbstub.host.simulator.grid import Core
from tensix_gdb.gdbstub.host.simulator.messages import Command, Message

VERSION = 2
RING_BYTES, BLOCK_BYTES = 4 << 20, 1 << 18
POLLS = 1024
CHANNELS = 8 * MOST_CHIPS  # of DRAM, at most
WIDTH = SIDE * (MOST_CHIPS + 1)  # columns of all chips (core/chip/places.py)
FIRST_MEMORY = -2  # of the numbers of cores with memory that is neither L1 nor DRAM
SPINS = 2_000  # some 20 microseconds
DATA = 24  # bytes of a request before its data


# By the field of a tile, the row of its record.
_SLOTS = {
    "l1": ("l1", "word"),
    "lines": ("decoded", "line"),
    "decoded": ("decoded", "word"),
    "of": ("translated", "of"),
    "code": ("translated", "code"),
    "dropped": ("translated", "dropped"),
    "written": ("state", "written"),
    "idle_cycles": ("tile", "idle_cycles"),
    "soft_reset": ("tile_control", "soft_reset"),
    "pc": ("hart", "pc"),
    "request_pc": ("request", "pc"),
}


class Kind(enum.IntEnum):
    """Of a request."""

    SKIP, WRITE, READ, CLOCK, OPEN, CLOSE = range(6)


class Why(enum.IntEnum):
    """Why `pump` has come back."""

    IDLE, ASKS_PYTHON, WAKES, WAITS, PASSES, BUSY = range(6)


class _Request(ctypes.Structure):
    _fields_ = (
        ("kind", c_uint32), ("size", c_uint32), ("addr", c_uint64),
        ("x", c_uint16), ("y", c_uint16), ("x_end", c_uint16), ("y_end", c_uint16),
    )  # fmt: skip


class _Channel(ctypes.Structure):
    """Fields that start a line of the cache have the bytes before it as padding."""

    _fields_ = (
        ("version", c_uint32), ("spins", c_uint32), ("chip", c_uint32), ("chips", c_uint32),
        ("is_open", c_uint32), ("has_ended", c_uint32), ("_a", c_uint8 * 40),
        ("head", c_uint64), ("host_sleeps", c_uint32), ("in_call", c_uint32), ("_b", c_uint8 * 48),
        ("tail", c_uint64), ("server_sleeps", c_uint32), ("_c", c_uint8 * 52),
        ("host_bell", c_uint32), ("_d", c_uint8 * 60),
        ("server_bell", c_uint32), ("_e", c_uint8 * 60),
        ("answers", c_uint32), ("_f", c_uint8 * 60),
        ("memory", c_uint32), ("memory_size", c_uint32), ("memory_addr", c_uint64),
        ("memory_chip", c_uint32), ("_g", c_uint8 * 44), ("answer", c_uint8 * BLOCK_BYTES),
        ("block", c_uint8 * BLOCK_BYTES), ("ring", c_uint8 * RING_BYTES),
    )  # fmt: skip


class Tile(ctypes.Structure):
    """A tile as `pump` sees it: where its bytes are, and what it may do with them by itself."""

    _fields_ = (
        ("l1", c_uint64), ("lines", c_uint64), ("decoded", c_uint64), ("of", c_uint64),
        ("code", c_uint64), ("dropped", c_uint64), ("written", c_uint64), ("idle_cycles", c_uint64),
        ("bytes", c_uint64),
        ("signals", c_uint64), ("signals_end", c_uint64), ("soft_reset", c_uint64),
        ("pc", c_uint64), ("request_pc", c_uint64),
        ("in_reset", c_uint32), ("is_plain", c_uint32), ("awake", c_uint64), ("settled", c_uint64),
        ("launch", ctypes.POINTER(Launch)),
    )  # fmt: skip


class _Poll(ctypes.Structure):
    _fields_ = (
        ("addr", c_uint64), ("answer", c_uint64), ("epoch", c_uint64), ("size", c_uint32),
        ("core", c_uint32),
    )  # fmt: skip


class _Dram(ctypes.Structure):
    _fields_ = (
        ("segments", c_uint64 * CHANNELS), ("bytes", c_uint64), ("is_plain", c_uint32),
        ("unused", c_uint32), ("channel", c_int8 * (WIDTH * SIDE)),
    )  # fmt: skip


class _Memory(ctypes.Structure):
    _fields_ = (("first", c_uint64), ("end", c_uint64), ("bytes", c_uint64))


class _Server(ctypes.Structure):
    _fields_ = (
        ("tiles", ctypes.POINTER(Tile)), ("number", c_int16 * (WIDTH * SIDE)),
        ("awake", c_uint64), ("count", c_uint32), ("launches", c_uint32),
        ("requests", c_uint64), ("plain", c_uint64), ("owed", c_uint64), ("limit", c_uint32),
        ("is_waiting", c_uint32), ("has_accessed", c_uint32), ("current", c_uint32),
        ("epoch", c_uint64), ("inputs", c_uint64), ("inputs_bytes", c_uint64),
        ("inputs_used", c_uint64), ("read", _Request), ("large", _Poll), ("polls", _Poll * POLLS),
        ("dram", _Dram), ("memories", _Memory * MOST_CHIPS),
    )  # fmt: skip


class Channel:
    """The shared memory at file descriptor `memory`, the socket at `end`, and the functions of the
    library at `pump`. ValueError when the host's library is of another version."""

    def __init__(self, memory: int, end: int, pump: Path, *, spins: int = SPINS) -> None:
        self._mapped = mmap.mmap(memory, ctypes.sizeof(_Channel))
        self._shared = _Channel.from_buffer(self._mapped)
        if self._shared.version != VERSION:
            raise ValueError(
                f"the library is of version {self._shared.version} and this package of {VERSION}: "
                "write its folder again by `tensix-gdb simulator`"
            )
        self.socket = socket.socket(fileno=end)
        self.socket.setblocking(False)
        self._shared.spins = spins
        self._server = _Server()
        self._server.number[:] = self._server.dram.channel[:] = [-1] * (WIDTH * SIDE)
        self.tiles: ctypes.Array[Tile] | None = None
        self._memories: list[ctypes.Array[c_uint8]] = []
        self._room: mmap.mmap | None = None  # of what is kept
        self._pump = Pump(pump)
        self._at = ctypes.addressof(self._shared), ctypes.addressof(self._server)
        base = _Channel.ring.offset
        self._bytes = memoryview(self._mapped)
        self._ring = self._bytes[base : base + RING_BYTES]

    def set_tiles(
        self,
        tiles: Sequence[tuple[Core, Machine]],
        limit: int,
        cores: Mapping[Core, Collection[Core]] | None = None,
    ) -> None:
        """Tell which tiles there are, and by which `cores` the host knows one, if not by its own
        alone; not more than `limit` cycles are owed at a time."""
        cores = cores or {}
        rows = (Tile * len(tiles))()
        self._shared.chip = int(tiles[0][1].S.tile.chip)
        self._shared.chips = 1 + max(chip_of(core) for core, _ in tiles)
        for number, (core, machine) in enumerate(tiles):
            layout, base, row = machine.record.layout, machine.record.address, rows[number]
            for name, slot in _SLOTS.items():
                setattr(row, name, base + layout.slot(*slot).offset)
            row.written += L1_CELLS * CELL
            row.pc += NC * ctypes.sizeof(c_uint32)
            row.bytes = L1_END[self._shared.chip]
            row.in_reset = int(machine.S.tile_control.soft_reset)
            for x, y in cores.get(core, (core,)):
                self._server.number[x + WIDTH * y] = number
        self.tiles = rows
        self._server.tiles, self._server.limit, self._server.count = rows, limit, len(tiles)
        self._server.awake = self._server.epoch = 1  # the polls of the table have 0

    def set_dram(self, cores: Mapping[Core, int], dram: Sequence[Segments], size: int) -> None:
        """Tell which channel of DRAM a core leads to, and how many bytes each has."""
        for core, number in cores.items():
            self._server.dram.channel[core[0] + WIDTH * core[1]] = number
        self._server.dram.segments[: len(dram)] = [each.table for each in dram]
        self._server.dram.bytes = size

    def add_memory(self, cores: Collection[Core], first: int, content: bytearray) -> None:
        """Tell that these cores are one that has these bytes, from an address on."""
        number = len(self._memories)
        held = (c_uint8 * len(content)).from_buffer(content)
        self._memories.append(held)  # they stay where they are
        self._server.memories[number] = _Memory(first, first + len(held), ctypes.addressof(held))
        for x, y in cores:
            self._server.number[x + WIDTH * y] = FIRST_MEMORY - number

    def is_dram_plain(self, is_so: bool) -> None:
        """Say whether an access to DRAM, or to memory of an ARC, concerns nothing but its bytes."""
        self._server.dram.is_plain = is_so

    def pump(self, most: int, seconds: float) -> Why:
        """Carry out requests that concern bytes of L1 or of DRAM alone, at most so many, and wait
        for one at most so long."""
        return Why(self._pump.pump(*self._at, most, int(seconds * 1e9)))

    def is_awake(self, number: int, *, slept: bool) -> None:
        """Note that a tile is up to date, and may be written; `slept` says that it was asleep."""
        assert self.tiles is not None
        tile = self.tiles[number]
        tile.awake = self._server.awake
        tile.settled = tile.awake if slept else 0

    def may_sleep(self) -> None:
        """Note that tiles have run, and may be asleep."""
        self._server.awake += 1

    def resets(self) -> Iterator[int]:
        """Yield the tiles in which harts have entered or left reset since it was last asked."""
        number = -1
        while (number := self._pump.next_reset(self._at[1], number + 1)) < self._server.count:
            yield number

    @property
    def kind(self) -> Kind:
        """Of the current request."""
        return Kind(self._current().kind)

    def _current(self) -> _Request:
        return _Request.from_buffer(self._mapped, _Channel.ring.offset + self._server.current)

    def message(self) -> Message:
        """Return the current request, a READ or a WRITE, as a message; of a multicast, to its first
        core."""
        return _message(self._current(), self._ring, self._server.current)

    def cores(self) -> tuple[Core, Core]:
        """Return the corners of the current request's rectangle, which is one core as a rule."""
        request = self._current()
        return (request.x, request.y), (request.x_end, request.y_end)

    def last_read(self) -> tuple[Message, bytes]:
        """Return the last READ and its answer."""
        request = self._server.read
        start = _Channel.answer.offset
        answer = bytes(self._bytes[start : start + request.size])
        return _message(request, self._ring, 0), answer

    def done(self, answer: bytes | None = None) -> None:
        """Take the current request, and answer it."""
        if answer is not None:
            start = _Channel.answer.offset
            self._bytes[start : start + len(answer)] = answer
        self._pump.done(*self._at)

    def keep_inputs(self, room: mmap.mmap | None) -> None:
        """Keep in `room` from now on what may change something; None: nothing any more."""
        server, self._room = self._server, room
        server.inputs_used = 0
        server.inputs_bytes = 0 if room is None else len(room)
        server.inputs = 0 if room is None else ctypes.addressof(c_uint8.from_buffer(room))

    @property
    def keeps_inputs(self) -> bool:
        """True unless there was no room for one."""
        return bool(self._server.inputs)

    @property
    def kept_bytes(self) -> int:
        """Of `room`, how many are requests."""
        return int(self._server.inputs_used)

    def keep_current(self) -> None:
        """Keep the current request, which is about to be carried out."""
        self._pump.keep_current(*self._at)

    def owe(self, cycles: int) -> None:
        """Owe so many cycles, which pass at the next clock."""
        self._server.owed += cycles

    def take_owed(self) -> int:
        """Return the cycles that are to pass, and owe them no more."""
        owed = int(self._server.owed)
        self._server.owed = 0
        return owed

    @property
    def repeats(self) -> bool:
        """True if the last access of the host was a read with the same answer as before, and it has
        written nothing since: it waits for these bytes. A host that waits and does not read waits
        for its own memory, or for time."""
        return bool(self._server.is_waiting)

    @property
    def writes(self) -> int:
        """Count the writes of the host."""
        return int(self._server.epoch)

    def ask_to_read(self, addr: int, size: int, chip: int = 0) -> None:
        """Ask the host for bytes of its memory, at an address that a chip has for them; `block` has
        them when it has answered."""
        self._pump.ask_host(self._at[0], 1, chip, addr, size)

    def ask_to_write(self, addr: int, data: bytes, chip: int = 0) -> None:
        """Ask the host to write bytes to its memory."""
        start = _Channel.block.offset
        self._bytes[start : start + len(data)] = data
        self._pump.ask_host(self._at[0], 2, chip, addr, len(data))

    def is_answered(self, seconds: float) -> bool:
        """True if the host has done what it was asked for; wait for that at most so long."""
        return bool(self._pump.is_answered(self._at[0], int(seconds * 1e9)))

    def block(self, size: int) -> bytes:
        """Return the bytes that the host was asked for."""
        start = _Channel.block.offset
        return bytes(self._bytes[start : start + size])

    def is_in_call(self) -> bool:
        """True while the host waits."""
        return bool(self._shared.in_call)

    @property
    def is_open(self) -> bool:
        """True if the host has opened the device and not closed it."""
        return bool(self._shared.is_open)

    def sleep_at_socket(self) -> bool:
        """From now on the host wakes us by a byte of the socket; False if it has called already."""
        return bool(self._pump.sleep_at_socket(self._at[0]))

    def end_host(self, status: int) -> None:
        """End the host's process with this status as soon as it waits."""
        self._pump.end_host(self._at[0], status)

    def launches(self) -> int:
        """Return a number that changes with each launch that `pump` carries out."""
        return int(self._server.launches)

    def counts(self) -> tuple[int, int]:
        """Return how many accesses there were, and how many of them `pump` has carried out."""
        return int(self._server.requests), int(self._server.plain)


def _message(request: _Request, ring: memoryview, at: int) -> Message:
    core = int(request.x), int(request.y)
    if request.kind == Kind.READ:
        return Message(Command.READ, core, int(request.addr), int(request.size))
    data = bytes(ring[at + DATA : at + DATA + request.size])
    return Message(Command.WRITE, core, int(request.addr), len(data), data)


@dataclass(frozen=True, slots=True)
class Kept:
    """A request that was kept: the corners of its rectangle, and where the next one begins."""

    first: Core
    last: Core
    one: Message
    end: int

    def message(self, core: Core) -> Message:
        """Return it as an access to a core."""
        return replace(self.one, core=core)


def kept_requests(room: mmap.mmap) -> Iterator[Kept]:
    """Yield one after the other; the caller knows how many there are."""
    at = 0
    with memoryview(room) as whole:
        while True:
            request = _Request.from_buffer_copy(whole, at)
            one = _message(request, whole, at)
            at += DATA + (len(one.data) + 7 & ~7)
            yield Kept((request.x, request.y), (request.x_end, request.y_end), one, at)


def layout() -> tuple[int, ...]:
    """Return what `layout` of pump.c has, as it is here."""
    sizes = map(ctypes.sizeof, (_Channel, _Request, Tile, _Server))
    places = (
        *(_Channel.answer.offset, _Channel.ring.offset),
        *(_Server.read.offset, _Server.dram.offset + _Dram.channel.offset),
        _Server.memories.offset,
        *(ctypes.sizeof(Launch), Launch.part.offset),
    )
    return (*sizes, *cast("tuple[int, ...]", places))
