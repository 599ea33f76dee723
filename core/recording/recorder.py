# SPDX-License-Identifier: Apache-2.0
"""Record a tile: compare it whenever it resumes with what it was when it stopped."""

from __future__ import annotations

from time import perf_counter

from tensix_gdb.core.faults.policy import Policies
from tensix_gdb.core.noc.outside import Outside
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.recording.steps import Check, OutsidePages, Progress, Step, Watched, hashes

CHECK_SECONDS = 0.5  # between two checks


class Recorder:
    """Records what a tile does from now on: a step from each `resume` to the next `suspend`."""

    def __init__(self, record: Record, outside: Outside, policies: Policies) -> None:
        self._record, self._memories, self._policies = record, outside.memories(), policies
        self._watched = Watched(record)
        self.start = self._watched.content()
        self.outside: OutsidePages = [pages.snapshot() for pages in self._memories]
        self._known = self.outside
        self._faults = policies.text()
        self.steps = [Step(Progress.of(record.S), faults=self._faults)]
        self._due = perf_counter() + CHECK_SECONDS
        self._resting = True
        self._watched.copy_bytes()

    def resume(self) -> None:
        """Before the tile resumes: keep what was changed while it was stopped."""
        if not self._resting:
            return
        self._resting = False
        faults = self._policies.text()
        outside = self._outside()
        changed = self._watched.changed()
        if not changed and faults == self._faults and not any(outside):
            return
        self._faults = faults
        last = self.steps[-1]
        patches = self._watched.patches() if changed else []
        self.steps.append(Step(last.progress, patches, outside, faults))

    def _outside(self) -> list[dict[int, bytes]]:
        """Return the pages outside the tile that have changed; a page that is gone is one of
        zeros."""
        changes: list[dict[int, bytes]] = []
        for pages, known in zip(self._memories, self._known, strict=True):
            changes.append(pages.changes(known))
        return changes if any(changes) else []

    def suspend(self) -> None:
        """After the tile has come to rest: whatever changes from here on is an input."""
        if self._resting:
            return
        self._resting = True
        self._watched.copy_bytes()
        self._known = [pages.snapshot() for pages in self._memories]
        self.steps[-1].progress = Progress.of(self._record.S)
        if perf_counter() >= self._due:
            self._check()

    def check(self) -> None:
        """Hash the tile here, with all that was changed since it came to rest."""
        self.resume()
        self._due = 0.0
        self.suspend()

    def _check(self) -> None:
        step = self.steps[-1]
        if not step.checks or step.checks[-1].progress != step.progress:
            step.checks.append(Check(step.progress, hashes(self._record, self._memories)))
        self._due = perf_counter() + CHECK_SECONDS
