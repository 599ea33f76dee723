# SPDX-License-Identifier: Apache-2.0
"""Views of a tile in a session: each is what `monitor` says."""

from __future__ import annotations

import re
import time
from itertools import takewhile
from pathlib import Path

from playwright.sync_api import Locator

from tests.dap.drives.opening import folder, play, project
from tests.dap.editor import Editor
from tests.dap.test_code_server import CYCLE, line_of
from tests.patience import turns


def hexadecimal(shots: Path, editor_of_bytes: str) -> None:
    """Memory in Microsoft's Hex Editor, of which this is the extension's file: L1, a hart's RAM,
    and what an expression is; a byte is changed there."""
    with folder() as made:
        kernel = project(made, {"name": "kernel", "file": "${file}"})

        def drive(editor: Editor) -> None:
            stops(editor, kernel)
            memory(editor)

        play(kernel.parent, shots, kernel.name, drive, [editor_of_bytes])


def tile(shots: Path) -> None:
    """A tile's views in a session with a seed: each group of the tree is what `monitor` says."""
    with folder() as made:
        seeded = {"name": "seeded", "file": "${file}", "arguments": ["--schedule", "random:7"]}
        kernel = project(made, seeded)

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
FIELD = "ALU_FORMAT_SPEC_REG2_Dstacc"


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
