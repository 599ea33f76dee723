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
LENGTH = 30  # digits of the longest sum
DOWN = LENGTH - 24  # from a sum of so many digits to FP32's mantissa
MIDDLE = 128 << 23


def s32(value: int) -> int:
    """A 32-bit word as two's complement."""
    return (value ^ 0x80000000) - 0x80000000


def twice(value: int) -> int:
    """Twice the low 30 bits of a word as two's complement. An addend has 29."""
    return (((value & 0x3FFFFFFF) << 1) ^ 0x40000000) - 0x40000000


def add_to_dst(S: View, count: int, wide: int, fp16: int) -> int:
    """`new` = `old` + both addends: MVMUL, DOTPV, GAPOOL."""
    if wide:
        return TO_WIDE[S.gate.wormhole](S, count, fp16)
    return add_up(S, count, fp16, 2, 1, 0, 0)


def add_one_to_dst(S: View, wide: int, fp16: int) -> int:
    """`new` = `old` + the first addend, for eight rows: ELWADD, ELWSUB, ELWMUL."""
    return ONE_TO_WIDE[S.gate.wormhole](S, 8, fp16) if wide else add_up(S, 8, fp16, 1, 1, 0, 0)


def normalise(S: View, wide: int, fp16: int) -> int:
    """`new` = the first addend, for eight rows: ELWADD and ELWSUB without Dst."""
    return WIDE_ALONE[S.gate.wormhole](S, 8, fp16) if wide else add_up(S, 8, fp16, 1, 0, 0, 0)


def add_up(S: View, count: int, fp16: int, ADDENDS: int, OLD: int, WIDE: int, MORE: int) -> int:
    """`new` = one or two addends, and `old` if OLD.

    UNSPECIFIED(MVMUL.md): every alignment rounds to the nearest; ties of Dst go away from zero, of
    addends upwards. Without FP32 in Dst all three are first cut to 11 bits of FP32's mantissa, in
    the same way. The sum is rounded once more to what Dst holds, ties away from zero; a sum below
    the smallest normal number is +0, as is an exact 0. A sum of -1 has
    MORE digits (by_chip.py); without FP32 in Dst there is none.
    """
    half = 0 if WIDE else 1 << 12
    keep = -1 if WIDE else ~0x1FFF
    drop = 0 if WIDE else 13 if fp16 else 16
    # The largest word there may be: what is larger becomes it. The masks tell ranges.
    largest = ((LARGEST_FP16 if fp16 and not WIDE else INFINITY) & 0x7FFFFFFF) - MIDDLE
    rounding = ((1 << drop + DOWN) >> 1) & 0x3FFFFFF
    kept = ((0x1FFFFFF >> drop) << drop) & 0x1FFFFFF
    for i in range(count):
        for j in lanes(16):
            old = S.fpu.old[i & 7, j] if OLD else 0
            e0 = S.fpu.exp[0, i & 7, j]
            e1 = S.fpu.exp[1, i & 7, j] if ADDENDS == 2 else 0
            e2 = (old >> 23) & 0xFF
            e = max(e0, e1, e2)
            # Longer shifts leave as little. To shift twice the number, add 1 and halve that rounds.
            d0 = max(min(e - e0, 29), 0) if OLD or ADDENDS == 2 else 0
            total = (((twice(S.fpu.value[0, i & 7, j]) >> d0) + 1 + 2 * half) >> 1) & keep
            if OLD:
                d2 = max(min(e - e2, 25), 0)
                v2 = (old & 0x7FFFFF) << 1 | 0x1000000
                v2 = v2 if e2 else 0
                v2 = (((v2 >> d2) + 1 + 2 * half) >> 1) & keep
                total += -v2 if old >> 31 else v2
            if ADDENDS == 2:
                d1 = max(min(e - e1, 29), 0)
                total += (((twice(S.fpu.value[1, i & 7, j]) >> d1) + 1 + 2 * half) >> 1) & keep
            magnitude = abs(total)
            length = int.bit_length(magnitude)
            if MORE:
                length = length + (MORE if total == -1 else 0)
            # The first digit comes to bit 29, and is added to the exponent like the 1 that rounding
            # may carry. The mask says what is so in any case. Exponents are less by MIDDLE, as
            # 32 bits have no room for one of 256.
            normal = (magnitude << ((LENGTH - length) & 31)) & 0x3FFFFFFF
            exponent = e + length - 25 - (MIDDLE >> 23)
            if MORE:
                normal = 1 << (LENGTH - 1) if total == -1 else normal
            word = min(exponent, 126) * (1 << 23) + (((normal + rounding) >> DOWN) & kept)
            fine = min(e, magnitude) > 0 and word >= (1 << 23) - MIDDLE
            word = min(word, largest) + MIDDLE
            S.fpu.new[i & 7, j] = (word | (total < 0) << 31) if fine else 0
    return 0


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
