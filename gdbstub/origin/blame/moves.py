# SPDX-License-Identifier: Apache-2.0
"""The moves of an unpacker from L1 and of the packer to L1, and the words that caused them."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import THREAD_NAMES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields, fields_of_word
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.registers.own_words import on_wormhole
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.data_format import Format
from tensix_gdb.core.tensix.packer import config as packer
from tensix_gdb.core.tensix.packer.state import DATUMS
from tensix_gdb.core.tensix.regfiles.adc import PACKERS, X
from tensix_gdb.core.tensix.unpacker import config as unpacker
from tensix_gdb.core.tensix.unpacker import queue
from tensix_gdb.core.tensix.unpacker.formats import BITS
from tensix_gdb.core.tensix.unpacker.source import base_address
from tensix_gdb.core.tiles.layout import FACE
from tensix_gdb.gdbstub.origin.blame.writes import Write, Writes

FORMAT_BITS = 4  # of the fields that are looked at here, those with a format


@dataclass(frozen=True, slots=True)
class Setting:
    """A field of Config, what it holds, and its last write."""

    name: str
    value: int
    write: Write | None
    is_format: bool = False

    def text(self, machine: Machine) -> str:
        """`NAME is 0x3140, written by ...`."""
        said = "which nothing has written"
        if self.write is not None:
            said = f"written {self.write.text(machine)}"
        value = format_name(self.value) if self.is_format else f"{self.value:#x}"
        return f"{self.name} is {value}, {said}"


@dataclass(slots=True)
class Move:
    """Bytes `start` to `end` of L1 that were read or written as a format."""

    is_read: bool
    name: str
    thread: int
    hart: int
    pc: int
    cycle: int
    start: int
    end: int
    format: int
    address: Setting
    formats: tuple[Setting, ...]
    narrow: Setting | None = None  # the end of X of a PACR, if that is not a row of a face

    def text(self, machine: Machine) -> str:
        """`UNPACR of T0 unpack, unpack_tile at add.c:39, has read 0x31400 to 0x31bff`."""
        verb = "read" if self.is_read else "written"
        where = machine.places.at(self.hart, self.pc)
        return (
            f"{self.name} of {THREAD_NAMES[self.thread]}, {where}, has {verb} {self.start:#x} to "
            f"{self.end - 1:#x}"
        )


def unpacked(machine: Machine, writes: Writes, thread: int, which: int, cycle: int) -> Move | None:
    """Return the move of the UNPACR that has just entered an unpacker; None if it reads nothing."""
    S = machine.S
    if not S.unpack.count[which]:
        return None
    j = which * queue.DEPTH + (S.unpack.head[which] + S.unpack.count[which] - 1) % queue.DEPTH
    if S.unpack.kind[j] != queue.MOVE or S.unpack.flags[j] & queue.ALL_ZERO:
        return None
    bank, start, given = (
        int(S.unpack.bank[j]),
        int(S.unpack.data[j]) >> 3,
        int(S.unpack.in_format[j]),
    )
    context = next(
        (
            context
            for context in range(unpacker.CONTEXTS)
            if base_address(S, bank, which, context) == start
        ),
        0,
    )
    total = int(S.unpack.total[j])
    size = BITS[given] * total // 8 if S.unpack.flags[j] & queue.PLAIN else 0
    return Move(
        True,
        "UNPACR",
        thread,
        int(S.unpack.hart[j]),
        int(S.unpack.pc[j]),
        cycle,
        start,
        start + max(size, 1),
        given,
        _setting(machine, writes, bank, unpacker.BASES[which * unpacker.CONTEXTS + context]),
        tuple(unpacker_formats(machine, writes, thread, which)),
    )


def unpacker_formats(
    machine: Machine, writes: Writes, thread: int, which: int
) -> Iterator[Setting]:
    """Yield the settings of an unpacker's formats."""
    bank = bank_of(machine.S, thread)
    yield _setting(machine, writes, bank, unpacker.IN_FORMAT[which], "InDataFormat of ")
    yield _setting(machine, writes, bank, unpacker.OUT_FORMAT[which])


def packer_formats(
    machine: Machine, writes: Writes, thread: int, context: int = 0
) -> Iterator[Setting]:
    """Yield the settings of the packer's formats."""
    bank, control = bank_of(machine.S, thread), packer.CONTROL[context]
    yield _setting(machine, writes, bank, _field(control, packer.IN_FORMAT, 4))
    yield _setting(machine, writes, bank, _field(control, packer.OUT_FORMAT, 4))
    dst = config_fields(Arch.BLACKHOLE)["ALU_FORMAT_SPEC_REG2_Dstacc"]
    yield _setting(machine, writes, bank, _field(dst.word, dst.low, dst.width))


def packed(machine: Machine, writes: Writes, thread: int, cycle: int) -> Move:
    """Return the move of the PACR that has just begun, if its streams begin with it."""
    S = machine.S
    bank, context = int(S.pack.bank), int(S.pack.section) & 3
    start = int(S.pack.addr[DATUMS])
    return Move(
        False,
        "PACR",
        thread,
        int(S.passed.hart[thread]),
        int(S.passed.pc[thread]),
        cycle,
        start,
        start + bytes_packed(machine),
        int(S.pack.format),
        _setting(machine, writes, bank, _field(packer.ADDRESS[context], 0, 32)),
        tuple(packer_formats(machine, writes, thread, context)),
        _narrow(machine, writes, thread),
    )


def _narrow(machine: Machine, writes: Writes, thread: int) -> Setting | None:
    """Return X of channel 1 if a PACR takes fewer datums than a row of a face has."""
    x0, x1 = (int(machine.S.adc.value[thread, PACKERS, channel, X]) for channel in (0, 1))
    if x1 - x0 + 1 >= FACE:
        return None
    name = f"adc {THREAD_NAMES[thread].partition(' ')[0]} PAC X1"
    return Setting(name, x1, writes.ranges.get((thread, PACKERS)))


def bytes_packed(machine: Machine) -> int:
    """Return how many bytes the PACR that has just begun adds, uncompressed."""
    S = machine.S
    return int(S.pack.left) * BITS[int(S.pack.format)] // 8


def _field(word: int, low: int, width: int) -> int:
    """Return a field as core/tensix/unpacker/config.py packs it."""
    return word << 16 | low << 8 | width


def _setting(machine: Machine, writes: Writes, bank: int, packed: int, before: str = "") -> Setting:
    """Return a field, by the name of the one that begins or ends there."""
    word, low, width = packed >> 16, packed >> 8 & 0xFF, packed & 0xFF
    fields = fields_of_word(Arch.BLACKHOLE, word, thread=False)
    names = [field.name for field in fields if field.low <= low < field.low + field.width]
    own = on_wormhole(packed)[0] if machine.S.tile.chip else packed
    mask = ((1 << (own & 0xFF)) - 1) << (own >> 8 & 0xFF)
    return Setting(
        before + (names[0] if names else f"word {word}"),
        unpacker.value(machine.S, bank, packed),
        writes.last(machine.S, bank, own >> 16, mask),
        is_format=width == FORMAT_BITS,
    )


def format_name(code: int) -> str:
    """`BF16`."""
    return Format(code).name if code in list(Format) else f"format {code}"
