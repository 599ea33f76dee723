# SPDX-License-Identifier: Apache-2.0
"""The run of a program that fails is kept: the tile, with its DRAM, before the go signal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.state.areas import Arguments
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.host.simulator.grid import TILE
from tensix_gdb.gdbstub.host.simulator.messages import Command, Message
from tensix_gdb.gdbstub.host.simulator.runs import failing
from tensix_gdb.gdbstub.host.simulator.runs.failing import CORE, JSON, FailingRun, Why
from tensix_gdb.gdbstub.tensix.corefile.kept_run import KeptRun
from tensix_gdb.gdbstub.tensix.host import arguments
from tests.machines import machine_on

GO, DONE, WORD = 0x370, 0x374, 0x20000


@pytest.fixture
def machine() -> Iterator[Machine]:
    with closing(machine_on("reference", Schedule.LATENCY)) as made:
        yield made


def launch(run: FailingRun, machine: Machine, value: int) -> None:
    """Launch kernels that write a word of L1 and one of DRAM."""
    run.on_launch()
    go = Message(Command.WRITE, TILE, GO, 4, bytes([value, 0, 0, 0]))
    run.before_message(go)
    run.after_message(go, None)
    machine.poke(B, GO, go.data)
    machine.poke(B, WORD, bytes([value]) * 4)
    machine.outside.dram[0].write(0, bytes([value]) * 4)
    read = Message(Command.READ, TILE, DONE, 4)
    run.before_message(read)
    run.after_message(read, bytes([value]) * 4)


def words(folder: Path) -> tuple[int, int, int]:
    """The go signal of the run that was kept, and the words at its beginning."""
    kept = KeptRun(folder / CORE, folder / JSON)
    with closing(kept.machine("reference", Execution(Schedule.LATENCY))) as machine:
        parts = (machine.peek(B, GO, 1), machine.peek(B, WORD, 1))
        return (parts[0][0], parts[1][0], machine.outside.dram[0].read(0, 1)[0])


def test_a_run_begins_where_its_kernels_did(machine: Machine, tmp_path: Path) -> None:
    """Afterwards the tile is as it was."""
    run = FailingRun(machine, tmp_path)
    launch(run, machine, 1)
    launch(run, machine, 2)
    before = machine.hash()
    run.keep(Why.STUCK)
    assert words(tmp_path) == (2, 1, 1)
    assert machine.hash() == before
    assert machine.outside.dram[0].read(0, 1) == b"\2"
    kept = json.loads((tmp_path / JSON).read_text("ascii"))
    assert kept["ended"] is False
    assert kept["reads"] == {str(DONE): "02020202"}
    assert kept["arguments"] == []


def test_arguments_are_those_of_the_launch(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Afterwards the firmware's pointer is at the next launch message."""
    run = FailingRun(machine, tmp_path)
    own = Arguments(B, WORD, WORD + 8)
    monkeypatch.setattr(arguments, "arguments_of", lambda _: [own])
    launch(run, machine, 1)
    monkeypatch.setattr(arguments, "arguments_of", lambda _: [])
    run.keep(Why.STUCK)
    assert KeptRun(tmp_path / CORE, tmp_path / JSON).arguments == [own]


def test_the_first_with_a_report_is_kept_until_one_hangs(machine: Machine, tmp_path: Path) -> None:
    run = FailingRun(machine, tmp_path)
    for value, why in ((1, Why.REPORT), (2, Why.REPORT), (3, Why.LAST)):
        launch(run, machine, value)
        run.keep(why)
        assert words(tmp_path)[0] == 1
    launch(run, machine, 4)
    run.keep(Why.STUCK)
    assert words(tmp_path)[0] == 4


def test_what_is_not_kept(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program without kernels, one with too much in DRAM, a folder that is gone."""
    run = FailingRun(machine, tmp_path)
    run.keep(Why.STUCK)
    FailingRun(machine, None).keep(Why.STUCK)
    launch(run, machine, 1)
    monkeypatch.setattr(failing, "MOST_PAGES", 0)
    launch(run, machine, 2)
    run.keep(Why.STUCK)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    gone = FailingRun(machine, tmp_path / "gone")
    launch(gone, machine, 1)
    gone.keep(Why.STUCK)
    assert list(tmp_path.iterdir()) == []
