# SPDX-License-Identifier: Apache-2.0
"""Many conditional breakpoints: each is found, and costs the same however many others there are."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES, B
from tensix_gdb.core.debug.breakpoints import Armed
from tensix_gdb.core.debug.condition_table import Blocks
from tensix_gdb.core.debug.conditions import BUCKETS, MAX_OPERATIONS, Op, wanted
from tensix_gdb.core.engine import open_engine
from tensix_gdb.core.engine.entry import Entry
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.record.record import Record
from tests.elf_maker import make_elf, words
from tests.gdbstub.cli.test_recordings import played_again
from tests.gdbstub.tiles import PROGRAMS, Client, loaded, new_tile
from tests.machines import Maker, machine_on

LOOP = 0x10  # in the loop of hart B (tests/gdbstub/tiles.py)
MANY = 4000
FALSE = bytes([Op.CONST8, 0, Op.END])
TRUE = bytes([Op.CONST8, 1, Op.END])
UNDECIDED = bytes([Op.GETV, 0, 1, Op.END])


def never(number: int) -> tuple[bytes, ...]:
    """A condition of its own for each number."""
    return (bytes([Op.CONST32]) + number.to_bytes(4, "big") + bytes([Op.LOG_NOT, Op.END]),)


def lines_of(function: Callable[[], object]) -> int:
    """Return how many lines of Python a call executes."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("conditions", [(), never(1)], ids=["plain", "conditional"])
@pytest.mark.parametrize("addr", [LOOP, L1_BYTES + 0x100], ids=["in L1", "far"])
def test_one_more_costs_the_same_beside_many(addr: int, conditions: tuple[bytes, ...]) -> None:
    def cost(others: int) -> int:
        machine = Machine(engine="reference")
        for number in range(others):
            machine.add_break(0x20000 + 4 * number, None, never(number + 1))

        def come_and_go() -> None:
            machine.add_break(addr, None, conditions)
            machine.remove_break(addr, None, conditions)

        return lines_of(come_and_go)

    # Blocks of code are halved as often as it takes, and some places share a bucket.
    assert cost(MANY) < 2 * cost(10)


def test_a_client_leaves_in_time_that_grows_with_its_own_breakpoints() -> None:
    def cost(count: int) -> int:
        client = Client(new_tile())
        for number in range(count):
            (program,) = never(number + 1)
            insert = f"Z0,{0x20000 + 4 * number:x},4;X{len(program):x},{program.hex()}"
            assert client.ask(insert) == b"OK"
        return lines_of(client.session.end)

    assert cost(2000) < 11 * cost(200)


def test_thousands_let_their_harts_pass(new_machine: Maker) -> None:
    """The last one is decided by the machine as the first one is, and no trace is left."""
    quiet, machine = loaded(new_machine()), loaded(new_machine())
    places = [0x20000 + 4 * number for number in range(MANY)] + [LOOP]
    conditions = [never(number + 1) for number in range(len(places))]
    for addr, condition in zip(places, conditions, strict=True):
        machine.add_break(addr, None, condition)
    assert machine.run(2000) is None
    machine.armed.remove_breaks(
        (addr, None, condition) for addr, condition in zip(places, conditions, strict=True)
    )
    assert machine.S.condition.active == 0
    assert not any(machine.S.debug.breaks.raw)
    assert quiet.run(2000) is None
    assert machine.hash() == quiet.hash()


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_whatever_comes_and_goes_is_decided_rightly(engine: str) -> None:
    """Beside a model, in chains where places share a bucket and conditions a place."""
    record = Record(LAYOUT)
    armed = Armed(record.S)
    running = open_engine(engine, (Entry("wanted", wanted, {}),), record, checked=True)
    places = [0x40, 0x40 + 4 * BUCKETS, 0x40 + 8 * BUCKETS, 0x44, 0xFFB00040]
    kinds = [(), (FALSE,), (FALSE, FALSE), (FALSE, TRUE), (UNDECIDED,), (FALSE + bytes(100),)]
    there: list[tuple[int, int | None, tuple[bytes, ...]]] = []
    choice = random.Random(8)
    for step in range(600):
        if there and choice.random() < 0.5:
            several = choice.sample(there, min(len(there), choice.choice((1, 1, 1, 7))))
            for one in several:
                there.remove(one)
            armed.remove_breaks(several)
        else:
            hart = choice.choice((None, None, *range(HARTS)))
            there.append((choice.choice(places), hart, choice.choice(kinds)))
            armed.add_break(*there[-1])
        addr, hart = choice.choice(places), choice.randrange(HARTS)
        mine = [programs for at, whose, programs in there if at == addr and whose in (None, hart)]
        stops = any(not one or TRUE in one or UNDECIDED in one for one in mine)
        if mine:
            assert running.call("wanted", hart, addr) == stops, step
    armed.remove_breaks(there)
    assert record.S.condition.count == 0
    assert not any(record.S.condition.bucket.raw)
    assert not armed.anything()


def test_operations_are_bounded_over_all_conditions_of_a_place(new_machine: Maker) -> None:
    """Each of them ends in time, all of them do not: the debugger decides."""
    long = bytes([Op.CONST8, 0] + [Op.LOG_NOT] * 120 + [Op.END])
    assert 4 * len(long) < MAX_OPERATIONS
    for count, stops in ((4, False), (MAX_OPERATIONS // 120 + 1, True)):
        machine = loaded(new_machine())
        machine.add_break(LOOP, None, (long,) * count)
        assert (machine.run(100) is not None) == stops


def test_a_recording_has_what_was_decided(tmp_path: Path) -> None:
    """Conditions that come and go between runs, some true: the replay ends in the same state."""
    elf = tmp_path / "b.elf"
    elf.write_bytes(make_elf([(0, words(*PROGRAMS[B][1]))]))
    machine = machine_on("compiled")
    machine.load(B, read_elf(elf))
    machine.start_recording()
    for number in range(6):
        odd = (bytes([Op.REG, 0, 5, Op.CONST8, 1, Op.BIT_AND, Op.END]), never(number + 1)[0])
        machine.add_break(LOOP, None, never(number + 1))
        machine.add_break(LOOP + 4 * (number % 2), None, odd)
        stop = machine.run(300)
        assert stop is not None
        machine.remove_break(LOOP, None, never(number + 1))
        machine.remove_break(LOOP + 4 * (number % 2), None, odd)
        machine.resume_from(stop.hart)
        if number % 3 == 2:
            assert machine.run(100) is None
    again = played_again(machine, tmp_path / "conditions.recording")
    assert again.S.condition.active == 0
    again.close()


def test_blocks_are_joined_again() -> None:
    room = Blocks(1024, 16)
    choice = random.Random(1)
    taken: list[tuple[int, int]] = []
    used: set[int] = set()
    for _ in range(500):
        if taken and choice.random() < 0.45:
            at, length = taken.pop(choice.randrange(len(taken)))
            room.give_back(at, length)
            used -= set(range(at, at + length))
            continue
        length = choice.choice((0, 1, 16, 17, 100))
        found = room.reserve(length)
        if found is not None:
            mine = set(range(found, found + length))
            assert not mine & used
            assert max(mine, default=0) < 1024
            used |= mine
            taken.append((found, length))
    for at, length in taken:
        room.give_back(at, length)
    assert room.reserve(1025) is None
    assert room.reserve(1024) == 0
