# SPDX-License-Identifier: Apache-2.0
"""The files for VS Code that `tensix-gdb new` writes.

Their tasks build the kernel and start the tile, and an adapter stops in the kernel with the
configuration as it is written.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tests.dap.client import adapter
from tests.dap.test_cdt import PROGRAM
from tests.dap.test_examples import begin, cdt
from tests.patience import HANG

pytestmark = pytest.mark.gdb
TENSIX_GDB = (sys.executable, "-m", "tensix_gdb.gdbstub")
T1 = 3


@pytest.fixture
def project(tmp_path: Path, tool: Callable[[str], str]) -> Path:
    """A new project."""
    tool("riscv64-unknown-elf-gcc")
    assert main(["new", str(tmp_path / "mine")]) == 0
    return tmp_path / "mine"


def read(project: Path, name: str) -> Any:
    text = (project / ".vscode" / name).read_text("utf-8")
    return json.loads(text.replace("${workspaceFolder}", str(project)))


@contextmanager
def tile(project: Path) -> Iterator[str]:
    """Do what the configurations' task does, on a free port; that port."""
    tasks = {task["label"]: task for task in read(project, "tasks.json")["tasks"]}
    task = tasks["tile"]
    assert task["dependsOrder"] == "sequence"
    for first in (tasks[name] for name in task["dependsOn"]):
        assert {first["command"], task["command"]} == {"tensix-gdb"}
        subprocess.run([*TENSIX_GDB, *first["args"]], cwd=project, check=True)
    ready = re.compile(task["problemMatcher"]["background"]["endsPattern"])
    arguments = ["0" if argument == "4555" else argument for argument in task["args"]]
    with subprocess.Popen(
        [*TENSIX_GDB, *arguments], cwd=project, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            line = next(line for line in process.stdout if ready.match(line.rstrip()))
            (port,) = re.findall(r"port (\d+)", line)
            yield port
        finally:
            process.terminate()


def test_the_view_of_peripherals_has_its_file(project: Path) -> None:
    every = read(project, "launch.json")["configurations"]
    (one,) = [one for one in every if one["type"] == "cortex-debug"]
    with tile(project):
        assert ElementTree.parse(one["svdPath"]).findtext("name") == "Blackhole_Tensix"


def test_cdt_stops_in_the_kernel(project: Path, tool: Callable[[str], str]) -> None:
    node = cdt(tool)
    source = project / "add.c"
    text = next(line for line in source.read_text("utf-8").splitlines() if "ELWADD |" in line)
    line = 1 + source.read_text("utf-8").splitlines().index(text)
    (one,) = [one for one in read(project, "launch.json")["configurations"] if "CDT" in one["name"]]
    with tile(project) as port, adapter([node, str(PROGRAM)]) as made:
        configuration = json.loads(json.dumps(one).replace("4555", port))
        begin(made, configuration, {"line": line}, source=source)
        assert made.event("stopped", lambda body: body["reason"] == "breakpoint")["threadId"] == T1
        frames = made.frames(T1)
        assert [(frame["name"], frame["line"]) for frame in frames[:1]] == [("add_tile", line)]
        assert Path(frames[0]["source"]["path"]) == source
        found = made.ask("evaluate", expression="row", frameId=frames[0]["id"], context="watch")
        assert found["result"] == "0"


def test_what_codelldb_types(project: Path, tool: Callable[[str], str]) -> None:
    """Its adapter needs VS Code; its commands are LLDB's."""
    lldb = tool("lldb-19")
    (one,) = [
        one for one in read(project, "launch.json")["configurations"] if one["type"] == "lldb"
    ]
    with tile(project) as port:
        typed = [*one["targetCreateCommands"], *one["processCreateCommands"]]
        typed += ["breakpoint set -n pack_tile", "continue", "frame variable"]
        command = [lldb, "-b"]
        for text in typed:
            command += ["-o", text.replace("4555", port)]
        done = subprocess.run(
            command, cwd=project, capture_output=True, text=True, timeout=HANG, check=False
        )
    assert re.search(r"t2\.elf`pack_tile.* at add\.c:\d+", done.stdout), done.stdout + done.stderr
    assert "(u32) tile = 0" in done.stdout
