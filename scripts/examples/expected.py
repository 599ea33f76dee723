# SPDX-License-Identifier: Apache-2.0
"""The things that one expects of a debugger for C++, each done by the extension's adapter.

The kernel is that of `new` without one wait, so that it has a race. `python -m
scripts.examples.expected` does each, and puts the table of what came of it into the manual. An
AssertionError says which one is not as it is expected.
"""

from __future__ import annotations

import base64
import contextlib
import io
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.gdbstub.cli.main import main as tensix_gdb
from tests.dap.client import Adapter
from tests.dap.extension import session
from tests.tools import find_tool

BLOCK = Generated("expected", "python -m scripts.examples.expected", MANUAL / "vscode.md")
LACKS = "STALLWAIT_block_B1 | STALLWAIT_wait_C3"
T2, MATH, PACK = 4, 7, 8
Row = tuple[str, str]


def planted(folder: Path) -> Path:
    """Write and build the kernel."""
    with contextlib.redirect_stdout(io.StringIO()):
        assert tensix_gdb(["new", str(folder)]) == 0
        kernel = folder / "add.c"
        lines = kernel.read_text("utf-8").splitlines(keepends=True)
        kernel.write_text("".join(line for line in lines if LACKS not in line), "utf-8")
        assert tensix_gdb(["build", str(kernel), "-o", str(folder / "build")]) == 0
    return kernel


class Driven:
    """A session, and the places of its kernel."""

    def __init__(self, made: Adapter, kernel: Path) -> None:
        self.made, self.kernel = made, kernel
        self._lines = kernel.read_text("utf-8").splitlines()

    def line(self, text: str) -> int:
        return next(number for number, line in enumerate(self._lines, 1) if text in line)

    def until(self, thread: int, *wanted: dict[str, Any]) -> dict[str, Any]:
        """Make these the breakpoints, continue, and return the stop."""
        for one in self.made.breakpoints(self.kernel, *wanted):
            assert one["verified"], one
        return self.made.resume("continue", thread)

    def value(self, expression: str, thread: int, context: str = "watch") -> str:
        frame = self.made.frames(thread)[0]["id"]
        found = self.made.ask("evaluate", expression=expression, frameId=frame, context=context)
        return str(found["result"]).strip()

    def data(self, *places: str) -> None:
        """Make these the data breakpoints: places of the tile, and addresses."""
        wanted = []
        for place in places:
            address = {"asAddress": True, "bytes": 2048} if place.startswith("0x") else {}
            info = self.made.ask("dataBreakpointInfo", name=place, **address)
            assert info["dataId"], info
            wanted.append({"dataId": info["dataId"], "accessType": "write"})
        for one in self.made.ask("setDataBreakpoints", breakpoints=wanted)["breakpoints"]:
            assert one["verified"], one

    def restart(self) -> dict[str, Any]:
        self.made._seen = len(self.made.events)
        self.made.ask("restart")
        return self.made.event("stopped")


def rows(made: Adapter, kernel: Path) -> Iterator[Row]:
    """Do each thing; what it is, and what came of it. The session stands at the start."""
    assert made.event("stopped")["reason"] == "entry"
    driven = Driven(made, kernel)
    yield from of_values(driven)
    yield from of_places(driven)
    yield from of_breakpoints(driven)
    yield from of_the_tile(driven)
    yield from of_exceptions(driven)


def of_values(driven: Driven) -> Iterator[Row]:
    made = driven.made
    stop = driven.until(T2, {"line": driven.line("SEMWAIT_wait_C0"), "condition": "tile == 1"})
    assert (stop["reason"], stop["threadId"]) == ("breakpoint", T2)
    assert driven.value("tile", T2) == "1"
    yield "condition", "`tile == 1` stops T2 in its second tile; decided in the tile"
    local = made.scope(made.frames(T2)[0]["id"], "Local")
    assert made.variables(local)["tile"]["value"] == "1"
    assert made.ask("setVariable", variablesReference=local, name="tile", value="3")["value"] == "3"
    assert driven.value("tile", T2) == "3"
    made.ask("setVariable", variablesReference=local, name="tile", value="1")
    registers = made.scope(made.frames(T2)[0]["id"], "Tensix GPRs")
    before = made.variables(registers)["9"]["value"]
    for value in ("0x1234", before):
        made.ask("setVariable", variablesReference=registers, name="9", value=value)
        assert int(made.variables(registers)["9"]["value"], 16) == int(value, 16)
    semaphores = made.scope(made.frames(T2)[0]["id"], "Semaphores")
    value = made.variables(semaphores)["7"]["value"]
    made.ask("setVariable", variablesReference=semaphores, name="7", value="2")
    assert made.variables(semaphores)["7"]["value"].startswith("2 of")
    made.ask("setVariable", variablesReference=semaphores, name="7", value=value.split()[0])
    yield "set a variable", "of the program, and semaphores and GPRs"
    assert driven.value("tile * 2", T2) == "2"
    assert driven.value("sem 1", T2).startswith("0x")
    yield "watch", "expressions of C++, and places of the tile, as `sem 1`"
    assert driven.value("tile", T2, "hover") == "1"
    yield "hover", "a variable's value"
    names = [one["name"] for one in made.ask("threads")["threads"]]
    assert [name.split(" (")[0] for name in names] == [
        *("B", "T0", "T1", "T2", "NC", "T0 unpack", "T1 math", "T2 pack")
    ]
    for number in (2, 3, T2):
        assert made.frames(number)[-1]["name"] in ("main", "_start"), number
    yield "call stack of all threads", "five harts, three Tensix threads, what each waits for"


def of_places(driven: Driven) -> Iterator[Row]:
    made = driven.made
    left = made.ask("readMemory", memoryReference="0x21000", count=4)
    assert base64.b64decode(left["data"]) == b"\0\0\x80\x3f"  # 0 and 1 of bf16
    made.ask("writeMemory", memoryReference="0x51000", data=base64.b64encode(b"tile").decode())
    again = made.ask("readMemory", memoryReference="0x51000", count=4)
    assert base64.b64decode(again["data"]) == b"tile"
    known = made.variables(made.scope(made.frames(T2)[0]["id"], "Memory"))
    assert known["L1"]["memoryReference"] == "0x0 thread 1"
    for hart, content in (("T1", b"of T1"), ("T2", b"of T2")):  # at the same address
        reference = known[f"Local RAM of {hart}"]["memoryReference"]
        data = base64.b64encode(content).decode()
        made.ask("writeMemory", memoryReference=reference, offset=0x400, data=data)
    for hart in ("T1", "T2"):
        reference = known[f"Local RAM of {hart}"]["memoryReference"]
        again = made.ask("readMemory", memoryReference=reference, offset=0x400, count=5)
        assert base64.b64decode(again["data"]) == f"of {hart}".encode()
    yield "memory", "read and written: L1, and the local RAM of each hart"
    pc = made.frames(T2)[0]["instructionPointerReference"]
    found = made.ask("disassemble", memoryReference=pc, instructionOffset=-20, instructionCount=60)[
        "instructions"
    ]
    assert len(found) == 60
    assert int(found[20]["address"], 16) == int(pc, 16)
    texts = [one["instruction"] for one in found]
    assert any(text.startswith(".ttinsn PACR") for text in texts), texts
    assert any(one.get("line") == driven.line("TTINSN(PACR |") for one in found)
    yield "disassembly", "with Tensix instructions and source lines"
    cursor = driven.line("PACR_last(1)")
    assert driven.until(T2, {"line": cursor})["reason"] == "breakpoint"
    assert made.frames(T2)[0]["line"] == cursor
    yield "run to the cursor", "as a breakpoint that the editor takes away"


def of_breakpoints(driven: Driven) -> Iterator[Row]:
    made = driven.made
    assert driven.restart()["reason"] == "entry"
    assert made.frames(T2)[0]["name"] == "_start"
    yield "restart", "the programs as they were built since, by the same server"
    said = len(made.output())
    line = driven.line("SEMWAIT_wait_C0")
    driven.until(
        T2,
        {"line": line, "logMessage": "tile {tile:%02d}"},
        {"line": driven.line("PACR_last(1)"), "hitCondition": "3"},
    )
    assert driven.value("tile", T2) == "2"
    yield "hit count", "3 stops at the third"
    assert [f"tile {n:02}" in made.output()[said:] for n in range(4)] == [True] * 3 + [False]
    yield "logpoint", "`tile {tile:%02d}`; decided in the tile, no cycle of it"


def of_the_tile(driven: Driven) -> Iterator[Row]:
    made = driven.made
    driven.restart()
    gate = {"line": driven.line("TTINSN(PACR |"), "mode": "gate", "hitCondition": "3"}
    last = {"line": driven.line("PACR_last(1)"), "condition": "gate PACR if last=1"}
    for one in (gate, last):
        stop = driven.until(PACK, gate, last) if one is gate else driven.until(PACK, last)
        assert (stop["threadId"], stop["description"]) == (PACK, "Gate breakpoint")
        assert made.frames(PACK)[0]["line"] == one["line"]
    yield "breakpoint at a gate", "with a count, and with a condition of the instruction's fields"
    before = made.frames(PACK)[0]["line"]
    made.breakpoints(driven.kernel)
    made.resume("next", PACK)
    assert made.frames(PACK)[0]["line"] > before
    made.resume("stepBack", PACK)
    assert made.frames(PACK)[0]["line"] == before
    assert "history" in made.resume("reverseContinue", PACK)["text"]
    driven.restart()
    yield "step back, reverse", "one thread's step; the beginning of the history"
    for place, wrote in (
        ("cfg ALU_FORMAT_SPEC_REG2_Dstacc", "math_hw_configure"),  # by a store
        ("cfg ADDR_MOD_AB_SEC0_SrcAIncr T1", "SETC16"),
        ("sem 1", "by SEM"),
        ("dst 8.4", "ELWADD"),
        ("0x42800", ""),  # of the last tile
    ):
        driven.data(place)
        stop = made.resume("continue", T2)
        while stop.get("description") == "The program has ended":  # of another hart, T0
            stop = made.resume("continue", T2)
        assert stop["reason"] == "data breakpoint", (place, stop)
        assert wrote in stop["text"], stop
    driven.data()
    yield "data breakpoint", "on L1 (every writer), Dst, configuration, semaphores, and LRegs"


def of_exceptions(driven: Driven) -> Iterator[Row]:
    made = driven.made
    driven.restart()
    made.ask("setExceptionBreakpoints", filters=["fault", "race"])
    stop = made.resume("continue", T2)
    assert (stop["reason"], stop["description"]) == ("exception", "Race")
    assert made.ask("exceptionInfo", threadId=stop["threadId"])["description"].startswith("RACE 1")
    made.ask("setExceptionBreakpoints", filters=["fault"])
    driven.restart()
    frame = made.frames(T2)[0]["id"]
    made.ask("evaluate", expression=">set var $pc = 0x51000", frameId=frame, context="repl")
    stop = made.resume("continue", T2)
    assert (stop["reason"], stop["description"]) == ("exception", "Fault"), stop
    yield "exception", "*Faults*, and *Races* at the second access of each new report"


def table() -> str:
    """Do all, and return the table."""
    with tempfile.TemporaryDirectory() as name:
        kernel = planted(Path(name) / "mine")
        with session(kernel, Path(name), find_tool) as made:
            done = list(rows(made, kernel))
    lines = ["| expected | here |", "|---|---|", *(f"| {what} | {came} |" for what, came in done)]
    return "".join(f"{line}\n" for line in lines)


if __name__ == "__main__":
    BLOCK.write(table())
