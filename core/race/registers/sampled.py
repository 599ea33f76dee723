# SPDX-License-Identifier: Apache-2.0
"""Configuration that units sample when an instruction of theirs begins.

A unit reads some twenty fields with each instruction, and they hardly ever change. So a sample is
noted as one number, the place of the instruction at its gate, and the fields are checked when one
of them was written since the last time (`changed`). Before a field is written, the samples of it
become accesses of the shadow.

The Matrix and the Vector Unit sample at the gate (core/isa/sampling.py). The formats of
ALU_FORMAT_SPEC count for the Matrix Unit only while an "implied" format is disabled.
"""

from __future__ import annotations

import enum

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.arch.chips import CHIPS
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.devices.backend_config import BANKS, WORDS
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.race.fields import CONFIG_CELLS, GATE
from tensix_gdb.core.race.lines import Line, of_thread
from tensix_gdb.core.race.operands import (
    PACR_FIELDS,
    PACR_LATE,
    UNPACR_FIELDS,
    UNPACR_LATE,
)
from tensix_gdb.core.race.registers.own_words import is_global, on_wormhole
from tensix_gdb.core.race.shadow import IS_LATE, READ, access, keep_access
from tensix_gdb.core.record.layout import View


class Reader(enum.IntEnum):
    """The one that samples: a unit, and which set of fields."""

    PACKER = 0  # by its context
    UNPACKER = 4  # by unpacker
    MATRIX = 6
    FORMATS = 7  # of the Matrix Unit, while none is implied
    VECTOR = 8


READERS = 9
_FIELDS = config_fields(Arch.BLACKHOLE)


def _packed(*names: str) -> tuple[int, ...]:
    fields = [_FIELDS[name] for name in names]
    return tuple(field.word << 16 | field.low << 8 | field.width for field in fields)


_FORMATS = _packed(
    *("ALU_FORMAT_SPEC_REG_SrcA_val", "ALU_FORMAT_SPEC_REG_SrcA_override"),
    *("ALU_FORMAT_SPEC_REG0_SrcA", "ALU_FORMAT_SPEC_REG1_SrcB"),
)
_MATRIX = _packed(
    *("ALU_ACC_CTRL_Fp32_enabled", "ALU_ACC_CTRL_INT8_math_enabled"),
    *("ALU_ROUNDING_MODE_Fpu_srnd_en", "ALU_ACC_CTRL_Zero_Flag_disabled_src"),
    *("ALU_ACC_CTRL_Zero_Flag_disabled_dst", "DEST_REGW_BASE_Base"),
)
_VECTOR = _packed(
    *("ALU_ACC_CTRL_SFPU_Fp32_enabled", "DEST_REGW_BASE_Base", "DEST_SP_BASE_Base"),
)
_OF_READER = (
    *(PACR_FIELDS[context::4] for context in range(4)),
    *(UNPACR_FIELDS[unpacker::2] for unpacker in range(2)),
    *(_MATRIX, _FORMATS, _VECTOR),
)
_LATE = (*(PACR_LATE,) * 4, *(UNPACR_LATE,) * 2, *((0,) * WORDS,) * 3)


def _bits(packed: int) -> int:
    return ((1 << (packed & 0xFF)) - 1) << ((packed >> 8) & 0xFF) & MASK32


def _flat(fields: tuple[int, ...], late: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return each field with 1 if it is sampled late."""
    for packed in fields:
        assert late[packed >> 16] & _bits(packed) in (0, _bits(packed))
    return [(packed, int(late[packed >> 16] & _bits(packed) != 0)) for packed in fields]


def _there(fields: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same on Wormhole."""
    return [(own, late) for packed, late in fields for own in on_wormhole(packed)]


_BLACKHOLE = [_flat(fields, late) for fields, late in zip(_OF_READER, _LATE, strict=True)]
# [READERS * chip + reader]
_BY_CHIP = [*_BLACKHOLE, *map(_there, _BLACKHOLE)]
_FLAT = [each for fields in _BY_CHIP for each in fields]
WORD = tuple(packed >> 16 for packed, _ in _FLAT)
BITS = tuple(_bits(packed) for packed, _ in _FLAT)
LATE = tuple(_bits(packed) if late else 0 for packed, late in _FLAT)
# [READERS * chip + reader]: where its fields begin in these, and after the last one where they end.
FIRST = tuple(sum(len(fields) for fields in _BY_CHIP[:r]) for r in range(len(_BY_CHIP) + 1))
END_LINE = (
    *(int(Line.PACKER),) * 4,
    *(int(Line.UNPACKER_0), int(Line.UNPACKER_1)),
    *(int(Line.GATE),) * 3,
)


# [WORDS * chip + word of configuration]: the readers, a bit each.
def _readers_of() -> tuple[int, ...]:
    readers = [0] * (CHIPS * WORDS)
    for number, fields in enumerate(_BY_CHIP):
        chip, reader = divmod(number, READERS)
        for packed, _ in fields:
            readers[WORDS * chip + (packed >> 16)] |= 1 << reader
    return tuple(readers)


READERS_OF = _readers_of()


def sample(S: View, thread: int, reader: int, bank: int, end: int, site: int) -> int:
    """An instruction of the thread samples; `end` is its number on the line of the unit."""
    i = (reader * THREADS + thread) * BANKS + bank
    S.race.sampled_gate[i] = S.race.ends[thread, Line.GATE]
    S.race.sampled_end[i] = end
    S.race.sampled_site[i] = site
    if S.race.sampled_at[i] == S.race.changed + 1:
        return 0
    S.race.sampled_at[i] = S.race.changed + 1
    S.race.readers |= 1 << reader
    gate = of_thread(thread, Line.GATE)
    line = of_thread(thread, END_LINE[reader])
    mine = READERS * S.tile.chip + reader
    for k in range(FIRST[mine], FIRST[mine + 1]):
        cell = cell_of(S, bank, WORD[k])
        number = S.race.ends[thread, Line.GATE]
        access(S, cell, BITS[k], READ, GATE + thread, gate, number, site)
        if LATE[k]:
            keep_access(S, cell, LATE[k], READ | IS_LATE, GATE + thread, line, end, site)
    return 0


def cell_of(S: View, bank: int, word: int) -> int:
    """Return the cell of a word of configuration; global words are in one bank."""
    return CONFIG_CELLS + word + (0 if is_global(S, word) else bank * WORDS)


def written(S: View, cell: int) -> int:
    """A word of configuration is about to be written: keep what has sampled it."""
    word = cell - CONFIG_CELLS
    bank = 0
    if word >= WORDS:
        word -= WORDS
        bank = 1
    readers = READERS_OF[WORDS * S.tile.chip + word]
    if readers == 0:
        return 0
    S.race.changed += 1
    readers &= S.race.readers
    if readers == 0:
        return 0
    for reader in range(READERS):
        if (readers >> reader) & 1:
            for thread in range(THREADS):
                i = (reader * THREADS + thread) * BANKS
                if is_global(S, word):
                    keep_sample(S, cell, word, reader, thread, i)
                    keep_sample(S, cell, word, reader, thread, i + 1)
                else:
                    keep_sample(S, cell, word, reader, thread, i + bank)
    return 0


def keep_sample(S: View, cell: int, word: int, reader: int, thread: int, i: int) -> int:
    """Put the last sample of a word into the shadow; the write is checked against it."""
    number = S.race.sampled_gate[i]
    if number == 0:
        return 0
    site = S.race.sampled_site[i]
    gate = of_thread(thread, Line.GATE)
    line = of_thread(thread, END_LINE[reader])
    mine = READERS * S.tile.chip + reader
    for k in range(FIRST[mine], FIRST[mine + 1]):
        if WORD[k] == word:
            keep_access(S, cell, BITS[k], READ, GATE + thread, gate, number, site)
            if LATE[k]:
                end = S.race.sampled_end[i]
                keep_access(S, cell, LATE[k], READ | IS_LATE, GATE + thread, line, end, site)
    return 0
