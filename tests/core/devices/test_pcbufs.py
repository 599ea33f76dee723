# SPDX-License-Identifier: Apache-2.0
"""PCBufs and manual TTSync, as BabyRISCV/PCBufs.md and ManualTTSync.md have them."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import HART_NAMES, NC, T0, T1, T2, B
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.machine import MemoryFault
from tensix_gdb.core.stall import WaitsFor
from tensix_gdb.core.stop import StopKind
from tests.assembler import NOP
from tests.core.devices.scripts import Load, Store, fault_of, finish, loaded, run, start

PC_BUF = 0xFFE80000
COPROCESSOR_DONE, MOP_EXPANDER_DONE = PC_BUF + 4, PC_BUF + 8
OVERRIDE = 0xFFB12090
TS = (T0, T1, T2)


def window(hart: int) -> int:
    """Where B has the PCBuf to a T core."""
    return PC_BUF + 0x10000 * (hart - T0)


@pytest.mark.parametrize("hart", TS)
def test_from_b_to_each_t(tile: Machine, hart: int) -> None:
    values = [4, 0x80000000, 6]
    sent = [Store(window(hart) + 0x100 * i, value) for i, value in enumerate(values)]
    start(tile, {B: sent, hart: [Load(PC_BUF)] * 3})
    assert finish(tile) is None
    assert loaded(tile, hart, [Load(0)] * 3) == values


def test_a_fifo_of_sixteen(tile: Machine) -> None:
    start(tile, {B: [Store(window(T1), i) for i in range(17)]})
    stop = finish(tile)
    assert stop is not None
    assert stop.kind is StopKind.STANDSTILL
    assert tile.S.pcbuf.count[1] == 16
    assert "waits for T1 to read the PCBuf from B to T1, which is full" in stop.text


def test_a_store_by_a_t_core_is_discarded(tile: Machine) -> None:
    start(tile, {T0: [Store(PC_BUF, 9), Load(PC_BUF)], B: [Store(window(T0), 5)]})
    assert finish(tile) is None
    assert loaded(tile, T0, [Load(0)]) == [5]


@pytest.mark.parametrize("hart", TS)
def test_b_reads_0_when_the_reader_waits_again(tile: Machine, hart: int) -> None:
    start(tile, {B: [Store(window(hart), 1), Load(window(hart))], hart: [Load(PC_BUF)] * 2})
    stop = finish(tile)
    assert stop is not None
    assert stop.kind is StopKind.STANDSTILL, "B has continued, the reader waits"
    assert loaded(tile, B, [Load(0)]) == [0]
    assert tile.S.hart.paused[B]
    name = HART_NAMES[hart]
    assert f"{name} waits for B to write to the PCBuf from B to {name}" in stop.text


def test_b_waits_while_the_reader_is_elsewhere(tile: Machine) -> None:
    start(tile, {B: [Load(window(T2))], T2: []})
    stop = finish(tile)
    assert stop is not None
    assert stop.kind is StopKind.STANDSTILL
    assert "B waits for T2 to have read everything from its PCBuf" in stop.text


@pytest.mark.parametrize("hart", TS)
def test_overrides_cut_the_waits_short(tile: Machine, hart: int) -> None:
    shift = 10 * (hart - T0)
    bits = (1 | 2 | 0xAB << 2) << shift
    start(tile, {B: [Store(OVERRIDE, bits), Load(OVERRIDE), Load(window(hart))]})
    assert finish(tile) is None
    assert loaded(tile, B, [Load(0)] * 2) == [bits, 0]
    start(tile, {hart: [Load(PC_BUF)]})
    assert finish(tile) is None
    assert loaded(tile, hart, [Load(0)]) == [0xAB]


def test_a_value_comes_before_the_override(tile: Machine) -> None:
    reads = [*[NOP] * 200, Load(PC_BUF), Load(PC_BUF)]
    start(tile, {B: [Store(OVERRIDE, 1 | 0x55 << 2), Store(window(T0), 3)], T0: reads})
    assert finish(tile) is None
    assert loaded(tile, T0, reads) == [3, 0x55]


def test_leaving_reset_empties_it(tile: Machine) -> None:
    run(tile, B, Store(window(T0), 3), Store(OVERRIDE, 1 | 0x55 << 2))
    assert run(tile, T0, Load(PC_BUF)) == [0x55]


@pytest.mark.parametrize("hart", TS)
def test_the_checks_do_not_wait_for_an_idle_thread(tile: Machine, hart: int) -> None:
    """Their values are undefined; what they wait for with a busy thread is above."""
    steps = [Load(COPROCESSOR_DONE), Load(MOP_EXPANDER_DONE), Store(COPROCESSOR_DONE, 1)]
    start(tile, {hart: steps})
    waited = set()
    while (stop := tile.run(1)) is None:
        waited.add(int(tile.S.hart.waits_for[hart]))
    assert stop.kind in (StopKind.EBREAK, StopKind.ALL_PAUSED), stop.text
    assert waited == {WaitsFor.NOTHING}


def test_looking_at_an_empty_one_is_refused(tile: Machine) -> None:
    with pytest.raises(MemoryFault, match="cannot be read"):
        tile.peek(T0, PC_BUF, 4)


def test_who_has_them(tile: Machine) -> None:
    assert fault_of(tile, NC, Load(PC_BUF))[0] is Fault.LOAD_UNMAPPED


def test_a_t_core_has_one(tile: Machine) -> None:
    assert fault_of(tile, T0, Load(window(T1)))[0] is Fault.LOAD_UNMAPPED
