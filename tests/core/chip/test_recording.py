# SPDX-License-Identifier: Apache-2.0
"""Recordings of a chip: on either engine and any number of threads they come to the same states."""

from __future__ import annotations

import json
import zipfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip.recording import (
    ChipRecording,
    ChipRecordingError,
    DiffersError,
    save,
)
from tensix_gdb.core.chip.replayable import begin_chip_history
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import image_of
from tensix_gdb.core.schedule import Schedule
from tests.core.chip.test_in_step import GRID, made_by
from tests.elf_maker import make_elf


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Machine(engine="compiled").engine


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY, Schedule.RANDOM])
def test_a_recording_is_played(engine: Engine, schedule: Schedule, tmp_path: Path) -> None:
    with made_by(None, 6, Execution(schedule, 4), engine) as chip:
        history = begin_chip_history(chip)
        chip.tiles[GRID[1]].add_break(8)
        assert history.run(300) is not None, "a stop in the middle of it"
        chip.tiles[GRID[1]].remove_break(8)
        chip.tiles[GRID[1]].resume_from(B)
        assert history.run(200) is None
        chip.tiles[GRID[0]].poke(B, 0x20000, b"\x55")
        chip.outside.dram[0].write(0x2000, b"of a host")
        assert history.run(300) is None
        path = tmp_path / "chip.recording"
        save(path, chip, history)
        last, cycle = chip.hash(), chip.cycle
    recording = ChipRecording(path)
    assert (recording.cycle, recording.hash, recording.changes) == (cycle, last, 1)
    for kind, threads in ((engine, 1), (engine, 2), ("reference", 1)):
        again = recording.chip(engine=kind, threads=threads)
        assert list(recording.play(again))[-1] == cycle
        assert again.hash() == last
        assert again.outside.dram[0].read(0x2000, 9) == b"of a host"
        again.close()
    again = recording.chip(engine=engine)
    history = begin_chip_history(again)
    assert list(recording.play(again, history))[-1] == cycle
    assert (history.first_cycle, history.last_cycle) == (0, cycle)
    assert history.to_cycle(100)
    assert history.run(cycle - 100) is None
    history.to_present()
    assert (again.hash(), history.past) == (last, False)
    again.close()


def test_programs_are_in_a_recording(engine: Engine, tmp_path: Path) -> None:
    with made_by(None, 6, Execution(Schedule.LATENCY), engine) as chip:
        tile = chip.tiles[GRID[3]]
        elf = image_of(Path("kernel.elf"), make_elf([(0x4000, bytes(16))]))
        tile.loader.set_hosted("kernels", [replace(elf, hart=B)])
        save(tmp_path / "chip", chip, begin_chip_history(chip), "1.0", "a sentence")
    recording = ChipRecording(tmp_path / "chip")
    assert (recording.version, recording.ending) == ("1.0", "a sentence")
    assert [len(programs) for programs in recording.programs] == [0, 0, 0, 1, 0, 0]
    again = recording.chip(engine=engine)
    assert [image.content for image in again.tiles[GRID[3]].images] == [elf.content]
    again.close()


def test_programs_are_those_of_their_time(engine: Engine, tmp_path: Path) -> None:
    """A host has launched one kernel, and then another one at the same place."""
    with made_by(None, 2, Execution(Schedule.SC), engine) as chip:
        tile = chip.tiles[GRID[1]]
        first, second = (
            replace(image_of(Path(name), make_elf([(0x4000, bytes(16))])), hart=B)
            for name in ("first.elf", "second.elf")
        )
        tile.loader.set_hosted("kernels", [first])
        history = begin_chip_history(chip)
        assert history.run(50) is None
        tile.poke(B, 0x20000, b"launch")
        tile.loader.set_hosted("kernels", [second])
        assert history.run(50) is None
        assert history.to_cycle(20)
        assert tile.images[-1] is first
        assert history.take_other() == 1
        assert history.run(70) is None
        assert tile.images[-1] is second
        assert (history.take_other(), history.take_other()) == (1, None)
        history.to_present()
        save(tmp_path / "chip", chip, history)
    with closing(ChipRecording(tmp_path / "chip").chip(engine=engine)) as again:
        history = begin_chip_history(again)
        list(ChipRecording(tmp_path / "chip").play(again, history))
        tile = again.tiles[GRID[1]]
        assert tile.images[-1].path.name == "second.elf"
        assert history.to_cycle(20)
        assert tile.images[-1].path.name == "first.elf"
        assert history.take_other() == 1
        history.ends_at_programs = True
        assert history.run(70) is None
        assert again.cycle == 50, "clients are told of the second one first"
        assert (history.take_other(), history.take_other()) == (1, None)
        assert history.run(40) is None
        assert again.cycle == 90


def test_what_is_no_recording(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "chip.recording"
    path.write_bytes(b"nothing")
    with pytest.raises(ChipRecordingError, match="is no recording of a chip"):
        ChipRecording(path)
    with made_by(None, 6, Execution(Schedule.LATENCY), engine) as chip:
        history = begin_chip_history(chip)
        assert history.run(50) is None
        save(path, chip, history)
    with zipfile.ZipFile(path) as archive:
        index, pages = json.loads(archive.read("chip.json")), archive.read("pages")

    def changed(name: str, value: object) -> ChipRecording:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("chip.json", json.dumps(index | {name: value}))
            archive.writestr("pages", pages)
        return ChipRecording(path)

    with pytest.raises(ChipRecordingError, match="another version"):
        changed("layout", "0")
    parts = [index["parts"][0] | {"hash": "0"}]
    recording = changed("parts", parts)
    again = recording.chip(engine=engine)
    with pytest.raises(DiffersError, match="another state at cycle 50"):
        list(recording.play(again))
    again.close()


def test_a_part_is_played_without_those_before_it(engine: Engine, tmp_path: Path) -> None:
    """A page of a hang of 140 tiles played 51 parts for the last 200 cycles."""
    path = tmp_path / "chip"
    with made_by(None, 6, Execution(Schedule.LATENCY), engine) as chip:
        elf = image_of(Path("kernel.elf"), make_elf([(0x4000, bytes(16))]))
        for tile in chip.tiles.values():
            tile.loader.set_hosted("kernels", [replace(elf, hart=B)])
        history = begin_chip_history(chip)
        history.run(200)
        chip.tiles[GRID[0]].poke(B, 0x20000, b"\x55")
        history.run(100)
        save(path, chip, history)
        last = chip.hash()
    recording = ChipRecording(path)
    assert recording.programs[0][0] is recording.programs[1][0]
    recording.begin_at(250)
    with closing(recording.chip(engine=engine)) as again:
        history = begin_chip_history(again)
        assert list(recording.play(again, history)) == [300]
        assert (history.first_cycle, again.hash()) == (200, last)
