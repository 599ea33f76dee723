# SPDX-License-Identifier: Apache-2.0
"""`run --check`, `replay --check`, `monitor check` and `tile.checks`, of scripts/examples/state."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.examples.state.sessions import KERNEL
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.races.checks import monitor_check
from tensix_gdb.gdbstub.testing.race_check import race_check
from tensix_gdb.gdbstub.testing.tile import Tile
from tensix_gdb.gdbstub.usage import UsageError
from tests.programs.build import build

Ran = Callable[..., tuple[int, str]]


@pytest.fixture(scope="module")
def kernels(tool: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    tool("riscv64-unknown-elf-gcc")
    folder = tmp_path_factory.mktemp("state")
    return [
        build(KERNEL, "T0", folder / f"{mended}.elf", defines=(f"MENDED={mended}",))
        for mended in range(2)
    ]


@pytest.fixture
def run(kernels: list[Path], capsys: pytest.CaptureFixture[str]) -> Ran:
    """Run a kernel with options; exit status, and what was printed."""

    def ran(mended: int, *options: str) -> tuple[int, str]:
        words = ["run", "--engine", "reference", "--elf", f"t0={kernels[mended]}", *options]
        status = main(words)
        captured = capsys.readouterr()
        return status, captured.out + captured.err

    return ran


def test_what_a_kernel_leaves(run: Ran) -> None:
    _, said = run(0, "--check", "leaks")
    field = "cfg THCON_SEC0_REG2_Tileize_mode 0 (word 72)"
    assert f"K1 1  configuration is left changed: once  {field}" in said
    assert "    T0  sw  kernel.c:31 tilize_init" in said
    assert "THCON_SEC0_REG2_Tileize_mode is 0x1, was 0x0." in said
    assert "2 findings of checks" in said
    assert "RACE" not in said


def test_a_mended_kernel_leaves_nothing(run: Ran) -> None:
    status, said = run(1, "--check", "leaks,memory", "--error-exitcode", "9")
    assert status == 0
    assert "nothing found" in said
    assert "stack of T0: 80 of 4,092 bytes, in scratch" in said


def test_the_exit_status_and_a_suppression(run: Ran, tmp_path: Path) -> None:
    assert run(1, "--check", "--error-exitcode", "9")[0] == 9  # all of them
    assert run(1, "--check", "init", "--error-exitcode", "9")[0] == 9
    rows = tmp_path / "rows"
    rows.write_text("symbol  store_row  the host gives these fields\n")
    options = ("--check", "init", "--error-exitcode", "9", "--races-suppressions", str(rows))
    status, said = run(1, *options)
    assert (status, "1 suppressed" in said) == (0, True)


def test_files_and_a_baseline(run: Ran, tmp_path: Path) -> None:
    names = [tmp_path / f"it.{ending}" for ending in ("json", "sarif", "xml")]
    run(0, "--check", "leaks", *(word for name in names for word in ("--races-to", str(name))))
    found = json.loads(names[0].read_text())
    assert [one["check"] for one in found["races"]] == ["K1", "K3"]
    assert found["checks"] == ["leaks"]
    sarif = json.loads(names[1].read_text())["runs"][0]
    assert [one["ruleId"] for one in sarif["results"]] == ["fault", "K1", "K3"]
    (at,) = sarif["results"][0]["locations"]  # its stack has left its room
    assert at["logicalLocations"] == [{"name": "scratch", "kind": "function"}]
    assert {"U1", "K1", "M9"} <= {rule["id"] for rule in sarif["tool"]["driver"]["rules"]}
    cases = ET.parse(names[2]).getroot().iter("testcase")
    assert {case.get("classname") for case in cases} == {"races.K1", "races.K3"}
    _, said = run(0, "--check", "leaks", "--races-baseline", str(names[0]))
    assert "nothing found; 2 in the baseline" in said


def test_with_races_both_are_reported(run: Ran) -> None:
    _, said = run(0, "--check", "leaks", "--races")
    assert "K1 " in said
    _, said = run(1, "--check", "leaks", "--races")
    assert "no races" in said


def test_a_recording(run: Ran, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "it.ttrec"
    run(1, "--record-to", str(kept))
    assert main(["replay", "--engine", "reference", str(kept), "--check", "init"]) == 0
    assert "1 finding of a check" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--check", "lint"), "'lint' is no check: init, leaks, memory, stages with"),
        (("--check", "init", "--schedule", "sc"), "--check: accesses cannot be observed"),
        (("--check", "init", "--races-checks", "S1"), "--races-checks is about races: add --races"),
        (("--races-to", "it.json"), "--races-to is about races: add --races or --check"),
        (("--buffer", "0x100+16"), "--buffer is for --check memory: add it"),
        (("--check", "memory", "--buffer", "here"), "'here' is no buffer: ADDR+BYTES"),
        (("--check", "memory", "--buffer", "0x180000+16"), "is not in L1"),
    ],
)
def test_what_is_refused(run: Ran, options: tuple[str, ...], said: str) -> None:
    try:
        status, text = run(1, *options)
    except SystemExit as problem:
        status, text = int(str(problem.code)), ""
    assert status == 2
    assert said in text or not text


def test_in_gdb(kernels: list[Path]) -> None:
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    machine.load(1, read_elf(kernels[0]))
    with pytest.raises(TargetError, match="begin with `monitor check on`"):
        monitor_check(machine, [])
    assert monitor_check(machine, ["on", "leaks"]) == "leaks: checked from cycle 0 on.\n"
    machine.run(1000)
    lines = monitor_check(machine, []).splitlines()
    assert lines[0].startswith("K1 1  configuration is left changed")
    assert lines[-1] == "2 findings of checks"
    assert "Tileize_mode is 0x1" in monitor_check(machine, ["1"])
    assert ".elf of T0" in monitor_check(machine, ["buffers"])
    assert "K1   leaks   a field has another value" in monitor_check(machine, ["rules"])
    monitor_check(machine, ["kernel"])
    assert monitor_check(machine, []) == "nothing found\n"
    for words in (["9"], ["on", "lint"], ["on", "init", "x"], ["1", "2"]):
        with pytest.raises(TargetError):
            monitor_check(machine, words)
    machine.close()


def test_in_pytest(kernels: list[Path]) -> None:
    with Tile(engine="reference", schedule="latency", t0=kernels[0]) as tile:
        tile.check("leaks")
        tile.run(1000)
        assert [one.check for one in tile.checks] == ["K1", "K3"]
        assert tile.checks[0].later.place == "kernel.c:31 tilize_init"
        assert tile.checks.explanation()[0] == "2 findings"


def test_the_marker(kernels: list[Path], tmp_path: Path) -> None:
    wanted = race_check("tile", {"checks": "leaks"}, tmp_path, None, ())
    assert wanted is not None
    with Tile(engine="reference", schedule="latency", t0=kernels[0]) as tile:
        wanted.observe_tile(tile)
        tile.run(1000)
        assert "Tileize_mode" in wanted.failure([tile])
    assert race_check("tile", {}, tmp_path, None, (), "init") is not None
    assert race_check("tile", {}, tmp_path, None, ()) is None
    with pytest.raises(UsageError, match="is none of init, leaks, memory, stages"):
        race_check("tile", {"checks": "lint"}, tmp_path, None, ())
