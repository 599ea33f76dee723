# SPDX-License-Identifier: Apache-2.0
"""A row's fields as documents write them: name and bits, from bit 31 down."""

from __future__ import annotations

from tensix_gdb.core.explain.instruction.tensix import bits_of
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.tensix.instruction import Instruction
from tensix_gdb.core.tensix.table import by_mnemonic


def rows(mnemonic: str, arch: Arch = Arch.BLACKHOLE) -> tuple[Instruction, ...]:
    return by_mnemonic(arch)[mnemonic]


def layout(row: Instruction) -> list[tuple[str, str]]:
    """`[("opcode", "31:24"), ("block_mask", "23:15"), ("reserved", "14:13"), ...]`.

    Fixed bits below the opcode are named by their value, `=1`.
    """
    encoding = row.encoding
    found = {31: ("opcode", "31:24")}
    for name, field in encoding.fields.items():
        (piece,) = field.pieces
        found[piece.word_shift + piece.width - 1] = (name, bits_of(field))
    for mask, label in ((encoding.unused, "reserved"), (encoding.mask & 0xFFFFFF, "=")):
        bit = 23
        while bit >= 0:
            high = bit
            while bit >= 0 and mask >> bit & 1:
                bit -= 1
            if bit < high:
                value = encoding.match >> bit + 1 & (1 << high - bit) - 1
                text = label if label == "reserved" else f"={value}"
                found[high] = (text, f"{high}:{bit + 1}" if high > bit + 1 else str(high))
            else:
                bit -= 1
    return [found[high] for high in sorted(found, reverse=True)]
