# SPDX-License-Identifier: Apache-2.0
"""Rows of Problems: races, findings of checks and faults, and what one can do about each."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from playwright.sync_api import Locator

from tests.dap.drives.opening import TILE_H, configured, end, example, folder, play, project
from tests.dap.editor import Editor
from tests.dap.test_code_server import CYCLE, line_of
from tests.gdb.harness import ROOT

C10 = ROOT / "scripts" / "examples" / "c10" / "kernel.c"
RUN = "// RUN: tensix-gdb run --elf t0=build/t0.elf"
STATE = ROOT / "scripts" / "examples" / "state" / "kernel.c"


def witness(shots: Path) -> None:
    """A race that can go the other way: shown by a run of its own, and in a session."""
    with folder() as made:
        kernel = example(made, C10, RUN, "#define WAIT 0")
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
    with folder() as made:
        kernel = example(made, STATE, "// RUN: tensix-gdb build t0.c -D MENDED=0", RUN)

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
            assert any("Apply the tried remedy of K3 2" in title for title in titles), titles
            assert not any("witness" in title for title in titles), titles
            editor.shot("actions")

        play(kernel.parent, shots, kernel.name, drive)


READS = "    configure(THCON_SEC0_REG1_In_data_format, BF16);"
AS_32_BITS = f"{READS}\n    configure(PCK_DEST_RD_CTRL_Read_32b_data, 1);"


def agreed(shots: Path) -> None:
    """A check about two instructions, and the settings that they obey: each a click away, also from
    what *Diagnose* names as the cause."""
    with folder() as made:
        kernel = project(made)
        kernel.write_text(kernel.read_text("utf-8").replace(READS, AS_32_BITS), "utf-8")
        packs = line_of(kernel, "TTINSN(PACR")

        def drive(editor: Editor) -> None:
            for command, title in (("Races", "F1 1 Dst is"), ("Diagnose", "most likely")):
                editor.command(f"Tensix: {command}")
                if command == "Diagnose":
                    editor.page.get_by_role("tab", name="diagnosis.txt").wait_for()
                    editor.command("View: Close Editor")
                    editor.command("Problems: Focus on Problems View")
                editor.row(re.compile(title.replace(" ", r"\s+"))).wait_for()
                earlier = editor.row("the earlier side: thread 1 ELWADD")
                earlier.wait_for()
                editor.shot(command)
                earlier.dblclick()
                editor.see(f"Ln {line_of(kernel, 'TTINSN(ELWADD')},")
                editor.fix(packs, "Go to the other side of F1 1")
                editor.see(f"Ln {line_of(kernel, 'TTINSN(ELWADD')},")
                editor.fix(packs, "Go to the setting PCK_DEST_RD_CTRL_Read_32b_data of F1 1")
                editor.see(f"Ln {line_of(kernel, 'Read_32b_data, 1')},")

        play(kernel.parent, shots, kernel.name, drive)


FAULTY = """\
// RUN: tensix-gdb build t1.c
// RUN: tensix-gdb run --elf t1=build/t1.elf
#include "tile.h"

static void push(void)
{
    TTINSN(0x02000000u); /* NOP */
    TTINSN(0x44000000u); /* RSTDMA, which no page describes */
}

int main(void)
{
    push();
    for (volatile int left = 100; left; left--)
        ; /* the thread is at RSTDMA before this hart is at its own fault */
    return *(volatile int *)0xffff0000;
}
"""


def faulty(shots: Path) -> None:
    """Faults of a session and of a run: a stop with a box at the line that pushed, a row in
    Problems with this line; and without the exceptions' filter no stop."""
    with folder() as made:
        shutil.copy(TILE_H, made)
        kernel = made / "t1.c"
        kernel.write_text(FAULTY, "utf-8")
        pushes, loads = line_of(kernel, "RSTDMA"), line_of(kernel, "return *")

        def drive(editor: Editor) -> None:
            editor.command("Tensix: Races")
            at(editor, "RSTDMA in Tensix thread 1", pushes).dblclick()
            editor.see(f"Ln {pushes},")
            editor.shot("run")
            editor.press("F5")
            editor.see(CYCLE)
            editor.press("F5")
            editor.page.locator(".exception-widget").get_by_text("RSTDMA").wait_for()
            editor.see(f"Ln {pushes},")
            editor.command("Problems: Focus on Problems View")
            at(editor, "RSTDMA in Tensix thread 1", pushes)
            editor.row(re.compile(r"^\s*t1\.c\s*2\s*$")).wait_for()  # of the run and the session
            editor.shot("fault")
            end(editor)
            editor.line(loads)
            editor.press("F9")
            editor.press("F5")
            editor.page.locator(".exception-widget").wait_for()  # the fault comes before it
            editor.row(re.compile("^Faults")).get_by_role("checkbox").uncheck()
            editor.press("F5")
            editor.row(re.compile("paused on breakpoint", re.IGNORECASE)).wait_for()
            editor.see(f"Ln {loads},")
            editor.shot("counted")

        play(kernel.parent, shots, kernel.name, drive)


def at(editor: Editor, text: str, line: int) -> Locator:
    """Wait for a row of Problems with a text and a line; return it."""
    found = editor.row(re.compile(f"{re.escape(text)}.*Ln {line}\\b", re.DOTALL))
    found.wait_for()
    return found
