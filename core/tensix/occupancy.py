# SPDX-License-Identifier: Apache-2.0
"""Which unit is busy with instructions of which thread, and which may use the source banks.

It is what the conditions of STALLWAIT ask for (STALLWAIT.md, C1 to C9 and C11); the units write it.
A bank of SrcA or SrcB belongs to the unpackers or to the Matrix Unit (SrcASrcB.md); each side has a
pointer to the bank that it works on.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.record.layout import Part, Tag, View, row

UNPACKERS = 2
UNPACKERS_OWN, MATRIX_OWNS = 0, 1

_A = Tag.ARCHITECTURAL

# fmt: off
OCCUPANCY = Part("busy", (
    row("unpacker",    "u8", (UNPACKERS, THREADS), _A, "instructions in the pipeline"),
    row("packer",      "u8", THREADS,              _A, "instructions in the pipeline"),
    row("matrix",      "u8", THREADS,              _A, "instructions in the pipeline"),
    row("vector",      "u8", THREADS,              _A, "instructions in the pipeline"),
    row("mover",       "u8", (),                   _A, "memory requests outstanding"),
    row("src_client",  "u8", (2, 2),               _A, "[SrcA or SrcB, bank]: its client"),
    row("unpack_bank", "u8", 2,                    _A, "the unpackers' bank of SrcA, SrcB"),
    row("matrix_bank", "u8", 2,                    _A, "the Matrix Unit's bank of SrcA, SrcB"),
))
# fmt: on


def c1(S: View, thread: int) -> int:
    """Unpacker 0 has an instruction of the thread."""
    return S.busy.unpacker[0, thread]


def c2(S: View, thread: int) -> int:
    """Unpacker 1 has an instruction of the thread."""
    return S.busy.unpacker[1, thread]


def c3(S: View, thread: int) -> int:
    """The packer has an instruction of the thread."""
    return S.busy.packer[thread]


def c4(S: View, thread: int) -> int:
    """The Matrix Unit has an instruction of the thread."""
    return S.busy.matrix[thread]


def unpackers_lack(S: View, source: int) -> int:
    """The unpackers' bank of SrcA (0) or SrcB (1) is not theirs."""
    return 1 if S.busy.src_client[source, S.busy.unpack_bank[source]] != UNPACKERS_OWN else 0


def matrix_lacks(S: View, source: int) -> int:
    """The Matrix Unit's bank of SrcA (0) or SrcB (1) is not its own."""
    return 1 if S.busy.src_client[source, S.busy.matrix_bank[source]] != MATRIX_OWNS else 0


def c5(S: View, thread: int) -> int:
    """SrcA is not the unpackers'."""
    return unpackers_lack(S, 0)


def c6(S: View, thread: int) -> int:
    """SrcB is not the unpackers'."""
    return unpackers_lack(S, 1)


def c7(S: View, thread: int) -> int:
    """SrcA is not the Matrix Unit's."""
    return matrix_lacks(S, 0)


def c8(S: View, thread: int) -> int:
    """SrcB is not the Matrix Unit's."""
    return matrix_lacks(S, 1)


def c9(S: View, thread: int) -> int:
    """True if the mover has memory requests, of any thread."""
    return S.busy.mover


def in_units(S: View, thread: int) -> int:
    """Instructions of the thread in the unpackers, the packer, the Matrix and the Vector Unit."""
    return (
        S.busy.unpacker[0, thread]
        + S.busy.unpacker[1, thread]
        + S.busy.packer[thread]
        + S.busy.matrix[thread]
        + S.busy.vector[thread]
    )
