# SPDX-License-Identifier: Apache-2.0
"""The view of the history: the timeline of some cycles as `run --trace` writes it, changes of a
word, where a value came from.

A copy of the tile goes through these cycles again, in a thread, so the tile is not disturbed and
its clients are served meanwhile. The file is what Perfetto takes; the page draws the same one.
"""

from __future__ import annotations

import io

import trio

from tensix_gdb.core.history.checkpoints import capture
from tensix_gdb.core.history.copy import Replay
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.ask import Origins
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.chip.origins import answer, rerun_of
from tensix_gdb.gdbstub.tensix.chip.tiles import Tiles
from tensix_gdb.gdbstub.tensix.output.timeline_chrome import ChromeTimeline
from tensix_gdb.gdbstub.web.past.origins import found_in
from tensix_gdb.gdbstub.web.past.word import Walk, WordHistory

MOST_CYCLES = 1 << 20
OF_A_CHIP = (
    "timelines and histories of words are of a tile alone; `tensix-gdb bridge` without --tiles, or "
    "`run --trace`, has one"
)


class NoTimeline(Exception):
    """There is none; the message is one sentence."""


class OfTheChip:
    """The view of the history of a chip's tile: its history is one of all tiles. Origins go through
    requests to other tiles."""

    def __init__(self, tiles: Tiles, number: int) -> None:
        self._tiles, self._number = tiles, number
        self._turn = trio.Lock()
        self._is_closed = False

    async def of(self, first: int, last: int) -> str:
        """No timeline."""
        raise NoTimeline(OF_A_CHIP)

    async def word(self, hart: int, addr: int) -> WordHistory:
        """No changes."""
        raise NoTimeline(OF_A_CHIP)

    async def origin(self, words: list[str], *, running: bool) -> Origins:
        """As that of Timelines."""
        async with self._turn:
            if running:
                raise NoTimeline("the chip runs: stop it first")
            self._tiles.look_at_all()
            recorded = self._tiles.all[self._number].chip_history
            history = None if recorded is None else recorded.history
            if history is None:
                raise NoTimeline("nothing is recorded: switch the history on before the run")
            rerun = rerun_of(self._tiles.chip, history)
            return await trio.to_thread.run_sync(
                answer, rerun, self._number, words, lambda: self._is_closed
            )

    def close(self) -> None:
        """End a search."""
        self._is_closed = True


class Timelines:
    """Makes timelines of one tile, one after the other."""

    def __init__(self, machine: Machine, kept: TileHistory) -> None:
        self._machine = machine
        self._kept = kept
        self._copy: Machine | None = None
        self._turn = trio.Lock()
        self._is_closed = False

    async def of(self, first: int, last: int) -> str:
        """The Trace Event file of the cycles `first` to `last`. NoTimeline if the history does not
        have them."""
        history = self._kept.history
        if history is None:
            raise NoTimeline("nothing is recorded: switch the history on first")
        if last - first > MOST_CYCLES:
            raise NoTimeline(f"a timeline has {MOST_CYCLES} cycles at most")
        async with self._turn:
            replay = Replay(history, first, last)
            if not replay:
                raise NoTimeline(
                    f"the history has the cycles {history.start.cycle} to {history.end.cycle}"
                )
            return await trio.to_thread.run_sync(self._made, replay)

    async def word(self, hart: int, addr: int) -> WordHistory:
        """The changes of a word. NoTimeline if nothing is recorded."""
        history = self._kept.history
        if history is None:
            raise NoTimeline("nothing is recorded: switch the history on first")
        async with self._turn:
            last = history.end.cycle
            replay = Replay(history, max(history.start.cycle, last - MOST_CYCLES), last)
            walk = Walk(self._other(), hart, addr)
            return await trio.to_thread.run_sync(walk.through, replay)

    async def origin(self, words: list[str], *, running: bool) -> Origins:
        """Return where a value came from that the tile has now. NoTimeline if nothing is recorded,
        or it runs; TargetError with a sentence if the words name nothing."""
        if self._kept.history is None:
            raise NoTimeline("nothing is recorded: switch the history on first, and reset the tile")
        async with self._turn:
            history = self._kept.history
            if running or history is None:
                raise NoTimeline("the tile runs: stop it first")
            present = capture(self._machine)
            replay = Replay(history, history.start.cycle, present.at.cycle)
            if not replay:
                raise NoTimeline("the history does not have the cycle where the tile is")
            return await trio.to_thread.run_sync(
                found_in, self._other(), replay, present, words, lambda: self._is_closed
            )

    def _made(self, replay: Replay) -> str:
        copy = self._other()
        out = io.StringIO()
        # Words are those of the tile, which knows its programs.
        timeline = ChromeTimeline(self._machine, out)
        replay.run(copy, timeline.changes)
        timeline.close(replay.last)
        return out.getvalue()

    def _other(self) -> Machine:
        """The copy, with the programs of the tile."""
        if self._copy is None:
            self._copy = Machine(engine=self._machine.engine.kind, arch=self._machine.arch)
        self._copy.images[:] = self._machine.images
        self._copy.places.forget()
        return self._copy

    def close(self) -> None:
        """Give up the copy."""
        self._is_closed = True
        if self._copy is not None:
            self._copy.close()
