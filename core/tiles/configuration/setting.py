# SPDX-License-Identifier: Apache-2.0
"""A field of the configuration and its value, and all that a unit needs."""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import Space, config_fields
from tensix_gdb.core.tensix.data_format import Format

FACES, FACE = 4, 256  # faces of a tile, datums of a face
INPUT, OUTPUT = 0x21000, 0x40000  # addresses of the examples
HEADERS = "cfg_defines.h"  # what no page of the ISA describes
DESCRIPTOR = "THCON_SEC{}_REG0_TileDescriptor"  # its parts have no names there


@dataclass(frozen=True, slots=True)
class Setting:
    """A field and what it has to be. `is_thread`: of ThreadConfig."""

    name: str
    word: int
    low: int
    width: int
    is_thread: bool
    value: int
    why: str
    page: str


@dataclass(frozen=True)
class Setup:
    """The settings and instructions that one unit of a chip needs. `thread` is the one that LLK
    gives it, `prepares` are instructions that run once, `runs` those of a tile; `beside` those of
    T0 for a face, so that SrcB is valid too. Names, words and bits are those of the chip `arch`."""

    title: str
    thread: int
    settings: tuple[Setting, ...]
    prepares: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    arch: Arch = Arch.BLACKHOLE

    def words(self) -> dict[tuple[bool, int], int]:
        """Return the words, by (is it of ThreadConfig, number)."""
        found: dict[tuple[bool, int], int] = {}
        for one in self.settings:
            key = (one.is_thread, one.word)
            found[key] = found.get(key, 0) | one.value << one.low
        return found


def setting(arch: Arch, name: str, value: int, why: str, page: str) -> Setting:
    """Return a field of a chip by its name."""
    one = config_fields(arch)[name]
    thread = one.space is Space.THREAD
    return Setting(name, one.word, one.low, one.width, thread, value, why, page)


def described(
    arch: Arch, section: int, packed: int, name: str, value: int, why: str, page: str
) -> Setting:
    """Return a part of a tile descriptor. `packed` is its place on Blackhole (unpacker/config.py);
    the descriptor is another word of Wormhole, and its parts lie in it as on Blackhole."""
    whole = DESCRIPTOR.format(section)
    first = config_fields(Arch.BLACKHOLE)[whole].word
    word = config_fields(arch)[whole].word + (packed >> 16) - first
    low, width = packed >> 8 & 0xFF, packed & 0xFF
    return Setting(f"{whole} {name}", word, low, width, False, value, why, page)


def code(number: int) -> str:
    """Return the name of a data format of the configuration."""
    return Format(number).name
