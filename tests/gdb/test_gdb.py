# SPDX-License-Identifier: Apache-2.0
"""A real gdb-multiarch debugs programs on the tile: every script of inside/, each with a tile.

A script reports what it sees, and GDB exits with the number of reports that failed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Build
from tests.core.firmware.builds import KNOWN, unpack
from tests.gdb.harness import INSIDE, run_inside, serve
from tests.programs import data_path
from tests.programs.build import GCC, PLACES, PROGRAMS, build_kernel

pytestmark = pytest.mark.gdb

# fmt: off
SCRIPTS = {
    "acks":                 {"B": "spin"},
    "breakpoints":          {"B": "calls"},
    "conditions":           {"B": "calls"},
    "ends":                 {"B": "calls"},
    "host_calls":           {"B": "asks", "T0": "asks"},
    "five_harts":           dict.fromkeys(PLACES, "five"),
    "inferior_calls":       {"B": "calls"},
    "interrupts":           {"T1": "spin"},
    "memory_images":        {"B": "calls"},
    "own_names":            dict.fromkeys(PLACES, "names"),
    "printing":             {"B": "prints"},
    "processes":            dict.fromkeys(PLACES, "five"),
    "process_lives":        dict.fromkeys(("T0", "NC"), "names"),
    "pushes":               {"T0": "push"},
    "reattach":             {"T0": "watched"},
    "registers":            {"B": "calls"},
    "released":             {"B": "release"},
    "reverse":              {"T0": "watched"},
    "started_beside":       {"B": "halts", "T0": "spin"},
    "stepping":             {"B": "calls"},
    "thousand_breakpoints": {"B": "thousand"},
    "tensix_threads":       {"T1": "gate"},
    "tracepoints":          {"B": "calls"},
    "watchpoints":          {"T0": "watched"},
}
# fmt: on


OPTIONS = {
    "ends": ("--stop-at-end",),
    "five_harts": ("--stop-at-end",),
    "released": ("--stop-at-end",),
    "host_calls": ("--semihosting", "gdb"),
    "printing": ("--semihosting",),
    "reverse": ("--record",),
    "processes": ("--processes", "--record"),
    "process_lives": ("--processes",),
    "started_beside": ("--processes",),
}

# What GDB shows has to be right in each; TENSIX_SCHEDULE (`random:7`) names another one.
SCHEDULES = os.environ.get("TENSIX_SCHEDULE", "sc latency").split()
# Which thread ran is asked of the pipelines, where requests go late too.
MORE = [("interrupts", "random:7")]
RUNS = [*((script, schedule) for script in SCRIPTS for schedule in SCHEDULES), *MORE]


@pytest.mark.parametrize(("script", "schedule"), RUNS)
def test_inside_gdb(script: str, schedule: str, program: Build, tool: Callable[[str], str]) -> None:
    gdb = tool("gdb-multiarch")
    elfs = {
        hart: program(name, hart, defines=(f"HART={list(PLACES).index(hart)}",))
        for hart, name in SCRIPTS[script].items()
    }
    with serve(elfs, "--schedule", schedule, *OPTIONS.get(script, ())) as server:
        failed, output = run_inside(gdb, script, server.port, elfs)
    assert failed == 0, f"{output}\nThe server said:\n{''.join(server.output)}\n" + "\n".join(
        row for row in output.splitlines() if row.startswith("FAIL")
    )


@pytest.mark.parametrize("schedule", ["sc", "latency"])
def test_firmware(schedule: str, tool: Callable[[str], str], tmp_path: Path) -> None:
    gdb = tool("gdb-multiarch")
    folder = unpack(KNOWN, tmp_path)
    elfs = {"B": folder / "brisc" / "brisc.elf"}
    with serve({}, "--firmware", str(folder), "--schedule", schedule) as server:
        failed, output = run_inside(gdb, "firmware", server.port, elfs)
    assert failed == 0, f"{output}\nThe server said:\n{''.join(server.output)}\n" + "\n".join(
        row for row in output.splitlines() if row.startswith("FAIL")
    )


def test_kernels(tool: Callable[[str], str], tmp_path: Path) -> None:
    gdb = tool("gdb-multiarch")
    tool(GCC)
    folder = unpack(KNOWN, tmp_path)
    options = ["--firmware", str(folder)]
    for hart, name in enumerate(PLACES):
        path = build_kernel(PROGRAMS / "kernel.c", hart, tmp_path / f"{name}.elf")
        options += ["--launch", f"{name}={path}"]
    with serve({}, *options) as server:
        failed, output = run_inside(gdb, "kernels", server.port, {})
    assert failed == 0, output


@pytest.mark.parametrize("schedule", ["sc", "latency"])
def test_data_path(
    schedule: str,
    program: Build,
    tool: Callable[[str], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gdb = tool("gdb-multiarch")
    pieces: list[tuple[int, str]] = []

    def poke(hart: int, addr: int, data: bytes) -> None:
        path = tmp_path / f"{addr:x}.bin"
        path.write_bytes(data)
        pieces.append((addr, str(path)))

    data_path.arrange_tiles(poke)
    monkeypatch.setenv("TENSIX_MEMORY", json.dumps(pieces))
    elfs = {
        hart: program("data_path", hart, defines=data_path.defines(number, phases=1))
        for number, hart in enumerate(("T0", "T1", "T2"), 1)
    }
    with serve(elfs, "--schedule", schedule) as server:
        failed, output = run_inside(gdb, "data_path", server.port, elfs)
    assert failed == 0, output


def test_every_script_is_run() -> None:
    assert {path.stem for path in INSIDE.glob("*.py")} == {
        *SCRIPTS,
        "firmware",
        "kernels",
        "data_path",
        "checks",
        "wordings",
    }
