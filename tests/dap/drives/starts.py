# SPDX-License-Identifier: Apache-2.0
"""Beginnings by F5: kernels, tests of LLK, scripts, files of a run, servers."""

from __future__ import annotations

import json
import re
import shlex
import time
from contextlib import chdir
from pathlib import Path

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.cli.main import main as tensix_gdb
from tensix_gdb.gdbstub.host.ttnn.command import free_port
from tensix_gdb.gdbstub.kernels.project import typed_to_run
from tests.dap.drives.opening import configured, end, folder, play, project, served
from tests.dap.editor import Editor
from tests.dap.test_code_server import CYCLE, TITLES, line_of
from tests.gdbstub.tensix.vectors import kernel as vectors
from tests.ttnn.test_vscode import SCRIPT

TEXTS = (".c", ".cpp", ".py")
ENTRY = re.compile(r"def test_|void run_kernel|int main")
LLK_TEST, LLK_KERNEL = "test_eltwise_unary_datacopy.py", "eltwise_unary_datacopy_test.cpp"


def lenses(shots: Path, tree: str, only: str = "") -> None:
    """A test of LLK, and its kernel: each lens above a test and above run_kernel; or of other
    files, by the ends of their names."""
    kernel = Path(tree) / "tests" / "sources" / LLK_KERNEL
    test = Path(tree) / "tests" / "python_tests" / LLK_TEST

    def drive(editor: Editor) -> None:
        for file, text in ((test, "def test_"), (kernel, "void run_kernel")):
            for title in TITLES if file.name.endswith(only) else ():
                editor.file(file.name)
                editor.line(line_of(file, text))
                if title.startswith("Debug") and file is kernel:
                    editor.press("F9")
                editor.lens(title)
                if title == "Diagnose":
                    editor.page.get_by_role("tab", name="diagnosis.txt").wait_for()
                elif title == "Races":
                    editor.see(re.compile("No race and no finding|nothing orders them"))
                else:
                    editor.see(CYCLE)
                    if file is kernel:
                        editor.see("hit Breakpoint 1, run_kernel")
                editor.shot(f"{file.suffix[1:]}-{title.split()[0]}")
                if title.startswith("Debug"):
                    end(editor)
                editor.command("View: Close All Editors")

    play(Path(tree), shots, test.name, drive)


def attached(shots: Path) -> None:
    """By configurations: a server that is there, a core file, a recording."""
    with folder() as made:
        port = free_port()
        kernel = project(
            made,
            {"name": "a server", "request": "attach", "port": port},
            {"name": "a core file", "file": "${workspaceFolder}/end.core"},
            {"name": "a recording", "file": "${workspaceFolder}/end.recording"},
        )
        words = shlex.split(typed_to_run(Arch.BLACKHOLE))[1:]
        files = ["--core", "end.core", "--record-to", "end.recording"]
        with chdir(kernel.parent):
            assert tensix_gdb(["build", kernel.name, "-o", "build"]) == 0
            assert tensix_gdb([*words, *files]) == 0

        def drive(editor: Editor) -> None:
            for title in ("a server", "a core file", "a recording"):
                editor.choose("Debug: Select and Start Debugging", title)
                editor.see(CYCLE)
                if title == "a server":  # a list has the rows for which there is room
                    for section in ("Variables", "Watch", "Breakpoints"):
                        editor.section(section)
                editor.row(re.compile("^T2 pack")).wait_for()
                editor.shot(title.split()[-1])
                if title == "a recording":
                    editor.button("reverse-continue")
                    editor.see("The beginning of the history")
                    editor.shot("beginning")
                end(editor)

        served(kernel, shots, drive, port, "--dir", "build")


def lanes(shots: Path) -> None:
    """A vFloat in Watch, and LRegs beside the lines."""
    with folder() as made:
        vectors.built(made)
        kernel, port = made / "kernel.cpp", free_port()
        configured(kernel.parent, {"name": "a server", "request": "attach", "port": port})

        def drive(editor: Editor) -> None:
            editor.line(line_of(kernel, "vFloat z ="))
            editor.press("F9")
            editor.press("F5")
            editor.see(CYCLE)
            editor.watch("x")
            editor.page.wait_for_timeout(3000)
            editor.shot("lanes")

        served(kernel, shots, drive, port, "--elf", "t1=t1.elf")


def pressed(shots: Path, tree: str, *files: str) -> None:
    """F5 as a key in a folder without a launch.json, in each of these files twice: FILE, or
    FILE:TEXT for a breakpoint in the line with the text. Prints the seconds to the first stop."""

    def drive(editor: Editor) -> None:
        for file, _, text in (name.partition(":") for name in files):
            for again in (False, True):
                editor.file(Path(file).name)
                if Path(file).suffix in TEXTS:
                    # Before the extension is there, F5 does nothing. A test is far down.
                    lines = (Path(tree) / file).read_text("utf-8").splitlines()
                    entries = (at for at, line in enumerate(lines, 1) if ENTRY.match(line))
                    editor.line(next(entries, 1))
                    editor.see(TITLES[0])
                if text and not again:
                    editor.line(line_of(Path(tree) / file, text))
                    editor.press("F9")
                    editor.page.locator(".codicon-debug-breakpoint").first.wait_for()
                began = time.monotonic()
                editor.press("F5")
                first_stop(editor)
                print(f"{file}: F5 to the first stop: {time.monotonic() - began:.2f} s", flush=True)
                editor.page.wait_for_timeout(3000)
                if again:
                    editor.shot(Path(file).stem)
                end(editor)

    assert not (Path(tree) / ".vscode" / "launch.json").exists()
    play(Path(tree), shots, Path(files[0].partition(":")[0]).name, drive)


def first_stop(editor: Editor) -> None:
    """Wait for it. A file that is no text has no language: VS Code asks which debugger is meant."""
    asked = editor.row("Tensix tile")
    cycle = editor.page.get_by_text(CYCLE).first
    while not cycle.is_visible():
        if asked.is_visible():
            asked.click()
        editor.page.wait_for_timeout(100)


def ttnn(shots: Path, python: str) -> None:
    """A script that uses ttnn, on 2x2 tiles: F5 as a key and a setting, without a launch.json; a
    stop in a kernel, all tiles' threads, its circular buffers as `monitor cb` has them."""
    with folder() as made:
        script = made / "add.py"
        script.write_text(SCRIPT, "utf-8")
        (script.parent / ".vscode").mkdir()
        settings = {"tensix.ttnn": ["--tiles", "2x2", "--python", python]}
        (script.parent / ".vscode" / "settings.json").write_text(json.dumps(settings), "utf-8")

        def drive(editor: Editor) -> None:
            editor.see("Debug on the emulated tile")  # the extension knows the script
            began = time.monotonic()
            editor.press("F5")
            editor.see(CYCLE)
            print(f"F5 to the first stop: {time.monotonic() - began:.2f} s", flush=True)
            editor.shot("entry")
            editor.said(">break kernel_main")
            editor.press("F5")
            editor.see(re.compile("hit Breakpoint 1"))
            editor.shot("kernel")
            for title in ("Variables", "Watch", "Call Stack", "Breakpoints"):
                editor.section(title)  # closed
            editor.section("Tensix Tile")
            editor.row("Circular buffers").click()
            editor.row(re.compile(r"^cb 0\b")).wait_for()
            rows = [" ".join(row.split()) for row in editor.rows("Tensix Tile") if "cb " in row]
            lines = " ".join(" ".join(editor.said("monitor cb")).split())
            assert rows
            assert all(row in lines for row in rows), (rows, lines)
            editor.shot("buffers")

        play(script.parent, shots, script.name, drive)
