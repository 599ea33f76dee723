# SPDX-License-Identifier: Apache-2.0
"""cdt-gdb-adapter, as VS Code's CDT GDB extension and Theia run it, on the demo's programs.

Everything that the adapter offers is asked for at least once, and succeeds.
"""

from __future__ import annotations

import base64
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.dap.client import Adapter, adapter
from tests.gdb.harness import serve
from tests.programs.build import DEMO, DEMO_PROGRAMS
from tests.tools import unavailable

pytestmark = pytest.mark.gdb
MODULES = Path(__file__).resolve().parent / "node_modules"
PROGRAM = MODULES / "cdt-gdb-adapter" / "dist" / "debugTargetAdapter.js"
ELFS = {hart: DEMO / f"{name}.elf" for hart, name in DEMO_PROGRAMS.items()}
SOURCE = DEMO / "t0.c"
T0 = 2
# What is behind each capability that the adapter may offer.
OFFERS = {
    "supportsConfigurationDoneRequest": {"configurationDone"},
    "supportsEvaluateForHovers": {"evaluate"},
    "supportsSetVariable": {"setVariable"},
    "supportsFunctionBreakpoints": {"setFunctionBreakpoints"},
    "supportsDisassembleRequest": {"disassemble"},
    "supportsReadMemoryRequest": {"readMemory"},
    "supportsWriteMemoryRequest": {"writeMemory"},
    "supportsSteppingGranularity": {"next", "stepIn", "stepOut"},
    "supportsInstructionBreakpoints": {"setInstructionBreakpoints"},
    "supportsDataBreakpoints": {"dataBreakpointInfo", "setDataBreakpoints"},
    "supportsTerminateRequest": {"terminate"},
}
# Shown in the tests below by what they do, not by a request of their own.
SHOWN = {
    *("supportsConditionalBreakpoints", "supportsHitConditionalBreakpoints", "supportsLogPoints"),
}


def line_of(text: str) -> int:
    """The line of the demo's T0 with this text."""
    lines = SOURCE.read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


@pytest.fixture
def cdt(tool: Callable[[str], str]) -> Iterator[Adapter]:
    """The adapter, initialized."""
    node = tool("node")
    if not PROGRAM.exists():
        unavailable("cdt-gdb-adapter is missing: run 'npm ci' in tests/dap")
    with adapter([node, str(PROGRAM)]) as made:
        made.initialize("gdbtarget")
        yield made


@pytest.fixture
def port() -> Iterator[int]:
    with serve(ELFS, "--stop-at-end") as server:
        yield server.port


@pytest.fixture
def attached(cdt: Adapter, port: int, tool: Callable[[str], str]) -> Adapter:
    """Attached, with a second GDB for what is looked at while the tile runs; T0 is in `filter`."""
    number = cdt.start(
        "attach",
        gdb=tool("gdb-multiarch"),
        program=str(ELFS["T0"]),
        target={"type": "remote", "host": "127.0.0.1", "port": str(port)},
        auxiliaryGdb=True,
        preConnectCommands=["set osabi none", "set sysroot"],
    )
    (one,) = cdt.breakpoints(SOURCE, {"line": line_of("int sum = 0;")})
    assert one["verified"]
    cdt.ask("configurationDone")
    cdt.end(number)
    stop = cdt.event("stopped")
    assert (stop["reason"], stop["threadId"]) == ("breakpoint", T0)
    assert [frame["name"] for frame in cdt.frames(T0)] == ["filter", "main"]
    return cdt


def test_launch_starts_the_server(cdt: Adapter, tool: Callable[[str], str]) -> None:
    """`request: launch` with the server's command line; the port is found in what it prints."""
    elfs = [part for hart, path in ELFS.items() for part in ("--elf", f"{hart}={path}")]
    number = cdt.start(
        "launch",
        gdb=tool("gdb-multiarch"),
        program=str(ELFS["T0"]),
        target={
            "server": sys.executable,
            "serverParameters": ["-m", "tensix_gdb.gdbstub", "serve", "--port", "0", *elfs],
            "serverPortRegExp": "listening on 127.0.0.1 port ([0-9]+)",
            "portDetectionTimeout": 90_000,
            "cwd": str(DEMO.parents[2]),
        },
        preConnectCommands=["set osabi none"],
    )
    cdt.breakpoints(SOURCE, {"line": line_of("int sum = 0;")})
    cdt.ask("configurationDone")
    cdt.end(number)
    assert cdt.event("stopped")["threadId"] == T0
    cdt.ask("terminate")


def test_breakpoints_with_conditions_counts_and_logs(attached: Adapter) -> None:
    cdt = attached
    weigh, publish = line_of("return window[tap]"), line_of("pipeline.sums++;")
    assert all(
        one["verified"]
        for one in cdt.breakpoints(
            SOURCE,
            {"line": weigh, "condition": "me.done == 2 && tap == 3"},
            {"line": publish, "logMessage": "a sum is out"},
        )
    )
    stop = cdt.resume("continue", T0)
    assert stop["reason"] == "breakpoint"
    cdt.ask("setFunctionBreakpoints", breakpoints=[])
    local = cdt.variables(cdt.scope(cdt.frames(T0)[0]["id"], "Local"))
    assert local["tap"]["value"] == "3"
    assert cdt.output().count("a sum is out") == 2
    cdt.breakpoints(SOURCE, {"line": publish, "hitCondition": "3"})
    cdt.resume("continue", T0)
    frame = cdt.frames(T0)[0]
    assert (frame["name"], frame["line"]) == ("publish", publish)
    value = cdt.ask("evaluate", expression="me.done", frameId=frame["id"], context="watch")
    assert value["result"] == "4"
    cdt.breakpoints(SOURCE)
    functions = cdt.ask("setFunctionBreakpoints", breakpoints=[{"name": "filter"}])["breakpoints"]
    assert functions[0]["verified"]
    assert cdt.resume("continue", T0)["reason"] == "function breakpoint"
    assert cdt.frames(T0)[0]["name"] == "filter"


def test_stepping(attached: Adapter) -> None:
    cdt = attached
    cdt.breakpoints(SOURCE)
    where = []
    for command, more in (
        *(("next", {}), ("stepIn", {}), ("stepOut", {}), ("next", {})),
        *(("next", {"granularity": "instruction"}), ("stepIn", {"granularity": "instruction"})),
    ):
        assert cdt.resume(command, T0, **more)["reason"] == "step"
        frame = cdt.frames(T0)[0]
        where.append((frame["name"], frame["instructionPointerReference"]))
    assert [name for name, _ in where[:4]] == ["filter", "weigh", "filter", "filter"]
    assert len(set(where)) == len(where)


def test_variables_registers_and_memory(attached: Adapter) -> None:
    cdt = attached
    cdt.breakpoints(SOURCE, {"line": line_of("publish(filter(window));")})
    cdt.resume("continue", T0)
    frame = cdt.frames(T0)[0]["id"]
    local = cdt.variables(cdt.scope(frame, "Local"))
    window = cdt.variables(local["window"]["variablesReference"])
    assert [one["value"] for one in window.values()] == ["7", "38", "0", "0"]
    scope = cdt.scope(frame, "Local")
    changed = cdt.ask(
        "setVariable",
        variablesReference=local["window"]["variablesReference"],
        name=next(iter(window)),
        value="70",
    )
    assert changed["value"] == "70"
    assert scope
    for expression, context, wanted in (
        *(("window[0] + 1", "watch", "71"), ("pipeline.ring.read", "hover", "2")),
        ("weigh(window, 0)", "repl", "70"),
    ):
        found = cdt.ask("evaluate", expression=expression, frameId=frame, context=context)
        assert found["result"] == wanted
    registers = cdt.variables(cdt.scope(frame, "Registers"))
    assert {"pc", "sp", "a0"} <= set(registers)
    address = cdt.ask("evaluate", expression="&pipeline.sum", frameId=frame, context="watch")
    at = address["result"].split()[0]
    cdt.ask("writeMemory", memoryReference=at, data=base64.b64encode(b"\x2a\0\0\0").decode())
    read = cdt.ask("readMemory", memoryReference=at, offset=0, count=4)
    assert base64.b64decode(read["data"]) == b"\x2a\0\0\0"
    pc = cdt.frames(T0)[0]["instructionPointerReference"]
    lines = cdt.ask("disassemble", memoryReference=pc, instructionCount=20)["instructions"]
    assert len(lines) == 20
    assert int(lines[0]["address"], 16) == int(pc, 16)


def test_data_and_instruction_breakpoints(attached: Adapter) -> None:
    cdt = attached
    cdt.breakpoints(SOURCE)
    frame = cdt.frames(T0)[1]["id"]
    info = cdt.ask("dataBreakpointInfo", name="pipeline.sum", frameId=frame)
    assert info["dataId"], info
    data = [{"dataId": info["dataId"], "accessType": "write"}]
    assert cdt.ask("setDataBreakpoints", breakpoints=data)["breakpoints"][0]["verified"]
    # The adapter calls the reason "generic".
    cdt.resume("continue", T0)
    assert cdt.frames(T0)[0]["name"] == "publish"
    assert "Hardware watchpoint" in cdt.output()
    cdt.ask("setDataBreakpoints", breakpoints=[])
    frame = cdt.frames(T0)[0]["id"]
    start = cdt.ask("evaluate", expression="(long) weigh", frameId=frame, context="watch")
    at = hex(int(start["result"]))
    made = cdt.ask("setInstructionBreakpoints", breakpoints=[{"instructionReference": at}])
    assert made["breakpoints"][0]["verified"]
    cdt.resume("continue", T0)
    assert cdt.frames(T0)[0]["instructionPointerReference"] == f"0x{int(at, 16):08x}"
    cdt.ask("setInstructionBreakpoints", breakpoints=[])


def test_threads_pause_and_detach(attached: Adapter, port: int) -> None:
    cdt = attached
    cdt.breakpoints(SOURCE)
    names = [thread["name"] for thread in cdt.ask("threads")["threads"]]
    assert [name.split()[0] for name in names] == ["B", "T0", "T1", "T2", "NC", "T0", "T1", "T2"]
    frames = {n: cdt.frames(n) for n in (1, 3, 5)}
    # Every hart is shown with its own program's symbols.
    assert "main" in [frame["name"] for frame in frames[1]]
    assert {frame["source"]["name"] for frame in frames[3]} <= {"t1.c", "crt0.S"}
    # Three programs come to their ebreak; that of B continues.
    assert [cdt.resume("continue", T0)["reason"] for _ in range(3)] == ["SIGTRAP"] * 3
    cdt.ask("continue", threadId=T0)
    cdt.ask("pause", threadId=T0)
    assert cdt.event("stopped")["reason"] in ("SIGINT", "pause", "signal")
    cdt.ask("disconnect")
    # The tile continues to serve the next one.
    other = shutil.which("gdb-multiarch")
    assert other is not None


def test_everything_that_is_offered_was_asked_for(
    attached: Adapter, request: pytest.FixtureRequest
) -> None:
    """Of each capability, the requests in this file; a new one has to be shown here first."""
    offered = {name for name, on in attached.capabilities.items() if on is True}
    assert offered == {*OFFERS, *SHOWN}
    text = Path(request.path).read_text("utf-8")
    for requests in OFFERS.values():
        for name in requests:
            assert f'"{name}"' in text.replace("OFFERS = {", "", 1).split("SHOWN")[1], name
