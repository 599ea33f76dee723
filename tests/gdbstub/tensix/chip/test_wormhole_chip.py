# SPDX-License-Identifier: Apache-2.0
"""Two tiles of Wormhole for clients: what chapters have of Blackhole's tiles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import trio

from scripts.chiptime.flows import Flow, measure
from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.arch.chips import WORMHOLE
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.recording import ChipRecording, save
from tensix_gdb.core.chip.replayable import begin_chip_history
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.links.multicast import RELEASE, RESERVE
from tensix_gdb.core.noc.request import on_link
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.pages.web.past.origins import for_page
from tensix_gdb.gdbstub.pages.web.past.timeline import OfTheChip
from tensix_gdb.gdbstub.pages.web.sources import Sources
from tensix_gdb.gdbstub.tensix.chip.corefile import core_of_chip, shown_chip
from tensix_gdb.gdbstub.tensix.chip.history import RecordedChip
from tensix_gdb.gdbstub.tensix.chip.tiles import Tiles
from tests.assembler import SPIN, asm, image, li
from tests.core.chip.programs import (
    ATOMIC,
    COPY,
    DATA,
    INCREMENT,
    MARKED,
    READ,
    RESULT,
    SEMAPHORE,
    WRITE,
    copy_word,
    store,
    wait_for,
)
from tests.core.wormhole.test_noc_requests import place
from tests.core.wormhole.test_noc_requests import request as steps
from tests.gdbstub.tensix.chip.test_target import client_of, heard, monitor, run, sent

PLACES = NEAR, FAR = (1, 1), (2, 1)
CMD_CTRL, OUTSTANDING = 0xFFB20028, 0xFFB20240  # the second of transaction id 0
WAITS = [asm("addi", rd=5, rs1=5, imm=1)] * 60


def request(ctrl: int, targ: int, targ_at: int, ret: int, ret_at: int, length: int) -> list[int]:
    """Store what starts a request on NoC 0."""
    more = {"targ_at": targ_at, "ret_at": ret_at, "data": 1}
    return [
        word
        for step in steps(ctrl, targ, ret, length, **more)
        for word in store(step.addr, step.value)
    ]


def barrier() -> list[int]:
    """Wait until the last request was taken, and nothing is outstanding."""
    back = [asm("lw", rd=11, rs1=10), asm("bne", rs1=11, rs2=0, imm=-4)]
    return [*li(10, CMD_CTRL), *back, *li(10, OUTSTANDING), *back]


def made() -> Chip:
    return Chip(PLACES, engine="compiled", schedule=Schedule.LATENCY, arch=Arch.WORMHOLE)


@pytest.fixture
def loaded() -> Iterator[Chip]:
    """The near tile stores a word, the far one reads it over the NoC and copies it."""
    chip = made()
    chip.tiles[NEAR].load(B, image([*store(DATA, 0x1234), SPIN], 0))
    reads = request(READ, DATA, place(*NEAR), COPY, place(*FAR), 64)
    words = [*WAITS, *reads, *barrier(), *copy_word(COPY, RESULT), SPIN]
    chip.tiles[FAR].load(B, image(words, 0))
    yield chip
    chip.close()


@pytest.mark.parametrize("ordered", [False, True])
def test_a_race_between_two_tiles(ordered: bool) -> None:
    """Data and signal go on channels that the NIU chooses: nothing but a barrier orders them."""
    chip = made()
    chip.observe_races(strict=True, checks=())
    words = request(WRITE | MARKED, DATA, place(*NEAR), COPY, place(*FAR), 512)
    words += barrier() if ordered else []
    words += request(ATOMIC | MARKED, SEMAPHORE, place(*FAR), 0, place(*NEAR), INCREMENT)
    chip.tiles[NEAR].load(B, image([*words, SPIN], 0))
    waits = wait_for(SEMAPHORE, 1) + copy_word(COPY + 508, RESULT)
    chip.tiles[FAR].load(B, image([*waits, SPIN], 0))
    assert chip.run(4000) is None
    found = [report for each in chip.races().values() for report in each.reports]
    chip.close()
    assert len(found) == (0 if ordered else 1)
    for report in found:
        assert {report.earlier.agent, report.later.agent} == {"B", "NoC 0 of tile (1, 1)"}


def test_processes_views_and_origins_in_gdb(loaded: Chip) -> None:
    client = client_of(loaded)
    monitor(client, "record on")
    run(client, "vCont;c", 3000)
    client.session.interrupt()
    heard(client)
    last, before = loaded.cycle, loaded.hash()
    grid = monitor(client, "chip")
    assert "2 tiles." in grid
    assert "x=1    x=2" in grid
    assert "No request is under way" in monitor(client, "noc")
    assert "1-1 B: " in monitor(client, "why all")
    sent(client, "Hgp2.9")
    said = monitor(client, f"origin {RESULT:#x}")
    assert said.startswith("2-1 L1 0xa000:4: 0x00001234")
    assert "written by sw of 1-1 B, " in said
    monitor(client, "goto 100")
    assert loaded.cycle == 100
    monitor(client, f"goto {last}")
    assert loaded.hash() == before


def test_recordings_and_core_files(loaded: Chip, tmp_path: Path) -> None:
    history = begin_chip_history(loaded, note=lambda kept: None)
    history.run(2000)
    path, last = tmp_path / "chip.recording", loaded.hash()
    save(path, loaded, history)
    again = ChipRecording(path)
    played = again.chip(engine="compiled")
    assert played.arch is Arch.WORMHOLE
    assert list(again.play(played))[-1] == 2000
    assert played.hash() == last
    played.close()
    core = tmp_path / "chip.core"
    core.write_bytes(core_of_chip(loaded, "taken by a test"))
    assert f"2 tiles of a Wormhole chip in cycle 2000, schedule latency, hash {last}" in next(
        shown_chip(str(core))
    )


def test_origins_in_the_page(loaded: Chip) -> None:
    tiles = Tiles(loaded)
    recorded = RecordedChip(tiles)
    recorded.record(True)
    recorded.run(3000)
    recorded.comes_to_rest()
    found = trio.run(partial(OfTheChip(tiles, 1).origin, [f"{RESULT:#x}"], running=False))
    sources = {tile.name: Sources(tile.machine) for tile in tiles.all}
    nodes = for_page(found, sources.__getitem__, "2-1")["nodes"]
    assert nodes[0]["title"] == "2-1 L1 0xa000:4: 0x00001234"
    assert any(node["tile"] == "1-1" and "sw of 1-1 B" in node["lines"][0] for node in nodes)


def test_multicasts_reserve_their_path_one_after_the_other() -> None:
    """As a card, which has 40.0 cycles for each of 256 to 2x2 tiles from a corner (noc.reserve)."""
    flow = Flow(*((1, 1), (1, 1), 64, 16), last=(2, 2), loopback=True, receivers=4, chip=WORMHOLE)
    few, many = (measure([replace(flow, count=count)])[0] for count in (16, 48))
    assert (many - few) / 32 == 2 * RESERVE + on_link(2) + RELEASE == 40
