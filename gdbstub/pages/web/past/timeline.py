# SPDX-License-Identifier: Apache-2.0
"""The view of the history: the timeline of some cycles as `run --trace` writes it, changes of a
word, where a value came from.

A copy of the tile goes through these cycles again, in a thread, so the tile is not disturbed and
its clients are served meanwhile. The file is what Perfetto takes; the page draws the same one.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from typing import Any, Generic

import trio

from tensix_gdb.core.chip.chip import ChipStop
from tensix_gdb.core.chip.replayable import ChipHistory, ReplayableChip
from tensix_gdb.core.chip.snapshots import ChipState
from tensix_gdb.core.history import History, MachineHistory
from tensix_gdb.core.history.checkpoints import Checkpoint
from tensix_gdb.core.history.copy import Replay
from tensix_gdb.core.history.history import Past
from tensix_gdb.core.history.machine import ReplayableMachine
from tensix_gdb.core.history.replayable import Replayable, StateT, StopT
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.ask import Origins
from tensix_gdb.core.origin.of_chip import OfChip, copy_of
from tensix_gdb.core.origin.rerun import OfHistory, Rerun
from tensix_gdb.core.stop import Stop
from tensix_gdb.gdbstub.pages.report.beside import of_files
from tensix_gdb.gdbstub.pages.report.timelines import of_chrome
from tensix_gdb.gdbstub.pages.web.past.places import MOST_CYCLES as MOST_PLACES
from tensix_gdb.gdbstub.pages.web.past.places import Places
from tensix_gdb.gdbstub.pages.web.past.word import Walk, WordHistory
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.chip.tiles import Tiles
from tensix_gdb.gdbstub.tensix.origins.monitor import Wanted, found_by
from tensix_gdb.gdbstub.tensix.output.timeline_chrome import ChromeTimeline, Event

MOST_CYCLES = 1 << 20
NOTHING = "nothing is recorded: switch the history on first, and reset the tile"


class NoTimeline(Exception):
    """There is none; the message is one sentence."""


class PastOfTile(Generic[StateT, StopT]):
    """Return the views of the history of one tile, one after the other."""

    what = "tile"

    def __init__(self, machine: Machine, number: int = 0) -> None:
        self._machine, self._number = machine, number
        self._turn = trio.Lock()
        self._is_closed = False

    def _history(self) -> History[StateT, StopT] | None:
        """Return the history that the tile is part of."""
        raise NotImplementedError

    def _copied(self) -> AbstractContextManager[Replayable[StateT, StopT]]:
        """Make a copy of what has the history."""
        raise NotImplementedError

    def _rerun(self, past: Past[StateT]) -> AbstractContextManager[Rerun]:
        """Make a copy that runs again."""
        raise NotImplementedError

    def _recorded(self) -> History[StateT, StopT]:
        history = self._history()
        if history is None:
            raise NoTimeline(NOTHING)
        return history

    async def of(self, first: int, last: int, *, places: bool = False) -> str:
        """Return the Trace Event file of the cycles `first` to `last`, with `places` also which
        lines harts and units are at, and what the Tensix instructions of a line wait for.
        NoTimeline if the history does not have them."""
        self._recorded()
        async with self._turn:
            replay = self._replay(first, last)
            return await trio.to_thread.run_sync(self._made, replay, places)

    def now(self, first: int, last: int) -> str:
        """Return the same with places, where nothing else runs meanwhile."""
        return self._made(self._replay(first, last), True)

    def origin_now(
        self, words: list[str], is_interrupted: Callable[[], bool] = lambda: False
    ) -> Origins:
        """Return where a value came from, where nothing else runs meanwhile."""
        return self._found(self._recorded().past_of_here(), words, is_interrupted)

    def _replay(self, first: int, last: int) -> Replay[StateT, StopT]:
        history = self._recorded()
        if last - first > MOST_CYCLES:
            raise NoTimeline(f"a timeline has {MOST_CYCLES} cycles at most")
        replay = Replay(history, first, last)
        if not replay:
            raise NoTimeline(
                f"the history has the cycles {history.first_cycle} to {history.last_cycle}"
            )
        return replay

    async def word(self, hart: int, addr: int) -> WordHistory:
        """Return the changes of a word. NoTimeline if nothing is recorded."""
        history = self._recorded()
        async with self._turn:
            last = history.end.cycle
            replay = Replay(history, max(history.first_cycle, last - MOST_CYCLES), last)
            return await trio.to_thread.run_sync(self._walked, replay, hart, addr)

    async def origin(self, words: list[str], *, running: bool) -> Origins:
        """Return where a value came from that the tile has now. NoTimeline if nothing is recorded,
        or it runs; TargetError with a sentence if the words name nothing."""
        self._recorded()
        async with self._turn:
            if running:
                raise NoTimeline(f"the {self.what} runs: stop it first")
            past = self._recorded().past_of_here()
            return await trio.to_thread.run_sync(self._found, past, words)

    def _made(self, replay: Replay[StateT, StopT], with_places: bool) -> str:
        out = io.StringIO()
        has_places = with_places and replay.last - replay.first <= MOST_PLACES
        events: list[Event] = []
        # Words are those of the tile, which knows its programs.
        timeline = ChromeTimeline(self._machine, out, events.append if has_places else None)
        places = Places(self._machine, timeline.changes)
        with self._copied() as copy:
            replay.run(copy, places.changes, self._number, places=has_places)

        def more() -> dict[str, Any]:
            if not has_places:
                return {}
            return {"places": places.as_json(), "waits": of_files(of_chrome(events), waited=True)}

        timeline.close(replay.last, more)
        return out.getvalue()

    def _walked(self, replay: Replay[StateT, StopT], hart: int, addr: int) -> WordHistory:
        with self._copied() as copy:
            return Walk(copy, self._number, hart, addr).through(replay)

    def _found(
        self,
        past: Past[StateT],
        words: list[str],
        is_interrupted: Callable[[], bool] = lambda: False,
    ) -> Origins:
        with self._rerun(past) as rerun:
            return found_by(
                *(rerun.machines[self._number], rerun, Wanted(words)),
                lambda: self._is_closed or is_interrupted(),
                tile=self._number,
            )

    def close(self) -> None:
        """End a search."""
        self._is_closed = True


class Timelines(PastOfTile[Checkpoint, Stop]):
    """Of a tile alone. Its copy is kept for the next question."""

    def __init__(self, machine: Machine, kept: TileHistory) -> None:
        super().__init__(machine)
        self._kept = kept
        self._copy: Machine | None = None

    def _history(self) -> MachineHistory | None:
        return self._kept.history

    def _other(self) -> Machine:
        """Return the copy, with the programs of the tile."""
        if self._copy is None:
            self._copy = Machine(engine=self._machine.engine.kind, arch=self._machine.arch)
        self._copy.images[:] = self._machine.images
        self._copy.places.forget_files()
        return self._copy

    def _copied(self) -> AbstractContextManager[ReplayableMachine]:
        return nullcontext(ReplayableMachine(self._other()))

    def _rerun(self, past: Past[Checkpoint]) -> AbstractContextManager[Rerun]:
        rerun = OfHistory(self._other(), past)
        rerun.put_back()
        return nullcontext(rerun)

    def close(self) -> None:
        """Give up the copy."""
        super().close()
        if self._copy is not None:
            self._copy.close()


class OfTheChip(PastOfTile[ChipState, ChipStop]):
    """Of a tile of a chip; its history is one of all tiles: origins go through requests to other
    tiles. A copy of the chip is made for each question: pages of many tiles may be open."""

    what = "chip"

    def __init__(self, tiles: Tiles, number: int) -> None:
        super().__init__(tiles.all[number].machine, number)
        self._tiles = tiles

    def _history(self) -> ChipHistory | None:
        recorded = self._tiles.all[self._number].chip_history
        return None if recorded is None else recorded.history

    @contextmanager
    def _copied(self) -> Iterator[ReplayableChip]:
        with closing(copy_of(self._tiles.chip)) as copy:
            yield ReplayableChip(copy)

    def _rerun(self, past: Past[ChipState]) -> AbstractContextManager[Rerun]:
        return closing(OfChip(copy_of(self._tiles.chip), past))
