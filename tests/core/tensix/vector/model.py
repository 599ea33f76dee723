# SPDX-License-Identifier: Apache-2.0
"""The Vector Unit once more, lane by lane, as its pages describe it: what the vectors compare with.

It shares no code with the emulator but the multiply-add, which has vectors of its own. Here a lane
is an index and a flag a bool; nothing is fast.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

M32 = 0xFFFFFFFF
SIGN = 0x80000000
WRITABLE = (*range(8), 16)


def bits(value: float) -> int:
    return int(struct.unpack("<I", struct.pack("<f", value))[0])


def signed(x: int, width: int = 32) -> int:
    return x - (1 << width) if x >> (width - 1) & 1 else x


CONSTANTS = {8: bits(0.8373), 10: bits(1.0), 11: bits(-1.0), 12: bits(2**-16),
             13: bits(-0.67487759), 14: bits(-0.34484843)}  # fmt: skip


def fresh_lregs() -> list[list[int]]:
    lregs = [[CONSTANTS.get(number, 0)] * 32 for number in range(17)]
    lregs[15] = [2 * lane for lane in range(32)]
    return lregs


@dataclass
class Unit:
    """State of the Vector Unit; `stack` has its top last."""

    L: list[list[int]] = field(default_factory=fresh_lregs)
    flags: list[bool] = field(default_factory=lambda: [False] * 32)
    use: list[bool] = field(default_factory=lambda: [False] * 32)
    stack: list[list[tuple[bool, bool]]] = field(default_factory=lambda: [[] for _ in range(32)])
    config: list[int] = field(default_factory=lambda: [0] * 8)
    prng: list[int] = field(default_factory=lambda: [0] * 32)

    def enabled(self, lane: int) -> bool:
        if self.config[lane & 7] >> 12 >> (lane // 8) & 1:
            return False
        return self.flags[lane] if self.use[lane] else True

    def random(self, lane: int) -> int:
        result = self.prng[lane]
        taps = (result & 0x80200003).bit_count()
        self.prng[lane] = (~taps << 31 & M32) | result >> 1
        return result

    def write(self, number: int, lane: int, value: int) -> None:
        if number in WRITABLE:
            self.L[number][lane] = value & M32


def smaller(c: int, d: int) -> bool:
    """Sign and magnitude, where -0 is less than +0."""

    def key(x: int) -> tuple[bool, int]:
        return (False, -(x & ~SIGN)) if x & SIGN else (True, x)

    return key(c) < key(d)


def boolean(mod1: int, a: bool, b: bool) -> bool:
    return (
        b, not b, a and b, a or b, a and not b, a or not b, not a and b, not a or b,
        not a and not b, not a or not b, a != b, a == b,
    )[mod1 - 1]  # fmt: skip


def lut8(x: int) -> int:
    if x == 0xFF:
        return 0
    value = (1 + (x & 15) / 16) / 2 ** (x >> 4 & 7)
    return bits(-value if x & 0x80 else value)


def lut16(x: int) -> int:
    exponent = x >> 10 & 31
    if exponent == 31:
        return (x >> 15) << 31 | (x & 0x3FF) << 13
    value = (1 + (x & 0x3FF) / 1024) * 2.0 ** (exponent - 15)
    return bits(-value if x >> 15 else value)


def multiply_24(a: int, b: int, z: int, upper: bool) -> int:
    a, b = a & 0x7FFFFF, b & 0x7FFFFF
    product = a * b >> 23 if upper else a * b & 0x7FFFFF
    exponent = z >> 23 & 255
    if exponent:
        result = max(129, exponent)
        by = (result - exponent) & 31
        full = (0x800000 + (z & 0x7FFFFF)) << 3
        product >>= (result - 129) & 31
        kept = full >> by
        if kept:
            product += kept
            product += 0x10000 if (kept << by) ^ full > 0xFFFF else 0
            product &= 0x7FFFFF
    return product


def rounded(x: int, mod1: int, threshold: int, shift: int) -> int:
    """SFPSTOCHRND."""
    exponent = x >> 23 & 255
    if mod1 < 2:
        drop = 13 if mod1 == 0 else 16
        if exponent == 0:
            return 0
        if exponent == 255:
            return x & 0xFF800000
        low = x & ((1 << drop) - 1)
        return (x - low + (1 << drop if low >= threshold >> (23 - drop) else 0)) & M32
    largest = {2: 255, 3: 127, 4: 255, 5: 127, 6: 65535, 7: 32767}[mod1]
    sign = x & SIGN if mod1 in (3, 5, 7) else 0
    if mod1 in (4, 5):
        scaled = (x & ~SIGN) << 23 >> shift
    elif exponent - 127 < -1:
        return 0
    elif exponent - 127 >= 16:
        return sign | largest
    else:
        scaled = 0x800000 | (x & 0x7FFFFF)
        scaled = scaled << (exponent - 127) if exponent >= 127 else scaled >> (127 - exponent)
    size = min((scaled >> 23) + (scaled & 0x7FFFFF >= threshold), largest)
    return (sign if size else 0) | size


def to_float(x: int, random: int | None) -> int:
    """SFPCAST: exactly rounded to the nearest, or with seven random bits."""
    size = x & ~SIGN
    if size == 0:
        return x
    length = size.bit_length()
    normal = size << (32 - length)
    result = (x & SIGN) + ((157 - (32 - length)) << 23) + (normal >> 8)
    if random is None:
        return bits(float(size)) | (x & SIGN)
    return (result + ((normal & 0xFE) > (random >> 9 & 0xFE))) & M32
