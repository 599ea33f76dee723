# SPDX-License-Identifier: Apache-2.0
"""The viewers of a page: a frame for all of them, at most twenty a second.

While there is no viewer, no frame is taken. A viewer remembers the last frame that it was sent, and
gets what is new since then; one that is slow misses frames and gets larger changes, so its memory
is bounded by one frame, however slow it is.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import perf_counter

import trio

from tensix_gdb.gdbstub.pages.web.frames import Frame

log = logging.getLogger(__name__)

SECONDS = 0.05  # between two frames
SHARE = 5  # wait so many times as long as a frame took
STANDING_SECONDS = 0.5  # between two frames while it is stopped and nothing was heard of


class Viewer:
    """One viewer: `news` is set when there is a frame that it was not sent."""

    def __init__(self) -> None:
        self.news = trio.Event()


class Viewers:
    """All viewers, and the newest frame. `take` makes one; `running` tells if the tile runs."""

    def __init__(self, take: Callable[[], Frame], running: Callable[[], bool]) -> None:
        self._take = take
        self._running = running
        self._all: set[Viewer] = set()
        self._changed = trio.Event()
        self.frame: Frame | None = None
        self.taken = 0  # how many frames there were

    def __len__(self) -> int:
        return len(self._all)

    def join(self) -> Viewer:
        """Add a viewer."""
        viewer = Viewer()
        self._all.add(viewer)
        self.frame = None  # of before it looked
        self.changed()
        return viewer

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer."""
        self._all.discard(viewer)

    def changed(self) -> None:
        """Note that something has happened to the tile or its clients."""
        self._changed.set()

    async def run(self) -> None:
        """Take frames while there are viewers."""
        while True:
            if not self._all:
                await self._changed.wait()
            elif not self._running():
                with trio.move_on_after(STANDING_SECONDS):
                    await self._changed.wait()
            self._changed = trio.Event()
            start = perf_counter()
            if self._all:
                self._show()
            # A picture of a large chip takes longer: it may have a share of the time, no more.
            await trio.sleep(max(SECONDS, SHARE * (perf_counter() - start)))

    def _show(self) -> None:
        try:
            frame = self._take()
        except Exception:
            # A picture that cannot be drawn is no reason to end what others debug.
            log.exception("a defect of ours: the page shows an old picture")
            return
        self.taken += 1
        if frame == self.frame:
            return
        self.frame = frame
        for viewer in self._all:
            viewer.news.set()
            viewer.news = trio.Event()
