# SPDX-License-Identifier: Apache-2.0
"""The reciprocal of FP32 that LLK schedules by four macros, as cards compute it.

Five instructions a group of rows: y = arecip(x), e = 1 - x * y, t = e * e + e, t = t * e + e, at
most 1.0, then y * t + y. Dst keeps e, then y, until a later macro loads it.
"""

from __future__ import annotations

import struct

from tensix_gdb.core.machine import Machine
from tests.core.tensix.vector.macros import (
    FP32,
    MAD,
    SIMPLE,
    STORE,
    datum,
    fill,
    in_one_block,
    set_everywhere,
    step,
)

BY_INSTRUCTIONS = 0xF00 | 0xF0 | FP32  # each unit; a store has the load's format
E, T, Z, Y = range(4)  # LRegs
TEMPLATES = [
    "SFPARECIP vc=0, vd=12",
    "SFPMAD va=L0, vb=L0, vc=L0, vd=13",
    "SFPMAD va=L1, vb=L0, vc=L2, vd=14",
    "SFPSWAP vc=L10, vd=15, mod1=VEC_MIN_MAX",
]
SEQUENCES = [
    step(4, 0) << SIMPLE | step(3, 6, extra=True) << STORE,
    step(4, 0, extra=True) << SIMPLE | step(5, 2) << MAD | step(3, 2) << STORE,
    step(7, 2, by_vb=True) << SIMPLE | step(6, 0) << MAD,  # in the cycle before macro 0's store
    step(6, 1, by_vb=True) << MAD | step(3, 3) << STORE,
]
GROUPS = 4


def macro(index: int, lreg: int, group: int) -> str:
    return f"SFPLOADMACRO macro_index={index}, vd_lo={lreg}, mod0=FP32, imm9={group}"


def test_the_reciprocal_of_fp32(tile: Machine) -> None:
    """A macro without a store does not drop the store of another one that is due."""
    fill(tile)
    set_everywhere(tile, TEMPLATES, BY_INSTRUCTIONS)
    for column in range(8):
        for index, sequence in enumerate(SEQUENCES):
            tile.record.S.vector.sequence[index, column] = sequence
    error = "SFPMAD va=L0, vb=L3, vc=L10, vd=L0, mod1=1"  # 1 - x * y
    block = [macro(0, Y, 0), macro(2, T, GROUPS), macro(1, E, 0), error, "SFPNOP"]
    for group in range(1, GROUPS):
        before = group - 1
        block += [macro(0, Y, group), macro(2, T, before), macro(1, E, group), error]
        block += [macro(3, Z, before)]
    last = GROUPS - 1
    block += ["SFPNOP", macro(2, T, last), "SFPNOP", error, macro(3, Z, last), *["SFPNOP"] * 4]
    in_one_block(tile, *block)
    for row in range(8):
        for column in range(16):
            (found,) = struct.unpack("<f", datum(tile, row, column).to_bytes(4, "little"))
            assert abs(found * 1.5 * (row * 16 + column + 1) - 1) < 2**-23
