# SPDX-License-Identifier: Apache-2.0
"""SrcA and SrcB: two banks each of 64 rows of 16 datums of 19 bits (SrcASrcB.md).

A bank belongs to the unpackers or to the Matrix Unit, and each side has a pointer to the bank that
it works on (`S.busy`, occupancy.py). Handing a bank over moves the pointer of the side that gives.
Nobody else writes these pointers:

    give_to_matrix      the unpackers' bank: SETDVALID, UNPACR, UNPACR_NOP
    give_to_unpackers   the Matrix Unit's: CLEARDVALID
    flip                the same at the end of an instruction with FlipSrcA, FlipSrcB

A datum is Sign, Man (10 bits), Exp (8 bits) from bit 18 down: TF32; BF16 has the low three bits of
Man zero; FP16 and Integer "8" have the low five bits of Exp only; Integer "16" is in bits 18:11 and
7:0.

An unpacker that hands a bank over leaves its OutDataFormat with it. On Blackhole that is the format
of the bank (`src.format`) to the Matrix Unit, unless the thread has DISABLE_IMPLIED_SRCA_FMT or
DISABLE_IMPLIED_SRCB_FMT set: then ALU_FORMAT_SPEC says it, as always on Wormhole.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.tensix.occupancy import MATRIX_OWNS, UNPACKERS_OWN

SRC_A, SRC_B = 0, 1
BANKS, ROWS, COLUMNS = 2, 64, 16
SOFT_RESET_SRC_A = 15  # bit of SOFT_RESET_0; that of SrcB is the next one
DATUM = 0x7FFFF  # all bits of a datum; also SrcA's negative infinity (ZEROSRC.md)

_A = Tag.ARCHITECTURAL

# fmt: off
SRC = Part("src", (
    row("a",          "u32", (BANKS, ROWS, COLUMNS), _A, "SrcA"),
    row("b",          "u32", (BANKS, ROWS, COLUMNS), _A, "SrcB"),
    row("unpack_row", "u8",  (2, THREADS),           _A, "Unpackers[i].SrcRow[thread]"),
    row("format",     "u8",  (2, BANKS),             _A, "[SrcA or SrcB, bank]: see below"),
    row("last_a_row", "u8",  (),                     _A, "what SHIFTXA's HardwareBug() gives"),
))
# fmt: on

_FIELDS = config_fields(Arch.BLACKHOLE)
# ThreadConfig: where the unpackers start in a bank, in units of 16 rows.
SET_BASE_WORDS = tuple(_FIELDS[f"SRC{x}_SET_Base"].word for x in "AB")
CLR_DVALID_WORD = _FIELDS["CLR_DVALID_SrcA_Disable"].word
assert _FIELDS["CLR_DVALID_SrcB_Disable"].word == CLR_DVALID_WORD
assert _FIELDS["SRCA_SET_Base"].mask == _FIELDS["SRCB_SET_Base"].mask == 3


def set_base(S: View, thread: int, source: int) -> int:
    """The first row that the unpackers write for the thread."""
    return (S.config.thread[thread, SET_BASE_WORDS[source]] & 3) << 4


def is_held(S: View, source: int) -> int:
    """SoftReset.md: while this bit is set, nothing changes whose SrcA (0) or SrcB (1) is."""
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


def give_to_unpackers(S: View, source: int) -> int:
    """The Matrix Unit's bank of SrcA (0) or SrcB (1) becomes the unpackers'."""
    if is_held(S, source):
        return 0
    bank = S.busy.matrix_bank[source]
    S.busy.src_client[source, bank] = UNPACKERS_OWN
    S.busy.matrix_bank[source] = 1 - bank
    return 0


def flip(S: View, thread: int, flip_src_a: int, flip_src_b: int) -> int:
    """End of an instruction: go on with the other bank; CLR_DVALID says whether this one is given.

    UNSPECIFIED(MVMUL.md): when an unpacker that waits for the bank sees it as its own; at once,
    although the instruction still has some cycles to go.
    """
    disabled = S.config.thread[thread, CLR_DVALID_WORD]
    for source in range(2):
        if flip_src_b if source else flip_src_a:
            if not (disabled >> source) & 1:
                give_to_unpackers(S, source)
            elif not is_held(S, source):
                S.busy.matrix_bank[source] = 1 - S.busy.matrix_bank[source]
    return 0


def reset_banks(S: View) -> int:
    """CLEARDVALID.md, Reset: everything is the unpackers', and all sides are at bank 0."""
    reset_side(S, SRC_A)
    return reset_side(S, SRC_B)


def reset_side(S: View, source: int) -> int:
    """SrcA (0) or SrcB (1) alone, as SoftReset.md has it too."""
    S.busy.matrix_bank[source] = 0
    S.busy.unpack_bank[source] = 0
    for bank in range(BANKS):
        S.busy.src_client[source, bank] = UNPACKERS_OWN
    return 0
