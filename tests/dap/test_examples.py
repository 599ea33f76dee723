# SPDX-License-Identifier: Apache-2.0
"""The workspace in scripts/examples/vscode: its configurations are what adapters take.

The example's mistake is found through each adapter that runs without VS Code, with the workspace's
own configuration; of the others the fields are those that tests/gdb/openings.py plays.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.dap.client import Adapter, adapter
from tests.dap.test_cdt import PROGRAM
from tests.gdb.harness import ROOT
from tests.patience import HANG
from tests.programs.build import RING
from tests.tools import unavailable

pytestmark = pytest.mark.gdb
WORKSPACE = ROOT / "scripts" / "examples" / "vscode"
SOURCE = RING / "b.c"
MISTAKE = 1 + SOURCE.read_text("utf-8").splitlines().index("    ring.slot[at] = value;")
B, T0 = 1, 2


def read(name: str) -> Any:
    """A file of the workspace, with its variable put in."""
    text = (WORKSPACE / ".vscode" / name).read_text("utf-8")
    return json.loads(text.replace("${workspaceFolder}/..", str(WORKSPACE.parent)))


LAUNCH = read("launch.json")
CONFIGURATIONS = {one["name"]: one for one in LAUNCH["configurations"]}


@contextmanager
def tile(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Run the workspace's task, with ports that are free: which port stands for each of its."""
    (task,) = read("tasks.json")["tasks"]
    ready = re.compile(task["problemMatcher"]["background"]["endsPattern"])
    assert task["command"] == "tensix-gdb"
    arguments = ["0" if argument == "4555" else argument for argument in task["args"]]
    with subprocess.Popen(
        [sys.executable, "-m", "tensix_gdb.gdbstub", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        ports: list[str] = []
        for line in process.stdout:
            if found := re.search(r"^listening on \S+ port (\d+)", line):
                ports.append(found[1])
            if ready.match(line.rstrip()):
                break
        try:
            yield {str(4555 + number): port for number, port in enumerate(ports)}
        finally:
            process.terminate()


def configured(name: str, ports: dict[str, str]) -> dict[str, Any]:
    """A configuration with the ports of this run."""
    text = json.dumps(CONFIGURATIONS[name])
    for wanted, port in ports.items():
        text = text.replace(wanted, port)
    made: dict[str, Any] = json.loads(text)
    return made


def begin(
    made: Adapter,
    configuration: dict[str, Any],
    *breakpoints: dict[str, Any],
    source: Path = SOURCE,
) -> None:
    """Start a session with breakpoints, by default where the mistake is."""
    made.initialize(configuration["type"])
    more = {name: value for name, value in configuration.items() if name != "request"}
    number = made.start(configuration["request"], **more)
    made.breakpoints(source, *breakpoints)
    made.ask("configurationDone")
    made.end(number)


def test_the_mistake_through_cdt(tool: Callable[[str], str], tmp_path: Path) -> None:
    node = cdt(tool)
    with tile(tmp_path) as ports, adapter([node, str(PROGRAM)]) as made:
        condition = {"line": MISTAKE, "condition": "at >= 8"}
        begin(made, configured("Tile (CDT GDB)", ports), condition)
        assert made.event("stopped")["threadId"] == B
        frame = made.frames(B)[0]
        assert (frame["name"], frame["line"]) == ("put", MISTAKE)
        found = made.ask("evaluate", expression="at", frameId=frame["id"], context="watch")
        assert found["result"] == "8"


def test_the_mistake_through_lldb_dap(tool: Callable[[str], str], tmp_path: Path) -> None:
    program = tool("lldb-dap-19")
    with tile(tmp_path) as ports, adapter([program]) as made:
        made.rest = 0.3
        begin(made, configured("Tile (LLDB DAP)", ports))
        made.event("stopped")
        made.breakpoints(SOURCE, {"line": MISTAKE, "condition": "at >= 8"})
        made.resume("continue", B)
        while "put" not in {frame["name"] for frame in made.frames(B)}:
            made.event("stopped")
        frame = made.frames(B)[0]
        found = made.ask("evaluate", expression="at", frameId=frame["id"], context="watch")
        assert found["result"].endswith("8")


def test_one_session_for_each_hart(tool: Callable[[str], str], tmp_path: Path) -> None:
    """The compound: B's session finds the mistake while T0's knows nothing of it."""
    node = cdt(tool)
    (compound,) = [one for one in LAUNCH["compounds"] if "CDT" in one["name"]]
    with tile(tmp_path) as ports, ExitStack() as stack:
        b, t0 = (
            stack.enter_context(adapter([node, str(PROGRAM)])) for _ in compound["configurations"]
        )
        for made, name in zip((b, t0), compound["configurations"], strict=True):
            condition = {"line": MISTAKE, "condition": "at >= 8"}
            begin(made, configured(name, ports), *([condition] if made is b else []))
        stop = b.event("stopped", lambda body: body["reason"] == "breakpoint")
        assert [thread["name"].split()[0] for thread in b.ask("threads")["threads"]] == ["B"]
        assert b.frames(stop["threadId"])[0]["line"] == MISTAKE
        assert not any(event["event"] == "stopped" for event in t0.events)
        t0.ask("pause", threadId=1)
        t0.event("stopped")
        assert {thread["name"].split()[0] for thread in t0.ask("threads")["threads"]} == {"T0"}
        assert t0.frames(1)[0]["source"]["name"] in ("t0.c", "crt0.S")


def cdt(tool: Callable[[str], str]) -> str:
    """Return the program that runs CDT's adapter."""
    node = tool("node")
    if not PROGRAM.exists():
        unavailable("cdt-gdb-adapter is missing: run 'npm ci' in tests/dap")
    return node


def test_configurations() -> None:
    """Every configuration starts the task; the compounds are of those that exist."""
    (task,) = read("tasks.json")["tasks"]
    kinds = {one["type"] for one in CONFIGURATIONS.values()}
    assert kinds == {"cppdbg", "gdbtarget", "gdb", "cortex-debug", "lldb", "lldb-dap"}
    for one in CONFIGURATIONS.values():
        assert one["preLaunchTask"] == task["label"]
        elf = (
            one.get("program")
            or one.get("executable")
            or one["targetCreateCommands"][0].split()[-1]
        )
        assert Path(elf).exists()
        text = json.dumps(one)
        assert ("set osabi none" in text) == (one["type"] not in ("lldb", "lldb-dap"))
        assert re.search(r"455[567]", text)
    for compound in LAUNCH["compounds"]:
        assert set(compound["configurations"]) <= set(CONFIGURATIONS)


def test_the_mistake_in_gdb(tool: Callable[[str], str], tmp_path: Path) -> None:
    """The session that README shows."""
    gdb = tool("gdb-multiarch")
    with tile(tmp_path) as ports:
        script = (RING / "find.gdb").read_text("utf-8").replace("4555", ports["4555"])
        (tmp_path / "find.gdb").write_text(script)
        done = subprocess.run(
            shlex.split(f"{gdb} -nx -batch -x {tmp_path}/find.gdb b.elf"),
            cwd=RING,
            capture_output=True,
            text=True,
            timeout=HANG,
        )
    assert 'Thread 1 "B" hit Hardware watchpoint 1: ring.total' in done.stdout
    assert "Old value = 36\nNew value = 9" in done.stdout
    assert "$1 = 8" in done.stdout


def test_the_mistake_in_a_test(tmp_path: Path) -> None:
    """The eight lines, as their users run them: they fail, and say where and why."""
    test = (RING / "test_ring.py").read_text("utf-8")
    assert len(test[test.index("import") :].splitlines()) == 8
    done = subprocess.run(
        [
            # No other plugin: the options of this project's own tests are not looked for.
            *(sys.executable, "-m", "pytest", "-p", "no:trio", "-p", "no:cacheprovider"),
        ],
        cwd=RING,
        capture_output=True,
        text=True,
        timeout=HANG,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    for line in ("->   12      ring.slot[at] = value;", "#0 put (value=9) at b.c:12"):
        assert line in done.stdout
