# SPDX-License-Identifier: Apache-2.0
"""The unit that is busy with instructions of each thread, and which may use the source banks.

It is what the conditions of STALLWAIT ask for (STALLWAIT.md, C1 to C9 and C11); the units write it.
A bank of SrcA or SrcB belongs to the unpackers or to the Matrix Unit (SrcASrcB.md); each side has a
pointer to the bank that it works on. `matrix_bank` is that of the Matrix Unit itself, which
executes in order. That it has left a bank *lands* a little later (regfiles/src.py): until then
`src_client` is as it was, and wait gates and unpackers take the bank from before for the unit's.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row

UNPACKERS = 2
UNPACKERS_OWN, MATRIX_OWNS = 0, 1
# What of a bank has to land, in two bits for SrcA and two for SrcB, and at most how late.
GIVES, ADVANCES = 1, 2
LATEST = 3

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
    row("lag",         "u8", 2,                    _A, "others see the other one as that bank"),
    row("flips",       "u8", LATEST,               _A, "GIVES, ADVANCES that land at the end of "
                                                       "this cycle, the next, ..."),
    row("landing",     "u8", (),                   _A, "cycles until all of them have landed"),
), chapter=Chapter.CONTROL)
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


def seen_bank(S: View, source: int) -> int:
    """Return the Matrix Unit's bank of SrcA (0) or SrcB (1), as wait gates and unpackers see it."""
    return S.busy.matrix_bank[source] ^ S.busy.lag[source]


def seems_to_lack(S: View, source: int) -> int:
    """The bank that others take for the Matrix Unit's is not its own."""
    return 1 if S.busy.src_client[source, seen_bank(S, source)] != MATRIX_OWNS else 0


def matrix_lacks(S: View, source: int) -> int:
    """The Matrix Unit's bank of SrcA (0) or SrcB (1) is not its own, as the unit itself knows."""
    if S.busy.src_client[source, S.busy.matrix_bank[source]] != MATRIX_OWNS:
        return 1
    return 1 if S.busy.landing and has_given(S, source) else 0


def has_given(S: View, source: int) -> int:
    """True if the Matrix Unit's bank is one that it has given back, which has not landed."""
    bank = seen_bank(S, source)
    for i in range(LATEST):
        flips = S.busy.flips[i] >> (2 * source)
        if flips & GIVES and bank == S.busy.matrix_bank[source]:
            return 1
        if flips & ADVANCES:
            bank = 1 - bank
    return 0


def land(S: View) -> int:
    """End of a cycle: all units see what lands now."""
    for source in range(2):
        flips = S.busy.flips[0] >> (2 * source)
        if flips & GIVES:
            S.busy.src_client[source, seen_bank(S, source)] = UNPACKERS_OWN
        if flips & ADVANCES:
            S.busy.lag[source] = 1 - S.busy.lag[source]
    for i in range(LATEST - 1):
        S.busy.flips[i] = S.busy.flips[i + 1]
    S.busy.flips[LATEST - 1] = 0
    S.busy.landing -= 1
    return 1


def c5(S: View, thread: int) -> int:
    """SrcA is not the unpackers'."""
    return unpackers_lack(S, 0)


def c6(S: View, thread: int) -> int:
    """SrcB is not the unpackers'."""
    return unpackers_lack(S, 1)


def c7(S: View, thread: int) -> int:
    """SrcA is not the Matrix Unit's."""
    return seems_to_lack(S, 0)


def c8(S: View, thread: int) -> int:
    """SrcB is not the Matrix Unit's."""
    return seems_to_lack(S, 1)


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
