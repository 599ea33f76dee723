# SPDX-License-Identifier: Apache-2.0
"""SrcA and SrcB: two banks each of 64 rows of 16 datums of 19 bits (SrcASrcB.md).

A bank belongs to the unpackers or to the Matrix Unit, and each side has a pointer to the bank that
it works on (`S.busy`, occupancy.py). Handing a bank over moves the pointer of the side that gives.
Nothing else writes these pointers:

    give_to_matrix      the unpackers' bank: SETDVALID, UNPACR, UNPACR_NOP
    leave               the Matrix Unit's: CLEARDVALID
    flip                the same at the end of an instruction with FlipSrcA, FlipSrcB

Tenstorrent's cards show that a bank which the Matrix Unit leaves changes hands one or two cycles
later, after a STALLWAIT with C7 or C8 has looked at it (core/arch/silicon.py); LLK waits for C4,
too. The unit's own instructions are in order: they wait for the right bank, and MOVD2A, MOVD2B and
MOVB2A write to the bank that follows (tt-metal#55106).

A datum is Sign, Man (10 bits), Exp (8 bits) from bit 18 down: TF32; BF16 has the low three bits of
Man zero; FP16 and Integer "8" have the low five bits of Exp only; Integer "16" is in bits 18:11 and
7:0.

An unpacker that hands a bank over leaves its OutDataFormat with it. On Blackhole that is the format
of the bank (`src.format`) to the Matrix Unit, unless the thread has DISABLE_IMPLIED_SRCA_FMT or
DISABLE_IMPLIED_SRCB_FMT set: then ALU_FORMAT_SPEC says it, as always on Wormhole.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.arch.silicon import LATE_FLIP
from tensix_gdb.core.decisions import BANKS as BANKS_DECIDE
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.record.layout import Mark, Part, Role, Tag, View, row
from tensix_gdb.core.schedule import Schedule, choose
from tensix_gdb.core.tensix.occupancy import ADVANCES, GIVES, LATEST, MATRIX_OWNS, UNPACKERS_OWN

SRC_A, SRC_B = 0, 1
BANKS, ROWS, COLUMNS = 2, 64, 16
SOFT_RESET_SRC_A = 15  # bit of SOFT_RESET_0; that of SrcB is the next one
DATUM = 0x7FFFF  # all bits of a datum; also SrcA's negative infinity (ZEROSRC.md)

_A = Tag.ARCHITECTURAL

# fmt: off
SRC = Part("src", (
    row("a",          "u32", (BANKS, ROWS, COLUMNS), _A, "SrcA", marks=Mark.VISIBLE),
    row("b",          "u32", (BANKS, ROWS, COLUMNS), _A, "SrcB", marks=Mark.VISIBLE),
    row("unpack_row", "u8",  (2, THREADS),           _A, "Unpackers[i].SrcRow[thread]",
        role=Role.PROGRESS),
    row("format",     "u8",  (2, BANKS),             _A, "[SrcA or SrcB, bank]: see below",
        role=Role.SETTING),
    row("last_a_row", "u8",  (),                     _A, "what SHIFTXA's HardwareBug() gives",
        role=Role.SETTING),
))
# fmt: on

_FIELDS = config_fields(Arch.BLACKHOLE)
# ThreadConfig: where the unpackers start in a bank, in units of 16 rows.
SET_BASE_WORDS = tuple(_FIELDS[f"SRC{x}_SET_Base"].word for x in "AB")
CLR_DVALID_WORD = _FIELDS["CLR_DVALID_SrcA_Disable"].word
assert _FIELDS["CLR_DVALID_SrcB_Disable"].word == CLR_DVALID_WORD
assert _FIELDS["SRCA_SET_Base"].mask == _FIELDS["SRCB_SET_Base"].mask == 3


def set_base(S: View, thread: int, source: int) -> int:
    """Return the first row that the unpackers write for the thread."""
    return (S.config.thread[thread, SET_BASE_WORDS[source]] & 3) << 4


def is_held(S: View, source: int) -> int:
    """True if SrcA (0) or SrcB (1) cannot change hands: its reset bit is set (SoftReset.md)."""
    return (S.tile_control.soft_reset >> (SOFT_RESET_SRC_A + source)) & 1


def give_to_matrix(S: View, source: int) -> int:
    """The unpackers' bank of SrcA (0) or SrcB (1) becomes the Matrix Unit's."""
    if is_held(S, source):
        return 0
    bank = S.busy.unpack_bank[source]
    S.busy.src_client[source, bank] = MATRIX_OWNS
    S.busy.unpack_bank[source] = 1 - bank
    return 0


def hand_over(S: View, thread: int, source: int) -> int:
    """SETDVALID.md: give it, and start the other bank at the thread's first row."""
    give_to_matrix(S, source)
    S.src.unpack_row[source, thread] = set_base(S, thread, source)
    return 0


def late_by(S: View) -> int:
    """Return cycles after which all units see what an instruction does to the banks.

    UNSPECIFIED(SrcASrcB.md): how many, of the one or two that the cards show. At once in `sc` and
    `latency`: there nothing is later than a page has it. They land in order, one in a cycle.
    """
    late = 1 + choose(S, 2, BANKS_DECIDE) if S.schedule.kind >= Schedule.RANDOM else 0
    return max(late * LATE_FLIP[S.tile.chip], S.busy.landing)


def leave(S: View, source: int, gives: int, advances: int, late: int) -> int:
    """The Matrix Unit gives its bank of SrcA (0) or SrcB (1) back, switches to the other one, or
    both."""
    if is_held(S, source):
        return 0
    bank = S.busy.matrix_bank[source]
    if late:
        what = (GIVES if gives else 0) | (ADVANCES if advances else 0)
        S.busy.flips[late] |= what << (2 * source)
        S.busy.landing = late + 1
        if advances:
            S.busy.lag[source] = 1 - S.busy.lag[source]
    elif gives:
        S.busy.src_client[source, bank] = UNPACKERS_OWN
    if advances:
        S.busy.matrix_bank[source] = 1 - bank
    return 0


def flip(S: View, thread: int, flip_src_a: int, flip_src_b: int) -> int:
    """End of an instruction: switch to the other bank; CLR_DVALID says if this one is given."""
    if not (flip_src_a or flip_src_b):
        return 0
    disabled = S.config.thread[thread, CLR_DVALID_WORD]
    late = late_by(S)
    for source in range(2):
        if flip_src_b if source else flip_src_a:
            leave(S, source, 0 if (disabled >> source) & 1 else 1, 1, late)
    return 0


def reset_banks(S: View) -> int:
    """CLEARDVALID.md, Reset: everything is the unpackers', and all sides are at bank 0."""
    reset_side(S, SRC_A)
    return reset_side(S, SRC_B)


def reset_side(S: View, source: int) -> int:
    """SrcA (0) or SrcB (1) alone, as SoftReset.md has it too."""
    S.busy.matrix_bank[source] = 0
    S.busy.unpack_bank[source] = 0
    S.busy.lag[source] = 0
    for i in range(LATEST):
        S.busy.flips[i] &= ~(3 << (2 * source))
    for bank in range(BANKS):
        S.busy.src_client[source, bank] = UNPACKERS_OWN
    return 0
