# SPDX-License-Identifier: Apache-2.0
"""A debugger looks at and changes a hart in program order, whatever is queued or under way.

A machine with time is stopped after any number of cycles, somewhere in a random stream. What it
shows has to be what a machine in `sc` shows after as many instructions, and a change made there has
to have the same consequences on both.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tests.assembler import image
from tests.core.riscv.random_streams import DATA, DATA_BYTES, MEMORY, POINTER, START, state, stream
from tests.forms import rounds
from tests.machines import machine_on

Pair = tuple[Machine, Machine]


@pytest.fixture(scope="module", params=["latency", "random"])
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    plain = machine_on("compiled")
    timed = machine_on("compiled", Schedule[request.param.upper()])
    yield plain, timed
    plain.close()
    timed.close()


def begin(machine: Machine, words: list[int], registers: list[int]) -> None:
    machine.images.clear()
    machine.reset()
    machine.load(B, image(words, START))
    for number, value in enumerate(registers, 1):
        machine.write_x(B, number, value)


def differences(plain: Machine, timed: Machine) -> list[str]:
    """Return what the two show differently."""
    found = [
        f"x{n}: {plain.read_x(B, n):#x}, timed {timed.read_x(B, n):#x}"
        for n in range(32)
        if plain.read_x(B, n) != timed.read_x(B, n)
    ]
    old, new = plain.peek(B, 0, MEMORY), timed.peek(B, 0, MEMORY)
    if old != new:
        at = next(i for i in range(MEMORY) if old[i] != new[i])
        found.append(f"{at:#x}: {old[at]:#04x}, timed {new[at]:#04x}")
    return found


change = st.tuples(st.integers(0, DATA_BYTES - 1), st.binary(min_size=1, max_size=9))


@settings(max_examples=rounds(40, 60), deadline=None)
@given(stream(), state, st.integers(0, 120), change, st.tuples(st.integers(1, 31), st.integers(0)))
def test_any_moment(
    pair: Pair,
    words: list[int],
    registers: list[int],
    cycles: int,
    memory: tuple[int, bytes],
    register: tuple[int, int],
) -> None:
    plain, timed = pair
    registers[POINTER - 1] = DATA
    end = START + 4 * len(words)
    for machine in pair:
        begin(machine, words, registers)
        machine.add_break(end)
    try:
        timed.run(cycles)
        plain.run(int(timed.S.hart.retired[B]))
        assert plain.read_pc(B) == timed.read_pc(B)
        assert not differences(plain, timed)
        for machine in pair:
            machine.poke(B, DATA + memory[0], memory[1])
            if register[0] != POINTER:
                machine.write_x(B, register[0], register[1] & 0xFFFFFFFF)
        assert not differences(plain, timed)
        for machine in pair:
            machine.run(10_000)
            assert machine.read_pc(B) == end
        assert not differences(plain, timed)
    finally:
        for machine in pair:
            machine.remove_break(end)


@pytest.mark.parametrize("between", range(0, 24, 3))
def test_a_line_read_on_the_way_of_an_own_store_does_not_stay_in_the_cache(
    pair: Pair, between: int
) -> None:
    """lb x0, 0(x8); sh x28, 4(x8); beside other work; lh x1, 4(x8)."""
    registers = [0] * 31
    registers[POINTER - 1], registers[28 - 1] = DATA, 0x1234
    # Jumps and lui in turn, so that the last load comes at different moments.
    work = [0x0040006F, 0x80000037] * between
    words = [0x00040003, 0x01C41223, *work, 0x00441083]
    for machine in pair:
        begin(machine, words, registers)
        machine.add_break(START + 4 * len(words))
        machine.run(10_000)
        machine.remove_break(START + 4 * len(words))
        assert machine.read_x(B, 1) == 0x1234
