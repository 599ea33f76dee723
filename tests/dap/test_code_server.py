# SPDX-License-Identifier: Apache-2.0
"""F5 in the project of `new` in a real VS Code, with a person's keys and eyes.

The kernel lacks a wait: its packer may read Dst before it is written. A picture of the end is in
the test's folder; with TENSIX_TEST_SHOTS in the environment, those of each step are in the folder
that it names.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tests.dap import code_server
from tests.dap.editor import Editor
from tests.gdbstub.pages.web.visit import chromium

pytestmark = pytest.mark.gdb
# A test of LLK and its kernel, as far as lenses see them. tests/dap/drives runs one.
LLK = {
    "tests/python_tests/test_sum.py": "from helpers import run\n\n\ndef test_sum():\n    run()\n",
    "tests/sources/sum_test.cpp": "void run_kernel(RUNTIME_PARAMETERS params)\n{\n}\n",
}
TITLES = ("Debug on the emulated tile", "Diagnose", "Races")
CYCLE = re.compile(r"cycle \d+, ")  # in the status bar
MAIN = "int main(void)\n{"
LACKS = "STALLWAIT_block_B1 | STALLWAIT_wait_C3"


@pytest.fixture
def project(tmp_path: Path, tool: Callable[[str], str]) -> Path:
    """A new project with a kernel that lacks a wait."""
    tool("riscv64-unknown-elf-gcc")
    folder = tmp_path / "mine"
    assert main(["new", str(folder)]) == 0
    kernel = folder / "add.c"
    lines = kernel.read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in lines if LACKS not in line]
    assert len(kept) == len(lines) - 1
    kernel.write_text("".join(kept), "utf-8")
    for name, text in LLK.items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def editor(project: Path, tmp_path: Path) -> Iterator[Editor]:
    with opened(project, tmp_path) as made:
        yield made


@contextmanager
def opened(project: Path, tmp_path: Path) -> Iterator[Editor]:
    """An editor with the project's kernel open."""
    wanted = os.environ.get("TENSIX_TEST_SHOTS")
    shots = Path(wanted) if wanted else None
    with code_server.serve(tmp_path, project) as address, chromium() as browser:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        made = Editor(page, shots)
        try:
            made.open(address, "add.c")
            yield made
        finally:
            page.screenshot(path=(shots or tmp_path) / "end.png")


def line_of(kernel: Path, text: str) -> int:
    lines = kernel.read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


@pytest.mark.long("tests/dap/test_extension.py: the same adapter without an editor")
def test_a_session(editor: Editor, project: Path) -> None:
    kernel = project / "add.c"
    has_lenses(editor)
    stops_at_a_gate(editor, kernel)
    goes_back(editor, kernel)
    editor.button("stop")
    editor.page.locator(".debug-toolbar").wait_for(state="hidden")
    editor.page.locator("iframe.webview").wait_for(state="detached")
    goes_to_the_other_side(editor, kernel)
    is_diagnosed(editor, kernel)


@pytest.mark.long("tests/gdbstub/vscode: the same plans; test_a_session: F5 with a launch.json")
def test_without_a_launch_json(project: Path, tmp_path: Path) -> None:
    """F5 as a key in a kernel, and in a script of Python: Tensix is for one that runs a tile."""
    shutil.rmtree(project / ".vscode")
    kernel = project / "add.c"
    whole = kernel.read_text("utf-8")
    kernel.write_text(whole.replace(MAIN, f"{MAIN}\n    int missing", 1), "utf-8")
    with opened(project, tmp_path) as editor:
        editor.line(line_of(kernel, MAIN.splitlines()[0]))
        editor.see(TITLES[0])  # before the extension is there, F5 does nothing
        editor.press("F5")
        does_not_compile(editor, kernel)
        editor.line(line_of(kernel, "int missing"))
        editor.press("Control+Shift+k")  # the line is deleted, and F5 saves the file
        editor.press("F5")
        editor.see(CYCLE)
        assert kernel.read_text("utf-8") == whole
        editor.page.get_by_label("No Problems").first.wait_for()
        editor.shot("no-launch-json")
        editor.button("stop")
        editor.page.locator(".debug-toolbar").wait_for(state="hidden")
        editor.file("test_sum.py")
        editor.see(TITLES[0])
        editor.press("F5")
        editor.see("test_sum.py does not run: tensix-gdb: --llk")  # the project is no tt-llk


def does_not_compile(editor: Editor, kernel: Path) -> None:
    """The error of the compiler is in Problems, and a click goes to its line."""
    editor.see("add.c does not compile: 1 error, in Problems")
    error = editor.row("expected '='")
    error.wait_for()
    editor.shot("build-error")
    error.dblclick()
    found = re.search(r"Ln (\d+)", error.inner_text())
    assert found, error.inner_text()
    editor.see(f"Ln {found[1]},")
    assert int(found[1]) == line_of(kernel, "int missing") + 1


def has_lenses(editor: Editor) -> None:
    for name in LLK:
        editor.file(Path(name).name)
        lenses = editor.page.locator(".codelens-decoration a")
        for title in TITLES:
            lenses.filter(has_text=title).first.wait_for()
        editor.command("View: Close Editor")
    editor.file("add.c")


def stops_at_a_gate(editor: Editor, kernel: Path) -> None:
    line = line_of(kernel, "TTINSN(ELWADD")
    editor.line(line_of(kernel, "int main(void)"))
    editor.see("Debug on the emulated tile")
    editor.line(line)
    editor.command("Break Where This Line's Instruction Is at Its Gate")
    editor.page.locator(".codicon-debug-breakpoint-conditional").first.wait_for()
    began = time.monotonic()
    editor.press("F5")
    editor.see("T1 math has ELWADD at its gate")
    print(f"F5 to the first stop: {time.monotonic() - began:.2f} s")
    editor.see(CYCLE)
    editor.shot("gate")
    for title in ("Variables", "Watch", "Call Stack", "Breakpoints"):
        editor.section(title)  # closed
    editor.section("Tensix Tile")
    editor.row("Configuration").click()
    editor.row("ALU_FORMAT_SPEC_REG2_Dstacc").click()
    editor.row("sw of T1, math_hw_configure at add.c").wait_for()  # the last writer
    editor.shot("writer")
    editor.row("Configuration").click()


def goes_back(editor: Editor, kernel: Path) -> None:
    """A step over and back; Dst in the tree, and as a heat map with its numbers; the stops of the
    session; and the page in its panel, which is in the past."""
    editor.button("step-over")
    editor.see(f"Ln {line_of(kernel, 'TTINSN(SETRWC')},")
    editor.button("step-back")
    editor.see(f"Ln {line_of(kernel, 'TTINSN(ELWADD')},")
    editor.row("Dst").click()
    tile = editor.row("tile 0: 0 to ")
    tile.click()
    editor.view().get_by_text("Dst16b as bf16; tile 0").wait_for()
    tile.locator(".monaco-tl-twistie").click()
    editor.row(re.compile(r"\b8\s+16\s+17\s+18\b")).wait_for()
    editor.shot("dst")
    editor.page.get_by_role("tab", name="Dst tile 0").get_by_role("button", name="Close").click()
    editor.row("Dst").click()
    editor.row("Timeline").click()
    editor.row(re.compile(r"cycle \d+: Gate breakpoint 1")).click()
    editor.see("Cycle ")  # in the call stack: gone there
    editor.row("Timeline").click()
    editor.command("Show the Tile")
    editor.panel().get_by_text("in the past").first.wait_for()
    editor.shot("back")


def goes_to_the_other_side(editor: Editor, kernel: Path) -> None:
    """A click on the earlier side in Problems, and the quick fix at the later one."""
    there = f"Ln {line_of(kernel, 'TTINSN(PACR')},"
    editor.command("Tensix: Races")
    earlier = editor.row("the earlier side: thread 2 pack PACR")
    earlier.wait_for()
    editor.shot("races")
    earlier.dblclick()
    editor.see(there)
    editor.fix(line_of(kernel, "TTINSN(ELWADD"), "Go to the other side")
    editor.see(there)
    editor.fix(line_of(kernel, "TTINSN(ELWADD"), "Show the witness of RACE 1")
    editor.see("RACE 1: no witness was found: PACR is held")
    editor.shot("witness")


def is_diagnosed(editor: Editor, kernel: Path) -> None:
    """The wait that is missing is named, and put in: then there is no race."""
    editor.command("Tensix: Diagnose")
    editor.see("the program ends as wanted")
    editor.shot("diagnosis")
    cause = editor.row("Remedy, tried")
    found = re.search(r"Ln (\d+)", cause.inner_text())
    assert found, cause.inner_text()
    for other in ("the earlier side: thread 2 pack PACR", "the remedy: TTI_STALLWAIT"):
        editor.row(other).wait_for()
    editor.fix(int(found[1]), "Apply the tried remedy of RACE 1")
    editor.see("STALLWAIT_wait_C3")
    editor.shot("remedy")
    editor.press("Control+s")
    editor.command("Tensix: Races")
    editor.see("No race and no finding")
