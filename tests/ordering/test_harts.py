# SPDX-License-Identifier: Apache-2.0
"""Litmus tests of harts alone: what MemoryOrdering.md lets loads and stores do.

Each test is a program per hart and the set of outcomes that the page allows. `sc` and `latency`
have
to give one of them, the seeds of `random` none but them, and every one of them at least once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tests.assembler import EBREAK, NOP, asm, image, li
from tests.machines import ENGINES, machine_on

X, Y = 0x8000, 0x8100  # two lines of L1
LOCAL, ALIAS = 0xFFB00000, 0xFFB18000  # the same byte of T0's local RAM, two streams
RESULT = 10
FENCE = asm("fence")
CFG0 = 0x7C0

Outcome = tuple[int, ...]


def store(addr: int, value: int) -> list[int]:
    """value -> addr, by x5 and x6, which are known long before."""
    return [*li(5, addr), *li(6, value), *[NOP] * 3, asm("sw", rs1=5, rs2=6)]


def load(register: int, addr: int) -> list[int]:
    """register = word at addr; the address is computed first."""
    return [*li(register + 10, addr), asm("lw", rd=register, rs1=register + 10)]


@dataclass(frozen=True)
class Litmus:
    """Programs by hart, what to look at in the end, what it may be."""

    programs: Mapping[int, list[int]]
    observed: tuple[tuple[int, int], ...]  # (hart, register)
    allowed: frozenset[Outcome]
    seeds: int = 400


def outcomes(*values: Outcome) -> frozenset[Outcome]:
    return frozenset(values)


def warm(addr: int) -> list[int]:
    """Bring the line into the L0 data cache."""
    return [*li(7, addr), asm("lw", rd=8, rs1=7), asm("add", rd=9, rs1=8)]


def addresses() -> list[int]:
    """x20 = X, x21 = Y, x22 = 1, all in registers before anything is stored."""
    return [*li(20, X), *li(21, Y), *li(22, 1), *[NOP] * 8]


def st(base: int) -> int:
    return asm("sw", rs1=base, rs2=22)


def ld(rd: int, base: int) -> int:
    return asm("lw", rd=rd, rs1=base)


T0_T1 = ((T0, RESULT), (T1, RESULT))

TESTS = {
    # 1: overlapping bytes make the load wait for the store.
    "own store is seen": Litmus(
        {T0: [*store(X, 1), *load(RESULT, X)]}, ((T0, RESULT),), outcomes((1,))
    ),
    # 2: byte overlap, not only equal addresses (Blackhole).
    "own byte is seen": Litmus(
        {T0: [*li(5, X), *li(6, 0xAA), asm("sb", rs1=5, rs2=6, imm=1), *load(RESULT, X)]},
        ((T0, RESULT),),
        outcomes((0xAA00,)),
    ),
    # 11: the store queue of each hart hides its store from the other's load.
    "store buffering": Litmus(
        {T0: [*addresses(), st(20), ld(RESULT, 21)], T1: [*addresses(), st(21), ld(RESULT, 20)]},
        T0_T1,
        outcomes((0, 0), (0, 1), (1, 0), (1, 1)),
    ),
    "store buffering with fences": Litmus(
        {
            T0: [*addresses(), st(20), FENCE, ld(RESULT, 21)],
            T1: [*addresses(), st(21), FENCE, ld(RESULT, 20)],
        },
        T0_T1,
        outcomes((0, 1), (1, 0), (1, 1)),
    ),
    # 12: one stream into L1 keeps the order of stores, and of loads with a fence between.
    "message passing": Litmus(
        {
            T0: [*addresses(), st(20), st(21)],
            T1: [*addresses(), ld(RESULT, 21), FENCE, ld(11, 20)],
        },
        ((T1, RESULT), (T1, 11)),
        outcomes((0, 0), (0, 1), (1, 1)),
    ),
    # 10, 70: a line in the L0 data cache hides what another hart has stored.
    "stale line": Litmus(
        {
            T0: [*addresses(), st(20), st(21)],
            T1: [*addresses(), *warm(X), ld(RESULT, 21), asm("add", rd=9, rs1=10), ld(11, 20)],
        },
        ((T1, RESULT), (T1, 11)),
        outcomes((0, 0), (0, 1), (1, 0), (1, 1)),
    ),
    "no stale line behind a fence": Litmus(
        {
            T0: [*addresses(), st(20), st(21)],
            T1: [*addresses(), *warm(X), ld(RESULT, 21), FENCE, ld(11, 20)],
        },
        ((T1, RESULT), (T1, 11)),
        outcomes((0, 0), (0, 1), (1, 1)),
    ),
    # 72: the two mappings of a local RAM are two streams.
    "alias of local RAM": Litmus(
        {
            T0: [
                *(*li(20, LOCAL), *li(21, ALIAS), *li(22, 1), *[NOP] * 8),
                *(asm("sw", rs1=21, rs2=22), ld(RESULT, 20)),
            ]
        },
        ((T0, RESULT),),
        outcomes((0,), (1,)),
    ),
    # A store to the alias is processed before the load of the alias behind it: one stream.
    "alias read back": Litmus(
        {
            T0: [
                *(*li(20, LOCAL), *li(21, ALIAS), *li(22, 1), *[NOP] * 8),
                *(asm("sw", rs1=21, rs2=22), ld(11, 21), asm("add", rd=9, rs1=11)),
                ld(RESULT, 20),
            ]
        },
        ((T0, RESULT),),
        outcomes((1,)),
    ),
    # 67: cfg0.DisLdBufByp sends the store out first, but it is still on its way.
    "loads that wait for the store queue": Litmus(
        {
            T0: [
                *(*addresses(), asm("csrrsi", rs1=1, imm=CFG0)),
                *(st(20), ld(RESULT, 21)),
            ],
            T1: [
                *(*addresses(), asm("csrrsi", rs1=1, imm=CFG0)),
                *(st(21), ld(RESULT, 20)),
            ],
        },
        T0_T1,
        outcomes((0, 1), (1, 0), (1, 1)),
    ),
    # AMOs go to L1 in order and atomically.
    "two atomic increments": Litmus(
        {
            T0: [*addresses(), asm("amoadd.w", rd=RESULT, rs1=20, rs2=22)],
            T1: [*addresses(), asm("amoadd.w", rd=RESULT, rs1=20, rs2=22)],
        },
        T0_T1,
        outcomes((0, 1), (1, 0)),
    ),
}


def run(machine: Machine, litmus: Litmus, seed: int) -> Outcome:
    machine.images.clear()
    machine.reseed(seed)
    machine.reset()
    for hart, program in litmus.programs.items():
        # How far apart the harts start is a choice of its own.
        late = [NOP] * (seed // (hart + 1) % 12)
        machine.load(hart, image([*late, *program, EBREAK], 0x1000 * hart))
    while True:
        stop = machine.run(5000)
        assert stop is not None, "it does not end"
        if stop.kind is StopKind.ALL_PAUSED:
            break
        assert stop.kind is StopKind.EBREAK, stop.text
    return tuple(machine.read_x(hart, register) for hart, register in litmus.observed)


RUNS = (Schedule.SC, Schedule.LATENCY, Schedule.RANDOM)


@pytest.fixture(scope="module")
def machines() -> Iterator[dict[tuple[str, Schedule], Machine]]:
    made = {
        (e, s): machine_on(e, s)
        for e in ENGINES
        for s in (Schedule.SC, Schedule.LATENCY, Schedule.RANDOM)
    }
    yield made
    for machine in made.values():
        machine.close()


Machines = dict[tuple[str, Schedule], Machine]


@pytest.mark.parametrize("name", TESTS)
def test_random_gives_what_is_allowed_and_all_of_it(machines: Machines, name: str) -> None:
    litmus = TESTS[name]
    machine = machines["compiled", Schedule.RANDOM]
    seen = {run(machine, litmus, seed) for seed in range(1, litmus.seeds)}
    assert seen == litmus.allowed


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY])
@pytest.mark.parametrize("name", TESTS)
def test_the_other_schedules_give_something_allowed(
    machines: Machines, name: str, schedule: Schedule
) -> None:
    for seed in range(1, 12):
        assert run(machines["compiled", schedule], TESTS[name], seed) in TESTS[name].allowed


@pytest.mark.parametrize("name", TESTS)
def test_engines_go_through_the_same_states(machines: Machines, name: str) -> None:
    for schedule in (Schedule.LATENCY, Schedule.RANDOM):
        for seed in (1, 7, 33):
            hashes = set()
            for engine in ENGINES:
                run(machines[engine, schedule], TESTS[name], seed)
                hashes.add(machines[engine, schedule].hash())
            assert len(hashes) == 1, (schedule, seed)


def test_the_store_queue_is_not_seen_in_sc(machines: Machines) -> None:
    litmus = TESTS["store buffering"]
    seen = {run(machines["compiled", Schedule.SC], litmus, seed) for seed in range(1, 60)}
    assert (0, 0) not in seen
