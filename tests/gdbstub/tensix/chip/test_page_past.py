# SPDX-License-Identifier: Apache-2.0
"""The past of a tile of a chip in its page: its timeline, and the changes of a word."""

from __future__ import annotations

import pytest
import trio

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.replayable import ReplayableChip
from tensix_gdb.core.history.copy import Replay
from tensix_gdb.core.origin.of_chip import copy_of
from tensix_gdb.core.timeline.tracer import Change
from tensix_gdb.gdbstub.pages.web.past.timeline import NoTimeline, OfTheChip
from tensix_gdb.gdbstub.tensix.chip.history import RecordedChip
from tensix_gdb.gdbstub.tensix.chip.tiles import Tiles
from tests.core.chip.programs import RESULT, word
from tests.gdbstub.tensix.chip import test_origin
from tests.gdbstub.tensix.chip.test_target import FAR

loaded = test_origin.loaded
UNUSED = 0x20000


@pytest.fixture
def tiles(loaded: Chip) -> Tiles:
    """With a history that has an input."""
    tiles = Tiles(loaded)
    recorded = RecordedChip(tiles)
    recorded.record(True)
    recorded.run(700)
    recorded.comes_to_rest()
    loaded.tiles[FAR].poke(B, UNUSED, b"\5")
    recorded.run(1300)
    recorded.comes_to_rest()
    return tiles


def test_a_copy_sees_what_the_tile_does(tiles: Tiles, loaded: Chip) -> None:
    history, before = tiles.all[1].chip_history, loaded.hash()
    assert history is not None
    assert history.history is not None
    copy, plain = copy_of(loaded), copy_of(loaded)
    again: list[Change] = []
    Replay(history.history, 300, 2000).run(ReplayableChip(copy), again.extend, 1)
    plain.restore(history.history.past_of_here().starts[0])
    seen: list[Change] = []
    plain.run(300)
    plain.tiles[FAR].trace(seen.extend)
    plain.run(1700)
    plain.tiles[FAR].trace(None)
    assert len(seen) > 20
    assert again == seen
    assert loaded.hash() == before
    copy.close()
    plain.close()


def test_what_the_page_gets(tiles: Tiles, loaded: Chip) -> None:
    page, before = OfTheChip(tiles, 1), loaded.hash()
    assert '"ph": "X"' in trio.run(page.of, 0, 2000).replace('"ph":"X"', '"ph": "X"')
    with pytest.raises(NoTimeline, match="the history has the cycles 0 to 2000"):
        trio.run(page.of, 2001, 2100)
    changes = trio.run(page.word, B, RESULT).changes
    assert [change.value for change in changes] == [0x1234]
    (at_input,) = trio.run(page.word, B, UNUSED).changes
    assert (at_input.cycle, at_input.value) == (700, 5)
    copy = copy_of(loaded)
    recorded = tiles.all[1].chip_history
    assert recorded is not None
    assert recorded.history is not None
    copy.restore(recorded.history.past_of_here().starts[0])
    copy.run(changes[0].cycle - 1)
    assert word(copy, FAR, RESULT) == 0
    copy.run(1)
    assert word(copy, FAR, RESULT) == 0x1234
    assert loaded.hash() == before
    copy.close()
