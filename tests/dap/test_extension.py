# SPDX-License-Identifier: Apache-2.0
"""The adapter of the extension for VS Code, as an editor drives it, on the kernel of `new`.

The configuration is what the extension makes of `tensix-gdb vscode --plan`.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.vscode import build as extension_build
from tests.dap import extension
from tests.dap.client import Refused
from tests.dap.extension import session
from tests.gdb.harness import ROOT
from tests.gdbstub.kernels.sfpi.installed import installed_sfpi
from tests.gdbstub.tensix.vectors import kernel as vectors
from tests.programs.build import build

pytestmark = pytest.mark.gdb
T1, T2, MATH, PACK = 3, 4, 7, 8
LARGEST = 1 << 20
# What is asked for in the tests below, of what the adapter has besides cdt-gdb-adapter's.
OFFERS = {
    *("supportsStepBack", "supportsExceptionInfoRequest", "supportsDataBreakpointBytes"),
    *("supportsRestartRequest", "exceptionBreakpointFilters", "breakpointModes"),
}


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory, tool: Callable[[str], str]) -> Path:
    """The kernel of a new project, compiled."""
    tool("riscv64-unknown-elf-gcc")
    folder = tmp_path_factory.mktemp("project") / "mine"
    assert main(["new", str(folder)]) == 0
    assert main(["build", str(folder / "add.c"), "-o", str(folder / "build")]) == 0
    return folder / "add.c"


def line_of(kernel: Path, text: str) -> int:
    lines = kernel.read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_it_is_small_and_has_what_a_marketplace_wants(tool: Callable[[str], str]) -> None:
    path = extension.file(tool)
    assert path.stat().st_size < LARGEST
    with zipfile.ZipFile(path) as whole:
        names = set(whole.namelist())
        manifest = json.loads(whole.read("extension/package.json"))
        notices = whole.read("extension/dist/NOTICES.txt").decode("utf-8")
    wanted = ("icon.png", "LICENSE.txt", "README.md", "dist/extension.js", "dist/adapter.js")
    assert {f"extension/{name}" for name in wanted} <= names
    assert manifest["license"] == "Apache-2.0"
    for one in ("cdt-gdb-adapter", "@vscode/debugadapter"):  # which are in adapter.js
        assert f"{one} " in notices
    assert "node_modules" not in " ".join(names)


def test_a_wheel_has_it_and_a_checkout_builds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: Callable[[str], str]
) -> None:
    """A file that a wheel took from a checkout is left there, and may be older than its sources."""
    taken = tmp_path / "tensix-gdb.vsix"
    taken.write_bytes(b"older")
    monkeypatch.setattr(extension_build, "SHIPPED", taken)
    assert extension.file(tool) != taken
    monkeypatch.setattr(extension_build, "EXTENSION", tmp_path / "none")
    assert extension.file(tool) == taken


def test_without_a_breakpoint_it_stops_at_the_start(
    kernel: Path, tmp_path: Path, tool: Callable[[str], str]
) -> None:
    with session(kernel, tmp_path, tool) as made:
        stop = made.event("stopped")
        assert (stop["reason"], stop["allThreadsStopped"]) == ("entry", True)
        assert set(made.capabilities) >= OFFERS
        names = [thread["name"] for thread in made.ask("threads")["threads"]]
        assert names[1] == "T0 (ready)"
        assert names[6].startswith("T1 math (nothing was pushed")


def test_gates_and_steps_back(kernel: Path, tmp_path: Path, tool: Callable[[str], str]) -> None:
    """A breakpoint of the mode `gate`, and one with a condition that says so; with a count. A step
    back is one of the thread that it names, after the stacks of all have been looked at."""
    first, last = line_of(kernel, "PACR_addr_mod(0)"), line_of(kernel, "PACR_last(1)")
    wanted = (
        {"line": first, "mode": "gate", "hitCondition": "3"},
        {"line": last, "condition": "gate PACR if last=1"},
    )
    with session(kernel, tmp_path, tool, *wanted) as made:
        for line in (first, last):
            stop = made.event("stopped") if line == first else made.resume("continue", PACK)
            assert (stop["threadId"], stop["description"]) == (PACK, "Gate breakpoint")
            assert "T2 pack has PACR" in stop["text"]
            assert made.frames(PACK)[0]["line"] == line
            assert all(one["verified"] for one in made.breakpoints(kernel, wanted[1]))
        assert made.resume("next", PACK)["reason"] == "step"
        after = made.frames(PACK)[0]["line"]
        for thread in made.ask("threads")["threads"]:
            made.frames(thread["id"])
        assert made.resume("stepBack", PACK)["threadId"] == PACK
        assert made.frames(PACK)[0]["line"] < after
        made.breakpoints(kernel)
        stop = made.resume("reverseContinue", PACK)
        assert "history" in stop["text"]


def test_a_log_message_is_decided_in_the_tile(
    kernel: Path, tmp_path: Path, tool: Callable[[str], str]
) -> None:
    line = line_of(kernel, "SEMWAIT_wait_C0")
    end = line_of(kernel, "SEMGET_sem_S1")
    wanted = (
        {"line": line, "logMessage": "100% of tile {tile}, {tile:%04x}"},
        {"line": end, "condition": "tile == 2"},
    )
    with session(kernel, tmp_path, tool, *wanted) as made:
        assert made.event("stopped")["threadId"] == T2
        said = made.output()
        for tile in range(3):
            assert f"100% of tile {tile}, {tile:04x}" in said


def test_places(kernel: Path, tmp_path: Path, tool: Callable[[str], str]) -> None:
    """Semaphores are variables with data breakpoints, places are expressions, and bytes of L1 are
    watched for every writer."""
    with session(kernel, tmp_path, tool) as made:
        thread = made.event("stopped")["threadId"]
        frame = made.frames(thread)[0]["id"]
        semaphores = made.scope(frame, "Semaphores")
        assert made.variables(semaphores)["1"]["value"] == "0 of 0"
        info = made.ask("dataBreakpointInfo", name="1", variablesReference=semaphores)
        (one,) = made.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])[
            "breakpoints"
        ]
        assert one["verified"]
        stop = made.resume("continue", thread)
        assert stop["reason"] == "data breakpoint"
        assert "Watch 1 (sem 1)" in stop["text"]
        frame = made.frames(stop["threadId"])[0]["id"]
        shown = made.ask("evaluate", expression="sem 1", frameId=frame, context="watch")
        assert shown["result"].startswith("0x")
        packed = made.ask("dataBreakpointInfo", name="0x41000", asAddress=True, bytes=2048)
        made.ask("setDataBreakpoints", breakpoints=[{"dataId": packed["dataId"]}])
        stop = made.resume("continue", stop["threadId"])
        assert stop["reason"] == "data breakpoint"
        assert made.ask("exceptionInfo", threadId=stop["threadId"])["description"]
        commanded = made.ask("evaluate", expression="tensix why", context="repl")
        assert commanded is not None
        assert "T2 pack" in made.output()


def test_a_field_that_harts_store_is_watched(
    kernel: Path, tmp_path: Path, tool: Callable[[str], str]
) -> None:
    """`monitor watch` sees the coprocessor alone, and the kernel configures by stores."""
    with session(kernel, tmp_path, tool) as made:
        made.event("stopped")
        given = {"command": "cfg ALU_FORMAT_SPEC_REG2_Dstacc"}
        said = made.end(made.begin("tensix/watch", given))
        assert said["text"].startswith("Watch 1: cfg ALU_FORMAT_SPEC_REG2_Dstacc")
        stop = made.resume("continue", T1)
        assert stop["reason"] == "data breakpoint"
        assert made.frames(stop["threadId"])[0]["name"] == "math_hw_configure"


def test_a_file_that_was_compiled_in_a_copy_is_shown(
    kernel: Path, tmp_path: Path, tool: Callable[[str], str]
) -> None:
    """Of a test of LLK, the copy is gone when it is debugged; its folder has another name. A
    breakpoint there stops, too."""
    root = tmp_path / "clone"
    (root / kernel.parent.name).mkdir(parents=True)
    there = Path(shutil.copy(kernel, root / kernel.parent.name))
    line = {"line": line_of(kernel, "PACR_last(1)")}
    with session(kernel, tmp_path, tool, line, root=str(root), source=there) as made:
        frame = made.frames(made.event("stopped")["threadId"])[0]
        assert (Path(frame["source"]["path"]), frame["line"]) == (there, line["line"])


def test_a_variable_of_sfpi_is_its_lanes(
    tmp_path: Path, tool: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """GDB itself says `<optimized out>`."""
    installed_sfpi(monkeypatch)
    vectors.built(tmp_path)
    (tmp_path / "build").symlink_to(".")
    source = tmp_path / "kernel.cpp"
    line = {"line": vectors.line_of("vFloat z = y * x")}
    with session(source, tmp_path, tool, line) as made:
        frames = made.frames(made.event("stopped")["threadId"])
        # GDB knows x in the frame of the kernel alone, which is inlined into by SFPI's operator.
        outer = next(frame["id"] for frame in frames if frame["name"] == "kernel")
        for frame in (frames[0]["id"], outer):
            shown = made.ask("evaluate", expression="x", frameId=frame, context="watch")
            assert shown["result"].startswith("{-20, -18, -16, ")
            lanes = made.variables(shown["variablesReference"])
            assert [float(lanes[f"[{lane}]"]["value"]) for lane in range(32)] == vectors.X
        hover = made.ask("evaluate", expression="y", frameId=outer, context="hover")
        assert hover["result"].startswith("{39, 35, 31, ")
        # One that has no value makes no error of the others.
        local = made.variables(made.scope(outer, "Local"))
        assert local["count"]["value"] == "4"
        assert local["x"]["value"] == made.ask("evaluate", expression="x", frameId=outer)["result"]
        assert local["z"]["value"] == "<optimized out>"
        for expression in ("nothing", "z +"):
            shown = made.ask("evaluate", expression=expression, frameId=outer, context="watch")
            assert shown["result"].startswith("Error")
        made.breakpoints(source)
        info = made.ask("dataBreakpointInfo", name="lreg 0")
        made.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
        stop = made.resume("continue", T2)
        assert "Watch 1 (lreg 0" in stop["text"]
        # Beside the lines are the LRegs that their instructions use, as *Variables* has them.
        frames = [*made.frames(T1), *made.frames(MATH)]
        of_lines = {
            (frame["source"]["name"], one["line"]): one["text"]
            for frame in frames
            for one in made.end(made.begin("tensix/lines", {"frameId": frame["id"]}))["lines"]
        }
        registers = made.variables(made.scope(frames[0]["id"], "LRegs"))
        assert registers["LReg[0]"]["value"].startswith("0 den den")
        beside = of_lines[source.name, vectors.line_of("vFloat x = ")]
        assert f"L0 = {registers['LReg[0]']['value']}" in beside


def test_registers_are_beside_the_lines_that_use_them(
    tmp_path: Path, tool: Callable[[str], str]
) -> None:
    """The lines name them by plain numbers: their instructions say which they are."""
    examples = ROOT / "scripts" / "examples" / "tensix"
    (tmp_path / "build").mkdir()
    build(examples / "gpr.c", "T0", tmp_path / "build" / "t0.elf")
    kernel = Path(shutil.copy(examples / "gpr.c", tmp_path))
    last = line_of(kernel, "if (sums[0]")
    adds = last - 4
    with session(kernel, tmp_path, tool, {"line": last}) as made:
        stop = made.event("stopped")
        frame = made.frames(stop["threadId"])[0]["id"]
        found = made.end(made.begin("tensix/lines", {"frameId": frame}))["lines"]
        shown = {one["line"]: one["text"] for one in found}
        assert shown[adds] == "G6 = 0x00123040, G5 = 0x00000040, G4 = 0x00123000"
        assert shown[line_of(kernel, "LO(5)")] == "G5 = 0x00000040"
        assert last not in shown


def test_it_begins_anew(kernel: Path, tmp_path: Path, tool: Callable[[str], str]) -> None:
    line = {"line": line_of(kernel, "PACR_last(1)"), "condition": "gate"}
    with session(kernel, tmp_path, tool, line) as made:
        made.event("stopped")
        made._seen = len(made.events)
        made.ask("restart")
        assert made.event("stopped")["reason"] == "entry"
        assert made.resume("continue", T2)["description"] == "Gate breakpoint"


def test_what_cannot_be_is_said(kernel: Path, tmp_path: Path, tool: Callable[[str], str]) -> None:
    with session(kernel, tmp_path, tool) as made:
        thread = made.event("stopped")["threadId"]
        (one,) = made.breakpoints(kernel, {"line": 1, "condition": "gate"})
        assert not one["verified"]
        assert "add.c:1. No program that is loaded has code for it" in one["message"]
        frame = made.frames(thread)[0]["id"]
        with pytest.raises(Refused, match="there is no row 99999"):
            made.ask("evaluate", expression="dst 99999", frameId=frame, context="watch")
