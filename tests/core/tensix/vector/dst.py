# SPDX-License-Identifier: Apache-2.0
"""SFPLOAD.md, SFPSTORE.md and SFPCONFIG.md over whole arrays: datums, LRegs, configuration."""

from __future__ import annotations

import numpy as np

from tensix_gdb.core.tensix.vector import address
from tests.core.tensix.vector.pages import Words, exponent, u32, wide
from tests.core.tensix.vector.unit import CONSTANTS

LOW = np.uint32(0xFFFF)


def shuffled(x: Words) -> Words:
    """The upper half of an FP32 as Dst has it: sign, mantissa, exponent."""
    return x & 0x8000 | (x & 0x7F) << 8 | x >> 7 & 0xFF


def unshuffled(x: Words) -> Words:
    return x & 0x8000 | (x & 0xFF) << 7 | x >> 8 & 0x7F


def loaded(mode: int, high: Words, low: Words, old: Words) -> Words:
    """Return what SFPLOAD makes of a datum of 16 bits, or of two halves."""
    sign, ten, five = high >> 15 << 31, high >> 5 & 0x3FF, high & 31
    match mode:
        case address.FP16:
            found = sign | np.where(five == 0, 0, five + 112) << 23 | ten << 13
        case address.SRCB | address.BF16:  # SrcB is BF16 where nothing is configured
            found = unshuffled(high) << 16
        case address.FP32 | address.INT32 | address.INT32_ALL | address.INT32_SM:
            found = unshuffled(high) << 16 | low
        case address.INT8:
            found = sign | ten & 0xFF
        case address.INT8_COMP:
            found = sign | ten
        case address.INT16:
            found = sign | high & 0x7FFF
        case address.UINT16 | address.LO16:
            found = high
        case address.HI16:
            found = high << 16
        case address.LO16_ONLY:
            found = old & ~LOW | high
        case address.HI16_ONLY:
            found = high << 16 | old & LOW
        case _:
            found = np.zeros_like(high)
    return u32(found)


def stored(mode: int, x: Words) -> tuple[Words, Words | None]:
    """Return what SFPSTORE makes of an LReg: the datum of 16 bits, or both halves."""
    flushed = np.where(exponent(x) == 0, x & np.uint32(0x80000000), x).astype(np.uint32)
    sign, e = wide(x) >> 31 << 15, exponent(x) - 112
    high, low = x >> 16, x & LOW
    match mode:
        case address.FP16:
            ten = np.where(e <= 0, 0, np.where(e > 31, 0x3FF, wide(x) >> 13 & 0x3FF))
            return u32(sign | ten << 5 | np.clip(e, 0, 31)), None
        case address.SRCB | address.BF16:
            return shuffled(flushed >> 16), None
        case address.FP32:
            return shuffled(flushed >> 16), flushed & LOW
        case address.INT32 | address.INT32_ALL | address.INT32_SM:
            return shuffled(high), low
        case address.INT8 | address.INT8_COMP:
            return u32(sign | (wide(x) & 0x3FF) << 5 | 16), None
        case address.INT16:
            return u32(sign | wide(x) & 0x7FFF), None
        case address.UINT16 | address.LO16_ONLY:
            return low, None
        case address.HI16_ONLY:
            return high, None
        case address.LO16:
            return low, high
        case address.HI16:
            return high, low
        case _:
            return np.zeros_like(x), None


MISC, LANE_CONFIG = 8, 15  # as VD of SFPCONFIG
BITS = {MISC: 0xFFF, LANE_CONFIG: 0x3FFFF}


def configured(vd: int, mode: int, imm: Words, lreg: Words, old: Words) -> Words:
    """Return what SFPCONFIG makes of the row that VD names, where the lane mask allows it."""
    value = imm if mode & 1 else lreg
    if vd in BITS:
        new = (value, old | value, old & value, old ^ value)[mode >> 1 & 3] & np.uint32(BITS[vd])
        # A constant has no bits for the highest ones, which stay.
        return new & LOW | old & ~LOW if vd == LANE_CONFIG and mode & 1 else new
    if vd < 4:
        return lreg
    if vd < 8:
        return value
    return np.full_like(old, CONSTANTS[vd]) if mode & 1 else lreg
