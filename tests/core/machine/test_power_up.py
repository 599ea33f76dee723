# SPDX-License-Identifier: Apache-2.0
"""The state at power-up is computed once for each layout and chip, and put in from there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tensix_gdb.core.devices import blocks
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import machine
from tensix_gdb.core.machine.machine import Machine
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.schedule import Schedule

ONES = 0xFF


@pytest.mark.parametrize("arch", Arch)
def test_it_is_what_the_blocks_compute(arch: Arch) -> None:
    computed, put = Record(LAYOUT), Record(LAYOUT)
    for record in (computed, put):
        record.S.tile.chip = arch.chip
    blocks.compute(computed.S)
    blocks.power_up(put)
    assert computed.diff(put) == []
    assert put.S.vector.lreg[10, 0]


@pytest.mark.parametrize("arch", Arch)
def test_it_touches_nothing_that_is_derived(arch: Arch) -> None:
    """So what is put in is all of it: copies of the state have no rows that are derived."""
    record = Record(LAYOUT)
    derived = record.raw()[LAYOUT.state_size :]
    derived[:] = bytes([ONES]) * len(derived)
    record.S.tile.chip = arch.chip
    blocks.compute(record.S)
    assert bytes(derived) == bytes([ONES]) * len(derived)


@pytest.mark.parametrize("arch", Arch)
def test_a_reset_is_as_a_start(arch: Arch) -> None:
    fresh, used = (Machine(engine="reference", arch=arch) for _ in range(2))
    used.S.l1.word[64] = 0x1234
    used.S.vector.lreg[10, 0] = 5
    used.reset()
    assert fresh.record.diff(used.record) == []
    fresh.close()
    used.close()


@pytest.mark.parametrize("arch", Arch)
@pytest.mark.parametrize("text", ["sc", "latency", "random:4", "random:4,strict"])
def test_a_tile_like_one_before_it_begins_as_if_it_were_the_first(
    text: str, arch: Arch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All bytes are equal, those of derived rows too, and the seed is the tile's own."""

    def made(seed: int) -> Machine:
        execution = replace(Execution.parse(text), seed=seed)
        return Machine(engine="reference", schedule=execution, arch=arch)

    monkeypatch.setattr(machine, "_new_records", {})
    first, like = made(4), made(5)
    assert bool(machine._new_records) is (first.execution.schedule is not Schedule.RANDOM)
    monkeypatch.setattr(machine, "_new_records", {})
    alone = made(5)
    assert like.record.raw() == alone.record.raw()
    assert first.record.raw() != alone.record.raw()
    for each in (first, like, alone):
        each.close()
