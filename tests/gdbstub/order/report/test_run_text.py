# SPDX-License-Identifier: Apache-2.0
"""The report of a run as a whole: fields that one instruction reads unwritten are one report, and
so are words that one function leaves changed."""

from __future__ import annotations

from dataclasses import replace

from tensix_gdb.core.race.findings import State, Verdict
from tensix_gdb.core.race.state.table import BY_NAME
from tensix_gdb.gdbstub.order.report.known import Judged
from tensix_gdb.gdbstub.order.report.located import Located
from tensix_gdb.gdbstub.order.report.run_text import grouped_lines, short_lines
from tensix_gdb.gdbstub.order.report.text import report_lines, title
from tests.gdbstub.order.report.made import LOCATED, NOWHERE, REPORT

BY_S8 = "two harts load, change and store one word"


def unwritten(number: int, name: str, state: State = State.CONFIG) -> Located:
    place = replace(LOCATED.report.place, words=name, note="", state=state)
    report = replace(LOCATED.report, number=number, check="U1", place=place)
    report = replace(report, title="a read of what nothing has written", earlier=report.later)
    return replace(LOCATED, report=report, earlier=LOCATED.later)


def test_fields_of_one_instruction_are_one_report() -> None:
    numbers = (1, 2, 3, 5, 7, 8)
    lines = list(grouped_lines(unwritten(number, f"FIELD_{number}") for number in numbers))
    assert lines[0] == (
        "U1 1 to 3, 5, 7, 8  a read of what nothing has written: 6 fields of configuration"
    )
    assert lines[1].startswith("    T0 unpack  UNPACR of a MOP")
    assert "    FIELD_1, FIELD_2, FIELD_3, FIELD_5, FIELD_7, FIELD_8" in lines
    assert lines[-1] == ""
    assert sum(line.startswith("U1") for line in lines) == 1


def test_few_of_them_and_other_places_are_shown_one_by_one() -> None:
    few = [unwritten(number, f"FIELD_{number}") for number in (1, 2)]
    lregs = [unwritten(number, f"lreg {number}", State.LREG) for number in (3, 4, 5)]
    lines = list(grouped_lines([*few, *lregs, LOCATED]))
    one_by_one = [line for one in (*few, *lregs, LOCATED) for line in (*report_lines(one), "")]
    assert lines == one_by_one


def left(number: int, text: str) -> Located:
    check = BY_NAME["K1"]
    place = replace(LOCATED.report.place, words=f"word {number}", note="", state=State.CONFIG)
    report = replace(
        LOCATED.report, number=number, check="K1", title=check.title, place=place,
        reason=f"{check.reason} {text}", failed=None,
    )  # fmt: skip
    return replace(LOCATED, report=replace(report, earlier=report.later), earlier=LOCATED.later)


def test_words_that_a_function_leaves_are_one_report() -> None:
    group = [left(number, f"FIELD_{number} is 0x1, was 0x0.") for number in (3, 4, 6)]
    lines = list(grouped_lines(group))
    step = LOCATED.later.step
    assert step is not None
    assert lines[0] == (
        f"K1 3, 4, 6  configuration is left changed: 3 words that {step.function} has written"
    )
    for number, line in zip((3, 4, 6), lines[1:4], strict=True):
        assert line.startswith(f"    {step.place}  ")
        assert line.endswith(f"FIELD_{number} is 0x1, was 0x0.")
    assert lines[4] == f"    {BY_NAME['K1'].reason}"
    assert any(line.startswith("    Would mend it: ") for line in lines)
    assert sum("The next kernel begins" in line for line in lines) == 1


def elsewhere(one: Located, pc: int, function: str) -> Located:
    """The same in another function."""
    step = one.later.step
    assert step is not None
    chain = (replace(step, function=function),)
    access = replace(one.report.later, pc=pc)
    later = replace(one.later, access=access, chain=chain)
    report = replace(one.report, later=access, earlier=access)
    return replace(one, report=report, earlier=later, later=later)


def test_fields_that_several_functions_read_have_a_line_for_each_place() -> None:
    reports = [
        elsewhere(unwritten(number, f"FIELD_{number}"), 0x100 * (number // 5), f"f{number // 5}")
        for number in range(1, 50)
    ]
    lines = list(grouped_lines(reports))
    assert lines[0] == (
        "U1 1 to 49  a read of what nothing has written: 49 words of configuration, at 10 places"
    )
    assert any(" f1  FIELD_5, FIELD_6, FIELD_7 and 2 more" in " ".join(lines[at : at + 2])
               for at in range(len(lines)))  # fmt: skip
    assert "    and 4 more places: --races-to FILE has all of them" in lines
    assert len(lines) < 30
    judged = [Judged(one, None, False) for one in reports]
    (line,) = short_lines(judged)
    assert line.startswith("U1 1 to 49  ")
    assert ": first at " in line


def test_what_is_left_is_cut_when_it_is_long() -> None:
    group = [left(number, f"FIELD_{number} is 0x1, was 0x0.") for number in range(1, 31)]
    lines = list(grouped_lines(group))
    assert "    and 22 more: --races-to FILE has all of them" in lines
    assert not any("FIELD_9 " in line for line in lines)


def test_races_of_one_pair_of_lines_are_one() -> None:
    other = replace(LOCATED.report.earlier, agent="T1")
    again = replace(
        LOCATED,
        report=replace(LOCATED.report, number=2, count=3),
        earlier=replace(LOCATED.earlier, access=other),
    )
    lines = list(grouped_lines([LOCATED, again]))
    assert [line for line in lines if line.startswith("RACE")] == [title(LOCATED)]
    assert "also RACE 2: T1 sw, then T0 unpack UNPACR of a MOP, 3 times" in " ".join(lines)


def test_lines_that_differ_are_one_cause_if_one_wait_mends_both() -> None:
    """Two stores before one UNPACR take one STALLWAIT; another function's takes its own."""
    step = replace(LOCATED.earlier.chain[0], line=413)
    chain = (step, *LOCATED.earlier.chain[1:])
    report = replace(LOCATED.report, number=2)
    again = replace(LOCATED, report=report, earlier=replace(LOCATED.earlier, chain=chain))
    assert "sw llk_unpack_A.h:413 _llk_unpack_A_" in " ".join(grouped_lines([LOCATED, again]))
    assert REPORT.fix is not None
    spots = (replace(REPORT.fix.spots[0], pc=0x7000),)
    other = replace(again, report=replace(report, fix=replace(REPORT.fix, spots=spots)))
    lines = grouped_lines([LOCATED, other])
    assert [line.split()[1] for line in lines if line.startswith("RACE")] == ["1", "2"]


def test_memory_comes_before_bits() -> None:
    place = replace(LOCATED.report.place, state=State.L1, words="L1 0x20000", note="")
    memory = replace(NOWHERE, report=replace(REPORT, number=4, place=place, fix=None))
    titles = [line for line in grouped_lines([LOCATED, memory]) if line.startswith("RACE")]
    assert [line.split()[1] for line in titles] == ["4", "1"]


def test_a_promise_is_never_called_a_race() -> None:
    """Its name says what it is, and it comes after all that nothing orders."""
    promised = replace(LOCATED, report=replace(REPORT, verdict=Verdict.PROMISED))
    text = "\n".join(grouped_lines([promised, replace(LOCATED, report=replace(REPORT, number=2))]))
    assert text.index("RACE 2 ") < text.index("PROMISED 1 ")
    assert "RACE 1 " not in text


def test_races_that_a_finding_explains_are_its() -> None:
    """Two cores load, change and store a word: one remedy mends all that the observer reports."""
    t1 = replace(REPORT.earlier, agent="T1", hart=2)
    sides = replace(LOCATED.earlier, access=t1), replace(LOCATED.earlier)
    report = replace(REPORT, earlier=t1, later=REPORT.earlier)
    first = replace(LOCATED, report=report, earlier=sides[0], later=sides[1])
    other_way = replace(report, number=2, earlier=REPORT.earlier, later=t1)
    second = replace(LOCATED, report=other_way, earlier=sides[1], later=sides[0])
    check = replace(report, number=3, verdict=Verdict.SYNC, check="S8", title=BY_S8)
    cause = replace(first, report=check)
    lines = list(grouped_lines([first, second, LOCATED, cause]))
    assert lines[0].startswith("S8 3  ")
    assert sum(line.startswith("RACE") for line in lines) == 1, "that with a thread is its own"
    assert sum("also RACE" in line for line in lines) == 2
