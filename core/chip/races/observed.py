# SPDX-License-Identifier: Apache-2.0
"""The part of a chip that observes: its tiles, and what they do to each other (tiles.py)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from tensix_gdb.core.chip.ends import End
from tensix_gdb.core.chip.ethernet.cables import Cables
from tensix_gdb.core.chip.places import Place
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.outside import Outside
from tensix_gdb.core.race.checks.table import DEFAULT as DEFAULT_CHECKS

# What observes is loaded by chips that are observed alone.
if TYPE_CHECKING:
    from tensix_gdb.core.chip.races.tiles import Races
    from tensix_gdb.core.race.findings import Findings


class Observed(ABC):
    """The part of a Chip that observes."""

    tiles: dict[Place, Machine]
    outsides: dict[int, Outside]
    cables: Cables
    _places: Sequence[Place]
    _ends: Sequence[End]
    _races: Races | None = None  # they are observed
    _observing: Callable[[Machine], None] | None = None

    @abstractmethod
    def wake(self, place: Place) -> Machine:
        """Bring a tile to the cycle of the chip."""

    @abstractmethod
    def wake_all(self) -> None:
        """Bring all tiles to it."""

    def observe_races(
        self,
        *,
        strict: bool = False,
        checks: Collection[str] = DEFAULT_CHECKS,
        local: bool | None = None,
        tiles: Collection[Place] | None = None,
    ) -> None:
        """Observe from now on which accesses nothing orders (core/race), those over the NoC too.
        Of all tiles, or of these: `observe_tile` adds one."""
        from tensix_gdb.core.chip.races.tiles import Races

        self.wake_all()
        self._races = Races(self._places, self._ends)
        for end in self._ends:
            end.races = self._races
        self._observing = partial(Machine.observe_races, strict=strict, checks=checks, local=local)
        for place in self._places if tiles is None else tiles:
            self.observe_tile(place)
        for tile in self.cables.tiles.values():
            tile.races = self._races.packets
        self._observe_memories()
        self.wake_all()

    def observe_tile(self, place: Place) -> None:
        """Observe this tile, too, from now on; nothing if it is observed."""
        assert self._races is not None, "observe_races comes first"
        assert self._observing is not None
        machine = self.wake(place)
        if machine.runner.races is None or not self._races.has(machine):
            self._observing(machine)
            self._races.add(machine)
            self._observe_memories()

    def _observe_memories(self) -> None:
        assert self._races is not None
        for chip, outside in self.outsides.items():
            outside.races = self._races.drams[chip]

    def observe_no_more(self) -> None:
        """Note from now on no accesses of different tiles; what was found stays."""
        for end in self._ends:
            end.races = None
        for tile in self.cables.tiles.values():
            tile.races = None
        for outside in self.outsides.values():
            outside.races = None

    def races(self) -> dict[Place, Findings]:
        """Return the findings in each tile since `observe_races`."""
        return {
            place: machine.races()
            for place, machine in self.tiles.items()
            if machine.runner.races is not None
        }

    def unobserved(self) -> tuple[Place, ...]:
        """Return the tiles that hear from more cores than the observer has lines for. Its reports
        of their accesses and of others' may be wrong: orders are missing, and accesses."""
        if self._races is None:
            return ()
        numbers = sorted({number for number, _ in self._races.unobserved})
        return tuple(self._places[number] for number in numbers)
