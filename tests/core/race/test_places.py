# SPDX-License-Identifier: Apache-2.0
"""A cell of the shadow is a place that can be typed: what a report prints names the state of it."""

from __future__ import annotations

import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.places.place import text
from tensix_gdb.core.places.state import read
from tensix_gdb.core.places.words import parse
from tensix_gdb.core.race import fields
from tensix_gdb.core.race.findings import State
from tensix_gdb.core.race.places import place

# The first cell of each kind, and what it is with the lowest bit of its mask.
KINDS = (
    (fields.L1_CELLS + 0x2100, 1 << 2, "L1 0x21002"),
    (fields.CONFIG_CELLS + 76, 1, "cfg THCON_SEC0_REG3_Base_address 0"),
    (fields.THREAD_CONFIG_CELLS, 1, "cfg CFG_STATE_ID_StateID T0"),
    (fields.GPR_CELLS + 69, 1, "gpr T1 5"),
    (fields.MOP_CELLS + 1, 0b110, "mop T1 1-2"),
    (fields.TDMA_CELLS + 7, 1, "mmio B 0xffb1101c"),
    (fields.SEMAPHORE_CELLS + 3, 1, "sem 3"),
    (fields.LOCAL_CELLS + fields.LOCAL_LINES + 1, 1, "local T0 0xffb00010"),
    (fields.DST_CELLS + 2, 1 << 2, "dst 17"),
    (fields.SRC_CELLS + 3, 1, "src b 1"),
    (fields.POINTER_CELLS + 1, 1, "src b"),
    (fields.LREG_CELLS, 1, "lreg 0-16"),
    (fields.ADC_CELLS + 9, 1, "adc T1 UNP1"),
    (fields.FIFO_CELLS + 2, 1, "fifo.word[2]"),
)


@pytest.mark.parametrize(("cell", "mask", "words"), KINDS)
def test_what_a_report_prints_can_be_typed(cell: int, mask: int, words: str) -> None:
    assert place(cell, mask).words == words


@pytest.mark.parametrize("arch", [Arch.BLACKHOLE, Arch.WORMHOLE])
def test_every_cell_is_a_place_of_the_machine(arch: Arch) -> None:
    machine = Machine(engine="reference", arch=arch)
    cells = [*range(0, fields.CONFIG_CELLS, 999), *range(fields.CONFIG_CELLS, fields.CELLS, 7)]
    for cell in cells:
        found = place(cell, 1, arch)
        named = parse(found.words.split())
        assert parse(text(named).split()) == named
        # The shadow has room for more than each chip and hart has.
        if found.state not in (State.TDMA, State.LOCAL) and arch is Arch.BLACKHOLE:
            assert read(machine, named)
    machine.close()


def test_a_cell_of_several_fields_names_the_first() -> None:
    found = place(fields.CONFIG_CELLS + 1, 0xFFFFFFFF)
    assert found.words.startswith("cfg ALU_")
    assert " more fields (word 1)" in found.name
