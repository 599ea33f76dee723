# SPDX-License-Identifier: Apache-2.0
"""A long run says how far it is, where somebody can see it and nowhere else."""

from __future__ import annotations

import io
import re
import sys

import pytest

from tensix_gdb.gdbstub.tensix.output import progress as progress_module
from tensix_gdb.gdbstub.tensix.output.progress import progress, working
from tests.gdbstub.cli.terminal import CTRL_C, in_terminal
from tests.patience import turns
from tests.programs.build import DEMO

RUN = ["run", f"--elf=b={DEMO / 'b.elf'}", "--schedule", "sc", "--max-cycles", 10**12]
UP = "\x1b[1A"  # to the line before


def test_on_a_terminal() -> None:
    with in_terminal(RUN, TERM="xterm", COLUMNS="120") as terminal:
        terminal.wait_for(b" cycles ")
        terminal.wait_for(b"/s ")
        terminal.wait_for(b"B at 0x0000")
        terminal.type(CTRL_C)
        # The line is erased, and the answer is as it always is.
        terminal.wait_for(b"\x1b[2K")
        terminal.wait_for(b"interrupted after ")
        assert terminal.wait_for_end() == 130


class Screen(io.StringIO):
    """A terminal that keeps what it is told."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_places_of_five_harts_are_one_line(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a terminal that is too narrow for them no line is broken, and no number is cut off."""
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(progress_module, "QUIET_SECONDS", 0)
    for name, value in {"COLUMNS": str(columns), "LINES": "24", "TERM": "xterm"}.items():
        monkeypatch.setenv(name, value)
    places = "; ".join(f"T{hart} at 0x00006088, a_long_name at b.c:15" for hart in range(5))
    with progress(10**12) as tell:
        tell(46_150_000, places)
    shown = plain(screen.getvalue())
    lines = re.findall(r"[^\r\n]* cycles [^\r\n]*", shown)
    assert {len(line) for line in lines} == {columns}
    assert all(" 46.15 M cycles " in line and line.endswith("…") for line in lines)
    assert shown.count(UP) == 1  # to erase the one line


def test_other_work_says_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a moment; and nothing of it is left."""
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(progress_module, "QUIET_SECONDS", 0)
    monkeypatch.setenv("TERM", "xterm")
    with working("looking for it"):
        for _ in turns():
            if "looking for it" in screen.getvalue():
                break
    assert screen.getvalue().endswith(f"\r{UP}\x1b[2K")


def test_work_of_a_moment_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(progress_module, "QUIET_SECONDS", 1e6)
    with working("looking for it"):
        pass
    assert screen.getvalue().strip() == ""


def plain(shown: str) -> str:
    """Return the text without colours and erased lines."""
    return re.sub(r"\x1b\[[?\d;]*[mKhl]", "", shown)


def test_a_short_run_shows_nothing() -> None:
    quick = [*RUN[:-1], 1000]
    with in_terminal(quick, TERM="xterm") as terminal:
        assert terminal.wait_for_end() == 1
        shown = re.sub(r"\x1b\[[\d;]*m", "", terminal.shown.decode("utf-8", "replace"))
        line = r"(\S )?still running after 1000 cycles: B at .*\r\n(   .*\r\n)*"
        assert re.fullmatch(line + r"(\S )?why: `tensix-gdb diagnose .*`\r\n", shown)


def test_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(100) as tell:
        tell(50, "somewhere")
    assert capsys.readouterr() == ("", "")
