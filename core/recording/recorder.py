# SPDX-License-Identifier: Apache-2.0
"""Recording: looks at a tile whenever it goes on and comes to rest, and notes what is different."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from tensix_gdb.core.recording.steps import (
    Check,
    Frozen,
    Place,
    Step,
    Watched,
    hashes,
    outside_of,
    policies,
)

if TYPE_CHECKING:
    from tensix_gdb.core.machine import Machine

SECONDS = 0.5  # between two checks


class Recorder:
    """Records what `machine` does from now on."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._watched = Watched(machine)
        self.start = self._watched.content()
        self.outside: Frozen = [pages.snapshot() for pages in outside_of(machine)]
        self._known = self.outside
        place = Place.of(machine.S)
        self._faults = policies(machine)
        self.steps = [Step(place, faults=self._faults)]
        self._due = perf_counter() + SECONDS
        self._resting = True
        self._watched.keep()

    def goes(self) -> None:
        """The tile goes on: has anybody changed anything?"""
        if not self._resting:
            return
        self._resting = False
        faults = policies(self._machine)
        outside = self._outside()
        changed = self._watched.changed()
        if not changed and faults == self._faults and not any(outside):
            return
        self._faults = faults
        last = self.steps[-1]
        patches = self._watched.patches() if changed else []
        self.steps.append(Step(last.place, patches, outside, faults))

    def _outside(self) -> list[dict[int, bytes]]:
        """The pages that are others by now; a page that is gone is one of zeros."""
        found: list[dict[int, bytes]] = []
        for pages, known in zip(outside_of(self._machine), self._known, strict=True):
            found.append(pages.changes(known))
        return found if any(found) else []

    def rests(self) -> None:
        """The tile has come to rest."""
        if self._resting:
            return
        self._resting = True
        self._watched.keep()
        self._known = [pages.snapshot() for pages in outside_of(self._machine)]
        self.steps[-1].place = Place.of(self._machine.S)
        if perf_counter() >= self._due:
            self._check()

    def check(self) -> None:
        """Note what the tile is like here, with all that was changed since it came to rest."""
        self.goes()
        self._due = 0.0
        self.rests()

    def _check(self) -> None:
        step = self.steps[-1]
        if not step.checks or step.checks[-1].place != step.place:
            step.checks.append(Check(step.place, hashes(self._machine)))
        self._due = perf_counter() + SECONDS
