# SPDX-License-Identifier: Apache-2.0
"""State of the Vector Unit: LRegs, lane flags, LaneConfig, LoadMacroConfig (LReg.md, SFPCONFIG.md).

There are 32 lanes. LReg 8, 9, 10 and 15 are constants; 11 to 14 are written by SFPCONFIG only.
"""

from core.layout import Part, Tag, View, row

LANES = 32
COLUMNS = 8  # lane i is in column i % 8
LREGS = 17
DISABLE_BACKDOOR_LOAD = 1 << 1  # of LaneConfig
ROW_MASK_SHIFT = 12
FIRST_BACKDOOR = 12  # VD from here on means an instruction template

ONE = 0x3F800000
CONSTANT_8 = 0x3F56594B  # 0.8373

_A = Tag.ARCHITECTURAL

# fmt: off
VECTOR_STATE = Part("vector", (
    row("lreg",      "u32", (LREGS, LANES), _A, "LReg"),
    row("flags",     "u8",  LANES,          _A, "LaneFlags"),
    row("use_flags", "u8",  LANES,          _A, "UseLaneFlagsForLaneEnable"),
    row("config",    "u32", LANES,          _A, "LaneConfig"),
    row("template",  "u32", (4, LANES),     _A, "LoadMacroConfig.InstructionTemplate"),
    row("sequence",  "u32", (4, LANES),     _A, "LoadMacroConfig.Sequence"),
    row("misc",      "u16", LANES,          _A, "LoadMacroConfig.Misc"),
))
# fmt: on


def power_up(S: View) -> int:
    """The constants among the LRegs."""
    for lane in range(LANES):
        S.vector.lreg[8, lane] = CONSTANT_8
        S.vector.lreg[10, lane] = ONE
        S.vector.lreg[15, lane] = lane * 2
    return 0


def lane_enabled(S: View, lane: int) -> int:
    """IsLaneEnabled of VectorUnit.md."""
    mask = S.vector.config[lane & (COLUMNS - 1)] >> ROW_MASK_SHIFT
    if (mask >> (lane // COLUMNS)) & 1:
        return 0
    return S.vector.flags[lane] if S.vector.use_flags[lane] else 1


def backdoor_is_shut(S: View, lane: int) -> int:
    """Does VD from 12 on mean an LReg, and not a template to write the instruction to?"""
    return 1 if S.vector.config[lane] & DISABLE_BACKDOOR_LOAD else 0


def write_template(S: View, vd: int, word: int) -> int:
    """An instruction whose VD means a template is written there instead (SFPCONFIG.md)."""
    for lane in range(LANES):
        if not backdoor_is_shut(S, lane):
            S.vector.template[vd - FIRST_BACKDOOR, lane] = word
    return 0
