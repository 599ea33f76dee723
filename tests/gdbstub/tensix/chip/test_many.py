# SPDX-License-Identifier: Apache-2.0
"""A whole chip with a client: what it costs depends on the tiles that the client looks at."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.gdbstub.host.simulator.grid import places_of
from tensix_gdb.gdbstub.protocol.sharing.waking import WakingTile
from tensix_gdb.gdbstub.tensix.chip.target import chip_target
from tests.assembler import SPIN, image
from tests.core.chip.programs import SEMAPHORE, wait_for
from tests.gdbstub.tensix.chip.test_target import MULTI, PROGRAM, run, sent
from tests.gdbstub.tiles import Client

TILES = 140
BUSY = 7  # the number of the one tile that works
ASLEEP = 20_000  # cycles after which tiles that poll sleep
THREAD_BYTES = 130  # of the document of threads, for each


@pytest.fixture(scope="module")
def asleep() -> Iterator[Chip]:
    """140 tiles, of which all but one poll."""
    chip = Chip(places_of("14x10"), engine="compiled")
    for number, tile in enumerate(chip.tiles.values()):
        words = PROGRAM if number == BUSY else [*wait_for(SEMAPHORE, 1), SPIN]
        tile.load(B, image(words, 0))
    assert chip.run(ASLEEP, lazy=True) is None
    yield chip
    chip.close()


def counted(chip: Chip, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of tiles that are woken from now on."""
    woken: list[int] = []
    plain = chip._wake

    def wake(number: int) -> None:
        woken.append(number)
        plain(number)

    monkeypatch.setattr(chip, "_wake", wake)
    return woken


def test_a_client_wakes_each_tile_once_and_then_those_that_it_looks_at(
    asleep: Chip, monkeypatch: pytest.MonkeyPatch
) -> None:
    woken = counted(asleep, monkeypatch)
    client = Client(WakingTile(chip_target(asleep), asleep.wake_all))
    said = [sent(client, packet) for packet in (MULTI, "?", "vAttach;1", "g")]
    assert len(woken) <= TILES + 2
    assert sum(len(one) for one in said[-1]) < 1000
    woken.clear()
    run(client, "vCont;c:p1.-1", ASLEEP)
    client.session.interrupt()
    assert len(woken) <= 2 * TILES + 4, "which of them a client held is not known before"
    woken.clear()
    client.session.end()


def test_slices_of_a_run_wake_nobody(asleep: Chip, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(WakingTile(chip_target(asleep), asleep.wake_all))
    client.send_only(MULTI)
    other = Client(client.tile, "other")
    other.send_only(MULTI)
    run(client, "vCont;c", ASLEEP)
    tile = client.tile
    assert tile.running
    woken = counted(asleep, monkeypatch)
    for _ in range(10):
        assert not tile.advance()
    assert woken == []
    assert len(sent(other, "g")[0]) > 200
    assert not tile.advance()
    assert set(woken) == {0}
    client.session.interrupt()
    other.session.end()
    client.session.end()


def test_all_threads_of_all_tiles_take_one_document(asleep: Chip) -> None:
    client = Client(WakingTile(chip_target(asleep), asleep.wake_all))
    client.send_only(MULTI)
    for number in range(2, TILES + 1):
        assert sent(client, f"vAttach;{number:x}")[0].startswith(b"T")
    document, at = b"", 0
    while True:
        (piece,) = sent(client, f"qXfer:threads:read::{at:x},3000")
        document += piece[1:]
        at += len(piece) - 1
        if piece[:1] == b"l":
            break
    assert document.count(b"<thread ") == 8 * TILES
    assert len(document) < THREAD_BYTES * 8 * TILES
    client.session.end()


def test_looking_changes_nothing(asleep: Chip) -> None:
    begin = asleep.capture()
    assert asleep.run(3 * ASLEEP) is None
    expected, end = asleep.hash(), asleep.cycle
    asleep.restore(begin)
    client = Client(WakingTile(chip_target(asleep), asleep.wake_all))
    for packet in (MULTI, "vAttach;1", "vAttach;8", "vAttach;50"):
        client.send_only(packet)
    came = run(client, "vCont;c", 0)
    for number in range(30):
        client.tile.advance_to(begin.cycle + (number + 1) * (end - begin.cycle) // 30)
        sent(client, f"Hgp{(8, 50)[number % 2]:x}.{(57, 393)[number % 2]:x}")
        sent(client, "g")
    assert asleep.cycle == end, came
    client.session.interrupt()
    assert asleep.hash() == expected
    client.session.end()
