# SPDX-License-Identifier: Apache-2.0
"""The layouts of numbers in Dst and SrcA/SrcB: the mantissa above the exponent (Dst.md,
SrcASrcB.md).

    dst16  BF16   sign  man(7)          exp(8)      src  TF32   sign  man(10)          exp(8)
           FP16   sign  man(10)         exp(5)           BF16   sign  man(7)  000      exp(8)
           INT8   sign  mag(10)   16 or 0 (5)            FP16   sign  man(10)  000     exp(5)
    dst32  FP32   sign  man hi(7)  exp(8)  man lo(16)    INT8   sign  mag(10)  000  16 or 0 (5)
                                                         INT16  sign  mag hi(7) 000 mag lo(8)

An integer of 32 bits is kept in Dst as if it were FP32, one of 8 bits as if it were FP16 with the
exponent 16; one of 16 bits is kept in Dst as it is.
"""

INT8_EXPONENT = 16


# -- Dst, 16 bits
def bf16_to_dst16(x: int) -> int:
    """BF16 into a 16-bit datum of Dst."""
    return (x & 0x8000) | ((x & 0x7F) << 8) | ((x >> 7) & 0xFF)


def dst16_to_bf16(x: int) -> int:
    """Return a 16-bit datum of Dst as BF16."""
    return (x & 0x8000) | ((x & 0xFF) << 7) | ((x >> 8) & 0x7F)


def fp16_to_dst16(x: int) -> int:
    """FP16 into a 16-bit datum of Dst."""
    return (x & 0x8000) | ((x & 0x3FF) << 5) | ((x >> 10) & 0x1F)


def dst16_to_fp16(x: int) -> int:
    """Return a 16-bit datum of Dst as FP16."""
    return (x & 0x8000) | ((x & 0x1F) << 10) | ((x >> 5) & 0x3FF)


def int8_to_dst16(sign: int, magnitude: int, exponent: int) -> int:
    """Integer "8": sign (0 or 1), magnitude of up to 10 bits; `exponent` is 16 or 0."""
    return (sign << 15) | (magnitude << 5) | exponent


# -- Dst, 32 bits
def fp32_to_dst32(x: int) -> int:
    """FP32, or an integer of 32 bits, into a 32-bit datum of Dst."""
    return (x & 0x8000FFFF) | ((x & 0x007F0000) << 8) | ((x & 0x7F800000) >> 7)


def dst32_to_fp32(x: int) -> int:
    """Return a 32-bit datum of Dst as FP32, or as an integer."""
    return (x & 0x8000FFFF) | ((x & 0x00FF0000) << 7) | ((x & 0x7F000000) >> 8)


# -- SrcA, SrcB
def tf32_to_src(x: int) -> int:
    """TF32 (19 bits) into a datum of SrcA or SrcB."""
    return (x & 0x40000) | ((x & 0x3FF) << 8) | ((x >> 10) & 0xFF)


def src_to_tf32(x: int) -> int:
    """Return a datum of SrcA or SrcB as TF32 (19 bits)."""
    return (x & 0x40000) | ((x & 0xFF) << 10) | ((x >> 8) & 0x3FF)


def bf16_to_src(x: int) -> int:
    """BF16 into a datum of SrcA or SrcB."""
    return ((x & 0x8000) << 3) | ((x & 0x7F) << 11) | ((x >> 7) & 0xFF)


def src_to_bf16(x: int) -> int:
    """Return a datum of SrcA or SrcB as BF16; the low three bits of a TF32 mantissa are dropped."""
    return ((x >> 3) & 0x8000) | ((x & 0xFF) << 7) | ((x >> 11) & 0x7F)


def fp16_to_src(x: int) -> int:
    """FP16 into a datum of SrcA or SrcB."""
    return ((x & 0x8000) << 3) | ((x & 0x3FF) << 8) | ((x >> 10) & 0x1F)


def src_to_fp16(x: int) -> int:
    """Return a datum of SrcA or SrcB as FP16; the high three bits of the exponent are dropped."""
    return ((x >> 3) & 0x8000) | ((x & 0x1F) << 10) | ((x >> 8) & 0x3FF)


def int16_to_src(x: int) -> int:
    """16 bits, whatever they mean, into a datum of SrcA or SrcB."""
    return ((x & 0xFF00) << 3) | (x & 0xFF)


def src_to_int16(x: int) -> int:
    """Return the 16 bits that int16_to_src put into a datum."""
    return ((x >> 3) & 0xFF00) | (x & 0xFF)


# -- between Dst and SrcA/SrcB, as MOVD2A, MOVD2B, MOVA2D and MOVB2D do it
def dst16_bf16_to_src(x: int) -> int:
    """BF16 of Dst (or the high half of FP32 of Dst) as BF16 of Src."""
    return ((x & 0xFF00) << 3) | (x & 0xFF)


def dst16_fp16_to_src(x: int) -> int:
    """FP16 of Dst as FP16 of Src."""
    return ((x & 0xFFE0) << 3) | (x & 0x1F)


def dst32_to_src_tf32(x: int) -> int:
    """FP32 of Dst as TF32 of Src; the low 13 bits of the mantissa are dropped."""
    return ((x >> 13) & 0x7F800) | ((x >> 5) & 0x700) | ((x >> 16) & 0xFF)


def src_to_dst16_bf16(x: int) -> int:
    """Src as BF16 of Dst: without the low three bits of the mantissa."""
    return ((x >> 3) & 0xFF00) | (x & 0xFF)


def src_to_dst16_fp16(x: int) -> int:
    """Src as FP16 of Dst: without the high three bits of the exponent."""
    return ((x >> 3) & 0xFFE0) | (x & 0x1F)


def src_tf32_to_dst32(x: int) -> int:
    """TF32 of Src as FP32 of Dst; the rest of the mantissa is 0."""
    return (src_to_dst16_bf16(x) << 16) | (((x >> 8) & 7) << 13)
