# SPDX-License-Identifier: Apache-2.0
"""Seconds from F5 to the first stop without an editor: what the extension does, and its adapter.

    python -m tests.dap.first_stop FILE [TIMES [TEXT]]

TEXT is in the line of a breakpoint. What a test of LLK runs first has to be there: F5 once. The
medians: of all, and of the plan, the build, the beginning up to the event that breakpoints may be
set, and the rest; and of the seconds of processor of all that takes part.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median

from tensix_gdb.gdbstub.vscode.build import built
from tensix_gdb.gdbstub.vscode.plan import Plan
from tensix_gdb.gdbstub.warm.client import VARIABLE
from tests.dap import extension
from tests.dap.client import adapter

TENSIX_GDB = str(Path(sys.executable).with_name("tensix-gdb"))
PARTS = ("plan", "build", "begin", "rest")


def run(words: Sequence[str], folder: str) -> str:
    return subprocess.run(
        [TENSIX_GDB, *words], cwd=folder, stdout=subprocess.PIPE, text=True, check=True
    ).stdout


def pressed(file: Path, program: str, text: str) -> list[float]:
    """Do what F5 does; when each of PARTS was done."""
    at = [time.monotonic()]

    def note() -> None:
        at.append(time.monotonic())

    plan = Plan(**json.loads(run(["vscode", "--plan", str(file)], "/")))
    note()
    if plan.build:
        run(plan.build, plan.folder)
    note()
    wanted = extension.configuration(plan)
    wanted["target"].update(server=TENSIX_GDB, serverParameters=plan.serve)
    with adapter(["node", program]) as made:
        made.initialize("tensix")
        number = made.start("launch", gdbAsync=True, **wanted)
        note()
        if text:
            lines = file.read_text("utf-8").splitlines()
            line = next(at for at, line in enumerate(lines, 1) if text in line)
            made.breakpoints(file, {"line": line})
        made.ask("setExceptionBreakpoints", filters=["fault"])
        made.ask("configurationDone")
        made.end(number)
        made.event("stopped")
        made.end(made.begin("tensix/ask", {"command": "tensix status"}))
        note()
        made.ask("disconnect")
    return [b - a for a, b in pairwise(at)]


def used(warm: int) -> float:
    """Seconds of processor of what has ended: processes of this one, and copies of that one."""
    mine = os.times()
    fields = Path(f"/proc/{warm}/stat").read_text("ascii").rpartition(")")[2].split()
    theirs = sum(map(int, fields[11:15]))  # its own too, user and system
    return mine.children_user + mine.children_system + theirs / os.sysconf("SC_CLK_TCK")


def main(file: Path, times: int = 7, text: str = "") -> None:
    pipe = subprocess.PIPE
    with (
        tempfile.TemporaryDirectory() as folder,
        zipfile.ZipFile(built()) as whole,
        subprocess.Popen(
            [TENSIX_GDB, "vscode", "--warm"], stdin=pipe, stdout=pipe, text=True
        ) as warm,
    ):
        assert warm.stdout is not None
        assert warm.stdin is not None
        os.environ[VARIABLE] = warm.stdout.readline().strip()
        run(["--version"], "/")  # when all is loaded
        program = whole.extract("extension/dist/adapter.js", folder)
        all_of, processor = [], []
        for _ in range(times):
            before = used(warm.pid)
            all_of.append(pressed(file, program, text))
            processor.append(used(warm.pid) - before)
            print(f"{sum(all_of[-1]):.2f} s", flush=True)
        warm.stdin.close()
    columns = zip(PARTS, zip(*all_of, strict=True), strict=True)
    said = [f"{name} {median(column):.2f}" for name, column in columns]
    whole_of = median(map(sum, all_of))
    print(f"median {whole_of:.2f} s: {', '.join(said)}; processor {median(processor):.2f} s")


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), *map(int, sys.argv[2:3]), *sys.argv[3:4])
