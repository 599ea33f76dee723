# SPDX-License-Identifier: Apache-2.0
"""LLDB 19: what its own `expression` can do here, and calls of functions by our command."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.conftest import Build
from tests.gdb.harness import ROOT
from tests.gdb.lldb_script import lldb

pytestmark = pytest.mark.gdb
COMMAND = ROOT / "gdbstub" / "inside" / "lldb_calls.py"


def in_inner(tool: str, elf: Path, commands: Sequence[str], schedule: str = "latency") -> list[str]:
    """Return what LLDB says to each command, stopped in `inner` of the program."""
    before = ["breakpoint set --name inner", "process continue", f"command script import {COMMAND}"]
    return lldb(tool, {"B": elf}, [*before, *commands], schedule)[len(before) :]


def test_expressions(tool: Callable[[str], str], program: Build) -> None:
    said = in_inner(
        tool("lldb-19"),
        program("calls", "B"),
        [
            "expression counter + 2",
            "expression counter = 40",
            "expression counter + 2",
            "expression int $twice = counter * 2; $twice + 1",
            "expression $twice",
            "expression &squares[3]",
        ],
    )
    assert [line.rpartition(" = ")[2] for line in said[:5]] == ["2", "40", "42", "81", "80"], said
    assert "0x" in said[5]


@pytest.mark.parametrize("schedule", ["sc", "latency"])
def test_calls(tool: Callable[[str], str], program: Build, schedule: str) -> None:
    said = in_inner(
        tool("lldb-19"),
        program("calls", "B"),
        [
            "register read --all",
            "tensix-call add(40, 2)",
            "tensix-call factorial(counter + 10)",
            "tensix-call length(greeting)",
            "tensix-call make_pair(7, -8)",
            "tensix-call fill()",
            "expression squares[7]",
            "tensix-call nothing(1)",
            "tensix-call add(nothing, 1)",
            "tensix-call add",
            "register read --all",
            "thread backtrace",
        ],
        schedule,
    )
    registers, *values, after, backtrace = said
    assert values[:2] == ["(int) add = 42", "(u32) factorial = 3628800"]
    assert re.fullmatch(r"\(.*\) length = 11", values[2])
    assert re.search(r"first = 7,\s+second = -8", values[3])
    assert values[4] == ""
    assert values[5].endswith("= 49")
    assert "no program has a function nothing" in values[6]
    assert "nothing" in values[7]
    assert "type `tensix-call NAME(ARGUMENTS)`" in values[8]

    def general(text: str) -> list[str]:
        return [line for line in text.splitlines() if re.match(r"\s+(x|[astp])\w* = ", line)]

    assert general(registers) == general(after)
    assert "inner" in backtrace.splitlines()[1]


def test_a_breakpoint_in_the_function(tool: Callable[[str], str], program: Build) -> None:
    said = in_inner(
        tool("lldb-19"),
        program("calls", "B"),
        ["breakpoint set --name length", "tensix-call length(greeting)", "thread backtrace"],
    )
    assert "stopped in the function that was called: breakpoint 2.1" in said[1]
    assert "length" in said[2]
