# SPDX-License-Identifier: Apache-2.0
"""A copy of a tile goes through a part of its history, for one that wants to see it again.

    replay = Replay(history, first, last)      beside the tile
    replay.run(copy, sink)                     anywhere, in another thread too

The tile itself is as it was. The copy answers no semihosting calls, so it ends at the first.
"""

from __future__ import annotations

from tensix_gdb.core.history.checkpoints import restore
from tensix_gdb.core.history.machine import MachineHistory
from tensix_gdb.core.history.replay import run_to_cycle
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.timeline.tracer import Sink


class Replay:
    """The cycles `first` to `last` of a history; False in a condition if it does not have them."""

    def __init__(self, history: MachineHistory, first: int, last: int) -> None:
        self.first, self.last = first, last
        # From which state, and up to which cycle; an input is between two of them.
        self.pieces = history.pieces(first, last)

    def __bool__(self) -> bool:
        return bool(self.pieces)

    def run(self, copy: Machine, sink: Sink) -> None:
        """Give what changes in these cycles to the sink; everything is a change at the first."""
        for number, (checkpoint, end) in enumerate(self.pieces):
            restore(copy, checkpoint)
            if not number:
                run_to_cycle(copy, self.first)
                copy.trace(sink)
            run_to_cycle(copy, end, traced=True)
        copy.trace(None)
