# SPDX-License-Identifier: Apache-2.0
"""Fields of relocated instructions, and what cannot be moved."""

from __future__ import annotations

import pytest

from tensix_gdb.core.program.relocate import Kind, Relocation, RelocationError, relocate
from tests.assembler import asm

LUI, LUI_MOVED = asm("lui", rd=5, imm=0x1000), asm("lui", rd=5, imm=0x22000)
ADDI, ADDI_MOVED = (asm("addi", rd=5, rs1=5, imm=imm) for imm in (0x234, 0xA34 - 0x1000))
SW, SW_MOVED = (asm("sw", rs1=5, rs2=6, imm=imm) for imm in (0x234, 0xA34 - 0x1000))
JAL, AUIPC = asm("jal", imm=16), asm("auipc", rd=5)

# fmt: off
CASES = [
    # kind, the word, its target, does that move, the word when the code moves by 0x20800
    (Kind.WORD,       0x1234,     0x1234,     True,  0x21A34),
    (Kind.WORD,       0xFFB00000, 0xFFB00000, False, 0xFFB00000),
    (Kind.HI20,       LUI,        0x1234,     True,  LUI_MOVED),
    (Kind.HI20,       LUI,        0x1234,     False, LUI),
    (Kind.LO12_I,     ADDI,       0x1234,     True,  ADDI_MOVED),
    (Kind.LO12_S,     SW,         0x1234,     True,  SW_MOVED),
    (Kind.JAL,        JAL,        0x1010,     True,  JAL),
    (Kind.PCREL_HI20, AUIPC,      0x1010,     True,  AUIPC),
]
# fmt: on
HERE, BIAS = 0x1000, 0x20800


@pytest.mark.parametrize(("kind", "word", "target", "moves", "then"), CASES)
def test_one_word(kind: Kind, word: int, target: int, moves: bool, then: int) -> None:
    memory = {HERE: word}
    one = Relocation(kind, HERE, target, moves)
    relocate([one], BIAS, memory.__getitem__, memory.__setitem__)
    assert memory == {HERE: then}


def test_what_is_reached_relatively_and_stays() -> None:
    """auipc and addi to local RAM, from 0x20800 bytes further on."""
    target, low = 0xFFB00010, HERE + 4
    memory = {
        HERE: asm("auipc", rd=5, imm=-0x501000),
        low: asm("addi", rd=5, rs1=5, imm=0x10),
    }
    pair = [
        Relocation(Kind.PCREL_HI20, HERE, target, False),
        Relocation(Kind.PCREL_LO12_I, low, HERE, True),
    ]
    relocate(pair, BIAS, memory.__getitem__, memory.__setitem__)
    upper, lower = memory[HERE] & 0xFFFFF000, memory[low] >> 20
    lower -= (lower & 0x800) << 1
    assert (HERE + BIAS + upper + lower) & 0xFFFFFFFF == target


def test_a_jump_to_what_stays() -> None:
    with pytest.raises(RelocationError, match="jump at 0x00001000 goes to 0x00000010"):
        relocate([Relocation(Kind.CALL, HERE, 0x10, False)], BIAS, lambda _: 0, lambda *_: None)
