# SPDX-License-Identifier: Apache-2.0
"""Registers of the performance counters (perf-counters.md), as software drives them."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import NC, B
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.perf.counters import ALIASES, ALL, CANONICAL, TIED, UNKNOWN, WIRED_TO_0
from tensix_gdb.core.perf.fields import BANKS, L1, NAMES, PENDING_COUNT, SELECTS
from tests.assembler import asm
from tests.core.devices.scripts import Load, Store, fault_of, run, start
from tests.core.perf import measure
from tests.core.perf.measure import BASE, IDLE, MUX, START, STOP, bank, output, started, stopped

INSTRN, FPU, UNPACK, PACK = 0, 1, 2, 4


def counted(tile: Machine, number: int) -> int:
    return int(tile.S.perf.reference[number])


@pytest.mark.parametrize("number", range(BANKS), ids=NAMES)
def test_a_bank_counts_the_cycles_from_start_to_stop(tile: Machine, number: int) -> None:
    clock = Load(0xFFB121F0)
    first, last, cycles = run(
        tile, B, *started(number), clock, *IDLE, clock, *stopped(number), Load(output(number, 0))
    )
    assert 0 <= cycles - (last - first) < 150, "the stores before and after take time, too"
    assert run(tile, B, Load(output(number, 0))) == [cycles], "it does not count"
    assert not tile.S.tile.pending & PENDING_COUNT


@pytest.mark.parametrize("number", range(BANKS), ids=NAMES)
def test_only_edges_act(tile: Machine, number: int) -> None:
    run(tile, B, *started(number), *IDLE)
    before = counted(tile, number)
    run(tile, B, Store(bank(number, 2), START), Store(bank(number, 2), 0), *IDLE)
    assert counted(tile, number) > before, "bit 0 was set already, and 0 stops nothing"
    run(tile, B, Store(bank(number, 2), STOP), *IDLE)
    at_stop = counted(tile, number)
    run(tile, B, Store(bank(number, 2), STOP), *IDLE)
    assert counted(tile, number) == at_stop
    run(tile, B, Store(bank(number, 2), START))
    assert counted(tile, number) < before, "a start clears"


def test_all_reaches_two_banks(tile: Machine) -> None:
    """registers.h: "RTL confirmed"."""
    run(tile, NC, Store(measure.ALL, START), *IDLE)
    assert [int(tile.S.perf.running[i]) for i in range(BANKS)] == [1, 1, 0, 0, 0]
    run(tile, NC, Store(measure.ALL, STOP), *IDLE)
    assert not any(tile.S.perf.running[i] for i in range(BANKS))
    assert counted(tile, INSTRN) == counted(tile, FPU) > 200


def test_a_period_ends_a_count(tile: Machine) -> None:
    run(tile, B, Store(bank(FPU, 0), 100), Store(bank(FPU, 1), 1), Store(bank(FPU, 2), 1), *IDLE)
    assert counted(tile, FPU) == 100
    assert tile.S.perf.running[FPU] == 0


def test_modes(tile: Machine) -> None:
    run(tile, B, Store(bank(FPU, 1), 2), Store(bank(FPU, 2), START), *IDLE)
    assert counted(tile, FPU) == 0, "mode 2 does not maintain it"
    assert tile.S.perf.running[FPU] == 1
    assert fault_of(tile, B, Store(bank(FPU, 1), 3))[0] is Fault.PERF_MODE


def test_registers_read_back(tile: Machine) -> None:
    for number in range(BANKS):
        steps = [Store(bank(number, 0), 0x12345678), Load(bank(number, 0))]
        steps += [Store(bank(number, 1), 0x11B00), Load(bank(number, 1))]
        assert run(tile, NC, *steps) == [0x12345678, 0x11B00]
    assert run(tile, NC, Store(MUX, 0x35), Load(MUX)) == [0x35]
    assert fault_of(tile, NC, Store(output(FPU, 0), 1))[0] is Fault.STORE_READ_ONLY


def select_reads(tile: Machine, number: int, select: int) -> int:
    (value,) = run(tile, NC, *measure.read(number, select))
    return value


def test_selects_that_are_wired_to_0(tile: Machine) -> None:
    for number, kind, select, _ in WIRED_TO_0:
        tile.S.perf.count[number, kind, select] = 7
        assert select_reads(tile, number, 256 * kind + select) == 0


def test_selects_that_show_another_counter(tile: Machine) -> None:
    for number, kind, select, other, at in ALIASES[::7]:
        tile.S.perf.count[number, other, at] = 1000 + select
        assert select_reads(tile, number, 256 * kind + select) == 1000 + select


def test_an_unknown_select_stops_the_hart_that_reads(tile: Machine) -> None:
    assert run(tile, NC, Store(bank(INSTRN, 1), 58 << 8), Load(bank(INSTRN, 1))) == [58 << 8]
    code, text = fault_of(tile, NC, Load(output(INSTRN, 1)))
    assert code is Fault.PERF_SELECT
    assert "0x3a00" in text


def test_a_select_has_as_many_bits_as_its_bank() -> None:
    """Bits [8+:N] of perf-counters.md: 2 above a select of the FPU changes nothing."""
    rows = {(row.bank, row.kind, row.select) for row in ALL}
    assert {select for number, _, select in rows if number == FPU} == {0, 1}
    assert max(select for number, _, select in rows if number == L1) == 7


def test_bits_above_a_select_are_not_looked_at(tile: Machine) -> None:
    tile.S.perf.count[FPU, 0, 1] = 99
    assert select_reads(tile, FPU, 0b11) == 99


def test_every_counter_has_one_name_and_one_place() -> None:
    names = [row.title(i) for row in ALL for i in range(row.count)]
    assert len(names) == len(set(names)) == 59 + 3 + 18 + 5 + 84
    for row in ALL:
        for i in range(row.count):
            at = row.kind * SELECTS + row.select + i * row.step
            assert CANONICAL[2 * row.bank * SELECTS + at] == at
    assert CANONICAL.count(TIED) == len(WIRED_TO_0)
    assert UNKNOWN in CANONICAL


def test_narrow_loads_give_their_bytes(tile: Machine) -> None:
    tile.S.perf.reference[FPU] = 0x12345678
    at = output(FPU, 0)
    assert run(tile, NC, Load(at, "lbu"), Load(at + 2, "lhu")) == [0x78, 0x1234]


def test_a_debugger_sees_them_without_a_fault(tile: Machine) -> None:
    tile.S.tile_control.perf_mode[FPU] = 257 << 8
    tile.S.perf.count[FPU, 1, 1] = 1234
    assert tile.peek(B, output(FPU, 1), 4) == (1234).to_bytes(4, "little")
    assert BASE == 0xFFB12000


def test_a_dead_tile_is_dead_while_they_count(tile: Machine) -> None:
    """A hart waits for ever, and counters that continue do not hide it."""
    steps = [*started(INSTRN), Load(0xFFEC0000 + 0x1000)]  # B's mailbox to T0 stays empty
    tile.images.clear()
    start(tile, {B: [*steps, asm("addi")]})
    stop = tile.run(20_000)
    assert stop is not None
    assert stop.kind.name == "STANDSTILL", stop.text
