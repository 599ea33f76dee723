# SPDX-License-Identifier: Apache-2.0
"""Configuration words by name: which fields a word of Config or ThreadConfig has.

The tables are `config_blackhole.py` and `config_wormhole.py`. A word is written as the name of its
lowest field, a further word of a field that is wider as `NAME+1`.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator
from functools import cache

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa import config_blackhole, config_wormhole
from tensix_gdb.core.isa.architecture import Arch, Dialect
from tensix_gdb.core.isa.operand import Kind

_TABLES = {
    Arch.BLACKHOLE: (config_blackhole.FIELDS, config_blackhole.GLOBAL_WORD),
    Arch.WORMHOLE: (config_wormhole.FIELDS, config_wormhole.GLOBAL_WORD),
}

DESCRIPTOR = "_TileDescriptor"
# The parts of an unpacker's tile descriptor, with LLK's names: first bit and width.
DESCRIPTOR_PARTS = {
    "in_data_format": (0, 4),
    "uncompressed": (4, 1),
    "no_exponents": (5, 1),
    "blobs_per_xy_plane": (8, 3),
    "x_dim": (16, 16),
    "y_dim": (32, 8),
    "z_dim": (48, 8),
    "w_dim": (64, 8),
    "blobs_y_start_lo": (80, 16),
    "blobs_y_start_hi": (96, 16),
    "digest_size": (120, 8),
}


class Space(enum.Enum):
    """The unit that has the word (BackendConfiguration.md)."""

    THREAD = "of each thread"
    STATE = "of the bank that the thread's CFG_STATE_ID selects"
    GLOBAL = "of both banks at once"


@dataclass(frozen=True, slots=True)
class ConfigField:
    """`width` bits from bit `low` of word `word` on; more than 32 continue in the words after
    it."""

    name: str
    space: Space
    word: int
    low: int
    width: int

    @property
    def mask(self) -> int:
        return ((1 << self.width) - 1) << self.low


def _parse(table: str, global_word: int) -> Iterator[ConfigField]:
    space, line = Space.STATE, ""
    for text in [*table.strip().splitlines(), "[end]"]:
        if text.startswith(" "):
            line += text
            continue
        if line:
            yield from _parse_line(line, space, global_word)
        line = ""
        if text.startswith("["):
            space = Space.THREAD if text == "[thread]" else Space.STATE
        else:
            line = text


def _parse_line(line: str, space: Space, global_word: int) -> Iterator[ConfigField]:
    words, register, *assignments = line.split()
    fields = [_parse_field(assignment) for assignment in assignments]
    first, _, last = words.partition("-")
    for word in range(int(first), int(last or first) + 1):
        name = register
        if last:
            offset = word - int(first)
            name = re.sub(r"{(\d+)}", lambda m, n=offset: str(int(m[1]) + n), register)  # type: ignore[misc]
        where = Space.GLOBAL if space is Space.STATE and word >= global_word else space
        for field, low, width in fields:
            full = name if field == "." else f"{name}_{field}"
            yield ConfigField(full, where, word, low, width)


def _parse_field(assignment: str) -> tuple[str, int, int]:
    """`NAME=LOW:HIGH` or `NAME=LOW`: the name, the lowest bit, how many there are."""
    name, _, bits = assignment.partition("=")
    low, _, high = bits.partition(":")
    return name, int(low), int(high or low) - int(low) + 1


@cache
def config_fields(arch: Arch) -> dict[str, ConfigField]:
    """Return all fields of an architecture by name."""
    return {field.name: field for field in _parse(*_TABLES[arch])}


@cache
def _by_word(arch: Arch, thread: bool) -> dict[int, tuple[ConfigField, ...]]:
    by_word: dict[int, list[ConfigField]] = {}
    for field in config_fields(arch).values():
        if (field.space is Space.THREAD) is thread:
            for word in range(field.word, field.word + (field.low + field.width + 31) // 32):
                by_word.setdefault(word, []).append(field)
    return {word: tuple(sorted(fields, key=lambda f: f.low)) for word, fields in by_word.items()}


def fields_of_word(arch: Arch, word: int, *, thread: bool) -> tuple[ConfigField, ...]:
    """Return the fields of a word of ThreadConfig or of Config, from bit 0 up."""
    return _by_word(arch, thread).get(word, ())


def parts_of_word(arch: Arch, word: int, *, thread: bool) -> tuple[ConfigField, ...]:
    """Return the same, with the parts of a tile descriptor that are in the word in its place."""
    found: list[ConfigField] = []
    for field in fields_of_word(arch, word, thread=thread):
        if not field.name.endswith(DESCRIPTOR):
            found.append(field)
            continue
        for name, (first, width) in DESCRIPTOR_PARTS.items():
            further, low = divmod(field.low + first, 32)
            if field.word + further == word:
                found.append(ConfigField(f"{field.name}_{name}", field.space, word, low, width))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class ConfigWord(Kind):
    """An index of a configuration word, written by name."""

    thread: bool = False

    def show(self, value: int, dialect: Dialect) -> str:
        fields = fields_of_word(dialect.arch, value, thread=self.thread)
        if not fields:
            return str(value)
        suffix = "_ADDR32" if dialect.llk else ""
        more = value - fields[0].word
        return fields[0].name + suffix + (f"+{more}" if more else "")

    def name(self, text: str, arch: Arch) -> int | None:
        field = config_fields(arch).get(text.removesuffix("_ADDR32"))
        if field is None or (field.space is Space.THREAD) is not self.thread:
            return None
        return field.word

    def meaning(self, value: int, arch: Arch) -> str:
        fields = fields_of_word(arch, value, thread=self.thread)
        if not fields:
            return f"word {value}, which has no named field"
        more = f", which holds {len(fields)} fields" if len(fields) > 1 else ""
        return f"word {value} {fields[0].space.value}{more}"


CONFIG = ConfigWord(always=True)
THREAD_CONFIG = ConfigWord(always=True, thread=True)
