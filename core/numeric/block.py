# SPDX-License-Identifier: Apache-2.0
"""Block float: 16 datums share one exponent (FloatBitPatterns.md, "BFP").

A datum is a sign and a magnitude without an implicit 1, 7, 3 or 1 bits of it: BFP8, BFP4, BFP2 with
an exponent as that of BF16, BFP8a, BFP4a, BFP2a with one as that of FP16. The smaller ones are BFP8
with low bits missing, so shift a datum left by 4 or 6 first, or the result right. A negative zero
stands for minus infinity, so the functions here never make one.
"""

from tensix_gdb.core.numeric.rounding import against

# For eight bits: leading zeros of a magnitude of 7 bits, shifted left by one.
_ZEROS = tuple(8 - (2 * magnitude).bit_length() for magnitude in range(128))


def bfp8_to_bf16(datum: int, exponent: int) -> int:
    """BFP8 and its shared exponent to BF16."""
    magnitude = datum & 0x7F
    if magnitude == 0:
        return 0xFF80 if datum & 0x80 else 0
    zeros = _ZEROS[magnitude]
    mantissa = (magnitude << (1 + zeros)) & 0x7E
    return ((datum & 0x80) << 8) | (((exponent - zeros) & 0xFF) << 7) | mantissa


def bfp8a_to_fp16(datum: int, exponent: int) -> int:
    """BFP8a and its shared exponent to FP16; -1 where the page has no result.

    That is when the datum's own exponent does not fit in five bits.
    """
    magnitude = datum & 0x7F
    if magnitude == 0:
        return 0xFC00 if datum & 0x80 else 0
    zeros = _ZEROS[magnitude]
    own = (exponent - zeros) & 0xFF
    if own & 0xE0:
        return -1
    mantissa = (magnitude << (1 + zeros)) & 0x7E
    return ((datum & 0x80) << 8) | (own << 10) | (mantissa << 3)


def shared(sign: int, own: int, mantissa: int, exponent: int, threshold: int) -> int:
    """Return one datum of eight bits: its sign and magnitude under the exponent of its block.

    `mantissa` has 7 bits, `own` is the datum's exponent, `exponent` the largest of the 16;
    `threshold` as in rounding.py. A datum with exponent 0 has no implicit 1.

    UNSPECIFIED(Packers/FormatConversion.md): a magnitude that rounding carries out of its 7 bits
    is clamped to 127, as Tenstorrent's simulator and host library do it; and a datum is 0,
    whatever the threshold, if all its bits are dropped and all further ones.
    """
    shift = exponent - own
    if shift >= 8:
        return 0
    whole = mantissa | 0x80 if own else mantissa
    magnitude = min(against(whole, shift + 1, threshold), 0x7F)
    return (sign << 7) | magnitude if magnitude else 0


def shared_to_nearest(sign: int, own: int, mantissa: int, exponent: int) -> int:
    """`shared` with the threshold NEAREST, as a loop over lanes can have it."""
    drop = min(exponent - own, 8) & 15  # 8 leaves nothing
    whole = mantissa | (0x80 if own else 0)
    magnitude = min((whole + (1 << drop)) >> (drop + 1), 0x7F)
    return (sign << 7 | magnitude) if magnitude else 0


def bf16_to_bfp8(x: int, exponent: int, threshold: int) -> int:
    """BF16 to BFP8 under `exponent`, the largest of its block."""
    return shared((x >> 15) & 1, (x >> 7) & 0xFF, x & 0x7F, exponent, threshold)


def e5m7_to_bfp8a(x: int, exponent: int, threshold: int) -> int:
    """FP16 without its low three bits (they are ignored) to BFP8a under `exponent`."""
    return shared((x >> 15) & 1, (x >> 10) & 0x1F, (x >> 3) & 0x7F, exponent, threshold)


def narrower(datum: int, bits: int) -> int:
    """BFP8 to BFP4 or BFP2 (`bits` 4 or 2): low bits of the magnitude are cut off."""
    magnitude = (datum & 0x7F) >> (8 - bits)
    return ((datum & 0x80) >> (8 - bits)) | magnitude if magnitude else 0
