# SPDX-License-Identifier: Apache-2.0
"""Rows of Dst as the Matrix Unit reads and writes them, eight or four at a time.

`S.fpu.old` and `S.fpu.new` hold them as 32-bit words: sign, 8 bits of exponent, 23 bits of mantissa
(or sign and magnitude of an integer). FP16 has its exponent of 5 bits in the low bits of the 8.
Nothing here lives longer than an instruction.
"""

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.tensix.matrix.formats import KEEP_DST, ZERO_FLAG_WORD, config
from tensix_gdb.core.tensix.regfiles.dst import ALL_COLUMNS, LOW, define16, define32, row16, row32

NARROW = True  # in 32 bits where ranges allow it (core/engine/README.md)

BLOCK = 8  # rows of Dst
ROW = 0x3FF  # a row of DstBits
_D = Tag.DERIVED

# fmt: off
FPU = Part("fpu", (
    row("a_exp",  "u16", (16, 16),       _D, "SrcA: exponent + NOT_ZERO, or 0 for a zero"),
    row("a_man",  "u16", (16, 16),       _D, "SrcA: mantissa, two's complement"),
    row("b",      "u32", (BLOCK, 16),    _D, "SrcB, broadcast"),
    row("b_exp",  "u16", (BLOCK, 16),    _D, "SrcB: as a_exp"),
    row("b_man",  "u16", (BLOCK, 16),    _D, "SrcB: as a_man; twice that for matrices"),
    row("exp",    "u16", (2, BLOCK, 16), _D, "exponent of each of the two addends of Dst"),
    row("value",  "u32", (2, BLOCK, 16), _D, "the addend, two's complement"),
    row("old",    "u32", (BLOCK, 16),    _D, "Dst before"),
    row("new",    "u32", (BLOCK, 16),    _D, "Dst after"),
))
# fmt: on


def read_rows(S: View, thread: int, first: int, count: int, step: int, wide: int, fp16: int) -> int:
    """`count` rows of Dst into `old`; an undefined datum is 0.

    Where `step` is 1, `first` and `count` are multiples of four, and so many are together in
    DstBits: no setting of Dst.md touches the two low bits of a row.
    """
    flags = 0 if config(S, thread, ZERO_FLAG_WORD) & KEEP_DST else ALL_COLUMNS
    more = 2 if step == 1 else 0
    for group in range(count >> more):
        i = group << more
        row = first + i * step
        at = row32(S, thread, row) if wide else row16(S, thread, row)
        for k in range(1 << more):
            if wide:
                read_wide(S, (at + k) & ROW, i + k, flags)
            else:
                read_narrow(S, (at + k) & ROW, i + k, flags, fp16)
    return 0


def read_wide(S: View, at: int, i: int, flags: int) -> int:
    """A row of Dst32b."""
    gone = S.dst.undefined[at] & flags
    if gone == 0:
        for j in lanes(16):
            high = S.dst.bits[at & 0x3F7, j]
            S.fpu.old[i & 7, j] = wide_word(high, S.dst.bits[(at & 0x3F7) + LOW, j])
        return 0
    for j in lanes(16):
        kept = ((gone >> j) & 1) - 1
        high = S.dst.bits[at & 0x3F7, j] & kept
        S.fpu.old[i & 7, j] = wide_word(high, S.dst.bits[(at & 0x3F7) + LOW, j] & kept)
    return 0


def wide_word(high: int, low: int) -> int:
    """Return the word of a datum of Dst32b."""
    high = high & 0xFFFF  # the masks tell ranges
    size = (high & 0xFF) << 23 | (high & 0x7F00) << 8 | low & 0xFFFF
    return signed(high >> 15, size)


def signed(sign: int, size: int) -> int:
    """Return a word of a sign and 31 bits, without a number on the way that needs more than 32."""
    return ((sign & 1) * -0x80000000 + (size & 0x7FFFFFFF)) & 0xFFFFFFFF


def read_narrow(S: View, at: int, i: int, flags: int, fp16: int) -> int:
    """A row of Dst16b."""
    gone = S.dst.undefined[at] & flags
    exponent = 0x1F if fp16 else 0xFF
    if gone == 0:
        for j in lanes(16):
            S.fpu.old[i & 7, j] = narrow_word(S.dst.bits[at & 0x3FF, j], exponent)
        return 0
    for j in lanes(16):
        half = S.dst.bits[at & 0x3FF, j] & (((gone >> j) & 1) - 1)
        S.fpu.old[i & 7, j] = narrow_word(half, exponent)
    return 0


def narrow_word(half: int, exponent: int) -> int:
    """Return the word of a datum of Dst16b; `exponent` are the bits of it that hold the exponent.

    A mantissa of 7 bits begins at bit 8, or of 10 at bit 5: both end at bit 22 of the word.
    """
    half = half & 0xFFFF  # the masks tell ranges
    exponent = exponent & 0xFF
    size = (half & exponent) << 23 | (half & 0x7FFF & ~exponent) << 8
    return signed(half >> 15, size)


def write_rows(
    S: View, thread: int, first: int, count: int, step: int, wide: int, fp16: int
) -> int:
    """`new` into `count` rows of Dst."""
    more = 2 if step == 1 else 0  # as in `read_rows`
    for group in range(count >> more):
        i = group << more
        row = first + i * step
        at = row32(S, thread, row) if wide else row16(S, thread, row)
        for k in range(1 << more):
            if wide:
                write_wide(S, (at + k) & ROW, i + k)
                define32(S, (at + k) & ROW, ALL_COLUMNS)
            else:
                write_narrow(S, (at + k) & ROW, i + k, 0x1F if fp16 else 0xFF)
                define16(S, (at + k) & ROW, ALL_COLUMNS)
    return 0


def write_wide(S: View, at: int, i: int) -> int:
    """A row of Dst32b."""
    for j in lanes(16):
        word = S.fpu.new[i & 7, j]
        S.dst.bits[at & 0x3F7, j] = (
            (word >> 16) & 0x8000 | (word >> 8) & 0x7F00 | (word >> 23) & 0xFF
        )
        S.dst.bits[(at & 0x3F7) + LOW, j] = word & 0xFFFF
    return 0


def write_narrow(S: View, at: int, i: int, exponent: int) -> int:
    """A row of Dst16b; `exponent` are the bits of a datum that hold it."""
    for j in lanes(16):
        S.dst.bits[at & 0x3FF, j] = half_of(S.fpu.new[i & 7, j], exponent)
    return 0


def half_of(word: int, exponent: int) -> int:
    """Return the datum of Dst16b of a word, the reverse of `narrow_word`."""
    exponent = exponent & 0xFF
    half = (word >> 16) & 0x8000 | (word >> 8) & 0x7FFF & ~exponent
    return half | (word >> 23) & exponent


def all_defined(S: View, thread: int, first: int) -> int:
    """True if eight rows of Dst16b have no undefined datum that is read as 0."""
    if config(S, thread, ZERO_FLAG_WORD) & KEEP_DST:
        return 1
    undefined = 0
    for i in range(2):
        at = row16(S, thread, first + 4 * i) & (ROW - 3)
        undefined |= S.dst.undefined[at] | S.dst.undefined[at + 1]
        undefined |= S.dst.undefined[at + 2] | S.dst.undefined[at + 3]
    return 0 if undefined else 1
