# SPDX-License-Identifier: Apache-2.0
"""Constants that LLK code passes to instruction macros: `p_setrwc::CLR_A` and their like.

Names and values are those of `ckernel_instr_params.h`, of `ckernel_gpr_map.h`, and of `llk_defs.h`
the formats of SFPLOAD, in Tenstorrent's wheel ttnn 0.81.1, for the architectures that have them.
"""

from __future__ import annotations

from functools import cache

from tensix_gdb.core.isa.architecture import Arch

CONSTANTS = """
[both]
p_setrwc       CLR_A=1 CLR_B=2 CLR_AB=3 CLR_NONE=0 SET_A=1 SET_B=2 SET_AB=3 SET_D=4 SET_AD=5
               SET_BD=6 SET_ABD=7 SET_F=8 SET_A_F=9 SET_B_F=0xa SET_AB_F=0xb SET_D_F=0xc
               SET_AD_F=0xd SET_BD_F=0xe SET_ABD_F=0xf CR_A=1 CR_B=2 CR_AB=3 CR_D=4 CR_AD=5
               CR_BD=6 CR_ABD=7 C_TO_CR_MODE=8
p_setibrwc     SET_BIAS=0 INC_BIAS=1 CR_NONE=0 CR_BIAS=1
p_unpacr       RAREFYB_DISABLE=0 RAREFYB_ENABLE=1 TILE0_ADDRCNT_CONTEXT=0 TILE1_ADDRCNT_CONTEXT=0
               TILE2_ADDRCNT_CONTEXT=1 TILE3_ADDRCNT_CONTEXT=1 TILE0_CFG_CONTEXT=0
               TILE1_CFG_CONTEXT=0 TILE2_CFG_CONTEXT=0 TILE3_CFG_CONTEXT=0 AUTO_INC_CONTEXT=1
p_unpacr_nop   UNP_POP=0 UNP_NOP=2 UNP_ZEROSRC=1 UNP0=0 UNP1=1
p_srcb         FORWARD_PASS=0 BACKWARD_PASS=1
p_setadc       UNP0=1 UNP1=2 UNP_A=1 UNP_B=2 UNP_AB=3 PAC=4 SET_X=0 SET_Y=1 SET_Z=2 SET_W=3 X=1
               Y=2 XY=3 Z=1 W=2 ZW=3 CH_0=0 CH_1=1 THREAD_OVRD_NONE=0 THREAD_OVRD_UNPACK=1
               THREAD_OVRD_MATH=2 THREAD_OVRD_PACK=3
p_pacr         P_ZERO_OUTPUT_DISABLED=0 P_ZERO_OUTPUT_ENABLED=1
p_ind          HIER_REGFILE=0 HIER_L1=1 INC_NONE=0 INC_2B=1 INC_4B=2 INC_16B=3 LD_16B=0 LD_32bit=1
               LD_16bit=2 LD_8bit=3
p_mov          DEST_NORM=0 DEST_32B_LOW=1
p_mova2d       MATH_HALO_ROWS=0 MOV_1_ROW=0 MOV_8_ROWS=2
p_movd2a       MOV_1_ROW=0 MOV_4_ROWS=2
p_movb2d       SRC_ZERO_OFFSET=0 SRC_ROW16_OFFSET=0x10 MOV_1_ROW=0 MOV_1_ROW_D0_BRCST=1
               MOV_8_ROW_BRCST=2 MOV_8_ROW_BRCST_D0_BRCST=3 MOV_4_ROWS=4 MOV_4_ROWS_D0_BRCST=5
p_movd2b       SRC_ZERO_OFFSET=0 SRC_ROW16_OFFSET=0x10 MOV_1_ROW=0 MOV_4_ROWS=2
p_movb2a       SRCA_ZERO_OFFSET=0 SRCB_ZERO_OFFSET=0 SRCB_ROW16_OFFSET=0x10 MOV_1_ROW=0
               MOV_4_ROWS=2
p_stall        NONE=0 THCON=1 UNPACK0=2 UNPACK1=4 UNPACK=6 PACK0=8 STALL_TDMA=1 STALL_SYNC=2
               STALL_PACK=4 STALL_UNPACK=8 STALL_XMOV=0x10 STALL_THCON=0x20 STALL_MATH=0x40
               STALL_CFG=0x80 STALL_SFPU=0x100 STALL_THREAD=0x1ff STALL_ON_ZERO=1 STALL_ON_MAX=2
               SEMAPHORE_0=1 SEMAPHORE_1=2 SEMAPHORE_2=4 SEMAPHORE_3=8 SEMAPHORE_4=0x10
               SEMAPHORE_5=0x20 SEMAPHORE_6=0x40 SEMAPHORE_7=0x80 SEMAPHORE_BIAS=0x10
p_zeroacc      CLR_SPECIFIC=0 CLR_16=1 CLR_HALF=2 CLR_ALL=3 CLR_HALF_32B=6 CLR_ALL_32B=7
               WHERE_NOP=0xff
p_zerosrc      CLR_A=1 CLR_B=2 CLR_AB=3
p_shiftx       SHIFT_1=0 SHIFT_2=1 SHIFT_4=2 SHIFT_8=3 RESERVED0=0 RESERVED1=1 RIGHT_AWAY0=2
               LEFT_TOWARD0=3
p_cfg          WRCFG_128b=1 WRCFG_32b=0
p_alu          AND=0 OR=1 XOR=2
p_gpool        DIM_1X16=0 DIM_16X16=1 INDEX_DIS=0 INDEX_EN=1
p_elwise       SRCB_NO_BCAST=0 DEST_ACCUM_EN=1 DEST_ACCUM_DIS=0 SRCB_BCAST_COL=1 SRCB_BCAST_ROW=2
               SRCB_BCAST_ALL=3 CLR_NONE=0 CLR_A=1 CLR_B=2 CLR_AB=3
p_sfpu         LREG0=0 LREG1=1 LREG2=2 LREG3=3 LREG4=4 LREG5=5 LREG6=6 LREG7=7 LCONST_0_8373=8
               LCONST_0=9 LCONST_1=0xa LREG11=0xb LREG12=0xc LREG13=0xd LREG14=0xe LCONST_neg1=0xb
               LTILEID=0xf kCONST_1_FP16B=0x3f80 kCONST_1_FP16A=0x3c00 kCONST_0=0
               kCONST_Exp_8Bit=0 kCONST_Exp_5Bit=1
p_sfpswap      UNCONDITIONALLY=0 ALL_ROWS_MAX=1 ROWS_01_MAX=2 ROWS_02_MAX=3 ROWS_03_MAX=4
               ROW_0_MAX=5 ROW_1_MAX=6 ROW_2_MAX=7 ROW_3_MAX=8
p_setdmareg    PAYLOAD_IMMEDIATE=0 PAYLOAD_16BIT=0 PAYLOAD_32BIT=1 PAYLOAD_128BIT=2
               PAYLOAD_TILE_HEADER=3 MODE_IMMEDIATE=0 MODE_SIGNAL=1
p_mop          MASK_LOOP=0 DOUBLE_LOOP=1
p_adddmareg    REG_PLUS_REG=0 REG_PLUS_IMM=1
p_reg2flop     WRITE_16B=0 WRITE_4B=1 WRITE_2B=2 WRITE_1B=3
p_gpr          ZERO=0 DBG_RESERVED=1 DBG_MSG=2 DBG_CKID=3
p_gpr_unpack   OPERAND_BASE_ADDR=4 OPERAND_OFFSET_ADDR=5 ZERO_0=8 ZERO_1=9 ZERO_2=0xa ZERO_3=0xb
               TMP0=0xc TMP1=0xd TILE_SIZE=0xe TILE_OFFSET=0xf L1_BUFFER_ADDR=0x11 TMP_LO=0x12
               TMP_HI=0x13 PERF_FIRST_UNP_LO=0x20 PERF_FIRST_UNP_HI=0x21 TILE_SIZE_A=0x24
               TILE_SIZE_B=0x25 KT_DIM=0x26 FACE_DIM_8x16=0x29 FACE_DIM_4x16=0x2a FACE_DIM_2x16=0x2b
               FACE_DIM_1x16=0x2c PERF_UNPACK_NUM_TILES_0=0x2d PERF_UNPACK_NUM_TILES_1=0x2e
               PERF_UNPACK_NUM_TILES_2=0x2f PERF_UNPACK_NUM_TILES_3=0x30
               SR_UNPACK_TILIZER_STATE_0=0x36 SR_UNPACK_TILIZER_STATE_1=0x37
               SR_UNPACK_UNTILIZER_STATE_0=0x38 SR_UNPACK_UNTILIZER_STATE_1=0x39
               SR_UNPACK_UNTILIZER_STATE_2=0x3a SR_UNPACK_UNTILIZER_STATE_3=0x3b
p_gpr_math     PERF_DBUS_CNTL=4 PERF_MEM_DUMP_CNTL_CLEAR=5 PERF_MEM_DUMP_CNTL_SET=6 PERF_CNT_START=7
               PERF_CNT_STOP=8 PERF_EPOCH_BASE_ADDR=9 PERF_EPOCH_OFFSET=0xa DEST_OP0_BASE=0x30
               DEST_OP1_BASE=0x31 DEST_REGW_OFFSET=0x32 DEST_REGW_INCR=0x33 DEST_REGW_OFFSET2=0x34
               DEST_REGW_INCR2=0x35 TMP0=0x3c NUM_DRAM_REQS=0x3d
p_gpr_pack     DEST_OFFSET_LO=4 DEST_OFFSET_HI=8 OUTPUT_ADDR=0xc TILE_HEADER=0x10
               TEMP_TILE_OFFSET=0x14 NUM_MSGS_RECEIVED=0x18 ONE_MSG_RECEIVED=0x19 HEADER_ADDR=0x1a
               TMP0=0x1c TMP1=0x1d TMP_LO=0x1e TMP_HI=0x1f PACK_STREAM_SYNC=0x20
               OUTPUT_ADDR_OFFSET=0x32 PERF_PACK_NUM_TILES=0x33 EXP0_SEC_SIZE_BFP=0x34
               EXP1_SEC_SIZE_BFP8=0x35 EXP2_SEC_SIZE_BFP8=0x36 EXP3_SEC_SIZE_BFP8=0x37
               EXP1_SEC_SIZE_BFP4=0x39 EXP2_SEC_SIZE_BFP4=0x3a EXP3_SEC_SIZE_BFP4=0x3b
               EXP1_SEC_SIZE_BFP2=0x3d EXP2_SEC_SIZE_BFP2=0x3e EXP3_SEC_SIZE_BFP2=0x3f
InstrModLoadStore DEFAULT=0 FP16A=1 FP16B=2 FP32=3 INT32=4 INT8=5 LO16=6 HI16=7 INT32_2S_COMP=0xc
               INT8_2S_COMP=0xd LO16_ONLY=0xe HI16_ONLY=0xf
[blackhole]
p_unpacr       UNP_POP=0 UNP_CLRSRC=1 UNP_NOP=2 UNP_POP_STREAM=3 UNP_CLRSRC_ZERO=0
               UNP_CLRSRC_NEGINF=1 UNP_CLRSRC_ONE=2 UNP_CLRSRC_IMM=3 UNP_CLRSRC_RESET_ALL_BANKS=1
               UNP_CLRSRC_ONE_FP16A=0 UNP_CLRSRC_ONE_FP16B=1 UNP_CLRSRC_ONE_TF32=1
               UNP_CLRSRC_ONE_INT8=2
p_unpacr_nop   CLR_SRC=1 SET_DVALID=1 WAIT_LIKE_UNPACR=1 CLR_SRC_0=0 CLR_SRC_NEGINF=1 CLR_SRC_1=2
               CLR_SRC_IMM=3
p_pacr         DST_ACCESS_NORMAL_MODE=0 DST_ACCESS_STRIDED_MODE=1 NO_ROW_PAD_ZERO=0
               ROW_PAD_ZERO_ALL_PACR=1 ROW_PAD_ZERO_ALL_PACR_16DATUM_ALGN=5
               ROW_PAD_ZERO_NO_CONCAT_PACR=2 ROW_PAD_ZERO_NO_CONCAT_PACR_16DATUM_ALGN=6
               ROW_PAD_ZERO_LAST_PACR=3 ROW_PAD_ZERO_LAST_PACR_16DATUM_ALGN=7 CFG_CTXT_0=0
               CFG_CTXT_1=1 CFG_CTXT_2=2 CFG_CTXT_3=3 ADDR_CNT_CTXT_0=0 ADDR_CNT_CTXT_1=1
               ADDR_CNT_CTXT_2=2 ALL_INTF_ACTIVE=0 ALL_INTF_ACTIVE_ONES=0xf SINGLE_INTF_ACTIVE=1
               TWO_INTFS_ACTIVE=3 THREE_INTFS_ACTIVE=7 _0th_AND_2nd_INTF_ACTIVE=5
               _1st_AND_3rd_INTF_ACTIVE=0xa ZERO_WRITE=1 NO_ZERO_WRITE=0 NO_CTXT_CTRL=0
               RTL_FLOPS_CTXT_SEL=1 RTL_FLOPS_CTXT_RST_AND_NOP=2 RTL_FLOPS_CTXT_SEL_NO_RST=3
p_stall        PACK=8 MATH=0x10 SRCA_CLR=0x20 SRCB_CLR=0x40 SRCA_VLD=0x80 SRCB_VLD=0x100
               XMOV=0x200 TRISC_CFG=0x400 SFPU1=0x800 WAIT_SFPU=0x800 CFGEXU=0x1000
               ALL_THREAD_RES=0x21f
p_gpr_unpack   FACE_DIM_16x16=0x28
[wormhole]
p_unpacr_nop   UNP_NEGINFSRC=5 UNP_SET_DVALID=7 UNP_ZEROSRC_RESET_ALL_BANKS=9
               UNP_ZEROSRC_STALL_RESET_WR_RDY=0x11 UNP_ZEROSRC_SET_DVALID=0x41
p_stall        PACK1=0x10 PACK2=0x20 PACK3=0x40 PACK=0x78 MATH=0x80 SRCA_CLR=0x100 SRCB_CLR=0x200
               SRCA_VLD=0x400 SRCB_VLD=0x800 XMOV=0x1000 TRISC_CFG=0x2000 SFPU1=0x4000
               WAIT_SFPU=0x4000 ALL_THREAD_RES=0x10ff
"""


@cache
def llk_constants(arch: Arch) -> dict[str, int]:
    """Return the constants of an architecture as `p_stall.STALL_CFG`."""
    constants: dict[str, int] = {}
    section, struct = "", ""
    for line in CONSTANTS.strip().splitlines():
        if line.startswith("["):
            section = line.strip("[]")
            continue
        words = line.split()
        if not line.startswith(" "):
            struct = words.pop(0)
        if section in ("both", arch.title.lower()):
            for word in words:
                name, _, value = word.partition("=")
                constants[f"{struct}.{name}"] = int(value, 0)
    return constants


@cache
def _qualified(arch: Arch) -> dict[tuple[str, int], str]:
    known: dict[tuple[str, int], str] = {}
    for name, value in llk_constants(arch).items():
        known.setdefault((name.partition(".")[2], value), name.replace(".", "::"))
    return known


def qualify(name: str, value: int, arch: Arch) -> str:
    """`STALL_CFG` with the struct that LLK has it in, if it has one."""
    return _qualified(arch).get((name, value), name)
