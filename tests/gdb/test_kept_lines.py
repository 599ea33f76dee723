# SPDX-License-Identifier: Apache-2.0
"""A front end with the files for VS Code of `tensix-gdb new`: GDB has the lines that begin with an
inlined call of another file, those of the file that it is given included."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tensix_gdb.gdbstub.kernels import places
from tensix_gdb.gdbstub.testing.mi import GdbTile
from tests.core.dwarf.test_kept_lines import HEADER, KERNEL
from tests.gdb.harness import serve
from tests.gdb.mi import mi

pytestmark = pytest.mark.gdb

FILE = Path(places.__file__).parent / "template" / ".vscode" / "launch.json"
ADDRESSES = {"T0": 0x6000, "T1": 0xA000}
START = 'asm(".globl _start; _start: li sp, 0x30000; call main; ebreak");'
SOURCE = KERNEL.replace("void work", "__attribute__((noinline)) void work") + START
CALL = 1 + KERNEL.splitlines().index("    push(v);")


@pytest.fixture(scope="module")
def elfs(tool: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two programs whose function `work` is nothing but such calls: t0.c and t1.c."""
    folder = tmp_path_factory.mktemp("inlined")
    (folder / "push.h").write_text(HEADER, "ascii")
    made = {}
    for hart, addr in ADDRESSES.items():
        name = hart.lower()
        (folder / f"{name}.c").write_text(SOURCE, "ascii")
        command = [tool("riscv64-unknown-elf-gcc"), "-march=rv32im", "-mabi=ilp32", "-O1", "-g"]
        command += ["-nostdlib", f"-Wl,-Ttext={addr:#x}", f"{name}.c", "-o", f"{name}.elf"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        made[hart] = folder / f"{name}.elf"
    return made


# By adapter: what it has GDB do before it connects, and after that.
TOLD = {
    "cppdbg": ("setupCommands", "postRemoteConnectCommands"),
    "gdbtarget": ("preConnectCommands", "initCommands"),
    "cortex-debug": ("preAttachCommands", "postAttachCommands"),
}


def told(kind: str) -> Iterator[list[str]]:
    """Yield these commands, of the configuration for an adapter."""
    every: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))["configurations"]
    (one,) = [one for one in every if one["type"] == kind]
    for name in TOLD[kind]:
        yield [line["text"] if isinstance(line, dict) else line for line in one[name]]


@pytest.mark.sample(3, "the names of fields are what differs")
@pytest.mark.parametrize("kind", TOLD)
def test_a_front_end_stops_at_lines_of_inlined_calls(
    kind: str, elfs: dict[str, Path], tool: Callable[[str], str]
) -> None:
    gdb = tool("gdb-multiarch")
    with serve(elfs) as server, mi(gdb) as one:
        before, after = told(kind)
        for line in before:
            one.console(line)
        one.tell(f"-file-exec-and-symbols {elfs['T0']}")
        one.tell(f"-target-select remote localhost:{server.port}")
        for line in after:
            one.console(line)
        for hart in ("t0", "t1"):
            (made,) = one.tell(f"-break-insert -f {hart}.c:{CALL}").values()
            assert (made["line"], made["file"]) == (str(CALL), f"{hart}.c"), made
        stops = [one.resume("-exec-continue") for _ in range(2)]
        at = {(stop["frame"]["file"], stop["frame"]["line"]) for stop in stops}
        assert at == {("t0.c", str(CALL)), ("t1.c", str(CALL))}
        # From the line to the next one, over the inlined function.
        next_one = one.resume("-exec-next")
        assert next_one["reason"] == "end-stepping-range"


def test_breakpoint_tests_stop_there_too(elfs: dict[str, Path], tool: Callable[[str], str]) -> None:
    with GdbTile({"T0": str(elfs["T0"])}, gdb=tool("gdb-multiarch")) as tile:
        tile.run(f"break t0.c:{CALL}")
        stop = tile.resume()
        assert (stop.file, stop.line) == ("t0.c", CALL)
