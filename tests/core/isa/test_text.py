# SPDX-License-Identifier: Apache-2.0
"""Tensix words as text, both ways, on both architectures and in both dialects."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensix_gdb.core.assembly.tensix_read import TextError, parse
from tensix_gdb.core.assembly.tensix_text import show, undefined
from tensix_gdb.core.isa.architecture import Arch, Dialect
from tensix_gdb.core.isa.by_construct import build
from tensix_gdb.core.isa.by_construct import parse as parse_schema
from tensix_gdb.core.tensix.instruction import Instruction
from tensix_gdb.core.tensix.table import rows_of

BH, WH = Dialect(Arch.BLACKHOLE), Dialect(Arch.WORMHOLE)
BH_LLK = Dialect(Arch.BLACKHOLE, llk=True)


def word_of(row: Instruction, data: st.DataObject) -> int:
    """A word of this row with any fields."""
    bits = data.draw(st.integers(0, 0xFFFFFF))
    word = row.encoding.match | bits & ~row.encoding.mask & ~row.encoding.unused
    return word if row.encoding.matches(word) else row.encoding.match


@pytest.mark.parametrize("dialect", [BH, WH], ids=str)
def test_every_row_at_its_ends(dialect: Dialect) -> None:
    """All fields 0, all fields at their largest, and each field alone at its largest."""
    for row in rows_of(dialect.arch):
        masks = [field.word_mask for field in row.encoding.fields.values()]
        for bits in (0, sum(masks), *masks):
            word = row.encoding.match | bits
            if row.encoding.matches(word):
                assert parse(show(word, dialect), dialect) == word, row.name


@pytest.mark.parametrize("dialect", [BH, WH], ids=str)
@given(word=st.integers(0, 0xFFFFFFFF))
def test_any_word_at_all(dialect: Dialect, word: int) -> None:
    text = show(word, dialect)
    assert parse(text, dialect) == word
    assert text.startswith(".word") == bool(undefined(word, dialect.arch))


@given(data=st.data())
def test_rows_agree_with_construct(data: st.DataObject) -> None:
    row = data.draw(st.sampled_from(rows_of(Arch.BLACKHOLE) + rows_of(Arch.WORMHOLE)))
    word = word_of(row, data)
    fields = row.encoding.decode(word)
    assert parse_schema(row.encoding, word) == fields
    assert build(row.encoding, fields) == word == row.encoding.encode(**fields)


# fmt: off
SPELLINGS = [
    # The same wait in every spelling.
    (BH, "STALLWAIT block=B3|B7, wait=C10",                         0xA2440400),
    (BH, "stallwait BlockMask=B7|B3, ConditionMask=C10",            0xA2440400),
    (BH, "STALLWAIT block_mask=STALL_UNPACK|STALL_CFG, condition_mask=TRISC_CFG", 0xA2440400),
    (BH, "STALLWAIT stall_res=0x88, wait_res=1<<10",                0xA2440400),
    (BH, "TTI_STALLWAIT(p_stall::STALL_UNPACK | p_stall::STALL_CFG, p_stall::TRISC_CFG);",
                                                                    0xA2440400),
    (BH, "STALLWAIT B3|B7, C10",                                    0xA2440400),
    (BH, "REG2FLOP.ADC 1, 3, 0, 0, 0, G3",                          0x48700003),
    (BH, "TT_OP_STALLWAIT(0x88u, 1024)",                            0xA2440400),
    (WH, "STALLWAIT block=B3|B7, wait=C13",                         0xA2442000),
    (WH, "TTI_STALLWAIT(p_stall::STALL_UNPACK | p_stall::STALL_CFG, p_stall::TRISC_CFG)",
                                                                    0xA2442000),
    (BH, "STALLWAIT block=ALL, wait=C1|C2",                         0xA2FF8006),
    (BH, "TTI_STALLWAIT(p_stall::STALL_THREAD, p_stall::UNPACK)",   0xA2FF8006),
    (WH, "TTI_STALLWAIT(p_stall::STALL_MATH, p_stall::PACK)",       0xA2200078),
    (BH, "STALLWAIT",                                               0xA2000000),
    (BH, "SEMWAIT block=B6, sem=S1|S7, wait=C0",                    0xA6200209),
    (BH, "TTI_SEMWAIT(p_stall::STALL_MATH, p_stall::SEMAPHORE_1, p_stall::STALL_ON_MAX)",
                                                                    0xA620000A),
    (BH, "STREAMWAIT block=B3, condition_index=C1, target_value_lo=5, stream_select=2", 0xA704005A),
    (BH, "SEMINIT new_max=1, new_value=0, sem=S3",                  0xA3100020),
    (BH, "FLUSHDMA wait=C0|C3",                                     0x46000009),
    (BH, "FLUSHDMA wait=THCON|PACK0",                               0x46000009),
    (BH, "RESOURCEDECL op_class=13, resources=RD_GPR|WR_GPR, linger_time=1", 0x0500260D),
    (BH, "MOP template=MASK_LOOP, count1=3, mask_lo=0xff",          0x010300FF),
    (BH, "TTI_MOP(p_mop::DOUBLE_LOOP, 0, 0)",                       0x01800000),
    (BH, "MVMUL addr_mod=ADDR_MOD_5, dst_row=8",                    0x26014008),
    (WH, "MVMUL addr_mod=ADDR_MOD_3, dst_row=8",                    0x26018008),
    (BH, "SFPLOAD vd=L1, mod0=FP32, addr_mod=ADDR_MOD_7, imm10=4",  0x7013E004),
    (BH, "SFPMAD va=L0, vb=L1, vc=L9, vd=L3, mod1=NEGATE_VB|NEGATE_VC", 0x84001933),
    (BH, "SFPMAD va=0, vb=1, vc=9, vd=3, mod1=SFPMAD_MOD1_NEGATE_VB|2", 0x84001933),
    (BH, "SFPIADD imm12=-1, vc=LREG1, vd=L2, mod1=ARG_IMM|CC_NONE", 0x79FFF125),
    (BH, "TTI_SFPIADD(0xfff, p_sfpu::LREG1, p_sfpu::LREG2, 5)",     0x79FFF125),
    (BH, "SFPIADD vc=L1, vd=L2, mod1=ARG_LREG_DST | SFPIADD_MOD1_CC_GTE0", 0x79000128),
    (BH, "SHIFTXA direction=DIRECTION_LEFT",                        0x17000003),
    (BH, "SFPSHFT2 vd=L1, imm12=-3",                                0x94FFD016),
    (BH, "WRCFG input_reg=G4, cfg_index=THCON_SEC0_REG3_Base_address", 0xB004004C),
    (BH, "TTI_WRCFG(4, p_cfg::WRCFG_32b, THCON_SEC0_REG3_Base_address_ADDR32)", 0xB004004C),
    (WH, "WRCFG input_reg=G4, cfg_index=THCON_SEC0_REG3_Base_address", 0xB0040040),
    (BH, "SETC16 cfg_index=CFG_STATE_ID_StateID, new_value=1",      0xB2000001),
    (BH, "RMWCIB2 index4=ALU_ACC_CTRL_Zero_Flag_disabled_src, mask=0xc0, new_value=0x40",
                                                                    0xB5C04002),
    (BH, "SETDMAREG new_value=0x1234, result_half_reg=G5_hi",       0x4512340B),
    (BH, "ADDDMAREG result_reg=G1, left_reg=G2, right_reg=G3",      0x580010C2),
    (BH, "ADDDMAREG result_reg=G1, left_reg=G2, right_imm6=3",      0x588010C2),
    (BH, "TTI_SETRWC(p_setrwc::CLR_AB, p_setrwc::CR_D, 8, 0, 0, p_setrwc::SET_AB)", 0x37D20003),
    (BH, "SFPSTOCHRND rounding_mode=STOCH, vb=L1, vc=L1, vd=L0, mod1=FP32_TO_FP16B", 0x8E201101),
    (BH, ".word 0xdead << 16",                                      0xDEAD0000),
]

REFUSED = [
    (BH, "STALWAIT block=B3",               "no Blackhole instruction; is it STALLWAIT"),
    (WH, "STREAMWAIT block=B3",             "no Wormhole instruction"),
    (WH, "STALLWAIT wait=CFGEXU",           "'CFGEXU' is no known name"),
    (BH, "SETC16 CFG_STATE_ID, 1",          "no known name; is it CFG_STATE_ID_StateID"),
    (BH, "STALLWAIT bock=B3",               "has no operand 'bock'; it has block, wait"),
    (BH, "STALLWAIT block=B9",              "'B9' is no known name"),
    (BH, "STALLWAIT block=0x200",           r"block_mask=512 is outside 0\.\.511"),
    (BH, "STALLWAIT block=B3, stall_res=1", "stall_res is given twice"),
    (BH, "STALLWAIT B3",                    "'B3' is not NAME=VALUE"),
    (BH, "STALLWAIT block=(",               "is no expression"),
    (BH, "STALLWAIT block=__import__('os')", "is no integer expression"),
    (BH, "TTI_STALLWAIT(1)",                r"takes 2 arguments \(stall_res, wait_res\), not 1"),
    (BH, "TTI_STALLWAIT(1, 0x6000)",        "bits 0x6000 set, which mean nothing"),
    (BH, "TTI_STALLWAIT(0x200, 0)",         r"stall_res=512 is outside 0\.\.511"),
    (BH, "REG2FLOP.ADC 1, 0, 0, 0, 0, G3", "is not of the form 'ADC'"),
    (BH, "REG2FLOP.FOO size=0",             "has no form 'FOO'; there is REG2FLOP"),
    (BH, "UNPACR which_unpacker=UNP0",      "say which is meant: UNPACR.Regular or"),
    (BH, "MVMUL addr_mod=ADDR_MOD_8",       "'ADDR_MOD_8' is no known name"),
    (BH, "SFPIADD imm12=2048",              r"imm12=2048 is outside -2048\.\.2047"),
    (BH, "TTI_MVMUL(0, 0, 0, 1 << 12)",     "bits 0x1000 set"),
    (BH, ".word 1 << 32",                   "does not fit 32 bits"),
    (BH, ".word 1 / 0",                     "divides by zero"),
    (BH, ".word 1 << 99",                   "shifts by 99"),
    (BH, "",                                "no Blackhole instruction"),
]
# fmt: on


@pytest.mark.parametrize(("dialect", "text", "word"), SPELLINGS)
def test_spellings(dialect: Dialect, text: str, word: int) -> None:
    assert f"{parse(text, dialect):#010x}" == f"{word:#010x}"


@pytest.mark.parametrize(("dialect", "text", "sentence"), REFUSED)
def test_refused(dialect: Dialect, text: str, sentence: str) -> None:
    with pytest.raises(TextError, match=sentence):
        parse(text, dialect)


def test_names_of_the_caller() -> None:
    assert parse("SEMINIT sem=MINE, new_max=1, new_value=0", BH, {"MINE": 4}) == 0xA3100010


def test_printed_for_llk() -> None:
    # fmt: off
    for text, llk in {
        "STALLWAIT block=B3, wait=C10": "TTI_STALLWAIT(p_stall::STALL_UNPACK, p_stall::TRISC_CFG)",
        "SEMPOST sem=S1|S2": "TTI_SEMPOST(p_stall::SEMAPHORE_1 | p_stall::SEMAPHORE_2)",
        "NOP": "TTI_NOP",
        "SFPMAD va=L1, vb=L2, vc=L9, vd=L0": "TTI_SFPMAD(1, 2, 9, 0, 0x0)",
    }.items():
        assert show(parse(text, BH), BH_LLK) == llk
    # fmt: on
