# SPDX-License-Identifier: Apache-2.0
"""Frames and what is new in them; who takes them, and when."""

from __future__ import annotations

from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from tensix_gdb.gdbstub.pages.web.frames import changes
from tensix_gdb.gdbstub.pages.web.viewers import Viewers

FRAMES = st.builds(
    lambda cycle, cells: {"cycle": cycle, "cells": {"mutexes": 0, **cells}},
    st.integers(0, 3),
    st.fixed_dictionaries({"hart-1": st.integers(0, 2), "gate-0": st.integers(0, 2)}),
)


@given(st.lists(FRAMES, min_size=1, max_size=8))
def test_changes_put_together_are_the_frame(frames: list[dict[str, Any]]) -> None:
    shown: dict[str, Any] = {}
    sent = None
    for frame in frames:
        change = changes(sent, frame)
        assert bool(change) is (frame != sent)
        shown = {**shown, **change, "cells": {**shown.get("cells", {}), **change.get("cells", {})}}
        sent = frame
        assert shown == frame


class Tile:
    """Counts how often it was looked at; each look finds another cycle while it runs."""

    def __init__(self) -> None:
        self.looks = 0
        self.running = False

    def take(self) -> dict[str, Any]:
        self.looks += 1
        return {"cycle": self.looks if self.running else 0, "cells": {}}


@pytest.mark.parametrize(("running", "most"), [(True, 21), (False, 3)])
async def test_how_often(autojump_clock: trio.testing.MockClock, running: bool, most: int) -> None:
    tile = Tile()
    tile.running = running
    viewers = Viewers(tile.take, lambda: tile.running)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(viewers.run)
        await trio.sleep(10)
        assert tile.looks == 0  # nobody looks
        viewer = viewers.join()
        await trio.sleep(1)
        assert 2 <= tile.looks <= most
        viewers.leave(viewer)
        looks = tile.looks
        await trio.sleep(10)
        assert tile.looks <= looks + 1
        nursery.cancel_scope.cancel()


async def test_a_viewer_hears_of_each_new_frame(autojump_clock: trio.testing.MockClock) -> None:
    tile = Tile()
    tile.running = True
    viewers = Viewers(tile.take, lambda: tile.running)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(viewers.run)
        viewer = viewers.join()
        seen = []
        for _ in range(5):
            await viewer.news.wait()
            assert viewers.frame is not None
            seen.append(viewers.frame["cycle"])
        assert seen == [1, 2, 3, 4, 5]
        nursery.cancel_scope.cancel()
