# SPDX-License-Identifier: Apache-2.0
"""Operands of the Vector Unit's instructions (VectorUnit.md, LReg.md), and its group of rows.

VA, VB, VC and VD are LRegs. Mod0 and Mod1 select modes, with other names in every instruction; the
names are those of the pages without the instruction's prefix.
"""

from collections.abc import Callable, Iterable

from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.isa.operand import ALWAYS, HEX, Choice, Kind, Name, Register
from tensix_gdb.core.isa.operand import Bits as Names
from tensix_gdb.core.isa.schema import Bits, Part, Unused
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.instruction import BH, Arch, F, Group, Operand, Unit, tensix
from tensix_gdb.core.tensix.vector.mode_text import MEANINGS

# fmt: off
LREG = Register(always=True, letter="L", text="LReg[{}]", specials={
    8: "LReg[8] = 0.8373", 9: "LReg[9] = 0.0", 10: "LReg[10] = 1.0",
    11: "LReg[11], programmable, -1.0 by default", 15: "LReg[15], the lane number times two",
})


def modes(prefix: str, **values: int) -> Choice:
    """Modes of which exactly one is chosen."""
    return Choice(always=True, prefix=prefix, names=_names(prefix, values.items()))


def flags(prefix: str, *none: str, **values: int) -> Names:
    """Modes that are combined; names of several bits come first, as they are to be tried first.

    `none` are the pages' names for a 0, which are read.
    """
    ordered = sorted(values.items(), key=lambda item: -item[1].bit_count())
    zeros = {spelling: 0 for name in none for spelling in (name, prefix + name)}
    return Names(prefix=prefix, names=_names(prefix, ordered), also=zeros)


def _names(prefix: str, values: Iterable[tuple[str, int]]) -> tuple[Name, ...]:
    return tuple(Name(name, value, (), MEANINGS[prefix][name]) for name, value in values)


FORMAT = modes("MOD0_FMT_", SRCB=0, FP16=1, BF16=2, FP32=3, INT32=4, INT8=5, UINT16=6, HI16=7,
               INT16=8, LO16=9, INT32_ALL=10, ZERO=11, INT32_SM=12, INT8_COMP=13, LO16_ONLY=14,
               HI16_ONLY=15)
ADDR_MOD = Choice(names=tuple(Name(f"ADDR_MOD_{i}", i) for i in range(8)))
ROUNDING = modes("SFPSTOCHRND_RND_", NEAREST=0, STOCH=1, ZERO=2)
CONFIG_DEST = Choice(always=True, names=(
    *(Name(f"TEMPLATE{i}", i, (), f"SFPLOADMACRO's instruction template {i}") for i in range(4)),
    *(Name(f"SEQUENCE{i}", 4 + i, (), f"SFPLOADMACRO's sequence {i}") for i in range(4)),
    Name("MISC", 8, (), "SFPLOADMACRO's miscellaneous settings"),
    *(Name(f"L{i}", i, (), f"LReg[{i}]") for i in range(11, 15)),
    Name("LANE_CONFIG", 15, (), "LaneConfig"),
))

# What rows say of VA, VB, VC and VD. VD from 12 on does not name an LReg: the word is kept as a
# template for SFPLOADMACRO, and executed in lanes that have this switched off.
VA, VB, VC, VD = (uses.LREGS.named(name) for name in ("va", "vb", "vc", "vd"))
ENABLED = uses.LANES  # which lanes the instruction works on
RESULT = VD.when("vd", *range(8))
TEMPLATE = uses.MACROS.when("vd", *range(12, 16))
TO_VD = (RESULT, TEMPLATE)
INDIRECT_VD = 8  # of Mod1 and Mod0
# The same of instructions that may write the LReg that LReg[7] names.
LREG7 = uses.LREGS.numbered(7)
TO_VD_OR_INDIRECT = (
    RESULT.unless_set("mod1", INDIRECT_VD),
    uses.LREGS.indirect.if_set("mod1", INDIRECT_VD),
    TEMPLATE,
)
FLAGS = uses.LANES.when("vd", *range(8))  # lane flags of an instruction with a result

VECTOR = Group(Unit.SFPU, reads=(VA, VB, VC, ENABLED),
writes=TO_VD, blocked_by=Block.B8, latency="1", operands={
    "va":          Operand(LREG, "first operand"),
    "vb":          Operand(LREG, "second operand"),
    "vc":          Operand(LREG, "third operand"),
    "vd":          Operand(LREG, "where the result goes to"),
    "mod0":        Operand(FORMAT, "format of the datums in Dst"),
    "mod1":        Operand(HEX, "mode"),
    "addr_mod":    Operand(ADDR_MOD, "how the row counters advance"),
    "imm1":        Operand(ALWAYS, "constant"),
    "imm2":        Operand(HEX, "constant"),
    "imm5":        Operand(ALWAYS, "constant shift amount"),
    "imm8":        Operand(ALWAYS, "constant"),
    "imm9":        Operand(ALWAYS, "row of Dst, divided by two"),
    "imm10":       Operand(ALWAYS, "row of Dst, to which counters and offsets are added"),
    "imm12":       Operand(ALWAYS, "constant"),
    "imm16":       Operand(HEX, "constant"),
    "macro_index": Operand(ALWAYS, "which sequence is scheduled"),
    "vd_lo":       Operand(ALWAYS, "bits 1:0 of VD"),
    "vd_hi":       Operand(ALWAYS, "bit 2 of VD"),
    "rounding_mode": Operand(ROUNDING, "how discarded bits are rounded"),
    "stochastic_rounding": Operand(ALWAYS, "discarded bits are rounded at random"),
    "use_imm5":    Operand(ALWAYS, "shift by imm5 instead of VB"),
    "mod1_mirror": Operand(HEX, "mode that the automatic stalling goes by"),
})
# fmt: on

# fmt: off
LLK = "imm12_math@12 lreg_c@8 lreg_dest@4 instr_mod1@0"
LLK_DST = "lreg_ind@20 instr_mod0@16 sfpu_addr_mode@{} dest_reg_addr@0"
LLK_SRC = "imm12_math@12 lreg_src_c@8 lreg_dest@4 instr_mod1@0"
VC_VD = ("vc" / Bits(4), "vd" / Bits(4))
VD_MOD0 = ("vd" / Bits(4), "mod0" / Bits(4))
ADDR = ("addr_mod" / Bits(3), Unused(3), "imm10" / Bits(10))
ADDR_WORMHOLE = ("addr_mod" / Bits(2), Unused(4), "imm10" / Bits(10))
# fmt: on


def mode(kind: Kind, text: str = "what is done") -> dict[str, Operand]:
    """Return the operand `mod1`."""
    return {"mod1": Operand(kind, text)}


def with_mod1(
    name: str,
    opcode: int,
    upper: tuple[Part, ...],
    kind: Kind,
    text: str,
    arch: Arch = Arch.BOTH,
    reads: tuple[uses.StateUse, ...] | None = None,
    writes: tuple[uses.StateUse, ...] | None = None,
) -> Callable[[F], F]:
    """Return an instruction of VC, VD and Mod1, which reads VC and writes VD, unless it says
    more."""
    return VECTOR.instruction(
        name,
        tensix(opcode, *upper, *VC_VD, "mod1" / Bits(4)),
        arch=arch,
        llk=LLK,
        page=f"{BH}{name}.md",
        operands=mode(kind),
        summary=text,
        reads=reads,
        writes=writes,
    )
