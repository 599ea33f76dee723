# SPDX-License-Identifier: Apache-2.0
"""LLDB 19 at its console, as people script it: what each command shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Build
from tests.gdb.lldb_script import lldb
from tests.gdb.openings import ELFS
from tests.programs.build import DEMO

pytestmark = pytest.mark.gdb
PIPELINE = {hart: ELFS[hart] for hart in ("T0", "B", "T1", "NC")}  # LLDB opens the first
SCHEDULES = ["sc", "latency", "random:3"]


def line_of(path: Path, text: str) -> int:
    lines = path.read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_breakpoints_frames_and_variables(tool: Callable[[str], str], schedule: str) -> None:
    said = lldb(
        tool("lldb-19"),
        PIPELINE,
        [
            "breakpoint set --name weigh --condition 'tap == 3 && window[2] == 92'",
            "process continue",
            "thread backtrace",
            "frame variable tap window",
            "memory read --size 4 --format d --count 4 window",
            "frame select 2",
            "frame variable sample.value",
            "expression sample.value = 70",
            "frame variable sample.value",
            "thread list",
            "breakpoint delete 1",
            f"breakpoint set --file t0.c --line {line_of(DEMO / 't0.c', 'pipeline.sums++')} "
            "--ignore-count 2",
            "process continue",
            "frame variable sum",
            "register write a0 0x1234",
            "register read a0",
            "disassemble --pc --count 2",
        ],
        schedule,
    )
    stop, backtrace = said[1], said[2]
    assert "stop reason = breakpoint 1.1" in stop
    assert re.findall(r"`(\w+)", backtrace) == ["weigh", "filter", "main", "_start"]
    assert "tap = 3" in said[3]
    assert re.findall(r"\b\d+\b", said[4].partition(":")[2]) == ["7", "38", "92", "0"]
    assert [said[n].rpartition(" = ")[2] for n in (6, 7, 8)] == ["92", "70", "70"]
    assert len(re.findall(r"thread #\d", said[9])) == 8
    assert "stop reason = breakpoint 2.1" in said[12]
    assert "sum = " in said[13]
    assert "0x00001234" in said[15]
    assert "->" in said[16]


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_watchpoints(tool: Callable[[str], str], schedule: str) -> None:
    said = lldb(
        tool("lldb-19"),
        PIPELINE,
        [
            "breakpoint set --name filter",
            "process continue",
            "breakpoint delete 1",
            "watchpoint set variable pipeline.sum",
            "process continue",
            "process continue",
            "watchpoint list",
        ],
        schedule,
    )
    for stop, old, new in ((said[4], "0", "7"), (said[5], "7", "83")):
        assert "stop reason = watchpoint 1" in stop
        assert f"old value: {old}" in stop
        assert f"new value: {new}" in stop
    assert "Current watchpoints" in said[6]


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_steps_over_pushed_instructions(tool: Callable[[str], str], schedule: str) -> None:
    """Words of the coprocessor in the instruction stream, by instruction and by line."""
    first = line_of(DEMO / "t0.c", "TTINSN(TT_DMANOP)")
    said = lldb(
        tool("lldb-19"),
        PIPELINE,
        [
            f"breakpoint set --file t0.c --line {first}",
            "process continue",
            "thread step-inst",
            "thread step-inst",
            "breakpoint delete 1",
            "thread step-over --run-mode all-threads",
        ],
        schedule,
    )
    places = [int(found[1]) for text in said if (found := re.search(r"at t0\.c:(\d+)", text))]
    assert places == [first, first, first + 1, first + 2, first + 3], said


def test_a_program_alone(tool: Callable[[str], str], program: Build) -> None:
    """Steps into, over and out of functions, and the end of the program."""
    elf = program("calls", "B")
    said = lldb(
        tool("lldb-19"),
        {"B": elf},
        [
            "breakpoint set --name factorial --one-shot true",
            "process continue",
            "thread step-out",
            "thread step-over",
            "frame info",
            "image lookup --name inner",
            "process continue",
        ],
    )
    assert "factorial" in said[1]
    assert "Return value" in said[2]
    assert "stop reason = step over" in said[3]
    assert "inner" in said[5]
    assert "stop reason = " in said[6]
