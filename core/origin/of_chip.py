# SPDX-License-Identifier: Apache-2.0
"""Run the same execution of a chip again, to a cycle: a copy of the chip goes through the history,
so the chip is not disturbed.

Where a tile has stopped, others may be up to a quantum ahead. If a client has changed something
there, each tile is run on to where it was: nothing reaches a tile within a quantum, so each may run
by itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.history import ChipHistory, Past
from tensix_gdb.core.chip.search import run_to
from tensix_gdb.core.chip.snapshots import Kept, put_back
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.history.checkpoints import position
from tensix_gdb.core.history.replay import run_to_cycle
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.outside import Outside
from tensix_gdb.core.origin.rerun import ChangesTo, Followed, go_on_to


def copy_of(chip: Chip) -> Chip:
    """A chip of the same tiles, with their programs. Close it in the end."""
    first = next(iter(chip.tiles.values())).engine
    engine: str | Engine = first if first.kind == "compiled" else first.kind
    copy = Chip(list(chip.tiles), engine=engine, schedule=chip.execution)
    for machine, original in zip(copy.tiles.values(), chip.tiles.values(), strict=True):
        machine.images[:] = original.images
        machine.places.forget()
        machine.faults.set(original.faults.text())
    return copy


class OfChip:
    """From where the history of a chip begins, with a copy of it."""

    def __init__(self, copy: Chip, past: Past) -> None:
        self._chip, self._past = copy, past
        self.machines: Sequence[Machine] = list(copy.tiles.values())
        self.names: Sequence[str] = [f"{x}-{y}" for x, y in copy.tiles]
        self.is_whole = past.starts[0].cycle == 0
        self._in = 0
        self._changes_to: ChangesTo = lambda tiles, outside: None
        self.put_back()

    @property
    def outside(self) -> Outside:
        return self._chip.outside

    @property
    def ends(self) -> Sequence[Followed]:
        return (self._chip.outside, *self._chip.ends)

    def follow(self, changes_to: ChangesTo) -> None:
        self._changes_to = changes_to

    def use(self, engines: Sequence[Engine] | None) -> None:
        self._chip.lend(engines)

    def begin(self) -> None:
        self._in = 0
        put_back(self._chip, self._past.starts[0])

    def to(self, cycle: int, tile: int = 0) -> None:
        starts = self._past.starts
        while self._in + 1 < len(starts) and starts[self._in + 1].at[tile].cycle <= cycle:
            self._next()
        run_to(self._chip, cycle)

    def _next(self) -> None:
        """On to the next change, and past it."""
        self._in += 1
        following = self._past.starts[self._in]
        self._to_where(following)
        self._changes_to(following.tiles, following.outside)
        put_back(self._chip, following)

    def _to_where(self, kept: Kept) -> None:
        """On to where the chip was."""
        run_to(self._chip, kept.cycle)
        for machine, at in zip(self.machines, kept.at, strict=True):
            run_to_cycle(machine, at.cycle)
            go_on_to(machine, at)

    def to_present(self) -> None:
        while self._in + 1 < len(self._past.starts):
            self._next()
        here = self._past.here
        self._to_where(here)
        if self.is_back():
            # Its stops are where clients have stopped it.
            self._changes_to(here.tiles, here.outside)
            put_back(self._chip, here)

    def is_back(self) -> bool:
        return tuple(map(position, self.machines)) == self._past.here.at

    def put_back(self) -> None:
        put_back(self._chip, self._past.here)

    def close(self) -> None:
        """Give up the copy."""
        self._chip.close()


def of_history(chip: Chip, history: ChipHistory) -> OfChip:
    """With a new copy of the chip."""
    return OfChip(copy_of(chip), history.past_of_here())
