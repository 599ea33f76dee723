# SPDX-License-Identifier: Apache-2.0
"""What a person asks for, as elements of the record; and elements in words.

0x21000, 0x21000:16        bytes of L1, four without a number
local T1 0xffb00010        bytes of a hart's local RAM
$lreg3.f[7], lreg 3 7      a lane of an LReg; all lanes without one
dst 16 4, dst32 16 4       a datum of Dst, of 16 bits or of 32
src a 1 3, src a 1 3 5     row 3 of bank 1 of SrcA, or its column 5
cfg NAME [BANK|T0]         a field of the configuration
gpr T1 5                   a GPR of a thread
reg T1 a0                  a register of a hart, as its instructions have written it
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from tensix_gdb.core.arch.blackhole import (
    HART_NAMES,
    HARTS,
    LOCAL_BASE,
    LOCAL_STRIDE,
    THREADS,
)
from tensix_gdb.core.arch.chips import L1_END, LOCAL_BYTES
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.assembly.rv32 import ABI_NAMES as REGISTER_NAMES
from tensix_gdb.core.devices.wormhole.config_places import pieces
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import ConfigField, Space, config_fields, fields_of_word
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.elements import Element, element_at, offset_of
from tensix_gdb.core.origin.instrumented.watched import Place
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.regfiles import dst
from tensix_gdb.core.tensix.vector.state import EXTRA

LANES = 32
MOST_BYTES = 4096
ADC_UNITS, ADC_NAMES = ("unpacker 0", "unpacker 1", "packer"), "XYZW"


class NotAPlace(ValueError):
    """What was asked for is no place; the message says what to type."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Places, what they were asked for as, and which bits of them are meant."""

    text: str
    places: tuple[Place, ...]
    bits: int = -1
    at: int | None = None  # at the start of this cycle, and not where the tile is


def asked(machine: Machine, words: Sequence[str]) -> Asked:
    """The places that words name. NotAPlace with what to type."""
    if not words:
        raise NotAPlace(
            "name a place: 0x21000, $lreg3.f[7], dst 16 4, src a 1 3, cfg NAME, gpr T1 5"
        )
    text = " ".join(words)
    if re.fullmatch(r"0[xX][0-9a-fA-F]+(:\w+)?|\d+(:\w+)?", words[0]):
        _end(words, 1)
        return Asked(text, (_memory(machine, words[0]),))
    found = re.fullmatch(r"\$?lreg(\d+)(?:\.\w+)?(?:\[(\d+)\])?", words[0], re.IGNORECASE)
    if found:
        _end(words, 1)
        return Asked(text, _lreg(int(found[1]), None if found[2] is None else int(found[2])))
    kind, rest = words[0].lower().lstrip("$"), list(words[1:])
    if kind == "lreg":
        numbers = [_number(word, "LReg or lane") for word in rest[:2]] or [_missing("lreg 3 7")]
        _end(rest, 2)
        return Asked(text, _lreg(numbers[0], numbers[1] if len(numbers) > 1 else None))
    if kind == "local":
        if len(rest) != 2:
            _missing("local T1 0xffb00010")
        return Asked(text, (_local(machine, _hart(rest[0]), rest[1]),))
    if kind in ("dst", "dst16", "dst32"):
        return Asked(text, _dst(machine, rest, wide=kind == "dst32"))
    if kind == "src":
        return Asked(text, _src(rest))
    if kind == "gpr":
        if len(rest) != 2:
            _missing("gpr T1 5")
        thread, number = _thread(rest[0]), _number(rest[1], "GPR")
        return Asked(text, (_element("gpr", "word", thread * 64 + _below(number, 64, "GPR")),))
    if kind == "reg":
        if len(rest) != 2:
            _missing("reg T1 a0")
        return Asked(text, (_element("hart", "x", _hart(rest[0]), _register(rest[1])),))
    if kind == "cfg":
        return _config(machine, text, rest)
    raise NotAPlace(
        f"{text!r} is no place: type 0x21000, $lreg3.f[7], dst 16 4, src a 1 3, cfg NAME, gpr T1 5"
    )


def _missing(example: str) -> int:
    raise NotAPlace(f"something is missing: type for example `{example}`")


def _end(words: Sequence[str], most: int) -> None:
    if len(words) > most:
        raise NotAPlace(f"{words[most]!r} is too much: one place at a time")


def _number(word: str, what: str) -> int:
    try:
        return int(word, 0)
    except ValueError:
        raise NotAPlace(f"{word!r} is no number of a {what}") from None


def _below(number: int, end: int, what: str) -> int:
    if not 0 <= number < end:
        raise NotAPlace(f"there is no {what} {number}: they are 0 to {end - 1}")
    return number


def _thread(word: str) -> int:
    name = word.upper().removeprefix("T")
    return _below(_number(name, "thread"), THREADS, "thread")


def _hart(word: str) -> int:
    if word.upper() not in HART_NAMES:
        raise NotAPlace(f"{word!r} is no hart: they are {', '.join(HART_NAMES)}")
    return HART_NAMES.index(word.upper())


def _register(word: str) -> int:
    name = word.lower().lstrip("$")
    if name in REGISTER_NAMES:
        return list(REGISTER_NAMES).index(name)
    return _below(_number(name.removeprefix("x"), "register"), 32, "register")


def _element(part: str, field: str, *index: int) -> Place:
    start = offset_of(part, field, *index)
    return start, element_at(start).size


def _bytes(word: str) -> tuple[int, int]:
    """The address, and how many."""
    address, _, count = word.partition(":")
    addr, size = _number(address, "byte"), _number(count, "bytes") if count else 4
    if not 0 < size <= MOST_BYTES:
        raise NotAPlace(f"{size} bytes cannot be asked for: 1 to {MOST_BYTES}")
    return addr, size


def _local(machine: Machine, hart: int, word: str) -> Place:
    addr, size = _bytes(word)
    end = LOCAL_BASE + LOCAL_BYTES[HARTS * machine.S.tile.chip + hart]
    if not LOCAL_BASE <= addr <= end - size:
        raise NotAPlace(
            f"{addr:#x} is not in the local RAM of {HART_NAMES[hart]}, which is "
            f"{LOCAL_BASE:#x} to {end - 1:#x}"
        )
    return offset_of("local", "word", 0) + hart * LOCAL_STRIDE + addr - LOCAL_BASE, size


def _memory(machine: Machine, word: str) -> Place:
    addr, size = _bytes(word)
    end = L1_END[machine.S.tile.chip]
    if not 0 <= addr <= end - size:
        raise NotAPlace(f"{addr:#x} is not in L1, which ends at {end:#x}")
    return offset_of("l1", "word", 0) + addr, size


def _lreg(number: int, lane: int | None) -> tuple[Place, ...]:
    _below(number, EXTRA + 1, "LReg")
    lanes = range(LANES) if lane is None else (_below(lane, LANES, "lane"),)
    return tuple(_element("vector", "lreg", number, one) for one in lanes)


def _dst(machine: Machine, rest: Sequence[str], *, wide: bool) -> tuple[Place, ...]:
    if not 1 <= len(rest) <= 2:
        _missing("dst 16 4")
    rows = dst.ROWS // 2 if wide else dst.ROWS
    row = _below(_number(rest[0], "row"), rows, "row")
    columns = range(dst.COLUMNS)
    if len(rest) == 2:
        column = _below(_number(rest[1], "column"), dst.COLUMNS, "column")
        columns = range(column, column + 1)
    at = (dst.row32 if wide else dst.row16)(machine.S, 0, row)
    halves = (at, at + dst.LOW) if wide else (at,)
    return tuple(_element("dst", "bits", half, column) for column in columns for half in halves)


def _src(rest: Sequence[str]) -> tuple[Place, ...]:
    if not 3 <= len(rest) <= 4 or rest[0].lower() not in ("a", "b"):
        _missing("src a 1 3")
    bank = _below(_number(rest[1], "bank"), 2, "bank")
    row = _below(_number(rest[2], "row"), 64, "row")
    columns = range(16)
    if len(rest) == 4:
        column = _below(_number(rest[3], "column"), 16, "column")
        columns = range(column, column + 1)
    return tuple(_element("src", rest[0].lower(), bank, row, column) for column in columns)


def _config(machine: Machine, text: str, rest: Sequence[str]) -> Asked:
    fields = config_fields(machine.arch)
    if not rest:
        _missing("cfg THCON_SEC0_REG3_Base_address")
    field = fields.get(rest[0])
    if field is None:
        near = sorted(name for name in fields if rest[0].lower() in name.lower())[:4]
        hint = f": did you mean {', '.join(near)}?" if near else ", see `tensix cfg`"
        raise NotAPlace(f"{rest[0]!r} is no field of the configuration{hint}")
    _end(rest, 2)
    field = _in_record(machine, field)
    if field.space is Space.THREAD:
        thread = _thread(rest[1]) if len(rest) > 1 else 0
        return Asked(text, (_element("config", "thread", thread, field.word),), field.mask)
    bank = bank_of(machine.S, 0)
    if len(rest) > 1:
        word = rest[1].upper()
        bank = bank_of(machine.S, _thread(word)) if word.startswith("T") else _number(word, "bank")
    return Asked(
        text, (_element("config", "word", _below(bank, 2, "bank"), field.word),), field.mask
    )


def _in_record(machine: Machine, field: ConfigField) -> ConfigField:
    """Where the record has a field (core/arch/README.md)."""
    if not machine.S.tile.chip:
        return field
    (_, run), *more = pieces(field)
    if more:
        raise NotAPlace(f"{field.name} is in several words: ask for a field of one word")
    return ConfigField(field.name, field.space, run.at, run.at_low, run.width)


# Elements in words


def words_of(element: Element, bits: int = -1) -> str:
    """`SrcA bank 0 row 3 column 5`, or the path of what has no better name."""
    index = element.index
    match element.key:
        case ("l1", "word"):
            return f"{4 * index[0] + element.byte:#x}"
        case ("dst", "bits"):
            return f"Dst row {index[0]} column {index[1]}"
        case ("dst", "undefined"):
            return f"what is undefined of Dst row {index[0]}"
        case ("src", "a" | "b" as which):
            return f"Src{which.upper()} bank {index[0]} row {index[1]} column {index[2]}"
        case ("vector", "lreg"):
            return f"LReg[{index[0]}] lane {index[1]}"
        case ("vector_late", "value"):
            return f"LReg[{index[1]}] lane {index[2]}"
        case ("gpr", "word"):
            return f"GPR {index[0] % 64} of T{index[0] // 64}"
        case ("hart", "x"):
            name = REGISTER_NAMES[index[1]] if index[1] < 32 else f"f{index[1] - 32}"
            return f"{name} of {HART_NAMES[index[0]]}"
        case ("local", "word"):
            hart, inside = divmod(4 * index[0] + element.byte, LOCAL_STRIDE)
            return f"{LOCAL_BASE + inside:#x} of the local RAM of {HART_NAMES[hart]}"
        case ("config", "word"):
            return field_of(element, bits) + (" (bank 1)" if index[0] else "")
        case ("config", "thread"):
            return f"{field_of(element, bits)} (T{index[0]})"
        case ("adc", "value"):
            unit, channel, axis = index[1:]
            return f"{ADC_NAMES[axis]}{channel} of the {ADC_UNITS[unit]}'s counters (T{index[0]})"
        case ("rwc", field):
            return f"RWC {field} of T{index[0]}"
    at = f"[{', '.join(map(str, index))}]" if index else ""
    return element.slot.path + at


@cache
def _only_on_wormhole() -> dict[tuple[bool, int], list[ConfigField]]:
    """Fields that Wormhole alone has, by the word of the record in which they are."""
    found: dict[tuple[bool, int], list[ConfigField]] = {}
    there = config_fields(Arch.BLACKHOLE)
    for field in config_fields(Arch.WORMHOLE).values():
        if field.name not in there:
            for _, run in pieces(field):
                at = ConfigField(field.name, field.space, run.at, run.at_low, run.width)
                found.setdefault((field.space is Space.THREAD, run.at), []).append(at)
    return found


def _fields_at(word: int, *, thread: bool) -> Sequence[ConfigField]:
    """The fields of a word of the record: what one name means is in one place on both chips."""
    own = fields_of_word(Arch.BLACKHOLE, word, thread=thread)
    return (*own, *_only_on_wormhole().get((thread, word), ()))


def _fields_in(element: Element, bits: int) -> list[ConfigField]:
    fields = _fields_at(element.index[1], thread=element.key[1] == "thread")
    return [field for field in fields if bits & (field.mask & 0xFFFFFFFF)]


def field_of(element: Element, bits: int) -> str:
    """The fields of a word of the configuration that some of its bits belong to."""
    word = element.index[1]
    names = [field.name for field in _fields_in(element, bits)]
    if not names:
        return f"word {word} of the {'thread ' if element.key[1] == 'thread' else ''}configuration"
    return names[0] if len(names) == 1 else f"{names[0]} (word {word}, +{len(names) - 1})"


def field_values(
    element: Element, bits: int, value: int, *, divided: bool = False
) -> list[tuple[str, int]]:
    """Each field that some bits of a word of the configuration belong to, with its value; the word
    where there is none. Of a word that several writes have made (`divided`), only these bits are
    known, and a field of which they are a part has them in its name: `NAME[7:0]`."""
    index, is_thread = element.index, element.key[1] == "thread"
    which = f" (T{index[0]})" if is_thread else " (bank 1)" if index[0] else ""
    found = []
    for field in _fields_in(element, bits):
        name, mask, low = field.name, field.mask & MASK32, field.low
        own = bits & mask
        if divided and own != mask:
            low = (own & -own).bit_length() - 1
            name += f"[{own.bit_length() - 1 - field.low}:{low - field.low}]"
            mask = own
        found.append((name + which, (value & mask) >> low))
    return found or [(words_of(element, bits), value & bits & MASK32)]
