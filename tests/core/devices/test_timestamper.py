# SPDX-License-Identifier: Apache-2.0
"""The debug timestamper, as DebugTimestamper.md has it."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import NC, T1, B
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tests.core.devices.scripts import Load, Store, fault_of, run

LOW, HIGH_NOW, HIGH_AT = 0xFFB121F0, 0xFFB121F4, 0xFFB121F8
EVENT, CNTL, STATUS = 0xFFB121FC, 0xFFB12200, 0xFFB12204
BUFFER = (0xFFB12208, 0xFFB1220C, 0xFFB12210, 0xFFB12214)
FIRST, SECOND = 0x20000, 0x30000


def buffers(units: int = 4) -> list[Store]:
    """Two buffers of `units` times 16 bytes."""
    return [
        *(Store(BUFFER[0], FIRST >> 4), Store(BUFFER[1], (FIRST >> 4) + units - 1)),
        *(Store(BUFFER[2], SECOND >> 4), Store(BUFFER[3], (SECOND >> 4) + units - 1)),
    ]


def words(tile: Machine, addr: int, count: int) -> list[int]:
    data = tile.peek(B, addr, 4 * count)
    return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]


def test_the_counter_counts_cycles(tile: Machine) -> None:
    first, second = run(tile, NC, Load(LOW), Load(LOW))
    assert 0 < first < second <= tile.S.tile.cycle


def test_the_high_half_is_kept(tile: Machine) -> None:
    tile.S.tile.cycle = (7 << 32) - 60
    _, at_start, kept, now = run(
        tile, T1, Load(LOW), Load(HIGH_AT), *[0x13] * 100, Load(HIGH_AT), Load(HIGH_NOW)
    )
    assert [at_start, kept, now] == [6, 6, 7]


def test_a_store_to_the_low_half_keeps_the_high_one(tile: Machine) -> None:
    tile.S.tile.cycle = 9 << 32
    assert run(tile, B, Load(HIGH_AT), Store(LOW, 123), Load(HIGH_AT)) == [0, 9]


def test_events_of_128_bits(tile: Machine) -> None:
    tile.S.tile.cycle = 3 << 32
    run(tile, B, *buffers(), Store(EVENT, 0xABC0), Store(EVENT, 0xDEF8))
    found = words(tile, FIRST, 8)
    assert [found[0], found[2], found[3]] == [0xABC0, 3, 0]
    assert [found[4], found[6], found[7]] == [0xDEF8, 3, 0]
    assert 0 < found[1] < found[5]


def test_events_of_64_bits_come_in_pairs(tile: Machine) -> None:
    steps = [*buffers(), Store(EVENT, 0x11), Load(STATUS), Store(EVENT, 0x21), Load(STATUS)]
    one, two = run(tile, B, *steps)
    assert one == 1 << 8, "half of the accumulator"
    assert two == 1 << 14, "one unit is written"
    found = words(tile, FIRST, 4)
    assert [found[0], found[2]] == [0x11, 0x21]


def test_events_of_32_bits_have_16_bits_of_time(tile: Machine) -> None:
    states = run(
        tile,
        B,
        *buffers(),
        *[s for i in range(4) for s in (Store(EVENT, 2 | i << 3), Load(STATUS))],
    )
    assert [state >> 9 & 3 for state in states] == [1, 2, 3, 0]
    found = words(tile, FIRST, 4)
    assert [word & 0xFFFF for word in found] == [2 | i << 3 for i in range(4)]
    times = [word >> 16 for word in found]
    assert times == sorted(times)


def test_events_of_96_bits_run_across_units(tile: Machine) -> None:
    run(tile, B, *buffers(), *[Store(EVENT, 4 | i << 3) for i in range(4)])
    found = words(tile, FIRST, 12)
    assert found[0::3] == [4, 12, 20, 28]


def test_flush(tile: Machine) -> None:
    run(tile, B, *buffers(), Store(EVENT, 0x11), Store(EVENT, 3))
    found = words(tile, FIRST, 4)
    assert found[0] == 0x11
    assert found[2:] == [0, 0]


def test_the_second_buffer_comes_after_the_first(tile: Machine) -> None:
    steps = [*buffers(1), Store(EVENT, 8), Load(STATUS), Store(EVENT, 16), Load(STATUS)]
    one, two = run(tile, B, *steps)
    assert (one & 3, two & 3) == (0b01, 0b11)
    assert words(tile, FIRST, 1) == [8]
    assert words(tile, SECOND, 1) == [16]


def test_overflow_is_sticky_and_a_store_clears(tile: Machine) -> None:
    steps = [
        *(*buffers(1), Store(EVENT, 8), Store(EVENT, 16), Store(EVENT, 24), Load(STATUS)),
        *(Store(STATUS, 0x11), Load(STATUS), Store(EVENT, 32), Load(STATUS)),
    ]
    full, cleared, again = run(tile, B, *steps)
    assert full & 0x33 == 0x33
    assert cleared & 0x33 == 0x22, "buffer 0 is empty and has lost nothing"
    assert again & 0x33 == 0x23
    assert words(tile, FIRST, 1) == [32]


def test_an_invalid_buffer_is_left_out(tile: Machine) -> None:
    run(tile, B, *buffers(), Store(CNTL, 2), Store(EVENT, 8))
    assert words(tile, FIRST, 1) == [0]
    assert words(tile, SECOND, 1) == [8]


def test_reset_streams(tile: Machine) -> None:
    steps = [*buffers(1), Store(EVENT, 8), Store(EVENT, 1), Store(CNTL, 0x80000003), Load(STATUS)]
    assert run(tile, B, *steps)[0] & 0x1F33 == 0


def test_registers(tile: Machine) -> None:
    assert run(tile, B, Load(CNTL), Load(EVENT), *buffers(), Load(BUFFER[3])) == [
        3,
        0,
        (SECOND >> 4) + 3,
    ]


# fmt: off
WRONG = [
    ([Store(EVENT, 5)],                            Fault.TIMESTAMP_EVENT),
    ([Store(EVENT, 1), Store(EVENT, 2)],           Fault.TIMESTAMP_SIZE),
    ([Store(BUFFER[0], 0x18000), Store(BUFFER[1], 0x20000), Store(EVENT, 0)],
                                                   Fault.TIMESTAMP_BUFFER),
]
# fmt: on


@pytest.mark.parametrize(("events", "code"), WRONG)
def test_undefined_behaviour(tile: Machine, events: list[Store], code: Fault) -> None:
    assert fault_of(tile, B, *buffers(), *events)[0] is code
