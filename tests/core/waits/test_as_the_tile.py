# SPDX-License-Identifier: Apache-2.0
"""The models that explain waits, against the tile that executes them: written apart."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.gate import wait_gate
from tensix_gdb.core.tensix.instruction import Catch
from tensix_gdb.core.tensix.table import FIRST, ROWS, by_mnemonic
from tensix_gdb.core.waits.tensix import Activity, TensixWait, decode

THREAD = 1
BLOCKS = st.integers(0, 0x1FF)


def latched(wait: TensixWait) -> Any:
    """The record of a tile whose thread has just executed this wait."""
    S = Record(LAYOUT).S
    (row,) = by_mnemonic(Arch.BLACKHOLE)[wait.row.mnemonic]
    assert row.function is not None
    assert row.function(S, THREAD, *wait.fields().values()) == 0
    return S


def wait_of(mnemonic: str, **fields: int) -> TensixWait:
    (row,) = by_mnemonic(Arch.BLACKHOLE)[mnemonic]
    return decode(row.encoding.encode(**fields))


@given(BLOCKS, st.integers(0, 0x1FFF))
def test_stallwait_latches_what_is_explained(block: int, conditions: int) -> None:
    wait = wait_of("STALLWAIT", block_mask=block, condition_mask=conditions)
    S = latched(wait)
    assert S.latch.conditions[THREAD] == wait.condition_mask()
    assert S.latch.block[THREAD] == wait.block_mask


@pytest.mark.parametrize("mnemonic", ["STALLWAIT", "SEMWAIT", "STREAMWAIT"])
@given(st.data())
def test_both_catch_the_same(mnemonic: str, data: st.DataObject) -> None:
    (row,) = by_mnemonic(Arch.BLACKHOLE)[mnemonic]
    fields = {name: 1 for name in row.encoding.fields} | {"block_mask": data.draw(BLOCKS)}
    wait = wait_of(mnemonic, **fields)
    S = latched(wait)
    for number, other in enumerate(ROWS, FIRST):
        if Arch.BLACKHOLE in other.arch and other.gate is not Catch.NEVER:
            caught = wait.catches(other.encoding.match)
            assert bool(wait_gate.blocked_by_mask(S, THREAD, number)) is caught, other.name


@given(
    st.integers(0, 0xFF),
    st.integers(1, 3),
    st.lists(st.tuples(st.integers(0, 15), st.integers(0, 15)), min_size=8, max_size=8),
)
def test_semwait_waits_as_explained(
    chosen: int, conditions: int, semaphores: list[tuple[int, int]]
) -> None:
    wait = wait_of("SEMWAIT", block_mask=1, semaphore_mask=chosen, condition_mask=conditions)
    S = latched(wait)
    for number, (value, largest) in enumerate(semaphores):
        S.semaphore.value[number], S.semaphore.max[number] = value, largest
    state = Activity(semaphores=[list(one) for one in semaphores])
    assert bool(wait_gate.waits(S, THREAD)) is bool(wait.blocked(state))
