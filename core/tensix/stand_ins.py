# SPDX-License-Identifier: Apache-2.0
"""Timing of the data instructions without their data, for litmus programs (`stand_in.enabled`).

A program about order needs to know when UNPACR, PACR and MVMUL are in their unit, which
configuration they have seen and whose the source banks are, and no numbers. So each of them leaves
a mark: what it has seen, and when it is done. Outside litmus runs they are faults by name.

    UNPACR   seen: THCON_SECn_REG3_Base_address of its unpacker and context; waits in the unpacker
             for its bank
    MVMUL    waits for both banks; done: one more in `matrix_done`, in the first datum of Dst too
    PACR     done: one more in `packed`, in the word of L1 at `pack_to` too
"""

from core.isa.architecture import Arch
from core.isa.config_words import config_fields
from core.layout import Part, Tag, View, row
from core.memory.ram import l1_write
from core.schedule import due_in, late
from core.tensix.config import bank_of
from core.tensix.occupancy import unpackers_lack
from core.tensix.src import give_to_matrix
from core.tensix.table import FIRST, ROWS

UNPACK_CYCLES, PACK_CYCLES, MATRIX_CYCLES = 8, 8, 5  # order is what matters

_A, _T = Tag.ARCHITECTURAL, Tag.TIMING

# fmt: off
STAND_IN = Part("stand_in", (
    row("enabled",     "u8",  (), _A, "this is a litmus run"),
    row("unpacking",   "u8",  2,  _A, "1 + thread of the instruction in each unpacker"),
    row("unpack_flip", "u8",  2,  _A, "it hands its bank over when done"),
    row("unpack_due",  "i64", 2,  _T, "earliest cycle in which it is done"),
    row("unpack_seen", "u32", 2,  _A, "base address that the last one has used"),
    row("unpacked",    "u8",  2,  _A, "how many are done"),
    row("packing",     "u8",  (), _A, "1 + thread of the instruction in the packer"),
    row("pack_due",    "i64", (), _T, "earliest cycle in which it is done"),
    row("packed",      "u8",  (), _A, "how many are done"),
    row("pack_to",     "u32", (), _A, "where that is written; 0: nowhere"),
    row("matrix",      "u8",  (), _A, "1 + thread of the instruction in the Matrix Unit"),
    row("matrix_due",  "i64", (), _T, "earliest cycle in which it is done"),
    row("matrix_done", "u8",  (), _A, "how many are done"),
    row("matrix_seen", "u32", (), _A, "ALU_FORMAT_SPEC_REG0 word that the last one has used"),
))
# fmt: on

_FIELDS = config_fields(Arch.BLACKHOLE)
BASE_WORDS = tuple(_FIELDS[f"THCON_SEC{i}_REG3_Base_address"].word for i in range(2))
FORMAT_WORD = _FIELDS["ALU_FORMAT_SPEC_REG0_SrcA"].word
CONTEXT = 10  # first bit of UNPACR: which base address
NONE, UNPACK, PACK, MULTIPLY = range(4)
_KINDS = {
    "UNPACR.Regular": UNPACK,
    "PACR": PACK,
    "MVMUL": MULTIPLY,
}
STANDS_IN = (*(NONE,) * FIRST, *(_KINDS.get(row.name, NONE) for row in ROWS))
FLIP = 6  # bit of UNPACR: hand the bank over


def may_start(S: View, number: int, word: int) -> int:
    """Gate: does the unit take it?"""
    match STANDS_IN[number]:
        case 1:
            return 1 if S.stand_in.unpacking[(word >> 23) & 1] == 0 else 0
        case 2:
            return 1 if S.stand_in.packing == 0 else 0
        case 3:
            return 1 if S.stand_in.matrix == 0 else 0
    return 1


def execute(S: View, thread: int, number: int, word: int) -> int:
    """The instruction enters its unit."""
    match STANDS_IN[number]:
        case 1:
            unpacker = (word >> 23) & 1
            S.stand_in.unpacking[unpacker] = thread + 1
            S.stand_in.unpack_flip[unpacker] = (word >> FLIP) & 1
            S.stand_in.unpack_due[unpacker] = due_in(S, UNPACK_CYCLES)
            bank = bank_of(S, thread)
            base = BASE_WORDS[unpacker] + ((word >> CONTEXT) & 3)
            S.stand_in.unpack_seen[unpacker] = S.config.word[bank, base]
            S.busy.unpacker[unpacker, thread] += 1
        case 2:
            S.stand_in.packing = thread + 1
            S.stand_in.pack_due = due_in(S, PACK_CYCLES)
            S.busy.packer[thread] += 1
        case _:
            S.stand_in.matrix = thread + 1
            S.stand_in.matrix_due = due_in(S, MATRIX_CYCLES)
            S.stand_in.matrix_seen = S.config.word[bank_of(S, thread), FORMAT_WORD]
            S.busy.matrix[thread] += 1
    return 0


def step(S: View) -> int:
    """One cycle of the units; 1 if anything moved."""
    moved = 0
    for unpacker in range(2):
        thread = S.stand_in.unpacking[unpacker] - 1
        if thread < 0 or unpackers_lack(S, unpacker) or late(S, S.stand_in.unpack_due[unpacker]):
            continue
        if S.stand_in.unpack_flip[unpacker]:
            give_to_matrix(S, unpacker)
        S.stand_in.unpacking[unpacker] = 0
        S.stand_in.unpack_flip[unpacker] = 0
        S.stand_in.unpacked[unpacker] += 1
        S.busy.unpacker[unpacker, thread] -= 1
        moved = 1
    if S.stand_in.packing and not late(S, S.stand_in.pack_due):
        S.busy.packer[S.stand_in.packing - 1] -= 1
        S.stand_in.packing = 0
        S.stand_in.packed += 1
        if S.stand_in.pack_to:
            l1_write(S, S.stand_in.pack_to, S.stand_in.packed, 4)
        moved = 1
    if S.stand_in.matrix and not late(S, S.stand_in.matrix_due):
        S.busy.matrix[S.stand_in.matrix - 1] -= 1
        S.stand_in.matrix = 0
        S.stand_in.matrix_done += 1
        S.dst.bits[0, 0] = S.stand_in.matrix_done
        moved = 1
    return moved
