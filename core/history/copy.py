# SPDX-License-Identifier: Apache-2.0
"""A copy of a tile or chip goes through a part of its history, for one that wants to see it again.

    replay = Replay(history, first, last)      beside the tile
    replay.run(copy, sink)                     anywhere, in another thread too

The tile itself is as it was. The copy answers no semihosting calls, so it ends at the first.
"""

from __future__ import annotations

from typing import Generic

from tensix_gdb.core.history.history import History
from tensix_gdb.core.history.replayable import Replayable, StateT, StopT
from tensix_gdb.core.timeline.tracer import Sink


class Replay(Generic[StateT, StopT]):
    """The cycles `first` to `last` of a history; False in a condition if it does not have them."""

    def __init__(self, history: History[StateT, StopT], first: int, last: int) -> None:
        self.first, self.last = first, last
        # From which state, and up to which cycle; an input is between two of them.
        self.pieces = history.pieces(first, last)

    def __bool__(self) -> bool:
        return bool(self.pieces)

    def run(
        self, copy: Replayable[StateT, StopT], sink: Sink, tile: int = 0, *, places: bool = False
    ) -> None:
        """Give what changes in these cycles of a tile to the sink, with `places` also where it is;
        everything is a change at the first."""
        machine = copy.machines[tile]
        for number, (state, end) in enumerate(self.pieces):
            copy.restore(state)
            if not number:
                copy.run_to(self.first)
                machine.trace(sink, places=places)
            copy.run_to(end, traced=True)
        machine.trace(None)
