# SPDX-License-Identifier: Apache-2.0
"""`simulator --arch wormhole`: the description of the chip, and a tile of it."""

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
from tensix_gdb.gdbstub.host.simulator.grid import places_of
from tensix_gdb.gdbstub.host.simulator.grid_wormhole import COLUMNS, ROWS, TILE, soc_descriptor
from tensix_gdb.gdbstub.host.simulator.host_memory import HostMemory
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
    workers = re.findall(r"\d+-\d+", said.partition("functional_workers:")[2].partition("]")[0])
    assert len(workers) == 80
    assert workers[:5] == ["1-1", "2-1", "3-1", "4-1", "6-1"]
    assert workers[-1] == "9-11"
    assert f"worker_l1_size: {L1_BYTES}\n" in said
    cores = re.findall(r"\b\d+-\d+\b", said)
    assert len(cores) == len(set(cores)) == COLUMNS * ROWS
    assert " --arch wormhole " in (tmp_path / "serve.sh").read_text()


def test_a_grid_of_tiles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """tt-metal takes it with variables, which are said; row 6 is one of Ethernet."""
    assert main(["simulator", str(tmp_path), "--arch", "wormhole", "--tiles", "5x6"]) == 0
    assert "TT_METAL_CORE_GRID_OVERRIDE_TODEPRECATE=4,5 " in capsys.readouterr().out
    assert main(["simulator", str(tmp_path), "--arch", "wormhole", "--tiles", "9x1"]) != 0
    assert "from 1x1 to 8x10" in capsys.readouterr().err
    tiles = places_of("5x6", Arch.WORMHOLE)
    assert (tiles[0], tiles[4], tiles[-1]) == ((1, 1), (6, 1), (6, 7))
    assert len(tiles) == 30


def test_a_view_for_each_channel_of_dram() -> None:
    """Twelve of 1 GiB: the two of a group by ports of their own, the second after the first."""
    said = soc_descriptor(places_of("8x8", Arch.WORMHOLE))
    views = re.findall(
        r"channel: (\d), .*worker_endpoint: \[ (\d), \d \], address_offset: (\d+)", said
    )
    assert len(views) == 12
    assert [int(group) for group, _, _ in views] == [number // 2 for number in range(12)]
    assert {int(offset) for _, _, offset in views} == {0, 1 << 30}
    assert len({(group, port) for group, port, _ in views}) == 12
    assert "dram_view_size: 1073741824\n" in said


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


class Link:
    """The host's end, which notes where it is asked."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def read_host(self, addr: int, size: int, chip: int = 0) -> bytes:
        self.asked.append(addr)
        return bytes(size)

    def write_host(self, addr: int, data: bytes, chip: int = 0) -> None:
        self.asked.append(addr)


def test_a_host_is_asked_by_the_address_that_a_tile_gives() -> None:
    """WormholeB0 PCIExpressTile/README.md: what a tile has at 0x8_0000_0000 is the host's 0. The
    library knows which region of the iATU that is (pci.c)."""
    link = Link()
    HostMemory(link, 1).read(0x80, 4)
    HostMemory(link, 1).write(0x84, b"word")
    HostMemory(link).read(0x80, 4)
    assert link.asked == [0x8_0000_0080, 0x8_0000_0084, 0x80]
