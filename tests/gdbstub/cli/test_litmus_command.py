# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb litmus`: what it prints, and its exit status."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main

Capture = pytest.CaptureFixture[str]

ORDERING = Path(__file__).parents[2] / "ordering"
BUFFERING = str(ORDERING / "011-store-buffering.litmus")
C10 = str(ORDERING / "014-gpr-before-push.litmus")
WRONG = """\
litmus  a wrong claim
T0          | T1
sw 1, X     | lw a0, X
final       T1:a0
allowed     1
allowed     2
forbidden   0
"""


def litmus(*arguments: str) -> int:
    return main(["litmus", *arguments])


def test_what_was_seen_is_printed(capsys: Capture) -> None:
    assert litmus(BUFFERING, "--seeds", "300") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split() == ["sc", "latency", "random", "exhaustive"]
    rows = [line.split() for line in lines[3:7]]
    assert [row[:3] for row in rows] == [
        ["T0:a0=0", "T1:a0=0", "allowed"],
        ["T0:a0=0", "T1:a0=1", "allowed"],
        ["T0:a0=1", "T1:a0=0", "allowed"],
        ["T0:a0=1", "T1:a0=1", "allowed"],
    ]
    assert sum(int(row[5]) for row in rows) == 300
    assert [row[6] for row in rows] == ["yes"] * 4
    assert lines[-1] == "2 tests, each as its rows say"


def test_chosen_schedules_and_one_seed(capsys: Capture) -> None:
    arguments = ("--only", "11 store buffering", "--schedule", "sc", "--schedule", "random:7")
    assert litmus(BUFFERING, *arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split() == ["sc", "random"]
    assert sum(line.split()[4] == "1" for line in lines[3:7]) == 1


def test_what_is_not_allowed_is_wrong(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "wrong.litmus"
    file.write_text(WRONG)
    assert litmus(str(file)) == 1
    out = capsys.readouterr().out
    assert "WRONG  exhaustive: T1:a0=0 is not allowed" in out
    assert "WRONG  exhaustive: T1:a0=2 is allowed, but no execution leads to it" in out
    assert "WRONG  random: T1:a0=0 is not allowed" in out
    assert out.splitlines()[-1] == "1 test, 1 not as the rows say"


@pytest.mark.parametrize("schedule", ["exhaustive", "random"])
def test_a_timeline_shows_each_step(capsys: Capture, schedule: str) -> None:
    arguments = ("--only", "11 store buffering", "--schedule", schedule)
    assert litmus(BUFFERING, *arguments, "--outcome", "T0:a0=0 T1:a0=0") == 0
    head, _, *table = capsys.readouterr().out.splitlines()
    assert "T0:a0=0 T1:a0=0" in head
    steps = [line.split() for line in table[1:]]
    for core in ("T0", "T1"):
        own = [(step[3], step[-1]) for step in steps if step[1] == core]
        events = [event for event, _ in own]
        for event in ("queued", "emitted", "processed", "answered"):
            assert event in events
        assert events.index("queued") < events.index("emitted")
    # Both loads are processed before the other's store: that is how both see 0.
    order = [(s[1], s[4]) for s in steps if s[3] == "processed"]
    assert order.index(("T0", "lw")) < order.index(("T1", "sw"))
    assert order.index(("T1", "lw")) < order.index(("T0", "sw"))


def test_a_timeline_shows_the_wait_gate(capsys: Capture) -> None:
    assert litmus(C10, "--only", "15 STALLWAIT C10 between", "--outcome", "T0:GPR[2]=5") == 0
    out = " ".join(capsys.readouterr().out.split())
    for words in ("latched STALLWAIT", "held ADDDMAREG", "latched wait", "wait over"):
        assert words in out


@pytest.mark.parametrize("schedule", ["exhaustive", "latency"])
def test_a_timeline_that_hangs_says_who_waits(capsys: Capture, schedule: str) -> None:
    name = "5 mailbox read from the future over seven nops"
    arguments = ("--only", name, "--schedule", schedule, "--outcome", "hangs")
    assert litmus(str(ORDERING / "004-mailbox-from-the-future.litmus"), *arguments) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("B: waits for B ")


def test_a_timeline_that_ends_in_a_fault_says_which(capsys: Capture) -> None:
    arguments = ("--only", "57 MOP pushed by B", "--outcome", "fault tensix-not-expanded")
    assert litmus(str(ORDERING / "055-pushes.litmus"), *arguments) == 0
    out = capsys.readouterr().out
    assert "UndefinedBehavior: MOP in Tensix thread 0, pushed at 0x00000000" in out
    assert "passes" not in out


def test_an_outcome_that_does_not_happen(capsys: Capture) -> None:
    name = "11 store buffering with fences"
    assert litmus(BUFFERING, "--only", name, "--outcome", "T0:a0=0 T1:a0=0") == 1
    said = capsys.readouterr().out
    assert said == f"{name}: no execution ends with T0:a0=0 T1:a0=0\n"


# fmt: off
REFUSED = {
    "no file":       (["none.litmus"], "none.litmus: cannot be read: No such file or directory"),
    "not a test":    ([__file__], "test_litmus_command.py:2: a test begins with"),
    "no such test":  ([C10, "--only", "17 years"], "no test has this in its name"),
    "two tests":     ([BUFFERING, "--outcome", "hangs"], "--outcome is about one test"),
    "places":        ([C10, "--only", "14 a GPR", "--outcome", "T0:a0=1"],
                      "--outcome names the places of `final`: T0:GPR[2]"),
    "value":         ([C10, "--only", "14 a GPR", "--outcome", "T0:GPR[2]=x"],
                      "'T0:GPR[2]=x' is not PLACE=NUMBER"),
    "schedule":      ([C10, "--schedule", "fast"], "'fast' is not a schedule"),
    "seeds":         ([C10, "--seeds", "0"], "'0' is not a number from 1 to"),
}
# fmt: on


@pytest.mark.parametrize("refused", REFUSED)
def test_a_refusal_is_one_sentence(capsys: Capture, refused: str) -> None:
    arguments, words = REFUSED[refused]
    assert litmus(*arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("tensix-gdb: ")
    assert words in err
    assert len(err.splitlines()) == 1
