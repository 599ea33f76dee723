# SPDX-License-Identifier: Apache-2.0
"""The packer's first passes: datums as they are in Dst or L1, and the early format conversion.

What passes.py says of its passes holds here.
"""

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.numeric.formats import fp32_to_fp16_late
from tensix_gdb.core.numeric.layouts import dst16_to_bf16, dst16_to_fp16, dst32_to_fp32
from tensix_gdb.core.numeric.prng import advance
from tensix_gdb.core.numeric.rounding import NEAREST, against, magnitude_shifted, stochastic
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.data_format import Format
from tensix_gdb.core.tensix.packer import formats
from tensix_gdb.core.tensix.packer.formats import BYTES_IN, E5, E8, KIND
from tensix_gdb.core.tensix.packer.state import FROM_DST32, FROM_L1, INTERFACES, LANES
from tensix_gdb.core.tensix.regfiles.dst import LOW, ROWS, read16, read32, row16, row32

INFINITY = 0x7F800000
SIGN = 0x80000000
ROW = 16  # datums
WHOLE_ROWS = LANES - ROW  # the bits of a datum's number that say how many rows are before it
# By early conversion: bits of an FP32 mantissa that are rounded away.
_DROPPED = {
    **dict.fromkeys((formats.FP32_TO_TF32, formats.FP32_TO_FP16, formats.BF16_TO_TF32), 13),
    **dict.fromkeys((formats.FP32_TO_BF16, formats.BF16_FLUSHED), 16),
    **dict.fromkeys((formats.FP32_TO_E8M6, formats.BF16_TO_E8M6), 17),
}
DROPPED = tuple(_DROPPED.get(conversion, 0) for conversion in range(len(KIND)))


def rounding(S: View, bit: int) -> int:
    """Return the threshold of rounding.py for the next datum.

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
    """Return the rest of a row of Dst16b, after the first `n` datums."""
    at = row16(S, 0, row)
    column = S.pack.column
    if S.dst.undefined[at]:
        for i in range(S.pack.columns):
            S.pack.datum[n + i] = read16(S, at, column + i)
    elif S.pack.columns == ROW:
        for i in lanes(ROW):
            S.pack.datum[(n & WHOLE_ROWS) + i] = S.dst.bits[at & (ROWS - 1), i]
    else:
        for i in range(S.pack.columns):
            S.pack.datum[n + i] = S.dst.bits[at, column + i]
    return n + S.pack.columns


def read_row32(S: View, row: int, n: int) -> int:
    """Likewise of Dst32b."""
    at = row32(S, 0, row)
    column = S.pack.column
    if S.dst.undefined[at]:
        for i in range(S.pack.columns):
            S.pack.datum[n + i] = read32(S, at, column + i)
    elif S.pack.columns == ROW:
        low = (at + LOW) & (ROWS - 1)
        for i in lanes(ROW):
            high = S.dst.bits[at & (ROWS - 1), i]
            S.pack.datum[(n & WHOLE_ROWS) + i] = high << 16 | S.dst.bits[low, i]
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
    """Return a byte of L1: of block float, the sign and the mantissa under an exponent of 0."""
    match given:
        case Format.BFP8:
            return (byte & 0x80) << 24 | (byte & 0x7F) << 16
        case Format.BFP8A:
            return (byte & 0x80) << 8 | (byte & 0x7F) << 3
        case Format.FP8:
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
    drop = DROPPED[S.pack.early]
    if drop and S.pack.stochastic & 1:
        for i in range(n):
            S.pack.datum[i] = rounded(S.pack.datum[i], drop, rounding(S, 1))
    elif drop:
        to_nearest(S, n, 1 << drop)
    return 0


def to_nearest(S: View, n: int, unit: int) -> int:
    """`rounded` to the nearest, ties away from zero; `unit` is the lowest bit that is left."""
    half = unit >> 1
    left = SIGN | (SIGN - unit)
    for i in lanes(min(n, LANES)):
        x = S.pack.datum[i]
        value = (x + half) & left
        value = value if value & INFINITY else 0
        S.pack.datum[i] = x & (SIGN | INFINITY) if x & (SIGN - 1) > INFINITY else value
    return 0


def early_32(S: View, n: int) -> int:
    """Convert from Dst32b, before rounding."""
    if S.pack.early == formats.INT32_HIGH:
        for i in range(n):
            S.pack.datum[i] = S.pack.datum[i] >> 16
        return 0
    for i in lanes(min(n, LANES)):
        S.pack.datum[i] = dst32_to_fp32(S.pack.datum[i])
    if S.pack.early == formats.FP32_TOP_BF16:
        for i in range(n):
            S.pack.datum[i] = S.pack.datum[i] & 0xFFFF0000
    elif S.pack.early >= formats.INT32_TO_INT8:
        for i in range(n):
            S.pack.datum[i] = to_int8(S, S.pack.datum[i])
    return 0


def to_int8(S: View, x: int) -> int:
    """INT32 to INT8 or UINT8."""
    match S.pack.early:
        case formats.INT32_TO_INT8:
            magnitude = magnitude_shifted(x & ~SIGN, S.pack.shift, rounding(S, 1))
            return (x >> 24) & 0x80 | min(magnitude, 127)
        case formats.INT32_LOW_INT8:
            return (x >> 24) & 0x80 | x & 0x7F
        case formats.INT32_TO_UINT8:
            magnitude = magnitude_shifted(x & ~SIGN, S.pack.shift, rounding(S, 1))
            return 0 if x & SIGN else min(magnitude, 255)
        case _:
            return x & 0xFF


def early_16(S: View, n: int) -> int:
    """Convert from Dst16b, before rounding."""
    if S.pack.early <= formats.BF16_TO_FP16:
        for i in lanes(min(n, LANES)):
            S.pack.datum[i] = dst16_to_bf16(S.pack.datum[i]) << 16
    elif S.pack.early <= formats.FP16_TOP_FP8:
        for i in range(n):
            S.pack.datum[i] = dst16_to_fp16(S.pack.datum[i])
    match S.pack.early:
        case formats.BF16_TO_E8M6:
            # Here a denormal is 0 before it could be rounded up.
            for i in range(n):
                value = S.pack.datum[i]
                S.pack.datum[i] = value if value & INFINITY else 0
        case formats.BF16_TO_FP16:
            narrow(S, n)
        case formats.FP16_FLUSHED:
            flush_denormals(S, n)
        case formats.FP16_TOP_E5M7:
            for i in range(n):
                S.pack.datum[i] = S.pack.datum[i] & 0xFFF8
        case formats.FP16_TO_E5M6:
            for i in range(n):
                S.pack.datum[i] = rounded16(S.pack.datum[i], rounding(S, 1))
        case formats.FP16_TOP_FP8:
            for i in range(n):
                S.pack.datum[i] = S.pack.datum[i] & 0xFF00
        case formats.SIGN_TO_INT8:
            for i in range(n):
                S.pack.datum[i] = (S.pack.datum[i] >> 8) & 0x80
    return 0


def flush_denormals(S: View, n: int) -> int:
    """FP16 without an exponent becomes 0."""
    for i in range(n):
        value = S.pack.datum[i]
        S.pack.datum[i] = value if value & 0x7C00 else 0
    return 0


def narrow(S: View, n: int) -> int:
    """FP32 becomes FP16. FP32_TO_FP16 is TF32 up to ReLU, and FP16 from there on."""
    for i in range(n):
        S.pack.datum[i] = fp32_to_fp16_late(S.pack.datum[i])
    S.pack.kind = E5
    return 0
