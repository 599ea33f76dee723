# SPDX-License-Identifier: Apache-2.0
"""A tile as an end of requests between tiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tensix_gdb.core.clock.polling_rows import OFF
from tensix_gdb.core.engine.native import reach
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.noc_access import NocAccess
from tensix_gdb.core.noc.carried import Follower
from tensix_gdb.core.noc.coordinates import TENSIX
from tensix_gdb.core.noc.coordinates import at as place_at
from tensix_gdb.core.noc.request import BROADCAST, target
from tensix_gdb.core.noc.state import SLOTS


class Observer(Protocol):
    """Sees both ends of each request (races/tiles.py)."""

    def arrived(self, near: End, far: End, niu: int, slot: int) -> None:
        """A request is at a target."""

    def answered(self, near: End, far: End, niu: int, slot: int) -> None:
        """The answer of a target is back."""

    def forget_state(self) -> None:
        """The chip has another state."""


class End:
    """A tile as an end of requests."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.S = machine, machine.S
        self.l1 = machine.gates.l1  # what of its L1 is watched
        self.name = ""
        self.races: Observer | None = None
        self.follower: Follower | None = None
        self.watched = range(0)  # addresses of L1; a write of another tile there calls `on_write`
        self.on_write: Callable[[], None] = lambda: None
        self.memory = NocAccess(machine.record, machine.memory)
        self.record = record = machine.record
        layout = record.layout
        self.stages = record.row(layout.slot("noc", "stage"))
        self.dues = record.row(layout.slot("noc", "due")).cast("q")
        self.niu_words = record.row(layout.slot("niu", "word")).cast("I")
        self.helds = record.row(layout.slot("noc", "held"))
        self.nexts = record.row(layout.slot("noc", "next"))
        self.ctrls, self._targets, self._returns = (
            record.row(layout.slot("noc", name)).cast("I") for name in ("ctrl", "targ_at", "ret_at")
        )
        self._polling = record.row(layout.slot("polling", "state"))
        reach(record)
        # By NIU and coordinates: if a Tensix tile is there. No run changes it.
        self._tiles: dict[tuple[int, int], bool] = {}
        # By NIU, rectangle, SRC_INCLUDE: cycles to each receiver and back, and where it is. No run
        # changes them.
        self.ways: dict[tuple[int, int, int], dict[int, tuple[int, int, tuple[int, int]]]] = {}

    def there_of(self, at: int) -> int:
        """Return where a request goes, by its number among the slots of both NIUs."""
        return (self._targets if target(self.ctrls[at]) else self._returns)[at]

    def alone(self, at: int) -> bool:
        """True unless it is for other Tensix tiles, as `alone` of core/noc/order.py."""
        if self.helds[at] or self.ctrls[at] & BROADCAST:
            return False
        where = at // SLOTS, self.there_of(at)
        known = self._tiles.get(where)
        if known is None:
            niu, there = where
            known = self._tiles[where] = place_at(self.S, niu, there & 63, there >> 6) == TENSIX
        return not known

    def touched(self) -> None:
        """Let the proof that its harts poll (core/clock/polling.py) begin anew: memory changes."""
        self._polling[0] = OFF

    def is_plain(self) -> bool:
        """True if no observer wants to know what requests do in the tile."""
        is_watched = self.machine.memory.watched is not None
        return not is_watched and self.races is None and self.follower is None
