# SPDX-License-Identifier: Apache-2.0
"""Registers of a Tensix thread: what clients see as `$gpr`, `$wait`, `$sem` and so on.

Each is a vector, or a union of a struct with a vector of the same words: GDB lists neither among
the registers of a hart (`info registers`), and both in `info registers tensix`. A row of `FIELDS`
names where in the record each of its words is.
"""

from __future__ import annotations

from collections.abc import Callable

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.semaphores import LARGEST, SEMAPHORES
from tensix_gdb.core.places.defined import define
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config.unit import STATE_ID_WORD
from tensix_gdb.core.tensix.frontend.fifo import A, B, C
from tensix_gdb.core.tensix.regfiles import adc
from tensix_gdb.core.tensix.sync import MUTEXES
from tensix_gdb.core.tensix.vector.state import LANES, enabled
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.perf_fields import banks

CONSTANTS = (8, 9, 10, 15)  # LRegs that no instruction writes

Read = Callable[[View, int, int], int]
Write = Callable[[View, int, int, int], None]


@dataclass(frozen=True, slots=True)
class Field:
    """`count` words called `name`: how to read word `i`, and the largest value that it takes;
    `write` is None for what is not written."""

    name: str
    count: int
    read: Read
    most: int = 0
    write: Write | None = None


@dataclass(frozen=True, slots=True)
class Register:
    """One register; with a single field it is a plain vector. `doc` is for people."""

    name: str
    fields: tuple[Field, ...]
    doc: str
    lanes: bool = False  # a word for each lane: floats and integers alike

    @property
    def words(self) -> int:
        return sum(field.count for field in self.fields)


def _row(part: str, name: str, most: int = 0, *, field: str = "") -> Field:
    """Return a row of the record with one element for each thread."""

    def read(S: View, thread: int, i: int) -> int:
        return int(getattr(getattr(S, part), name)[thread])

    def write(S: View, thread: int, i: int, value: int) -> None:
        getattr(getattr(S, part), name)[thread] = value

    return Field(field or name, 1, read, most, write if most else None)


def _shared(part: str, name: str, count: int, most: int, field: str = "") -> Field:
    """Return a row that all threads share."""

    def read(S: View, thread: int, i: int) -> int:
        return int(getattr(getattr(S, part), name)[i])

    def write(S: View, thread: int, i: int, value: int) -> None:
        getattr(getattr(S, part), name)[i] = value

    return Field(field or name, count, read, most, write)


def _counters(unit: int, row: str, channel: int, name: str) -> Field:
    """X, Y, Z and W of a channel."""

    def read(S: View, thread: int, i: int) -> int:
        return int(getattr(S.adc, row)[thread, unit, channel, i])

    def write(S: View, thread: int, i: int, value: int) -> None:
        getattr(S.adc, row)[thread, unit, channel, i] = value & adc.MASKS[i]

    return Field(name, 4, read, max(adc.MASKS), write)


def _gpr(S: View, thread: int, i: int) -> int:
    return int(S.gpr.word[thread * 64 + i])


def _set_gpr(S: View, thread: int, i: int, value: int) -> None:
    S.gpr.word[thread * 64 + i] = value


def _at_gate(S: View, thread: int, i: int) -> int:
    return int(S.fifo.word[thread, C, S.fifo.head[thread, C]])


def _level(fifo: int) -> Read:
    return lambda S, thread, i: int(S.fifo.count[thread, fifo])


def _low(part: str, name: str) -> Read:
    return lambda S, thread, i: int(getattr(getattr(S, part), name)[thread]) & 0xFFFFFFFF


def _bank(S: View, thread: int, i: int) -> int:
    return int(S.config.thread[thread, STATE_ID_WORD]) & 1


def _set_bank(S: View, thread: int, i: int, value: int) -> None:
    S.config.thread[thread, STATE_ID_WORD] = S.config.thread[thread, STATE_ID_WORD] & ~1 | value


def _adc_register(name: str, unit: int, what: str) -> Register:
    fields = tuple(
        _counters(unit, row, channel, f"ch{channel}{suffix}")
        for row, suffix in (("value", ""), ("cr", "_cr"))
        for channel in range(2)
    )
    return Register(name, fields, f"address counters of {what}: X, Y, Z, W of each channel")


def _lreg(number: int) -> Register:
    """Return an LReg of the Vector Unit, which all threads share."""

    def read(S: View, thread: int, i: int) -> int:
        return int(S.vector.lreg[number, i])

    def write(S: View, thread: int, i: int, value: int) -> None:
        S.vector.lreg[number, i] = value
        define(S, "lreg", number, i)

    put = None if number in CONSTANTS else write
    field = Field(f"lreg{number}", LANES, read, 0xFFFFFFFF, put)
    return Register(f"lreg{number}", (field,), f"LReg[{number}] of the Vector Unit", lanes=True)


def _lane_flags(name: str) -> Field:
    """Return a word of one bit for each lane."""

    def read(S: View, thread: int, i: int) -> int:
        return int(getattr(S.vector, name))

    def write(S: View, thread: int, i: int, value: int) -> None:
        setattr(S.vector, name, value)
        define(S, name)

    return Field(name, 1, read, 0xFFFFFFFF, write)


def _enabled(S: View, thread: int, i: int) -> int:
    return enabled(S) & 0xFFFFFFFF


# fmt: off
REGISTERS: tuple[Register, ...] = (
    Register("gpr", (Field("gpr", 64, _gpr, 0xFFFFFFFF, _set_gpr),), "the thread's GPRs"),
    Register("gate", (
        Field("word", 1, _at_gate), _row("gate", "held"),
        Field("since", 1, _low("gate", "since")), Field("passed", 1, _low("passed", "count")),
        Field("nth", 1, _low("passed", "index")),
    ), "the instruction at the gate, why it is held (Held), since when, how many have passed"),
    Register("wait", (
        _row("latch", "kind", 3), _row("latch", "block", 0x1FF),
        _row("latch", "conditions", 0x1FFF), _row("latch", "semaphores", 0xFF),
        _row("latch", "target", 0xFFFFFFFF), _row("latch", "stream", 0xFF),
    ), "the latched wait: 0 none, 1 STALLWAIT, 2 SEMWAIT, 3 STREAMWAIT, and its masks"),
    Register("fifo", (
        Field("a", 1, _level(A)), Field("b", 1, _level(B)), Field("c", 1, _level(C)),
        _row("mop", "expanding"), _row("replay", "mode", field="replay"),
    ), "instructions in the FIFOs before MOP expander, Replay expander and gate"),
    Register("sem", (
        _shared("semaphore", "value", SEMAPHORES, LARGEST),
        _shared("semaphore", "max", SEMAPHORES, LARGEST),
    ), "the semaphores"),
    Register("mutex", (_shared("mutex", "holder", MUTEXES, 3),), "1 + the holder; 0 none"),
    _adc_register("adc_unp0", adc.UNPACKER_0, "Unpacker 0"),
    _adc_register("adc_unp1", adc.UNPACKER_1, "Unpacker 1"),
    _adc_register("adc_pack", adc.PACKERS, "the packers"),
    Register("rwc", (
        _row("rwc", "dst", 0x3FF), _row("rwc", "dst_cr", 0x3FF),
        _row("rwc", "src_a", 0x3F), _row("rwc", "src_a_cr", 0x3F),
        _row("rwc", "src_b", 0x3F), _row("rwc", "src_b_cr", 0x3F),
        _row("rwc", "fidelity", 3), _row("rwc", "extra_bit", 1),
    ), "row counters"),
    Register("lanes", (
        _lane_flags("flags"), _lane_flags("use_flags"), Field("enabled", 1, _enabled),
    ), "a bit for each lane: LaneFlags, whether they count, and which lanes are enabled"),
    *(_lreg(number) for number in range(17)),
    Register("cfg_bank", (Field("cfg_bank", 1, _bank, 1, _set_bank),), "CFG_STATE_ID"),
    *(Register(name, tuple(Field(*one) for one in fields), doc) for name, doc, fields in banks()),
)
# fmt: on


def read(S: View, thread: int, register: Register) -> bytes:
    """Return the words, in little-endian order."""
    return b"".join(
        field.read(S, thread, i).to_bytes(4, "little")
        for field in register.fields
        for i in range(field.count)
    )


def write(S: View, thread: int, register: Register, data: bytes) -> None:
    """Write all of it, or TargetError. A word that is not written may be given as it is."""
    if len(data) != 4 * register.words:
        raise TargetError(f"${register.name} has {4 * register.words} bytes, not {len(data)}")
    wanted = [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]
    changes: list[tuple[Field, int, int]] = []
    for field in register.fields:
        for i in range(field.count):
            value = wanted.pop(0)
            if value == field.read(S, thread, i):
                continue
            if field.write is None:
                raise TargetError(f"{field.name} of ${register.name} cannot be written")
            if value > field.most:
                raise TargetError(
                    f"{field.name} of ${register.name} takes 0 to {field.most:#x}, not {value:#x}"
                )
            changes.append((field, i, value))
    for field, i, value in changes:
        assert field.write is not None
        field.write(S, thread, i, value)
    if changes:
        S.tensix.active = 1  # a gate may be open now
        S.tile.idle_cycles = 0
