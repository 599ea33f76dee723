# SPDX-License-Identifier: Apache-2.0
"""Facts about chips that no page states, each with its chips and its source.

A constant here is a table that is indexed by `S.tile.chip`: 1 where the chip does it. So the
machine asks for a fact by its name, and a chip that differs is one row.
"""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Silicon:
    """A fact, the chips that have it, and the issue or pull request that tells it."""

    fact: str
    blackhole: bool
    wormhole: bool
    source: str


TABLE = {
    "scalar_stage": Silicon(
        "an instruction of the Scalar Unit can spend a cycle between wait gate and unit, in which "
        "the next instruction of its thread may pass",
        blackhole=True,
        wormhole=False,
        source="tt-isa-documentation#58, tt-llk#1661",
    ),
    "late_flip": Silicon(
        "wait gates and unpackers see that the Matrix Unit has left a bank of SrcA or SrcB one or "
        "two cycles after the instruction that leaves it",
        blackhole=True,
        wormhole=True,
        source="tt-metal#52256, tt-metal#55106",
    ),
    "rows_stay_undefined": Silicon(
        "rows of Dst that an unpacker writes in the cycle of a ZEROACC of the pack thread stay "
        "undefined",
        blackhole=True,
        wormhole=False,
        source="budabackend#2730, as llk_math_eltwise_unary_datacopy.h tells it",
    ),
}


def chips(name: str) -> tuple[int, int]:
    """Return the fact `name`, on Blackhole and on Wormhole."""
    return int(TABLE[name].blackhole), int(TABLE[name].wormhole)


SCALAR_STAGE = chips("scalar_stage")
LATE_FLIP = chips("late_flip")
ROWS_STAY_UNDEFINED = chips("rows_stay_undefined")
