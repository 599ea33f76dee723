# SPDX-License-Identifier: Apache-2.0
"""Integers with a sign bit and a magnitude, and in two's complement.

The coprocessor's integers are sign and magnitude, those of software two's complement. -0 becomes 0
on the way out, the smallest number of two's complement has no counterpart and is clamped on the
way in (Dst.md, "RISCV access to Dst").
"""

from tensix_gdb.core.arch.numbers import MASK32


def to_twos_complement(x: int, bits: int) -> int:
    """Sign and magnitude of `bits` bits to two's complement of as many; -0 becomes 0."""
    sign = 1 << (bits - 1)
    return ((sign << 1) - (x ^ sign)) & ((sign << 1) - 1) if x & sign else x


def to_sign_magnitude(x: int, bits: int) -> int:
    """Two's complement of `bits` bits to sign and magnitude of as many; the smallest is clamped."""
    sign = 1 << (bits - 1)
    if x & sign == 0:
        return x
    return sign | min((sign << 1) - x, sign - 1)


def twos_complement32(x: int) -> int:
    """Sign and magnitude of 32 bits to two's complement; -0 becomes 0."""
    return -(x & 0x7FFFFFFF) & MASK32 if x & 0x80000000 else x


def sign_magnitude32(x: int) -> int:
    """Two's complement of 32 bits to sign and magnitude; -2**31 becomes -(2**31 - 1)."""
    return 0x80000000 | min(0x100000000 - x, 0x7FFFFFFF) if x & 0x80000000 else x


def value_of(x: int, bits: int) -> int:
    """Return the number that sign and magnitude of `bits` bits stand for."""
    sign = 1 << (bits - 1)
    return -(x - sign) if x & sign else x


def clamp_magnitude32(x: int, largest: int) -> int:
    """Sign and magnitude of 32 bits with the magnitude clamped; 0 has no sign."""
    magnitude = min(x & 0x7FFFFFFF, largest)
    return (x & 0x80000000) | magnitude if magnitude else 0


def leading_zeros32(x: int) -> int:
    """Leading zeros of a 32-bit word; 32 for 0."""
    count = 0
    for stage in range(5):
        step = 16 >> stage
        if x < 1 << (32 - step):
            x = x << step
            count += step
    return count + (1 if x == 0 else 0)


def sign_magnitude32_to_fp32(x: int) -> int:
    """Sign and magnitude of 32 bits to FP32, to the nearest, ties to even (SFPCAST_IntFloat.md)."""
    magnitude = x & 0x7FFFFFFF
    if magnitude == 0:
        return x
    zeros = leading_zeros32(magnitude)
    normal = magnitude << zeros
    up = 1 if normal & 0x80 and normal & 0x17F else 0
    return (x & 0x80000000) + ((157 - zeros) << 23) + (normal >> 8) + up


def sign_magnitude32_to_fp32_stochastic(x: int, random: int) -> int:
    """As above, rounding with seven random bits, of which it takes those from 10 to 16."""
    magnitude = x & 0x7FFFFFFF
    if magnitude == 0:
        return x
    zeros = leading_zeros32(magnitude)
    normal = magnitude << zeros
    up = 1 if normal & 0xFE > (random >> 9) & 0xFE else 0
    return (x & 0x80000000) + ((157 - zeros) << 23) + (normal >> 8) + up
