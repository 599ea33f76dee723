# SPDX-License-Identifier: Apache-2.0
"""Checks of synchronisation: each is reported by a program that has the mistake, and not by the
same program without it. With a check switched off nothing is reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.checks.table import (
    ALL,
    CHECKS,
    DEFAULT,
    mask_of,
    parse_checks,
)
from tensix_gdb.core.race.findings import Report, State, Verdict
from tensix_gdb.core.schedule import Schedule
from tests.assembler import EBREAK, asm, image, li

CONFIG, PUSH, SEMAPHORE, MAILBOX = 0xFFEF0000, 0xFFE40000, 0xFFE80020, 0xFFEC0000
DONE_CHECK = 0xFFE80004
WORD = 100


def push(text: str) -> list[int]:
    """Push an instruction."""
    return [*li(6, PUSH), *li(7, parse(text)), asm("sw", rs1=6, rs2=7)]


def store(addr: int, value: int) -> list[int]:
    return [*li(6, addr), *li(7, value), asm("sw", rs1=6, rs2=7)]


def load(addr: int, used: bool = True) -> list[int]:
    """Load a word into a register, and use it or not."""
    words = [*li(6, addr), asm("lw", rd=8, rs1=6)]
    return [*words, asm("andi", rd=9, rs1=8)] if used else words


def pause(cycles: int) -> list[int]:
    """Let others come first."""
    return [asm("addi")] * cycles


def change(word: int, bit: int) -> list[int]:
    """Load a word of configuration, change it and store it."""
    words = [*li(6, CONFIG + 4 * word), asm("lw", rd=8, rs1=6)]
    return [*words, asm("ori", rd=8, rs1=8, imm=bit), asm("sw", rs1=6, rs2=8)]


GET, POST = "SEMGET semaphore_mask=1", "SEMPOST semaphore_mask=1"
INIT = "SEMINIT new_max=1, new_value=0, semaphore_mask=1"
TAKE, RELEASE = "ATGETM index=2", "ATRELM index=2"
WAIT_CONFIG = "STALLWAIT block=B7, wait=C0"
READ = f"RDCFG result_reg=1, cfg_index={WORD}"
GPR = "SETDMAREG.Immediate new_value=7, result_half_reg=2"
WRITE = f"WRCFG input_reg=1, cfg_index={WORD}"
DUMMY = "UNPACR_NOP.ClearSrc which_unpacker=1, set_dvalid=1, stall_clr_cntrl=1"


@dataclass(frozen=True)
class Case:
    """Programs of T cores, with the mistake and without it."""

    wrong: Mapping[int, Sequence[int]]
    right: Mapping[int, Sequence[int]]
    state: State
    name: str
    name_of_place: str = ""


def one(*parts: Sequence[int]) -> dict[int, list[int]]:
    """A program of T0."""
    return {T0: [word for part in parts for word in part]}


CASES = (
    Case(one(push(GET)), one(push(POST), push(GET)), State.SEMAPHORE, "S1", "sem 0"),
    Case(
        one(push(INIT), push(POST), push(POST)),
        one(push(INIT), push(POST)),
        State.SEMAPHORE,
        "S1",
    ),
    Case(
        one(load(SEMAPHORE), store(SEMAPHORE, 1)),
        one(store(SEMAPHORE, 0), load(SEMAPHORE), store(SEMAPHORE, 1)),
        State.SEMAPHORE,
        "S1",
    ),
    Case(
        one(push("STALLWAIT block=B2, wait=C0"), push(READ), push(WAIT_CONFIG), push(READ)),
        one(push(WAIT_CONFIG), push(READ), push(WAIT_CONFIG), push(READ)),
        State.SYNC,
        "S2",
    ),
    Case(one(push("MOVD2A")), one(push("NOP")), State.SRC_BANK, "S3"),
    Case(
        one(push("CLEARDVALID flip_src_a=1")),
        one(push("CLEARDVALID flip_src_a=1, reset=1")),
        State.SRC_BANK,
        "S4",
        "src a (the Matrix Unit's bank)",
    ),
    Case(one(push("SETRWC flip_src_b=1")), one(push("SETRWC")), State.SRC_BANK, "S4"),
    # The bank is there, by luck or because the thread has waited for it.
    Case(
        {T0: push(DUMMY), T0 + 1: [*pause(200), *push("SETRWC flip_src_b=1")]},
        {
            T0: push(DUMMY),
            T0 + 1: [*push("STALLWAIT block=B6, wait=C8"), *push("SETRWC flip_src_b=1")],
        },
        State.SRC_BANK,
        "S4",
        "src b (the Matrix Unit's bank)",
    ),
    Case(
        one(store(DONE_CHECK, 0), load(DONE_CHECK, used=False), store(CONFIG + 4 * WORD, 1)),
        one(store(DONE_CHECK, 0), load(DONE_CHECK), store(CONFIG + 4 * WORD, 1)),
        State.SYNC,
        "S5",
    ),
    Case(
        one(load(DONE_CHECK, used=False), load(SEMAPHORE)),
        one(load(DONE_CHECK), load(SEMAPHORE)),
        State.SYNC,
        "S6",
    ),
    Case(
        {
            T0: store(CONFIG + 4 * WORD, 0x100),
            T0 + 1: [*pause(60), *store(CONFIG + 4 * WORD, 0x001)],
        },
        {
            T0: store(CONFIG + 4 * WORD, 0x100),
            T0 + 1: [*pause(60), *store(CONFIG + 4 * WORD, 0x101)],
        },
        State.CONFIG,
        "S7",
    ),
    Case(
        {T0: change(WORD, 1), T0 + 1: [*pause(60), *change(WORD, 2)]},
        {T0: change(WORD, 1), T0 + 1: [*pause(60), *change(WORD + 1, 2)]},
        State.CONFIG,
        "S8",
    ),
    Case(
        one(push("SEMWAIT block=B6, sem=S1, wait=C0"), push(TAKE)),
        one(push("SEMWAIT block=B1+B6, sem=S1, wait=C0"), push(TAKE)),
        State.SYNC,
        "S9",
    ),
    Case(one(push(RELEASE)), one(push(TAKE), push(RELEASE)), State.SYNC, "S9", "mutex 2"),
    Case(
        one(push("WRCFG input_reg=1, cfg_index=1"), push("ZEROACC")),
        one(push("WRCFG input_reg=1, cfg_index=1"), push("NOP"), push("ZEROACC")),
        State.CONFIG,
        "S10",
    ),
    Case(
        one(push(WAIT_CONFIG), store(CONFIG + 4 * WORD, 1)),
        one(push(WAIT_CONFIG), push(GPR), store(CONFIG + 4 * WORD, 1)),
        State.SYNC,
        "S11",
    ),
    Case(
        one(push(WAIT_CONFIG), push(WRITE)),
        one(push(GPR), push(WAIT_CONFIG), push(WRITE)),
        State.SYNC,
        "S12",
    ),
)
IDS = [f"{case.name}-{number}" for number, case in enumerate(CASES)]


def found(
    machine: Machine, programs: Mapping[int, Sequence[int]], checks: Sequence[str]
) -> list[Report]:
    """Return the findings of checks on programs, each in a place of its own."""
    machine.reschedule(Schedule.LATENCY)
    for number, (hart, words) in enumerate(programs.items()):
        machine.load(hart, image([*words, EBREAK], 0x4000 * (1 + number)))
    machine.observe_races(checks=checks)
    for _ in range(6):  # each program that ends is a stop
        machine.run(300)
    return [report for report in machine.races().reports if report.verdict is Verdict.SYNC]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_a_mistake_is_reported(machine: Machine, case: Case) -> None:
    (report,) = found(machine, case.wrong, (case.name,))
    assert (report.check, report.place.state, report.count) == (case.name, case.state, 1)
    assert case.name_of_place in report.place.name
    assert report.reason
    assert report.fix is not None
    assert report.page


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_without_it_nothing_is(machine: Machine, case: Case) -> None:
    assert found(machine, case.right, (case.name,)) == []


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_a_check_that_is_off_says_nothing(machine: Machine, case: Case) -> None:
    others = tuple(name for name in ALL if name != case.name)
    assert all(report.check != case.name for report in found(machine, case.wrong, others))


def test_every_check_has_a_case() -> None:
    assert {case.name for case in CASES} == set(ALL) == {check.name for check in CHECKS}


def test_names_of_checks() -> None:
    assert parse_checks("s3, S1") == ("S1", "S3")
    assert parse_checks("all") == ALL
    assert parse_checks("none") == ()
    assert parse_checks("default") == DEFAULT
    assert mask_of(("S1", "S12")) == 1 << 1 | 1 << 12
    for wrong in ("S13", "", "S1,,S2", "races"):
        with pytest.raises(ValueError, match="is no check"):
            parse_checks(wrong)
