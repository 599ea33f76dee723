# SPDX-License-Identifier: Apache-2.0
"""Litmus files that are wrong: one sentence with file and line, for each way of being wrong."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.litmus.check import describe, find
from tensix_gdb.core.litmus.explore import explore
from tensix_gdb.core.litmus.text import LitmusError, Outcome, parse
from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.schedule import Schedule

GOOD = """\
litmus  a name
page    A.md
about   Words.
init    X = 7, T0:a1 = 0x10, T1:cfg0 = 8

T0            | T1
sw a1, X      | again: lw a0, X
nop * 2       | bnez a0, again
fence         |
lw a0, X+4    | amoadd.w a2, -1, Y

final      T0:a0  T1:a0  Y
allowed    0      0      1
allowed    hangs
forbidden  fault load-unmapped
sc         7      0      1
"""

# What is replaced by what, the line it is then found in, and words of the sentence.
# fmt: off
WRONG = {
    "keyword":        ("page    A.md", "pages   A.md", 2, "'pages' is not known here"),
    "no value":       ("about   Words.", "about", 3, "about needs something after it"),
    "no name":        ("litmus  a name", "litmus", 1, "litmus needs a name"),
    "before":         ("litmus  a name", "", 2, "a test begins with"),
    "setting":        ("X = 7", "X", 4, "'X' is not PLACE = VALUE"),
    "setting value":  ("X = 7", "X = 7up", 4, "'7up' is no number"),
    "setting text":   ("X = 7", "X = Seven", 4, "is no Blackhole instruction"),
    "setting row":    ("X = 7", "hart.x[9,9] = 7", 4, "hart.x[9,9] is no row of the record"),
    "setting place":  ("X = 7", "sem 9 = 7", 4, "there is no semaphore 9: they are 0 to 7"),
    "place of many":  ("X = 7", "lreg 3 = 7", 4, "lreg 3 has 32 values: name one of them"),
    "place too large": ("X = 7", "sem 3 = 16", 4, "sem 3 takes 0 to 0xf, not 0x10"),
    "no thread": ("X = 7", "gpr 5 = 7", 4, "of which thread? Type for example `gpr T1 5`"),
    "name of its own": ("X = 7", "reg T1 a0 = 7", 4, "a test writes T0:a0"),
    "final place":    ("final      T0:a0  T1:a0  Y", "final T0:a0, sem 9, Y", 12, "no semaphore 9"),
    "columns":        ("nop * 2       | bnez a0, again", "nop | nop | nop", 8, "3 columns"),
    "twice":          ("T0            | T1", "T0 | T0", 6, "T0 has a program already"),
    "instruction":    ("fence ", "fencing", 9, "'fencing' is no instruction"),
    "register":       ("lw a0, X+4", "lw b0, X+4", 10, "'b0' is no register"),
    "operands":       ("sw a1, X", "sw a1", 6 + 1, "a1 is a register, not a location"),
    "source":         ("sw a1, X", "sw b1, X", 7, "'b1' is no register"),
    "location":       ("lw a0, X+4", "lw a0, X-", 10, "'X-' is no location"),
    "no location":    ("lw a0, X+4", "lw a0, a1", 10, "a1 is a register, not a location"),
    "offset":         ("amoadd.w a2, -1, Y", "amoadd.w a2, -1, 4(a1)", 10, "has no offset"),
    "immediate":      ("nop * 2", "addi a0, a0, 5000", 8, "imm"),
    "label":          ("bnez a0, again", "bnez a0, away", 8, "'away' is no known name"),
    "clock":          ("fence ", "csrr a0, cycle", 9, "cycle tells the time"),
    "timestamper":    ("lw a0, X+4", "lw a0, 0xffb121f0", 10, "the timestamper tells the time"),
    "csr":            ("fence ", "csrr a0, satp", 9, "'satp' is no known name"),
    "push":           ("fence ", "push NOPE", 9, "'NOPE' is no Blackhole instruction"),
    "whose push":     ("fence ", "push T1: NOP", 9, "only B names the thread"),
    "architecture":   ("page    A.md", "architecture quasar", 2, "blackhole or wormhole"),
    "seeds":          ("page    A.md", "seeds few", 2, "seeds is a number above 0, not 'few'"),
    "values":         ("allowed    0      0      1", "allowed 0 0", 13, "2 values, but `final`"),
    "value":          ("allowed    0      0      1", "allowed 0 0 x", 13, "no number"),
    "row twice":      ("allowed    hangs", "forbidden 0 0 1", 14, "has a row already"),
    "none allowed":   ("allowed", "forbidden", 1, "allows no outcome"),
    "no program":     ("T0            | T1", "final T0:a0", 7, "'sw' is not known here"),
}
# fmt: on


@pytest.fixture(scope="module")
def tile() -> Iterator[Tile]:
    tile = Tile("reference")
    yield tile
    tile.close()


def test_a_text_is_read() -> None:
    (test,) = parse(GOOD)
    assert (test.name, test.pages, test.about) == ("a name", ["A.md"], ["Words."])
    assert {hart: [s.text for s in program] for hart, program in test.programs.items()} == {
        1: ["sw a1, X", "nop", "nop", "fence", "lw a0, X+4"],
        2: ["lw a0, X", "bnez a0, again", "amoadd.w a2, -1, Y"],
    }
    assert test.programs[2][0].labels == ("again",)
    assert test.allowed == [Outcome("", (0, 0, 1)), Outcome("hangs", ())]
    assert test.forbidden == [Outcome("fault load-unmapped", ())]
    assert test.given == {"sc": Outcome("", (7, 0, 1))}
    assert test.known(Outcome("hangs", (1, 2, 3))) == Outcome("hangs", ())
    assert test.known(Outcome("fault store-unmapped", (1, 2, 3))).values == (1, 2, 3)


def test_state_is_named_as_places(tile: Tile) -> None:
    """By the notation of places and by rows of the record it is the same state."""
    (test,) = parse(
        "litmus a\ninit sem 3.max = 15, lreg 3.7 = 5, T1:$gpr[5] = 7, cfg 12[7:0] 0 = 9\n"
        "T1\nnop\n"
        "final sem 3.max, lreg 3.7, gpr T1 5, semaphore.max[3], T1:GPR[5], gpr.word[69], CFG[12]\n"
        "allowed 15 5 7 15 7 7 9\n"
    )
    outcome = tile.prepare(test, Schedule.LATENCY).run()
    assert outcome == test.allowed[0]
    described = "sem 3.max=15 lreg 3.7=5 gpr T1 5=7 semaphore.max[3]=15 T1:GPR[5]=7 gpr.word[69]=7 "
    assert describe(test, outcome) == described + "CFG[12]=9"
    assert find(test, describe(test, outcome)) == outcome
    with pytest.raises(LitmusError, match=r"'sem 3.max' is not PLACE=NUMBER"):
        find(test, "gpr T1 5=7 sem 3.max")


def test_one_place_of_two_words_has_a_comma_after_it() -> None:
    (test,) = parse("litmus a\nT1\nnop\nfinal sem 3.max,\nallowed 0\n")
    assert [place.text for place in test.final] == ["sem 3.max"]


def test_a_place_begins_as_its_row_does(tile: Tile) -> None:
    """Nothing else of the state differs."""
    states = []
    for setting in ("sem 3.max = 15", "semaphore.max[3] = 15"):
        (test,) = parse(f"litmus a\ninit {setting}\nT1\nnop\nfinal T1:a0\nallowed 0\n")
        states.append(bytes(tile.prepare(test, Schedule.LATENCY).start))
    assert states[0] == states[1]


def load(tile: Tile, source: str) -> None:
    for test in parse(source, "file.litmus"):
        tile.prepare(test, Schedule.LATENCY)


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_said_in_one_line(tile: Tile, wrong: str) -> None:
    old, new, line, words = WRONG[wrong]
    source = GOOD.replace(old, new)
    assert source != GOOD
    with pytest.raises(LitmusError) as caught:
        load(tile, source)
    sentence = str(caught.value)
    assert sentence.startswith(f"file.litmus:{line}: ")
    assert words in sentence
    assert "\n" not in sentence


def test_too_many_states_is_said(tile: Tile) -> None:
    (test,) = parse("litmus a\nstates 3\nT0\nsw 1, X\nlw a0, X\nfinal T0:a0\nallowed 1\n", "f")
    with pytest.raises(LitmusError, match=r"^f:1: more than 3 states"):
        explore(tile.prepare(test, Schedule.EXHAUSTIVE))


def test_too_long_a_program_is_said(tile: Tile) -> None:
    (test,) = parse("litmus a\nT0\nnop * 200\nfinal T0:a0\nallowed 1\n", "f")
    with pytest.raises(LitmusError, match=r"^f:1: the program of T0 has 201 instructions"):
        tile.prepare(test, Schedule.LATENCY)
