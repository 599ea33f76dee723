# SPDX-License-Identifier: Apache-2.0
"""The conversions of a pack: the early one from Dst, the late one to L1 (FormatConversion.md).

Pure functions of configuration fields; what they choose is done in passes.py. A format is
the 4-bit code of ALU_FORMAT_SPEC_REG2_Dstacc, In_data_format and Out_data_format.

Between the two conversions a datum is of one of five kinds, and kept in 32 bits:

    E8   exponent of 8 bits, as FP32 bits     I32  sign and magnitude of 32 bits
    E5   exponent of 5 bits, as FP16 bits     I16  16 bits     I8  8 bits

The page is Wormhole's. Blackhole's Tenstorrent headers (cpack_common.h) and simulator add two early
conversions to FP16 with Round_10b_mant, from FP32 and from BF16 in Dst, and Pac_LF8_4b_exp.
"""

from tensix_gdb.core.tensix.data_format import Format

E8, E5, I32, I16, I8 = range(5)

# Early conversions: what is read from Dst. Those below FROM_16 are of Dst32b.
(
    FP32_AS_IT_IS,
    FP32_TO_TF32,
    FP32_TO_BF16,
    FP32_TOP_BF16,
    FP32_TO_E8M6,
    FP32_TO_FP16,
    INT32_AS_IT_IS,
    INT32_HIGH,
    INT32_TO_INT8,
    INT32_LOW_INT8,
    INT32_TO_UINT8,
    INT32_LOW_UINT8,
) = range(12)
FROM_16 = 12
(
    BF16_TO_TF32,
    BF16_FLUSHED,
    BF16_AS_IT_IS,
    BF16_TO_E8M6,
    BF16_TO_FP32,
    BF16_TO_FP16,
    FP16_FLUSHED,
    FP16_AS_IT_IS,
    FP16_TOP_E5M7,
    FP16_TO_E5M6,
    FP16_TOP_FP8,
    INT16_AS_IT_IS,
    SIGN_TO_INT8,
) = range(FROM_16, 25)

KIND = (
    *(E8, E8, E8, E8, E8, E8, I32, I16, I8, I8, I8, I8),
    *(E8, E8, E8, E8, E8, E5, E5, E5, E5, E5, E5, I16, I8),
)

# Late conversions, as far as each datum goes alone.
(
    COPY,
    E8_BF16,
    E8_BF16_FLUSHED,
    E8_FP16,
    E8_E5M2,
    E8_E4M3,
    E5_FP32,
    E5_BF16,
    E5_BF16_FLUSHED,
    E5_FLUSHED,
    E5_E5M2,
    E5_E5M2_FLUSHED,
    E5_E4M3,
) = range(13)

READ_32B, READ_UNSIGNED, READ_RAW, ROUND_10B = 1, 2, 4, 8  # of PCK_DEST_RD_CTRL

BITS = (32, 16, 8, 4, 32, 16, 8, 4, 32, 16, 8, 2, 0, 0, 8, 2)  # of a datum in L1; 0: no format
HAS_EXPONENTS = (0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1)  # block float
BYTES_IN = (4, 2, 1, 1)  # of a datum in address arithmetic, by the low bits of In_data_format


def early_32(wanted: int, control: int) -> int:
    """Return the conversion from Dst32b to intermediate format `wanted`; -1 if the page has
    none."""
    raw = control & READ_RAW
    rounded = control & ROUND_10B
    match wanted:
        case Format.FP32:
            return FP32_TO_TF32 if rounded and not raw else FP32_AS_IT_IS
        case Format.TF32:
            return FP32_AS_IT_IS if raw else FP32_TO_TF32
        case Format.BF16:
            if raw:
                return FP32_TOP_BF16
            return FP32_TO_TF32 if rounded else FP32_TO_BF16
        case Format.BFP8:
            return FP32_TOP_BF16 if raw else FP32_TO_E8M6
        case Format.INT32:
            return INT32_AS_IT_IS
        case Format.INT8:
            if control & READ_UNSIGNED:
                return INT32_LOW_UINT8 if raw else INT32_TO_UINT8
            return INT32_LOW_INT8 if raw else INT32_TO_INT8
        case Format.FP16:
            # Blackhole only: LLK's packing of Float16 while Dst holds FP32.
            return FP32_TO_FP16 if rounded and not raw else -1
        case Format.INT16:
            # The page has no conversion; Tenstorrent's simulator takes the high halves, and LLK
            # packs UInt16 so while Dst holds 32 bits.
            return INT32_HIGH
        case _:
            return -1


def early_16(wanted: int, control: int) -> int:
    """Return the conversion from Dst16b to intermediate format `wanted`; -1 if the page has
    none."""
    raw = control & READ_RAW
    rounded = control & ROUND_10B
    match wanted:
        case Format.FP32:
            if raw:
                return -1
            return BF16_TO_TF32 if rounded else BF16_TO_FP32
        case Format.TF32:
            return -1 if raw else BF16_TO_TF32
        case Format.BF16:
            if raw:
                return BF16_AS_IT_IS
            return BF16_TO_TF32 if rounded else BF16_FLUSHED
        case Format.BFP8:
            return BF16_AS_IT_IS if raw else BF16_TO_E8M6
        case Format.FP16:
            if rounded:
                # Blackhole only: on the way to FP8 (e4m3) in L1.
                return -1 if raw else BF16_TO_FP16
            return FP16_AS_IT_IS if raw else FP16_FLUSHED
        case Format.BFP8A:
            return FP16_TOP_E5M7 if raw else FP16_TO_E5M6
        case Format.FP8:
            return FP16_TOP_FP8 if raw else -1
        case Format.INT16:
            return INT16_AS_IT_IS
        case Format.INT8:
            return SIGN_TO_INT8 if raw and not control & READ_UNSIGNED else -1
        case _:
            return -1


def early(wanted: int, control: int) -> int:
    """Return the early conversion for an intermediate format and PCK_DEST_RD_CTRL; -1 if there is
    none."""
    return early_32(wanted, control) if control & READ_32B else early_16(wanted, control)


def names_it(conversion: int, wanted: int, given: int) -> int:
    """True if In_data_format `given` names what the early conversion to `wanted` leaves.

    FormatConversion.md has them differ in two cases: FP32 and INT32 are the same bits, and TF32 may
    be asked for as BF16 with Round_10b_mant.
    """
    if conversion == FP32_AS_IT_IS or conversion == INT32_AS_IT_IS:
        return 1 if given == Format.FP32 or given == Format.INT32 or given == wanted else 0
    if conversion == FP32_TO_TF32 or conversion == BF16_TO_TF32:
        return 1 if given == Format.TF32 or given == wanted else 0
    return 1 if given == wanted else 0


def late_e8(given: int, wanted: int, four_bits: int) -> int:
    """Convert from a datum with 8 bits of exponent."""
    # Where the mantissa gets narrower, denormals become 0.
    wide = given == Format.FP32 or given == Format.TF32
    match wanted:
        case Format.FP32:
            return COPY
        case Format.TF32:
            return -1 if given == Format.FP32 else COPY
        case Format.BF16 | Format.BFP8 | Format.BFP4 | Format.BFP2:
            return E8_BF16_FLUSHED if wide else E8_BF16
        case Format.FP16 | Format.BFP8A | Format.BFP4A | Format.BFP2A:
            return E8_FP16
        case Format.FP8:
            return E8_E4M3 if four_bits else E8_E5M2
        case _:
            return -1


def late_e5(given: int, wanted: int, four_bits: int) -> int:
    """Convert from a datum with 5 bits of exponent."""
    match wanted:
        case Format.FP32 | Format.TF32:
            return E5_FP32
        case Format.BF16 | Format.BFP8 | Format.BFP4 | Format.BFP2:
            return E5_BF16_FLUSHED if given == Format.FP16 else E5_BF16
        case Format.FP16:
            return COPY
        case Format.BFP8A | Format.BFP4A | Format.BFP2A:
            return E5_FLUSHED if given == Format.FP16 else COPY
        case Format.FP8:
            if four_bits:
                return E5_E4M3
            return E5_E5M2 if given == Format.FP8 else E5_E5M2_FLUSHED
        case _:
            return -1


def late(given: int, wanted: int, four_bits: int) -> int:
    """Return the late conversion from In_data_format to Out_data_format; -1 if the page has none.

    `four_bits`: Pac_LF8_4b_exp, FP8 is e4m3. What block float has in addition is in output.py;
    here it is BF16, or FP16 of which three bits will not matter.
    """
    match given:
        case Format.FP32 | Format.TF32 | Format.BF16 | Format.BFP8:
            return late_e8(given, wanted, four_bits)
        case Format.FP16 | Format.BFP8A | Format.FP8:
            return late_e5(given, wanted, four_bits)
        case Format.INT32 | Format.INT16 | Format.INT8:
            return COPY if given == wanted else -1
        case _:
            return -1
