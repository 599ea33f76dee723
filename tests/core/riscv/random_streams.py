# SPDX-License-Identifier: Apache-2.0
"""Random streams of RV32IM and AMO instructions that end where they should, for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.rv32i import RV32I
from tensix_gdb.core.riscv.rv32m import RV32M
from tensix_gdb.core.riscv.zaamo import ZAAMO
from tests.assembler import asm

MEMORY = 0x20000
START, DATA, DATA_BYTES = 0x1000, 0x8000, 0x400
POINTER = 8  # x8 stays where the data is

_ROWS = [row for group in (RV32I, RV32M, ZAAMO) for row in group.rows]
_ALU = [row for row in _ROWS if row.form in (Form.ALU_RR, Form.ALU_RI, Form.LUI, Form.AUIPC)]
_MEMORY = [row for row in _ROWS if row.form in (Form.LOAD, Form.STORE)]
_AMO = [row for row in _ROWS if row.form is Form.AMO]
_BRANCHES = [row for row in _ROWS if row.form is Form.BRANCH]

any_register = st.integers(0, 31)
target = any_register.filter(lambda number: number != POINTER)


@st.composite
def instruction(draw: st.DrawFn, left: int) -> int:
    """One instruction; jumps go forward, at most to the end, which is `left` instructions away."""
    kind = draw(st.sampled_from("aaaaaammxbj"))
    rd, rs1, rs2 = draw(target), draw(any_register), draw(any_register)
    if kind == "a":
        row = draw(st.sampled_from(_ALU))
        values = {"rd": rd, "rs1": rs1, "rs2": rs2}
        if "imm" in row.encoding.fields:
            field = row.encoding.fields["imm"]
            low = -(1 << field.width - 1) if field.signed else 0
            step = field.coverage & -field.coverage
            values["imm"] = low + draw(st.integers(0, ((1 << field.width) - 1) // step)) * step
        return asm(row.name, **{name: values[name] for name in row.encoding.fields})
    if kind == "m":
        row = draw(st.sampled_from(_MEMORY))
        # Often near the word that atomics change, so that requests meet.
        reach = draw(st.sampled_from((16, DATA_BYTES)))
        offset = draw(st.integers(0, reach // row.size - 1)) * row.size
        if row.form is Form.LOAD:
            return asm(row.name, rd=rd, rs1=POINTER, imm=offset)
        return asm(row.name, rs1=POINTER, rs2=rs2, imm=offset)
    if kind == "x":
        return asm(draw(st.sampled_from(_AMO)).name, rd=rd, rs1=POINTER, rs2=rs2)
    forward = 4 * draw(st.integers(1, min(left, 8)))
    if kind == "b":
        return asm(draw(st.sampled_from(_BRANCHES)).name, rs1=rs1, rs2=rs2, imm=forward)
    return asm("jal", rd=rd, imm=forward)


@st.composite
def stream(draw: st.DrawFn) -> list[int]:
    length = draw(st.integers(1, 60))
    return [draw(instruction(length - at)) for at in range(length)]


state = st.lists(st.one_of(st.integers(0, 0xFFFFFFFF), st.sampled_from([0, 1, 0x80000000])),
                 min_size=31, max_size=31)  # fmt: skip
