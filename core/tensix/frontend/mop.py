# SPDX-License-Identifier: Apache-2.0
"""MOP Expander (MOPExpander.md): one instruction becomes a loop of configured ones.

It stands at the start of a thread's frontend, so neither instruction ever reaches the wait gate.
"""

from tensix_gdb.core.isa import opcodes
from tensix_gdb.core.isa.operand import HEX, PLAIN, Choice, Name
from tensix_gdb.core.isa.schema import Bits, Unused
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.instruction import (
    WH,
    Arch,
    Catch,
    Group,
    Operand,
    Status,
    Unit,
    tensix,
)

# fmt: off
TEMPLATE = Choice(always=True, names=(
    Name("MASK_LOOP",   0, meaning="template 0: one instruction group for each bit of the mask"),
    Name("DOUBLE_LOOP", 1, meaning="template 1: an inner loop in an outer loop"),
))

MOP = Group(Unit.MOP, gate=Catch.NEVER, ttsync=None, operands={
    "template": Operand(TEMPLATE, "which of the two templates is expanded"),
    "count1":   Operand(PLAIN, "iterations of template 0, minus one; 0 with template 1"),
    "mask_lo":  Operand(HEX, "template 0: low half of the mask, a set bit skips"),
    "mask_hi":  Operand(HEX, "high half of the mask of the next MOP"),
})

# The table of Tenstorrent's assembler lets count and mask override the counts of template 1. The
# newest MOPExpander.md has that unsupported; so words that try are for the expander to refuse.
for _arch, _low in ((Arch.BLACKHOLE, "zmask_lo16_or_loop_count"), (Arch.WORMHOLE, "zmask_lo16")):
    MOP.instruction(
        "MOP", tensix(opcodes.MOP, "template" / Bits(1), "count1" / Bits(7), "mask_lo" / Bits(16)),
        arch=_arch, llk=f"mop_type@23 loop_count@16 {_low}@0", ttsync=13, page=WH + "MOP.md",
        status=Status.IMPLEMENTED,  # in mop_expander.py
        reads=(uses.MOP_EXPANDER,),
        summary="Expand to a loop of instructions, by a template and the MOP configuration.")
MOP.instruction(
    "MOP_CFG", tensix(opcodes.MOP_CFG, Unused(8), "mask_hi" / Bits(16)),
    llk="zmask_hi16@0", page=WH + "MOP_CFG.md",
    status=Status.IMPLEMENTED,
    writes=(uses.MOP_EXPANDER,),
    summary="Provide the high half of the mask that the next MOP of template 0 uses.")
# fmt: on
