# SPDX-License-Identifier: Apache-2.0
"""Frames and variables of real programs, at many places, are those that a real GDB shows."""

from __future__ import annotations

import json
import math
import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tensix_gdb.core.dwarf import scope
from tensix_gdb.core.dwarf.types import Structure
from tensix_gdb.gdbstub.testing import Hart, Tile
from tests.conftest import Build
from tests.gdb.harness import serve
from tests.patience import HANG

pytestmark = [pytest.mark.gdb, pytest.mark.oracle]
INSIDE = Path(__file__).resolve().parent / "inside.py"

# Where crt0 copies and zeroes for a while, looks would all be the same.
FIRST = 200


def plain(value: Any) -> Any:
    """One of our values as tests/core/dwarf/inside.py writes GDB's."""
    if isinstance(value, Structure):
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, bytes):
        return list(value)
    if isinstance(value, list):
        return [plain(one) for one in value]
    return value if isinstance(value, float) else int(value)


def same(ours: Any, theirs: Any) -> bool:
    """Are two plain values equal? Bytes may be GDB's signed or unsigned characters."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(same(ours[n], theirs[n]) for n in ours)
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(ours, float) and isinstance(theirs, float):
        return ours == theirs or (math.isnan(ours) and math.isnan(theirs))
    return bool(ours == theirs)


def variables(frame: Any) -> dict[str, Any]:
    """The variables of one of our frames, None for what is not known."""
    found: dict[str, Any] = {}
    for variable in scope.variables(frame):
        try:
            found[variable.name] = plain(scope.object_of(frame, variable).value())
        except scope.NoSuchName:
            found[variable.name] = None
    return found


def look(hart: Hart) -> list[tuple[str, int, int, dict[str, Any]]]:
    """The same as `frames` inside GDB."""
    return [(f.function, f.line, f.pc, variables(f)) for f in hart.frames()]


def gdb_looks(gdb: str, elf: Path, commands: list[str], folder: Path) -> list[Any]:
    """Return what GDB sees after each of these commands."""
    out = folder / "looks.json"
    with serve({"B": elf}) as server:
        environment: Mapping[str, str] = {
            **os.environ,
            "LOOK_PORT": str(server.port),
            "LOOK_ELF": str(elf),
            "LOOK_COMMANDS": json.dumps(commands),
            "LOOK_OUT": str(out),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        done = subprocess.run(
            [gdb, "-nx", "-nh", "-batch", "-x", str(INSIDE)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=HANG,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    return list(json.loads(out.read_text()))


@pytest.mark.parametrize("optimize", ["-Og", "-O0", "-O2"])
@pytest.mark.parametrize(("name", "count"), [("shapes", 330), ("calls", 250)])
def test_frames_and_variables(
    name: str,
    count: int,
    optimize: str,
    program: Build,
    tool: Callable[[str], str],
    tmp_path: Path,
) -> None:
    elf = program(name, "B", optimize=optimize)
    with Tile(b=elf, engine="reference") as tile:
        start = tile.run_to("main")
        steps = [f"stepi {tile.b.instructions}"] + ["stepi"] * count
        ours = [look(tile.b)]
        for _ in range(count):
            if tile.step("b").reason != "step":
                break
            ours.append(look(tile.b))
    assert start.function == "main"
    theirs = gdb_looks(tool("gdb-multiarch"), elf, steps[: len(ours)], tmp_path)
    known = 0
    for at, (mine, gdbs) in enumerate(zip(ours, theirs, strict=True)):
        where = f"look {at}, pc {mine[0][2]:#x}, {mine[0][0]}:{mine[0][1]}"
        assert [f[:1] + f[2:3] for f in mine] == [(f[0], f[2]) for f in gdbs], where
        assert [f[1] for f in mine] == [f[1] for f in gdbs], where
        for frame, their in zip(mine, gdbs, strict=True):
            assert frame[3].keys() == their[3].keys(), where
            for variable, value in frame[3].items():
                assert same(value, their[3][variable]), (where, variable, value, their[3][variable])
                known += value is not None
    assert known > count, "hardly a variable was known: nothing was compared"


def way(looks: list[Any]) -> list[tuple[int, list[str], int]]:
    """Where looks were: pc, functions, line of the innermost."""
    return [(frames[0][2], [f[0] for f in frames], frames[0][1]) for frames in looks]


@pytest.mark.parametrize("command", ["step", "next"])
@pytest.mark.parametrize("optimize", ["-Og", "-O0"])
@pytest.mark.parametrize(("name", "count"), [("shapes", 60), ("calls", 60)])
def test_stepping_by_lines(
    name: str,
    count: int,
    optimize: str,
    command: str,
    program: Build,
    tool: Callable[[str], str],
    tmp_path: Path,
) -> None:
    elf = program(name, "B", optimize=optimize)
    ours = []
    with Tile(b=elf, engine="reference") as tile:
        tile.run_to("main")
        step = tile.step_line if command == "step" else tile.next_line
        for _ in range(count):
            if tile.b.frames()[-2:][0].function != "main" or step("b").reason != "step":
                break
            ours.append(look(tile.b))
    commands = ["tbreak main", "continue"] + [command] * len(ours)
    theirs = gdb_looks(tool("gdb-multiarch"), elf, commands, tmp_path)[2:]
    assert way(ours) == way(theirs)
    assert len(ours) > 5
