# SPDX-License-Identifier: Apache-2.0
"""All Tensix instructions in a fixed order, and how to find a row by name or by word.

The number of a row is its place in ROWS, counted from FIRST; 0 stands for a word that no decoder
decoded yet and 1 for one that has no row. `decode.py` finds the number of a word.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.tensix.auto_ttsync.resourcedecl import TTSYNC
from tensix_gdb.core.tensix.config.unit import CONFIGURATION
from tensix_gdb.core.tensix.frontend.mop import MOP
from tensix_gdb.core.tensix.frontend.replay import REPLAY
from tensix_gdb.core.tensix.instruction import Instruction, check_table
from tensix_gdb.core.tensix.matrix import source_banks as matrix_banks
from tensix_gdb.core.tensix.matrix import sources as matrix_sources
from tensix_gdb.core.tensix.matrix import zeroacc as matrix_clear
from tensix_gdb.core.tensix.matrix.unit import MATRIX
from tensix_gdb.core.tensix.misc import MISC
from tensix_gdb.core.tensix.mover.unit import MOVER
from tensix_gdb.core.tensix.packer.four import unit as packer_four
from tensix_gdb.core.tensix.packer.unit import PACK
from tensix_gdb.core.tensix.scalar import alu as scalar_alu
from tensix_gdb.core.tensix.scalar import atomics as scalar_atomic
from tensix_gdb.core.tensix.scalar import control as scalar_state
from tensix_gdb.core.tensix.scalar import memory as scalar_memory
from tensix_gdb.core.tensix.scalar import store_src as scalar_source
from tensix_gdb.core.tensix.scalar import to_thcon as scalar_thcon
from tensix_gdb.core.tensix.scalar.unit import SCALAR
from tensix_gdb.core.tensix.sync import SYNC
from tensix_gdb.core.tensix.unpacker import wormhole as unpacker_wormhole
from tensix_gdb.core.tensix.unpacker.unit import UNPACK
from tensix_gdb.core.tensix.vector import field, macro
from tensix_gdb.core.tensix.vector.operands import VECTOR
from tensix_gdb.core.tensix.vector.operations import (
    approximate,
    conditional,
    configure,
    convert,
    integer,
    load,
    lut,
    mad,
    move,
    store,
    swap,
)

NOT_DECODED = 0
ILLEGAL = 1
FIRST = 2

# The files that fill MATRIX, SCALAR, VECTOR, UNPACK and PACK.
MATRIX_FILES = (matrix_banks, matrix_clear, matrix_sources)
SCALAR_FILES = (
    *(scalar_alu, scalar_atomic, scalar_memory, scalar_source, scalar_state, scalar_thcon),
)
VECTOR_FILES = (
    *(load, store, configure, mad, lut, integer, field, move, swap, convert, approximate),
    *(conditional, macro),
)
UNPACKER_FILES = (unpacker_wormhole,)
PACKER_FILES = (packer_four,)
GROUPS = (
    *(MOP, REPLAY, TTSYNC, SYNC, CONFIGURATION, SCALAR, MISC, MOVER, UNPACK, PACK, MATRIX),
    VECTOR,
)
ROWS: tuple[Instruction, ...] = tuple(
    sorted((row for group in GROUPS for row in group.rows), key=lambda row: row.opcode)
)
check_table(ROWS)


def by_number(value_of: Callable[[Instruction], int], otherwise: int = 0) -> tuple[int, ...]:
    """Make a table by the number of an instruction; `otherwise` is for numbers that are no row."""
    return (*(otherwise,) * FIRST, *map(value_of, ROWS))


@cache
def rows_of(arch: Arch) -> tuple[Instruction, ...]:
    """Return the rows that hold on an architecture, by opcode."""
    return tuple(row for row in ROWS if arch in row.arch)


@cache
def by_mnemonic(arch: Arch) -> dict[str, tuple[Instruction, ...]]:
    """Return the rows of each mnemonic: several where it has forms."""
    by_name: dict[str, list[Instruction]] = {}
    for row in rows_of(arch):
        by_name.setdefault(row.mnemonic, []).append(row)
    return {name: tuple(rows) for name, rows in by_name.items()}


@cache
def opcode(mnemonic: str) -> int:
    """Return the opcode of a mnemonic, the same on both chips. KeyError if there is none."""
    found = {row.opcode for row in ROWS if row.mnemonic == mnemonic}
    if len(found) != 1:
        raise KeyError(f"{mnemonic} has {len(found)} opcodes")
    return found.pop()


@cache
def _by_opcode(arch: Arch) -> dict[int, tuple[Instruction, ...]]:
    by_opcode: dict[int, list[Instruction]] = {}
    for row in rows_of(arch):
        by_opcode.setdefault(row.opcode, []).append(row)
    return {opcode: tuple(rows) for opcode, rows in by_opcode.items()}


def find(word: int, arch: Arch) -> Instruction | None:
    """Return the row that `word` matches, unused bits aside; None if there is none."""
    for row in _by_opcode(arch).get(word >> 24, ()):
        if row.encoding.matches(word):
            return row
    return None


def mnemonic_of(word: int, arch: Arch) -> str | None:
    """Return the mnemonic of the opcode of `word`, even if no form of it matches."""
    rows = _by_opcode(arch).get(word >> 24)
    return rows[0].mnemonic if rows else None
