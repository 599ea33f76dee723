# SPDX-License-Identifier: Apache-2.0
"""All Tensix instructions in a fixed order, and how to find a row by name or by word.

The number of a row is its place in ROWS, counted from FIRST; 0 stands for a word that nobody
decoded yet and 1 for one that has no row. `isa/tensix_decode.py` finds the number of a word.
"""

from __future__ import annotations

from functools import cache

from core.isa.architecture import Arch
from core.tensix import (
    matrix_banks,
    matrix_clear,
    matrix_sources,
    scalar_alu,
    scalar_atomic,
    scalar_memory,
    scalar_source,
    scalar_state,
)
from core.tensix.config import CONFIGURATION
from core.tensix.instruction import Instruction, check_table
from core.tensix.matrix import MATRIX
from core.tensix.misc import MISC
from core.tensix.mop import MOP
from core.tensix.mover import MOVER
from core.tensix.pack import PACK
from core.tensix.replay import REPLAY
from core.tensix.scalar import SCALAR
from core.tensix.sync import SYNC
from core.tensix.ttsync import TTSYNC
from core.tensix.unpack import UNPACK
from core.tensix.vector import (
    approximate,
    conditional,
    configure,
    convert,
    field,
    integer,
    load,
    lut,
    macro,
    mad,
    move,
    store,
    swap,
)
from core.tensix.vector.operands import VECTOR

NOT_DECODED = 0
ILLEGAL = 1
FIRST = 2

# The files that fill MATRIX, SCALAR and VECTOR.
MATRIX_FILES = (matrix_banks, matrix_clear, matrix_sources)
SCALAR_FILES = (scalar_alu, scalar_atomic, scalar_memory, scalar_source, scalar_state)
VECTOR_FILES = (
    *(load, store, configure, mad, lut, integer, field, move, swap, convert, approximate),
    *(conditional, macro),
)
GROUPS = (
    *(MOP, REPLAY, TTSYNC, SYNC, CONFIGURATION, SCALAR, MISC, MOVER, UNPACK, PACK, MATRIX),
    VECTOR,
)
ROWS: tuple[Instruction, ...] = tuple(
    sorted((row for group in GROUPS for row in group.rows), key=lambda row: row.opcode)
)
check_table(ROWS)


@cache
def rows_of(arch: Arch) -> tuple[Instruction, ...]:
    """The rows that hold on an architecture, by opcode."""
    return tuple(row for row in ROWS if arch in row.arch)


@cache
def by_mnemonic(arch: Arch) -> dict[str, tuple[Instruction, ...]]:
    """The rows of each mnemonic: several where it has forms."""
    found: dict[str, list[Instruction]] = {}
    for row in rows_of(arch):
        found.setdefault(row.mnemonic, []).append(row)
    return {name: tuple(rows) for name, rows in found.items()}


@cache
def _by_opcode(arch: Arch) -> dict[int, tuple[Instruction, ...]]:
    found: dict[int, list[Instruction]] = {}
    for row in rows_of(arch):
        found.setdefault(row.opcode, []).append(row)
    return {opcode: tuple(rows) for opcode, rows in found.items()}


def find(word: int, arch: Arch) -> Instruction | None:
    """The row that `word` matches, unused bits aside; None if there is none."""
    for row in _by_opcode(arch).get(word >> 24, ()):
        if row.encoding.matches(word):
            return row
    return None


def mnemonic_of(word: int, arch: Arch) -> str | None:
    """The mnemonic of the opcode of `word`, even if no form of it matches."""
    rows = _by_opcode(arch).get(word >> 24)
    return rows[0].mnemonic if rows else None
