# SPDX-License-Identifier: Apache-2.0
"""What the packer does to datums, pass by pass, on the up to 64 of one PACR in `S.pack.datum`.

    read        rows of Dst, or bytes of L1, as they are
    early       early format conversion (Packers/FormatConversion.md)
    mask        edge masking (EdgeMasking.md)
    relu        ReLU.md
    count       exponent histogram (ExponentHistogram.md)
    threshold   exponent thresholding (ExponentThresholding.md)
    select      downsampling (Downsampling.md), padding of rows
    late        late format conversion, up to block float

Which of them there are was decided when the instruction started (pack_start.py). Each is a loop of
few kinds of loads, so that LLVM can make vectors of it.
"""

from core.layout import View
from core.numeric.formats import fp16_to_e4m3, fp16_to_fp32, fp32_to_fp16_late
from core.numeric.layouts import dst16_to_bf16, dst16_to_fp16, dst32_to_fp32
from core.numeric.prng import advance
from core.numeric.rounding import NEAREST, against, magnitude_shifted, stochastic
from core.tensix.dst import LOW, read16, read32, row16, row32
from core.tensix.pack_formats import BYTES_IN, E5, E8, I8, I16
from core.tensix.pack_state import (
    BINS,
    FROM_DST32,
    FROM_L1,
    INTERFACES,
    PAD_ROWS,
)

INFINITY = 0x7F800000
SIGN = 0x80000000
ROW = 16  # datums


def rounding(S: View, bit: int) -> int:
    """The threshold of rounding.py for the next datum.

    UNSPECIFIED(Packers/FormatConversion.md): where the packer's random numbers come from; a
    generator of its own, like those of the Vector Unit, one number for each datum.
    """
    if S.pack.stochastic & bit == 0:
        return NEAREST
    S.pack.random = advance(S.pack.random)
    return stochastic(S.pack.random)


# -- reading
def read(S: View) -> int:
    """Read what the instruction selects; the number of datums."""
    if S.pack.source == FROM_L1:
        return read_l1(S)
    n = 0
    for i in range(INTERFACES):
        if (S.pack.interfaces >> i) & 1:
            row = S.pack.first + i * S.pack.apart
            n = read_row32(S, row, n) if S.pack.source == FROM_DST32 else read_row16(S, row, n)
    return n


def read_row16(S: View, row: int, n: int) -> int:
    """A row of Dst16b behind the first `n` datums."""
    at = row16(S, 0, row)
    column = S.pack.column
    if S.dst.undefined[at]:
        for i in range(S.pack.columns):
            S.pack.datum[n + i] = read16(S, at, column + i)
    else:
        for i in range(S.pack.columns):
            S.pack.datum[n + i] = S.dst.bits[at, column + i]
    return n + S.pack.columns


def read_row32(S: View, row: int, n: int) -> int:
    """Likewise of Dst32b."""
    at = row32(S, 0, row)
    column = S.pack.column
    if S.dst.undefined[at] | S.dst.undefined[at + LOW]:
        for i in range(S.pack.columns):
            S.pack.datum[n + i] = read32(S, at, column + i)
    else:
        for i in range(S.pack.columns):
            high = S.dst.bits[at, column + i]
            S.pack.datum[n + i] = high << 16 | S.dst.bits[at + LOW, column + i]
    return n + S.pack.columns


def read_l1(S: View) -> int:
    """Datums of L1; there is no early conversion. `early` is In_data_format here."""
    addr = S.pack.first
    n = S.pack.columns
    for i in range(n):
        match BYTES_IN[S.pack.early & 3]:
            case 4:
                S.pack.datum[i] = S.l1.word[(addr >> 2) + i]
            case 2:
                value = S.l1.half[(addr >> 1) + i]
                S.pack.datum[i] = value << 16 if S.pack.kind == E8 else value
            case _:
                S.pack.datum[i] = without_exponent(S.l1.byte[addr + i], S.pack.early)
    return n


def without_exponent(byte: int, given: int) -> int:
    """A byte of L1: of block float, the sign and the mantissa under an exponent of 0."""
    match given:
        case 6:
            return (byte & 0x80) << 24 | (byte & 0x7F) << 16
        case 2:
            return (byte & 0x80) << 8 | (byte & 0x7F) << 3
        case 10:
            return byte << 8
        case _:
            return byte


# -- early conversion
def rounded(x: int, drop: int, threshold: int) -> int:
    """FP32 with `drop` bits of its mantissa rounded away.

    NaN becomes infinity with its sign; what has no exponent afterwards, -0 too, becomes 0.
    """
    if x & ~SIGN > INFINITY:
        return x & ~SIGN & INFINITY | x & SIGN
    value = against(x, drop, threshold) << drop
    return value if value & INFINITY else 0


def rounded16(x: int, threshold: int) -> int:
    """FP16 to E5M6, the largest number if rounding would leave the format."""
    value = against(x & 0x7FFF, 4, threshold) << 4
    value = min(value, 0x7FF0)
    return value | x & 0x8000 if value & 0x7C00 else 0


def early(S: View, n: int) -> int:
    """Early format conversion of `n` datums."""
    if S.pack.source == FROM_DST32:
        early_32(S, n)
    else:
        early_16(S, n)
    return 0


def early_32(S: View, n: int) -> int:
    """From Dst32b."""
    match S.pack.early:
        case 0 | 6:
            for i in range(n):
                S.pack.datum[i] = dst32_to_fp32(S.pack.datum[i])
        case 1 | 5:
            for i in range(n):
                S.pack.datum[i] = rounded(dst32_to_fp32(S.pack.datum[i]), 13, rounding(S, 1))
        case 2:
            for i in range(n):
                S.pack.datum[i] = rounded(dst32_to_fp32(S.pack.datum[i]), 16, rounding(S, 1))
        case 3:
            for i in range(n):
                S.pack.datum[i] = dst32_to_fp32(S.pack.datum[i]) & 0xFFFF0000
        case 4:
            for i in range(n):
                S.pack.datum[i] = rounded(dst32_to_fp32(S.pack.datum[i]), 17, rounding(S, 1))
        case 7:
            for i in range(n):
                S.pack.datum[i] = S.pack.datum[i] >> 16
        case _:
            for i in range(n):
                S.pack.datum[i] = to_int8(S, dst32_to_fp32(S.pack.datum[i]))
    return 0


def to_int8(S: View, x: int) -> int:
    """INT32 to INT8 or UINT8."""
    match S.pack.early:
        case 8:
            magnitude = magnitude_shifted(x & ~SIGN, S.pack.shift, rounding(S, 1))
            return (x >> 24) & 0x80 | min(magnitude, 127)
        case 9:
            return (x >> 24) & 0x80 | x & 0x7F
        case 10:
            magnitude = magnitude_shifted(x & ~SIGN, S.pack.shift, rounding(S, 1))
            return 0 if x & SIGN else min(magnitude, 255)
        case _:
            return x & 0xFF


def early_16(S: View, n: int) -> int:
    """From Dst16b."""
    match S.pack.early:
        case 12:
            for i in range(n):
                S.pack.datum[i] = rounded(dst16_to_bf16(S.pack.datum[i]) << 16, 13, rounding(S, 1))
        case 13:
            for i in range(n):
                S.pack.datum[i] = rounded(dst16_to_bf16(S.pack.datum[i]) << 16, 16, rounding(S, 1))
        case 14:
            for i in range(n):
                S.pack.datum[i] = dst16_to_bf16(S.pack.datum[i]) << 16
        case 15:
            # Here a denormal is 0 before it could be rounded up.
            for i in range(n):
                value = dst16_to_bf16(S.pack.datum[i])
                value = value << 16 if value & 0x7F80 else 0
                S.pack.datum[i] = rounded(value, 17, rounding(S, 1))
        case 16:
            for i in range(n):
                S.pack.datum[i] = fp32_to_fp16_late(dst16_to_bf16(S.pack.datum[i]) << 16)
        case 17:
            for i in range(n):
                value = dst16_to_fp16(S.pack.datum[i])
                S.pack.datum[i] = value if value & 0x7C00 else 0
        case 18:
            for i in range(n):
                S.pack.datum[i] = dst16_to_fp16(S.pack.datum[i])
        case 19:
            for i in range(n):
                S.pack.datum[i] = dst16_to_fp16(S.pack.datum[i]) & 0xFFF8
        case 20:
            for i in range(n):
                S.pack.datum[i] = rounded16(dst16_to_fp16(S.pack.datum[i]), rounding(S, 1))
        case 21:
            for i in range(n):
                S.pack.datum[i] = dst16_to_fp16(S.pack.datum[i]) & 0xFF00
        case 23:
            for i in range(n):
                S.pack.datum[i] = (S.pack.datum[i] >> 8) & 0x80
    return 0


# -- between the conversions
def mask(S: View) -> int:
    """Edge masking of the rows that have been read."""
    n = 0
    for i in range(INTERFACES):
        if (S.pack.interfaces >> i) & 1:
            columns = S.pack.edge[i] >> S.pack.column
            for k in range(S.pack.columns):
                if (columns >> k) & 1 == 0:
                    S.pack.datum[n + k] = S.pack.masked
            n += S.pack.columns
    return 0


def relu(S: View, n: int) -> int:
    """ReLU on `n` datums.

    The page compares as numbers. Tenstorrent's simulator compares bits, so that NaN is above the
    threshold, and of what has 8 bits of exponent the upper 19 for mode 3; so here.
    """
    sign = SIGN
    match S.pack.kind:
        case 1 | 3:
            sign = 0x8000
        case 4:
            sign = 0x80
    for i in range(n):
        if S.pack.datum[i] & sign:
            S.pack.datum[i] = 0
    limit = S.pack.limit
    if S.pack.relu == 2:
        for i in range(n):
            if S.pack.datum[i] <= limit:
                S.pack.datum[i] = 0
    elif S.pack.relu == 3:
        ignored = 13 if S.pack.kind == E8 else 0
        for i in range(n):
            if S.pack.datum[i] >> ignored > limit >> ignored:
                S.pack.datum[i] = limit
    return 0


def count(S: View, n: int, histogram: int) -> int:
    """Update of ExponentHistogram.md.

    UNSPECIFIED(ExponentHistogram.md): INT8, which is not counted; and which of the 16 columns count
    that an interface reads: those that are packed.
    """
    if S.pack.kind == I8:
        return 0
    shift = 0 if S.pack.kind == I16 else 10 if S.pack.kind == E5 else 23
    bits = 0x1F if S.pack.kind == E5 else 0xFF
    largest = S.pack.max_exponent
    for i in range(n):
        largest = max(largest, (S.pack.datum[i] >> shift) & bits)
    S.pack.max_exponent = largest
    if histogram:
        for i in range(n):
            at = (S.pack.datum[i] >> shift) % BINS
            if S.pack.bins[at] != 255:
                S.pack.bins[at] += 1
    return 0


def narrow(S: View, n: int) -> int:
    """FP32_TO_FP16: ReLU has seen TF32, from here on it is FP16."""
    for i in range(n):
        S.pack.datum[i] = fp32_to_fp16_late(S.pack.datum[i])
    S.pack.kind = E5
    return 0


def threshold(S: View, n: int) -> int:
    """Exponent thresholding; integers have no exponents to compare."""
    shift = 10 if S.pack.kind == E5 else 23
    bits = 0x1F if S.pack.kind == E5 else 0xFF
    for i in range(n):
        if (S.pack.datum[i] >> shift) & bits < S.pack.smallest:
            S.pack.datum[i] = 0
    return 0


def select(S: View, n: int) -> int:
    """Downsampling, and zeros behind each row if rows are padded; the number of datums."""
    if S.pack.keep == 0xFFFF and S.pack.pad != PAD_ROWS:
        return n
    keep = S.pack.keep
    chosen = 0
    for i in range(n):
        if keep & 1:
            S.pack.chosen[chosen] = S.pack.datum[i]
            chosen += 1
        keep = (keep & 1) << 15 | keep >> 1
        if S.pack.pad == PAD_ROWS and (i + 1) % S.pack.columns == 0:
            while chosen % ROW:
                S.pack.chosen[chosen] = 0
                chosen += 1
    S.pack.keep = keep
    for i in range(chosen):
        S.pack.datum[i] = S.pack.chosen[i]
    return chosen


# -- late conversion
def late(S: View, n: int) -> int:
    """Late format conversion of `n` datums, each alone."""
    match S.pack.late:
        case 1:
            for i in range(n):
                S.pack.datum[i] = S.pack.datum[i] >> 16
        case 2:
            for i in range(n):
                value = S.pack.datum[i] >> 16
                S.pack.datum[i] = value if value & 0x7F80 else 0
        case 3:
            for i in range(n):
                S.pack.datum[i] = fp32_to_fp16_late(S.pack.datum[i])
        case 4:
            for i in range(n):
                S.pack.datum[i] = fp32_to_fp16_late(S.pack.datum[i]) >> 8
        case 5:
            for i in range(n):
                S.pack.datum[i] = fp16_to_e4m3(fp32_to_fp16_late(S.pack.datum[i]))
        case 6:
            for i in range(n):
                S.pack.datum[i] = fp16_to_fp32(S.pack.datum[i])
        case 7:
            for i in range(n):
                S.pack.datum[i] = fp16_to_fp32(S.pack.datum[i]) >> 16
        case 8:
            for i in range(n):
                value = S.pack.datum[i]
                S.pack.datum[i] = fp16_to_fp32(value) >> 16 if value & 0x7C00 else 0
        case 9:
            for i in range(n):
                value = S.pack.datum[i]
                S.pack.datum[i] = value if value & 0x7C00 else 0
        case 10:
            for i in range(n):
                S.pack.datum[i] = S.pack.datum[i] >> 8
        case 11:
            for i in range(n):
                value = S.pack.datum[i]
                S.pack.datum[i] = value >> 8 if value & 0x7C00 else 0
        case 12:
            for i in range(n):
                S.pack.datum[i] = fp16_to_e4m3(S.pack.datum[i])
    return 0
