# SPDX-License-Identifier: Apache-2.0
"""Words to a place. What a report prints parses; so do GDB's names (gdb_names.py).

Numbers are C's. Several are `4-7`, `0,2,8-11`; a row and a column, an LReg and a lane have a dot
between them. `lreg 3 7` and `src a 1 3 5` are read as `lreg 3.7` and `src a 1 3.5`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from tensix_gdb.core.arch.blackhole import HART_NAMES, LOCAL_BASE, LOCAL_STRIDE, THREADS
from tensix_gdb.core.arch.chips import CONFIG_WORDS
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.assembly.rv32 import ALL_ABI_NAMES, ALL_NUMERIC_NAMES
from tensix_gdb.core.isa.architecture import CHIPS
from tensix_gdb.core.isa.config_words import ConfigField, Space, config_fields
from tensix_gdb.core.places.gdb_names import plain
from tensix_gdb.core.places.kinds import KINDS, Kind, Owner, trimmed
from tensix_gdb.core.places.place import COUNTERS, Indexes, NotAPlace, Place, joined

EXAMPLES = "0x21000:16, dst 16.4, lreg 3.7, src a 1 3.5, cfg NAME, gpr T1 5, sem 3"
LONGEST = 200  # characters of a word
_ROW = re.compile(r"(\w+\.\w+)(?:\[([\d,x a-fA-F-]+)\])?")
_SLICE = re.compile(r"(\w+)\[(\d+):(\d+)\]")


def parse(words: Sequence[str], hart: int | None = None) -> Place:
    """Return the place that words name; `hart` goes with the selected thread, if there is one.
    NotAPlace with what to type."""
    words = " ".join(words).split()
    if any(len(word) > LONGEST for word in words):
        raise NotAPlace(f"no place has a word of more than {LONGEST} characters")
    if not words:
        raise NotAPlace(f"name a place: {EXAMPLES} (`tensix-gdb manual places`)")
    if words[0][0].isdecimal():
        return _memory(words)
    first, *rest = words = plain(words, hart)
    kind = KINDS.get(first.lower())
    if kind is None:
        return _row(words)
    match kind.word:
        case "l1":
            return _memory(rest or _missing(kind))
        case "local" | "mmio":
            return _of_hart(kind, rest)
        case "reg":
            return _register(kind, rest)
        case "cfg":
            return _config(kind, rest)
        case "row":
            return _row(rest or _missing(kind))
    return _indexed(kind, rest)


def _missing(kind: Kind) -> list[str]:
    raise NotAPlace(f"something is missing: type for example `{kind.forms[0]}`")


def _end(words: Sequence[str]) -> None:
    if words:
        raise NotAPlace(f"{words[0]!r} is too much: one place at a time")


def _number(word: str, what: str) -> int:
    try:
        return int(word, 0)
    except ValueError:
        raise NotAPlace(
            f"{word!r} is no number of {'an' if what[0] in 'aeiou' else 'a'} {what}"
        ) from None


def below(number: int, end: int, what: str) -> int:
    """Return the number, if there is a thing of that number."""
    if not 0 <= number < end:
        raise NotAPlace(f"there is no {what} {number}: they are 0 to {end - 1}")
    return number


def numbers_of(word: str, what: str, end: int) -> Indexes:
    """`5`, `4-7`, `0,2,8-11`: numbers from 0 to before `end`."""
    found = []
    for part in word.split(","):
        left, _, right = part.partition("-")
        first = below(_number(left, what), end, what)
        last = below(_number(right, what), end, what) if right else first
        if last < first:
            raise NotAPlace(f"{part!r} ends before it begins: type {last}-{first}")
        found.append(range(first, last + 1))
    return joined(found)


def _addresses(word: str) -> Indexes:
    """`0x21000:16`: from an address on, how many bytes; four without a number."""
    found = []
    for part in word.split(","):
        address, _, count = part.partition(":")
        addr, size = _number(address, "byte"), _number(count, "bytes") if count else 4
        if size <= 0:
            raise NotAPlace(f"{part!r} has no bytes: type for example {address}:16")
        if not 0 <= addr <= MASK32 - size + 1:
            raise NotAPlace(f"{part!r} is beyond the addresses: they are 0 to {MASK32:#x}")
        found.append(range(addr, addr + size))
    return joined(found)


def _memory(words: list[str]) -> Place:
    """L1, or what a hart sees beyond it."""
    if len(words) == 2 and words[1].isdecimal():
        raise NotAPlace(f"type `{words[0]}:{words[1]}` for {words[1]} bytes")
    at = _addresses(words[0])
    _end(words[1:])
    first = at[0].start
    if first < LOCAL_BASE:
        return Place("l1", indexes=(at,))
    return Place("local" if first < LOCAL_BASE + LOCAL_STRIDE else "mmio", indexes=(at,))


def thread_of(word: str) -> str:
    """`T1` or `1`."""
    number = _number(word.upper().removeprefix("T"), "thread")
    return f"T{below(number, THREADS, 'thread')}"


def _hart(word: str) -> str:
    if word.upper() not in HART_NAMES:
        raise NotAPlace(f"{word!r} is no hart: they are {', '.join(HART_NAMES)}")
    return word.upper()


def _of_hart(kind: Kind, words: list[str]) -> Place:
    *owner, at = _one_or_two(kind, words)
    return Place(kind.word, _hart(owner[0]) if owner else "", indexes=(_addresses(at),))


def _register(kind: Kind, words: list[str]) -> Place:
    *owner, name = _one_or_two(kind, words)
    if not owner and name in HART_NAMES:
        _missing(kind)
    return Place("reg", _hart(owner[0]) if owner else "", _register_called(name))


def _one_or_two(kind: Kind, words: list[str]) -> list[str]:
    if not words:
        _missing(kind)
    _end(words[2:])
    return words


def _register_called(word: str) -> str:
    """Return the ABI's name of a register: `a0` of `$a0`, `x10` and `10`."""
    name = word.lower().lstrip("$")
    name = {"fp": "s0"}.get(name, name)
    if name in ALL_NUMERIC_NAMES:
        return ALL_ABI_NAMES[ALL_NUMERIC_NAMES.index(name)]
    if name not in ALL_ABI_NAMES:
        return ALL_ABI_NAMES[below(_number(name, "register"), 32, "register")]
    return name


def _row(words: list[str]) -> Place:
    found = _ROW.fullmatch("".join(words))
    if found is None:
        near = get_close_matches(words[0].lower(), KINDS, 1)
        hint = f": did you mean `{KINDS[near[0]].forms[0]}`?" if near else f": type {EXAMPLES}"
        raise NotAPlace(f"{' '.join(words)!r} is no place{hint}")
    at = tuple(numbers_of(one, "element", 1 << 32) for one in (found[2] or "").split(",") if one)
    return Place("row", name=found[1], indexes=at)


def _indexed(kind: Kind, words: list[str]) -> Place:
    """A kind with dimensions: an owner and a name, then the index."""
    owner = name = ""
    if kind.word != "sem" and kind.names:
        has_owner = kind.owner is Owner.THREAD and words and _is_thread(words[0])
        place = 1 if has_owner else 0
        name = _named(kind, words.pop(place) if len(words) > place else _missing(kind)[0])
    if kind.owner is Owner.THREAD and words:
        if _is_thread(words[0]) or (len(words) > 1 and words[0].isdecimal()):
            owner = thread_of(words.pop(0))
    elif kind.owner is Owner.BANK and words and not re.search(r"[-.,]", words[0]):
        owner = str(below(_number(words.pop(0), "bank"), 2, "bank"))
    if not words:
        if not kind.may_be_whole and kind.dimensions:
            _missing(kind)
        return Place(kind.word, owner, name)
    if kind.word == "adc":
        return Place("adc", owner, name, (_counters(words),))
    parts = words.pop(0).split(".")
    if kind.word == "lreg":
        parts[0] = parts[0].upper().removeprefix("L")
    if kind.word == "sem" and len(parts) == 2:
        if parts[1].lower() not in kind.names:
            raise NotAPlace(f"a semaphore has no {parts[1]!r}: type {parts[0]} or {parts[0]}.max")
        name = parts.pop().lower()
    if words and len(parts) == 1 and len(kind.dimensions) == 2:
        if kind.word.startswith("dst"):
            raise NotAPlace(_two_meanings(kind.word, parts[0], words[0]))
        parts.append(words.pop(0))
    _end(words)
    if len(parts) > len(kind.dimensions):
        raise NotAPlace(f"{'.'.join(parts)!r} is too much: type for example `{kind.forms[0]}`")
    indexes = [
        numbers_of(part, one.name, one.end)
        for part, one in zip(parts, kind.dimensions, strict=False)
    ]
    return Place(kind.word, owner, name, trimmed(kind.word, indexes))


def _two_meanings(word: str, row: str, other: str) -> str:
    last = f"{row}-{int(row) + int(other) - 1}" if (row + other).isdecimal() else "16-19"
    return (
        f"`{word} {row} {other}` has two meanings: type `{word} {row}.{other}` for column {other}, "
        f"or `{word} {last}` for {other} rows"
    )


def _is_thread(word: str) -> bool:
    return re.fullmatch(r"T\d+", word, re.IGNORECASE) is not None


def _named(kind: Kind, word: str) -> str:
    for name in kind.names:
        if word.lower() in (name.lower(), f"{kind.word}{name}"):
            return name
    raise NotAPlace(
        f"{word!r} is none of {', '.join(kind.names)}: type for example `{kind.forms[0]}`"
    )


def _counters(words: list[str]) -> Indexes:
    names = words.pop(0).upper().split(",")
    _end(words)
    for name in names:
        if name not in COUNTERS:
            raise NotAPlace(f"{name!r} is no counter: they are {', '.join(COUNTERS)}")
    return joined(map(COUNTERS.index, names))


def _config(kind: Kind, words: list[str]) -> Place:
    if not words:
        _missing(kind)
    if len(words) > 1 and _is_thread(words[0]):
        words.append(words.pop(0))
    name, bits = words.pop(0), None
    if found := _SLICE.fullmatch(name):
        name, bits = found[1], range(int(found[3]), int(found[2]) + 1)
    field = field_called(name)
    owner = _config_owner(field, words.pop(0)) if words else ""
    _end(words)
    if field is None:
        name = str(int(name, 0))
    width = field.width if field is not None else 16 if owner.startswith("T") else 32
    if bits is not None and not bits.start < bits.stop <= width:
        raise NotAPlace(f"{name} has bits 0 to {width - 1}: type for example {name}[{width - 1}:0]")
    if bits == range(width):
        bits = None
    return Place("cfg", owner, name, bits=bits)


def _config_owner(field: ConfigField | None, word: str) -> str:
    if _is_thread(word):
        return thread_of(word)
    if field is not None and field.space is Space.THREAD:
        return thread_of(word)
    return str(below(_number(word.upper().removeprefix("BANK"), "bank"), 2, "bank"))


def field_called(name: str) -> ConfigField | None:
    """Return a field of the configuration of either chip; None for the number of a word."""
    if name[0].isdecimal():
        below(_number(name, "word"), max(CONFIG_WORDS), "word of the configuration")
        return None
    for arch in CHIPS:
        if (field := config_fields(arch).get(name)) is not None:
            return field
    names = [known for arch in CHIPS for known in config_fields(arch)]
    near = sorted(known for known in set(names) if name.lower() in known.lower())[:4]
    hint = f": did you mean {', '.join(near)}?" if near else ", see `tensix cfg`"
    raise NotAPlace(f"{name!r} is no field of the configuration{hint}")
