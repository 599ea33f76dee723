# SPDX-License-Identifier: Apache-2.0
"""A word of a hart's program explained: `.ttinsn` as what it pushes, others by field."""

from __future__ import annotations

from tensix_gdb.core.assembly.rv32 import (
    ABI_NAMES,
    CSR_NAMES,
    FLOAT_NAMES,
    ROUNDING,
    VECTOR_FORMS,
    show,
)
from tensix_gdb.core.assembly.rv32_read import parse as parse_riscv
from tensix_gdb.core.explain.instruction import vectors
from tensix_gdb.core.explain.instruction.explanation import Explanation, FieldText, Line
from tensix_gdb.core.explain.instruction.tensix import bits_of, explain_tensix
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.schema import MASK32
from tensix_gdb.core.riscv.decode import op_of
from tensix_gdb.core.riscv.table import FIRST, ILLEGAL, ROWS, Form

__all__ = ["explain_riscv", "parse_riscv"]

REGISTERS = ("rd", "rs1", "rs2")
FLOAT_REGISTERS = ("frd", "frs1", "frs2")
CSR_FORMS = (Form.CSR_R, Form.CSR_I)
FLAGS = (0x001, 0x003)  # fflags, which these harts lack, and fcsr, which has them
FLAGS_NEVER_CHANGE = [
    "no instruction sets the exception flags (fflags, bits 4:0 of fcsr): CSRs.md says only that "
    "fcsr has the bits, and the page of the multiply-add, exact in all else, has no flags. fcsr "
    "keeps what software writes"
]
THREE_OPERANDS = (Form.ALU_RRR, Form.HALF_RRR)


def explain_riscv(word: int) -> Explanation:
    """Everything about `word`, which stands in a hart's program."""
    op = op_of(word)
    if op == ILLEGAL:
        explanation = Explanation("RISC-V", show(word).expandtabs(1), word, 8, "")
        explanation.summary = "No instruction: the harts have none with these bits."
        return explanation
    row = ROWS[op - FIRST]
    if row.form is Form.VECTOR and vectors.row_of(word)[0] is None:
        explanation = Explanation("RISC-V", show(word).expandtabs(1), word, 8, "")
        explanation.summary = "No instruction: V has none with these bits on T2."
        return explanation
    if row.form is Form.TTINSN:
        return explain_tensix((word >> 2 | word << 30) & MASK32, Arch.BLACKHOLE)
    explanation = Explanation(
        "RISC-V", show(word).expandtabs(1), word, 8, "An instruction of the hart."
    )
    explanation.facts = [Line("Word", f"{word:#010x} in a hart's program"), Line("Page", row.page)]
    if row.form in VECTOR_FORMS:
        explanation.fields = vectors.fields_of(word)
        return explanation
    for name, field in row.encoding.fields.items():
        value = field.get(word)
        text, meaning = str(value), ""
        if name in REGISTERS:
            text, meaning = f"x{value}", f"{ABI_NAMES[value]} in C's calling convention"
        elif name in FLOAT_REGISTERS or (name == "imm" and row.form in THREE_OPERANDS):
            text, meaning = f"f{value}", f"{FLOAT_NAMES[value]} in C's calling convention"
        elif name == "imm" and row.form in CSR_FORMS:
            text = f"{value & 0xFFF:#05x}"
            meaning = CSR_NAMES.get(value & 0xFFF, "")
            explanation.warnings += FLAGS_NEVER_CHANGE * (value & 0xFFF in FLAGS)
        elif name == "rm":
            meaning = f"{ROUNDING[value] or 'no rounding mode'}; ignored: always to nearest even"
        explanation.fields.append(FieldText(name, bits_of(field), value, text, meaning))
    if word & row.encoding.unused:
        explanation.warnings.append(f"bits {word & row.encoding.unused:#x} mean nothing")
    return explanation
