# SPDX-License-Identifier: Apache-2.0
"""The last step of ELWADD, ELWSUB, ELWMUL, MVMUL, GAPOOL: Dst plus what was computed, normalised.

The pages give the operations and say that order, fusing and precision are not exactly those. What
is done here, marked below, is what Tenstorrent's simulator does; its authors compare it with the
RTL; it also agrees with what FloatBitPatterns.md says of overflow.

One or two addends (`S.fpu.exp`, `S.fpu.value`) and Dst are aligned to the largest exponent of all
and added at once. An addend is an integer in units of 2**(exponent - bias - 23), so FP32
mantissas have 24 bits and an addend may have a few more.
"""

from collections.abc import Callable
from functools import partial

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.matrix.by_chip import DIGITS_OF_MINUS_1

NARROW = True  # in 32 bits where ranges allow it (core/engine/README.md)

INFINITY = 0xFF << 23
LARGEST_FP16 = 0x1F << 23 | 0x3FF << 13  # FP16 has no infinity; this is what overflow gives
BF16_DROPS = 16  # digits of FP32's mantissa
LENGTH = 30  # digits of the longest sum
DOWN = LENGTH - 24  # from a sum of so many digits to FP32's mantissa
MIDDLE = 128 << 23


def s32(value: int) -> int:
    """Return a 32-bit word as two's complement."""
    return (value ^ 0x80000000) - 0x80000000


def twice(value: int) -> int:
    """Twice the low 29 bits of a word as two's complement: an addend has no more."""
    return (((value & 0x1FFFFFFF) << 1) ^ 0x20000000) - 0x20000000


def add_to_dst(S: View, count: int, wide: int, fp16: int) -> int:
    """`new` = `old` + both addends: MVMUL, DOTPV, GAPOOL."""
    if wide:
        return TO_WIDE[S.tile.chip](S, count, fp16)
    return add_up(S, count, fp16, 2, 1, 0, 0)


def add_one_to_dst(S: View, wide: int, fp16: int) -> int:
    """`new` = `old` + the first addend, for eight rows: ELWADD, ELWSUB, ELWMUL."""
    return ONE_TO_WIDE[S.tile.chip](S, 8, fp16) if wide else add_up(S, 8, fp16, 1, 1, 0, 0)


def normalise(S: View, wide: int, fp16: int) -> int:
    """`new` = the first addend, for eight rows: ELWADD and ELWSUB without Dst."""
    return WIDE_ALONE[S.tile.chip](S, 8, fp16) if wide else add_up(S, 8, fp16, 1, 0, 0, 0)


def add_up(S: View, count: int, fp16: int, ADDENDS: int, OLD: int, WIDE: int, MORE: int) -> int:
    """`new` = one or two addends, and `old` if OLD.

    UNSPECIFIED(MVMUL.md): every alignment rounds to the nearest; ties of Dst go away from zero, of
    addends upwards. Without FP32 in Dst all three are first cut to 11 bits of FP32's mantissa, in
    the same way. The sum is rounded once more to what Dst holds, ties away from zero; a sum below
    the smallest normal number is +0, as is an exact 0. A sum of -1 has
    MORE digits (by_chip.py); without FP32 in Dst there is none.
    """
    drop = 0 if WIDE else 13 if fp16 else BF16_DROPS
    largest = LARGEST_FP16 if fp16 and not WIDE else INFINITY
    for i in range(count):
        for j in lanes(16):
            S.fpu.new[i & 7, j] = word_of_sum(
                S.fpu.exp[0, i & 7, j],
                S.fpu.value[0, i & 7, j],
                S.fpu.exp[1, i & 7, j] if ADDENDS == 2 else 0,
                S.fpu.value[1, i & 7, j] if ADDENDS == 2 else 0,
                S.fpu.old[i & 7, j] if OLD else 0,
                drop,
                largest,
                ADDENDS,
                OLD,
                WIDE,
                MORE,
            )
    return 0


def word_of_sum(
    e0: int,
    v0: int,
    e1: int,
    v1: int,
    old: int,
    drop: int,
    largest: int,
    ADDENDS: int,
    OLD: int,
    WIDE: int,
    MORE: int,
) -> int:
    """One sum of `add_up`: `drop` digits of FP32's mantissa are not kept, and what is larger than
    `largest` becomes that. Masks tell ranges, so that everything fits 32 bits."""
    half = 1 if WIDE else 1 + (1 << 13)
    keep = ~1 if WIDE else ~0x3FFF
    drop = drop & 31
    rounding = ((1 << drop + DOWN) >> 1) & 0x3FFFFFF
    kept = ((0x1FFFFFF >> drop) << drop) & 0x1FFFFFF
    e0 = e0 & 0xFFFF
    e1 = e1 & 0xFFFF
    e2 = (old >> 23) & 0xFF
    e = max(e0, e1, e2)
    # Longer shifts leave as little. What is shifted and added is twice the number, so there is a
    # digit left to round by.
    d0 = max(min(e - e0, 29), 0) if OLD or ADDENDS == 2 else 0
    total = ((twice(v0) >> d0) + half) & keep
    if OLD:
        d2 = max(min(e - e2, 25), 0)
        v2 = (old & 0x7FFFFF) << 1 | 0x1000000
        v2 = v2 if e2 else 0
        v2 = ((v2 >> d2) + half) & keep
        total += -v2 if old >> 31 else v2
    if ADDENDS == 2:
        d1 = max(min(e - e1, 29), 0)
        total += ((twice(v1) >> d1) + half) & keep
    magnitude = abs(total) >> 1
    length = int.bit_length(magnitude)
    if MORE:
        length = length + (MORE if total == -2 else 0)
    # The first digit comes to bit 29, and is added to the exponent like the 1 that rounding may
    # carry. Exponents are less by MIDDLE, as 32 bits have no room for one of 256. A product, as the
    # range of a shift to the left is not known of what may be negative.
    normal = (magnitude << ((LENGTH - length) & 31)) & 0x3FFFFFFF
    exponent = e + length - 25 - (MIDDLE >> 23)
    if MORE:
        normal = 1 << (LENGTH - 1) if total == -2 else normal
    word = min(exponent, 126) * (1 << 23) + (((normal + rounding) >> DOWN) & kept)
    fine = min(e, magnitude) > 0 and word >= (1 << 23) - MIDDLE
    word = min(word, (largest & 0x7FFFFFFF) - MIDDLE) + MIDDLE
    return (word | (total < 0) << 31) if fine else 0


def _by_chip(addends: int, old: int) -> tuple[Callable[[View, int, int], int], ...]:
    """`add_up` into Dst of 32 bits, by chip."""
    return tuple(
        partial(add_up, ADDENDS=addends, OLD=old, WIDE=1, MORE=more) for more in DIGITS_OF_MINUS_1
    )


TO_WIDE = _by_chip(2, 1)
ONE_TO_WIDE = _by_chip(1, 1)
WIDE_ALONE = _by_chip(1, 0)


def add_integers(S: View, count: int) -> int:
    """`new` = `old` + `value`, signs and magnitudes, clamped to 31 bits of magnitude."""
    for i in range(count):
        for j in lanes(16):
            old = S.fpu.old[i & 7, j]
            before = -(old & 0x7FFFFFFF) if old >> 31 else old
            total = s32(S.fpu.value[0, i & 7, j]) + before
            total = min(max(total, -0x7FFFFFFF), 0x7FFFFFFF)
            S.fpu.new[i & 7, j] = abs(total) | (0x80000000 if total < 0 else 0)
    return 0
