# SPDX-License-Identifier: Apache-2.0
"""A long run says how far it is, where somebody can see it and nowhere else."""

from __future__ import annotations

import re

import pytest

from tensix_gdb.gdbstub.tensix.output.progress import progress
from tests.gdbstub.cli.terminal import CTRL_C, in_terminal
from tests.programs.build import DEMO

RUN = ["run", f"--elf=b={DEMO / 'b.elf'}", "--schedule", "sc", "--max-cycles", 10**12]


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


def test_a_short_run_shows_nothing() -> None:
    quick = [*RUN[:-1], 1000]
    with in_terminal(quick, TERM="xterm") as terminal:
        assert terminal.wait_for_end() == 1
        line = rb"still running after 1000 cycles: B at .*\r\n(    B .* cycles\r\n)?"
        assert re.fullmatch(line, terminal.shown)


def test_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(100) as tell:
        tell(50, "somewhere")
    assert capsys.readouterr() == ("", "")
