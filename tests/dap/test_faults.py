# SPDX-License-Identifier: Apache-2.0
"""Faults in a session: where one stops, what is said of it, and the exceptions' filter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tests.dap.extension import session
from tests.dap.test_extension import MATH, T1, line_of
from tests.gdbstub.diagnose.test_as_sarif import LOADS, PUSHES

pytestmark = pytest.mark.gdb


def built(folder: Path, text: str) -> Path:
    """A kernel of T1, compiled."""
    kernel = folder / "t1.c"
    kernel.write_text(text, "utf-8")
    assert main(["build", str(kernel), "-o", str(folder / "build")]) == 0
    return kernel


def test_the_line_that_has_pushed(tmp_path: Path, tool: Callable[[str], str]) -> None:
    """Without the filter a fault is counted, and the tile continues. An editor waits neither for
    the answer about the filter nor for others before it sends what a person presses then."""
    tool("riscv64-unknown-elf-gcc")
    faulty = built(tmp_path, PUSHES)
    with session(faulty, tmp_path, tool) as made:
        made.event("stopped")
        stop = made.resume("continue", T1)
        assert (stop["reason"], stop["description"], stop["threadId"]) == (
            "exception",
            "Fault",
            MATH,
        )
        assert "MissingSpecification: RSTDMA in Tensix thread 1, pushed at" in stop["text"]
        frame = made.frames(MATH)[0]
        assert (frame["source"]["path"], frame["line"]) == (str(faulty), line_of(faulty, "RSTDMA"))
        info = made.ask("exceptionInfo", threadId=MATH)
        assert info["exceptionId"] == "Fault"
        assert "RSTDMA" in info["description"]
        for _ in range(10):
            made.begin("threads")
        made.begin("setExceptionBreakpoints", filters=[])
        assert made.resume("continue", T1)["description"] == "The program has ended"


def test_the_line_of_a_hart(tmp_path: Path, tool: Callable[[str], str]) -> None:
    tool("riscv64-unknown-elf-gcc")
    faulty = built(tmp_path, LOADS)
    with session(faulty, tmp_path, tool) as made:
        made.event("stopped")
        stop = made.resume("continue", T1)
        assert (stop["description"], stop["threadId"]) == ("Fault", T1)
        assert "UndefinedBehavior: load of 4 bytes from 0xffff0000" in stop["text"]
        frame = made.frames(T1)[0]
        here = line_of(faulty, "return *")
        assert (frame["source"]["path"], frame["line"]) == (str(faulty), here)
