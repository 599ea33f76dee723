# SPDX-License-Identifier: Apache-2.0
"""The fast way of a hart that is alone passes through the same cycles as the general one.

The oracle is `tick_timed` on the reference engine, one cycle after the other. The record of a whole
run on the compiled engine has to be equal to the byte, wherever the run ends: in L1, in local RAM,
with pushes to the coprocessor and other devices on the way.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.clock import timed as timed_clock
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tests.assembler import EBREAK, image
from tests.core.riscv.random_streams import DATA, POINTER, START, state, stream
from tests.core.tensix.programs import ttinsn
from tests.forms import rounds
from tests.machines import machine_on

LOCAL, GPRS, CONFIG = 0xFFB00000, 0xFFE00000, 0xFFEF0000 + 4 * 64
PUSHES = tuple(
    ttinsn(text)
    for text in (
        "NOP",
        "SETDMAREG new_value=5, result_half_reg=2",
        "ADDDMAREG result_reg=2, right_reg=0, left_reg=1",
        "STALLWAIT block=B5, wait=C10",
        "RDCFG result_reg=4, cfg_index=70",
    )
)
Pair = tuple[Machine, Machine]


@pytest.fixture(scope="module", params=["latency", "random"])
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    schedule = Schedule[request.param.upper()]
    slow, fast = machine_on("reference", schedule), machine_on("compiled", schedule)
    yield slow, fast
    slow.close()
    fast.close()


def begin(machine: Machine, words: list[int], registers: list[int], pointer: int) -> None:
    machine.images.clear()
    machine.reset()
    machine.load(T0, image([*words, EBREAK], START))
    for number, value in enumerate(registers, 1):
        machine.write_x(T0, number, pointer if number == POINTER else value)


@settings(max_examples=rounds(15, 40), deadline=None)
@given(
    stream(),
    st.lists(st.tuples(st.integers(0, 60), st.sampled_from(PUSHES)), max_size=4),
    state,
    st.sampled_from([DATA, LOCAL, LOCAL, GPRS, CONFIG]),
    st.integers(1, 160),
)
def test_a_run_is_its_cycles(
    pair: Pair,
    words: list[int],
    pushes: list[tuple[int, int]],
    registers: list[int],
    pointer: int,
    cycles: int,
) -> None:
    slow, fast = pair
    words = list(words)
    for at, word in pushes:
        words[at % len(words)] = word
    for machine in pair:
        begin(machine, words, registers, pointer)
    slow.S.stop.kind = StopKind.NONE
    while slow.S.tile.cycle < cycles and slow.S.stop.kind == StopKind.NONE:
        timed_clock.tick_timed(slow.S, 0)
    fast.run(int(slow.S.tile.cycle) if slow.S.stop.kind == StopKind.NONE else cycles)
    assert fast.S.tile.cycle == slow.S.tile.cycle
    assert fast.hash() == slow.hash(), fast.record.diff(slow.record)
