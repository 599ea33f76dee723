# SPDX-License-Identifier: Apache-2.0
"""A stop at a race in an editor: the source line of the later access, and what is said of it.

It is switched on where the tile is started, by `--races` of the task's `tensix-gdb serve`, or in
the editor's console, by `monitor races on` and `monitor break race`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.dap.client import Adapter, adapter
from tests.dap.test_cdt import PROGRAM
from tests.dap.test_examples import cdt
from tests.dap.test_lldb_dap import SETTLED
from tests.gdb.harness import ROOT, serve
from tests.programs.build import build

pytestmark = pytest.mark.gdb
SOURCE = ROOT / "scripts" / "examples" / "c10" / "kernel.c"
UNPACK = 6  # the Tensix thread of T0
LINES = SOURCE.read_text("utf-8").splitlines()
LATER = next(number for number, line in enumerate(LINES, 1) if "RDCFG r" in line)


@pytest.fixture
def kernel(tool: Callable[[str], str], tmp_path: Path) -> Path:
    """T0 stores to configuration and pushes an instruction that reads it, without a wait."""
    tool("riscv64-unknown-elf-gcc")
    elf = tmp_path / "t0.elf"
    build(SOURCE, "T0", elf, defines=("WAIT=0",))
    return elf


@contextmanager
def attached(
    kernel: Path, tool: Callable[[str], str], *options: str
) -> Iterator[tuple[Adapter, int]]:
    """cdt-gdb-adapter at a tile that is at its start; the number of its request."""
    node = cdt(tool)
    with serve({"T0": kernel}, *options) as server, adapter([node, str(PROGRAM)]) as made:
        made.initialize("gdbtarget")
        number = made.start(
            "attach",
            gdb=tool("gdb-multiarch"),
            program=str(kernel),
            target={"type": "remote", "host": "127.0.0.1", "port": str(server.port)},
            preConnectCommands=[
                *("set osabi none", "set sysroot"),
                f"directory {SOURCE.parent}",
            ],
        )
        yield made, number


def stopped_at_the_race(made: Adapter, stop: dict[str, object]) -> None:
    assert stop["threadId"] == UNPACK
    frame = made.frames(UNPACK)[0]
    assert (frame["name"], frame["line"]) == ("main", LATER)
    assert frame["source"]["path"] == str(SOURCE)


def test_races_are_asked_for_where_the_tile_is_started(
    kernel: Path, tool: Callable[[str], str]
) -> None:
    with attached(kernel, tool, "--races") as (made, number):
        made.ask("configurationDone")
        made.end(number)
        stopped_at_the_race(made, made.event("stopped"))
        said = made.output()
        assert "RACE 1: write, then read of cfg THCON_SEC0_REG3_Base_address 0 (word 76" in said
        assert f"main at kernel.c:{LATER}" in said


def test_races_are_asked_for_in_the_console(kernel: Path, tool: Callable[[str], str]) -> None:
    with attached(kernel, tool) as (made, number):
        made.breakpoints(SOURCE, {"line": LATER - 10})
        made.ask("configurationDone")
        made.end(number)
        made.event("stopped")
        frame = made.frames(2)[0]["id"]
        for command in ("monitor races on", "monitor break race"):
            made.ask("evaluate", expression=f">{command}", frameId=frame, context="repl")
        stopped_at_the_race(made, made.resume("continue", 2))


def test_lldb_dap_shows_the_line(kernel: Path, tool: Callable[[str], str]) -> None:
    program = tool("lldb-dap-19")
    with serve({"T0": kernel}, "--races") as server, adapter([program]) as made:
        made.rest = 0.15
        made.initialize("lldb-dap")
        number = made.start(
            "attach",
            program=str(kernel),
            attachCommands=[f"gdb-remote 127.0.0.1:{server.port}", SETTLED],
            sourceMap=[[".", str(SOURCE.parent)]],
            stopOnEntry=True,
        )
        made.ask("configurationDone")
        made.end(number)
        made.event("stopped")
        made.resume("continue", 1)
        frame = made.frames(UNPACK)[0]
        assert (frame["name"], frame["line"]) == ("main", LATER)
