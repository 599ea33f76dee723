# SPDX-License-Identifier: Apache-2.0
"""Of several tiles the launch that hangs or stops at a fault is kept, as a recording."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.recording import WITHOUT_IDLE, ChipRecording, has_hash
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.cli import kept
from tensix_gdb.gdbstub.cli.kept import keep_recording, last_kept
from tensix_gdb.gdbstub.host.simulator.messages import Command, Message
from tensix_gdb.gdbstub.host.simulator.runs import beginning_chip
from tensix_gdb.gdbstub.host.simulator.runs.beginning_chip import LAST, ChipBeginning
from tensix_gdb.gdbstub.host.simulator.runs.failing import (
    REC,
    TOO_OFTEN,
    FailingRun,
    Why,
    reason_not_kept,
)
from tensix_gdb.gdbstub.host.simulator.runs.in_cache import keep_run
from tests.assembler import asm, image, li

NEAR, FAR = (1, 2), (2, 2)
GO, COUNT, CYCLES = 0x370, 0x20000, 300
# B counts for ever in a word of L1.
PROGRAM = [*li(5, COUNT), asm("addi", rd=6, rs1=6, imm=1), asm("sw", rs1=5, rs2=6),
           asm("jal", rd=0, imm=-8)]  # fmt: skip


@pytest.fixture
def chip() -> Iterator[Chip]:
    with closing(Chip((NEAR, FAR), engine="reference", schedule=Schedule.LATENCY)) as made:
        for machine in made.tiles.values():
            machine.load(B, image(PROGRAM))
        yield made


def of(chip: Chip, folder: Path | None) -> FailingRun:
    return FailingRun(lambda: ChipBeginning(chip), folder)


def launch(run: FailingRun, chip: Chip, value: int) -> None:
    """Launch kernels on both tiles, one after the other, as a host does; then they run."""
    for machine in chip.tiles.values():
        run.on_launch()
        machine.poke(B, GO, bytes([value]))
    run.before_run()
    chip.run(CYCLES)
    run.before_run()
    chip.run(CYCLES)


def test_a_run_begins_when_all_tiles_are_launched(chip: Chip, tmp_path: Path) -> None:
    run = of(chip, tmp_path)
    launch(run, chip, 1)
    launch(run, chip, 2)
    digest = chip.hash()
    run.keep(Why.STUCK)
    recording = ChipRecording(tmp_path / REC)
    assert (recording.changes, recording.cycle) == (0, 4 * CYCLES)
    with closing(recording.chip(engine="reference")) as again:
        assert again.cycle == 2 * CYCLES
        assert [tile.peek(B, GO, 1) for tile in again.tiles.values()] == [b"\2", b"\2"]
        list(recording.play(again))
        assert again.hash() == digest == recording.hash


def test_the_first_that_is_stuck_is_kept(chip: Chip, tmp_path: Path) -> None:
    run = of(chip, tmp_path)
    for value in (1, 2):
        launch(run, chip, value)
        run.keep(Why.STUCK)
        run.keep(Why.STUCK)
    with closing(ChipRecording(tmp_path / REC).chip(engine="reference")) as again:
        assert again.tiles[NEAR].peek(B, GO, 1) == b"\1"


def test_the_last_is_kept_to_where_the_host_goes_on(chip: Chip, tmp_path: Path) -> None:
    """A program that ends with a wrong result has no launch that is stuck: what it does after its
    last one is left out."""
    run = FailingRun(lambda: ChipBeginning(chip), tmp_path, least=Why.LAST)
    write = Message(Command.WRITE, NEAR, COUNT, data=b"12")
    for value in (1, 2):
        run.before_message(write)
        launch(run, chip, value)
    run.before_message(Message(Command.READ, NEAR, COUNT, size=2))
    chip.run(CYCLES)
    # As a host leaves it that reads a register: the end is the same without that read.
    chip.tiles[NEAR].S.tile.idle_cycles += 1
    digest, cycle = chip.hash_without_idle(), chip.cycle
    for _ in range(2):
        run.before_message(write)
        chip.tiles[NEAR].poke(B, COUNT, b"12")
        chip.run(CYCLES)
    run.keep(Why.LAST)
    recording = ChipRecording(tmp_path / REC)
    assert recording.ending == LAST
    assert (recording.cycle, recording.hash) == (cycle, WITHOUT_IDLE + digest)
    with closing(recording.chip(engine="reference")) as again:
        assert again.tiles[FAR].peek(B, GO, 1) == b"\2"
        list(recording.play(again))
        assert (again.cycle, again.hash_without_idle()) == (cycle, digest)
        assert has_hash(again, recording.hash)
        again.tiles[NEAR].poke(B, COUNT + 64, b"1")
        assert not has_hash(again, recording.hash)


def test_what_is_not_kept(chip: Chip, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host without kernels, a run that is not stuck, no folder, too much in the tiles."""
    of(chip, tmp_path).keep(Why.STUCK)
    for folder in (tmp_path / "gone", None):
        run = of(chip, folder)
        launch(run, chip, 1)
        run.keep(Why.STUCK)
    run = of(chip, tmp_path)
    launch(run, chip, 1)
    run.keep(Why.REPORT)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(beginning_chip, "MOST_PAGES", 1)
    launch(run, chip, 1)
    run.keep(Why.STUCK)
    assert not (tmp_path / REC).exists()
    assert reason_not_kept(tmp_path).startswith("2 tiles and DRAM have 0 MiB at first, more than 0")


def test_pages_of_zeros_are_one(chip: Chip, tmp_path: Path) -> None:
    """A copy of tiles that have little takes little memory, also the first one."""
    beginning = ChipBeginning(chip)
    beginning.copy()
    start = beginning._start
    assert start is not None
    pages = [page for tile in start.tiles for page in tile.pages]
    assert len({id(page) for page in pages}) < len(pages) / 4


def test_replay_finds_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`tensix-gdb replay` takes the last one; one that is too large is left out."""
    file, runs = tmp_path / REC, tmp_path / "runs"
    file.write_bytes(b"recording")
    monkeypatch.setenv("TENSIX_GDB_RUNS", str(runs))
    assert keep_recording(file, "a") == runs / "a.rec"
    assert last_kept() == str(runs / "a.rec")
    assert (runs / "a.rec").read_bytes() == b"recording"
    monkeypatch.setattr(kept, "MOST_BYTES", 4)
    assert keep_recording(file, "b") is None
    assert [path.name for path in runs.iterdir()] == ["a.rec"]
    monkeypatch.setenv("TENSIX_GDB_RUNS", "")
    assert keep_recording(file, "c") is None


def test_many_tiles_are_copied_for_a_share_of_the_time(
    chip: Chip, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New kernels, too: the first launch is always, later ones when there is time for it."""
    monkeypatch.setenv(kept.FOLDER, str(tmp_path / "runs"))
    times = [5.0]

    class Slow(ChipBeginning):
        def copy(self) -> None:
            super().copy()
            times[0] += 1.0

    clock = lambda: times[0]  # noqa: E731
    run = FailingRun(lambda: Slow(chip), tmp_path, share=0.1, are_many=True, clock=clock)
    begun = []
    for kernels, seconds in (("a", 0), ("b", 0), ("c", 9), ("d", 0)):
        times[0] += seconds
        before = times[0]
        run.on_launch([kernels])
        run.before_run()
        begun.append(times[0] > before)
    assert begun == [True, False, True, False]
    run.keep(Why.STUCK)
    (line,) = keep_run(tmp_path, ["program.py"]).lines()
    assert line == f"the run is not kept: {TOO_OFTEN}"


def test_of_many_tiles_a_launch_that_repeats_another_is_not_noted(
    chip: Chip, tmp_path: Path
) -> None:
    """The pump carries it out, and counts it: what was copied before is another run."""
    repeats = [0]
    for times, is_kept in ((0, True), (2, False)):
        folder = tmp_path / str(times)
        folder.mkdir()
        run = FailingRun(lambda: ChipBeginning(chip), folder, are_many=True)
        run.repeats = lambda: repeats[0]
        assert not run.notes_launches
        run.on_launch(["a"])
        run.before_run()
        repeats[0] += times
        run.keep(Why.STUCK)
        assert (folder / REC).exists() is is_kept
        assert (TOO_OFTEN in reason_not_kept(folder)) is not is_kept
