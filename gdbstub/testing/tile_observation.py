# SPDX-License-Identifier: Apache-2.0
"""The observations of a tile in a test: races, checks, witnesses, the origin of a value."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from tensix_gdb.core.history import MachineHistory, begin_history
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.ask import Origins, origins
from tensix_gdb.core.origin.query import CYCLES, NotRepeated
from tensix_gdb.core.origin.rerun import Again, OfHistory, Rerun
from tensix_gdb.core.places.place import NotAPlace
from tensix_gdb.core.places.state import read, write
from tensix_gdb.core.places.words import parse
from tensix_gdb.core.race.checks.table import DEFAULT as DEFAULT_CHECKS
from tensix_gdb.core.race.state.areas import Buffer
from tensix_gdb.core.race.state.table import BY_NAME, GROUPS
from tensix_gdb.gdbstub.order.report.holding import ToCycle
from tensix_gdb.gdbstub.order.report.witness import from_here
from tensix_gdb.gdbstub.testing.program import NoSuchPlace
from tensix_gdb.gdbstub.testing.races import Race, Races, RaceWitness, find_witness, races

__tracebackhide__ = True  # pytest shows the test's own line


class TileObservation:
    """The part of a `Tile` that observes its runs."""

    machine: Machine
    _to_cycle: ToCycle | None
    _history: MachineHistory | None

    def observe_races(
        self,
        *,
        strict: bool = False,
        checks: Collection[str] = DEFAULT_CHECKS,
        local: bool | None = None,
    ) -> None:
        """Find, from now on, accesses that nothing orders; `strict`: also those that only a promise
        of no page orders. `checks` are names of checks of synchronisation ("S1"). `local`: local
        RAMs too, as is usual on Wormhole. Not in the schedule sc."""
        self.machine.observe_races(strict=strict, checks=checks, local=local)
        self._to_cycle = None

    @property
    def races(self) -> Races:
        """The races since `observe_races`."""
        return races(self.machine)

    def check(
        self, *groups: str, buffers: Iterable[tuple[int, int]] = (), races: bool = False
    ) -> None:
        """Look from now on for "init", "leaks", "memory", or all of them without a name.
        `buffers` are address and bytes of where tiles are in L1; `races`: races as well. Not in
        the schedule sc."""
        state = self.machine.check_state(groups or GROUPS, races=races)
        state.buffers = [Buffer(f"at {first:#x}", first, size) for first, size in buffers]
        state.note_programs()
        self._to_cycle = None

    def kernel_begins(self) -> None:
        """Count, for `check`, what was written until now as left over from an earlier kernel."""
        self.machine.kernel_begins()

    @property
    def checks(self) -> Races:
        """The findings since `check`: uninitialised state, leaks, mistakes with memory."""
        return Races(one for one in races(self.machine) if one.check in BY_NAME)

    def witness(self, race: Race | int = 1) -> RaceWitness:
        """Run again with the earlier access of a race held until the later one is over. If that is
        possible the tile is there, and `run` continues that execution; what a test has changed
        since the first `run` is not made again."""
        return find_witness(self.machine, self.races, race, self._to_cycle)

    def begin_run(self) -> None:
        """Keep the state in which an observed run begins, for `witness`."""
        if self._to_cycle is None and self.machine.runner.races is not None:
            self._to_cycle = from_here(self.machine)
        if self._history is not None:
            self._history.resume()

    def end_run(self, *, is_unfinished: bool) -> None:
        """Note that the tile has come to rest, for `origin`."""
        if self._history is not None:
            self._history.add_checkpoint_if_due()
            if not is_unfinished:
                self._history.suspend()

    def keep_history(self) -> None:
        """Keep the past of the tile from now on, with what the test changes, for `origin`: call it
        before the first write and the first run."""
        self._history = begin_history(self.machine)

    def __getitem__(self, place: str) -> int | tuple[int, ...]:
        """Return the value of a place (`tensix-gdb manual places`), or all of its values.
        NoSuchPlace with a sentence."""
        try:
            found = read(self.machine, parse([place]))
        except NotAPlace as problem:
            raise NoSuchPlace(str(problem)) from None
        return found[0] if len(found) == 1 else found

    def __setitem__(self, place: str, value: int) -> None:
        """Write a place; of one with several values each gets it."""
        try:
            write(self.machine, parse([place]), value)
        except NotAPlace as problem:
            raise NoSuchPlace(str(problem)) from None

    def origin(self, place: str, *, cycles: int = CYCLES) -> Origins:
        """Return the last write of a value, and what it was made of (`tensix-gdb manual origin`).
        `place` is `0x41006:2`, `dst 16.4`, `lreg 3.7`, `cfg NAME` (`tensix-gdb manual places`).
        LookupError with a sentence. What a test changes itself is known only after
        `keep_history`."""
        rerun: Rerun = Again(self.machine)
        if self._history is not None:
            rerun = OfHistory(self.machine, self._history.past_of_here())
        try:
            return origins(self.machine, rerun, place.split(), cycles=cycles)
        except (NotAPlace, NotRepeated) as problem:
            raise LookupError(str(problem)) from None
