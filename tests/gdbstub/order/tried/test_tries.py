# SPDX-License-Identifier: Apache-2.0
"""Remedies put into programs, on both engines: which ones end a report, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.assembly.rv32_read import assemble
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.coordinates import DRAM, TILE_X, TILE_Y
from tensix_gdb.core.race.remedies.remedy import RemedyKind
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.order.tried.machine_runs import MachineRuns
from tensix_gdb.gdbstub.order.tried.text import all_lines
from tensix_gdb.gdbstub.order.tried.trial import Result, Tried, try_all
from tests.assembler import EBREAK, image
from tests.core.chip.programs import ATOMIC as ATOMIC_REQUEST
from tests.core.chip.programs import (
    COPY,
    DATA,
    INCREMENT,
    MARKED,
    READ,
    RESULT,
    SEMAPHORE,
    WRITE,
    at,
    copy_word,
    request,
    store,
)

ENGINES = ("reference", "compiled")
CYCLES = 3000
T1 = T0 + 1
HERE, THERE = at((TILE_X, TILE_Y)), at(DRAM[0][0])
CONFIG = "lui t1,0xffef0; addi t1,t1,400"  # word 100
SYNC = "lui t2,0xffe80; sw zero,4(t2); lw t2,4(t2); addi zero,t2,0"

# fmt: off
STORE_THEN_RDCFG = (f"{CONFIG}; li a0,9; sw a0,0(t1); .ttinsn RDCFG result_reg=4, cfg_index=100",)
SETDMAREG_THEN_WRCFG = (
    ".ttinsn SETDMAREG.Immediate new_value=5, result_half_reg=G4_lo; "
    ".ttinsn WRCFG input_reg=4, is_128_bit=0, cfg_index=100",
)
SETDMAREG_THEN_LOAD = (
    ".ttinsn SETDMAREG.Immediate new_value=5, result_half_reg=G4_lo; lui t1,0xffe00; lw a0,16(t1)",
)
RDCFG_THEN_STORE = (
    f"{CONFIG}; .ttinsn RDCFG result_reg=4, cfg_index=100; li a0,9; sw a0,0(t1)",
)
# T0 stores the data and then the message, in two regions; T1 reads the message first.
DATA_THEN_MAIL = (
    f"{CONFIG}; li a0,9; lui a1,0xffec2; sw a0,0(t1); sw a0,0(a1)",
    f"{CONFIG}; lui a1,0xffec1; lw a2,0(a1); addi zero,a2,0; lw a3,0(t1)",
)
NO_SIGNAL = (
    f"{CONFIG}; li a0,9; sw a0,0(t1)",
    f"{CONFIG}; nop; nop; lw a3,0(t1)",
)
# fmt: on


def words(text: str) -> list[int]:
    return [one.word for one in assemble(text)]


@contextmanager
def tile(engine: str, programs: dict[int, Sequence[int]]) -> Iterator[Machine]:
    machine = Machine(engine=engine, schedule=Schedule.LATENCY)
    for hart, code in programs.items():
        machine.load(hart, image([*code, EBREAK], 0x2000 * (hart + 1)))
    yield machine
    machine.close()


def tried(machine: Machine, checks: Sequence[str] = ()) -> list[Tried]:
    runs = MachineRuns(machine, lambda one: one.observe_races(checks=checks), CYCLES)
    assert runs.base.end == ""
    return try_all(runs, runs.base.findings.reports)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (STORE_THEN_RDCFG, RemedyKind.STALLWAIT),
        (SETDMAREG_THEN_WRCFG, RemedyKind.STALLWAIT),
        (SETDMAREG_THEN_LOAD, RemedyKind.SYNC),
        (RDCFG_THEN_STORE, RemedyKind.SYNC),
        (DATA_THEN_MAIL, RemedyKind.READ_BACK),
    ],
)
def test_the_first_remedy_ends_it(engine: str, texts: Sequence[str], kind: RemedyKind) -> None:
    with tile(engine, {T0 + i: words(text) for i, text in enumerate(texts)}) as machine:
        (found,) = tried(machine)
        (only,) = found.tries
        assert (only.result, only.remedy.kind) == (Result.ENDS, kind)
        assert only.others == ()


def test_a_signal_comes_first_where_a_core_hears_of_nothing() -> None:
    with tile("compiled", {T0 + i: words(text) for i, text in enumerate(NO_SIGNAL)}) as machine:
        (found,) = tried(machine)
        assert [one.result for one in found.tries] == [Result.ENDS]
        assert found.tries[0].remedy.kind is RemedyKind.SEMWAIT
        lines = list(all_lines([found], machine.places))
    assert lines[-1] == "1 of 1 report ended by a remedy, 1 of them by the first that was tried"


def test_the_use_of_an_access_comes_first_after_a_message() -> None:
    """T1 polls a word before, so something may be heard: the store is read back first."""
    first, last = NO_SIGNAL
    polls = "lui a5,0x48; li a4,0; poll: lw a6,0(a5); bnez a6,poll"
    with tile("compiled", {T0: words(first), T1: words(f"{polls}; {last}")}) as machine:
        (found,) = tried(machine)
    kinds = [one.remedy.kind for one in found.tries]
    assert kinds[0] is RemedyKind.READ_BACK
    assert kinds[-1] is RemedyKind.SEMWAIT
    assert [one.result for one in found.tries][-2:] == [Result.STAYS, Result.ENDS]


def test_a_core_waits_before_it_takes_a_semaphore() -> None:
    """S1 of a core's store: a loop until the semaphore is posted."""
    at = "lui t1,0xffe80; addi t1,t1,0x20"
    posts = f"{at}; nop; nop; sw zero,0(t1)"
    takes = f"{at}; li a0,1; sw a0,0(t1)"
    with tile("compiled", {T0: words(posts), T1: words(takes)}) as machine:
        machine.S.semaphore.max[0] = 15
        found = tried(machine, checks=("S1",))
    (one,) = [each for each in found if each.report.check == "S1"]
    assert one.ended is one.tries[0]
    assert one.ended.remedy.words == "a loop that waits until semaphore 0 is posted"


# fmt: off
REQUESTS = {
    "read": [*request(READ, 0x1000, THERE, COPY, HERE, 64), *copy_word(COPY, RESULT)],
    "source": [*request(WRITE | MARKED, DATA, HERE, 0x1000, THERE, 64), *store(DATA, 7)],
    "atomic": [*request(ATOMIC_REQUEST | MARKED, SEMAPHORE, HERE, RESULT, HERE, INCREMENT, data=1),
               *copy_word(RESULT, COPY)],
    "before": [*store(DATA, 7), *request(WRITE | MARKED, DATA, HERE, 0x1000, THERE, 64)],
}
# fmt: on


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", REQUESTS)
def test_requests(engine: str, name: str) -> None:
    kind = RemedyKind.READ_BACK if name == "before" else RemedyKind.BARRIER
    with tile(engine, {B: REQUESTS[name]}) as machine:
        (found,) = tried(machine)
        (only,) = found.tries
        assert (only.result, only.remedy.kind) == (Result.ENDS, kind), only


def test_no_report_needs_no_remedy() -> None:
    with tile("compiled", {T0: words(f"{CONFIG}; li a0,9; sw a0,0(t1)")}) as machine:
        assert tried(machine) == []


def test_a_remedy_that_makes_a_deadlock_is_not_taken() -> None:
    """T1 comes to its load twice and T0 to its store once: a semaphore between them hangs."""
    twice = f"{CONFIG}; li a4,2; again: lw a3,0(t1); addi a4,a4,-1; bnez a4,again"
    programs = {T0: words(NO_SIGNAL[0]), T1: words(twice)}
    with tile("compiled", programs) as machine:
        (found,) = tried(machine)
        assert found.ended is None
        assert Result.WORSE in [one.result for one in found.tries]
        assert "none of these ends it" in "\n".join(all_lines([found], machine.places))
