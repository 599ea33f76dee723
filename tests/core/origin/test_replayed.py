# SPDX-License-Identifier: Apache-2.0
"""A replayed instruction has the line where it was recorded, if the code says which that is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1
from tensix_gdb.core.assembly.program import assemble
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.replayed import recorded_at

START = 0x6000
CODE = """
    .ttinsn REPLAY index=4, count=4, exec=1, load=1
    .ttinsn SFPLOADI lreg_ind=1, instr_mod0=2, imm16=1
    .word 0x00000013
    .ttinsn SFPNOP
    .ttinsn SFPNOP
    .ttinsn SFPLOADI lreg_ind=1, instr_mod0=2, imm16=4
    .ttinsn REPLAY index=4, count=4
    .ttinsn REPLAY index=4, count=1
    .ttinsn REPLAY index=0, count=4
    .ttinsn SFPNOP
"""
ITEMS = assemble(CODE).items
FIRST, NOP, LAST, MOP = ITEMS[1].tensix, ITEMS[3].tensix, ITEMS[5].tensix, 0x01000000
PLAYED, FIRST_ALONE, OTHER, NONE = (START + 4 * number for number in (6, 7, 8, 9))


@pytest.fixture
def machine() -> Machine:
    data = b"".join(item.word.to_bytes(4, "little") for item in ITEMS)
    segment = SimpleNamespace(addr=START, data=data)
    images = [SimpleNamespace(hart=T1, segments=[segment])]
    return cast(Machine, SimpleNamespace(images=images))


@pytest.mark.parametrize(
    ("hart", "pc", "word", "at"),
    [
        (T1, PLAYED, FIRST, START + 4),
        (T1, PLAYED, LAST, START + 20),
        (T1, PLAYED, NOP, None),  # one of two
        (T1, PLAYED, MOP, None),  # not recorded
        (T1, FIRST_ALONE, FIRST, START + 4),
        (T1, FIRST_ALONE, LAST, None),  # not among what is played
        (T1, OTHER, FIRST, None),  # other entries, which this code does not record
        (T1, NONE, NOP, None),  # no REPLAY
        (T1, START + 20, LAST, None),  # nor is this one: it is recorded
        (T1, START, FIRST, None),  # it records, and plays nothing
        (T1, 0x9000, FIRST, None),
        (T0, PLAYED, FIRST, None),
    ],
)
def test_where_an_instruction_was_recorded(
    machine: Machine, hart: int, pc: int, word: int, at: int | None
) -> None:
    assert recorded_at(machine, hart, pc, word) == at
