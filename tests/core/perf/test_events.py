# SPDX-License-Identifier: Apache-2.0
"""The events of the performance counters, by programs of which they are known."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1, T2, B
from tensix_gdb.core.history import begin_history
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.perf.fields import BANKS
from tensix_gdb.core.record.layout import Tag
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.gate.wait_gate import Held
from tensix_gdb.core.tensix.matrix.pipeline import DST_CYCLES
from tests.assembler import EBREAK, asm, image, li
from tests.core.perf.measure import bank, measure
from tests.core.tensix.drive import fill_sources
from tests.core.tensix.packer.packer import BF16, formats
from tests.core.tensix.programs import push_all
from tests.core.tensix.unpacker.unpack_model import Unpack, arrange
from tests.machines import machine_on

INSTRN, FPU, UNPACK, L1, PACK = range(BANKS)
BOTH_BANKS = "SETDVALID flip_src_b=1, flip_src_a=1"
SCHEDULES = (Schedule.SC, Schedule.LATENCY, Schedule.RANDOM)


@pytest.fixture(
    params=[(e, s) for e in ("reference", "compiled") for s in SCHEDULES],
    ids=lambda p: f"{p[0]}-{p[1].name}",
)
def any_tile(request: pytest.FixtureRequest) -> Iterator[Machine]:
    """A machine on each engine, in each schedule."""
    engine, schedule = request.param
    machine = machine_on(engine, schedule)
    yield machine
    machine.close()


@pytest.fixture(params=("reference", "compiled"))
def timed(request: pytest.FixtureRequest) -> Iterator[Machine]:
    """A machine on each engine, with time."""
    machine = machine_on(request.param, Schedule.LATENCY)
    yield machine
    machine.close()


def test_instructions_of_the_math_units(any_tile: Machine) -> None:
    fill_sources(any_tile.S)
    work = [BOTH_BANKS, *(f"MVMUL dst_row={8 * (i % 8)}" for i in range(20)), *["SFPNOP"] * 3]
    found = measure(any_tile, work, [
        (FPU, 0), (FPU, 1), (FPU, 257), (INSTRN, 264), (INSTRN, 16), (INSTRN, 18),
        (UNPACK, 3), (UNPACK, 4), (UNPACK, 0), (PACK, 272),
    ])  # fmt: skip
    assert found == [20, 3, 23, 24, 23, 0, 23, 23, 20, 23], "FPU, SFPU, MATH, all of T1 ..."


def test_a_hazard_of_dst_is_no_stall_of_the_thread(timed: Machine) -> None:
    """tt-metal#56320: MATH_ISOLATE has an FPU utilisation of 38 % and a T1 stall rate of 0."""
    fill_sources(timed.S)
    started, available, free, stalls, ready = measure(
        timed,
        [BOTH_BANKS, *["MVMUL dst_row=0"] * 10],
        [(UNPACK, 3), (UNPACK, 4), (PACK, 272), (INSTRN, 25), (UNPACK, 0)],
    )
    assert started == 10
    assert available == ready == 10 + 9 * DST_CYCLES, "each waits for the one before it"
    assert free == 10
    assert stalls == 0


def test_bookkeeping_of_the_matrix_unit_is_no_use_of_it(timed: Machine) -> None:
    """tt-metal#56320: UNPACK_ISOLATE has CLEARDVALID alone, and an FPU utilisation of 0."""
    work = [BOTH_BANKS, "CLEARDVALID flip_src_a=1, flip_src_b=1", "INCRWC", "SFPNOP"]
    found = measure(timed, work, [(FPU, 0), (FPU, 257), (UNPACK, 3), (INSTRN, 16)])
    assert found == [0, 1, 3, 3]


def test_a_held_instruction_of_no_class_is_not_seen(timed: Machine) -> None:
    """tt-metal#56320: SEMWAIT before SETADC, and STALLWAIT before SETDVALID, are no stalls."""
    S = timed.S
    S.semaphore.max[3] = 1
    waits = [(T1, "STALLWAIT block=B0, wait=C7"), (T2, "SEMWAIT block=B0|B1, sem=S3, wait=C0")]
    for hart, wait in waits:
        timed.load(hart, image([*push_all([wait, "SETADC"]), asm("jal")], 0x4000 * hart))
    timed.poke(B, bank(INSTRN, 2), b"\1\0\0\0")
    timed.run(200)
    assert [int(S.gate.held[thread]) for thread in (1, 2)] == [Held.LATCHED_WAIT] * 2
    assert [int(S.perf.count[INSTRN, 0, i]) for i in range(24, 58)] == [0] * 34


def test_moves_from_dst_are_another_hazard(timed: Machine) -> None:
    fill_sources(timed.S)
    available, not_d2s, free = measure(
        timed,
        [BOTH_BANKS, "MOVD2A", "MVMUL dst_row=0"],
        [(UNPACK, 4), (UNPACK, 1), (PACK, 272)],
    )
    assert (available, not_d2s, free) == (3, 2, 3)


@pytest.mark.parametrize(
    ("wait", "reason"),
    [
        ("STALLWAIT block=ALL, wait=C7", 29), ("STALLWAIT block=ALL, wait=C8", 30),
        ("SEMWAIT block=ALL, sem=S3, wait=C0", 44), ("SEMWAIT block=ALL, sem=S3, wait=C1", 45),
    ],
)  # fmt: skip
def test_stalls_and_their_reasons(any_tile: Machine, wait: str, reason: int) -> None:
    """Compared with what an observer sees of the gate after each cycle."""
    S = any_tile.S
    S.semaphore.max[3] = 4
    if "C1" in wait:
        S.semaphore.value[3] = 4
    any_tile.load(T1, image([*push_all([wait, "SFPNOP"]), EBREAK], 0xA000))
    other = ["SEMPOST sem=S3" if "C0" in wait else "SEMGET sem=S3", BOTH_BANKS]
    late = [asm("addi")] * 100
    any_tile.load(T0, image([*late, *push_all(other), EBREAK], 0x6000))
    any_tile.poke(B, bank(INSTRN, 2), b"\1\0\0\0")
    held = 0
    while any_tile.S.tile.cycle < 400:
        before = int(S.tile.cycle)
        any_tile.run(1)
        if S.tile.cycle > before and S.fifo.count[1, C]:
            held += int(S.gate.held[1] == Held.LATCHED_WAIT)
        if S.tile.cycle == before and not S.tile.issuing and not S.tensix.active:
            break
    counts = S.perf.count
    assert held > 50
    assert abs(int(counts[INSTRN, 0, 25]) - held) <= 1
    assert abs(int(counts[INSTRN, 0, reason]) - held) <= 2, "met in the last cycle"
    reasons = [int(counts[INSTRN, 0, i]) for i in range(27, 58) if i != reason]
    assert sum(reasons) == 0
    assert abs(int(counts[INSTRN, 1, 27]) - held) <= 1, "ANY_THREAD_STALL"


def test_an_unpacker(timed: Machine) -> None:
    tile = Unpack(dims=(1024, 1, 1, 1), out_counters=(1023, 0, 0, 0))
    arrange(timed.S, tile)
    found = measure(
        timed, [tile.text()], [(UNPACK, 6), (UNPACK, 261), (UNPACK, 263), (UNPACK, 265)], thread=0
    )
    assert found[0] == found[1] == found[2] > 0
    assert found[3] == 0, "thread 0 is even"
    assert timed.S.perf.count[UNPACK, 0, 7] >= found[0]
    assert timed.S.perf.count[UNPACK, 0, 8] == 0
    assert timed.S.perf.count[L1, 0, 0] == found[0], "the port of unpacker 0 in each such cycle"
    assert timed.S.perf.count[INSTRN, 0, 18] == 1


def test_the_packer(timed: Machine) -> None:
    formats(timed, BF16, BF16)
    timed.poke(B, 0xFFB12218, (1 << 4).to_bytes(4, "little"))
    measure(timed, ["PACR read_intf_sel=R0|R1|R2|R3", "PACR read_intf_sel=R0|R1, last=1"], [], 2)
    counts = timed.S.perf.count
    assert counts[PACK, 0, 11] == counts[PACK, 1, 11] == 2, "64 datums in a cycle"
    assert counts[PACK, 0, 18] > 2
    assert counts[INSTRN, 0, 23] == 2
    assert counts[L1, 0, 0] == 2, "cycles in which blocks go to L1"


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_counting_changes_nothing(schedule: Schedule) -> None:
    code = [*push_all([BOTH_BANKS, *["MVMUL dst_row=0"] * 5]), *li(8, 0x8000)]
    code += [asm("sw", rs1=8, rs2=8), asm("lw", rd=9, rs1=8), asm("jal")]
    states = []
    for counts in (False, True):
        machine = machine_on("compiled", schedule)
        fill_sources(machine.S)
        machine.load(T1, image(code, 0xA000))
        for number in range(BANKS):
            machine.poke(B, bank(number, 2), bytes([counts, 0, 0, 0]))
        machine.run(3000)
        for number in range(BANKS):
            machine.S.tile_control.perf_control[number] = 0
        state = {
            f"{slot.part}.{slot.field.name}": bytes(machine.record.row(slot))
            for slot in machine.record.layout.storage(*Tag)
            if slot.field.tag is not Tag.DERIVED
        }
        states.append(state)
        machine.close()
    changed = {name for name in states[0] if states[0][name] != states[1][name]}
    assert {name for name in changed if not name.startswith("perf.")} == {"tile.pending"}
    assert "perf.count" in changed


def test_both_engines_count_alike() -> None:
    states = []
    for engine in ("reference", "compiled"):
        machine = machine_on(engine, Schedule.RANDOM, 5)
        fill_sources(machine.S)
        measure(machine, [BOTH_BANKS, *["MVMUL dst_row=0"] * 5, "SFPNOP"], [])
        states.append(machine.record.hash())
        machine.close()
    assert states[0] == states[1]


def test_back_in_time(any_tile: Machine) -> None:
    S = any_tile.S
    fill_sources(S)
    code = [*push_all([BOTH_BANKS, *["MVMUL dst_row=0"] * 20]), asm("jal")]
    any_tile.load(T1, image(code, 0xA000))
    any_tile.poke(B, bank(FPU, 2), b"\1\0\0\0")
    history = begin_history(any_tile)
    seen = []
    for _ in range(8):
        history.resume()
        any_tile.run(10)
        history.add_checkpoint_if_due()
        history.suspend()
        seen.append((int(S.tile.cycle), int(S.perf.count[FPU, 0, 0]), any_tile.record.hash()))
    assert seen[-1][1] > seen[0][1]
    for cycle, count, digest in (seen[2], seen[5], seen[1]):
        assert history.to_cycle(cycle)
        assert (int(S.perf.count[FPU, 0, 0]), any_tile.record.hash()) == (count, digest)
