# SPDX-License-Identifier: Apache-2.0
"""A tile as an end of requests between tiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tensix_gdb.core.engine.native import reach
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.noc_access import NocAccess
from tensix_gdb.core.noc.carried import Follower


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
        reach(record)
        # By NIU, rectangle, SRC_INCLUDE: cycles to each receiver and back. No run changes them.
        self.ways: dict[tuple[int, int, int], dict[int, tuple[int, int]]] = {}

    def is_plain(self) -> bool:
        """True if no observer wants to know what requests do in the tile."""
        is_watched = self.machine.memory.watched is not None
        return not is_watched and self.races is None and self.follower is None
