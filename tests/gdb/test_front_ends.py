# SPDX-License-Identifier: Apache-2.0
"""cppdbg, Native Debug and cortex-debug at work: what each makes GDB do, through pygdbmi.

openings.py has how each begins a session. Here follows the rest, in the form that the front end's
source has (the commands differ: condition, count, log message, variables, disassembly):

    cppdbg        microsoft/MIEngine, MICommandFactory.cs, Disassembly.cs
    native-debug  WebFreak001/code-debug, mi2.ts
    cortex-debug  Marus/cortex-debug, mi2.ts, disasm.ts
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.gdb.harness import serve
from tests.gdb.mi import Mi, mi
from tests.gdb.openings import ELFS, FRONT_ENDS, GDB, OTHER
from tests.programs.build import DEMO

pytestmark = pytest.mark.gdb
SOURCE = DEMO / "t0.c"
T0 = 2
ENDLESS = "6f000000"  # a jump to itself
THREADS = ["B", "T0", "T1", "T2", "NC", "T0 unpack", "T1 math", "T2 pack"]


def line_of(text: str) -> int:
    """The line of the demo's filter that has this text."""
    lines = SOURCE.read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


WEIGH, PUBLISH = line_of("return window[tap]"), line_of("pipeline.sum = sum")
COUNTED, CALL = line_of("pipeline.sums++"), line_of("publish(filter(window))")


def begin(front_end: str, gdb: Mi, port: int) -> None:
    """As the front end does, up to where it has connected."""
    for command in FRONT_ENDS[front_end]:
        if not command.startswith(OTHER) and "break-" not in command:
            gdb.tell(command.format(port=port, elf=ELFS["T0"]))
        if command.startswith("-target-select"):
            return


@pytest.fixture
def session(request: pytest.FixtureRequest, tool: Callable[[str], str]) -> Iterator[Mi]:
    with serve(ELFS, "--schedule", "latency") as server, mi(tool(GDB)) as gdb:
        begin(request.param, gdb, server.port)
        yield gdb


def names(threads: dict[str, Any]) -> list[str]:
    """Of threads, as a front end lists them."""
    return [thread["name"] for thread in threads["threads"]]


def variables(gdb: Mi, more: str = "--simple-values") -> dict[str, str]:
    """Of the innermost frame of T0."""
    found = gdb.tell(f"-stack-list-variables --thread {T0} --frame 0 {more}")["variables"]
    return {one["name"]: one.get("value", "") for one in found}


def functions(gdb: Mi) -> list[str]:
    """Of T0's frames."""
    depth = int(gdb.tell(f"-stack-info-depth --thread {T0} 1000")["depth"])
    frames = gdb.tell(f"-stack-list-frames --thread {T0} 0 {depth - 1}")["stack"]
    return [frame["func"] for frame in frames]


def number(made: dict[str, Any]) -> str:
    """Of the breakpoint that was made."""
    return str(next(iter(made.values()))["number"])


@pytest.mark.parametrize("session", ["cppdbg"], indirect=True)
def test_cppdbg(session: Mi) -> None:
    gdb = session
    assert sorted(names(gdb.tell("-thread-info"))) == sorted(THREADS)
    # A condition goes with the breakpoint; `-break-after` has its count.
    made = gdb.tell(f'-break-insert -f -c "tap == 3" {SOURCE.name}:{WEIGH}')
    assert gdb.resume("-exec-continue")["bkptno"] == number(made)
    assert variables(gdb)["tap"] == "3"
    assert functions(gdb) == ["weigh", "filter", "main"]
    gdb.tell(f"-break-condition {number(made)} tap == 1")
    gdb.tell(f"-break-after {number(made)} 1")
    gdb.resume("-exec-continue")
    # Evaluating, variables with children, and setting one.
    asked = f'-var-create --thread {T0} --frame 1 - * "window"'
    window = gdb.tell(asked)["name"]
    gdb.tell(f"-var-set-format {window} natural")
    gdb.tell(f"-var-show-attributes {window}")
    children = gdb.tell(f'-var-list-children --simple-values "{window}" 0 1000')
    assert children["numchild"] == "1"
    tap = gdb.tell(f'-var-create --thread {T0} --frame 0 - * "tap"')
    assert tap["value"] == "1"
    assert gdb.tell(f'-var-assign {tap["name"]} "2"')["value"] == "2"
    assert gdb.tell(f"-var-info-path-expression {tap['name']}")["path_expr"] == "tap"
    gdb.tell(f"-var-delete {tap['name']}")
    asked = f'-data-evaluate-expression --thread {T0} --frame 0 "tap * 10"'
    assert gdb.tell(asked)["value"] == "20"
    # Its log message: it stops, evaluates and continues by itself.
    gdb.tell(f"-break-delete {number(made)}")
    log = gdb.tell(f"-break-insert -f {SOURCE.name}:{PUBLISH}")
    seen = []
    for _ in range(3):
        assert gdb.resume("-exec-continue")["bkptno"] == number(log)
        seen.append(gdb.tell(f'-var-create --thread {T0} --frame 0 - * "sum"')["value"])
    assert len(set(seen)) == 3
    gdb.tell(f"-break-disable {number(log)}")
    gdb.tell(f"-break-enable {number(log)}")
    gdb.tell(f"-break-info {number(log)}")
    # A data breakpoint has an address.
    at = gdb.tell('-data-evaluate-expression "&pipeline.sum"')["value"].split()[0]
    watch = gdb.tell(f"-break-watch *(int*)({at})")
    stop = gdb.resume("-exec-continue")
    assert stop["reason"] == "watchpoint-trigger"
    assert stop["value"]["new"] == seen[-1]
    gdb.tell(f"-break-delete {number(watch)}")
    stepping(gdb, "-exec-next --thread 2 --frame 0", "-exec-step --thread 2 --frame 0")
    assert gdb.resume(f"-exec-step-instruction --thread {T0} --frame 0")["thread-id"] == str(T0)
    pc = int(gdb.tell('-data-evaluate-expression "$pc"')["value"].split()[0], 16)
    lines = gdb.tell(f"-data-disassemble -s {pc:#x} -e {pc + 32:#x} -- 2")["asm_insns"]
    assert int(lines[0]["address"], 16) == pc
    memory = gdb.tell(f"-data-read-memory-bytes {at} 4")["memory"][0]["contents"]
    assert int.from_bytes(bytes.fromhex(memory), "little") == int(seen[-1])
    registers = gdb.tell("-data-list-register-names")["register-names"]
    values = gdb.tell(f"-data-list-register-values --thread {T0} x {registers.index('pc')}")
    assert int(values["register-values"][0]["value"], 16) == pc
    pause_and_leave(gdb, number(log), "-exec-continue")


@pytest.mark.parametrize("session", ["native-debug"], indirect=True)
def test_native_debug(session: Mi) -> None:
    gdb = session
    assert sorted(names(gdb.tell("-thread-info"))) == sorted(THREADS)
    # The condition comes after the breakpoint; a count makes it a temporary one.
    made = gdb.tell(f'-break-insert -f "{SOURCE.name}:{WEIGH}"')
    gdb.tell(f"-break-condition {number(made)} tap == 3 && window[2] == 92")
    assert gdb.resume("-exec-continue")["bkptno"] == number(made)
    assert (variables(gdb)["tap"], functions(gdb)[1]) == ("3", "filter")
    gdb.tell(f"-break-delete {number(made)}")
    counted = gdb.tell(f'-break-insert -f -t -i 2 "{SOURCE.name}:{PUBLISH}"')
    stop = gdb.resume("-exec-continue")
    assert (stop["bkptno"], stop["disp"]) == (number(counted), "del")
    # A log message is a `print` of the breakpoint's, behind which it is told to continue.
    log = gdb.tell(f'-break-insert -f "{SOURCE.name}:{COUNTED}"')
    gdb.tell(f'-break-commands {number(log)} "print pipeline.sum"')
    before = len(gdb.said)
    assert gdb.resume("-exec-continue")["bkptno"] == number(log)
    gdb.tell("-thread-info")
    assert any(line.startswith("console None: $") for line in gdb.said[before:])
    gdb.tell(f"-break-delete {number(log)}")
    made = gdb.tell(f'-break-insert -f "{SOURCE.name}:{CALL}"')
    gdb.resume("-exec-continue")
    # Variable objects by name; children; setting.
    assert gdb.tell('-var-create window @ "window"')["numchild"] == "4"
    children = gdb.tell("-var-list-children --all-values window")["children"]
    assert len(children) == 4
    sample = gdb.tell('-var-create sample @ "sample.value"')
    assert gdb.tell("-var-assign sample 70")["value"] == "70"
    (changed,) = gdb.tell("-var-update --all-values sample")["changelist"]
    assert (changed["name"], changed["value"]) == ("sample", "70")
    assert gdb.tell("-var-evaluate-expression sample")["value"] == "70"
    assert sample["type"] == "int"
    gdb.tell("-gdb-set var sample.value=71")
    assert gdb.tell('-data-evaluate-expression "sample.value"')["value"] == "71"
    gdb.tell("-var-update --all-values sample")
    assert gdb.console("output sample.value") == "71"
    stepping(gdb, "-exec-next", "-exec-step")
    registers = gdb.tell("-data-list-register-names")["register-names"]
    gdb.tell(f"-data-list-register-values --skip-unavailable N {registers.index('pc')}")
    at = gdb.tell('-data-evaluate-expression "&pipeline"')["value"].split()[0]
    assert len(gdb.tell(f"-data-read-memory-bytes {at} 64")["memory"][0]["contents"]) == 128
    # Jump to a line.
    gdb.tell(f'-break-insert -t "{SOURCE.name}:{CALL}"')
    assert gdb.resume(f'-exec-jump "{SOURCE.name}:{CALL}"')["frame"]["line"] == str(CALL)
    pause_and_leave(gdb, number(made), "-exec-continue")


@pytest.mark.parametrize("session", ["cortex-debug"], indirect=True)
def test_cortex_debug(session: Mi) -> None:
    gdb = session
    for command in ("monitor reset halt", "monitor halt"):
        gdb.console(command)
    assert gdb.tell("-thread-list-ids")["number-of-threads"] == "8"
    assert [names(gdb.tell(f"-thread-info {n}"))[0] for n in range(1, 9)] == THREADS
    made = gdb.tell(f'-break-insert -c "tap == 3" "{SOURCE.name}:{WEIGH}" ')
    stop = gdb.resume("-exec-continue --thread 2")
    assert (stop["bkptno"], stop["thread-id"]) == (number(made), "2")
    assert variables(gdb)["tap"] == "3"
    gdb.tell(f"-break-delete {number(made)}")
    # A log message is a dprintf; a data breakpoint has a name and a kind of access.
    gdb.tell(f'-dprintf-insert "{SOURCE.name}:{PUBLISH}"  "sum %d\\n" sum')
    watch = gdb.tell("-break-watch -a pipeline.checked")
    before = len(gdb.said)
    assert gdb.resume("-exec-continue --thread 2")["reason"] == "access-watchpoint-trigger"
    assert any("sum 7" in line for line in gdb.said[before:])
    gdb.tell(f"-break-delete {number(watch)}")
    gdb.tell("-break-delete")
    hard = gdb.tell(f'-break-insert -h "{SOURCE.name}:{CALL}" ')
    gdb.resume("-exec-continue --thread 2")
    # Variables: fixed to thread and frame, with a format.
    where = f"--thread {T0} --frame 0"
    gdb.tell(f'-var-create {where} local_window * "window"')
    gdb.tell("-var-set-format local_window natural")
    found = gdb.tell('-var-list-children --all-values "local_window"')["children"]
    assert len(found) == 4
    gdb.tell(f'-var-create {where} local_sample * "sample.value"')
    assert gdb.tell(f"-var-assign {where} local_sample 70")["value"] == "70"
    gdb.tell(f"-var-update {where} --all-values local_sample")
    assert gdb.tell(f"-data-evaluate-expression {where} sample.value")["value"] == "70"
    gdb.tell("-var-delete local_sample")
    stepping(gdb, "-exec-next --thread 2", "-exec-step --thread 2")
    gdb.resume("-exec-next-instruction --thread 2")
    pc = int(gdb.tell('-data-evaluate-expression "$pc"')["value"].split()[0], 16)
    pieces = gdb.tell(f"-data-disassemble -s {pc & ~3:#x} -e {pc + 32:#x} -- 5")["asm_insns"]
    assert pieces[0]["line_asm_insn"]
    gdb.tell(f"-stack-select-frame --thread {T0} 0")
    gdb.tell("-data-list-register-values x")
    at = gdb.tell('-data-evaluate-expression "&pipeline.sum"')["value"].split()[0]
    gdb.tell(f"-data-write-memory-bytes {at} 2a000000")
    assert gdb.tell(f'-data-read-memory-bytes "{at}" 4')["memory"][0]["contents"] == "2a000000"
    assert gdb.tell("-data-evaluate-expression pipeline.sum")["value"] == "42"
    pause_and_leave(gdb, number(hard), "-exec-continue --all")


def stepping(gdb: Mi, over: str, into: str) -> None:
    """From where the filter is called: into a function, back out of it, and over a line."""
    gdb.tell(f"-break-insert -t -f {SOURCE.name}:{CALL}")
    while gdb.resume("-exec-continue")["frame"]["line"] != str(CALL):
        pass
    for one in itertools.repeat(into, 12):
        gdb.resume(one)
        if functions(gdb)[0] == "weigh":
            break
    else:
        raise AssertionError("it does not come into weigh")
    assert gdb.resume(f"-exec-finish --thread {T0}")["reason"] == "function-finished"
    assert functions(gdb)[0] == "filter"
    assert gdb.resume(over)["reason"] == "end-stepping-range"


def pause_and_leave(gdb: Mi, last: str, go: str) -> None:
    """Delete the last breakpoint, let it run, interrupt it, and detach."""
    gdb.tell(f"-break-delete {last}")
    # The producer has a few more samples, and would be at its end before it is interrupted.
    gdb.tell(f'-data-write-memory-bytes "&next_value" {ENDLESS}')
    gdb.tell(go)
    gdb.tell("-exec-interrupt")
    assert gdb.stopped().get("signal-name") in ("SIGINT", "0")
    gdb.tell("-target-detach")
    gdb.tell("-gdb-exit")
