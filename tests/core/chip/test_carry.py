# SPDX-License-Identifier: Apache-2.0
"""Requests between tiles and for DRAM: what the machine's code does where nothing observes is what
Python does for those that watch; and that it is the machine's code that does it."""

from __future__ import annotations

from collections import Counter

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.chip import transfer
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.ends import End
from tensix_gdb.core.chip.together import Together
from tensix_gdb.core.chip.traffic import Traffic
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.memory.segments import SEGMENT_BYTES
from tensix_gdb.core.noc.coordinates import DRAM
from tensix_gdb.core.noc.outside import Outside
from tensix_gdb.core.schedule import Schedule
from tests.assembler import EBREAK, asm, image, li
from tests.core.chip.programs import (
    BROADCAST,
    COPY,
    DATA,
    INLINE,
    MARKED,
    NIU,
    READ,
    RESULT,
    WRITE,
    at,
    barrier,
    load,
    request,
    wait_for,
    word,
)
from tests.core.chip.test_in_step import made_by

ROWS = (("decoded", "line"), ("decoded", "word"), ("state", "written"))
NEAR, FAR = (1, 2), (10, 2)
MAILBOX_OF_B = 0xFFEC0000
ACKNOWLEDGED = NIU + 0x200 + 4  # the counter of acknowledgements of writes
ENABLED = 4  # BYTE_ENABLE


def after(execution: Execution, seed: int, cycles: int, engine: str) -> tuple[str, list[bytes]]:
    with made_by(None, seed, execution, engine) as chip:
        assert chip.run(cycles) is None
        records = [machine.record for machine in chip.tiles.values()]
        rows = [bytes(each.row(each.layout.slot(*row))) for each in records for row in ROWS]
        return chip.hash(), rows


def never(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave all to Python, as where an observer is on."""
    monkeypatch.setattr(End, "is_plain", lambda end: False)
    monkeypatch.setattr(Outside, "lead", lambda outside, record: None)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY, Schedule.RANDOM])
def test_both_do_the_same(schedule: Schedule, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    execution = Execution(schedule, seed + 1)
    carried = after(execution, seed, 12_000, "compiled")
    with monkeypatch.context() as patch:  # Python says what is due, and in which order
        patch.setattr(Together, "carry", lambda loop, routes: None)
        assert after(execution, seed, 12_000, "compiled") == carried
    never(monkeypatch)
    assert after(execution, seed, 12_000, "compiled") == carried


def test_in_cpython_too(monkeypatch: pytest.MonkeyPatch) -> None:
    execution = Execution(Schedule.LATENCY, 1)
    carried = after(execution, 1, 600, "reference")
    never(monkeypatch)
    assert after(execution, 1, 600, "reference") == carried


def test_where_nobody_watches_no_request_comes_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """But for the first write to a MiB of DRAM, and the first request to a tile; all of them when
    a watch is set."""
    came: Counter[str] = Counter()

    def counted(owner: object, name: str) -> None:
        function = getattr(owner, name)

        def call(*arguments: object) -> object:
            came[name] += 1
            return function(*arguments)

        monkeypatch.setattr(owner, name, call)

    counted(transfer, "_reach")
    counted(transfer, "_answer")
    counted(Traffic, "deliver")
    counted(Outside, "serve")
    chip = Chip((NEAR, FAR), engine="compiled", schedule=Schedule.LATENCY)
    dram = at(DRAM[2][0])
    words = request(WRITE | MARKED, DATA, at(NEAR), SEGMENT_BYTES, dram, 512) + barrier(0)
    words += request(WRITE | MARKED, DATA, at(NEAR), SEGMENT_BYTES + 64, dram, 512) + barrier(0)
    words += request(READ, SEGMENT_BYTES, dram, RESULT, at(NEAR), 512) + barrier(0)
    words += request(READ, 5 * SEGMENT_BYTES - 64, dram, 0xB000, at(NEAR), 512) + barrier(0)
    words += request(WRITE | MARKED, DATA, at(NEAR), COPY, at(FAR), 512) + barrier(0)
    words += request(READ, COPY, at(FAR), 0xC000, at(NEAR), 512) + barrier(0)
    load(chip, NEAR, words)
    data = bytes(range(256)) * 2
    chip.tiles[NEAR].load_bytes(DATA, data)
    chip.tiles[NEAR].load_bytes(0xB000, b"x" * 512)
    assert chip.run(6_000) is None
    assert came == {"serve": 1, "deliver": 1}
    assert chip.outside.dram[2].read(SEGMENT_BYTES, 576) == data[:64] + data
    near = chip.tiles[NEAR]
    assert [near.peek(0, addr, 512) for addr in (RESULT, 0xB000, 0xC000)] == [
        *(data[:64] + data[:448], bytes(512), data)
    ]
    chip.close()


def test_a_broadcast_comes_to_python_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """When it has left its NIU: who receives it is known then."""
    came: list[int] = []
    deliver = Traffic.deliver

    def noted(traffic: Traffic, now: int) -> int:
        came.append(now)
        return deliver(traffic, now)

    monkeypatch.setattr(Traffic, "deliver", noted)
    places = (NEAR, (2, 2), (7, 2), FAR)
    chip = Chip(places, engine="compiled", schedule=Schedule.LATENCY)
    there = at(FAR) | at((2, 2)) << 12
    ask = request(WRITE | MARKED | BROADCAST, DATA, at(NEAR), COPY, there, 64)
    load(chip, NEAR, ask + wait_for(ACKNOWLEDGED, 3) + ask + wait_for(ACKNOWLEDGED, 6))
    chip.tiles[NEAR].load_bytes(DATA, bytes(range(64)))
    assert chip.run(2_000) is None
    assert len(came) == 2
    assert all(chip.tiles[each].peek(0, COPY, 64) == bytes(range(64)) for each in places[1:])
    assert word(chip, NEAR, ACKNOWLEDGED) == 6
    assert not chip.capture().traffic
    chip.close()


def test_a_standstill_that_is_none_does_not_come_to_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """T0 waits for a mailbox, which is suspicious again and again, and B goes round."""
    chip = Chip((NEAR, FAR), engine="compiled", schedule=Schedule.LATENCY)
    load(chip, NEAR, [asm("addi", rd=8, rs1=8, imm=1), asm("jal", imm=-4)])
    words = [*li(5, MAILBOX_OF_B), asm("lw", rd=6, rs1=5), EBREAK]
    chip.tiles[NEAR].load(T0, image(words, 0xA000))
    S = chip.tiles[NEAR].S
    attended: list[int] = []
    attend = chip._attend

    def noted(number: int, goal: int) -> object:
        attended.append(number)
        return attend(number, goal)

    monkeypatch.setattr(chip, "_attend", noted)
    assert chip.run(20_000) is None
    assert S.tile.backoff > 3, "there were suspicions"
    assert not [number for number in attended if chip.tiles[NEAR] is chip._machines[number]]
    chip.close()


@pytest.mark.parametrize(
    "words",
    [
        request(WRITE | INLINE | MARKED, 0xFFB12344, at(FAR), data=5),  # a register
        request(WRITE | MARKED | ENABLED, DATA, at(NEAR), COPY, at(FAR), 0xF0F),
        request(WRITE | MARKED, DATA, at(NEAR), L1_END[0] - 4, at(FAR), 512),
        request(READ, L1_END[0] - 4, at(FAR), RESULT, at(NEAR), 512),
        request(READ, 0xFF000000, at(DRAM[2][0]), RESULT, at(NEAR), 64),
        request(WRITE | MARKED | ENABLED, DATA, at(NEAR), COPY, at(DRAM[2][0]), 0xF0F),
    ],
)
def test_what_is_left_to_python(words: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Registers, masks of bytes, the ends of L1 and DRAM: the same states and stops."""

    def ended() -> tuple[object, str]:
        chip = Chip((NEAR, FAR), engine="compiled", schedule=Schedule.LATENCY)
        load(chip, NEAR, words)
        chip.tiles[NEAR].load_bytes(DATA, bytes(range(1, 129)))
        stop = chip.run(2_000)
        found = stop, chip.hash()
        chip.close()
        return found

    found = ended()
    never(monkeypatch)
    assert ended() == found


def test_stops_for_dram_are_attended_to_in_the_order_of_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Compiled code has as many quanta as Python, which finishes each of them."""
    execution = Execution(Schedule.LATENCY, 3)
    with made_by(None, 3, execution, "compiled") as chip:
        run, finishing = chip._in_step.run, []

        def only_python(start: int, end: int, **options: bool) -> tuple[int, int]:
            finishing.append(options.pop("finishes"))
            return run(start, end, **options)

        monkeypatch.setattr(chip._in_step, "run", only_python)
        assert chip.run(9_000) is None
        by_python = chip.hash()
    assert all(finishing)
    with made_by(None, 3, execution, "compiled") as chip:
        assert chip.run(9_000) is None
        assert chip.hash() == by_python
