# SPDX-License-Identifier: Apache-2.0
"""When a unit samples a field of the configuration that its instruction uses.

Blackhole's PACR.md has three classes and no list: some fields are sampled when the instruction
starts, some when one of the instructions under way starts, some at any time until it ends. UNPACR's
page has a time for the fields of which addresses are made. The rows are what a page, a comment in
Tenstorrent's headers or an issue says of a field. LATE is also for what LLK changes only after a
wait for the unit.

The Matrix and the Vector Unit sample when an instruction passes its gate and carry that along: so
say tt-llk#1683 and cmath_common.h, after a look at the design and runs on cards. They have no rows.
UNSPECIFIED(PACR.md, UNPACR_Regular.md): fields without a row; sampled at the gate.
"""

from __future__ import annotations

import enum

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields


class When(enum.Enum):
    """Times of the pages."""

    START = "when the instruction starts"
    FIRST_TWO_CYCLES = "in its first two cycles, in which its thread starts nothing else"
    LATE = "at any time until it ends"


@dataclass(frozen=True, slots=True)
class Sampled:
    """Fields, when they are sampled, and the source of that.

    `varies`: `random` and `exhaustive` do sample them late. Others of class LATE shape what is
    already under way, such as the width of a datum in a block that is half full, and no source says
    what becomes of it: they are sampled at the gate.
    """

    fields: tuple[str, ...]
    when: When
    source: str
    varies: bool = False


_PACK = ("THCON_SEC0_REG1", "THCON_SEC0_REG8", "THCON_SEC1_REG1", "THCON_SEC1_REG8")


def _sets(name: str) -> tuple[str, ...]:
    return tuple(f"{section}_{name}" for section in _PACK)


def _unpackers(*names: str) -> tuple[str, ...]:
    return tuple(name.format(unpacker) for name in names for unpacker in range(2))


PACR = (
    Sampled(_sets("L1_Dest_addr"), When.START, "cpack_common.h, program_packer_destination"),
    Sampled(
        tuple(f"DEST_TARGET_REG_CFG_PACK_SEC{i}_Offset" for i in range(4)),
        When.START,
        "WormholeB0 Packers/InputAddressGenerator.md",
    ),
    Sampled(
        ("PCK0_ADDR_CTRL_XY_REG_0_Ystride", "PCK0_ADDR_CTRL_ZW_REG_0_Zstride"),
        When.START,
        "tt-metal#48324",
    ),
    Sampled(_sets("Pack_L1_Acc"), When.LATE, "tt-llk#1384", varies=True),
    Sampled(
        ("STACC_RELU_ApplyRelu", "STACC_RELU_ReluThreshold"),
        When.LATE,
        "llk_pack_common.h",
        varies=True,
    ),
    Sampled(tuple(f"PCK_EDGE_OFFSET_SEC{i}_mask" for i in range(4)), When.LATE, "tt-metal#9370"),
    Sampled(
        (*_sets("In_data_format"), *_sets("Out_data_format"), "PCK_DEST_RD_CTRL_Read_32b_data"),
        When.LATE,
        "cpack_common.h, reconfig_packer_data_format",
    ),
)
UNPACR = (
    Sampled(
        _unpackers(
            "THCON_SEC{}_REG3_Base_address",
            "THCON_SEC{}_REG7_Offset_address",
            "THCON_SEC{}_REG0_TileDescriptor",
        ),
        When.FIRST_TWO_CYCLES,
        "UNPACR_Regular.md, Performance",
    ),
    Sampled(
        _unpackers("THCON_SEC{}_REG2_Ovrd_data_format"),
        When.START,
        "llk_unpack_AB_face_compressed_mm.h",
    ),
    Sampled(
        _unpackers("THCON_SEC{}_REG2_Out_data_format"),
        When.LATE,
        "llk_unpack_common.h",
        varies=True,
    ),
    Sampled(
        _unpackers("THCON_SEC{}_REG2_Haloize_mode", "THCON_SEC{}_REG2_Upsample_rate"),
        When.LATE,
        "llk_unpack_common.h",
    ),
)
WORDS = 224  # of a bank


def varying_bits(rows: tuple[Sampled, ...]) -> tuple[int, ...]:
    """Return for each word of the configuration the bits that are sampled late."""
    known = config_fields(Arch.BLACKHOLE)
    bits = [0] * WORDS
    for row in rows:
        for name in row.fields:
            if row.varies:
                bits[known[name].word] |= known[name].mask
    return tuple(bits)


LATE_IN_PACKER, LATE_IN_UNPACKERS = varying_bits(PACR), varying_bits(UNPACR)
