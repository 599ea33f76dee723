# SPDX-License-Identifier: Apache-2.0
"""The mover by way of TDMA-RISC: commands, their queue, STATUS, soft reset."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1, T2, B
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tests.core.devices.scripts import Load, Step, Store, fault_of, finish, loaded, run, start
from tests.machines import machine_on

TDMA = 0xFFB11000
COMMAND, STATUS, BASE = TDMA + 0x10, TDMA + 0x14, TDMA + 0x2C
CONFIG = 0xFFEF0000
SOFT_RESET_0, HELD = 0xFFB121B0, 0x47000
MOVE, WAIT, WRITE, NOP = 0x40, 0x46, 0x66, 0x89
COMPACT, L1_L1 = 1 << 31, 1 << 30
TO_L1, TO_CONFIG, CLEAR_L1, CLEAR_CONFIG = 3, 1, 0, 2
IDLE = 0x428


def with_parameters(command: int, *values: int) -> list[Step]:
    return [*(Store(TDMA + 4 * i, value) for i, value in enumerate(values)),
            Store(COMMAND, command)]  # fmt: skip


def words(tile: Machine, addr: int, count: int) -> list[int]:
    return [tile.record.S.l1.word[addr // 4 + i] for i in range(count)]


def put(tile: Machine, addr: int, *values: int) -> None:
    for i, value in enumerate(values):
        tile.record.S.l1.word[addr // 4 + i] = value


def test_the_four_directions(tile: Machine) -> None:
    put(tile, 0x4000, *range(1, 9))
    put(tile, 0x4200, 9, 9, 9, 9)
    config = tile.record.S.config.word
    for word in range(104, 108):
        config[0, word] = 9
    steps = [
        *with_parameters(MOVE, 0x400, 0x410, 2, TO_L1),
        *with_parameters(MOVE, 0x400, 25, 1, TO_CONFIG),
        *with_parameters(MOVE, 0, 0x420, 1, CLEAR_L1),
        *with_parameters(MOVE, 0, 26, 1, CLEAR_CONFIG),
    ]
    run(tile, B, *steps)
    assert words(tile, 0x4100, 9) == [*range(1, 9), 0]
    assert [config[0, i] for i in range(99, 105)] == [0, 1, 2, 3, 4, 0]
    assert words(tile, 0x4200, 4) == [0, 0, 0, 0]
    assert config[0, 107] == 0


def test_compact_commands_have_a_base_for_each_core(tile: Machine) -> None:
    for hart, base in ((B, 0x2000), (T0, 0x2100), (T2, 0x2200)):
        put(tile, (base + 2) << 4, hart + 1)
        command = COMPACT | L1_L1 | 1 << 24 | (0xF0 + hart) << 16 | 2 << 8 | MOVE
        start(tile, {hart: [Store(BASE, base), Store(COMMAND, command)]})
    assert finish(tile) is None
    assert [words(tile, 0xF00 + (hart << 4), 1)[0] for hart in (B, T0, T2)] == [1, 2, 4]


def test_a_compact_command_to_configuration(tile: Machine) -> None:
    put(tile, 0x4000, 5, 6, 7, 8)
    run(tile, T1, Store(BASE, 0x400), Store(COMMAND, COMPACT | 1 << 24 | 25 << 16 | MOVE))
    assert [tile.record.S.config.word[0, i] for i in range(100, 104)] == [5, 6, 7, 8]


def test_writes_of_l1(tile: Machine) -> None:
    put(tile, 0x4000, 1, 2, 3, 4)
    steps = [
        *with_parameters(WRITE | 0x600, 0x4000, 99, 0xAAAA, 0xBBBB),
        *with_parameters(WRITE | 0x700, 0x4008, 99, 0xCCCC, 0xDDDD),
    ]
    run(tile, B, *steps)
    assert words(tile, 0x4000, 4) == [0xAAAA, 2, 0xCCCC, 0xDDDD]


def test_reads_give_nothing_but_status(tile: Machine) -> None:
    steps = [*with_parameters(COMPACT | NOP, 1, 2, 3, 4), *(Load(TDMA + 4 * i) for i in range(6))]
    assert run(tile, B, *steps) == [0, 0, 0, 0, 0, IDLE]


@pytest.fixture
def slow(request: pytest.FixtureRequest) -> Machine:
    """In `latency`, where a copy takes its time."""
    return machine_on("compiled", Schedule.LATENCY)


LONG = with_parameters(MOVE, 0x400, 0x4000, 0x1000, TO_L1)  # 64 KiB: 5632 cycles


def test_status_while_it_works(slow: Machine) -> None:
    waiting = [Store(COMMAND, COMPACT | WAIT), Load(STATUS)]
    found = run(slow, B, *LONG, Load(STATUS), *waiting * 4)
    busy, room = 1, 0x100
    assert found == [IDLE | busy, *(
        4 * room - n * room | 0x20 | busy | (4 if n == 4 else 0) for n in (1, 2, 3, 4)
    )]  # fmt: skip


def test_a_store_waits_for_room(slow: Machine) -> None:
    start(slow, {B: [*LONG, *[Store(COMMAND, COMPACT | WAIT)] * 5, Load(STATUS)]})
    assert slow.run(2000) is None
    assert "waits for the mover" in slow.hart_state(B)
    assert slow.run(9_000) is not None
    assert loaded(slow, B, [Load(STATUS)])[0] & 5 == 0  # neither busy nor full
    assert slow.S.tile.cycle > 5_632


def test_commands_are_processed_in_their_order(slow: Machine) -> None:
    put(slow, 0x4000, 7)
    wait = Store(COMMAND, COMPACT | WAIT)
    after = with_parameters(WRITE | 0x600, 0x4000, 0, 8, 0)
    run(slow, B, *with_parameters(MOVE, 0x400, 0x410, 64, TO_L1), wait, *after)
    assert (words(slow, 0x4000, 1), words(slow, 0x4100, 1)) == ([8], [7])


def test_a_third_command_with_parameters(slow: Machine) -> None:
    steps = [*LONG, *LONG, *LONG, *LONG]
    code, text = fault_of(slow, T0, *steps)
    assert code is Fault.MOVER_CREDITS
    assert "while two of them are queued" in text


FAULTS = {
    "no such opcode": ([Store(COMMAND, COMPACT | 0x41)], Fault.MOVER_COMMAND),
    "a compact write": ([Store(COMMAND, COMPACT | WRITE | 0x600)], Fault.MOVER_COMMAND),
    "a write without its bits": (with_parameters(WRITE | 0x200, 0x4000), Fault.MOVER_COMMAND),
    "a write behind L1": (with_parameters(WRITE | 0x600, 0x180000), Fault.MOVER_RANGE),
    "half of it behind L1": (with_parameters(WRITE | 0x700, 0x17FFFC), Fault.MOVER_RANGE),
    "a source behind L1": (with_parameters(MOVE, 0x18000, 0, 1, TO_L1), Fault.MOVER_RANGE),
    "two regions": (with_parameters(MOVE, 0, 0x1FFF, 2, TO_CONFIG), Fault.MOVER_RANGE),
    "a compact source behind L1": (
        [Store(BASE, 0x18000), Store(COMMAND, COMPACT | L1_L1 | 1 << 24 | MOVE)],
        Fault.MOVER_COMPACT,
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_has_no_meaning(tile: Machine, name: str) -> None:
    steps, code = FAULTS[name]
    assert fault_of(tile, B, *steps)[0] is code


def test_soft_reset_of_the_mover(slow: Machine) -> None:
    put(slow, 0x4000 + 0xFFF0, 1)
    steps = [*LONG, Store(SOFT_RESET_0, HELD | 1 << 6), Load(STATUS)]
    # What comes while it is held is discarded.
    steps += [*with_parameters(MOVE, 0x400, 0x410, 1, TO_L1), Load(STATUS)]
    assert run(slow, B, *steps) == [IDLE, IDLE]
    assert words(slow, 0x40000 + 0xFFF0, 1) == [0]


def test_soft_reset_of_tdma_empties_the_queue(slow: Machine) -> None:
    queued = [Store(COMMAND, COMPACT | WAIT)] * 3
    reset = [Store(SOFT_RESET_0, HELD | 1 << 8), Store(SOFT_RESET_0, HELD), Load(STATUS)]
    assert run(slow, B, *LONG, *queued, Load(STATUS), *reset) == [0x121, IDLE | 1]


def test_a_copy_to_configuration_takes_its_turn_in_the_pipeline(slow: Machine) -> None:
    """Each unit is one request; a store of a core comes through between them or behind."""
    put(slow, 0x4000, *range(100, 164))
    steps = [*with_parameters(MOVE, 0x400, 20, 16, TO_CONFIG), Store(CONFIG + 4 * 150, 1)]
    run(slow, B, *steps)
    config = slow.record.S.config.word
    assert [config[0, i] for i in range(80, 144)] == list(range(100, 164))
    assert config[0, 150] == 1
