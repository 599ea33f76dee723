# SPDX-License-Identifier: Apache-2.0
"""Small programs by mnemonic, encoded with the rows themselves, for tests of the machine."""

from __future__ import annotations

from pathlib import Path

from tensix_gdb.core.program.elf import Image, Segment
from tensix_gdb.core.riscv.table import ROWS

_ROWS = {row.name: row for row in ROWS}


def asm(name: str, **fields: int) -> int:
    """The word of an instruction; fields that are not given are 0."""
    encoding = _ROWS[name].encoding
    return encoding.encode(**{field: fields.get(field, 0) for field in encoding.fields})


def li(rd: int, value: int) -> list[int]:
    """lui and addi that load `value`."""
    value = (value & 0xFFFFFFFF) - (1 << 32 if value & 0x80000000 else 0)
    low = ((value & 0xFFF) ^ 0x800) - 0x800
    high = (value - low) & 0xFFFFFFFF
    high -= 1 << 32 if high & 0x80000000 else 0
    return [asm("lui", rd=rd, imm=high), asm("addi", rd=rd, rs1=rd, imm=low)]


def image(words: list[int], addr: int = 0, entry: int | None = None) -> Image:
    """Return the image that the loader would make of these words at `addr`."""
    data = b"".join(word.to_bytes(4, "little") for word in words)
    return Image(Path("program"), addr if entry is None else entry, (Segment(addr, data),), b"")


NOP = asm("addi")
EBREAK = asm("ebreak")
SPIN = asm("jal")
