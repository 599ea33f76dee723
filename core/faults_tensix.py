# SPDX-License-Identifier: Apache-2.0
"""Sentences about faults of the coprocessor, by the name of their code (core/faults.py).

The operands are the instruction and, in one number, its thread and the address of its push.
"""

from core.fault_entry import Category, Entry

_UB = Category.UNDEFINED_BEHAVIOR
_MS = Category.MISSING_SPECIFICATION
_UI = Category.UNIMPLEMENTED
_RACE = Category.RACE
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
        "behind the expander that should have taken it",
        "B cannot push MOP, a MOP cannot contain another, and no REPLAY can be recorded",
        _C + "MOP.md"),
    "TENSIX_NOT_YET": Entry(
        _UI, "{instruction} in Tensix thread {thread}, pushed at {origin}, which this emulator "
        "does not execute yet",
        "leave it out; `tensix-gdb isa` lists what is executed",
        "the instruction's page"),
    "TENSIX_UNDOCUMENTED": Entry(
        _MS, "{instruction} in Tensix thread {thread}, pushed at {origin}: no page says what it "
        "does",
        "leave it out",
        "tt_llk_blackhole/instructions/assembly.yaml"),
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
        "behind the end of the configuration",
        "use the _ADDR32 constants of cfg_defines.h",
        _C + "BackendConfiguration.md"),
    "TENSIX_REG2FLOP": Entry(
        _MS, "REG2FLOP to configuration in Tensix thread {thread}, pushed at {origin}, which "
        "Blackhole's pages do not have",
        "use WRCFG",
        _C + "BackendConfiguration.md"),
    "TENSIX_OUTSIDE_L1": Entry(
        _UB, "{instruction} in Tensix thread {thread}, pushed at {origin}, with an address behind "
        "the end of L1",
        "look at the GPRs: the address is in units of 16 bytes",
        "the instruction's page"),
    "TENSIX_NO_DEVICE": Entry(
        _UB, "{instruction} in Tensix thread {thread}, pushed at {origin}, with an address below "
        "TDMA-RISC (0xffb11000)",
        "the Scalar Unit reaches 0xffb11000 to 0xffbfffff",
        "WormholeB0 TensixCoprocessor/LOADREG.md"),
    "TENSIX_DEVICE": Entry(
        _UB, "a load or store by the Scalar Unit for Tensix thread {b} to {a:#010x} ({register}), "
        "which the device refuses",
        "check the address and what may be done to the register",
        "WormholeB0 TensixCoprocessor/STOREREG.md"),
    "TTSYNC_ADJACENT": Entry(
        _UB, "load from {a:#010x} while a load from CoprocessorDoneCheck or MOPExpanderDoneCheck "
        "is not finished; on hardware it can go wrong or hang",
        "use the result of the first load before the second",
        "BabyRISCV/ManualTTSync.md"),
}
# fmt: on
