# SPDX-License-Identifier: Apache-2.0
"""Where SFPLOAD, SFPSTORE and SFPLOADMACRO find their 32 datums in Dst, and in which format.

Lane i is in row `i // 8` of an aligned group of four, in an even or odd column; two columns of a
row are one pair, a 32-bit word of the record, and `a` says by how much a lane's datum is shifted
there.
"""

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.regfiles.dst import COLUMNS as DST_COLUMNS
from tensix_gdb.core.tensix.regfiles.dst import ROWS as DST_ROWS
from tensix_gdb.core.tensix.regfiles.dst import row16, row32
from tensix_gdb.core.tensix.vector.state import COLUMNS, LANES, lanes_with

_FIELDS = config_fields(Arch.BLACKHOLE)
MATH_OFFSET = _FIELDS["DEST_TARGET_REG_CFG_MATH_Offset"].word
REGW_BASE = _FIELDS["DEST_REGW_BASE_Base"].word
# Wormhole has no stack in Dst: both are 0 there, and its pointer stays 0.
STACK_INCR, STACK_INCR_MASK = _FIELDS["SFPU_STACK_Incr"].word, _FIELDS["SFPU_STACK_Incr"].mask
SP_BASE, SP_BASE_MASK = _FIELDS["DEST_SP_BASE_Base"].word, _FIELDS["DEST_SP_BASE_Base"].mask
ALU = _FIELDS["ALU_ACC_CTRL_SFPU_Fp32_enabled"].word
FP32_ENABLED = 1 << _FIELDS["ALU_ACC_CTRL_SFPU_Fp32_enabled"].low
SRC_B_SHIFT = _FIELDS["ALU_FORMAT_SPEC_REG1_SrcB"].low
OVERRIDE_WORD = _FIELDS["ALU_FORMAT_SPEC_REG_SrcB_override"].word
OVERRIDE = 1 << _FIELDS["ALU_FORMAT_SPEC_REG_SrcB_override"].low
OVERRIDE_SHIFT = _FIELDS["ALU_FORMAT_SPEC_REG_SrcB_val"].low
# Of a thread. Wormhole has no such word, which is 0 there.
DEST_FMT = _FIELDS["SFPU_DEST_FMT_Enable"].word
DEST_FMT_ENABLE = _FIELDS["SFPU_DEST_FMT_Enable"].mask
DEST_FMT_SHIFT = _FIELDS["SFPU_DEST_FMT_Base"].low

SRCB, FP16, BF16, FP32, INT32, INT8, UINT16, HI16 = range(8)
INT16, LO16, INT32_ALL, ZERO, INT32_SM, INT8_COMP, LO16_ONLY, HI16_ONLY = range(8, 16)
# What Wormhole has in their places: two's complement in the LReg, and INT8 of 7 bits.
INT32_TWOS, INT8_TWOS, INT8_OF_7 = range(16, 19)
# By mode, then chip. Wormhole's FP32 keeps denormals, so it is INT32.
FORMS = tuple(
    form
    for mode in range(16)
    for form in (
        mode,
        {FP32: INT32, INT32_SM: INT32_TWOS, INT8_COMP: INT8_TWOS, INT8: INT8_OF_7}.get(mode, mode),
    )
)
# The formats of SrcB with exponents of eight bits, and integers: FP32, TF32, BF16, BFP8, BFP4,
# INT32, INT16, BFP2, by their numbers.
WIDE_EXPONENT = 1 << 0 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 15
WIDE = 1 << FP32 | 1 << INT32 | 1 << INT32_ALL | 1 << INT32_SM | 1 << INT32_TWOS
SP_MASK = 0x3FF
PAIRS = DST_COLUMNS // 2
assert PAIRS == COLUMNS
# Of a mask of eight: bit j at 2 * j.
EVEN = tuple(sum((mask >> j & 1) << 2 * j for j in range(COLUMNS)) for mask in range(256))


def resolve(S: View, thread: int, mod0: int) -> int:
    """Return the format that a mode means on this chip: one of those above, but SRCB."""
    return FORMS[2 * resolve_src_b(S, thread, mod0) + S.tile.chip]


def resolve_src_b(S: View, thread: int, mod0: int) -> int:
    """Return the format that MOD0_FMT_SRCB stands for.

    SFPU_DEST_FMT of the thread counts before what is configured of SrcB (SFPLOAD.md and
    SFPSTORE.md of Blackhole, commit 0f3f6b7), and nothing does while the Vector Unit has FP32.
    """
    if mod0 != SRCB:
        return mod0
    bank = bank_of(S, thread)
    word = S.config.word[bank, ALU]
    if word & FP32_ENABLED:
        return FP32
    src_b = (word >> SRC_B_SHIFT) & 15
    override = S.config.word[bank, OVERRIDE_WORD]
    if override & OVERRIDE:
        src_b = (override >> OVERRIDE_SHIFT) & 15
    dest = S.config.thread[thread, DEST_FMT]
    if dest & DEST_FMT_ENABLE:
        src_b = (dest >> DEST_FMT_SHIFT) & 15
    return BF16 if (WIDE_EXPONENT >> src_b) & 1 else FP16


def address(S: View, thread: int, imm10: int, mod0: int) -> int:
    """Addr of SFPLOAD.md and SFPSTORE.md, without what either does to Sp."""
    bank = bank_of(S, thread)
    dst = S.rwc.dst[thread] + S.config.word[bank, REGW_BASE]
    sp = S.vector.sp[thread] + (S.config.word[bank, SP_BASE] & SP_BASE_MASK)
    at = imm10 + S.config.thread[thread, MATH_OFFSET]
    at += sp + (dst & 3) if mod0 == INT32_ALL else dst + (sp & 3)
    return at & 0x3FF


def first_of_four(S: View, thread: int, at: int, wide: int) -> int:
    """Return where the aligned group of four rows at `at` begins in DstBits, with datums of 32 or
    16 bits.

    The group is together there: no setting of Dst.md touches the two low bits of a row.
    """
    first = at & (DST_ROWS - 4)
    return (row32(S, thread, first) if wide else row16(S, thread, first)) & (DST_ROWS - 4)


def stack_step(S: View, thread: int) -> int:
    """SFPU_STACK_Incr."""
    return S.config.thread[thread, STACK_INCR] & STACK_INCR_MASK


def pop(S: View, thread: int) -> int:
    """SFPLOAD of INT32_ALL, before it finds its address."""
    if S.vector.sp[thread]:
        down = S.vector.sp[thread] - stack_step(S, thread)
        S.vector.sp[thread] = down & SP_MASK
    return 0


def push(S: View, thread: int) -> int:
    """SFPSTORE of INT32_ALL, when it has found its address."""
    up = S.vector.sp[thread] + stack_step(S, thread)
    S.vector.sp[thread] = up & SP_MASK
    return 0


def fill_shifts(S: View, odd: int, config: int, EXCHANGE: int) -> int:
    """a = 16 in the lanes with a datum in the upper half of its pair, else 0.

    `config`, here and below: `any_config`.
    """
    if (config >> EXCHANGE) & 1 == 0:
        for lane in lanes(LANES):
            S.vector.a[lane] = (odd & 1) << 4
        return 0
    for i in range(4):
        for j in lanes(COLUMNS):
            other = (S.vector.config[j] >> EXCHANGE) & 1
            S.vector.a[i * COLUMNS + j] = (odd | other) << 4
    return 0


def undefined_columns(S: View, first: int) -> int:
    """Return the columns of a group of four rows of DstBits, a bit each, in which a row has no
    value."""
    first = first & (DST_ROWS - 4)
    left = S.dst.undefined[first] | S.dst.undefined[first + 1]
    return left | S.dst.undefined[first + 2] | S.dst.undefined[first + 3]


def odd_lanes(S: View, odd: int, config: int, EXCHANGE: int) -> int:
    """Return the columns of lanes, a bit each, with the odd one of each two columns of Dst."""
    if odd:
        return 0xFF
    return lanes_with(S, EXCHANGE) & 0xFF if (config >> EXCHANGE) & 1 else 0


def columns_of(where: int, i: int, odd: int) -> int:
    """Return the columns of Dst, a bit each, of the lanes `where` of row `i` of the group; `odd` as
    `odd_lanes` has it."""
    columns = (where >> (COLUMNS * i)) & 0xFF
    return EVEN[columns & ~odd] | EVEN[columns & odd] << 1
