# SPDX-License-Identifier: Apache-2.0
"""A tile that is found dead stays dead: random tiles, looked at in any cycle.

Harts get random loops (of loads, of counting, of clocks), stores and pushes behind them, and wait
instructions for random semaphores and mutexes. Wherever `is_dead` says yes, no memory, device or
unit changes in the next FUTURE cycles; and the tiles are such that it says both.
"""

from __future__ import annotations

from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tensix_gdb.core.arch.blackhole import HARTS, T0, T2, B
from tensix_gdb.core.clock.timed import quiescent
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.deadlock import LASTING, OF_A_WAY, ORDERS, is_dead
from tensix_gdb.core.machine.entries import RUN, RUN_TIMED
from tensix_gdb.core.record.layout import Tag
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tests.assembler import EBREAK, asm, image, li
from tests.core.tensix.programs import push_all
from tests.forms import rounds
from tests.machines import machine_on

FUTURE = 10_000
SHARED = 0x10000
X5, X6, X7 = 5, 6, 7
seen: Counter[bool] = Counter()

waits = st.sampled_from(
    [
        "SEMWAIT block=ALL, sem=S1, wait=C0",
        "SEMWAIT block=ALL, sem=S2, wait=C0",
        "ATGETM index=2",
        "ATGETM index=3",
        "ATCAS cmp_val=1, addr_reg=G0",
        "STALLWAIT block=ALL, wait=C10",
        "FLUSHDMA wait=C0",
    ]
)
does = st.sampled_from(["SEMPOST sem=S1", "SEMPOST sem=S2", "SEMGET sem=S1", "NOP", "DMANOP",
                        "SETDMAREG.Immediate new_value=3, result_half_reg=G4_lo"])  # fmt: skip


@st.composite
def loop(draw: st.DrawFn, kinds: int) -> list[int]:
    """Until a flag is there, a count is at its end, a clock is at a time, a semaphore not 0."""
    match draw(st.integers(0, kinds + 1)):
        case 0:
            flag = SHARED + 64 * draw(st.integers(0, 2))
            return [*li(X5, flag), asm("lw", rd=X6, rs1=X5), asm("beq", rs1=X6, imm=-4)]
        case 1:
            count = draw(st.integers(1, 3000))
            return [
                *li(X5, count),
                asm("addi", rd=X5, rs1=X5, imm=-1),
                asm("bne", rs1=X5, imm=-4),
            ]
        case 2:
            shift = draw(st.integers(5, 12))
            clock = 0xB00022F3  # csrr x5, mcycle
            return [clock, asm("srli", rd=X5, rs1=X5, imm=shift), asm("beq", rs1=X5, imm=-8)]
        case 3:
            at = SHARED + 256 + 16 * draw(st.integers(0, 3))
            end = draw(st.integers(1, 200))
            return [
                *li(X5, at),
                *li(X7, end),
                asm("lw", rd=X6, rs1=X5),
                asm("addi", rd=X6, rs1=X6, imm=1),
                asm("sw", rs1=X5, rs2=X6),
                asm("blt", rs1=X6, rs2=X7, imm=-12),
            ]
        case _:
            semaphore = 0xFFE80020 + 4 * draw(st.integers(1, 2))
            return [*li(X5, semaphore), asm("lw", rd=X6, rs1=X5), asm("beq", rs1=X6, imm=-4)]


@st.composite
def program(draw: st.DrawFn, hart: int) -> list[int]:
    code: list[int] = []
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.integers(0, 3))
        if kind == 0 and T0 <= hart <= T2:
            code += push_all(draw(st.lists(st.one_of(waits, does), min_size=1, max_size=5)))
        elif kind == 1:
            flag = SHARED + 64 * draw(st.integers(0, 2))
            code += [*li(X5, flag), asm("sw", rs1=X5, rs2=X5)]
        else:
            code += draw(loop(3 if T0 <= hart <= T2 else 2))
    return [*code, draw(st.sampled_from([EBREAK, asm("jal")]))]


def world(machine: Machine) -> bytes:
    """All that is no hart's own."""
    kept = b""
    for slot in machine.record.layout.storage(Tag.ARCHITECTURAL):
        where = slot.part, slot.field.name
        if where in ORDERS or (slot.part in OF_A_WAY and where not in LASTING):
            continue
        kept += bytes(machine.record.row(slot))
    return kept


def run_on(machine: Machine, cycles: int) -> None:
    """Run on through any stop, without asking whether the tile is dead."""
    S = machine.S
    entry = (RUN if S.schedule.kind == Schedule.SC else RUN_TIMED).name
    end = S.tile.cycle + cycles
    while S.tile.cycle < end and not (machine.idle() and quiescent(S)):
        machine.engine.call(entry, end - S.tile.cycle)
        ours = (StopKind.NONE, StopKind.EBREAK, StopKind.STANDSTILL)
        assert StopKind(S.stop.kind) in ours
        S.stop.kind = StopKind.NONE


@settings(deadline=None, max_examples=rounds(8, 20), suppress_health_check=list(HealthCheck))
@given(st.data())
def stays_dead(data: st.DataObject) -> None:
    schedule = data.draw(st.sampled_from([Schedule.SC, Schedule.LATENCY, Schedule.RANDOM]))
    machine = machine_on("compiled", schedule, data.draw(st.integers(1, 1000)))
    try:
        for hart in data.draw(st.sets(st.integers(B, HARTS - 1), min_size=1)):
            words = data.draw(program(hart))
            machine.load(hart, image(words, 0x1000 * (hart + 1)))
        for _ in range(3):
            run_on(machine, data.draw(st.integers(1, 3000)))
            dead = is_dead(machine.engine, machine.record, machine.memory)
            seen[dead] += 1
            if dead:
                before = world(machine)
                run_on(machine, FUTURE)
                assert world(machine) == before
                assert is_dead(machine.engine, machine.record, machine.memory)
                break
    finally:
        machine.close()


def test_what_is_dead_stays_dead() -> None:
    seen.clear()
    stays_dead()
    assert seen[True], "both are seen"
    assert seen[False]


def test_a_port_that_is_busy_is_nothing_due() -> None:
    """Two harts poll flags and an ATCAS is tried for ever: wherever one looks, a port of L1 may be
    busy, which delays a request and moves nothing."""
    machine = machine_on("compiled", Schedule.LATENCY, 1)
    poll = [asm("lw", rd=X6, rs1=X5), asm("beq", rs1=X6, imm=-4), EBREAK]
    machine.load(B, image([*li(X5, SHARED), *poll], 0x1000))
    machine.load(T0, image([*li(X5, SHARED + 64), *poll], 0x2000))
    machine.load(T2, image([*push_all(["ATCAS cmp_val=1, addr_reg=G0"]), EBREAK], 0x3000))
    try:
        run_on(machine, FUTURE)
        for _ in range(60):
            assert is_dead(machine.engine, machine.record, machine.memory)
            run_on(machine, 1)
    finally:
        machine.close()


def test_a_hart_that_waits_for_an_answer_has_not_come_back() -> None:
    """B counts down, waits for a flag that is there, and then stores. In cycle 640 of the proof its
    load is answered, and the value not yet there: for two cycles it has the same registers."""
    flag, counter = li(X5, SHARED), li(X5, SHARED + 256)
    of_b = [
        *(*li(X5, 1344), asm("addi", rd=X5, rs1=X5, imm=-1), asm("bne", rs1=X5, imm=-4)),
        *(*flag, asm("lw", rd=X6, rs1=X5), asm("beq", rs1=X6, imm=-4)),
        *(*counter, *li(X7, 22), asm("lw", rd=X6, rs1=X5), asm("addi", rd=X6, rs1=X6, imm=1)),
        *(asm("sw", rs1=X5, rs2=X6), asm("blt", rs1=X6, rs2=X7, imm=-12), asm("jal")),
    ]
    of_t1 = [*li(X5, SHARED + 128), asm("sw", rs1=X5, rs2=X5), asm("jal")]
    of_t2 = [*li(X5, 261), asm("addi", rd=X5, rs1=X5, imm=-1), asm("bne", rs1=X5, imm=-4)]
    of_t2 += [*flag, asm("sw", rs1=X5, rs2=X5), EBREAK]
    machine = machine_on("compiled", Schedule.RANDOM, 721)
    try:
        for hart, words in ((B, of_b), (T0 + 1, of_t1), (T2, of_t2)):
            machine.load(hart, image(words, 0x1000 * (hart + 1)))
        run_on(machine, 2106)
        for _ in range(400):
            dead = is_dead(machine.engine, machine.record, machine.memory)
            before = world(machine)
            assert not (dead and before != _after(machine))
            run_on(machine, 1)
    finally:
        machine.close()


def _after(machine: Machine) -> bytes:
    """The world FUTURE cycles later; the machine stays where it is."""
    here = machine.snapshot()
    run_on(machine, FUTURE)
    after = world(machine)
    machine.restore(here)
    return after
