# SPDX-License-Identifier: Apache-2.0
"""Some of the random programs; `python -m tests.core.race.random_races` has more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from tensix_gdb.core.litmus.explore import explore
from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.race.findings import Report
from tensix_gdb.core.schedule import Schedule
from tests.core.race.exceptions import ANSWERS, RANDOM
from tests.core.race.observed import observe, races
from tests.core.race.random_programs import Program, draw
from tests.core.race.random_races import NONE, PROMISED, RACE, UNSEEN, run
from tests.core.race.unseen import (
    CONTENDED,
    NOT_HELD,
    OVERWRITTEN,
    SAME_VALUE,
    UNEXPLAINED,
    why_unseen,
)
from tests.forms import rounds
from tests.machines import observed_tile

PROGRAMS = rounds(12, 20)
WRCFG, STORE = "push WRCFG input_reg=1, cfg_index=190", "sw 4, GPR[1]"
LOADIND = "push LOADIND size=1, result_reg=1, addr_reg=8, offset_half_reg=18"
RDCFG = "push RDCFG result_reg=1, cfg_index=190"
ADD = "push ADDDMAREG.Reg result_reg=2, left_reg=1, right_reg=1"
CHECK = ("sw 0, TTSYNC", "lw t0, TTSYNC", "use t0")
# Statements of T0 with a race that one outcome hides, and why it does.
HIDDEN = (
    (("push CFGSHIFTMASK cfg_index=190", "sw 1, CFG[190]"), SAME_VALUE),
    ((WRCFG, STORE, *CHECK, "sw 9, CFG[190]"), OVERWRITTEN),
    ((WRCFG, "push NOP", "push NOP", STORE), NOT_HELD),
    ((RDCFG, "push CFGSHIFTMASK cfg_index=190", ADD), CONTENDED),
)


@pytest.fixture(scope="module")
def plain() -> Iterator[Tile]:
    with closing(Tile("compiled")) as tile:
        yield tile


@pytest.fixture(scope="module")
def observed() -> Iterator[Tile]:
    with closing(observed_tile()) as tile:
        yield tile


def test_no_race_is_missed() -> None:
    tally = run(0, PROGRAMS)
    assert (tally.missed, tally.unexplained) == ([], [])
    assert tally.decided == PROGRAMS
    assert tally.said[RACE] > PROGRAMS // 10
    assert tally.said[NONE] > PROGRAMS // 3
    assert tally.said[UNSEEN] < PROGRAMS // 10


@pytest.mark.parametrize(
    ("seed", "said"),
    # A store long before its push; two MVMUL that commute; two SFPLOAD of one row.
    [(1300, PROMISED), (1382, UNSEEN), (100682, UNSEEN)],
)
def test_what_differs_has_a_name(seed: int, said: str) -> None:
    tally = run(seed, 1)
    assert (tally.missed, tally.unexplained) == ([], [])
    assert tally.said[said] == 1


def test_a_named_exception_is_one(plain: Tile, observed: Tile) -> None:
    """That of exceptions.RANDOM, without what else its program has (which takes two minutes)."""
    program = of_t0(LOADIND, LOADIND)
    assert len(explore(plain.prepare(program.litmus(), Schedule.EXHAUSTIVE)).outcomes) == 1
    assert [why_unseen(plain, program, report) for report in reports(observed, program)] == [
        UNEXPLAINED
    ]
    assert set(RANDOM.values()) == {ANSWERS}


def test_programs_have_units_and_messages() -> None:
    kinds = {kind for seed in range(600) for kind in draw(seed).kinds}
    assert {"SEMWAIT", "mailbox", "flag", "poll of a semaphore", "TTSYNC"} <= kinds
    assert {"UNPACR.Regular", "PACR", "MVMUL", "MOVD2B", "SFPLOAD", "XMOV"} <= kinds


def of_t0(*text: str) -> Program:
    heading = ("init T0:GPR[1] = 256, T0:GPR[8] = 0xe8, T0:CFG[190] = 0x33",)
    scratch = "init config.word[0,209] = 0x15"
    return Program(
        "T0 alone", (*heading, scratch), {"T0": text}, ("T0:GPR[1]", "T0:GPR[2]", "T0:CFG[190]")
    )


def reports(observed: Tile, program: Program) -> list[Report]:
    return races(observe(observed, program.litmus())[0])


@pytest.mark.parametrize(("text", "why"), HIDDEN)
def test_a_race_without_a_second_outcome_is_explained(
    plain: Tile, observed: Tile, text: tuple[str, ...], why: str
) -> None:
    program = of_t0(*text)
    assert len(explore(plain.prepare(program.litmus(), Schedule.EXHAUSTIVE)).outcomes) == 1
    found = reports(observed, program)
    assert found
    assert {why_unseen(plain, program, report) for report in found} == {why}


def test_a_report_that_is_not_true_is_not_explained(plain: Tile, observed: Tile) -> None:
    report = reports(observed, of_t0(WRCFG, STORE))[0]
    ordered = of_t0(WRCFG, *CHECK, STORE)
    assert reports(observed, ordered) == []
    sides = {"pc": 0x200}, {"pc": 0x200 + 4 * (1 + len(CHECK))}
    later, earlier = report.earlier, report.later
    assert (earlier.instruction, later.instruction) == ("WRCFG", "sw")
    wrong = replace(report, earlier=replace(earlier, **sides[0]), later=replace(later, **sides[1]))
    assert why_unseen(plain, ordered, wrong) == UNEXPLAINED


@pytest.mark.parametrize(
    ("push", "gpr"),
    [
        ("WRCFG input_reg=0, is_128_bit=1, cfg_index=188", 2),
        ("ATSWAP data_reg=4, addr_reg=8, mask=255, single_data_reg=0", 6),
        ("ATINCGET in_out_reg=1, addr_reg=8, int_width=31", 1),
        ("STOREIND.Src data_reg=0, addr_reg=9, offset_half_reg=20", 1),
    ],
)
def test_each_gpr_that_an_instruction_reads_counts(observed: Tile, push: str, gpr: int) -> None:
    """A store to it that nothing orders is a race; one to a GPR beside them is none."""
    found = reports(observed, of_t0(f"push {push}", f"sw 4, GPR[{gpr}]"))
    assert {report.place.name for report in found} == {f"gpr T0 {gpr}"}
    assert reports(observed, of_t0(f"push {push}", "sw 4, GPR[40]")) == []


@pytest.mark.parametrize(("scratch", "word"), [(0, 209), (2, 211), (3, 209)])
def test_the_scratch_register_that_cfgshiftmask_reads_counts(
    observed: Tile, scratch: int, word: int
) -> None:
    """A store to it that nothing orders is a race; one to another scratch register is none."""
    push = f"push CFGSHIFTMASK scratch_index={scratch}, alu_mode=2, mask_width=4, cfg_index=190"
    found = reports(observed, of_t0(push, f"sw 4, CFG[{word}]"))
    assert [report.place.name for report in found if "SCRATCH" in report.place.name] != []
    assert reports(observed, of_t0(push, "sw 4, CFG[210]")) == []
