# SPDX-License-Identifier: Apache-2.0
"""Sentences about faults of the unpackers, by the name of their code (core/faults/codes.py)."""

from tensix_gdb.core.faults.entry import Category, Entry

_UB = Category.UNDEFINED_BEHAVIOR
_MS = Category.MISSING_SPECIFICATION
_SD = Category.SILICON_DEFECT
_PAGE = "WormholeB0 TensixCoprocessor/UNPACR_Regular.md"
_WHO = "{instruction} in Tensix thread {thread}, pushed at {origin}"

# fmt: off
UNPACK = {
    "UNPACK_CONTEXT": Entry(
        _UB, _WHO + ", uses a context above 1 of unpacker 1, or the counters of thread 3",
        "look at CfgContextOffset in UNPACK_MISC_CFG, which is added to the instruction's context",
        _PAGE),
    "UNPACK_FORMAT": Entry(
        _UB, _WHO + ", shall convert between formats between which it cannot",
        "look at InDataFormat in the tile descriptor, REG2_Out_data_format and Unpack_if_sel: only "
        "FP32 is converted, and 32 bits without conversion fit into Dst alone",
        "WormholeB0 TensixCoprocessor/Unpackers/FormatConversion.md"),
    "UNPACK_ADDRESS": Entry(
        _UB, _WHO + ", reads past the end of L1",
        "look at THCON_SECn_REG3_Base_address: it counts 16 bytes, and a header of 16 comes first",
        _PAGE),
    "UNPACK_RANGE": Entry(
        _UB, _WHO + ", ends before it begins: X of channel 1 is below X of channel 0",
        "set both by SETADCXX or SETADCXY before",
        _PAGE),
    "UNPACK_ALIGNMENT": Entry(
        _UB, _WHO + ", with an address that is not aligned: in Haloize_mode and Tileize_mode that "
        "in L1 has to be a multiple of 16 bytes, that of the destination always one of its datum",
        "look at X of channel 0 and at the strides of UNPn_ADDR_CTRL",
        _PAGE),
    "UNPACK_COMBINATION": Entry(
        _UB, _WHO + ", with modes that exclude each other: Tileize_mode with upsampling or "
        "compressed data, or Dst with Haloize_mode, Shift_amount or SetOvrdWithAddr",
        "look at THCON_SECn_REG2 and SRCA_SET",
        _PAGE),
    "UNPACK_ROW": Entry(
        _UB, _WHO + ", writes past row 15 of its part of SrcA",
        "set SRCA_SET_SetOvrdWithAddr to write a whole bank, or unpack less",
        _PAGE),
    "UNPACK_EXPONENT": Entry(
        _UB, _WHO + ", has a datum of BFP8a, BFP4a or BFP2a with an exponent of more than 5 bits",
        "look at the exponents in L1: is the data BFP8, BFP4 or BFP2?",
        _PAGE),
    "UNPACK_DEVICE": Entry(
        _UB, _WHO + ", stores to a device that refuses it",
        "check the stream, and Unpacker_Reg_Wr_Addr in THCON_SECn_REG10",
        "WormholeB0 TensixCoprocessor/UNPACR_NOP_SETREG.md"),
    "UNPACK_SETREG": Entry(
        _MS, _WHO + ", makes its address from RISCV_TDMA_REG_CLK_GATE_EN, and no page says from "
        "which bits",
        "store to the register from a hart, after STALLWAIT wait=C1 or wait=C2",
        "WormholeB0 TDMA-RISC.md"),
    "STOREIND_ROW": Entry(
        _UB, _WHO + ", with a row of SrcA or SrcB that does not exist",
        "the address counts pieces of four datums; rows of SrcA begin at row 4 of it",
        "WormholeB0 TensixCoprocessor/STOREIND_Src.md"),
    "UNPACK_BROADCAST": Entry(
        _MS, _WHO + ", with srcb_bcast, of which no page says more than that it broadcasts a row "
        "to eight",
        "unpack the row, and broadcast it in the Matrix Unit's instruction",
        "tt_llk_blackhole/instructions/assembly.yaml"),
    "UNPACK_FILL": Entry(
        _MS, _WHO + ", fills a source bank with something of which no page says what it is there: "
        "1, UNPn_NOP_REG_CLR_VAL, or negative infinity in SrcB",
        "fill with zero, or SrcA with negative infinity",
        "tt_llk_blackhole/instructions/assembly.yaml"),
    "UNPACR_NOP_THREAD": Entry(
        _SD, _WHO + ", reaches an unpacker in which thread 0 has instructions: there Blackhole "
        "is reported to hang now and then, the unpacker being busy for ever",
        "push it from T0, or let T1 wait for a semaphore that T0 posts when its unpacker is idle "
        "(STALLWAIT wait=C1 or wait=C2)",
        "tt-metal#54689"),
}
# fmt: on
