# SPDX-License-Identifier: Apache-2.0
"""Fields of a word of V: their bits, and what they name."""

from __future__ import annotations

from tensix_gdb.core.assembly.rv32 import ABI_NAMES, FLOAT_NAMES
from tensix_gdb.core.explain.instruction.explanation import FieldText
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.rvv import arithmetic
from tensix_gdb.core.riscv.rvv.rows import BY_NUMBER, SECONDS, Row

MOPS = ("by unit", "by index, in any order", "by stride", "by index, in order")
LUMOPS = {0: "", 8: "whole registers", 11: "a mask", 16: "up to the first that faults"}


def row_of(word: int) -> tuple[Row | None, int]:
    """Return the row of an arithmetic word, and which second operand it has (VV, VX, VI, VF)."""
    number = arithmetic.row_of(arithmetic.whole(decode(word)))
    return BY_NUMBER.get((number >> 2, SECONDS[number & 3])), number & 3


def fields_of(word: int) -> list[FieldText]:
    """Return the fields from the top."""
    vd, rs1, vs2 = word >> 7 & 31, word >> 15 & 31, word >> 20 & 31
    masked = "all elements" if word >> 25 & 1 else "elements with their bit of v0 set"
    mask = FieldText("vm", "25", word >> 25 & 1, str(word >> 25 & 1), masked)
    if word & 0x7F != 0x57:
        mop, count = word >> 26 & 3, word >> 29
        last = {0: LUMOPS.get(vs2, "reserved"), 2: f"the stride: {ABI_NAMES[vs2]}"}
        return [
            FieldText("nf", "31:29", count, str(count), f"{count + 1} fields to an element"),
            FieldText("mop", "27:26", mop, str(mop), MOPS[mop]),
            mask,
            FieldText("vs2", "24:20", vs2, str(vs2), last.get(mop, f"the indices: v{vs2}")),
            FieldText("rs1", "19:15", rs1, f"x{rs1}", f"the address: {ABI_NAMES[rs1]}"),
            FieldText("vd", "11:7", vd, f"v{vd}", "the registers"),
        ]
    row, operand = row_of(word)
    funct6 = word >> 26
    second = ("vs1", f"v{rs1}", "")
    if row is not None and row.number >= 192:
        second = ("vs1", str(rs1), "part of the name")
    elif operand == 1:
        second = ("rs1", f"x{rs1}", ABI_NAMES[rs1])
    elif operand == 2:
        second = ("imm", str(rs1), "")
    elif operand == 3:
        second = ("rs1", f"f{rs1}", FLOAT_NAMES[rs1])
    return [
        FieldText("funct6", "31:26", funct6, f"{funct6:#x}", (row.name if row else "")),
        mask,
        FieldText("vs2", "24:20", vs2, f"v{vs2}", ""),
        FieldText(second[0], "19:15", rs1, second[1], second[2]),
        FieldText("vd", "11:7", vd, f"v{vd}", ""),
    ]
