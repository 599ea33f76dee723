# SPDX-License-Identifier: Apache-2.0
"""Failing runs are kept without being asked, and `replay` with nothing more opens the last one."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.cli import kept
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.tensix.corefile.elf import core_of
from tensix_gdb.gdbstub.tensix.output.recording import history_of, replay_recording
from tensix_gdb.gdbstub.tensix.races.output import observed
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tensix_gdb.gdbstub.tensix.tiles.expected import expected_in
from tests.assembler import SPIN, image
from tests.elf_maker import make_elf, words
from tests.gdbstub.kernels.kernels import refusal
from tests.machines import machine_on

EBREAK, JUMP_TO_ITSELF, NOP = 0x00100073, 0x0000006F, 0x00000013
Ran = Callable[..., list[str]]


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where runs are kept."""
    monkeypatch.setenv(kept.FOLDER, str(tmp_path / "runs"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "runs"


@pytest.fixture
def ran(runs: Path, capsys: pytest.CaptureFixture[str]) -> Ran:
    """Run a program of B; the lines."""

    def run(name: str, code: list[int], *options: str) -> list[str]:
        Path(name).write_bytes(make_elf([(0, words(*code))]))
        main(["run", f"--elf=b={name}", *options])
        out, err = capsys.readouterr()
        assert err == ""
        return out.splitlines()

    return run


def lines_of_replay() -> list[str]:
    """The words of a replay of the last kept run."""
    said, status, _ = replay_recording(
        kept.last_kept(), "reference", lambda machine: observed(machine, None)
    )
    assert status == 0
    return said


def test_a_run_that_does_not_end(ran: Ran) -> None:
    """The last cycles, which are looked at one by one, are in it."""
    lines = ran("loop.elf", [NOP, JUMP_TO_ITSELF], "--max-cycles=12345")
    assert lines[-1] == kept.OPENS
    assert any("B spins at 0x00000004 in the last 1000 cycles" in line for line in lines)
    assert any(line.startswith("equal: 12345 cycles with 0 inputs") for line in lines_of_replay())


def test_a_wrong_tile(ran: Ran) -> None:
    np.save("wanted.npy", np.ones((1, 16)))
    lines = ran("end.elf", [EBREAK], "--expect=0x30000=wanted.npy:uint32,rows")
    assert lines[-1] == kept.OPENS
    assert "all harts have paused after " in lines_of_replay()[0]


def test_its_array_is_kept(ran: Ran) -> None:
    """The file may change: `monitor wrong` with nothing more has what the run was compared with."""
    np.save("wanted.npy", np.ones((1, 16)))
    ran("end.elf", [EBREAK], "--expect=0x30000=wanted.npy:uint32,rows,atol=0.5")
    Path("wanted.npy").unlink()
    machine, history, _ = history_of(kept.last_kept(), "reference")
    with closing(machine), expected_in(kept.last_kept()) as expected:
        assert [text.partition(":")[2] for text in expected] == ["uint32,rows,atol=0.5"]
        target = tensix_target(machine, history=history, expected=expected)
        assert target.monitor is not None
        said = target.monitor.command(1, "wrong", running=False)
        assert "the first: row 0, column 0, at 0x30000 (0x00000000): 0, wanted 1" in said
    ran("loop.elf", [JUMP_TO_ITSELF], "--max-cycles=50")
    with expected_in(kept.last_kept()) as expected:
        assert expected == ()


def test_a_good_run_is_not_kept(ran: Ran, runs: Path) -> None:
    lines = ran("end.elf", [EBREAK])
    assert kept.OPENS not in lines
    assert not runs.exists()


def test_the_last_of_each_program_and_not_too_many(
    ran: Ran, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MOST_RUNS", 2)
    for name in ("a.elf", "b.elf", "b.elf", "c.elf", "b.elf"):
        ran(name, [JUMP_TO_ITSELF], "--max-cycles=50")
    assert len(list(runs.iterdir())) == 2
    last = Path(kept.last_kept()).read_bytes()
    assert b"elf/0" in last
    monkeypatch.setattr(kept, "MOST_BYTES", 10)
    assert kept.OPENS not in ran("d.elf", [JUMP_TO_ITSELF], "--max-cycles=50")
    assert len(list(runs.iterdir())) == 2


def test_a_folder_that_cannot_be_written(ran: Ran, runs: Path) -> None:
    runs.write_text("a file")
    lines = ran("loop.elf", [JUMP_TO_ITSELF], "--max-cycles=50")
    assert lines[0].startswith("still running after 50 cycles")
    assert kept.OPENS not in lines


@pytest.mark.usefixtures("runs")
def test_replay_without_a_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refusal(capsys, "replay").startswith("no failing run was kept: ")
    monkeypatch.setenv(kept.FOLDER, "")
    assert "TENSIX_GDB_RUNS is empty" in refusal(capsys, "replay")


def test_replay_opens_the_last_one(
    ran: Ran, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With nothing more it is served with a history; with --races it is looked at again."""
    ran("loop.elf", [JUMP_TO_ITSELF], "--max-cycles=50")
    assert main(["replay", "--races"]) == 0
    assert "no races" in capsys.readouterr().out
    served: list[bool] = []
    monkeypatch.setattr(
        "tensix_gdb.gdbstub.cli.replay.serve_ports", lambda *given: served.append(True)
    )
    assert main(["replay"]) == 0
    assert served == [True]
    assert "cycles 0 to 50 can be gone back to" in capsys.readouterr().out


def test_replay_opens_a_run_with_a_host(
    runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last one, whichever command has kept it."""
    (runs / "llk").mkdir(parents=True)
    (runs / "a.rec").write_bytes(b"a recording")
    core = runs / "llk" / "b.core"
    with closing(machine_on("reference", Schedule.LATENCY)) as machine:
        machine.load(B, image([SPIN]))
        core.write_bytes(core_of(machine, "before kernels are launched"))
        machine.host.is_present = True
        machine.run(50)
        part = {"addr": 0, "data": "", "reads": {}, "cycle": 50, "hash": machine.hash()}
    core.with_suffix(".json").write_text(json.dumps(part), "ascii")
    os.utime(runs / "a.rec", (1, 1))
    assert kept.last_kept() == str(core)
    served: list[bool] = []
    monkeypatch.setattr(
        "tensix_gdb.gdbstub.cli.replay.serve_ports", lambda *given: served.append(True)
    )
    assert main(["replay", "--engine=reference"]) == 0
    assert served == [True]
    assert "cycles 0 to 50 can be gone back to" in capsys.readouterr().out
    assert main(["replay", "--engine=reference", str(core)]) == 0
    assert f"{core}: its host has seen its end after 50 cycles\nequal: " in capsys.readouterr().out
    core.with_suffix(".json").write_text(json.dumps(part | {"hash": "0"}), "ascii")
    assert main(["replay", "--engine=reference", str(core)]) == 1
    capsys.readouterr()
    for option in ("--races", "--elf=b=b.elf", "--html=a.html"):
        assert refusal(capsys, "replay", str(core), option)
