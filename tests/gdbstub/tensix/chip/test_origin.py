# SPDX-License-Identifier: Apache-2.0
"""`monitor origin` of a chip, of its recording and in its pages: through a request to the tile that
the data comes from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import trio

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.recording import save
from tensix_gdb.core.chip.replayable import begin_chip_history
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.pages.web.past.origins import for_page
from tensix_gdb.gdbstub.pages.web.past.timeline import NoTimeline, OfTheChip
from tensix_gdb.gdbstub.pages.web.sources import Sources
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.chip.history import RecordedChip
from tensix_gdb.gdbstub.tensix.chip.tiles import Tiles
from tests.assembler import SPIN, asm, image
from tests.core.chip.programs import (
    COPY,
    DATA,
    READ,
    RESULT,
    at,
    barrier,
    copy_word,
    request,
    store,
)
from tests.gdbstub.tensix.chip.test_target import FAR, NEAR, client_of, heard, monitor, run, sent

WAITS = [asm("addi", rd=5, rs1=5, imm=1)] * 60
READS = request(READ, DATA, at(NEAR), COPY, at(FAR), 64)
STORED = """\
        1-2 L1 0x8000:4: 0x00001234
          written by sw of 1-2 B, 0x00000010, in cycle"""


@pytest.fixture
def loaded() -> Iterator[Chip]:
    """The near tile stores a word, the far one reads it over the NoC and copies it."""
    chip = Chip((NEAR, FAR), engine="compiled")
    chip.tiles[NEAR].load(B, image([*store(DATA, 0x1234), SPIN], 0))
    reader = [*WAITS, *READS, *barrier(0), *copy_word(COPY, RESULT), SPIN]
    chip.tiles[FAR].load(B, image(reader, 0))
    yield chip
    chip.close()


def test_in_gdb(loaded: Chip) -> None:
    client = client_of(loaded)
    sent(client, "Hgp2.9")
    assert "nothing is recorded" in monitor(client, f"origin {RESULT:#x}")
    monitor(client, "record on")
    run(client, "vCont;c", 2000)
    client.session.interrupt()
    heard(client)
    before = loaded.hash()
    said = monitor(client, f"origin {RESULT:#x}")
    assert said.startswith("2-2 L1 0xa000:4: 0x00001234\n  written by sw of 2-2 B, ")
    assert STORED.strip().splitlines()[0] in said
    assert "written by sw of 1-2 B, 0x00000010, in cycle" in said
    assert loaded.hash() == before
    sent(client, "Hgp1.1")
    assert monitor(client, f"origin 2-2 {RESULT:#x}") == said
    assert "nothing has written it" in monitor(client, f"origin {RESULT:#x}")
    tree = json.loads(monitor(client, f"origin 2-2 {RESULT:#x} --json"))["origins"][0]
    while tree["tile"] == "2-2" and "request" not in tree["by"]:
        (tree,) = tree["made_of"]
    assert tree["made_of"][0]["tile"] == "1-2"
    assert "there is no tile 7-7" in monitor(client, f"origin 7-7 {RESULT:#x}")
    assert "there is no NaN" in monitor(client, "origin 2-2 nan")
    assert "origin [X-Y] PLACE" in monitor(client, "help")


@pytest.mark.parametrize("packet", ["vCont;s:p2.9", "vCont;s:p2.9;c"])
def test_after_a_step_of_one_hart(loaded: Chip, packet: str) -> None:
    """The others stand, or are up to a quantum ahead."""
    client = client_of(loaded)
    monitor(client, "record on")
    run(client, "vCont;c", 900)
    client.session.interrupt()
    heard(client)
    for _ in range(2):
        run(client, packet)
    sent(client, "Hgp2.9")
    before = loaded.hash()
    assert "written by sw of 1-2 B, 0x00000010" in monitor(client, f"origin {RESULT:#x}")
    assert loaded.hash() == before


def test_of_a_recording(loaded: Chip, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    history = begin_chip_history(loaded, note=lambda kept: None)
    history.run(2000)
    file = tmp_path / "chip.recording"
    save(file, loaded, history)
    words = ["origin", "--recording", str(file), f"{RESULT:#x}"]
    assert main([*words, "--of-tile", "2-2"]) == 0
    said = capsys.readouterr().out
    assert "equal: 2 tiles, 2000 cycles" in said
    assert "written by sw of 1-2 B, 0x00000010, in cycle" in said
    assert main([*words, "--of-tile", "2-2", "--last", "100", "--brief"]) == 0
    said = capsys.readouterr().out
    assert "cycles 0 to 2000 can be gone back to" in said, "the host has changed nothing since"
    assert "called from" not in said
    assert main([*words, "--of-tile", "2-2", "--last", "0"]) != 0
    assert "--last is for the end of a --recording" in capsys.readouterr().err
    assert main(words) != 0
    assert "name the tile, --of-tile X-Y: the recording has 1-2, 2-2" in capsys.readouterr().err


def test_in_the_page(loaded: Chip) -> None:
    tiles = Tiles(loaded)
    recorded = RecordedChip(tiles)
    ask = partial(OfTheChip(tiles, 1).origin, [f"{RESULT:#x}"])
    with pytest.raises(NoTimeline, match="nothing is recorded"):
        trio.run(partial(ask, running=False))
    recorded.record(True)
    recorded.run(2000)
    recorded.comes_to_rest()
    with pytest.raises(NoTimeline, match="the chip runs"):
        trio.run(partial(ask, running=True))
    found = trio.run(partial(ask, running=False))
    sources = {tile.name: Sources(tile.machine) for tile in tiles.all}
    nodes = for_page(found, sources.__getitem__, "2-2")["nodes"]
    assert nodes[0]["title"] == "2-2 L1 0xa000:4: 0x00001234"
    assert nodes[0]["tile"] == ""
    assert any(node["tile"] == "1-2" and "sw of 1-2 B" in node["lines"][0] for node in nodes)
    with pytest.raises(TargetError, match="is no place"):
        trio.run(partial(OfTheChip(tiles, 1).origin, ["hello"], running=False))
