# SPDX-License-Identifier: Apache-2.0
"""Cycles of a tile that only polls are passed in one go, and the record is that of every one of
them (core/clock/polling.py).

The oracle runs the same cycles in pieces that are too short to be watched.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import HARTS, T0, T2, B
from tensix_gdb.core.clock.polling import WORTH_WATCHING
from tensix_gdb.core.clock.polling_rows import PROVED
from tensix_gdb.core.firmware.host import Host
from tensix_gdb.core.firmware.image import read_firmware
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.run import RunLimits
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import Stop, StopKind
from tests.assembler import EBREAK, asm, image, li
from tests.core.firmware.builds import KNOWN, unpack
from tests.machines import ENGINES, machine_on

STARTS = (0x0, 0x6000, 0xA000, 0xE000, 0x12000)
FLAG, LOCAL = 0x20000, 0xFFB00000
NO_L0 = [*li(5, 0x8), asm("csrrs", rs1=5, imm=0x7C0)]  # no L0 cache, as in the firmware
BREAK_AT = STARTS[T0] + 4 * len([*NO_L0, *li(6, FLAG)])
Pair = tuple[Machine, Machine]


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=[Schedule.LATENCY, Schedule.SC])
def pair(engine: str, request: pytest.FixtureRequest) -> Iterator[Pair]:
    """The machine under test and the oracle."""
    machines = machine_on(engine, request.param), machine_on("compiled", request.param)
    for machine in machines:
        machine.host.is_present = True  # alone a tile that only polls stops
    yield machines
    for machine in machines:
        machine.close()


def in_pieces(machine: Machine, cycles: int) -> Stop | None:
    """Run as `Machine.run`, without a skip."""
    while cycles > 0:
        begun = machine.S.tile.cycle
        stop = machine.run(min(cycles, WORTH_WATCHING - 1))
        if stop is not None:
            return stop
        cycles -= machine.S.tile.cycle - begun
    return None


def both(pair: Pair, cycles: int) -> Stop | None:
    """Run both so far; the same stop, and the same record to the byte."""
    fast, oracle = pair
    stop, wanted = fast.run(cycles), in_pieces(oracle, cycles)
    assert (stop is None) == (wanted is None)
    if stop is not None and wanted is not None:
        assert (stop.kind, stop.hart, stop.pc) == (wanted.kind, wanted.hart, wanted.pc)
    assert fast.record.state() == oracle.record.state(), fast.record.diff(oracle.record)
    assert oracle.S.polling.skipped == 0
    return stop


def poll(extra: Sequence[int] = (), addr: int = FLAG) -> list[int]:
    """Load a word of memory until it is not 0; then count in x9 and stop."""
    load = [asm("lw", rd=7, rs1=6), *extra]
    loop = [*load, asm("beq", rs1=7, imm=-4 * len(load))]
    return [*NO_L0, *li(6, addr), *loop, asm("addi", rd=9, rs1=9, imm=1), EBREAK]


def load_all(pair: Pair, programs: dict[int, list[int]]) -> None:
    for machine in pair:
        for hart, words in programs.items():
            machine.load(hart, image(words, STARTS[hart]))


EXTRAS = {
    B: [asm("fence"), asm("addi", rd=8, rs1=7, imm=3)],
    T0: [],
    2: [asm("div", rd=8, rs1=6, rs2=6)],
    T2: [asm("lw", rd=8, rs1=6, imm=16), asm("xor", rd=8, rs1=8, rs2=7), asm("fence")],
    4: [asm("mul", rd=8, rs1=6, rs2=6), asm("add", rd=8, rs1=8, rs2=8)],
}


def test_five_harts_that_poll_are_skipped(pair: Pair) -> None:
    load_all(pair, {hart: poll(EXTRAS[hart]) for hart in range(HARTS)})
    for cycles in (3000, 1024, 5001, 2047, 9999):
        assert both(pair, cycles) is None
    assert pair[0].S.polling.skipped > 10_000


def test_a_loop_that_begins_while_harts_are_watched(pair: Pair) -> None:
    """The state that a hart has before its loop does not come again."""
    straight = [asm("addi", rd=8, rs1=8, imm=1)] * 600
    load_all(pair, {hart: [*NO_L0, *straight, *poll()] for hart in (B, T0, T2)})
    assert both(pair, 5000) is None
    assert pair[0].S.polling.skipped > 1000


def test_the_end_of_the_polling_is_met_in_the_same_cycle(pair: Pair) -> None:
    """A write of a debugger or a host between two runs ends loops."""
    load_all(pair, {hart: poll(EXTRAS[hart]) for hart in range(HARTS)})
    assert both(pair, 4321) is None
    for machine in pair:
        machine.poke(B, FLAG, (1).to_bytes(4, "little"))
    stop = both(pair, 5000)
    assert stop is not None
    assert stop.kind is StopKind.EBREAK
    assert [pair[0].S.hart.x[hart, 9] for hart in range(HARTS)].count(1) > 0
    assert pair[0].S.polling.skipped > 0


def test_a_hart_that_counts_ends_the_polling_of_others(pair: Pair) -> None:
    """While one hart works nothing is skipped; after its store the others continue."""
    count = [*li(5, 4000), asm("addi", rd=5, rs1=5, imm=-1), asm("bne", rs1=5, imm=-4)]
    store = [*li(6, FLAG), *li(7, 1), asm("sw", rs1=6, rs2=7), asm("jal")]
    load_all(pair, {B: [*count, *store], T0: poll(), T2: poll(EXTRAS[T2])})
    stops = []
    for _ in range(3):
        stops.append(both(pair, 30_000))
    assert [stop.hart for stop in stops if stop is not None] == [T0, T2]
    assert pair[0].S.polling.skipped > 20_000  # B alone, in a loop of one instruction


@pytest.mark.parametrize("armed", ["break", "write", "read"])
def test_what_is_armed_stops_as_always(pair: Pair, armed: str) -> None:
    load_all(pair, {hart: poll(EXTRAS[hart]) for hart in (B, T0, T2)})
    both(pair, 2000)
    for machine in pair:
        if armed == "break":
            machine.add_break(BREAK_AT, T0)
        else:
            machine.add_watch(T2, FLAG + 16, 4, armed)
    stop = both(pair, 6000)
    assert (stop is None) == (armed == "write")
    assert both(pair, 6000) is None or armed != "write"
    assert (pair[0].S.polling.skipped > 8000) == (armed == "write")


def test_a_step_takes_one_instruction(pair: Pair) -> None:
    load_all(pair, {hart: poll(EXTRAS[hart]) for hart in (B, T0)})
    both(pair, 3000)
    for machine in pair:
        machine.step(T0)
    stop = both(pair, 3000)
    assert stop is not None
    assert stop.kind is StopKind.STEP
    both(pair, 3000)


def test_with_an_l0_cache_that_is_flushed_now_and_then_nothing_is_skipped(engine: str) -> None:
    """One hit in 125 drops the cache, which is drawn: no round is like another."""
    pair = machine_on(engine, Schedule.LATENCY), machine_on("compiled", Schedule.LATENCY)
    words = [*li(6, FLAG), asm("lw", rd=7, rs1=6), asm("beq", rs1=7, imm=-4), EBREAK]
    load_all(pair, {T0: words})
    both(pair, 5000)
    assert pair[0].S.polling.skipped == 0


def test_a_loop_that_counts_in_a_floating_point_register_is_not_skipped(pair: Pair) -> None:
    """Of a hart that polls its integers are kept, and no other registers."""
    count = [asm("fcvt.s.w", frd=1, rs1=8), asm("fadd.s", frd=2, frs1=2, frs2=1)]
    load_all(pair, {T0: [*li(8, 1), *poll(count)], B: poll()})
    both(pair, 6000)
    both(pair, 3000)
    assert pair[0].S.polling.skipped == 0
    assert pair[0].S.hart.x[T0, 32 + 2] > 0


def test_a_loop_with_code_that_is_fetched_anew_each_time_is_not_skipped(engine: str) -> None:
    """Lines of the instruction cache are counted, not kept."""
    pair = machine_on(engine, Schedule.LATENCY), machine_on("compiled", Schedule.LATENCY)
    long = [asm("addi", rd=8, rs1=7, imm=1)] * 3000  # more than the cache holds
    back = [asm("jal", imm=-4 * (len(long) + 1))]
    load_all(pair, {B: [*NO_L0, *li(6, FLAG), asm("lw", rd=7, rs1=6), *long, *back]})
    both(pair, 30_000)
    assert pair[0].S.polling.skipped == 0


def test_a_client_that_is_asked_often_does_not_keep_it_from_skipping(pair: Pair) -> None:
    fast, oracle = pair
    load_all(pair, {hart: poll(EXTRAS[hart]) for hart in range(HARTS)})
    fast.run_within(RunLimits(50_000, lambda: False, poll_cycles=16))
    in_pieces(oracle, 50_000)
    assert fast.S.polling.skipped > 40_000
    assert fast.S.polling.state == PROVED
    assert fast.record.state() == oracle.record.state(), fast.record.diff(oracle.record)


def _random_loop(draw: random.Random, hart: int) -> list[int]:
    """A loop that may poll, count, store, or do two of that."""
    extra = []
    for _ in range(draw.randrange(6)):
        rd, one, two = (draw.choice((8, 9, 10, 11, 12)) for _ in range(3))
        kind = draw.randrange(12)
        if kind < 3:
            name = draw.choice(("and", "xor", "slt", "mul", "divu", "rem"))
            extra.append(asm(name, rd=rd, rs1=one, rs2=two))
        elif kind < 6:
            extra.append(asm("lw", rd=rd, rs1=6, imm=4 * draw.randrange(8)))
        elif kind < 8:
            extra.append(asm("lw", rd=rd, rs1=13, imm=4 * draw.randrange(8)))
        elif kind < 10:
            extra.append(asm("fence"))
        elif kind == 10 and draw.random() < 0.3:
            extra.append(asm("addi", rd=14, rs1=14, imm=1))
        elif kind == 11 and draw.random() < 0.3:
            extra.append(asm("sw", rs1=6, rs2=rd, imm=64 * hart + 64))
    words = [*li(13, LOCAL), *poll(extra)]
    return words if draw.random() < 0.8 else [word for word in words if word != NO_L0[-1]]


@pytest.mark.parametrize("seed", range(6))
def test_random_loops_run_as_cycle_by_cycle(pair: Pair, seed: int) -> None:
    """Also when a host writes in between, and in both instances of the loop over cycles."""
    draw = random.Random(seed)
    harts = draw.sample(range(HARTS), draw.randrange(1, HARTS + 1))
    load_all(pair, {hart: _random_loop(draw, hart) for hart in harts})
    if draw.random() < 0.5:
        for machine in pair:
            machine.add_break(0x1F000, B)
    for _ in range(3):
        cycles = draw.randrange(1, 6000)
        if both(pair, cycles) is not None:
            break
        addr = FLAG + 4 * draw.randrange(8)
        value = draw.randrange(2) if addr == FLAG else draw.getrandbits(32)
        for machine in pair:
            machine.poke(B, addr, value.to_bytes(4, "little"))


def test_firmware_that_waits_for_its_host(tmp_path: Path) -> None:
    """Tenstorrent's firmware: hundreds of million cycles in no time, all five harts waiting."""
    pair = machine_on("compiled", Schedule.LATENCY), machine_on("compiled", Schedule.LATENCY)
    for machine in pair:
        host = Host(machine, read_firmware(unpack(KNOWN, tmp_path)))
        host.run_until_done()
        assert host.is_done()
    for cycles in (2000, 1500, 3001, 77_777):
        both(pair, cycles)
    fast = pair[0]
    before = fast.S.polling.skipped
    fast.run(500_000_000)
    assert fast.S.polling.skipped - before > 499_900_000
