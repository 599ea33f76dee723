# SPDX-License-Identifier: Apache-2.0
"""Races with requests of a Wormhole tile's NIUs, by the registers and bytes that it has."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.race.findings import Findings
from tensix_gdb.core.schedule import Schedule
from tests.assembler import SPIN, asm, image, li
from tests.core.chip.programs import COPY, DATA, RESULT, SEMAPHORE, copy_word, store, wait_for
from tests.core.wormhole.test_noc_requests import (
    ATOMIC,
    COUNTERS,
    INLINE,
    MARKED,
    NIU,
    READ,
    WRITE,
    request,
)
from tests.machines import machine_on

RD_RESP, WR_ACK = 2, 1
ENOUGH = 4000


def words(*arguments: int, **more: int) -> list[int]:
    """A request as instructions."""
    return [word for step in request(*arguments, **more) for word in store(step.addr, step.value)]


def counted(index: int, value: int) -> list[int]:
    """Until a counter has a value."""
    return [
        *li(10, NIU + COUNTERS + 4 * index),
        *li(12, value),
        asm("lw", rd=11, rs1=10),
        asm("bne", rs1=11, rs2=12, imm=-4),
    ]


def observed(b: Sequence[int], t0: Sequence[int] = ()) -> Findings:
    machine = machine_on("compiled", Schedule.LATENCY, arch=Arch.WORMHOLE)
    machine.load(B, image([*b, SPIN], 0))
    if t0:
        machine.load(T0, image([*t0, SPIN], 0x4000))
    machine.observe_races(checks=())
    machine.run(ENOUGH)
    assert machine.S.noc.counter[0, 4], "no request was started"
    found = machine.races()
    machine.close()
    return found


@pytest.mark.parametrize(
    ("wait", "is_enough"), [([], False), (counted(RD_RESP, 1), True), (counted(WR_ACK, 0), False)]
)
def test_a_read_and_what_it_brings(wait: list[int], is_enough: bool) -> None:
    found = observed([*words(READ, DATA, COPY, 64), *wait, *copy_word(COPY, RESULT)])
    assert bool(found.reports) is not is_enough
    for report in found.reports:
        assert {report.earlier.agent, report.later.agent} == {"B", "NoC 0"}


# Bytes of NOC_AT_LEN_BE, which are those of the word that B stores to or others, by either half.
@pytest.mark.parametrize(("mask", "meets"), [(0xF, False), (0xF0, True), (0x200000, True)])
def test_the_bytes_of_an_inline_write(mask: int, meets: bool) -> None:
    found = observed([*words(WRITE | INLINE, DATA, length=mask, data=1), *store(DATA + 4, 7)])
    assert bool(found.reports) is meets


# A swap of kind 7 has the number of its word in bits 3:2, so the word polled is another one.
@pytest.mark.parametrize(
    ("ctrl", "operands"),
    [
        (ATOMIC, 7 << 12 | 1 << 2),
        (ATOMIC, 6 << 12 | 1 << 2 | 1),
        (WRITE | INLINE, 0xF0),
        (WRITE | INLINE | MARKED, 0xF00000),
    ],
)
@pytest.mark.parametrize("barrier", [[], counted(RD_RESP, 1)])
def test_a_signal_carries_what_its_hart_knows(ctrl: int, operands: int, barrier: list[int]) -> None:
    signal = words(ctrl, SEMAPHORE, 0, operands, data=1)
    reads = words(READ, DATA, COPY, 64)
    gets = [*wait_for(SEMAPHORE + 4, 1), *copy_word(COPY, RESULT)]
    found = observed([*reads, *barrier, *signal], gets)
    assert bool(found.reports) is not bool(barrier)
    for report in found.reports:
        assert {report.earlier.agent, report.later.agent} == {"NoC 0", "T0"}
