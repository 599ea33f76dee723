# SPDX-License-Identifier: Apache-2.0
"""The firmware's start of the Vector Unit and Dst, and the rest of that."""

from __future__ import annotations

import pytest

from tensix_gdb.core.machine import Machine
from tests.core.tensix.drive import ends
from tests.core.tensix.vector.pages import bits


def lreg(machine: Machine, number: int) -> list[int]:
    return [int(machine.record.S.vector.lreg[number, lane]) for lane in range(32)]


@pytest.mark.parametrize(
    ("mode", "constant", "expected"),
    [
        ("FLOATB", 0xBF80, bits(-1.0)), ("FLOATA", 0x3C00, bits(1.0)), ("USHORT", 0xFFFE, 0xFFFE),
        ("SHORT", 0xFFFE, 0xFFFFFFFE), ("UPPER", 0x1234, 0x1234CDEF), ("LOWER", 0x1234, 0x89AB1234),
    ],
)  # fmt: skip
def test_sfploadi(tile: Machine, mode: str, constant: int, expected: int) -> None:
    for lane in range(32):
        tile.record.S.vector.lreg[3, lane] = 0x89ABCDEF
    ends(tile, f"SFPLOADI vd=L3, mod0={mode}, imm16={constant:#x}")
    assert lreg(tile, 3) == [expected] * 32


def test_as_the_firmware_begins(tile: Machine) -> None:
    ends(
        tile,
        "ZEROACC clear_mode=ALL_OF_DST",
        "SFPENCC imm2=E|R, vd=L0, mod1=EI|RI",
        "NOP",
        "SFPLOADI vd=L0, mod0=FLOATB, imm16=0xbf80",
        "SFPCONFIG vd=L11",
    )
    assert lreg(tile, 11) == [bits(-1.0)] * 32
    S = tile.record.S
    assert S.vector.use_flags == S.vector.flags == 0xFFFFFFFF
    assert all(S.dst.undefined[i] == 0xFFFF for i in range(1024))


def test_half_of_dst(tile: Machine) -> None:
    ends(tile, "ZEROACC clear_mode=HALF_OF_DST, imm10=1")
    S = tile.record.S
    assert [int(S.dst.undefined[i]) for i in (0, 511, 512, 1023)] == [0, 0, 0xFFFF, 0xFFFF]


def test_disabled_lanes_keep_what_they_have(tile: Machine) -> None:
    S = tile.record.S
    S.vector.use_flags = 0x55555555
    for column in range(8):
        S.vector.config[column] = 1 << (12 + 3)  # ROW_MASK: the last row
    ends(tile, "SFPLOADI vd=L1, mod0=USHORT, imm16=7")
    assert lreg(tile, 1) == [7 if i % 2 and i < 24 else 0 for i in range(32)]


def test_sfpconfig(tile: Machine) -> None:
    ends(
        tile,
        "SFPCONFIG imm16=0x15, vd=LANE_CONFIG, mod1=IMM16_IS_VALUE",
        "SFPCONFIG imm16=0x40, vd=LANE_CONFIG, mod1=IMM16_IS_VALUE|BITWISE_OR",
        "SFPCONFIG imm16=0x10, vd=LANE_CONFIG, mod1=IMM16_IS_VALUE|BITWISE_XOR",
        "SFPCONFIG imm16=0xabc, vd=MISC, mod1=IMM16_IS_VALUE",
        "SFPCONFIG vd=L12, mod1=IMM16_IS_VALUE",
        "SFPLOADI vd=L0, mod0=USHORT, imm16=9",
        "SFPCONFIG vd=SEQUENCE2",
        "SFPCONFIG imm16=0x4, vd=SEQUENCE1, mod1=IMM16_IS_LANE_MASK",
    )
    S = tile.record.S
    assert S.vector.config[7] == 0x45
    assert S.vector.misc[5] == 0xABC
    assert lreg(tile, 12) == [bits(1 / 512)] * 32
    assert S.vector.sequence[2, 1] == 9
    assert [int(S.vector.sequence[1, column]) for column in range(8)] == [0, 9, *[0] * 6]


def test_a_high_vd_is_a_template(tile: Machine) -> None:
    ends(tile, "SFPLOADI vd=13, mod0=USHORT, imm16=9")
    assert tile.record.S.vector.template[1, 4] == 0x71D20009


def test_constants(tile: Machine) -> None:
    assert lreg(tile, 8) == [bits(0.8373)] * 32
    assert lreg(tile, 9) == [0] * 32
    assert lreg(tile, 10) == [bits(1.0)] * 32
    assert [lreg(tile, number)[0] for number in range(11, 15)] == [
        *(bits(-1.0), bits(1 / 512), bits(-0.67487759), bits(-0.34484843)),
    ]
    assert lreg(tile, 15) == [2 * lane for lane in range(32)]
