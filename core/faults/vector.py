# SPDX-License-Identifier: Apache-2.0
"""Sentences about faults of the Vector Unit, by the name of their code (core/faults/codes.py).

The operands are those of the coprocessor's other faults (core/faults/coprocessor.py). For what
SFPLOADMACRO has scheduled, the instruction is the template as it is executed.
"""

from tensix_gdb.core.faults.entry import Category, Entry

_UB = Category.UNDEFINED_BEHAVIOR
_UV = Category.UNPREDICTABLE_VALUE
_RACE = Category.RACE
_C = "TensixCoprocessor/"
_W = "WormholeB0 " + _C

# fmt: off
VECTOR = {
    "VECTOR_STACK": Entry(
        _UB, "{instruction} in Tensix thread {thread}, pushed at {origin}, while the stack of lane "
        "flags is full, or empty",
        "it has eight entries; balance SFPPUSHC and SFPPOPC",
        _C + "SFPPUSHC.md, SFPPOPC.md"),
    "VECTOR_UNDEFINED": Entry(
        _UV, "{instruction} in Tensix thread {thread}, pushed at {origin}: undefined rows of Dst "
        "decide which LReg it writes, or what it configures; ZEROACC has made them undefined, and "
        "SFPLOAD read them before anything was written",
        "`monitor dst` shows the rows; write them before SFPLOAD, or leave the lanes disabled",
        _W + "ZEROACC.md"),
    "VECTOR_HAZARD": Entry(
        _RACE, "{instruction} in Tensix thread {thread}, pushed at {origin}, reads an LReg one "
        "cycle before the result of an earlier instruction is there, and the hardware does not "
        "wait for it here",
        "put an SFPNOP before it",
        _C + "SFPMAD.md"),
    "VECTOR_SHUFFLED": Entry(
        _RACE, "{instruction} in Tensix thread {thread}, pushed at {origin}, comes in the cycle "
        "after a shuffle of SFPSHFT2, where it must not, and the hardware does not wait for it "
        "here",
        "put an SFPNOP before it",
        _W + "SFPSHFT2.md"),
    "VECTOR_WRITES": Entry(
        _RACE, "{instruction} in Tensix thread {thread}, pushed at {origin}, writes an LReg at the "
        "end of the same cycle as another instruction: no page says which of the two stays",
        "put an SFPNOP before it, or change a delay in Sequence (`monitor vector`)",
        _C + "VectorUnit.md, SFPLOADMACRO.md"),
    "VECTOR_INDEX": Entry(
        _UB, "{instruction} in Tensix thread {thread}, pushed at {origin}, writes one of LReg[4] "
        "to LReg[7] while LaneConfig.ENABLE_DEST_INDEX is set, which corrupts what is written "
        "(erratum TEN-2932)",
        "let it write another LReg, or clear the bit with SFPCONFIG before it; SFPLOAD, SFPLOADI, "
        "SFPSWAP and SFPTRANSP may write there",
        _W + "SFPCONFIG.md"),
    "VECTOR_MACRO": Entry(
        _UB, "{instruction} in Tensix thread {thread}, pushed at {origin}: what SFPLOADMACRO "
        "schedules cannot be executed so: {a:#010x}",
        "look at Sequence and Misc: `monitor vector` lists them",
        _C + "SFPLOADMACRO.md"),
}
# fmt: on
