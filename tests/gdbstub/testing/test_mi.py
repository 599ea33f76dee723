# SPDX-License-Identifier: Apache-2.0
"""Tests through a real GDB: the demo, driven by GDB's own commands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.testing.mi import GdbError, GdbTile
from tests.programs.build import build

pytestmark = pytest.mark.gdb


def test_a_session(tool: Callable[[str], str], demo_elfs: dict[str, Path], tmp_path: Path) -> None:
    script = tmp_path / "mine.gdb"
    script.write_text("break weigh if me.done == 2 && tap == 1\n")
    with GdbTile(
        {hart: path for hart, path in demo_elfs.items()}, gdb=tool("gdb-multiarch")
    ) as tile:
        tile.run(f"source {script}")
        stop = tile.resume()
        assert (stop.reason, stop.hart, stop.function, stop.line) == (
            *("breakpoint-hit", "T0", "weigh"),
            23,
        )
        assert tile.value("*window@4") == "{7, 38, 92, 0}"
        tile.run("delete")
        assert tile.resume("finish").function == "filter"
        assert tile.value("$a0") == "76"
        assert "T2" in tile.run("info threads")
        with pytest.raises(GdbError, match="No symbol"):
            tile.run("print nothing_like_it")


def test_what_does_not_stop(tool: Callable[[str], str], tmp_path: Path) -> None:
    """A count in memory, which somebody may look at: no poll, and never done."""
    source = tmp_path / "counts.c"
    source.write_text("volatile int turns;\nint main(void) { for (;;) turns++; }\n", "ascii")
    elf = build(source, "T0", tmp_path / "counts.elf")
    with (
        pytest.raises(GdbError, match=r"not done after 0\.5 s"),
        GdbTile({"t0": elf}, gdb=tool("gdb-multiarch")) as tile,
    ):
        tile.resume(seconds=0.5)
