# SPDX-License-Identifier: Apache-2.0
"""State of the Vector Unit: LRegs, lane flags, LaneConfig, LoadMacroConfig (LReg.md, SFPCONFIG.md).

There are 32 lanes, lane i in column i % 8 and row i // 8. LReg 8, 9, 10 and 15 are constants; 11 to
14 are written by SFPCONFIG only, 16 by what SFPLOADMACRO schedules only.

What is one bit for each lane is a word here, lane i in bit i: flags, the stack of flags (entry 0 is
its top; a lane's entry exists if its bit of `stack_valid` is set) and sets of lanes everywhere.
LaneConfig and LoadMacroConfig are the same in all rows of a column, because SFPCONFIG takes no
notice of rows, so there are eight of each.
"""

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.numeric.prng import seeded
from tensix_gdb.core.record.layout import Mark, Part, Role, Tag, View, row

LANES = 32
COLUMNS = 8
# The hardware has 17; an index of five bits needs no test for being in range.
LREGS = 32
EXTRA = 16  # the LReg of SFPLOADMACRO
STACK = 8
ALL = MASK32
FIRST_ROW = 0xFF  # lanes 0 to 7
COLUMN_0 = 0x01010101  # the lanes of column 0

ENABLE_FP16A_INF = 0  # bits of LaneConfig
DISABLE_BACKDOOR_LOAD = 1
ENABLE_DEST_INDEX = 2
CAPTURE_DEFAULT_DEST_INDEX = 3
BLOCK_DEST_WR_FROM_SFPU = 4
BLOCK_SFPU_RD_FROM_DEST = 5
DEST_RD_COL_EXCHANGE = 6
DEST_WR_COL_EXCHANGE = 7
EXCHANGE_SRCB_SRCC = 8
ROW_MASK_SHIFT = 12
ROW_MASK = 0xF << ROW_MASK_SHIFT
FIRST, SECOND = range(2)  # cycles of an instruction with a late result (writeback.py)
FIRST_BACKDOOR = 12  # VD from here on means an instruction template

ONE = 0x3F800000
CONSTANT_8 = 0x3F56594B  # 0.8373
# LReg 11 to 14 after a reset: -1, 1/512, -0.67487759, -0.34484843 (SFPCONFIG.md: Blackhole's commit
# f916ebc, Wormhole's 376743c; Tenstorrent's simulator). Older pages have 2**-16 instead of 1/512.
DEFAULTS = (0xBF800000, 0x3B000000, 0xBF2CC4C7, 0xBEB08FF9)

_A, _D = Tag.ARCHITECTURAL, Tag.DERIVED

# fmt: off
VECTOR_STATE = Part("vector", (
    row("lreg",        "u32", (LREGS, LANES), _A, "LReg", marks=Mark.VISIBLE),
    row("undefined",   "u32", LREGS,          _A, "lanes of each that undefined rows of Dst decide",
        role=Role.PROGRESS),
    row("flags",       "u32", (),             _A, "LaneFlags",
        role=Role.SETTING, marks=Mark.STEERS),
    row("use_flags",   "u32", (),             _A, "UseLaneFlagsForLaneEnable",
        role=Role.SETTING, marks=Mark.STEERS),
    row("flags_undefined", "u32", (),         _A, "the same of LaneFlags", role=Role.PROGRESS),
    row("stack_flags", "u32", STACK,          _A, "FlagStack, top first: LaneFlags"),
    row("stack_undefined", "u32", STACK,      _A, "the same of them", role=Role.PROGRESS),
    row("stack_use",   "u32", STACK,          _A, "FlagStack: UseLaneFlagsForLaneEnable"),
    row("stack_valid", "u32", STACK,          _A, "FlagStack: the lanes that have this entry"),
    row("config",      "u32", COLUMNS,        _A, "LaneConfig",
        role=Role.SETTING, marks=Mark.STEERS),
    row("template",    "u32", (4, COLUMNS),   _A, "LoadMacroConfig.InstructionTemplate"),
    row("sequence",    "u32", (4, COLUMNS),   _A, "LoadMacroConfig.Sequence"),
    row("misc",        "u16", COLUMNS,        _A, "LoadMacroConfig.Misc"),
    row("configured",  "u32", 8,              _A, "pcs: what has written templates, sequences",
        role=Role.PROGRESS),
    row("prng",        "u32", LANES,          _A, "state of AdvancePRNG"),
    row("sp",          "u16", 3,              _A, "RWCs[thread].Sp"),
    # Of the instruction that is being executed; nothing is kept in them.
    row("a",           "u32", LANES,          _D, "operand"),
    row("b",           "u32", LANES,          _D, "operand"),
    row("c",           "u32", LANES,          _D, "operand"),
    row("d",           "u32", LANES,          _D, "result"),
    row("lanes",       "u32", (),             _D, "lanes for which it is an instruction"),
    row("without",     "u32", (),             _D, "lanes in which an operand is undefined"),
    row("unsure",      "u32", (),             _D, "lanes that an undefined flag switches on"),
))
# fmt: on


def power_up(S: View) -> int:
    """As the Vector Unit comes out of soft reset (SoftReset.md), constants included.

    UNSPECIFIED(SoftReset.md): what the random numbers begin with; as seeded with 0.
    """
    for lane in lanes(LANES):
        for number in range(LREGS):
            S.vector.lreg[number, lane] = 0
        S.vector.lreg[8, lane] = CONSTANT_8
        S.vector.lreg[10, lane] = ONE
        for i in range(4):
            S.vector.lreg[11 + i, lane] = DEFAULTS[i]
        S.vector.lreg[15, lane] = lane * 2
    seed(S, 0)
    for number in range(LREGS):
        S.vector.undefined[number] = 0
    S.vector.flags = 0
    S.vector.use_flags = 0
    S.vector.flags_undefined = 0
    for i in range(STACK):
        S.vector.stack_valid[i] = 0
        S.vector.stack_undefined[i] = 0
    for i in range(8):
        S.vector.configured[i] = 0
    for column in range(COLUMNS):
        S.vector.config[column] = 0
        S.vector.misc[column] = 0
        for i in range(4):
            S.vector.template[i, column] = 0
            S.vector.sequence[i, column] = 0
    return 0


def seed(S: View, value: int) -> int:
    """PRNG_SEED_Seed_Val was written."""
    for lane in lanes(LANES):
        S.vector.prng[lane] = seeded(value, lane)
    return 0


def lanes_with(S: View, bit: int) -> int:
    """Return the lanes with this bit in LaneConfig."""
    mask = 0
    for column in range(COLUMNS):
        mask |= ((S.vector.config[column] >> bit) & 1) * COLUMN_0 << column
    return mask


def any_config(S: View) -> int:
    """Return the bits of LaneConfig that any lane has."""
    bits = 0
    for column in range(COLUMNS):
        bits |= S.vector.config[column]
    return bits


def masked_rows(S: View) -> int:
    """Return the lanes that ROW_MASK switches off."""
    mask = 0
    for column in range(COLUMNS):
        rows = S.vector.config[column] >> ROW_MASK_SHIFT
        for i in range(4):
            mask |= ((rows >> i) & 1) << (column + COLUMNS * i)
    return mask


def enabled(S: View) -> int:
    """Return the lanes for which IsLaneEnabled of VectorUnit.md is true."""
    return enabled_with(S, any_config(S))


def enabled_with(S: View, config: int) -> int:
    """`enabled`, where `any_config` is known."""
    where = S.vector.flags | (S.vector.use_flags ^ ALL)
    if config & ROW_MASK:
        where &= ~masked_rows(S)
    return where


def begin(S: View, where: int) -> int:
    """An instruction begins in these lanes; it has read nothing yet."""
    S.vector.lanes = where
    S.vector.without = 0
    S.vector.unsure = 0
    return 0


def note_unsure(S: View, config: int) -> int:
    """The instruction depends on lane flags, of which some may be undefined. What LaneConfig
    switches off is off, whatever its flag is; `config` is `any_config`."""
    unsure = S.vector.flags_undefined & S.vector.use_flags & S.vector.lanes
    if config & ROW_MASK:
        unsure &= ~masked_rows(S)
    S.vector.unsure = unsure
    return 0


def disabled_lanes(S: View) -> int:
    """Lanes in which VD from 12 on means an LReg, and not a template to write the word to."""
    return lanes_with(S, DISABLE_BACKDOOR_LOAD)


def write_template(S: View, vd: int, word: int, pc: int) -> int:
    """Write an instruction to the template that its VD means (SFPCONFIG.md)."""
    S.vector.configured[(vd - FIRST_BACKDOOR) & 3] = pc
    for column in range(COLUMNS):
        if not (S.vector.config[column] >> DISABLE_BACKDOOR_LOAD) & 1:
            S.vector.template[(vd - FIRST_BACKDOOR) & 3, column] = word
    return 0


def note_configured(S: View, vd: int, pc: int) -> int:
    """Keep which SFPCONFIG has written a template (VD 0 to 3) or a sequence (4 to 7): of several
    columns, the last."""
    if vd < 8:
        S.vector.configured[vd & 7] = pc
    return 0


INLINED = (begin, enabled, enabled_with, note_unsure)
