# SPDX-License-Identifier: Apache-2.0
"""Words of the few instructions of which base firmware consists here, by the tables of RV32IM."""

from __future__ import annotations

import struct

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.riscv.table import ROWS

# Registers of the calling convention.
ZERO, RA, SP, T0, T1, T2, T3 = 0, 1, 2, 5, 6, 7, 28
_ROWS = {row.name: row for row in ROWS}


@dataclass(frozen=True, slots=True)
class Side:
    """One end of a cable: the board, where the chip is on it, its number from 1, the channel."""

    board: int
    location: int
    asic: int
    channel: int


def word(name: str, **fields: int) -> int:
    """Return an instruction; fields that are not named are 0."""
    encoding = _ROWS[name].encoding
    return encoding.encode(**{field: fields.get(field, 0) for field in encoding.fields})


def li(rd: int, value: int) -> tuple[int, int]:
    """Return the two instructions that load a value of 32 bits."""
    low = ((value & 0xFFF) ^ 0x800) - 0x800
    high = (value - low) & 0xFFFFF000
    high -= high >> 31 << 32
    return word("lui", rd=rd, imm=high), word("addi", rd=rd, rs1=rd, imm=low)


def in_bytes(*values: int) -> bytes:
    """Return words as they are in L1."""
    return struct.pack(f"<{len(values)}I", *values)
