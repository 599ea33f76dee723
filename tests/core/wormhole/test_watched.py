# SPDX-License-Identifier: Apache-2.0
"""Watched ranges of L1 on Wormhole: each kind of NoC request reaches them, a stop changes nothing,
and history goes back to it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensix_gdb.core.history import begin_history
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.coordinates import WORMHOLE_DRAM
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind, WatchKind
from tests.assembler import asm, li
from tests.core.chip.programs import COPY, COUNTERS, DATA, INCREMENT, SEMAPHORE, store
from tests.core.tensix.gate.test_watched_l1 import ENOUGH, SCHEDULES, TILE, Case, made, stops, watch
from tests.core.wormhole.test_noc_races import words
from tests.core.wormhole.test_noc_requests import (
    ATOMIC,
    BYTE_ENABLE,
    INLINE,
    MARKED,
    NIU,
    READ,
    WRITE,
    place,
)

R, W, A = WatchKind.READ, WatchKind.WRITE, WatchKind.ACCESS
DRAM, FAR = place(*WORMHOLE_DRAM[1][1]), 0x10000
ISSUED, OUTSTANDING = NIU + 0x28, NIU + COUNTERS + 4 * 16


def barrier() -> list[int]:
    """Wait until the last request was taken, and nothing of transaction id 0 is outstanding."""
    return [
        word
        for addr in (ISSUED, OUTSTANDING)
        for word in (*li(10, addr), asm("lw", rd=11, rs1=10), asm("bne", rs1=11, imm=-4))
    ]


def noc(name: str, requests: Sequence[int], start: int, kind: WatchKind, said: str) -> Case:
    program = [*store(DATA, 0x1234), *store(DATA + 4, 7), *barrier(), *requests, *barrier()]
    return Case(name, program, start, start + TILE, kind, f"{said} by a request of NoC 0 that B")


TO_DRAM = words(WRITE | MARKED, DATA, FAR, 64, ret_at=DRAM)
CASES = (
    noc("write", words(WRITE | MARKED, DATA, COPY, 64), COPY - 1000, W,
        f"{COPY:#x} changed from 0x0 to 0x1234"),
    noc("posted", words(WRITE, DATA, COPY, 64), COPY, W, "changed from 0x0 to 0x1234"),
    noc("some bytes", words(WRITE | BYTE_ENABLE | MARKED, DATA, COPY, 0xF0), COPY, W,
        f"{COPY + 4:#x} changed from 0x0 to 0x7"),
    noc("read", words(READ, DATA, COPY, 64), COPY, W, "changed from 0x0 to 0x1234"),
    noc("source", words(READ, DATA, COPY, 64), DATA + 32, R, f"32 bytes at {DATA + 32:#x} read"),
    noc("sent", words(WRITE | MARKED, DATA, COPY, 64), DATA + 60, R,
        f"4 bytes at {DATA + 60:#x} read"),
    noc("inline", words(WRITE | INLINE | MARKED, COPY, 0, 0xF, data=7), COPY, W,
        "changed from 0x0 to 0x7"),
    noc("atomic", words(ATOMIC | MARKED, SEMAPHORE, COPY, INCREMENT, data=1), SEMAPHORE, W,
        "changed from 0x0 to 0x1"),
    noc("the same", words(WRITE | MARKED, DATA + 256, COPY, 64), COPY, A,
        f"{COPY:#x} written with 0x0, as it was,"),
    noc("to DRAM", TO_DRAM, DATA, R, f"64 bytes at {DATA:#x} read"),
    noc("from DRAM", [*TO_DRAM, *barrier(), *words(READ, FAR, COPY, 64, targ_at=DRAM)], COPY, W,
        "changed from 0x0 to 0x1234"),
)  # fmt: skip


def on_wormhole(case: Case, schedule: Schedule) -> Machine:
    return made(case, schedule, Arch.WORMHOLE)


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_who_is_named(case: Case, schedule: Schedule) -> None:
    plain, watched = on_wormhole(case, schedule), on_wormhole(case, schedule)
    watch(watched, case)
    plain.run(ENOUGH)
    found = list(stops(watched))
    assert found, "the access is seen"
    assert all(stop.kind is StopKind.WATCH for stop in found)
    assert case.said in found[0].text
    assert watched.hash() == plain.hash(), "a stop changes nothing"


@pytest.mark.parametrize("case", [case for case in CASES if case.kind is W], ids=lambda c: c.name)
def test_back_to_a_write(case: Case) -> None:
    machine = on_wormhole(case, Schedule.LATENCY)
    history = begin_history(machine)
    history.resume()
    assert machine.run(ENOUGH) is None
    history.suspend()
    watch(machine, case)
    found = [stop for stop in history.last_stop(lambda _: True) if stop is not None]
    assert len(found) == 1
    assert case.said in found[0].text
