# SPDX-License-Identifier: Apache-2.0
"""Words as integers: masks and sign extension, in the subset both engines run."""

MASK8 = 0xFF
MASK16 = 0xFFFF
MASK32 = 0xFFFFFFFF


def s32(value: int) -> int:
    """Return the signed value of a 32-bit word."""
    return (value ^ 0x80000000) - 0x80000000


def sext(value: int, bits: int) -> int:
    """Return the signed value of the low `bits` bits; `value` must have no others."""
    sign = 1 << (bits - 1)
    return (value ^ sign) - sign


def put_bits(old: int, value: int, mask: int) -> int:
    """Return a word of 32 bits with the bits of a mask from `value`, and the others from `old`.

    What a masked write keeps is not of its making: core/origin has a form of this of its own.
    """
    return (old & ~mask & MASK32) | (value & mask)
