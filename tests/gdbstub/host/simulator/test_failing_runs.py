# SPDX-License-Identifier: Apache-2.0
"""The run of a program that fails is kept: the tile, with its DRAM, after the go signal."""

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
from tensix_gdb.gdbstub.host.simulator.runs import beginning
from tensix_gdb.gdbstub.host.simulator.runs.beginning import TileBeginning
from tensix_gdb.gdbstub.host.simulator.runs.failing import (
    CORE,
    JSON,
    TOO_OFTEN,
    FailingRun,
    Why,
    reason_not_kept,
)
from tensix_gdb.gdbstub.tensix.corefile.kept_history import history_of_kept, is_kept_run
from tensix_gdb.gdbstub.tensix.corefile.kept_run import KeptRun
from tensix_gdb.gdbstub.usage import UsageError
from tests.assembler import asm, image, li
from tests.machines import machine_on

GO, DONE, WORD, CYCLES = 0x370, 0x374, 0x20000, 200
# B counts for ever in a word of L1.
PROGRAM = [*li(5, WORD), asm("addi", rd=6, rs1=6, imm=1), asm("sw", rs1=5, rs2=6),
           asm("jal", rd=0, imm=-8)]  # fmt: skip


@pytest.fixture
def machine() -> Iterator[Machine]:
    with closing(machine_on("reference", Schedule.LATENCY)) as made:
        made.host.is_present = True
        made.load(B, image(PROGRAM))
        yield made


def of(machine: Machine, folder: Path | None, least: Why = Why.LAST) -> FailingRun:
    return FailingRun(lambda: TileBeginning(machine), folder, TILE, least)


def launch(run: FailingRun, machine: Machine, value: int) -> None:
    """Launch kernels, with a go signal and a word of DRAM, and let them run."""
    run.on_launch()
    machine.poke(B, GO, bytes([value, 0, 0, 0]))
    machine.outside.dram[0].write(0, bytes([value]) * 4)
    run.before_run()
    machine.run(CYCLES)
    run.before_run()
    machine.outside.dram[0].write(4, bytes([value]) * 4)
    run.after_message(Message(Command.READ, TILE, DONE, 4), bytes([value]) * 4)


def words(folder: Path) -> tuple[int, int, int]:
    """The go signal of the run that was kept, and the words of DRAM at its beginning."""
    kept = KeptRun(folder / CORE, folder / JSON)
    with closing(kept.machine("reference", Execution(Schedule.LATENCY))) as machine:
        dram = machine.outside.dram[0]
        return (machine.peek(B, GO, 1)[0], dram.read(0, 1)[0], dram.read(4, 1)[0])


def test_a_run_begins_where_its_kernels_did(machine: Machine, tmp_path: Path) -> None:
    """Afterwards the tile is as it was."""
    run = of(machine, tmp_path)
    launch(run, machine, 1)
    launch(run, machine, 2)
    before = machine.hash()
    run.keep(Why.STUCK)
    assert words(tmp_path) == (2, 2, 1)
    assert machine.hash() == before
    assert machine.outside.dram[0].read(4, 1) == b"\2"
    kept = json.loads((tmp_path / JSON).read_text("ascii"))
    assert kept["ended"] is False
    assert kept["reads"] == {str(DONE): "02020202"}
    assert kept["arguments"] == []
    assert (kept["cycle"], kept["hash"]) == (2 * CYCLES, before)


def test_it_is_run_again_to_its_end(machine: Machine, tmp_path: Path) -> None:
    """To the same state, and back; where the host has written meanwhile, it is said."""
    run = of(machine, tmp_path)
    launch(run, machine, 1)
    run.keep(Why.STUCK)
    path = str(tmp_path / CORE)
    assert is_kept_run(path)
    again = history_of_kept(path, "reference")
    with closing(again.machine) as tile:
        assert again.is_equal
        assert again.said == [
            f"{path}: its host waits, after {CYCLES} cycles",
            f"equal: hash {machine.hash()}",
            f"cycles 0 to {CYCLES} can be gone back to",
        ]
        assert any(tile.peek(B, WORD, 4))
        assert again.history.to_cycle(2)
        assert tile.peek(B, WORD, 4) == bytes(4)
    launch(run, machine, 2)
    machine.poke(B, WORD + 64, b"\1")
    of_other = of(machine, tmp_path)
    of_other.on_launch()
    of_other.before_run()
    machine.poke(B, WORD + 64, b"\2")
    of_other.keep(Why.STUCK)
    other = history_of_kept(path, "reference")
    other.machine.close()
    assert not other.is_equal
    assert (
        other.said[1] == "the tile is in another state than it was: its host has changed something"
    )


def test_the_run_of_a_test(machine: Machine, tmp_path: Path) -> None:
    """It has no hash: what its host has read is compared."""
    run = of(machine, tmp_path)
    launch(run, machine, 1)
    run.keep(Why.STUCK)
    part = json.loads((tmp_path / JSON).read_text("ascii"))
    del part["hash"]
    good = machine.peek(B, WORD, 16).hex()
    for read, equal in ((good, True), ("ff" * 16, False)):
        (tmp_path / JSON).write_text(json.dumps(part | {"reads": {WORD: read}}), "ascii")
        again = history_of_kept(str(tmp_path / CORE), "reference")
        again.machine.close()
        assert again.is_equal is equal
        assert "16 bytes that its host has read" in again.said[1]
    (tmp_path / JSON).write_text(json.dumps(part | {"cycle": -1}), "ascii")
    with pytest.raises(UsageError):
        history_of_kept(str(tmp_path / CORE), "reference")


def test_arguments_are_those_of_the_launch(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Afterwards the firmware's pointer is at the next launch message."""
    run = of(machine, tmp_path)
    own = Arguments(B, WORD, WORD + 8)
    monkeypatch.setattr(beginning, "arguments_of", lambda _: [own])
    launch(run, machine, 1)
    monkeypatch.setattr(beginning, "arguments_of", lambda _: [])
    run.keep(Why.STUCK)
    assert KeptRun(tmp_path / CORE, tmp_path / JSON).arguments == [own]


def test_the_first_with_a_report_is_kept_until_one_hangs(machine: Machine, tmp_path: Path) -> None:
    run = of(machine, tmp_path)
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
    """A program without kernels, one with too much in DRAM, which is said, a folder that is gone,
    and what is no failure for a command that has no page."""
    run = of(machine, tmp_path)
    run.keep(Why.STUCK)
    of(machine, None).keep(Why.STUCK)
    few = of(machine, tmp_path, Why.STUCK)
    launch(few, machine, 1)
    few.keep(Why.LAST)
    assert list(tmp_path.iterdir()) == []
    launch(run, machine, 1)
    monkeypatch.setattr(beginning, "MOST_PAGES", 0)
    launch(run, machine, 2)
    run.keep(Why.STUCK)
    assert not (tmp_path / CORE).exists()
    assert reason_not_kept(tmp_path) == "DRAM has 0 MiB at first, more than 0"
    monkeypatch.undo()
    gone = of(machine, tmp_path / "gone")
    launch(gone, machine, 1)
    gone.keep(Why.STUCK)
    assert not (tmp_path / "gone").exists()


def test_quick_launches_of_the_same_kernels(machine: Machine, tmp_path: Path) -> None:
    """They are copied as long as that takes a small share of the time; others always."""
    times = [0.0]

    class Slow(TileBeginning):
        def copy(self) -> None:
            super().copy()
            times[0] += 1.0

    run = FailingRun(lambda: Slow(machine), tmp_path, share=0.1, clock=lambda: times[0])
    begun = []
    for kernels, seconds in (("a", 0), ("a", 0), ("b", 0), ("a", 0), ("a", 30), ("a", 0)):
        times[0] += seconds
        before = times[0]
        run.on_launch([kernels])
        run.before_run()
        begun.append(times[0] > before)
    assert begun == [True, False, True, False, True, True]
    run.on_launch(["a"])
    times[0] -= 20
    run.before_run()
    run.keep(Why.STUCK)
    assert reason_not_kept(tmp_path) == TOO_OFTEN
    assert not (tmp_path / CORE).exists()
