# SPDX-License-Identifier: Apache-2.0
"""ELWADD, ELWSUB, ELWMUL, MVMUL, DOTPV and GAPOOL: operands, arithmetic, Dst, and what follows.

fetch and decode    products.py    SrcA, SrcB -> the bits that the phase takes
multiply or add     products.py    -> one or two addends for each datum of Dst
add to Dst          accumulate.py, dst_rows.py
finish              banks are handed over, row counters advance
"""

from functools import partial

from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import STOPPED
from tensix_gdb.core.tensix.matrix import integer_products as integer_products
from tensix_gdb.core.tensix.matrix import products as products
from tensix_gdb.core.tensix.matrix.accumulate import (
    add_integers,
    add_one_to_dst,
    add_to_dst,
    normalise,
)
from tensix_gdb.core.tensix.matrix.dst_rows import all_defined, read_rows, write_rows
from tensix_gdb.core.tensix.matrix.formats import (
    FP16,
    INT8,
    KEEP,
    dst_row_of,
    fidelity_phase,
    keeps_denormals,
    refuse,
    style_of_a,
    style_of_b,
    wide_dst,
)
from tensix_gdb.core.tensix.regfiles import src
from tensix_gdb.core.tensix.regfiles.rwc import apply_addr_mod

# Of ELWMUL: by way of the record, and into Dst at once.
MULTIPLY = tuple(partial(products.multiply_lanes, TO_DST=to_dst) for to_dst in range(2))

ALL_BITS = 0x3FF  # of an integer's magnitude
LOW_A, HIGH_A = 0x01F, 0x0E0  # the bits of SrcA that phases with bit 0 set, or not, multiply
LOW_B, HIGH_B = 0x00F, 0x3F0  # of SrcB, and bit 1


def finish(S: View, thread: int, flip_src_b: int, flip_src_a: int, addr_mod: int) -> int:
    """End of an instruction that may hand banks over."""
    src.flip(S, thread, flip_src_a, flip_src_b)
    return apply_addr_mod(S, thread, addr_mod)


def note_a_row(S: View, at: int) -> int:
    """The row of SrcA that SHIFTXA finds again."""
    S.src.last_a_row = at & 0x3F
    return 0


# -- element by element
def elwadd(
    S: View,
    thread: int,
    flip_src_b: int,
    flip_src_a: int,
    add_dst: int,
    broadcast_src_b_row: int,
    broadcast_src_b_col0: int,
    addr_mod: int,
    dst_row: int,
) -> int:
    """ELWADD.md"""
    if add(S, thread, 0, add_dst, broadcast_src_b_row, broadcast_src_b_col0, dst_row) < 0:
        return STOPPED
    return finish(S, thread, flip_src_b, flip_src_a, addr_mod)


def elwsub(
    S: View,
    thread: int,
    flip_src_b: int,
    flip_src_a: int,
    add_dst: int,
    broadcast_src_b_row: int,
    broadcast_src_b_col0: int,
    addr_mod: int,
    dst_row: int,
) -> int:
    """ELWSUB.md: SrcB with the other sign."""
    if add(S, thread, 1, add_dst, broadcast_src_b_row, broadcast_src_b_col0, dst_row) < 0:
        return STOPPED
    return finish(S, thread, flip_src_b, flip_src_a, addr_mod)


def elwmul(
    S: View,
    thread: int,
    flip_src_b: int,
    flip_src_a: int,
    add_dst: int,
    broadcast_src_b_row: int,
    broadcast_src_b_col0: int,
    addr_mod: int,
    dst_row: int,
) -> int:
    """ELWMUL.md. It always adds to Dst, whatever the bit for that says."""
    style = style_of_a(S, thread)
    if refuse(S, thread, style) < 0:
        return STOPPED
    note_a_row(S, S.rwc.src_a[thread] & 0x38)
    first = dst_row_of(S, thread, dst_row) & 0x3F8
    bank = S.busy.matrix_bank[0]
    row = S.src.last_a_row
    bank_b = S.busy.matrix_bank[1]
    row_b = S.rwc.src_b[thread] & (0x3F if broadcast_src_b_row else 0x38)
    wide = wide_dst(S, thread)
    phase = fidelity_phase(S, thread)
    denormals = keeps_denormals(S, thread)
    fp16 = style == FP16
    if style == INT8:
        read_rows(S, thread, first, 8, 1, wide, 0)
        integer_products.fetch_b(S, bank_b, row_b, 8, broadcast_src_b_row, broadcast_src_b_col0)
        integer_products.decode_integers_a(S, bank, row, 8, LOW_A if phase & 1 else HIGH_A)
        integer_products.decode_integers_b(S, 8, LOW_B if phase & 2 else HIGH_B, denormals)
        integer_products.multiply_integer_lanes(S)
        add_integers(S, 8)
        write_rows(S, thread, first, 8, 1, wide, 0)
        return finish(S, thread, flip_src_b, flip_src_a, addr_mod)
    bias = products.rebias(wide, phase, fp16)
    style_b = style_of_b(S, thread, style)
    to_dst = 0 if wide or fp16 else all_defined(S, thread, first)
    if not to_dst:
        read_rows(S, thread, first, 8, 1, wide, fp16)
    MULTIPLY[to_dst](
        S, bank, row, bank_b, row_b, broadcast_src_b_row, broadcast_src_b_col0,
        style, style_b, phase, denormals, bias, thread, first,
    )  # fmt: skip
    if not to_dst:
        add_one_to_dst(S, wide, fp16)
        write_rows(S, thread, first, 8, 1, wide, fp16)
    return finish(S, thread, flip_src_b, flip_src_a, addr_mod)


def add(
    S: View, thread: int, negate: int, add_dst: int, one_row: int, column0: int, dst_row: int
) -> int:
    """ELWADD and ELWSUB up to Dst."""
    style = style_of_a(S, thread)
    if refuse(S, thread, style) < 0:
        return STOPPED
    note_a_row(S, S.rwc.src_a[thread] & 0x38)
    first = dst_row_of(S, thread, dst_row) & 0x3F8
    bank = S.busy.matrix_bank[0]
    row = S.src.last_a_row
    bank_b = S.busy.matrix_bank[1]
    row_b = S.rwc.src_b[thread] & (0x3F if one_row else 0x38)
    wide = wide_dst(S, thread)
    denormals = keeps_denormals(S, thread)
    if add_dst:
        read_rows(S, thread, first, 8, 1, wide, style == FP16)
    elif style == INT8:
        integer_products.nothing_old(S)
    if style == INT8:
        integer_products.fetch_b(S, bank_b, row_b, 8, one_row, column0)
        if negate:
            integer_products.negate_b(S)
        integer_products.decode_integers_a(S, bank, row, 8, ALL_BITS)
        integer_products.decode_integers_b(S, 8, ALL_BITS, denormals)
        integer_products.add_integer_lanes(S)
        add_integers(S, 8)
    else:
        keep_b = KEEP[style_of_b(S, thread, style)]
        products.add_lanes(
            S, bank, row, bank_b, row_b, one_row, column0, negate, KEEP[style], keep_b, denormals
        )
        products.rebias_sums(S, wide, fidelity_phase(S, thread), style == FP16)
        if add_dst:
            add_one_to_dst(S, wide, style == FP16)
        else:
            normalise(S, wide, style == FP16)
    return write_rows(S, thread, first, 8, 1, wide, style == FP16)


# -- matrices
def mvmul(
    S: View,
    thread: int,
    flip_src_b: int,
    flip_src_a: int,
    broadcast_src_b_row: int,
    addr_mod: int,
    dst_row: int,
) -> int:
    """MVMUL.md. A broadcast row is for rows 0, 2, 4 and 6 of an aligned 7x16 block of Dst."""
    if broadcast_src_b_row:
        first = dst_row_of(S, thread, dst_row) & (0x400 - 7)
        status = multiply(S, thread, first, 4, 2, 1)
    else:
        first = dst_row_of(S, thread, dst_row) & 0x3F8
        status = multiply(S, thread, first, 8, 1, 0)
    if status < 0:
        return STOPPED
    return finish(S, thread, flip_src_b, flip_src_a, addr_mod)


def dotpv(
    S: View, thread: int, flip_src_b: int, flip_src_a: int, addr_mod: int, dst_row: int
) -> int:
    """DOTPV.md: MVMUL without broadcast."""
    return mvmul(S, thread, flip_src_b, flip_src_a, 0, addr_mod, dst_row)


def gapool(
    S: View,
    thread: int,
    flip_src_b: int,
    flip_src_a: int,
    dimension: int,
    addr_mod: int,
    dst_row: int,
) -> int:
    """GAPOOL.md: MVMUL for four rows."""
    first = dst_row_of(S, thread, dst_row) & 0x3FC
    if multiply(S, thread, first, 4, 1, 0) < 0:
        return STOPPED
    return finish(S, thread, flip_src_b, flip_src_a, addr_mod)


def multiply(S: View, thread: int, first: int, count: int, step: int, one_row: int) -> int:
    """`count` rows of Dst, `step` apart from `first` on, += SrcB * SrcA."""
    style = style_of_a(S, thread)
    if refuse(S, thread, style) < 0:
        return STOPPED
    a_row = S.rwc.src_a[thread] & 0x38
    b_row = S.rwc.src_b[thread] & (0x3F if one_row else 0x38)
    note_a_row(S, a_row)
    bank = S.busy.matrix_bank[0]
    wide = wide_dst(S, thread)
    phase = fidelity_phase(S, thread)
    denormals = keeps_denormals(S, thread)
    bank_b = S.busy.matrix_bank[1]
    read_rows(S, thread, first, count, step, wide, style == FP16)
    if style == INT8:
        integer_products.fetch_b(S, bank_b, b_row, count, one_row, 0)
        integer_products.decode_integers_a(S, bank, a_row, 16, LOW_A if phase & 1 else HIGH_A)
        integer_products.decode_integers_b(S, count, LOW_B if phase & 2 else HIGH_B, denormals)
        integer_products.multiply_integer_matrices(S, count)
        add_integers(S, count)
    else:
        products.decode_a(S, bank, a_row, 16, style, phase)
        style_b = style_of_b(S, thread, style)
        products.decode_b(S, bank_b, b_row, count, one_row, style_b, phase, denormals)
        products.multiply_matrices(S, count, products.rebias(wide, phase, style == FP16))
        add_to_dst(S, count, wide, style == FP16)
    return write_rows(S, thread, first, count, step, wide, style == FP16)
