# SPDX-License-Identifier: Apache-2.0
"""More sessions at a real VS Code, each by hand: pictures of what they show are for eyes.

`python -m tests.dap.drives FOLDER NAME [ARGUMENT]` plays one and puts its pictures into the folder.
The names are those of the functions below: `lenses` takes a tt-llk, whose tests run for some
seconds at each click; the others begin with the kernel of `new` or with an example. Each fails
where what it waits for is not shown.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import chdir
from itertools import takewhile
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.cli.main import main as tensix_gdb
from tensix_gdb.gdbstub.host.ttnn.command import free_port
from tensix_gdb.gdbstub.kernels.project import typed_to_run
from tests.dap import code_server
from tests.dap.editor import Editor
from tests.dap.test_code_server import CYCLE, TITLES, line_of
from tests.gdb.harness import ROOT
from tests.gdbstub.pages.web.visit import chromium
from tests.gdbstub.tensix.vectors import kernel as vectors
from tests.patience import turns
from tests.ttnn.test_vscode import SCRIPT

LLK_TEST, LLK_KERNEL = "test_eltwise_unary_datacopy.py", "eltwise_unary_datacopy_test.cpp"
C10 = ROOT / "scripts" / "examples" / "c10" / "kernel.c"
STATE = ROOT / "scripts" / "examples" / "state" / "kernel.c"
TILE_H = ROOT / "gdbstub" / "demo" / "programs" / "tile.h"


def play(
    project: Path,
    shots: Path,
    first: str,
    drive: Callable[[Editor], None],
    extensions: Sequence[str] = (),
) -> None:
    """Open a project's folder, and a file in it, and do something there."""
    shots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        for one in extensions:
            program = code_server.command(Path(name), code_server.installed())
            subprocess.run([program, "--install-extension", one], check=True)
        with code_server.serve(Path(name), project) as address, chromium() as browser:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            editor = Editor(page, shots)
            try:
                page.goto(address)
                editor.file(first)
                drive(editor)
            finally:
                page.screenshot(path=shots / "end.png")


def lenses(shots: Path, tree: str, only: str = "") -> None:
    """A test of LLK, and its kernel: each lens above a test and above run_kernel; or of files whose
    name ends so."""
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


def project(folder: Path, *launch: dict[str, Any]) -> Path:
    """Make a project of `new`, with these configurations for F5; its kernel."""
    assert tensix_gdb(["new", str(folder)]) == 0
    configured(folder, *launch)
    return folder / "add.c"


def configured(folder: Path, *launch: dict[str, Any]) -> None:
    common = {"type": "tensix", "request": "launch"}
    written = {"version": "0.2.0", "configurations": [{**common, **one} for one in launch]}
    (folder / ".vscode").mkdir(exist_ok=True)
    (folder / ".vscode" / "launch.json").write_text(json.dumps(written), "utf-8")


def hexadecimal(shots: Path, editor_of_bytes: str) -> None:
    """Memory in Microsoft's Hex Editor, of which this is the extension's file: L1, a hart's RAM,
    and what an expression is; a byte is changed there."""
    with tempfile.TemporaryDirectory() as name:
        kernel = project(Path(name) / "mine", {"name": "kernel", "file": "${file}"})

        def drive(editor: Editor) -> None:
            stops(editor, kernel)
            memory(editor)

        play(kernel.parent, shots, kernel.name, drive, [editor_of_bytes])


def tile(shots: Path) -> None:
    """A tile's views in a session with a seed: each group of the tree is what `monitor` says."""
    with tempfile.TemporaryDirectory() as name:
        seeded = {"name": "seeded", "file": "${file}", "arguments": ["--schedule", "random:7"]}
        kernel = project(Path(name) / "mine", seeded)

        def drive(editor: Editor) -> None:
            stops(editor, kernel)
            editor.see(re.compile(r"cycle \d+, random:7"))
            same_as_monitor(editor)
            backwards(editor, kernel)
            instructions(editor)
            faults(editor)

        play(kernel.parent, shots, kernel.name, drive)


def stops(editor: Editor, kernel: Path) -> None:
    """A log message and a breakpoint; the seed is in the status bar."""
    editor.line(line_of(kernel, "SEMWAIT_wait_C0"))
    editor.command("Debug: Add Logpoint")
    editor.page.locator(".breakpoint-widget .view-lines").click()
    editor.page.wait_for_timeout(1000)  # it takes keys a while after it is shown
    editor.page.keyboard.type("tile {tile:%02d} is packed")
    editor.press("Enter")
    editor.page.locator(".codicon-debug-breakpoint-log").first.wait_for()
    editor.line(line_of(kernel, "SEMGET_sem_S1"))
    editor.press("F9")
    editor.page.locator(".codicon-debug-breakpoint").first.wait_for()
    began = time.monotonic()
    editor.press("F5")
    editor.see(CYCLE)
    print(f"F5 to the first stop: {time.monotonic() - began:.2f} s")
    editor.see("tile 00 is packed")
    editor.shot("seed")


GROUPS = {"Semaphores": "sem", "Mutexes": "mutex", "Circular buffers": "cb", "Waits": "why"}


def same_as_monitor(editor: Editor) -> None:
    for title in ("Variables", "Watch", "Call Stack", "Breakpoints"):
        editor.section(title)  # closed
    editor.section("Tensix Tile")
    editor.row("Timeline").wait_for()
    titles = editor.rows("Tensix Tile")
    for title, command in GROUPS.items():
        said = editor.said(f"monitor {command}")
        editor.row(title).click()
        editor.page.wait_for_timeout(1000)
        shown = editor.rows("Tensix Tile")
        below = shown[shown.index(title) + 1 :]
        rows = [" ".join(row.split()) for row in takewhile(lambda row: row not in titles, below)]
        assert rows
        lines = " ".join(" ".join(said).split())
        assert all(row in lines for row in rows), (title, rows, lines)
        editor.shot(title.split()[0].lower())
        editor.row(title).click()
    configuration(editor)
    for title in ("Tensix Tile", "Variables", "Watch", "Call Stack", "Breakpoints"):
        editor.section(title)


FIELD = "ALU_FORMAT_SPEC_REG2_Dstacc"


def configuration(editor: Editor) -> None:
    """A field has the value of `monitor cfg`, and the last writer of `monitor origin`."""
    editor.row("Configuration").click()
    row = editor.row(re.compile(rf"\b{FIELD}, "))
    shown = re.match(r"(0x[0-9a-f]+) \w+, (?:bank|both banks)", row.inner_text().strip())
    assert shown, row.inner_text()
    lines = [line for line in editor.said(f"monitor cfg {FIELD}") if line.startswith(FIELD)]
    assert any(f" {shown[1]} " in f"{line} " for line in lines), (shown[0], lines)
    row.click()
    writer = editor.row("math_hw_configure at add.c")
    text = " ".join(writer.inner_text().split())
    editor.said(f"monitor origin cfg {FIELD} 0 --brief")
    for _ in turns(1.0, 60):  # it plays the history again
        if text in " ".join(" ".join(editor.printed()).split()):
            break
    editor.shot("configuration")
    editor.row("Configuration").click()


def backwards(editor: Editor, kernel: Path) -> None:
    stands = f"Ln {line_of(kernel, 'SEMGET_sem_S1')},"
    editor.button("step-over")
    editor.see(f"Ln {line_of(kernel, 'SEMGET_sem_S1') + 1},")
    editor.button("reverse-continue")
    editor.see(stands)  # at its breakpoint again
    editor.shot("reverse")


def instructions(editor: Editor) -> None:
    editor.command("Open Disassembly View")
    editor.see(".ttinsn")
    editor.page.wait_for_timeout(1000)
    editor.shot("disassembly")
    editor.press("Control+F4")


def memory(editor: Editor) -> None:
    """L1 and the local RAM of a hart, and L1 again by an expression; a byte is changed there."""
    editor.section("Call Stack")
    for name in ("Memory", "L1"):
        row = editor.row(re.compile(rf"^{name}\b"))
        row.click()
    binary(editor, editor.row(re.compile(r"^L1\b")), "L1")
    binary(editor, editor.row("Local RAM of T0"), "ram")
    editor.watch("*(unsigned(*)[64])0x21000")
    binary(editor, editor.row("*(unsigned(*)[64])"), "watched", "ab")
    editor.page.wait_for_timeout(2000)
    assert any("0xab" in line for line in editor.said(">x/1xb 0x21002"))


def binary(editor: Editor, variable: Locator, name: str, digits: str = "") -> None:
    variable.hover()
    variable.get_by_role("button", name="View Binary Data").click()
    editor.page.get_by_role("tab", name="memory.bin").wait_for()
    editor.page.wait_for_timeout(3000)
    if digits:
        view = editor.view()
        view.get_by_text("80", exact=True).first.click()
        editor.press("Insert")  # its mode that replaces: memory gets no longer
        editor.see(re.compile("^Replace$"))
        editor.page.keyboard.type(digits)
        editor.press("Control+s")
        editor.page.wait_for_timeout(2000)
    editor.shot(name)
    editor.command("View: Close Editor")


def faults(editor: Editor) -> None:
    editor.said(">set var $pc = 0x51000")
    editor.press("F5")
    editor.see("is no Tensix instruction")  # it has no source line that a box could be at
    editor.shot("fault")


def witness(shots: Path) -> None:
    """A race that can go the other way: shown by a run of its own, and in a session."""
    with tempfile.TemporaryDirectory() as name:
        kernel = Path(name) / "mine" / "t0.c"
        kernel.parent.mkdir()
        shutil.copy(TILE_H, kernel.parent)
        text = C10.read_text("utf-8").replace("u32 main", "int main")
        kernel.write_text(
            f"// RUN: tensix-gdb run --elf t0=build/t0.elf\n#define WAIT 0\n{text}", "utf-8"
        )
        configured(kernel.parent, {"name": "race", "file": "${file}", "arguments": ["--races"]})

        def drive(editor: Editor) -> None:
            editor.command("Tensix: Races")
            editor.row("the earlier side: T0 sw").wait_for()
            editor.fix(line_of(kernel, "TTINSN(0xb104004c)"), "Show the witness of RACE 1")
            editor.see("RACE 1 goes the other way, too: the sw is held")
            editor.shot("witness")
            editor.command("View: Close Editor")
            editor.file(kernel.name)
            editor.press("F5")
            editor.see(CYCLE)
            editor.press("F5")
            editor.page.locator(".exception-widget").wait_for()
            editor.shot("race")
            editor.fix(line_of(kernel, "TTINSN(0xb104004c)"), "Show the witness of RACE 1")
            editor.see("A race that goes the other way")
            editor.page.get_by_role("tab", name="witness-1.txt").wait_for()
            editor.see("RACE 1 goes the other way, too: the sw is held")
            editor.shot("witness-in-a-session")

        play(kernel.parent, shots, kernel.name, drive)


def checked(shots: Path) -> None:
    """Reports of checks in Problems, each at its line; one has no other side and no witness."""
    with tempfile.TemporaryDirectory() as name:
        kernel = Path(name) / "mine" / "t0.c"
        kernel.parent.mkdir()
        shutil.copy(TILE_H, kernel.parent)
        text = STATE.read_text("utf-8").replace("u32 main", "int main")
        kernel.write_text(
            "// RUN: tensix-gdb build t0.c -D MENDED=0\n"
            f"// RUN: tensix-gdb run --elf t0=build/t0.elf\n{text}",
            "utf-8",
        )

        def drive(editor: Editor) -> None:
            editor.command("Tensix: Races")
            editor.row("K1 1").wait_for()
            editor.command("Toggle Maximized Panel")  # a list has the rows that are seen
            for title in ("K1 1 configuration is left", "K3 2 a semaphore is left", "U1 4 a read"):
                editor.row(re.compile(title.replace(" ", r"\s+"))).wait_for()
            editor.shot("checks")
            editor.command("Toggle Maximized Panel")
            editor.line(line_of(kernel, "SEMPOST"))
            editor.press("Control+.")
            offered = editor.page.locator(".action-widget .monaco-list-row.action")
            offered.first.wait_for()
            titles = offered.all_inner_texts()
            assert any("Apply the tried remedy" in title for title in titles), titles
            assert not any("witness" in title for title in titles), titles
            editor.shot("actions")

        play(kernel.parent, shots, kernel.name, drive)


def attached(shots: Path) -> None:
    """By configurations: a server that is there, a core file, a recording."""
    with tempfile.TemporaryDirectory() as name:
        port = free_port()
        kernel = project(
            Path(name) / "mine",
            {"name": "a server", "request": "attach", "port": port},
            {"name": "a core file", "file": "${workspaceFolder}/end.core"},
            {"name": "a recording", "file": "${workspaceFolder}/end.recording"},
        )
        words = shlex.split(typed_to_run(Arch.BLACKHOLE))[1:]
        files = ["--core", "end.core", "--record-to", "end.recording"]
        with chdir(kernel.parent):
            assert tensix_gdb(["build", kernel.name, "-o", "build"]) == 0
            assert tensix_gdb([*words, *files]) == 0
        serve = [str(code_server.COMMAND), "serve", "--dir", "build", "--port", str(port)]

        def drive(editor: Editor) -> None:
            for title in ("a server", "a core file", "a recording"):
                editor.choose("Debug: Select and Start Debugging", title)
                editor.see(CYCLE)
                editor.page.wait_for_timeout(1000)
                editor.shot(title.split()[-1])
                if title == "a recording":
                    editor.button("reverse-continue")
                    editor.see("The beginning of the history")
                    editor.shot("beginning")
                end(editor)

        with subprocess.Popen(serve, cwd=kernel.parent, stdout=subprocess.DEVNULL) as server:
            try:
                play(kernel.parent, shots, kernel.name, drive)
            finally:
                server.terminate()


def lanes(shots: Path) -> None:
    """A vFloat in Watch, and LRegs beside the lines."""
    with tempfile.TemporaryDirectory() as name:
        vectors.built(Path(name))
        kernel, port = Path(name) / "kernel.cpp", free_port()
        configured(kernel.parent, {"name": "a server", "request": "attach", "port": port})
        serve = [str(code_server.COMMAND), "serve", "--elf", "t1=t1.elf", "--port", str(port)]

        def drive(editor: Editor) -> None:
            editor.line(line_of(kernel, "vFloat z ="))
            editor.press("F9")
            editor.press("F5")
            editor.see(CYCLE)
            editor.watch("x")
            editor.page.wait_for_timeout(3000)
            editor.shot("lanes")

        with subprocess.Popen(serve, cwd=kernel.parent, stdout=subprocess.DEVNULL) as server:
            try:
                play(kernel.parent, shots, kernel.name, drive)
            finally:
                server.terminate()


def pressed(shots: Path, folder: str, *files: str) -> None:
    """F5 as a key in a folder without a launch.json, in each of these files twice: FILE, or
    FILE:TEXT for a breakpoint in the line with the text. Prints the seconds to the first stop."""

    def drive(editor: Editor) -> None:
        for file, _, text in (name.partition(":") for name in files):
            for again in (False, True):
                editor.file(Path(file).name)
                if text and not again:
                    editor.line(line_of(Path(folder) / file, text))
                    editor.see(TITLES[0])  # before it is there, F5 does nothing
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

    assert not (Path(folder) / ".vscode" / "launch.json").exists()
    play(Path(folder), shots, Path(files[0].partition(":")[0]).name, drive)


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
    with tempfile.TemporaryDirectory() as name:
        script = Path(name) / "mine" / "add.py"
        script.parent.mkdir()
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


def end(editor: Editor) -> None:
    buttons = (f".debug-toolbar .codicon-debug-{icon}" for icon in ("stop", "disconnect"))
    editor.page.locator(", ".join(buttons)).first.click()
    editor.page.locator(".debug-toolbar").wait_for(state="hidden")


if __name__ == "__main__":
    globals()[sys.argv[2]](Path(sys.argv[1]), *sys.argv[3:])
