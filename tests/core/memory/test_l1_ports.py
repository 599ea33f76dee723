# SPDX-License-Identifier: Apache-2.0
"""Ports and banks of L1 in `latency`: what a narrow write keeps, and what waits for it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensix_gdb.core.arch.blackhole import NC, T0, T1, T2, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory import l1_ports, streams
from tensix_gdb.core.memory.l1_ports import NARROW_WRITE, OF_B_NC_T0, OF_T1_T2, PORT_OF
from tensix_gdb.core.noc.coordinates import TILE_X, TILE_Y
from tensix_gdb.core.noc.state import SLOTS
from tensix_gdb.core.riscv.pipeline.fields import IN_FLIGHT
from tensix_gdb.core.riscv.pipeline.load_store import IN_FLIGHT_CYCLES
from tensix_gdb.core.riscv.pipeline.stores import STORE_EVERY
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.mover import unit as mover
from tests.assembler import EBREAK, asm, image, li
from tests.core.chip.programs import MARKED, WRITE, at, request
from tests.machines import machine_on

START, DATA = 0x6000, 0x20000
NOC_DATA, NOC_COPY, TILE = 0x30000, 0x31000, (TILE_X, TILE_Y)
STORES = 32
NO_L0 = [*li(5, 0x8), asm("csrrs", rs1=5, imm=0x7C0)]


def last_write(words: Sequence[int], harts: Sequence[int], apart: int = 0x800) -> int:
    """Cycle in which everything that the harts have stored is in L1."""
    machine = machine_on("reference", Schedule.LATENCY)
    for number, hart in enumerate(harts):
        code = [*NO_L0, *li(6, DATA + number * apart), *words, asm("jal")]
        machine.load(hart, image(code, START + 0x1000 * number))
    end = 0
    for _ in range(1200):
        machine.run(1)
        if any(machine.S.stream.busy[hart] or machine.S.pipeline.sq_count[hart] for hart in harts):
            end = int(machine.S.tile.cycle)
    machine.close()
    return end


def stores(step: int, count: int) -> list[int]:
    """Stores of words, `step` bytes apart in 64 bytes."""
    return [asm("sw", rs1=6, imm=step * i % 64) for i in range(count)]


def per_store(step: int, harts: Sequence[int]) -> float:
    """Cycles for each store of a hart in the long run."""
    more = last_write(stores(step, 2 * STORES), harts)
    return (more - last_write(stores(step, STORES), harts)) / STORES


def test_a_store_in_five_cycles() -> None:
    assert per_store(16, [T1]) == pytest.approx(NARROW_WRITE, abs=0.1)
    assert STORE_EVERY == NARROW_WRITE


def test_two_harts_of_a_port_take_turns_and_others_do_not() -> None:
    assert PORT_OF[T1] == PORT_OF[T2] != PORT_OF[T0] == PORT_OF[B] == PORT_OF[NC]
    assert per_store(16, [T1, T2]) == pytest.approx(2 * NARROW_WRITE, rel=0.08)


def test_stores_that_are_joined_to_a_line_go_in_every_cycle() -> None:
    assert per_store(4, [T1]) < 2


def test_four_loads_in_seven_cycles() -> None:
    def cycles(count: int) -> int:
        machine = machine_on("reference", Schedule.LATENCY)
        loads = [asm("lw", rd=10 + i % 8, rs1=6, imm=16 * (i % 4)) for i in range(count)]
        machine.load(T1, image([*NO_L0, *li(6, DATA), *loads, EBREAK], START))
        assert machine.run(2000) is not None
        found = int(machine.S.tile.cycle)
        machine.close()
        return found

    assert (cycles(96) - cycles(32)) / 64 == pytest.approx(IN_FLIGHT_CYCLES / IN_FLIGHT, abs=0.05)


def cycles_of_loads(harts: Sequence[int], count: int, polling: Sequence[int] = ()) -> int:
    """Until the first of the harts has loaded so many words, one after the other; others poll."""
    machine = machine_on("reference", Schedule.LATENCY)
    loads = [asm("lw", rd=10 + i % 8, rs1=6, imm=16 * (i % 4)) for i in range(count)]
    for number, hart in enumerate(harts):
        code = [*NO_L0, *li(6, DATA + 0x100 * number), *loads, EBREAK]
        machine.load(hart, image(code, START + 0x1000 * number))
    poll = [asm("lw", rd=7, rs1=6), asm("beq", rs1=7, imm=-4)]
    for number, hart in enumerate(polling):
        machine.load(hart, image([*NO_L0, *li(6, DATA + 0x880), *poll], 0xE000 + 0x100 * number))
    assert machine.run(3000) is not None
    found = int(machine.S.tile.cycle)
    machine.close()
    return found


def per_load(harts: Sequence[int], polling: Sequence[int] = ()) -> float:
    """Cycles for each load of the first hart in the long run."""
    more = cycles_of_loads(harts, 160, polling)
    return (more - cycles_of_loads(harts, 32, polling)) / 128


def test_streams_of_loads_share_a_port() -> None:
    """Four loads in seven cycles are more than half of a port, which passes one in a cycle."""
    alone = per_load([T1])
    assert alone == pytest.approx(IN_FLIGHT_CYCLES / IN_FLIGHT, abs=0.02)
    assert per_load([T1, T2]) == pytest.approx(2, abs=0.1)
    assert per_load([T1, T0]) < 2


def test_a_hart_that_polls_takes_a_cycle_now_and_then() -> None:
    alone = per_load([T1])
    assert alone < per_load([T1], [T2]) < 1.2 * alone
    assert per_load([T1], [T0]) == pytest.approx(alone, abs=0.03)


def test_harts_that_poll_do_not_delay_each_other() -> None:
    machine = machine_on("reference", Schedule.LATENCY)
    poll = [asm("lw", rd=7, rs1=6), asm("beq", rs1=7, imm=-4)]
    for number, hart in enumerate((T1, T2)):
        machine.load(hart, image([*NO_L0, *li(6, DATA), *poll], START + 0x1000 * number))
    machine.run(1000)
    before = [int(machine.S.hart.retired[hart]) for hart in (T1, T2)]
    machine.run(900)
    assert [int(machine.S.hart.retired[hart]) for hart in (T1, T2)] == [
        count + 2 * 900 // 9 for count in before
    ]
    machine.close()


@pytest.fixture
def written() -> Machine:
    """T1 has a word on its way to DATA, which is due."""
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    S = machine.S
    S.tile.cycle = 100
    for hart, addr in ((T1, DATA), (T0, DATA + 0x100), (T2, DATA + 16)):
        S.stream.count[hart, streams.L1] = 1
        S.stream.kind[hart, streams.L1, 0] = streams.WRITE
        S.stream.addr[hart, streams.L1, 0] = addr
        S.stream.mask[hart, streams.L1, 0] = 0xF
    return machine


def test_a_narrow_write_keeps_its_port_and_its_bank(written: Machine) -> None:
    S = written.S
    assert not l1_ports.keeps_waiting(S, T0)
    l1_ports.take_request(S, T1)
    assert l1_ports.keeps_waiting(S, T2)  # the port
    assert l1_ports.keeps_waiting(S, T0)  # the bank: 16 banks of 16 bytes
    assert l1_ports.any_kept(S, DATA - 64, 128)
    assert not l1_ports.any_kept(S, DATA + 16, 128)
    S.tile.cycle += NARROW_WRITE
    assert not l1_ports.keeps_waiting(S, T0)
    assert not l1_ports.any_kept(S, DATA - 64, 128)


def test_the_other_hart_of_the_port_is_next(written: Machine) -> None:
    S = written.S
    l1_ports.take_request(S, T1)
    S.tile.cycle += NARROW_WRITE
    assert l1_ports.keeps_waiting(S, T1)
    assert not l1_ports.keeps_waiting(S, T2)


def test_a_read_and_a_whole_line_keep_nothing(written: Machine) -> None:
    S = written.S
    S.stream.mask[T1, streams.L1, 0] = 0xFFFF
    l1_ports.take_request(S, T1)
    S.stream.kind[T1, streams.L1, 0] = streams.READ
    l1_ports.take_request(S, T1)
    assert not l1_ports.keeps_waiting(S, T2)


def test_other_schedules_have_no_ports(written: Machine) -> None:
    S = written.S
    S.schedule.kind = Schedule.RANDOM
    l1_ports.take_request(S, T1)
    assert not l1_ports.keeps_waiting(S, T2)


def test_a_unit_takes_turns_with_the_harts_of_its_port(written: Machine) -> None:
    S = written.S
    assert not l1_ports.unit_waits(S, OF_T1_T2, DATA + 0x20)
    l1_ports.unit_writes(S, OF_T1_T2, DATA + 0x20, 4)
    assert l1_ports.keeps_waiting(S, T1)
    assert not l1_ports.unit_waits(S, OF_B_NC_T0, DATA)
    assert l1_ports.unit_waits(S, OF_B_NC_T0, DATA + 0x20)  # the bank
    S.tile.cycle += NARROW_WRITE
    assert not l1_ports.keeps_waiting(S, T1)
    assert l1_ports.unit_waits(S, OF_T1_T2, DATA + 0x20)  # T1 and T2 are due
    l1_ports.take_request(S, T1)
    S.tile.cycle += NARROW_WRITE
    assert not l1_ports.unit_waits(S, OF_T1_T2, DATA + 0x20)


def test_a_whole_line_of_a_unit_keeps_nothing(written: Machine) -> None:
    l1_ports.unit_writes(written.S, OF_T1_T2, DATA, 16)
    assert written.S.l1_port.until <= written.S.tile.cycle


def test_the_mover_waits_for_a_bank_that_is_kept() -> None:
    """A copy of lines to the bank that T0, of another port, stores to."""

    def cycles(store: bool) -> int:
        machine = machine_on("reference", Schedule.LATENCY)
        S = machine.S
        mover.start(S, 0x30000, 0x40000, 64, mover.L1_TO_L1, T0, 0)
        S.tensix.active = 1
        two = [asm("sw", rs1=6), asm("sw", rs1=6, imm=0x100)]
        code = [*NO_L0, *li(6, 0x20000), *two * 100] if store else [asm("jal")]
        machine.load(T0, image(code, START))
        for _ in range(1000):
            machine.run(1)
            if not S.busy.mover:
                break
        found = int(S.tile.cycle)
        machine.close()
        return found

    assert cycles(True) > cycles(False) + 8


def test_a_niu_waits_for_the_bank_of_a_narrow_write() -> None:
    """A write to the tile itself, which has its data when no bank of them is kept any more."""
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    S = machine.S
    words = request(WRITE | MARKED, NOC_DATA, at(TILE), NOC_COPY, at(TILE), 64)
    machine.load_bytes(NOC_DATA, bytes(range(64)))
    machine.load(B, image([*words, EBREAK], START))
    while not any(S.noc.stage[0, slot] for slot in range(SLOTS)):
        machine.run(1)
    until = S.tile.cycle + 60
    S.l1_port.bank[2] = until
    S.l1_port.until = until
    machine.run(60)
    assert machine.peek(B, NOC_COPY, 64) == bytes(64)
    machine.run(20)
    assert machine.peek(B, NOC_COPY, 64) == bytes(range(64))
    machine.close()


def test_what_a_niu_writes_of_a_line_keeps_its_bank() -> None:
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    S = machine.S
    l1_ports.niu_writes(S, DATA, 64)
    assert not l1_ports.any_kept(S, DATA, 64)
    l1_ports.niu_writes(S, DATA + 4, 4)
    assert l1_ports.is_kept(S, DATA)
    assert not l1_ports.is_kept(S, DATA + 16)
    l1_ports.niu_writes(S, DATA + 32, 40)
    assert not l1_ports.is_kept(S, DATA + 48)
    assert l1_ports.is_kept(S, DATA + 64)
    assert l1_ports.niu_waits(S, DATA + 64, 16)
    assert not any(S.l1_port.free)
    machine.close()
