# SPDX-License-Identifier: Apache-2.0
"""Operands of the Matrix Unit's arithmetic: what a fidelity phase takes of them, and products.

The multipliers take at most 5 bits of a mantissa of SrcA and 7 of SrcB (SrcASrcB.md). With the
leading 1 these are, from the top, bits 10:6 and 10:4; phases with bit 0 set take bits 5:1 of SrcA,
phases with bit 1 set bits 3:0 of SrcB, which are worth 2**5 and 2**7 less: the exponent says so.

An exponent is kept with NOT_ZERO added, and a datum that is zero has 0 instead, so that the sum of
two is far below everything else if one of them is zero.
"""

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.matrix.accumulate import BF16_DROPS, INFINITY, word_of_sum
from tensix_gdb.core.tensix.matrix.dst_rows import half_of, narrow_word
from tensix_gdb.core.tensix.matrix.formats import KEEP
from tensix_gdb.core.tensix.regfiles.dst import ALL_COLUMNS, define16, row16

NARROW = True  # in 32 bits where ranges allow it (core/engine/README.md)

NOT_ZERO = 1024
SIGN, MANTISSA_LOW = 18, 8  # of a datum of SrcA or SrcB
LEADING = 0x400
UP = 6  # from a datum to twice the addend of a sum
PRODUCT = 13  # a product of leading bits has 11 or 12 bits; an FP32 mantissa 24


def s16(value: int) -> int:
    """Return the low 16 bits as two's complement."""
    return ((value & 0xFFFF) ^ 0x8000) - 0x8000


def s10(value: int) -> int:
    """Return the low 10 bits as two's complement: no bias has more, and ranges are known then."""
    return ((value & 0x3FF) ^ 0x200) - 0x200


def rebias(wide: int, phase: int, fp16: int) -> int:
    """Return what makes the exponent of a product of the sum of two: bias and fidelity phase.

    FP16 that goes to FP32 changes bias: from 15 for each of the two to 127.
    """
    bias = -127
    if fp16:
        bias = 127 - 30 if wide else -15
    return bias - (5 if phase & 1 else 0) - (7 if phase & 2 else 0)


def digits_of_a(phase: int) -> int:
    """Return by how much a datum of SrcA is shifted right for the digits that a phase takes."""
    return 9 if phase & 1 else 14


def digits_of_b(phase: int) -> int:
    """The same of SrcB; those of phases with bit 1 set stay three bits further up."""
    return 5 if phase & 2 else 12


def decode_a(S: View, bank: int, first: int, count: int, style: int, phase: int) -> int:
    """Rows of SrcA into `a_exp` and `a_man`. Denormals are zeros.

    UNSPECIFIED(MVMUL.md): rows from 64 on are the first ones of the bank again.
    """
    keep = KEEP[style] & 0x7FFFF
    down = digits_of_a(phase) & 15
    digits = (31 if phase & 1 else 15) & 31
    leading = (0 if phase & 1 else 16) & 16
    for i in range(count):
        for j in lanes(16):
            datum = S.src.a[bank & 1, (first + i) & 63, j] & keep
            exponent = datum & 0xFF
            mantissa = (datum >> down) & digits | leading
            mantissa = -mantissa if datum >> SIGN else mantissa
            S.fpu.a_exp[i & 15, j] = exponent + NOT_ZERO if exponent else 0
            S.fpu.a_man[i & 15, j] = mantissa & 0xFFFF if exponent else 0
    return 0


def decode_b(
    S: View,
    bank: int,
    first: int,
    count: int,
    one_row: int,
    style: int,
    phase: int,
    denormals: int,
) -> int:
    """Rows of SrcB into `b_exp` and, twice, `b_man`.

    UNSPECIFIED(MVMUL.md): with `denormals` (Zero_Flag_disabled_src) an exponent of 0 is one like
    the others, with a leading 1; so Tenstorrent's simulator, and LLK has measured a difference.
    """
    keep = KEEP[style] & 0x7FFFF
    down = digits_of_b(phase) & 15
    digits = (0x78 if phase & 2 else 0x3F) & 0x7F
    leading = (0 if phase & 2 else 0x40) & 0x40
    denormals = denormals & 1
    for i in range(count):
        at = first if one_row else first + i
        for j in lanes(16):
            datum = S.src.b[bank & 1, at & 63, j] & keep
            exponent = datum & 0xFF
            mantissa = (datum >> down) & digits | leading
            mantissa = -mantissa if datum >> SIGN else mantissa
            there = exponent | denormals
            S.fpu.b_exp[i & 7, j] = exponent + NOT_ZERO if there else 0
            S.fpu.b_man[i & 7, j] = 2 * mantissa & 0xFFFF if there else 0
    return 0


def multiply_lanes(
    S: View,
    bank: int,
    first: int,
    bank_b: int,
    first_b: int,
    one_row: int,
    column0: int,
    style_a: int,
    style_b: int,
    phase: int,
    denormals: int,
    bias: int,
    thread: int,
    first_dst: int,
    TO_DST: int,
) -> int:
    """ELWMUL: one product each as the only addend, of eight rows of SrcA and of SrcB.

    As `decode_a` and `decode_b` have their operands, without a way through the record. If TO_DST it
    is added at once to eight rows of BF16 in Dst16b without undefined data, as `read_rows`,
    `add_up` and `write_rows` would.
    """
    dst = 0
    bias = s10(bias)
    down_a = digits_of_a(phase) & 15
    down_b = digits_of_b(phase) & 15
    digits_a = (31 if phase & 1 else 15) & 31
    digits_b = (0x78 if phase & 2 else 0x3F) & 0x7F
    leading_a = (0 if phase & 1 else 16) & 16
    leading_b = (0 if phase & 2 else 0x40) & 0x40
    keep_a = KEEP[style_a] & 0x7FFFF
    keep_b = KEEP[style_b] & 0x7FFFF
    denormals = denormals & 1
    for i in range(8):
        at = first_b if one_row else first_b + i
        broadcast = S.src.b[bank_b & 1, at & 63, 0]
        if TO_DST:  # four are together
            dst = dst + 1 if i & 3 else row16(S, thread, first_dst + i)
        for j in lanes(16):
            a = S.src.a[bank & 1, (first + i) & 63, j] & keep_a
            b = (broadcast if column0 else S.src.b[bank_b & 1, at & 63, j]) & keep_b
            exponent_a = a & 0xFF
            exponent_b = b & 0xFF
            exponent = exponent_a + exponent_b + bias
            there = min(exponent_a, exponent_b | denormals, exponent) > 0
            product = (a >> down_a) & digits_a | leading_a
            product *= (b >> down_b) & digits_b | leading_b
            product = -product if (a ^ b) >> SIGN & 1 else product
            exponent = exponent if there else max(bias, 0)
            value = (product << PRODUCT) & 0xFFFFFFFF if there else 0
            if TO_DST:
                old = narrow_word(S.dst.bits[dst & 0x3FF, j], 0xFF)
                word = word_of_sum(exponent, value, 0, 0, old, BF16_DROPS, INFINITY, 1, 1, 0, 0)
                S.dst.bits[dst & 0x3FF, j] = half_of(word, 0xFF)
            else:
                S.fpu.exp[0, i, j] = exponent
                S.fpu.value[0, i, j] = value
        if TO_DST:
            define16(S, dst & 0x3FF, ALL_COLUMNS)
    return 0


def exponent_of(S: View, row: int, j: int, other: int) -> int:
    """Return that of the product of a datum of SrcA and one of SrcB with the exponent `other`, with
    NOT_ZERO twice."""
    return S.fpu.a_exp[row & 15, j] + (other & 0xFFFF)


def aligned(S: View, row: int, j: int, top: int, exponent: int, twice: int) -> int:
    """Return the product of a datum of SrcA and half of `twice`, aligned to the exponent `top`:
    (|product| + half) >> d, with the sign put on again."""
    d = min((top & 0x1FFFF) - exponent_of(S, row, j, exponent), 14) & 15
    product = s16(S.fpu.a_man[row & 15, j]) * s10(twice)
    return (((product + (product >> 31)) >> d) + 1) >> 1


def multiply_matrices(S: View, count: int, bias: int) -> int:
    """MVMUL: sums of products for `count` rows, in two groups of eight columns of SrcB.

    UNSPECIFIED(MVMUL.md): each group is aligned to its own largest exponent, every product rounded
    on the way to the nearest, ties away from zero, and then added exactly. A group without a
    positive exponent is 0; one of zeros only has the exponent that zero times zero has.
    """
    floor = (2 * NOT_ZERO - bias + max(bias, 0)) & 0xFFFF
    rebias = s10(bias) - 2 * NOT_ZERO
    for i in range(count):
        for group in range(2):
            multiply_group(S, i & 7, 8 * group, group, floor, rebias)
    return 0


def multiply_group(S: View, i: int, first: int, group: int, floor: int, rebias: int) -> int:
    """One of them. What SrcB has is read before the loop over lanes, for all of them."""
    rebias = s16(rebias)
    floor = floor & 0xFFFF
    e0 = S.fpu.b_exp[i, first & 8]
    e1 = S.fpu.b_exp[i, first & 8 | 1]
    e2 = S.fpu.b_exp[i, first & 8 | 2]
    e3 = S.fpu.b_exp[i, first & 8 | 3]
    e4 = S.fpu.b_exp[i, first & 8 | 4]
    e5 = S.fpu.b_exp[i, first & 8 | 5]
    e6 = S.fpu.b_exp[i, first & 8 | 6]
    e7 = S.fpu.b_exp[i, first & 8 | 7]
    b0 = s16(S.fpu.b_man[i, first & 8])
    b1 = s16(S.fpu.b_man[i, first & 8 | 1])
    b2 = s16(S.fpu.b_man[i, first & 8 | 2])
    b3 = s16(S.fpu.b_man[i, first & 8 | 3])
    b4 = s16(S.fpu.b_man[i, first & 8 | 4])
    b5 = s16(S.fpu.b_man[i, first & 8 | 5])
    b6 = s16(S.fpu.b_man[i, first & 8 | 6])
    b7 = s16(S.fpu.b_man[i, first & 8 | 7])
    for j in lanes(16):
        top = max(
            floor,
            exponent_of(S, first, j, e0),
            exponent_of(S, first + 1, j, e1),
            exponent_of(S, first + 2, j, e2),
            exponent_of(S, first + 3, j, e3),
            exponent_of(S, first + 4, j, e4),
            exponent_of(S, first + 5, j, e5),
            exponent_of(S, first + 6, j, e6),
            exponent_of(S, first + 7, j, e7),
        )
        total = (
            aligned(S, first, j, top, e0, b0)
            + aligned(S, first + 1, j, top, e1, b1)
            + aligned(S, first + 2, j, top, e2, b2)
            + aligned(S, first + 3, j, top, e3, b3)
            + aligned(S, first + 4, j, top, e4, b4)
            + aligned(S, first + 5, j, top, e5, b5)
            + aligned(S, first + 6, j, top, e6, b6)
            + aligned(S, first + 7, j, top, e7, b7)
        )
        exponent = top + rebias
        S.fpu.exp[group, i, j] = exponent if exponent > 0 else 0
        total = s16(total) * (1 << PRODUCT)
        S.fpu.value[group, i, j] = total & 0xFFFFFFFF if exponent > 0 else 0
    return 0


def add_lanes(
    S: View,
    bank: int,
    first: int,
    bank_b: int,
    first_b: int,
    one_row: int,
    column0: int,
    negate: int,
    keep_a: int,
    keep_b: int,
    denormals: int,
) -> int:
    """ELWADD, or ELWSUB if `negate`: sums of eight rows of SrcA and of SrcB as the only addend,
    with the exponent of the sources.

    UNSPECIFIED(ELWADD.md): the smaller one is aligned to the exponent of the larger one, rounded to
    the nearest, ties away from zero.
    """
    keep_a = keep_a & 0x7FFFF
    keep_b = keep_b & 0x7FFFF
    flip = (negate & 1) << SIGN
    there = (0x7FFFF if denormals else 0xFF) & 0x7FFFF
    for i in range(8):
        at = first_b if one_row else first_b + i
        broadcast = S.src.b[bank_b & 1, at & 63, 0]
        for j in lanes(16):
            a = S.src.a[bank & 1, (first + i) & 63, j] & keep_a
            b = broadcast if column0 else S.src.b[bank_b & 1, at & 63, j]
            b = (b ^ flip) & keep_b
            exponent_a = a & 0xFF
            exponent_b = b & 0xFF
            # Twice the addends, so that there is a bit to round by.
            mantissa_a = (a << UP) & (0x3FF << MANTISSA_LOW + UP) | LEADING << MANTISSA_LOW + UP
            mantissa_b = (b << UP) & (0x3FF << MANTISSA_LOW + UP) | LEADING << MANTISSA_LOW + UP
            mantissa_a = mantissa_a if exponent_a else 0
            mantissa_b = mantissa_b if b & there else 0
            exponent = max(exponent_a, exponent_b)
            mantissa_a = mantissa_a >> (min(exponent - exponent_a, 12) & 15)
            mantissa_b = mantissa_b >> (min(exponent - exponent_b, 12) & 15)
            mantissa_a = (mantissa_a + (1 << PRODUCT)) & ~((2 << PRODUCT) - 1)
            mantissa_b = (mantissa_b + (1 << PRODUCT)) & ~((2 << PRODUCT) - 1)
            mantissa_a = -mantissa_a if a >> SIGN else mantissa_a
            mantissa_b = -mantissa_b if b >> SIGN else mantissa_b
            S.fpu.exp[0, i, j] = exponent
            S.fpu.value[0, i, j] = ((mantissa_a + mantissa_b) >> 1) & 0xFFFFFFFF
    return 0


def rebias_sums(S: View, wide: int, phase: int, fp16: int) -> int:
    """Exponents of `add_lanes` as Dst has them; a fidelity phase divides (ELWADD.md).

    UNSPECIFIED(ELWADD.md): a sum that is divided below the smallest normal number is 0.
    """
    other = wide & fp16
    add = 112 if other else 0
    add -= (5 if phase & 1 else 0) + (7 if phase & 2 else 0)
    if add == 0 and other == 0:
        return 0
    for i in range(8):
        for j in lanes(16):
            exponent = S.fpu.exp[0, i, j]
            exponent = exponent + add if exponent else (97 if other else 0)
            value = S.fpu.value[0, i, j]
            S.fpu.exp[0, i, j] = exponent if exponent > 0 else 0
            S.fpu.value[0, i, j] = value if exponent > 0 or add == 0 else 0
    return 0
