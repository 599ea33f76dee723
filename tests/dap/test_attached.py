# SPDX-License-Identifier: Apache-2.0
"""The adapter of the extension at what is there already: a server, a core file, a recording; and
at the end of a race that goes the other way."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.kernels.project import typed_to_run
from tensix_gdb.gdbstub.vscode.plan import attached, plan_for
from tests.dap import extension
from tests.dap.client import adapter
from tests.dap.extension import session
from tests.dap.test_extension import PACK, T2, kernel, line_of
from tests.dap.test_races import SOURCE
from tests.gdb.harness import serve
from tests.programs.build import build

pytestmark = pytest.mark.gdb
__all__ = ["kernel"]  # the fixture
RUN = typed_to_run(Arch.BLACKHOLE).split()[1:]


def test_a_server(kernel: Path, tmp_path: Path, tool: Callable[[str], str]) -> None:
    """The configuration is what the extension makes of a launch.json with a port."""
    known = attached(kernel.parent)
    program = extension.adapter_program(tool, tmp_path)
    elfs = {f"T{number}": kernel.parent / "build" / f"t{number}.elf" for number in range(3)}
    with serve(elfs, "--record") as server, adapter([tool("node"), str(program)]) as made:
        made.initialize("tensix")
        number = made.start(
            "attach",
            **{"gdb": known.gdb, "cwd": known.folder, "preConnectCommands": known.commands},
            **{"gdbAsync": True, "updateThreadInfo": "when-requested"},
            target={"type": "remote", "host": "127.0.0.1", "port": f"{server.port}"},
        )
        made.breakpoints(kernel, {"line": line_of(kernel, "PACR_last(1)"), "condition": "gate"})
        made.ask("configurationDone")
        made.end(number)
        assert made.event("stopped")["description"] == "Gate breakpoint"
        assert made.frames(PACK)[0]["line"] == line_of(kernel, "PACR_last(1)")


@pytest.mark.parametrize("option", ["--core", "--record-to"])
def test_a_file_of_a_run(
    option: str,
    kernel: Path,
    tmp_path: Path,
    tool: Callable[[str], str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A core file stands where the run ended, and a recording, too, with all that was before."""
    monkeypatch.chdir(kernel.parent)
    kept = tmp_path / "kept"
    assert main([*RUN, option, str(kept)]) == 0
    is_core = option == "--core"
    assert plan_for(kept).kind == ("core file" if is_core else "recording")
    with session(kept, tmp_path, tool) as made:
        made.event("stopped")
        names = [one["name"] for one in made.ask("threads")["threads"]]
        assert names[3].startswith("T2 (paused at "), names
        assert made.frames(T2)[-1]["name"] == "_start"
        memory = made.ask("readMemory", memoryReference="0x41000", count=8)["data"]
        wanted = np.load("sum.npy")[0, :4].astype("<f4").view("<u2")[1::2]  # as bf16
        assert base64.b64decode(memory) == wanted.tobytes()
        if is_core:
            return
        made.breakpoints(kernel, {"line": line_of(kernel, "PACR_last(1)")})
        assert made.resume("reverseContinue", T2)["threadId"] == T2
        assert made.frames(T2)[0]["line"] == line_of(kernel, "PACR_last(1)")


def test_the_witness_in_a_session(tmp_path: Path, tool: Callable[[str], str]) -> None:
    """The store is held until the RDCFG is over, which reads the value before it; the session is
    there then, as the extension's command does it."""
    tool("riscv64-unknown-elf-gcc")
    kernel = tmp_path / "kernel.c"
    kernel.write_text(SOURCE.read_text("utf-8"), "utf-8")
    (tmp_path / "build").mkdir()
    build(kernel, "T0", tmp_path / "build" / "t0.elf", defines=("WAIT=0",))
    with session(kernel, tmp_path, tool, more=("--races",)) as made:
        made.event("stopped")
        stop = made.resume("continue", 2)
        assert (stop["reason"], stop["description"]) == ("exception", "Race")
        given = {"command": "tensix races witness 1", "threadId": stop["threadId"]}
        said = made.end(made.begin("tensix/ask", given))["text"]
        assert "RACE 1 goes the other way, too: the sw is held" in said
        made.end(made.begin("tensix/moved", {"text": "there", "threadId": stop["threadId"]}))
        assert made.event("stopped")["description"] == "there"
        assert made.resume("continue", 2)["description"] == "The program has ended"
        frame = made.frames(2)[0]["id"]
        seen = made.ask("evaluate", expression="seen", frameId=frame, context="watch")
        assert int(re.split(r"\s", seen["result"])[0], 0) == 0x1000
