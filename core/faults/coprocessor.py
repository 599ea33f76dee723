# SPDX-License-Identifier: Apache-2.0
"""Sentences about faults of the coprocessor, by the name of their code (core/faults/codes.py).

The operands are the instruction and, in one number, its thread and the address of its push.
"""

from tensix_gdb.core.faults.entry import Category, Entry

_UB = Category.UNDEFINED_BEHAVIOR
_MS = Category.MISSING_SPECIFICATION
_UI = Category.UNIMPLEMENTED
_RACE = Category.RACE
_SD = Category.SILICON_DEFECT
_C = "TensixCoprocessor/"

# fmt: off
TENSIX = {
    "PUSH_COLLISION": Entry(
        _RACE, "push of {a:#010x} in the very cycle in which thread {b} has an instruction of its "
        "own leave its MOP expander; on hardware that instruction is lost",
        "let B push only while the T core does not",
        "WormholeB0 TensixCoprocessor/README.md"),
    "PUSH_DEBUG_FULL": Entry(
        _UB, "push of {a:#010x} by the debug bus while the FIFO of thread {b} is full",
        "look at INSTRN_BUF_STATUS first",
        "BabyRISCV/PushTensixInstruction.md"),
    "MOP_OVERRIDE": Entry(
        _MS, "{a:#010x}: MOP with template 1 and a count or mask, which template 1 does not take",
        "put the counts into MopCfg[0] and MopCfg[1]",
        _C + "MOPExpander.md"),
    "MOP_ENDS_ONLY": Entry(
        _MS, "MOP with template 1, one outer iteration and nothing but end instructions: Wormhole "
        "expands it 129 times by mistake, and no page says what Blackhole does",
        "put the end instruction into the loop",
        _C + "MOPExpander.md"),
    "REPLAY_COUNT": Entry(
        _MS, "{a:#010x}: REPLAY of more than 32 instructions, of which the hardware makes "
        "something that no page describes",
        "record and replay at most 32 instructions",
        _C + "REPLAY.md"),
    "TENSIX_ILLEGAL": Entry(
        _UB, "{a:#010x} in Tensix thread {thread}, pushed at {origin}, is no Tensix instruction",
        "look at what was stored to the push window there",
        "TensixCoprocessor/README.md"),
    "TENSIX_UNDEFINED_BITS": Entry(
        _UB, "{instruction} in Tensix thread {thread}, pushed at {origin}: {a:#010x} sets bits "
        "that are in none of its fields",
        "build the word with the macros of ckernel_ops.h; `tensix-gdb disasm {a:#x}` shows it",
        "the instruction's page"),
    "TENSIX_NOT_EXPANDED": Entry(
        _UB, "{instruction} in Tensix thread {thread}, pushed at {origin}, comes to the wait gate, "
        "past the expander that should have taken it",
        "B cannot push MOP, a MOP cannot contain another, and no REPLAY can be recorded",
        _C + "MOP.md"),
    "TENSIX_NOT_YET": Entry(
        _UI, "{instruction} in Tensix thread {thread}, pushed at {origin}, which this emulator "
        "does not execute yet",
        "leave it out; `tensix-gdb isa` lists what is executed",
        "the instruction's page"),
    "TENSIX_WORMHOLE": Entry(
        _UI, "{instruction} in Tensix thread {thread}, pushed at {origin}: what {page} has "
        "of it is not modelled yet",
        "leave it out; `tensix-gdb isa --arch wormhole` lists what is executed",
        "the page that it names"),
    "TENSIX_UNDOCUMENTED": Entry(
        _MS, "{instruction} in Tensix thread {thread}, pushed at {origin}: no page says what it "
        "does",
        "leave it out",
        "tt_llk_blackhole/instructions/assembly.yaml"),
    "TENSIX_LEGACY": Entry(
        _MS, "{instruction} in Tensix thread {thread}, pushed at {origin}: nothing useful is left "
        "of it, and no page has all of what is",
        "use MVMUL, ELWMUL or GMPOOL",
        "WormholeB0 TensixCoprocessor/MatrixUnit.md"),
    "TENSIX_MATRIX_MODE": Entry(
        _MS, "{instruction} in Tensix thread {thread}, pushed at {origin}: no page says what it "
        "does in a mode that is configured or asked for",
        "clear ALU_ROUNDING_MODE_Fpu_srnd_en and SRC_ACCESS_CFG, give SrcA a data format, ask "
        "GMPOOL for 16 rows",
        "WormholeB0 TensixCoprocessor/MatrixUnit.md"),
    "TENSIX_MOVE_WIDTH": Entry(
        _UB, "{instruction} in Tensix thread {thread}, pushed at {origin}, wants more of a datum "
        "than Dst has",
        "16 bits of Dst have no TF32 and no low half: set ALU_ACC_CTRL_Fp32_enabled, or another "
        "format",
        "WormholeB0 TensixCoprocessor/MOVD2A.md"),
    "TENSIX_MOVE_TF32_LOW": Entry(
        _UB, "{instruction} in Tensix thread {thread}, pushed at {origin}, moves to low halves of "
        "Dst while SrcA's format is TF32, which corrupts what is written (erratum TEN-4245)",
        "give SrcA the format Float32 or Float16_b for it, and clear ALU_ACC_CTRL_Fp32_enabled",
        "WormholeB0 TensixCoprocessor/MOVA2D.md, MOVB2D.md"),
    "TENSIX_MODE": Entry(
        _UB, "{instruction} in Tensix thread {thread}, pushed at {origin}: {a:#010x} has a mode "
        "without meaning",
        "`tensix-gdb explain {a:#x}` lists the modes",
        "the instruction's page"),
    "TENSIX_SEMWAIT": Entry(
        _UB, "SEMWAIT without a condition in Tensix thread {thread}, pushed at {origin}",
        "choose C0 (zero) or C1 (full), or use STALLWAIT",
        _C + "SEMWAIT.md"),
    "TENSIX_CONFIG_INDEX": Entry(
        _UB, "{instruction} in Tensix thread {thread}, pushed at {origin}: {a:#010x} names a word "
        "past the end of the configuration",
        "use the _ADDR32 constants of cfg_defines.h",
        _C + "BackendConfiguration.md"),
    "TENSIX_REG2FLOP": Entry(
        _MS, "REG2FLOP to configuration in Tensix thread {thread}, pushed at {origin}, which "
        "Blackhole's pages do not have",
        "use WRCFG",
        _C + "BackendConfiguration.md"),
    "TENSIX_OUTSIDE_L1": Entry(
        _UB, "{instruction} in Tensix thread {thread}, pushed at {origin}, with an address past "
        "the end of L1",
        "look at the GPRs: the address is in units of 16 bytes",
        "the instruction's page"),
    "TENSIX_NO_DEVICE": Entry(
        _UB, "{instruction} in Tensix thread {thread}, pushed at {origin}, with an address below "
        "TDMA-RISC (0xffb11000)",
        "the Scalar Unit reaches 0xffb11000 to 0xffbfffff",
        "WormholeB0 TensixCoprocessor/LOADREG.md"),
    "TENSIX_MOVER": Entry(
        _UB, "XMOV in Tensix thread {thread}, pushed at {origin}: THCON_SEC0_REG6 reaches outside "
        "L1, or more than the configuration that can be written",
        "addresses and sizes of the mover are in units of 16 bytes",
        "WormholeB0 Mover.md"),
    "TENSIX_DEVICE": Entry(
        _UB, "a load or store by the Scalar Unit for Tensix thread {b} to {a:#010x} ({register}), "
        "which the device refuses",
        "check the address and what may be done to the register",
        "WormholeB0 TensixCoprocessor/STOREREG.md"),
    "PACR_FORMATS": Entry(
        _MS, "{instruction} in Tensix thread {thread}, pushed at {origin}: no page converts what "
        "Dst is said to hold to IntermediateFormat, In_data_format and Out_data_format",
        "look at PCK_DEST_RD_CTRL, ALU_FORMAT_SPEC_REG2_Dstacc and THCON_SEC0_REG1 + 2",
        "WormholeB0 Packers/FormatConversion.md"),
    "PACR_ROWS": Entry(
        _UB, "{instruction} in Tensix thread {thread}, pushed at {origin}: its read interfaces "
        "leave the group of four rows, or its datums are not 1 to 16 of a row",
        "look at X, Y, Z and W of the packers' address counters, their strides and ReadIntfSel",
        "BlackholeA0 " + _C + "PACR.md"),
    "PACR_STRIDED": Entry(
        _MS, "{instruction} in Tensix thread {thread}, pushed at {origin}: strided reads while "
        "Dst is not remapped and swizzled",
        "set DEST_ACCESS_CFG_remap_addrs and DEST_ACCESS_CFG_swizzle_32b",
        "BlackholeA0 " + _C + "PACR.md"),
    "PACR_CONTEXT": Entry(
        _MS, "{instruction} in Tensix thread {thread}, pushed at {origin}: CtxtCtrl 3, and no page "
        "says when the tracked context would have been reset",
        "use CtxtCtrl 1, or 2 to reset it",
        "tt_llk_blackhole/instructions/assembly.yaml"),
    "PACR_CONFIG": Entry(
        _MS, "{instruction} in Tensix thread {thread}, pushed at {origin}: a configuration field "
        "of the packer is set that no page explains",
        "clear pack_start_intf_pos, pack_dis_y_pos_start_offset, Dis_shared_exp_assembler, "
        "Downsample_rate, INT_DESCALE_Mode; compress without Pack_L1_Acc and BFP2",
        "BlackholeA0 " + _C + "PACR.md"),
    "PACR_RELU": Entry(
        _UB, "{instruction} in Tensix thread {thread}, pushed at {origin}: ReLU with a threshold "
        "that is negative, or with a threshold for integers",
        "look at STACC_RELU",
        "WormholeB0 Packers/ReLU.md"),
    "PACR_L1_ACC": Entry(
        _UB, "{instruction} in Tensix thread {thread}, pushed at {origin}: L1 adds FP32, FP16, "
        "BF16 and INT32 only",
        "clear THCON_SEC0_REG1_Pack_L1_Acc, or pack to one of these formats",
        "WormholeB0 L1.md"),
    "PACR_EDGE": Entry(
        _MS, "{instruction} in Tensix thread {thread}, pushed at {origin}: edge masking writes "
        "minus infinity, and no page says what that is of an integer",
        "clear PCK_EDGE_MODE_mode",
        "WormholeB0 Packers/EdgeMasking.md"),
    "PACR_OUTSIDE_L1": Entry(
        _UB, "{instruction} in Tensix thread {thread}, pushed at {origin}: its datums go past the "
        "end of L1",
        "look at THCON_SEC0_REG1_L1_Dest_addr, in units of 16 bytes, and whether the last PACR of "
        "the tile before had Last",
        "WormholeB0 Packers/OutputAddressGenerator.md"),
    "PACR_PAST_L1": Entry(
        _UB, "compressed data that the packer writes for Tensix thread {b} is past the end of L1, "
        "at {a:#010x}",
        "look at THCON_SEC0_REG1_L1_Dest_addr, in units of 16 bytes",
        "WormholeB0 Packers/OutputAddressGenerator.md"),
    "PACR_SETREG_LOW": Entry(
        _UB, "{instruction} in Tensix thread {thread}, pushed at {origin}, to an address below "
        "TDMA-RISC (0xffb11000)",
        "look at THCON_SEC0_REG10_Packer_Reg_Wr_Addr",
        "WormholeB0 " + _C + "PACR_SETREG.md"),
    "PACR_SETREG_BASE": Entry(
        _UB, "{instruction} in Tensix thread {thread}, pushed at {origin}, to an address below "
        "TDMA-RISC (0xffb11000)",
        "store the base addresses to RISCV_TDMA_REG_FIFO_PACKED_TILE_STATUS (0xffb11038) first, or "
        "give AddrMid",
        "WormholeB0 " + _C + "PACR_SETREG.md"),
    "RDCFG_DROPPED": Entry(
        _SD, "{instruction} in Tensix thread {thread}, pushed at {origin}, in the same cycle as "
        "that of another thread: Wormhole executes one of them and drops the others",
        "let one thread alone use RDCFG, or take a mutex around it",
        "WormholeB0 " + _C + "RDCFG.md"),
    "PACR_IN_RESET": Entry(
        _UB, "{instruction} in Tensix thread {thread}, pushed at {origin}, while SOFT_RESET_0 "
        "holds the packer's connection to Dst in reset",
        "clear bit 17 of SOFT_RESET_0 first",
        "SoftReset.md"),
    "PACR_DEVICE": Entry(
        _UB, "PACR_SETREG of Tensix thread {b} writes to {a:#010x} ({register}), which the device "
        "refuses",
        "check the address and what may be done to the register",
        "WormholeB0 " + _C + "PACR_SETREG.md"),
    "TTSYNC_ADJACENT": Entry(
        _UB, "load from {a:#010x} while a load from CoprocessorDoneCheck or MOPExpanderDoneCheck "
        "is not finished; on hardware it can go wrong or hang",
        "use the result of the first load before the second",
        "BabyRISCV/ManualTTSync.md"),
}
# fmt: on
