# SPDX-License-Identifier: Apache-2.0
"""SrcA and SrcB alone: ZEROSRC, TRNSPSRCB, SHIFTXA."""

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.schema import Bits, Unused
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.instruction import WH, tensix
from tensix_gdb.core.tensix.matrix.unit import MATRIX
from tensix_gdb.core.tensix.regfiles import src

RIGHT, LEFT = 2, 3
TRANSPOSED = 16  # first row


FILLED_A = uses.SRC_A.if_set("clear_src_a").effect(uses.Effect.CLEAR)
FILLED_B = uses.SRC_B.if_set("clear_src_b").effect(uses.Effect.CLEAR)


@MATRIX.instruction(
    "ZEROSRC", tensix(0x11, Unused(19), "negative_inf_src_a" / Bits(1),
                      "single_bank_matrix_unit" / Bits(1), "both_banks" / Bits(1),
                      "clear_src_b" / Bits(1), "clear_src_a" / Bits(1)),
    llk="zero_val@4 write_mode@3 bank_mask@2 src_mask@0", page=WH + "ZEROSRC.md",
    reads=(uses.BANKS,),
    writes=(FILLED_A, FILLED_B),
    summary="Fill SrcA or SrcB or both.",
)  # fmt: skip
def zerosrc(
    S: View,
    thread: int,
    negative_inf_src_a: int,
    single_bank_matrix_unit: int,
    both_banks: int,
    clear_src_b: int,
    clear_src_a: int,
) -> int:
    """ZEROSRC.md"""
    value = src.DATUM if negative_inf_src_a else 0
    for bank in range(src.BANKS):
        if clear_src_a and chosen(S, src.SRC_A, bank, single_bank_matrix_unit, both_banks):
            for i in range(src.ROWS):
                for j in lanes(src.COLUMNS):
                    S.src.a[bank, i, j] = value
        if clear_src_b and chosen(S, src.SRC_B, bank, single_bank_matrix_unit, both_banks):
            for i in range(src.ROWS):
                for j in lanes(src.COLUMNS):
                    S.src.b[bank, i, j] = 0
    return 0


def chosen(S: View, source: int, bank: int, matrix: int, both: int) -> int:
    """True if ZEROSRC means this bank."""
    if both:
        return 1
    if matrix:
        return 1 if S.busy.matrix_bank[source] == bank else 0
    return 1 if S.busy.unpack_bank[source] == bank else 0


@MATRIX.instruction(
    "TRNSPSRCB", tensix(0x16, Unused(24)), llk="", page=WH + "TRNSPSRCB.md",
    reads=(uses.SRC_B,), writes=(uses.SRC_B,),
    summary="Transpose rows 16 to 31 of SrcB.",
)  # fmt: skip
def trnspsrcb(S: View, thread: int) -> int:
    """TRNSPSRCB.md"""
    bank = S.busy.matrix_bank[src.SRC_B]
    for i in range(16):
        for j in range(i):
            datum = S.src.b[bank, TRANSPOSED + i, j]
            S.src.b[bank, TRANSPOSED + i, j] = S.src.b[bank, TRANSPOSED + j, i]
            S.src.b[bank, TRANSPOSED + j, i] = datum
    return 0


@MATRIX.instruction(
    "SHIFTXA", tensix(0x17, Unused(22), "direction" / Bits(2)),
    llk="log2_amount2@2 shift_mode@0", page=WH + "SHIFTXA.md",
    reads=(uses.SRC_A, uses.LAST_ROW), writes=(uses.SRC_A,),
    summary="Shift 16 rows of SrcA by one lane.",
)  # fmt: skip
def shiftxa(S: View, thread: int, direction: int) -> int:
    """SHIFTXA.md. The rows are those of the instruction that used SrcA's counter last."""
    if direction != RIGHT and direction != LEFT:
        return fault_at_gate(S, thread, Fault.TENSIX_MODE)
    bank = S.busy.matrix_bank[src.SRC_A]
    first = S.src.last_a_row & 0x30
    for i in range(16):
        if direction == RIGHT:
            for j in range(15, 0, -1):
                S.src.a[bank, i, j] = S.src.a[bank, first + i, j - 1]
            S.src.a[bank, i, 0] = 0
        else:
            for j in range(15):
                S.src.a[bank, i, j] = S.src.a[bank, first + i, j + 1]
            S.src.a[bank, i, 15] = 0
    return 0
