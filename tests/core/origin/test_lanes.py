# SPDX-License-Identifier: Apache-2.0
"""Instructions of the Vector Unit that have done nothing, as their lane was off."""

from __future__ import annotations

import re

import pytest

from tensix_gdb.core.origin.shown import Left
from tests.core.origin.test_masked import PLACE, after, line, trees

SCHEDULES = ("sc", "latency")
# LReg 2 is 1 in all lanes, so that no lane is negative; LReg 0 is 2.0 in all of them.
BEFORE = (
    "SFPLOADI vd=L2, mod0=0, imm16=0x3f80",
    "SFPLOADI vd=L0, mod0=0, imm16=0x4000",
    "SFPSTORE vd=L0, mod0=BF16, imm10=0",
)
OFF = ("SFPENCC imm2=3, mod1=10", "SFPSETCC vc=2, mod1=0")
ENCC, SETCC = len(BEFORE), len(BEFORE) + 1
LAST = len(BEFORE) + len(OFF)  # the instruction after them


def pushed(text: str) -> int:
    """The number of the instruction that a text names by its place."""
    found = re.search(r"0x0000(20[0-9a-f]{2})", text)
    assert found is not None, text
    return (int(found[1], 16) - PLACE) // 4


def left(place: str, schedule: str, *texts: str) -> list[Left]:
    (tree,) = trees(after(schedule, *BEFORE, *texts), place)
    return tree.left


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize(
    ("place", "text", "written"),
    [
        ("dst 0.0", "SFPSTORE vd=L2, mod0=BF16, imm10=0", 2),
        ("dst 1.2", "SFPSTORE vd=L2, mod0=BF16, imm10=0", 2),
        ("lreg 0.5", "SFPLOADI vd=L0, mod0=0, imm16=0x3f80", 1),
        ("lreg 0.5", "SFPLOAD vd=L0, mod0=BF16, imm10=4", 1),
        ("lreg 0.5", "SFPMOV vc=2, vd=L0, mod1=0", 1),
        ("lreg 0.5", "SFPMAD va=2, vb=10, vc=2, vd=L0, mod1=0", 1),
    ],
)
def test_the_instruction_and_what_has_switched_its_lane_off(
    schedule: str, place: str, text: str, written: int
) -> None:
    (tree,) = trees(after(schedule, *BEFORE, *OFF, text, "SFPNOP"), place)
    (one,) = tree.left
    lane = {"dst 0.0": 0, "dst 1.2": 9, "lreg 0.5": 5}[place]
    assert one.by.startswith(f"{text.split()[0]} of T1 math")
    assert (pushed(one.by), one.lanes) == (LAST, {lane})
    assert (pushed(one.flags.by), pushed(one.use.by)) == (SETCC, ENCC)
    assert f"lane {lane} was off" in one.text
    assert one.why.startswith("lane flags by SFPSETCC of T1 math")
    # The value is that of the write before, which is named as such.
    assert line(tree) == written
    assert any("left as it was by" in said for said in tree.lines())
    assert any("lane flags by SFPSETCC" in said for said in tree.lines(brief=True))


@pytest.mark.parametrize(
    ("place", "texts"),
    [
        ("lreg 0.5", ("SFPLOADI vd=L0, mod0=0, imm16=0x3f80",)),  # it is on
        ("lreg 0.5", (*OFF, "SFPENCC imm2=0, mod1=2", "SFPMOV vc=2, vd=L0, mod1=0")),
        ("lreg 0.5", (*OFF, "SFPMOV vc=2, vd=L0, mod1=2")),  # in all lanes
        ("lreg 1.5", (*OFF, "SFPMOV vc=2, vd=L0, mod1=0")),  # another LReg
        ("dst 0.1", (*OFF, "SFPSTORE vd=L2, mod0=BF16, imm10=0")),  # the other column
        ("dst 4.0", (*OFF, "SFPSTORE vd=L2, mod0=BF16, imm10=0")),  # other rows
    ],
)
def test_nothing_was_left_for_that_reason(place: str, texts: tuple[str, ...]) -> None:
    assert left(place, "latency", *texts) == []


def test_a_store_is_none_of_the_columns_that_it_leaves() -> None:
    """SFPSTORE to even columns, then to odd ones, of the same pairs of columns."""
    machine = after("latency", *BEFORE, "SFPSTORE vd=L2, mod0=BF16, imm10=2")
    (even,), (odd,) = trees(machine, "dst 0.0"), trees(machine, "dst 0.1")
    assert (line(even), line(odd)) == (2, 3)


def test_several_are_told_with_one_reason() -> None:
    text = "SFPMOV vc=2, vd=L0, mod1=0"
    (tree,) = trees(after("latency", *BEFORE, *OFF, *[text] * 6), "lreg 0.5-7")
    said = [one for one in tree.lines() if "left as it was" in one or "lane flags by" in one]
    assert ["lanes 5 to 7 were off" in one for one in said] == [True] * 4 + [False]


def test_lane_flags_themselves() -> None:
    (tree,) = trees(after("latency", *BEFORE, *OFF), "row vector.flags")
    assert line(tree) == SETCC


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("dst 0.0", "SFPSTORE vd=L2, mod0=BF16, imm10=0"),
        ("lreg 0.5", "SFPLOADI vd=L0, mod0=0, imm16=0x3f80"),
        ("lreg 0.5", "SFPMAD va=2, vb=10, vc=2, vd=L0, mod1=0"),
    ],
)
def test_a_write_where_a_comparison_has_left_the_lane_on(
    schedule: str, place: str, text: str
) -> None:
    """SFPSETCC mod1=4: LReg 2 is not negative."""
    compares = "SFPENCC imm2=3, mod1=10", "SFPSETCC vc=2, mod1=4"
    (tree,) = trees(after(schedule, *BEFORE, *compares, text, "SFPNOP"), place)
    assert line(tree) == LAST
    assert tree.left == []
    (one,) = tree.in_lanes
    assert pushed(one.flags.by) == SETCC
    assert any("where lane flags by SFPSETCC of T1 math" in said for said in tree.lines())
    assert "where lane flags by SFPSETCC" in next(iter(tree.lines(brief=True)))
    assert tree.to_json()["in_lanes"]


@pytest.mark.parametrize("before", [(), ("SFPENCC imm2=3, mod1=10",)])
def test_no_comparison_no_word_about_it(before: tuple[str, ...]) -> None:
    text = "SFPLOADI vd=L0, mod0=0, imm16=0x3f80"
    (tree,) = trees(after("latency", *BEFORE, *before, text), "lreg 0.5")
    assert tree.in_lanes == []
