# SPDX-License-Identifier: Apache-2.0
"""L1_ACC: sums of packed datums in L1 (L1.md: 4 FP32 or INT32, 8 FP16 or BF16 at a time).

The page has the types and that INT32 is sign and magnitude and saturates. How the others round and
what they do at their ends is that of Tenstorrent's simulator, which was compared with silicon.
"""

EXTENDED = 255  # BF16's largest exponent, here one more


def rounded_sum(
    sign_a: int, exp_a: int, man_a: int, sign_b: int, exp_b: int, man_b: int, bits: int
) -> int:
    """Sum of two numbers with mantissas of `bits` bits, the implicit 1 included, to nearest even.

    In 62:40 the exponent plus 256 (less than 0 is possible), in 32 the sign, below the mantissa
    with its implicit 1; 0 if nothing is left. A carry out of the mantissa is in the exponent.
    """
    if exp_a < exp_b or (exp_a == exp_b and man_a < man_b):
        return rounded_sum_ordered(sign_b, exp_b, man_b, sign_a, exp_a, man_a, bits)
    return rounded_sum_ordered(sign_a, exp_a, man_a, sign_b, exp_b, man_b, bits)


def rounded_sum_ordered(
    sign_a: int, exp_a: int, man_a: int, sign_b: int, exp_b: int, man_b: int, bits: int
) -> int:
    """The same with |a| >= |b|."""
    distance = min(exp_a - exp_b, bits + 3)
    # Three more bits and a sticky one are enough for one rounding.
    small = man_b << 3 >> distance
    if small << distance != man_b << 3:
        small |= 1
    total = (man_a << 3) + (small if sign_a == sign_b else -small)
    if total == 0:
        return 0
    exponent = exp_a
    if total >= 1 << (bits + 3):
        total = total >> 1 | total & 1
        exponent += 1
    while total < 1 << (bits + 2):
        total = total << 1
        exponent -= 1
    whole = total >> 3
    rest = total & 7
    if rest > 4 or (rest == 4 and whole & 1):
        whole += 1
        if whole == 1 << bits:
            whole = whole >> 1
            exponent += 1
    return (exponent + 256) << 40 | sign_a << 32 | whole


def add_fp32(old: int, new: int) -> int:
    """FP32; denormals are 0 on both sides, NaN is the one of IEEE 754."""
    exp_a = (old >> 23) & 0xFF
    exp_b = (new >> 23) & 0xFF
    if exp_a == 255 or exp_b == 255:
        if (exp_a == 255 and old & 0x7FFFFF) or (exp_b == 255 and new & 0x7FFFFF):
            return 0x7FC00000
        if exp_a == exp_b and old != new:
            return 0x7FC00000
        return old if exp_a == 255 else new
    if exp_a == 0 or exp_b == 0:
        if exp_a:
            return old
        if exp_b:
            return new
        return old & new & 0x80000000
    total = rounded_sum(
        old >> 31, exp_a, old & 0x7FFFFF | 0x800000, new >> 31, exp_b, new & 0x7FFFFF | 0x800000, 24
    )
    if total == 0:
        return 0
    exponent = (total >> 40) - 256
    sign = (total >> 32 & 1) << 31
    if exponent >= 255:
        return sign | 0x7F800000
    return sign | exponent << 23 | total & 0x7FFFFF if exponent > 0 else sign


def add_bf16(old: int, new: int) -> int:
    """BF16; a NaN that is added is a number beyond the largest, a NaN in L1 larger than all."""
    exp_a = (old >> 7) & 0xFF
    exp_b = (new >> 7) & 0xFF
    infinite_a = old & 0x7FFF == 0x7F80
    infinite_b = new & 0x7FFF == 0x7F80
    if infinite_a or infinite_b:
        if infinite_a and infinite_b and old != new:
            return 0x7FC0
        return old if infinite_a else new
    if exp_a == EXTENDED:
        return old & 0x8000 | 0x7F80
    if exp_a == 0 or exp_b == 0:
        if exp_a:
            return old
        if exp_b:
            return new if exp_b < EXTENDED else new & 0x8000 | 0x7F80
        return old & new & 0x8000
    total = rounded_sum(old >> 15, exp_a, old & 0x7F | 0x80, new >> 15, exp_b, new & 0x7F | 0x80, 8)
    if total == 0:
        return 0
    exponent = (total >> 40) - 256
    sign = (total >> 32 & 1) << 15
    if exponent >= 255:
        return sign | 0x7F80
    return sign | exponent << 7 | total & 0x7F if exponent > 0 else sign


def add_fp16(old: int, new: int) -> int:
    """FP16 without infinities: the largest number stands for what is too large.

    It also stands for what is too small, and for the difference of equal numbers when their
    exponent is 30 or 31.
    """
    exp_a = (old >> 10) & 0x1F
    exp_b = (new >> 10) & 0x1F
    if exp_a == 0 or exp_b == 0:
        if exp_a:
            return old
        if exp_b:
            return new
        return old & new & 0x8000
    total = rounded_sum(
        old >> 15, exp_a, old & 0x3FF | 0x400, new >> 15, exp_b, new & 0x3FF | 0x400, 11
    )
    if total == 0:
        return 0x7FFF if exp_a >= 30 else 0
    exponent = (total >> 40) - 256
    sign = (total >> 32 & 1) << 15
    if exponent == 0:
        return sign
    if exponent < 0 or exponent > 31:
        return sign | 0x7FFF
    return sign | exponent << 10 | total & 0x3FF


def add_int32(old: int, new: int) -> int:
    """Sign and magnitude of 32 bits, saturating."""
    a = -(old & 0x7FFFFFFF) if old >> 31 else old
    b = -(new & 0x7FFFFFFF) if new >> 31 else new
    total = max(min(a + b, 0x7FFFFFFF), -0x7FFFFFFF)
    return 0x80000000 | -total if total < 0 else total
