# SPDX-License-Identifier: Apache-2.0
"""Configuration that was written where nothing reads it is hinted at."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.gate.issued import UNPACKER, UNPACKER_1
from tensix_gdb.gdbstub.tensix.blocked.unread_config import MOST, unread_config
from tensix_gdb.gdbstub.tensix.blocked.why import deadlock_text
from tests.assembler import EBREAK, image
from tests.core.tensix.programs import push_all

FIELDS = config_fields(Arch.BLACKHOLE)
BASES = [FIELDS[f"THCON_SEC{unpacker}_REG3_Base_address"] for unpacker in range(2)]


@pytest.fixture
def tile() -> Machine:
    """Something has passed a gate."""
    machine = Machine(engine="reference")
    machine.load(T0, image([*push_all(["NOP"]), EBREAK], 0x1000))
    machine.run(100)
    assert machine.S.passed.count[0] == 1
    return machine


@pytest.mark.parametrize("used", [0, 1])
def test_the_other_unpacker(tile: Machine, used: int) -> None:
    other = 1 - used
    tile.S.passed.to_when[0, (UNPACKER, UNPACKER_1)[used]] = 7
    for bank in range(2):
        tile.S.config.word[bank, BASES[other].word] = 0x2100
    hint = (
        f"{BASES[other].name} is 0x2100 and nothing has read it, as unpacker {other} has got no "
        f"instruction; unpacker {used} reads {BASES[used].name}, which is 0"
    )
    assert unread_config(tile) == [hint]
    assert deadlock_text(tile).splitlines()[-1] == hint
    # Both are written: as a kernel does it that uses the other one later.
    tile.S.config.word[0, BASES[used].word] = 0x100
    assert unread_config(tile) == []


def test_the_other_bank(tile: Machine) -> None:
    tile.S.config.word[1, BASES[0].word] = 0x2100
    assert unread_config(tile) == [
        f"{BASES[0].name} (word {BASES[0].word}) is 0x2100 in bank 1, which no thread uses; in "
        "bank 0 it is 0"
    ]
    for word in range(64, 120):
        tile.S.config.word[1, word] = 1
    assert len(unread_config(tile)) == MOST


def test_nothing_is_wrong(tile: Machine) -> None:
    assert unread_config(tile) == []
    tile.S.config.word[0, BASES[0].word] = 0x2100
    tile.S.passed.to_when[0, UNPACKER] = 7
    assert unread_config(tile) == []


def test_a_tile_without_instructions() -> None:
    machine = Machine(engine="reference")
    machine.S.config.word[1, BASES[0].word] = 0x2100
    assert unread_config(machine) == []
