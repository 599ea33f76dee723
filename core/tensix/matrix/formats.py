# SPDX-License-Identifier: Apache-2.0
"""The formats of an instruction's operands in the Matrix Unit, and the rows of Dst that it means.

The pages are Wormhole's: the format of SrcA comes from ALU_FORMAT_SPEC_REG0_SrcA, or the override,
and rules SrcB too. On Blackhole a bank has a format of its own, which the unpacker left with it,
and that is what counts unless the thread's DISABLE_IMPLIED_SRCA_FMT (_SRCB_FMT) is set. This is in
Tenstorrent's headers (cfg_defines.h, LLK sets the bit around moves of 32-bit data) and simulator.

On Wormhole that bit is always set (core/devices/wormhole/config_places.py); what else differs
between the chips in the unit is in by_chip.py.

UNSPECIFIED(MVMUL.md): which wins, the override or the format of the bank; the bank, because LLK
clears the override so that "implied" formats are used. SrcB of another family (5 bits of exponent)
than SrcA: both as SrcA's, as the page has it. Formats 12 and 13, which have no name: a fault.
"""

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.regfiles.src import SRC_A, SRC_B

BF16, TF32, FP16, INT8, UNKNOWN = 0, 1, 2, 3, 4
FORMAT_FP16 = 1
# By data format: 0 FP32, 1 FP16, 2 BFP8a, 3 BFP4a, 4 TF32, 5 BF16, 6 BFP8, 7 BFP4,
# 8 INT32, 9 INT16, 10 FP8, 11 BFP2a, 12 -, 13 -, 14 INT8, 15 BFP2.
STYLE = (
    *(BF16, FP16, FP16, FP16, TF32, BF16, BF16, BF16),
    *(BF16, BF16, FP16, FP16, UNKNOWN, UNKNOWN, FP16, BF16),
)
# What of a datum of SrcA or SrcB a style reads: BF16 without the low three bits of the mantissa,
# FP16 without the high three bits of the exponent.
KEEP = (0x7F8FF, 0x7FFFF, 0x7FF1F, 0x7FFFF)

_F = config_fields(Arch.BLACKHOLE)
OVERRIDE_WORD = _F["ALU_FORMAT_SPEC_REG_SrcA_override"].word
OVERRIDE_BIT = _F["ALU_FORMAT_SPEC_REG_SrcA_override"].low
FORMAT_WORD = _F["ALU_FORMAT_SPEC_REG0_SrcA"].word
FORMAT_LOWS = (_F["ALU_FORMAT_SPEC_REG0_SrcA"].low, _F["ALU_FORMAT_SPEC_REG1_SrcB"].low)
FP32_BIT = _F["ALU_ACC_CTRL_Fp32_enabled"].low
INT8_BIT = _F["ALU_ACC_CTRL_INT8_math_enabled"].low
STOCHASTIC_BIT = _F["ALU_ROUNDING_MODE_Fpu_srnd_en"].low
ZERO_FLAG_WORD = _F["ALU_ACC_CTRL_Zero_Flag_disabled_src"].word
KEEP_SRC, KEEP_DST = 1, 2  # Zero_Flag_disabled_src, _dst
IMPLIED_WORDS = tuple(_F[f"DISABLE_IMPLIED_SRC{x}_FMT_Base"].word for x in "AB")
FORCE_WORD = _F["FP16A_FORCE_Enable"].word
OFFSET_WORD = _F["DEST_TARGET_REG_CFG_MATH_Offset"].word
BASE_WORD = _F["DEST_REGW_BASE_Base"].word
ONE_BANK_WORD = _F["SRC_ACCESS_CFG_math_view_srca_as_one_bank"].word
ONE_BANK = 3  # math_view_srca_as_one_bank, math_view_srcb_as_one_bank
PHASE_WORD = _F["FIDELITY_BASE_Phase"].word


def config(S: View, thread: int, index: int) -> int:
    """Return a word of the bank of Config that the thread uses."""
    return S.config.word[bank_of(S, thread), index]


def configured_format(S: View, thread: int, source: int) -> int:
    """ALU_FORMAT_SPEC: what the configuration says about SrcA (0) or SrcB (1)."""
    if source == SRC_A:
        override = config(S, thread, OVERRIDE_WORD)
        if (override >> OVERRIDE_BIT) & 1:
            return override & 15
    return (config(S, thread, FORMAT_WORD) >> FORMAT_LOWS[source]) & 15


def format_of(S: View, thread: int, source: int) -> int:
    """Return the data format of the Matrix Unit's bank of SrcA (0) or SrcB (1)."""
    if S.config.thread[thread, IMPLIED_WORDS[source]] & 1:
        return configured_format(S, thread, source)
    return S.src.format[source, S.busy.matrix_bank[source]]


def moved_format(S: View, thread: int, source: int) -> int:
    """Return the format that the pages call SrcAFmt, for a move from or to SrcA (0) or SrcB (1).

    The pages insist that SrcB's is configured as SrcA's format; the bank is that of the move.
    UNSPECIFIED(MOVD2B.md): which bit makes the configured format count for a move from or to SrcB.
    The newest page has DISABLE_IMPLIED_SRCB_FMT and calls the behaviour not fully characterized;
    Tenstorrent's simulator has DISABLE_IMPLIED_SRCA_FMT. LLK sets that one alone around such moves
    (llk_math_eltwise_unary_datacopy.h, llk_math_transpose_dest.h) and works on cards, so it counts.
    """
    if S.config.thread[thread, FORCE_WORD] & 1:
        return FORMAT_FP16
    if S.config.thread[thread, IMPLIED_WORDS[SRC_A]] & 1:
        return configured_format(S, thread, SRC_A)
    return S.src.format[source, S.busy.matrix_bank[source]]


def is_int8(S: View, thread: int) -> int:
    """True if integer arithmetic is enabled."""
    return (config(S, thread, FORMAT_WORD) >> INT8_BIT) & 1


def style_of_a(S: View, thread: int) -> int:
    """SrcAStyle of the arithmetic instructions."""
    if S.config.thread[thread, FORCE_WORD] & 1:
        return FP16
    if is_int8(S, thread):
        return INT8
    return STYLE[format_of(S, thread, SRC_A)]


def style_of_b(S: View, thread: int, style: int) -> int:
    """The same for SrcB, when SrcA has `style`."""
    if style == FP16 or style == INT8:
        return style
    other = STYLE[format_of(S, thread, SRC_B)]
    return other if other == BF16 or other == TF32 else style


def wide_dst(S: View, thread: int) -> int:
    """UseDst32b of the arithmetic instructions."""
    if S.config.thread[thread, FORCE_WORD] & 1:
        return 0
    return (config(S, thread, FORMAT_WORD) >> FP32_BIT) & 1 | is_int8(S, thread)


def keeps_denormals(S: View, thread: int) -> int:
    """Zero_Flag_disabled_src: a datum of which the exponent is 0 stays what it is."""
    return config(S, thread, ZERO_FLAG_WORD) & KEEP_SRC


def fidelity_phase(S: View, thread: int) -> int:
    """Return which bits of the mantissas are multiplied."""
    return (S.rwc.fidelity[thread] + S.config.thread[thread, PHASE_WORD]) & 3


def dst_row_of(S: View, thread: int, dst_row: int) -> int:
    """Return the row of Dst that an instruction means, before it is aligned."""
    row = dst_row + S.config.thread[thread, OFFSET_WORD] + S.rwc.dst[thread]
    return (row + config(S, thread, BASE_WORD)) & 0x3FF


def sees_one_bank(S: View) -> int:
    """True if SRC_ACCESS_CFG makes both banks of a source one."""
    return S.config.word[0, ONE_BANK_WORD] & ONE_BANK


def refuse(S: View, thread: int, style: int) -> int:
    """STOPPED, if no page says what the configuration does to an arithmetic instruction.

    UNSPECIFIED(MatrixUnit.md): stochastic rounding of the Matrix Unit (which random numbers, which
    of its roundings; Tenstorrent's RTL team has not verified it with FP32, tt-metal#6094), data
    formats without a name, and sources seen as one bank of 128 rows. Of the last, LLK's
    hal/cfg/global.h has a comment and no page has anything: instructions wait for valid rows by
    themselves and may start while only half of them are filled, and those that give the source away
    give both banks. It does not say which bank holds rows 0 to 63, nor what the rows of unpackers,
    counters and moves are then; no kernel sets it. Both readings (as the comment, or as two banks)
    would be guesses, so it stops.
    """
    if style == UNKNOWN or sees_one_bank(S):
        return fault_at_gate(S, thread, Fault.TENSIX_MATRIX_MODE)
    if style != INT8 and (config(S, thread, FORMAT_WORD) >> STOCHASTIC_BIT) & 1:
        return fault_at_gate(S, thread, Fault.TENSIX_MATRIX_MODE)
    return 0
