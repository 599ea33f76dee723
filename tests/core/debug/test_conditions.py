# SPDX-License-Identifier: Apache-2.0
"""Conditions evaluated in the machine: what they decide, against the complete evaluator."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tensix_gdb.core.arch.blackhole import LOCAL_BASE, T0, T1
from tensix_gdb.core.debug.conditions import (
    CODE_BYTES,
    FALSE,
    MAX_OPERATIONS,
    PROGRAMS,
    TRUE,
    UNDECIDED,
    Op,
    evaluate,
)
from tensix_gdb.core.engine import open_engine
from tensix_gdb.core.engine.entry import Entry
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.protocol.agent import expression
from tensix_gdb.gdbstub.protocol.agent.expression import AgentError, Context
from tests.forms import rounds
from tests.gdbstub.tiles import loaded
from tests.machines import Maker

LOOP = 0x10  # in the loop of hart B (tests/gdbstub/tiles.py), five instructions
X5 = bytes([Op.REG, 0, 5])


def const(value: int) -> bytes:
    """A 32-bit constant."""
    return bytes([Op.CONST32]) + value.to_bytes(4, "big")


def ref(addr: int, size: int = 4) -> bytes:
    """Return the code that reads memory at a constant address."""
    return const(addr) + bytes([{1: Op.REF8, 2: Op.REF16, 4: Op.REF32, 8: Op.REF64}[size]])


def test_a_false_condition_leaves_no_trace(new_machine: Maker) -> None:
    """The hash is that of a run without breakpoints, and the true moment is found."""
    quiet, watched = loaded(new_machine()), loaded(new_machine())
    never = (X5 + const(0xFFFFFFFF) + bytes([Op.EQUAL, Op.END]),)
    watched.add_break(LOOP, None, never)
    assert [machine.run(5000) for machine in (quiet, watched)] == [None, None]
    assert quiet.hash() == watched.hash()
    at_1500 = (*never, X5 + const(1500) + bytes([Op.EQUAL, Op.END]))
    watched.remove_break(LOOP, None, never)
    watched.add_break(LOOP, None, at_1500)
    stop = watched.run(100_000)
    assert stop is not None
    assert (stop.kind, stop.pc, watched.read_x(0, 5)) == (StopKind.BREAK, LOOP, 1500)
    watched.remove_break(LOOP, None, at_1500)
    watched.resume_from(0)
    assert watched.run(500) is None


def test_an_unconditional_breakpoint_at_the_same_place_stops(new_machine: Maker) -> None:
    machine = loaded(new_machine())
    false = (const(0) + bytes([Op.END]),)
    machine.add_break(LOOP, None, false)
    machine.add_break(LOOP)
    assert machine.run(100) is not None
    machine.remove_break(LOOP)
    machine.resume_from(0)
    assert machine.run(100) is None
    machine.remove_break(LOOP, None, false)
    assert machine.S.condition.count == 0


def test_ignored_hits_are_counted(new_machine: Maker) -> None:
    """The 41st hit stops, of a breakpoint without a condition and of one with."""
    for condition in ((), (X5 + const(1) + bytes([Op.BIT_AND, Op.END]),)):
        quiet, machine = loaded(new_machine()), loaded(new_machine())
        machine.add_break(LOOP, None, condition)
        machine.armed.ignore(LOOP, 40)
        stop = machine.run(1000)
        assert stop is not None
        assert machine.read_x(0, 5) == (81 if condition else 41)
        machine.remove_break(LOOP, None, condition)
        machine.resume_from(0)
        assert machine.run(1000 - machine.S.tile.cycle) is None
        assert quiet.run(1000) is None
        assert machine.hash() == quiet.hash()


def test_of_one_hart(new_machine: Maker) -> None:
    """T1 has a condition at the pc where T0, without one, stops."""
    machine = loaded(new_machine())
    machine.add_break(0x6008, T1, (const(1) + bytes([Op.END]),))
    assert machine.run(100) is None
    machine.add_break(0x6008, T0, (const(1) + bytes([Op.END]),))
    assert machine.run(100) is not None


def test_local_memory_is_the_harts_own(new_machine: Maker) -> None:
    """B and T0 both write their counters at local 0x100; a condition sees its own hart's."""
    machine = loaded(new_machine())
    condition = (ref(LOCAL_BASE + 0x100) + const(40) + bytes([Op.EQUAL, Op.END]),)
    machine.add_break(0x6004, None, condition)
    stop = machine.run(10_000)
    assert stop is not None
    assert (stop.hart, machine.read_x(T0, 5)) == (T0, 40)


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(ref(0xFFB12000) + bytes([Op.END]), id="a device"),
        pytest.param(const(0)[:3], id="damaged"),
        pytest.param(bytes([Op.GOTO, 0, 0]), id="endless"),
        pytest.param(bytes([Op.CONST64]) + b"\x80" * 8 + bytes([Op.END]), id="a large number"),
        pytest.param(bytes([Op.GETV, 0, 1, Op.END]), id="a trace state variable"),
        pytest.param(const(1) + const(0) + bytes([Op.DIV_SIGNED, Op.END]), id="division by 0"),
        pytest.param((const(1) + bytes([Op.DUP])) * 100 + bytes([Op.END]), id="many values"),
        pytest.param(bytes([0x77]), id="no operation"),
    ],
)
def test_what_it_cannot_decide_stops(program: bytes, machine: Machine) -> None:
    loaded(machine).add_break(LOOP, None, (program,))
    stop = machine.run(100)
    assert stop is not None
    assert stop.pc == LOOP


def test_memory_is_undecided_in_a_schedule_with_time() -> None:
    machine = loaded(Machine(engine="reference", schedule=Schedule.LATENCY))
    machine.add_break(LOOP, None, (ref(0x20000) + bytes([Op.END]),))
    assert machine.run(2000) is not None


@pytest.mark.parametrize("schedule", [Schedule.LATENCY, Schedule.RANDOM])
def test_with_time_memory_is_what_a_debugger_sees(schedule: Schedule) -> None:
    """Wherever it decides, it is by the counter in program order, which x5 has too."""
    same = ref(LOCAL_BASE + 0x100) + X5 + bytes([Op.EQUAL, Op.END])
    decided = 0
    for addr in (0x8, 0xC, 0x10, 0x14, 0x18):
        machine = loaded(Machine(engine="reference", schedule=schedule))
        machine.add_break(addr, 0, (same,))
        for _ in range(60):
            stop = machine.run(40)
            if stop is None:
                decided += 1
                continue
            data = int.from_bytes(machine.peek(0, LOCAL_BASE + 0x100, 4), "little")
            verdict = evaluate(machine.S, 0, stop.pc, 1, MAX_OPERATIONS)
            assert verdict in (UNDECIDED, TRUE if data == machine.read_x(0, 5) else FALSE)
            decided += verdict != UNDECIDED
            machine.resume_from(0)
    assert decided


@pytest.mark.parametrize("size", [0, CODE_BYTES // 64])
def test_more_than_there_is_room_for_stop(size: int) -> None:
    """Without its condition in the record a breakpoint stops; with room again it does not."""
    machine = loaded(Machine(engine="reference"))
    false = (bytes([Op.CONST8, 0, Op.END]) + bytes(size),)
    addresses = range(0x20000, 0x20000 + 4 * PROGRAMS, 4)
    for addr in addresses:
        machine.add_break(addr, None, false)
    full = machine.S.condition.count
    assert full == (PROGRAMS - 1 if not size else 32)
    machine.add_break(LOOP, None, false)
    assert machine.S.condition.count == full
    stop = machine.run(1000)
    assert stop is not None
    assert stop.pc == LOOP
    machine.remove_break(LOOP, None, false)
    machine.armed.remove_breaks((addr, None, false) for addr in addresses)
    assert machine.S.condition.count == 0
    machine.add_break(LOOP, None, false)
    machine.resume_from(0)
    assert machine.run(1000) is None


_NO_OPERAND = [int(op) for op in Op if op not in (Op.TRACE, Op.TRACE_QUICK, Op.TRACENZ)]
_STEP = st.one_of(
    st.builds(lambda value: const(value), st.integers(0, 0xFFFFFFFF)),
    st.builds(lambda value: bytes([Op.CONST8, value]), st.integers(0, 255)),
    st.builds(lambda value: bytes([Op.CONST8, value, Op.EXT, 8]), st.integers(0, 255)),
    st.builds(lambda number: bytes([Op.REG, 0, number]), st.integers(0, 33)),
    st.builds(lambda n, op: bytes([op, n]), st.integers(0, 65), st.sampled_from((0x16, 0x2A))),
    st.builds(lambda n: bytes([Op.PICK, n]), st.integers(0, 3)),
    st.builds(lambda at: ref(0x10000 + at), st.integers(0, 64)),
    st.builds(lambda to, op: bytes([op, 0, to]), st.integers(0, 30), st.sampled_from((0x20, 0x21))),
    st.sampled_from(_NO_OPERAND).map(lambda op: bytes([op])),
)


@pytest.fixture(scope="module")
def engines() -> list[tuple[Record, Callable[[int], int]]]:
    """The evaluator by itself on each engine, in a record with numbers in it."""
    found = []
    for kind, checked in (("reference", False), ("compiled", True)):
        record = Record(LAYOUT)
        entry = Entry("evaluate", evaluate, {})
        engine = open_engine(kind, (entry,), record, checked=checked)
        for number in range(32):
            record.S.hart.x[0, number] = number * 0x9E3779B1 & 0xFFFFFFFF
        for word in range(17):
            record.S.l1.word[0x4000 + word] = (word + 3) * 0x85EBCA6B & 0xFFFFFFFF
        found.append(
            (record, lambda pc, engine=engine: engine.call("evaluate", 0, pc, 0, MAX_OPERATIONS))
        )
    return found


@settings(deadline=None, max_examples=rounds(60, 200), suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(_STEP, max_size=12))
def test_what_it_decides_is_right(
    engines: list[tuple[Record, Callable[[int], int]]], steps: list[bytes]
) -> None:
    """Any program: both engines agree, and with the complete evaluator when they decide."""
    program = b"".join(steps) + bytes([Op.END])
    verdicts = []
    for record, run in engines:
        for at, byte in enumerate(program):
            record.S.condition.code[at] = byte
        record.S.condition.end[0] = len(program)
        verdicts.append(run(0x1234))
    assert verdicts[0] == verdicts[1]
    record = engines[0][0]
    place = Context(
        lambda number: 0x1234 if number == 32 else int(record.S.hart.x[0, number]),
        lambda addr, length: bytes(int(record.S.l1.byte[addr + i]) for i in range(length)),
    )
    if verdicts[0] == UNDECIDED:
        return
    try:
        value = expression.evaluate(program, place)
    except AgentError as problem:
        pytest.fail(f"decided {verdicts[0]}, but {problem}")
    assert verdicts[0] == (TRUE if value else FALSE)
