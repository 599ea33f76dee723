# SPDX-License-Identifier: Apache-2.0
"""`tensix-reload` in a real GDB: programs that were built again, together and as processes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.gdb.harness import serve
from tests.patience import HANG
from tests.programs.build import DEMO, DEMO_PROGRAMS, GCC, ROOT, build
from tests.tools import find_tool

pytestmark = pytest.mark.gdb
TENSIX = ("6", "2")  # the number of the Tensix thread that T0 feeds: together, and as processes
BEFORE, AFTER = "int sum = 0;", "\n\n    int sum = 1000;"


@pytest.mark.parametrize("processes", [False, True], ids=["together", "processes"])
def test_symbols_lines_and_code_are_the_new_ones(tmp_path: Path, processes: bool) -> None:
    gdb = find_tool("gdb-multiarch")
    find_tool(GCC)
    folder = Path(shutil.copytree(DEMO, tmp_path / "programs"))
    (folder / "t0.c").write_text((DEMO / "t0.c").read_text().replace(BEFORE, AFTER))
    build(folder / "t0.c", "T0", tmp_path / "new.elf")
    (folder / "t0.c").rename(tmp_path / "new.c")
    shutil.copy(DEMO / "t0.c", folder)
    elfs = {hart.lower(): folder / f"{name}.elf" for hart, name in DEMO_PROGRAMS.items()}
    with serve(elfs, *(["--processes"] if processes else [])) as server:
        attach = [f"target remote :{server.port}"]
        if processes:
            attach = [f"target extended-remote :{server.port}", "attach 2"]
        commands = [
            *("set pagination off", "set osabi none", "set sysroot", f"directory {folder}"),
            *attach,
            f"source {ROOT / 'gdbstub/inside/tensix.py'}",
            *("break filter", "continue", "next", "next", "print sum", "delete"),
            f"shell cp {tmp_path / 'new.c'} {folder / 't0.c'}",
            f"shell cp {tmp_path / 'new.elf'} {folder / 't0.elf'}",
            *("tensix-reload", "break filter", "continue", "next", "next", "print sum"),
            "tensix-reload",
            # A Tensix thread that has had an instruction has none when the tile begins anew.
            *("echo Tensix thread:\\n", f"thread {TENSIX[processes]}", "tensix-reload"),
            *("thread", f"thread {TENSIX[processes]}", "monitor reset", "thread"),
        ]
        lines = [part for line in commands for part in ("-ex", line)]
        first = [] if processes else [str(elfs["b"])]
        done = subprocess.run(
            [gdb, "-nx", "-nh", "-q", "-batch", *first, *lines],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=HANG,
        )
    before, _, after = done.stdout.partition("Loaded again: ")
    after, _, last = after.partition("Tensix thread:")
    assert "31\t        sum += weigh(window, tap);\n$1 = 0" in before, done.stdout + done.stderr
    assert "33\t        sum += weigh(window, tap);\n$2 = 1000" in after, done.stdout + done.stderr
    assert "No file has changed. The tile is as it was loaded." in after
    assert last.count(" in nothing_pushed ()") == 2, last
    assert last.count("[Current thread is 1 ") == 2, last
    assert last.count("[Switching to thread 1 ") == 2, last
