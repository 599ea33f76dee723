# SPDX-License-Identifier: Apache-2.0
"""lldb-dap, as VS Code's LLDB DAP extension runs it, on the demo's programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.dap.client import Adapter, adapter
from tests.dap.test_cdt import ELFS, SOURCE, T0, line_of
from tests.gdb.harness import serve

# What is behind each capability; the others are shown by what breakpoints do, or are options of
# requests that are here.
OFFERS = {
    "supportsConfigurationDoneRequest": {"configurationDone"},
    "supportsEvaluateForHovers": {"evaluate"},
    "supportsSetVariable": {"setVariable"},
    "supportsFunctionBreakpoints": {"setFunctionBreakpoints"},
    "supportsDisassembleRequest": {"disassemble"},
    "supportsDataBreakpoints": {"dataBreakpointInfo", "setDataBreakpoints"},
    "supportsExceptionInfoRequest": {"exceptionInfo"},
    "supportsModulesRequest": {"modules"},
    "supportsStepInTargetsRequest": {"stepInTargets"},
    "supportsCompletionsRequest": {"completions"},
    "supportsRestartRequest": {"restart"},
}
SHOWN = {
    *("supportsConditionalBreakpoints", "supportsHitConditionalBreakpoints", "supportsLogPoints"),
    *("supportTerminateDebuggee", "supportsDelayedStackTraceLoading", "supportsExceptionOptions"),
    *("supportsRunInTerminalRequest", "supportsValueFormattingOptions"),
    "supportsProgressReporting",
}
# lldb-dap 19 looks whether the process is there once, directly behind the last command, while its
# other thread has not yet taken the event that says so: one attempt of ten was "process unloaded
# during launch or attach" without this, none of sixty with it.
SETTLED = "platform shell -h -- sleep 0.2"


@pytest.fixture
def lldb(tool: Callable[[str], str]) -> Iterator[Adapter]:
    """Attached, every program's symbols loaded; T0 is at its first `filter`."""
    program = tool("lldb-dap-19")
    with serve(ELFS, "--stop-at-end") as server, adapter([program]) as made:
        # lldb-dap 19 drops a resume that comes while LLDB still deals with the stop.
        made.rest = 0.15
        made.initialize("lldb-dap")
        number = made.start(
            "attach",
            program=str(ELFS["T0"]),
            attachCommands=[
                f"gdb-remote 127.0.0.1:{server.port}",
                *(f"target modules add {ELFS[hart]}" for hart in ("B", "T1", "NC")),
                *(
                    f"target modules load --file {ELFS[hart].name} --slide 0"
                    for hart in ("B", "T1", "NC")
                ),
                SETTLED,
            ],
            sourceMap=[[".", str(SOURCE.parent)]],
            stopOnEntry=True,
        )
        made.breakpoints(SOURCE, {"line": line_of("int sum = 0;")})
        made.ask("configurationDone")
        made.end(number)
        made.event("stopped")
        made.resume("continue", 1)
        # The stop at the entry may be told twice.
        if made.events[-1]["body"].get("threadId") != T0:
            made.event("stopped", lambda body: body["threadId"] == T0)
        yield made


def test_threads_and_frames(lldb: Adapter) -> None:
    names = [thread["name"].split()[0] for thread in lldb.ask("threads")["threads"]]
    assert names == ["B", "T0", "T1", "T2", "NC", "T0", "T1", "T2"]
    assert [frame["name"] for frame in lldb.frames(T0)] == ["filter", "main", "_start"]
    # Nothing was pushed to this Tensix thread: it is in no program.
    (frame,) = lldb.frames(6)
    assert "source" not in frame
    # Each hart with its own program's symbols.
    assert lldb.frames(1)[0]["source"]["name"] in ("b.c", "crt0.S")
    assert len(lldb.ask("modules")["modules"]) == 4
    assert lldb.ask("exceptionInfo", threadId=T0)["exceptionId"]


def test_backtrace_at_a_functions_first_instruction(lldb: Adapter) -> None:
    start = lldb.ask("evaluate", expression="weigh", frameId=lldb.frames(T0)[0]["id"])
    lldb.breakpoints(SOURCE)
    (made,) = lldb.ask("setFunctionBreakpoints", breakpoints=[{"name": "weigh"}])["breakpoints"]
    assert made["verified"]
    lldb.resume("continue", T0)
    frames = lldb.frames(T0)
    assert frames[0]["instructionPointerReference"].lower() in start["result"].lower().replace(
        "0x0000", "0x"
    )
    assert [frame["name"] for frame in frames] == ["weigh", "filter", "main", "_start"]


def test_breakpoints_with_conditions_counts_and_logs(lldb: Adapter) -> None:
    weigh, publish = line_of("return window[tap]"), line_of("pipeline.sums++;")
    lldb.breakpoints(
        SOURCE,
        {"line": weigh, "condition": "tap == 3 && window[2] == 92"},
        {"line": publish, "logMessage": "sum {pipeline.sum}"},
    )
    assert lldb.resume("continue", T0)["reason"] == "breakpoint"
    local = lldb.variables(lldb.scope(lldb.frames(T0)[0]["id"], "Locals"))
    assert local["tap"]["value"] == "3"
    assert "sum 7" in lldb.output()
    assert "sum 83" in lldb.output()
    # The adapter keeps the message of a breakpoint that it changes.
    lldb.breakpoints(SOURCE)
    lldb.breakpoints(SOURCE, {"line": publish, "hitCondition": "3"})
    lldb.resume("continue", T0)
    frame = lldb.frames(T0)[0]
    assert (frame["name"], frame["line"]) == ("publish", publish)
    value = lldb.ask("evaluate", expression="me.done", frameId=frame["id"], context="watch")
    assert value["result"] == "4"


def test_stepping(lldb: Adapter) -> None:
    lldb.breakpoints(SOURCE)
    where = []
    targets = lldb.ask("stepInTargets", frameId=lldb.frames(T0)[0]["id"])
    assert "targets" in targets
    for command in ("next", "stepIn", "stepIn", "stepOut", "next"):
        assert lldb.resume(command, T0)["reason"] == "step"
        frame = lldb.frames(T0)[0]
        where.append((frame["name"], frame["instructionPointerReference"]))
    assert [name for name, _ in where] == ["filter", "filter", "weigh", "filter", "filter"]
    assert len(set(where)) == len(where)


def test_steps_over_pushed_instructions(lldb: Adapter) -> None:
    """Two words of the coprocessor in the instruction stream."""
    first = line_of("TTINSN(TT_DMANOP)")
    lldb.breakpoints(SOURCE, {"line": first})
    lldb.resume("continue", T0)
    lines = []
    for _ in range(2):
        lldb.resume("next", T0)
        lines.append(lldb.frames(T0)[0]["line"])
    assert lines == [first + 1, first + 2]


def test_variables_and_data_breakpoints(lldb: Adapter) -> None:
    lldb.breakpoints(SOURCE, {"line": line_of("publish(filter(window));")})
    lldb.resume("continue", T0)
    frame = lldb.frames(T0)[0]["id"]
    local = lldb.scope(frame, "Locals")
    window = lldb.variables(local)["window"]["variablesReference"]
    assert [one["value"] for one in lldb.variables(window).values()] == ["7", "38", "0", "0"]
    sample = lldb.variables(local)["sample"]["variablesReference"]
    lldb.ask("setVariable", variablesReference=sample, name="value", value="70")
    for expression, context, wanted in (
        *(("sample.value + 1", "watch", "71"), ("pipeline.ring.read", "hover", "2")),
        ("me.done", "repl", "1"),
    ):
        found = lldb.ask("evaluate", expression=expression, frameId=frame, context=context)
        assert found["result"].strip().endswith(wanted)
    assert "pc" in lldb.variables(
        next(iter(lldb.variables(lldb.scope(frame, "Registers")).values()))["variablesReference"]
    )
    globals_ = lldb.variables(lldb.scope(frame, "Globals"))
    assert any(name.startswith("pipeline") for name in globals_)
    pc = lldb.frames(T0)[0]["instructionPointerReference"]
    lines = lldb.ask("disassemble", memoryReference=pc, instructionCount=8)["instructions"]
    assert int(lines[0]["address"], 16) == int(pc, 16)
    assert "targets" in lldb.ask("completions", text="fra", column=4, frameId=frame)
    lldb.breakpoints(SOURCE)
    info = lldb.ask(
        "dataBreakpointInfo", variablesReference=lldb.scope(frame, "Globals"), name="pipeline"
    )
    address = lldb.ask("evaluate", expression="&pipeline.sum", frameId=frame, context="watch")
    at = int(address["result"].split()[-1], 16)
    assert info
    data = [{"dataId": f"{at:x}/4", "accessType": "write"}]
    assert lldb.ask("setDataBreakpoints", breakpoints=data)["breakpoints"][0]["verified"]
    lldb.resume("continue", T0)
    assert lldb.frames(T0)[0]["name"] == "publish"


def test_pause_and_disconnect(lldb: Adapter) -> None:
    lldb.breakpoints(SOURCE)
    for _ in range(3):
        lldb.resume("continue", T0)
    lldb.ask("continue", threadId=1)
    stop = lldb.pause(1)
    assert stop["reason"] != "breakpoint"
    lldb.leave(stop["threadId"])


def test_launch_and_restart(tool: Callable[[str], str]) -> None:
    """The adapter restarts only what it has launched: it kills, which resets the tile, and attaches
    again."""
    with serve(ELFS) as server, adapter([tool("lldb-dap-19")]) as made:
        made.rest = 0.15
        made.initialize("lldb-dap")
        number = made.start(
            "launch",
            program=str(ELFS["T0"]),
            launchCommands=[f"gdb-remote 127.0.0.1:{server.port}", SETTLED],
            sourceMap=[[".", str(SOURCE.parent)]],
            stopOnEntry=True,
        )
        made.breakpoints(SOURCE, {"line": line_of("int sum = 0;")})
        made.ask("configurationDone")
        made.end(number)
        made.event("stopped")
        for again in (True, False):
            stop = made.resume("continue", 1)
            assert (stop["reason"], stop["threadId"]) == ("breakpoint", T0)
            assert made.frames(T0)[0]["name"] == "filter"
            value = made.ask("evaluate", expression="me.done", frameId=made.frames(T0)[0]["id"])
            assert value["result"].strip().endswith("0")
            if again:
                made.ask("restart")
                made.event("stopped")
                assert [frame["name"] for frame in made.frames(T0)] == ["_start"]
        made.leave(T0)


def test_everything_that_is_offered_was_asked_for(lldb: Adapter) -> None:
    offered = {name for name, on in lldb.capabilities.items() if on is True}
    assert {name for name in offered if name.startswith("support")} == {*OFFERS, *SHOWN}
    text = Path(__file__).read_text("utf-8").split("SHOWN = {", 1)[1]
    for requests in OFFERS.values():
        for name in requests:
            assert f'"{name}"' in text, name
