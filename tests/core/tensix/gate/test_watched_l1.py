# SPDX-License-Identifier: Apache-2.0
"""Watched ranges of L1: each agent that is no hart reaches them, in every schedule, and a stop
changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pytest

from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.debug.gate_breakpoints import GateWatch
from tensix_gdb.core.debug.l1_ranges import Range
from tensix_gdb.core.history import begin_history
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.noc_access import NocAccess
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import Stop, StopKind, WatchKind
from tensix_gdb.core.tensix.mover.unit import (
    DESTINATION_WORD,
    DIRECTION_LOW,
    L1_TO_L1,
    SIZE_WORD,
    SOURCE_WORD,
)
from tests.assembler import SPIN, image
from tests.core.chip.programs import (
    ATOMIC,
    COPY,
    DATA,
    INCREMENT,
    INLINE,
    MARKED,
    READ,
    SEMAPHORE,
    WRITE,
    barrier,
    request,
    store,
)
from tests.core.race.network.test_noc import FAR, HERE, THERE
from tests.core.tensix.programs import push_all
from tests.machines import machine_on

TILE = 2048
TDMA = 0xFFB11000
SCHEDULES = (Schedule.SC, Schedule.LATENCY, Schedule.RANDOM)
ENOUGH = 4000
CODE = 0x4000


@dataclass(frozen=True)
class Case:
    """A program of B or T1 (instructions as text), what it does where, and who is named."""

    name: str
    program: Sequence[int | str]
    start: int
    end: int
    kind: WatchKind
    said: str
    thread: int | None = None
    prepare: Callable[[Machine], None] = lambda machine: None


def noc(name: str, words: Sequence[int], start: int, kind: WatchKind, said: str) -> Case:
    program = [*store(DATA, 0x1234), *barrier(0), *words, *barrier(0)]
    return Case(name, program, start, start + TILE, kind, f"{said} by a request of NoC 0 that B")


def gpr(number: int, value: int) -> list[str]:
    text = "SETDMAREG.Immediate new_value={}, result_half_reg={}"
    return [text.format(value & 0xFFFF, 2 * number), text.format(value >> 16, 2 * number + 1)]


def fill_copy(machine: Machine) -> None:
    """DATA is not 0, COPY is."""
    machine.poke(B, DATA, b"\x34\x12\0\0")


def describe_copy(machine: Machine) -> None:
    """XMOV copies four units from DATA to COPY."""
    fill_copy(machine)
    words = {SOURCE_WORD: DATA >> 4, DESTINATION_WORD: COPY >> 4}
    words[SIZE_WORD] = 4 | L1_TO_L1 << DIRECTION_LOW
    for word, value in words.items():
        machine.S.config.word[0, word] = value


def command(what: int, *parameters: int) -> list[int]:
    """A command of TDMA-RISC, after something is at DATA."""
    words = [*store(DATA, 0x1234), *barrier(0)]
    for i, value in enumerate(parameters):
        words += store(TDMA + 4 * i, value)
    return words + store(TDMA + 0x10, what)


R, W, A = WatchKind.READ, WatchKind.WRITE, WatchKind.ACCESS
CASES = (
    noc("write", request(WRITE | MARKED, DATA, HERE, COPY, HERE, 64), COPY - 1000, W,
        f"{COPY:#x} changed from 0x0 to 0x1234"),
    noc("posted", request(WRITE, DATA, HERE, COPY, HERE, 64), COPY, W,
        "changed from 0x0 to 0x1234"),
    noc("read", request(READ, DATA, HERE, COPY, HERE, 64), COPY, W, "changed from 0x0 to 0x1234"),
    noc("source", request(READ, DATA, HERE, COPY, HERE, 64), DATA + 32, R,
        f"32 bytes at {DATA + 32:#x} read"),
    noc("sent", request(WRITE | MARKED, DATA, HERE, COPY, HERE, 64), DATA + 60, R,
        f"4 bytes at {DATA + 60:#x} read"),
    noc("inline", request(WRITE | INLINE | MARKED, COPY, HERE, 0, 0, 0, data=7), COPY, W,
        "changed from 0x0 to 0x7"),
    noc("atomic", request(ATOMIC, SEMAPHORE, HERE, 0, 0, INCREMENT, data=1), SEMAPHORE, W,
        "changed from 0x0 to 0x1"),
    noc("the same", request(WRITE | MARKED, DATA + 256, HERE, COPY, HERE, 64), COPY, A,
        f"{COPY:#x} written with 0x0, as it was,"),
    noc("to DRAM", request(WRITE | MARKED, DATA, HERE, FAR, THERE, 64), DATA, R, "read"),
    noc("from DRAM",
        [*request(WRITE | MARKED, DATA, HERE, FAR, THERE, 64), *barrier(0),
         *request(READ, FAR, THERE, COPY, HERE, 64)], COPY, W, "changed from 0x0 to 0x1234"),
    Case("STOREIND", [*gpr(4, COPY >> 4), *gpr(5, 9),
                      "STOREIND.L1 size=1, data_reg=5, addr_reg=4", "NOP"],
         COPY - 8, COPY + TILE, W, "changed from 0x0 to 0x9 by STOREIND", 1),
    Case("LOADIND", [*gpr(4, DATA >> 4), "LOADIND size=1, result_reg=6, addr_reg=4", "NOP"],
         DATA, DATA + 2, R, f"2 bytes at {DATA:#x} read by LOADIND", 1, fill_copy),
    Case("ATINCGET", [*gpr(4, COPY >> 4), *gpr(5, 1),
                      "ATINCGET int_width=31, ofs=0, addr_reg=4, in_out_reg=5", "NOP"],
         COPY, COPY + TILE, W, "changed from 0x0 to 0x1 by ATINCGET", 1),
    Case("ATSWAP", [*gpr(4, COPY >> 4), *gpr(8, 0x1234), *gpr(9, 0x50006),
                    "ATSWAP single_data_reg=0, mask=0x0c, data_reg=8, addr_reg=4", "NOP"],
         COPY + 6, COPY + TILE, W, "changed from 0x0 to 0x5 by ATSWAP", 1),
    Case("ATCAS", [*gpr(4, COPY >> 4), "ATCAS set_val=5, cmp_val=0, ofs=1, addr_reg=4", "NOP"],
         COPY - 8, COPY + TILE, W, f"{COPY + 4:#x} changed from 0x0 to 0x5 by ATCAS", 1),
    Case("ATCAS reads", [*gpr(4, COPY >> 4), "ATCAS set_val=5, cmp_val=0, ofs=1, addr_reg=4",
                         "NOP"],
         COPY + 4, COPY + 8, R, f"4 bytes at {COPY + 4:#x} read by ATCAS", 1),
    Case("ATINCGETPTR", [*gpr(4, COPY >> 4),
                         "ATINCGETPTR no_incr=0, incr_log2=1, int_width=3, ofs=1, result_reg=6, "
                         "addr_reg=4", "NOP"],
         COPY, COPY + TILE, W, "changed from 0x0 to 0x2 by ATINCGETPTR", 1),
    Case("XMOV", ["XMOV", "NOP"], COPY, COPY + TILE, W, "changed from 0x0 to 0x1234 by XMOV", 1,
         describe_copy),
    Case("XMOV reads", ["XMOV", "NOP"], DATA + 62, COPY, R,
         f"2 bytes at {DATA + 62:#x} read by XMOV", 1, describe_copy),
    Case("moved", command(0x40, DATA >> 4, COPY >> 4, 4, L1_TO_L1), COPY, COPY + TILE, W,
         "changed from 0x0 to 0x1234 by a command of TDMA-RISC that B has given at"),
    Case("moved from", command(0x40, DATA >> 4, COPY >> 4, 4, L1_TO_L1), DATA, DATA + TILE, R,
         f"64 bytes at {DATA:#x} read by a command of TDMA-RISC that B has given at"),
    Case("put", command(0x666, COPY, 0, 9, 0), COPY, COPY + TILE, W,
         "changed from 0x0 to 0x9 by a command of TDMA-RISC that B has given at"),
)  # fmt: skip


def made(case: Case, schedule: Schedule, arch: Arch = Arch.BLACKHOLE) -> Machine:
    machine = Machine(engine="reference", schedule=schedule, arch=arch)
    words = [word for word in case.program if isinstance(word, int)]
    texts = [text for text in case.program if isinstance(text, str)]
    if words:
        machine.load(B, image([*words, SPIN], 0))
    else:
        machine.load(T0 + 1, image([*push_all(texts), SPIN], CODE))
    case.prepare(machine)
    return machine


def watch(machine: Machine, case: Case) -> None:
    ranges = (Range(case.start, case.end, case.kind),)
    machine.gates.add_watch(GateWatch("it", (), ranges=ranges, kind=case.kind))


def stops(machine: Machine, cycles: int = ENOUGH) -> Iterator[Stop]:
    """All stops up to a cycle, or up to one after which the tile cannot continue."""
    while (left := cycles - machine.S.tile.cycle) > 0:
        stop = machine.run(left)
        if stop is None:
            return
        yield stop
        if stop.kind is not StopKind.WATCH:
            return


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_who_is_named(case: Case, schedule: Schedule) -> None:
    plain, watched = made(case, schedule), made(case, schedule)
    watch(watched, case)
    plain.run(ENOUGH)
    found = list(stops(watched))
    assert found, "the access is seen"
    assert all(stop.kind is StopKind.WATCH for stop in found)
    assert found[0].thread == case.thread
    assert case.said in found[0].text
    assert found[0].is_over == (case.thread is None)
    assert watched.hash() == plain.hash(), "a stop changes nothing"


# Requests of B to the NoC are other words there (tests/core/wormhole has some).
OF_NOC = ("by a request of NoC 0 that B", "by a command of TDMA-RISC that B has given at")
ON_WORMHOLE = [case for case in CASES if not case.said.endswith(OF_NOC)]


@pytest.mark.parametrize("case", ON_WORMHOLE, ids=lambda case: case.name)
def test_who_is_named_on_wormhole(case: Case) -> None:
    plain, watched = (made(case, Schedule.LATENCY, Arch.WORMHOLE) for _ in range(2))
    watch(watched, case)
    plain.run(ENOUGH)
    found = list(stops(watched))
    assert found
    assert case.said in found[0].text
    assert watched.hash() == plain.hash()


@pytest.mark.parametrize("case", CASES[:1], ids=lambda case: case.name)
def test_what_is_outside_the_range_is_not_seen(case: Case) -> None:
    machine = made(case, Schedule.LATENCY)
    ranges = (Range(COPY + 2, COPY + TILE), Range(COPY - TILE, COPY))
    machine.gates.add_watch(GateWatch("it", (), ranges=ranges))
    assert list(stops(machine)) == []


@pytest.mark.parametrize("case", [case for case in CASES if case.kind is W], ids=lambda c: c.name)
def test_back_to_a_write(case: Case) -> None:
    machine = made(case, Schedule.LATENCY)
    history = begin_history(machine)
    history.resume()
    assert machine.run(ENOUGH) is None
    history.suspend()
    watch(machine, case)
    found = [stop for stop in history.last_stop(lambda _: True) if stop is not None]
    assert len(found) == 1
    assert case.said in found[0].text


def test_the_host_stops_a_tile_that_stands() -> None:
    machine = machine_on("reference", Schedule.LATENCY)
    machine.load(B, image([SPIN], 0))
    machine.gates.add_watch(GateWatch("it", (), ranges=(Range(COPY, COPY + TILE),)))
    host = NocAccess(machine.record, machine.memory)
    host.write(COPY + 16, bytes(4))
    assert machine.run(10) is None, "nothing has changed"
    host.write(COPY + 16, b"\0\0\1\0")
    machine.poke(B, COPY + 32, b"\1")
    stop = machine.run(10)
    assert stop is not None
    assert stop.text == f"Watch 1 (it): {COPY + 18:#x} changed from 0x0 to 0x1 by the host"
    assert machine.run(10) is None, "what the debugger writes is no change"


def test_what_was_noted_of_a_watch_that_is_gone_is_forgotten() -> None:
    """Of another one it is kept, though that has another place in the record now."""
    machine = machine_on("reference", Schedule.LATENCY)
    machine.load(B, image([SPIN], 0))
    first = machine.gates.add_watch(GateWatch("first", (), ranges=(Range(COPY, COPY + 4),)))
    machine.gates.add_watch(GateWatch("second", (), ranges=(Range(COPY + 64, COPY + 68),)))
    host = NocAccess(machine.record, machine.memory)
    host.write(COPY + 64, b"\1")
    assert machine.gates.remove(first)
    stop = machine.run(10)
    assert stop is not None
    assert stop.text.startswith("Watch 2 (second): ")
    third = machine.gates.add_watch(GateWatch("third", (), ranges=(Range(COPY, COPY + 4),)))
    host.write(COPY, b"\1")
    assert machine.gates.remove(third)
    assert machine.run(10) is None


def test_nothing_is_looked_for_when_the_watch_is_gone() -> None:
    machine = made(CASES[0], Schedule.LATENCY)
    number = machine.gates.add_watch(GateWatch("it", (), ranges=(Range(COPY, COPY + TILE),)))
    assert machine.gates.remove(number)
    assert not machine.gates.anything()
    assert machine.memory.watched is None
    assert list(stops(machine)) == []
