# SPDX-License-Identifier: Apache-2.0
"""Source lines below the sentences that name them, signs and colours: where, and where not."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.cli.terminal import colours
from tensix_gdb.gdbstub.cli.terminal.colours import coloured, kind_of
from tensix_gdb.gdbstub.cli.terminal.files_of import FilesOf
from tensix_gdb.gdbstub.cli.terminal.quoted import Role, Shown, quoted
from tests.gdbstub.cli.terminal import in_terminal
from tests.programs.build import DEMO, build

FAULT = """int main(void)
{
    volatile int *p = (volatile int *)0x40000000;
    *p = 3; /* nothing is there */
    return 0;
}
"""
ESCAPE = re.compile(r"\x1b\[[\d;]*m")
FILE = [f"line {number};" for number in range(1, 31)]


def of(name: str) -> list[str] | None:
    """The lines of a file that is there."""
    return FILE if name == "a.c" else None


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A program that ends at a fault, and its source beside it."""
    folder = tmp_path_factory.mktemp("fault")
    (folder / "fault.c").write_text(FAULT)
    build(folder / "fault.c", "T0", folder / "t0.elf")
    return f"--elf=t0={folder / 't0.elf'}"


def text(*lines: str, width: int = 80) -> list[str]:
    return [shown.text for shown in quoted(lines, of, width)]


def test_a_line_is_quoted_at_the_end_of_its_report() -> None:
    said = text("T0 stops at a.c:9", "    for a caller", "T1 runs")
    assert said[2] == "   a.c:9"
    assert said[3:6] == ["    7 | line 7;", "    8 | line 8;", "    9 | line 9;"]
    assert said[6:] == ["      | ^~~~~~~", "   10 | line 10;", "T1 runs"]


def test_near_lines_are_one_piece_and_none_is_there_twice() -> None:
    said = text("T0 at a.c:9, then a.c:11, then a.c:20", "again at a.c:9")
    assert [line for line in said if line.startswith("   a.c")] == ["   a.c:9, 11", "   a.c:20"]
    assert said[-1] == "again at a.c:9"


def test_places_that_are_not_there_stay_names() -> None:
    for line in ("at b.c:3", "at a.c:31", "at a.c:0", "at xa.c:3", "time 12:30", "at x/a.c:3"):
        assert text(line) == [line]


def test_ends_of_programs_and_what_was_ruled_out_are_no_cause() -> None:
    for line in ("T0 paused at ebreak, f at a.c:9", "next: check a.c:9", "ruled out: a.c:9"):
        assert text(line) == [line]


def test_no_more_than_some_pieces() -> None:
    said = text(f"at {', '.join(f'a.c:{number}' for number in range(1, 30, 5))}")
    assert sum(line.startswith("   a.c") for line in said) == 4


def test_long_lines_and_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "FILE", ["\tx = 1; // why", "y" * 90, "/* only words */", ""])
    said = text("at a.c:1, a.c:2, a.c:3", width=50)
    assert said[2:4] == ["   1 |     x = 1; // why", "     |     ^~~~~~"]
    assert said[4] == f"   2 | {'y' * 40}..."
    assert all(len(line) <= 50 for line in said)
    assert "/* only words */" in said[6]


def test_a_name_of_two_files_is_quoted_of_none(tmp_path: Path) -> None:
    for folder, line in (("one", "int one;"), ("two", "int two;")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.c").write_text(FAULT.replace("nothing", line))
        build(tmp_path / folder / "same.c", "T0", tmp_path / folder / "t0.elf")
    images = [read_elf(tmp_path / folder / "t0.elf") for folder in ("one", "two")]
    assert FilesOf(images[:1]).read("same.c") == FAULT.replace("nothing", "int one;").splitlines()
    assert FilesOf(images).read("same.c") is None
    assert FilesOf(images).read("one/same.c") is not None


def test_kinds() -> None:
    for sentence, sign in {
        "nothing can move any more, after cycle 385:": "\u2717",
        "RACE 1  write, then write: once  L1 0x16000": "\u21c4",
        "S1 1  a semaphore leaves its range: 2 times  sem 2": "\u25b2",
        "T0 at 0x0000606c: UndefinedBehavior: store after 49 cycles": "\u2717",
        "all harts have paused after 503 cycles": "\u2713",
    }.items():
        kind = kind_of(sentence)
        assert kind is not None
        assert kind.sign == sign
    for sentence in ("T0 at 0x606c: breakpoint after 340 cycles", "1 race", "recording x.rec"):
        assert kind_of(sentence) is None


def test_colours_change_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    lines = [(one, one.text) for one in quoted(["\u2717 T0 stops at a.c:9 after 3 cycles"], of, 80)]
    shown = coloured([*lines, (Shown("[red]x[/red]"), "")])
    assert "\x1b[" in shown
    assert ESCAPE.sub("", shown).splitlines() == [*(one.text for one, _ in lines), "[red]x[/red]"]
    assert Role.CARET in {one.role for one, _ in lines}


@pytest.mark.parametrize(
    ("variables", "is_quoted", "is_coloured"),
    [
        ({"TERM": "xterm"}, True, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, False, False),
    ],
    ids=["colour", "NO_COLOR", "dumb"],
)
def test_in_a_terminal(
    program: str, variables: dict[str, str], is_quoted: bool, is_coloured: bool
) -> None:
    environment = {"NO_COLOR": "", "FORCE_COLOR": "", "PYTHONUTF8": "1", **variables}
    with in_terminal(["run", program], size=(50, 120), **environment) as terminal:
        assert terminal.wait_for_end() == 1
    shown = terminal.shown.decode()
    assert ("    *p = 3;" in ESCAPE.sub("", shown)) == is_quoted
    assert ("^~~~~~~" in shown) == is_quoted
    assert ("\x1b[1;31m" in shown) == is_coloured


def test_no_terminal(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The same sentences as in a terminal, alone."""
    assert main(["run", program]) == 1
    plain = capsys.readouterr().out
    assert "*p = 3" not in plain
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "FORCE_COLOR", "1")
        patch.delitem(os.environ, "NO_COLOR", raising=False)
        assert main(["run", program]) == 1
    shown = ESCAPE.sub("", capsys.readouterr().out)
    assert "    *p = 3; /* nothing is there */" in shown
    sentences = [line for line in shown.splitlines() if not line.startswith("   ")]
    signs = "".join(kind.sign for kind in colours.KINDS)
    assert [line.lstrip(f"{signs} ") for line in sentences] == plain.splitlines()


def test_a_file_without_a_source(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "FORCE_COLOR", "1")
        assert main(["run", f"--elf=b={DEMO / 'b.elf'}", "--max-cycles", "300"]) == 1
    assert "still running after 300 cycles" in ESCAPE.sub("", capsys.readouterr().out)
