# SPDX-License-Identifier: Apache-2.0
"""GMPOOL: the maximum of each column of SrcA and of Dst, scaled, with the index if asked for.

A value that is compared is a Datum of GMPOOL.md, here one integer: exponent (9 bits) above mantissa
or magnitude (10 bits), and a sign. Dst's exponents get the bias that a product of SrcA and SrcB
has. The three rows of Dst after the one that is meant become 0, or their index phase advances.

UNSPECIFIED(GMPOOL.md): the mode for one row (`dimension`), which no page and no LLK kernel has.
"""

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.matrix.arithmetic import finish, note_a_row
from tensix_gdb.core.tensix.matrix.formats import (
    BF16,
    FP16,
    INT8,
    KEEP_DST,
    TF32,
    UNKNOWN,
    ZERO_FLAG_WORD,
    config,
    dst_row_of,
    sees_one_bank,
    style_of_a,
    wide_dst,
)
from tensix_gdb.core.tensix.regfiles.dst import ALL_COLUMNS, LOW, define16, define32, row16, row32

NARROW = True  # in 32 bits where ranges allow it (core/engine/README.md)

SIGN = 1 << 19
LEAST = SIGN | 0x7FFFF  # a scale of 0: below everything
NEVER_FOUND = 8
INDEX = (0, 3, 6, 1, 4, 7, 2, 5)  # NONLINEAR_I_TRANSFORM


def gmpool(
    S: View,
    thread: int,
    flip_src_b: int,
    flip_src_a: int,
    dimension: int,
    addr_mod: int,
    arg_max: int,
    dst_row: int,
) -> int:
    """GMPOOL.md"""
    style = style_of_a(S, thread)
    if style == UNKNOWN or dimension == 0 or sees_one_bank(S):
        return fault_at_gate(S, thread, Fault.TENSIX_MATRIX_MODE)
    wide = wide_dst(S, thread)
    first = dst_row_of(S, thread, dst_row) & 0x3FC
    note_a_row(S, S.rwc.src_a[thread] & 0x30)
    kind = dst_style(style, wide, arg_max)
    at = row_of(S, thread, first, wide)
    for column in range(16):
        old = read_for_maximum(S, thread, at, column, wide)
        S.fpu.old[0, column] = old
        S.fpu.value[0, 0, column] = value_of_dst(old, kind)
    pool(S, S.src.last_a_row, S.rwc.src_b[thread] & 0x38, style)
    write_row(S, at, kind, wide, arg_max)
    for i in range(1, 4):
        write_other_row(S, thread, row_of(S, thread, first + i, wide), wide, arg_max)
    return finish(S, thread, flip_src_b, flip_src_a, addr_mod)


def dst_style(style: int, wide: int, arg_max: int) -> int:
    """DstStyle; INT8 stands for integers of 32 bits."""
    if style == INT8:
        return INT8
    if style == TF32:
        if arg_max:
            return INT8
        return TF32 if wide else BF16
    return TF32 if wide and not arg_max else style


def pool(S: View, first: int, b_row: int, style: int) -> int:
    """The largest of `fpu.value`, row 0, and 16 rows of SrcA from `first` on, each scaled by a
    datum of SrcB, in every column: ReadAndScaleSrc and AsComparable of GMPOOL.md. `fpu.exp`, row 0,
    is in which of the first eight steps the last one was found, or NEVER_FOUND.
    """
    exponents = 0 if style == INT8 else 0x1F if style == FP16 else 0xFF
    mantissas = 0x3F8 if style == BF16 else 0x3FF
    bank_a = S.busy.matrix_bank[0] & 1
    bank_b = S.busy.matrix_bank[1] & 1
    b_row = b_row & 0x38
    for j in lanes(16):
        best = S.fpu.value[0, 0, j] & 0xFFFFF
        largest = (comparable(best) + SIGN) & 0xFFFFF
        found = NEVER_FOUND
        for k in range(16):
            i = k ^ 4 if k < 8 else k
            a = S.src.a[bank_a, (first + i) & 63, j]
            b = S.src.b[bank_b, b_row, i]
            exponent = (a & exponents) + (b & exponents)
            value = (a >> 18 & 1) << 19 | exponent << 10 | (a >> 8) & mantissas
            value = value if a & 0xFF else 0
            value = value if b & 0xFF else LEAST
            # The masks say what is so in any case.
            this = (comparable(value) + SIGN) & 0xFFFFF
            best = (value if this >= largest else best) & 0xFFFFF
            found = (k if this >= largest and k < 8 else found) & 15
            largest = (this if this >= largest else largest) & 0xFFFFF
        S.fpu.value[0, 0, j] = best
        S.fpu.exp[0, 0, j] = found
    return 0


def write_row(S: View, at: int, kind: int, wide: int, arg_max: int) -> int:
    """Write the results of `pool` to a row of Dst."""
    for column in range(16):
        old = S.fpu.old[0, column]
        best = S.fpu.value[0, 0, column]
        found = S.fpu.exp[0, 0, column]
        phase = (old + 0x100) & 0xF00
        index = (phase >> 4) + INDEX[(found ^ 4) & 7] if found < NEVER_FOUND else old & 0xFF
        winner = phase | index
        if arg_max:
            new = winner if kind == INT8 else value_for_dst(best, kind) | winner
        else:
            new = value_for_dst(best, kind)
        S.dst.bits[at, column] = new >> 16
        if wide:
            S.dst.bits[at + LOW, column] = new & 0xFFFF
    return defined(S, at, wide)


def write_other_row(S: View, thread: int, at: int, wide: int, arg_max: int) -> int:
    """Write one of the three rows after it: index phases that advance, or 0."""
    for column in range(16):
        new = (
            (read_for_maximum(S, thread, at, column, 1) + 0x100) & 0xF00 if arg_max and wide else 0
        )
        S.dst.bits[at, column] = 0
        if wide:
            S.dst.bits[at + LOW, column] = new
    return defined(S, at, wide)


def defined(S: View, at: int, wide: int) -> int:
    """All of a row is written."""
    return define32(S, at, ALL_COLUMNS) if wide else define16(S, at, ALL_COLUMNS)


def row_of(S: View, thread: int, row: int, wide: int) -> int:
    """Return where a row of Dst32b or Dst16b is in DstBits."""
    return row32(S, thread, row) if wide else row16(S, thread, row)


def read_for_maximum(S: View, thread: int, at: int, column: int, wide: int) -> int:
    """Return a datum of Dst32b, or of Dst16b in the high half; undefined is all bits set
    (ZEROACC.md)."""
    flags = 0 if config(S, thread, ZERO_FLAG_WORD) & KEEP_DST else ALL_COLUMNS
    if (S.dst.undefined[at] & flags) >> column & 1:
        return MASK32 if wide else 0xFFFF0000
    value = S.dst.bits[at, column] << 16
    if wide:
        value |= S.dst.bits[at + LOW, column]
    return value


def comparable(value: int) -> int:
    """AsComparable."""
    return -(value & 0x7FFFF) if value & SIGN else value


def value_of_dst(word: int, kind: int) -> int:
    """ReadDst."""
    sign = SIGN if word >> 31 else 0
    if kind == INT8:
        return sign | ((word >> 24) & 7) << 16 | word & 0xFFFF
    if kind == FP16:
        return sign | (((word >> 16) & 0x1F) + 15) << 10 | (word >> 21) & 0x3FF
    mantissa = ((word >> 24) & 0x7F) << 3
    if kind == TF32:
        mantissa |= (word >> 13) & 7
    return sign | (((word >> 16) & 0xFF) + 127) << 10 | mantissa


def value_for_dst(value: int, kind: int) -> int:
    """WriteDst."""
    sign = 1 << 31 if value & SIGN else 0
    exponent = (value >> 10) & 0x1FF
    mantissa = value & 0x3FF
    if kind == INT8:
        return sign | (exponent & 7) << 10 | mantissa
    if kind == FP16:
        if exponent & 0x3F == 0:
            return 0
        return sign | mantissa << 21 | ((exponent - 15) & 0x1F) << 16
    if exponent == 0:
        return 0
    word = sign | (mantissa & 0x3F8) << 21 | ((exponent - 127) & 0xFF) << 16
    return word | (mantissa & 7) << 13 if kind == TF32 else word
