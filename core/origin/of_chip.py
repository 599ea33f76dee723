# SPDX-License-Identifier: Apache-2.0
"""Run the same execution of a chip again, to a cycle: a copy of the chip goes through the history,
so the chip is not disturbed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from tensix_gdb.core.chip.chip import Chip, ChipStop
from tensix_gdb.core.chip.places import name_of
from tensix_gdb.core.chip.replayable import ChipHistory, ReplayableChip
from tensix_gdb.core.chip.snapshots import ChipState
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.history.history import Past
from tensix_gdb.core.noc.outside import Outside
from tensix_gdb.core.origin.rerun import ChangesTo, Followed, OfPast, memory_names


def copy_of(chip: Chip) -> Chip:
    """Return a chip of the same tiles, with their programs. Close it in the end."""
    first = next(iter(chip.tiles.values())).engine
    engine: str | Engine = first if first.kind == "compiled" else first.kind
    copy = Chip(
        list(chip.tiles),
        engine=engine,
        schedule=chip.execution,
        arch=chip.arch,
        cables=chip.cables.links,
    )
    for fault in chip.cables.faults:
        copy.cables.damage(fault)
    for machine, original in zip(copy.tiles.values(), chip.tiles.values(), strict=True):
        machine.images[:] = original.loader.ungrouped()
        machine.loader.put_back(original.loader.hosted_now())
        machine.places.forget_files()
        machine.faults.set(original.faults.text())
    return copy


class OfChip(OfPast[ChipState, ChipStop]):
    """From where the history of a chip begins, with a copy of it."""

    def __init__(self, copy: Chip, past: Past[ChipState]) -> None:
        super().__init__(ReplayableChip(copy), past)
        self._chip = copy
        self.names: Sequence[str] = [name_of(place) for place in copy.tiles]
        chips = [f"c{chip}" if chip >= 0 else "" for chip in copy.outsides]
        self.memories: Sequence[str] = [name for chip in chips for name in memory_names(chip)]
        self.put_back()

    @property
    def outsides(self) -> Sequence[Outside]:
        return tuple(self._chip.outsides.values())

    @property
    def ends(self) -> Sequence[Followed]:
        return (*self.outsides, *self._chip.ends, *self._chip.cables.tiles.values())

    def follow(self, changes_to: ChangesTo) -> None:
        def changes(state: ChipState) -> None:
            changes_to([tile.pages for tile in state.tiles], state.outside)

        self._changes = changes

    def programs_at(self, cycle: int) -> None:
        starts = self._past.starts
        part = bisect_right(starts, cycle, key=lambda state: state.cycle) - 1
        if self._past.programs:
            for machine, hosted in zip(
                self.machines, self._past.programs[max(part, 0)], strict=True
            ):
                machine.loader.put_back(hosted)

    def use(self, engines: Sequence[Engine] | None) -> None:
        self._chip.lend(engines)

    def close(self) -> None:
        """Give up the copy."""
        self._chip.close()


def of_history(chip: Chip, history: ChipHistory) -> OfChip:
    """With a new copy of the chip."""
    return OfChip(copy_of(chip), history.past_of_here())
