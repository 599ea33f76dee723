# SPDX-License-Identifier: Apache-2.0
"""The order of two requests of one tile: litmus programs for each sentence of core/noc/order.py, in
`latency` and in seeds of `random`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.request import BROADCAST, LINKED, STATIC, XY
from tensix_gdb.core.schedule import Schedule
from tests.core.chip.programs import (
    ATOMIC,
    COPY,
    DATA,
    INCREMENT,
    INLINE,
    MARKED,
    NIU,
    READ,
    RESULT,
    SEMAPHORE,
    WRITE,
    at,
    barrier,
    copy_word,
    load,
    request,
    store,
    wait_for,
    word,
)

NEAR, FAR = (1, 2), (10, 2)
BYTES = 512
NEW, OLD = 0x01010101, 0x02020202
SWAP = 7 << 12
FREE_FOR_SOFTWARE = NIU + 0x10C  # ROUTER_CFG_2
LATENCY = Execution(Schedule.LATENCY)
SEEDS = range(1, 201)
ENOUGH = 12_000  # a request may be 2,048 cycles late

Program = Callable[[int, int], tuple[list[int], list[int]]]  # flags of two requests, to B of both


def channel(number: int) -> int:
    return STATIC | number << 13


@cache
def engine() -> Engine:
    return Machine(engine="compiled").engine


def outcome(program: Program, first: int, second: int, execution: Execution) -> int:
    chip = Chip((NEAR, FAR), engine=engine(), schedule=execution)
    chip.tiles[NEAR].load_bytes(DATA, bytes([1]) * BYTES)
    chip.tiles[FAR].load_bytes(COPY, bytes([2]) * BYTES)
    near, far = program(first, second)
    load(chip, NEAR, near)
    load(chip, FAR, far)
    result, is_busy = 0, True
    while (is_busy or not result) and chip.cycle < ENOUGH:
        assert chip.run(500) is None
        result = max(word(chip, NEAR, RESULT), word(chip, FAR, RESULT))
        is_busy = any(any(bytes(tile.S.noc.stage.raw)) for tile in chip.tiles.values())
    chip.close()
    return result


def outcomes(program: Program, first: int, second: int, *, strict: bool = False) -> set[int]:
    """Of seeds until two are seen, or of 200."""
    seen: set[int] = set()
    for seed in SEEDS:
        execution = Execution(Schedule.RANDOM, seed, strict=strict, pauses=False)
        seen.add(outcome(program, first, second, execution))
        if len(seen) > 1:
            break
    return seen


def write_then_read(first: int, second: int) -> tuple[list[int], list[int]]:
    words = request(WRITE | first, DATA, at(NEAR), COPY, at(FAR), BYTES)
    last = COPY + BYTES - 64
    return words + request(READ | second, last, at(FAR), RESULT, at(NEAR), 64), []


def read_then_write(first: int, second: int) -> tuple[list[int], list[int]]:
    words = request(READ | first, COPY, at(FAR), RESULT, at(NEAR), 64)
    return words + request(WRITE | second, DATA, at(NEAR), COPY, at(FAR), 64), []


def two_swaps(first: int, second: int) -> tuple[list[int], list[int]]:
    ctrl = ATOMIC | MARKED
    words = request(ctrl | first, RESULT, at(FAR), 0xB000, at(NEAR), SWAP, data=OLD)
    return words + request(ctrl | second, RESULT, at(FAR), 0xB010, at(NEAR), SWAP, data=NEW), []


def two_stores_to_a_register(first: int, second: int) -> tuple[list[int], list[int]]:
    ctrl = WRITE | INLINE | MARKED
    words = request(ctrl | first, FREE_FOR_SOFTWARE, at(FAR), data=OLD)
    words += request(ctrl | second, FREE_FOR_SOFTWARE, at(FAR), data=NEW) + barrier(0)
    return words + request(READ, FREE_FOR_SOFTWARE, at(FAR), RESULT, at(NEAR), 4), []


def data_then_semaphore(first: int, second: int) -> tuple[list[int], list[int]]:
    words = request(WRITE | first, DATA, at(NEAR), COPY, at(FAR), BYTES)
    words += request(ATOMIC | second, SEMAPHORE, at(FAR), 0, 0, INCREMENT, data=1)
    return words, wait_for(SEMAPHORE, 1) + copy_word(COPY + BYTES - 4, RESULT)


def to_rectangles(first: int, second: int) -> tuple[list[int], list[int]]:
    there = at(FAR) | at(FAR) << 12
    words = request(WRITE | BROADCAST | first, DATA, at(NEAR), COPY, there, BYTES)
    words += store(0xC000, 1) + request(
        WRITE | BROADCAST | second, 0xC000, at(NEAR), SEMAPHORE, there, 4
    )
    return words, wait_for(SEMAPHORE, 1) + copy_word(COPY + BYTES - 4, RESULT)


BY_THE_PAGES = [
    (write_then_read, channel(1), channel(1), NEW),
    (write_then_read, LINKED, 0, NEW),
    (read_then_write, LINKED, 0, OLD),
    (two_swaps, channel(0), channel(0), NEW),
    (two_swaps, LINKED, 0, NEW),
    (two_stores_to_a_register, channel(3), channel(3), NEW),
]
PROMISED = [
    (data_then_semaphore, channel(1), channel(1), NEW),
    (data_then_semaphore, LINKED, 0, NEW),
    (to_rectangles, channel(4), channel(4), NEW),
    (to_rectangles, LINKED, 0, NEW),
]
NOTHING_ORDERS = [
    (write_then_read, channel(1), channel(0)),
    (write_then_read, 0, 0),
    (read_then_write, channel(1), channel(1)),
    (two_swaps, channel(1), channel(2)),
    (two_stores_to_a_register, 0, channel(3)),
    (data_then_semaphore, channel(0), channel(1)),
    (data_then_semaphore, 0, 0),
    (to_rectangles, channel(4), channel(5)),
    (to_rectangles, 0, 0),
]


def name(value: object) -> str | None:
    return value.__name__ if callable(value) else None


@pytest.mark.parametrize(("program", "first", "second", "expected"), BY_THE_PAGES, ids=name)
def test_the_pages_order(program: Program, first: int, second: int, expected: int) -> None:
    assert outcome(program, first, second, LATENCY) == expected
    assert outcomes(program, first, second, strict=True) == {expected}


@pytest.mark.parametrize(("program", "first", "second", "expected"), PROMISED, ids=name)
def test_kernels_rely_on(program: Program, first: int, second: int, expected: int) -> None:
    """Kept, but for `strict`."""
    assert outcome(program, first, second, LATENCY) == expected
    assert outcomes(program, first, second) == {expected}
    assert len(outcomes(program, first, second, strict=True)) == 2


@pytest.mark.parametrize(("program", "first", "second"), NOTHING_ORDERS, ids=name)
def test_nothing_orders(program: Program, first: int, second: int) -> None:
    assert len(outcomes(program, first, second)) == 2


# What cannot be


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (request(WRITE | channel(4), DATA, at(NEAR), COPY, at(FAR), 64), "class bits"),
        (
            request(WRITE | BROADCAST | channel(1), DATA, 0, COPY, at(FAR) | at(FAR) << 12, 64),
            "class bits",
        ),
        (
            request(WRITE | LINKED, DATA, at(NEAR), COPY, at(FAR), 64)
            + request(WRITE, DATA, at(NEAR), COPY, at(NEAR), 64),
            "x 1, y 2 of its NoC, to which the request before is linked",
        ),
        (
            request(WRITE | LINKED | channel(1), DATA, at(NEAR), COPY, at(FAR), 64)
            + request(WRITE | channel(0), DATA, at(NEAR), COPY, at(FAR), 64),
            "another destination or virtual channel",
        ),
        (
            request(WRITE | LINKED | BROADCAST, DATA, 0, COPY, at(FAR) | at(FAR) << 12, 64)
            + request(WRITE | BROADCAST | XY, DATA, 0, COPY, at(FAR) | at(FAR) << 12, 64),
            "another destination or virtual channel",
        ),
    ],
)
def test_faults_of_the_sender(words: list[int], sentence: str) -> None:
    chip = Chip((NEAR, FAR), engine="compiled")
    load(chip, NEAR, words)
    found = chip.run(2500)
    assert found is not None
    assert found.place == NEAR
    assert sentence in found.stop.text, found.stop.text
    chip.close()
