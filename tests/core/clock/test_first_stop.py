# SPDX-License-Identifier: Apache-2.0
"""A wrong instruction stops the tile in every schedule alike.

The schedules issue the same instructions in other cycles. So whatever can be said of an instruction
by itself (no such instruction, a watch, a misaligned or unmapped address, a width that its device
does not take) is said of it in each of them, with the same pc and the same operands, and nothing
was pushed before. NAMED are the differences that time makes, each with the page that explains it;
everything else is a defect, however rare.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

import pytest

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, T2
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.memory.map import Region, region_of
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tests.assembler import asm
from tests.core.clock import first_stops
from tests.core.clock.first_stops import ADDRESSES, FORMS, WATCHES, Bench, Case, Seen

COMBINATIONS = 25_000  # at least; each in every schedule
SAMPLE = 100  # of them, on the reference engine
SCHEDULES = (Schedule.SC, Schedule.LATENCY, Schedule.RANDOM)


@dataclass(frozen=True, slots=True)
class Named:
    """A difference between schedules that is meant, and where it comes from."""

    name: str
    page: str
    is_it: Callable[[Seen, Seen], bool]  # (in `sc`, with time)


def _waits(sc: Seen, timed: Seen) -> bool:
    return sc.kind is StopKind.STANDSTILL and timed == replace(sc, pc=timed.pc)


def _is_refused_later(sc: Seen, timed: Seen) -> bool:
    return sc.code == Fault.TENSIX_ILLEGAL and timed == replace(sc, pc=timed.pc)


def _is_adjacent(sc: Seen, timed: Seen) -> bool:
    return timed.code == Fault.TTSYNC_ADJACENT and timed.pc == first_stops.GUILTY + 4


NAMED = (
    Named(
        "a hart has issued further instructions while its load waits for ever",
        "BabyRISCV/README.md, Pipeline: a load leaves EX1 before it is answered",
        _waits,
    ),
    Named(
        "a hart has issued further instructions before the coprocessor refuses one",
        "BabyRISCV/PushTensixInstruction.md: a push is a store, and waits in the store queue",
        _is_refused_later,
    ),
    Named(
        "two loads from TTSync's window are under way at once",
        "TensixCoprocessor/ManualTTSync.md: hardware cannot have one behind the other",
        _is_adjacent,
    ),
)


def difference(seen: Mapping[Schedule, Seen]) -> str:
    """The name of how the schedules differ; empty when they do not, "unnamed" for a defect."""
    sc, *timed = seen.values()
    differing = [one for one in timed if one != sc]
    for named in NAMED:
        if differing and all(named.is_it(sc, one) for one in differing):
            return named.name
    return "unnamed" if differing else ""


Benches = dict[Schedule, Bench]


@pytest.fixture(scope="module")
def benches() -> Iterator[Benches]:
    made = {schedule: Bench("compiled", schedule) for schedule in SCHEDULES}
    yield made
    for bench in made.values():
        bench.close()


def compare(benches: Benches, cases: Iterable[Case]) -> Counter[str]:
    """Return how often each difference occurs; fail at those without a name, with the first of
    them."""
    found: Counter[str] = Counter()
    defects = []
    for case in cases:
        seen = {schedule: bench.first_stop(case) for schedule, bench in benches.items()}
        name = difference(seen)
        found[name] += 1
        if name == "unnamed":
            defects.append(f"{case}\n  " + "\n  ".join(f"{s.name}: {o}" for s, o in seen.items()))
    assert not defects, f"{len(defects)} without a name, among them\n" + "\n".join(defects[:8])
    return found


@pytest.mark.parametrize("hart", range(HARTS), ids=HART_NAMES)
def test_loads_stores_and_atomics(benches: Benches, hart: int) -> None:
    compare(benches, first_stops.scalars(hart))


@pytest.mark.parametrize("form", FORMS)
def test_vector_loads_and_stores(benches: Benches, form: str) -> None:
    compare(benches, first_stops.vectors(form))


def test_other_instructions_and_pairs(benches: Benches) -> None:
    compare(benches, chain.from_iterable(map(first_stops.others, range(HARTS))))


def everything() -> list[Case]:
    harts = range(HARTS)
    return [
        *chain.from_iterable(map(first_stops.scalars, harts)),
        *chain.from_iterable(map(first_stops.others, harts)),
        *chain.from_iterable(map(first_stops.vectors, FORMS)),
    ]


def test_the_matrix_is_large() -> None:
    cases = everything()
    assert len(cases) >= COMBINATIONS
    assert {region for region, _ in ADDRESSES} == set(Region)
    assert {case.watch for case in cases} == set(WATCHES)


def test_every_named_difference_occurs(benches: Benches) -> None:
    cases = [
        Case("lw", 1, asm("lw", rd=8, rs1=first_stops.BASE), 0xFFEC0000),
        Case("sw", 1, asm("sw", rs1=first_stops.BASE, rs2=first_stops.DATA), 0xFFE40000, data=0),
        *(case for case in first_stops.others(1) if case.name == "load, load"),
    ]
    found = compare(benches, cases)
    assert all(found[named.name] for named in NAMED)


def test_the_reference_engine_stops_alike(benches: Benches) -> None:
    made = {schedule: Bench("reference", schedule) for schedule in SCHEDULES}
    sample = random.Random(5).sample(everything(), SAMPLE)
    for schedule, bench in made.items():
        for case in sample:
            assert bench.first_stop(case) == benches[schedule].first_stop(case), str(case)
    compare(made, sample)
    for bench in made.values():
        bench.close()


def test_a_vector_of_one_element_stops_as_a_scalar(benches: Benches) -> None:
    """Except where it may not go at all: vectors reach no device but Dst."""
    words = {"lw": ("unit", "load", 32), "sw": ("unit", "store", 32), "sh": ("unit", "store", 16)}
    bench = benches[Schedule.SC]
    for case in first_stops.scalars(T2):
        if case.name not in words or case.data == 0:
            continue
        form, verb, width = words[case.name]
        word = first_stops.vector_word(form, verb, width)
        vector = bench.first_stop(replace(case, word=word, bits=width, elements=1))
        scalar = bench.first_stop(case)
        if region_of(T2, case.addr) in (Region.NONE, Region.L1, Region.LOCAL, Region.DST):
            assert vector == scalar, str(case)
        else:
            assert vector == scalar or vector.code == Fault.RVV_DEVICE, str(case)
