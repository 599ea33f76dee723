# SPDX-License-Identifier: Apache-2.0
"""`simulator --arch wormhole`: the description of the chip, and its one tile."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tensix_gdb.core.arch.wormhole import L1_BYTES
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.coordinates import WORMHOLE_DRAM
from tensix_gdb.core.noc.dram_data import DRAM_END
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.host.simulator.chip import Chip
from tensix_gdb.gdbstub.host.simulator.grid_wormhole import COLUMNS, ROWS, TILE
from tensix_gdb.gdbstub.host.simulator.messages import Command, Message
from tensix_gdb.gdbstub.host.simulator.runs.capture import RunCapture
from tensix_gdb.gdbstub.host.simulator.runs.log import T_CORES


def test_it_writes_the_description_of_a_wormhole_chip(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulator", str(tmp_path), "--arch", "wormhole"]) == 0
    assert "libtensix-gdb.so" in capsys.readouterr().out
    said = (tmp_path / "soc_descriptor.yaml").read_text()
    assert "arch_name: WORMHOLE_B0\n" in said
    assert "functional_workers: [ 1-1 ]\n" in said
    assert f"worker_l1_size: {L1_BYTES}\n" in said
    cores = re.findall(r"\b\d+-\d+\b", said)
    assert len(cores) == len(set(cores)) == COLUMNS * ROWS
    assert " --arch wormhole " in (tmp_path / "serve.sh").read_text()


def test_there_is_one_tile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulator", str(tmp_path), "--arch", "wormhole", "--tiles", "2x1"]) != 0
    assert "one tile: leave out --tiles" in capsys.readouterr().err


def test_l1_ends_where_wormholes_does() -> None:
    machine = Machine(engine="reference", arch=Arch.WORMHOLE)
    chip = Chip({TILE: machine})
    chip.perform(Message(Command.WRITE, TILE, L1_BYTES - 4, 0, b"abcd"))
    assert chip.perform(Message(Command.READ, TILE, L1_BYTES - 4, 4)) == b"abcd"
    assert chip.perform(Message(Command.READ, TILE, L1_BYTES, 4)) == bytes(4)
    machine.close()


def test_dram_is_where_the_description_says() -> None:
    """Every core of DRAM keeps what the host writes; those of a group have the same memory."""
    machine = Machine(engine="reference", arch=Arch.WORMHOLE)
    chip = Chip({TILE: machine})
    for group, cores in enumerate(WORMHOLE_DRAM):
        for at, core in enumerate(cores):
            data = bytes((group, at, *core))
            chip.perform(Message(Command.WRITE, core, 0x1000, 0, data))
            assert [chip.perform(Message(Command.READ, one, 0x1000, 4)) for one in cores] == (
                [data] * len(cores)
            )
    kept = [chip.perform(Message(Command.READ, cores[0], 0x1000, 1)) for cores in WORMHOLE_DRAM]
    assert kept == [bytes((group,)) for group in range(len(WORMHOLE_DRAM))]
    machine.close()


def test_dram_ends_where_wormholes_does(caplog: pytest.LogCaptureFixture) -> None:
    machine = Machine(engine="reference", arch=Arch.WORMHOLE)
    chip, core, end = Chip({TILE: machine}), WORMHOLE_DRAM[1][0], DRAM_END[1]
    chip.perform(Message(Command.WRITE, core, end - 4, 0, b"abcd"))
    assert chip.perform(Message(Command.READ, core, end - 4, 4)) == b"abcd"
    chip.perform(Message(Command.WRITE, core, end, 0, b"abcd"))
    assert chip.perform(Message(Command.READ, core, end, 4)) == bytes(4)
    assert caplog.text.count("its memory ends at 0x80000000") == 2
    machine.close()


def test_what_the_host_reads_of_its_tile_is_kept(tmp_path: Path) -> None:
    machine = Machine(engine="reference", arch=Arch.WORMHOLE)
    capture = RunCapture(machine, tmp_path, TILE)
    capture.before_message(Message(Command.WRITE, TILE, 0, 0, bytes(4)))
    capture.on_reset_change(T_CORES, 0)
    capture.after_message(Message(Command.READ, TILE, 0x100, 4), b"read")
    capture.after_message(Message(Command.READ, (2, 1), 0x200, 4), b"else")
    capture.end()
    kept = json.loads((tmp_path / "run-1.json").read_text())
    assert kept["reads"] == {str(0x100): b"read".hex()}
    machine.close()
