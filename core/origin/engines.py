# SPDX-License-Identifier: Apache-2.0
"""Two engines that a tile is lent while it runs again: one stamps what it stores, one watches.

`Stamping` runs the stamped build: after it each byte of the state says in which cycle it was stored
last. `Watching` runs the instrumented functions, a thousand times slower, for a cycle. Between two
calls the state may change from outside: a host answers calls and pokes memory, a client writes
registers. `Stamped` finds that by comparing, and stamps it. What requests of the NoC move there is
known (moves.py).
"""

from __future__ import annotations

import mmap
from collections.abc import Sequence

from tensix_gdb.core.engine import Engine
from tensix_gdb.core.engine.compiled import CompiledEngine, compile_now
from tensix_gdb.core.engine.entry import EngineDefect
from tensix_gdb.core.engine.reference import DEFECTS, place
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.entries import (
    RUN,
    RUN_CHECKED,
    RUN_TIMED,
    RUN_TIMED_CHECKED,
    fixed_rows,
)
from tensix_gdb.core.noc.outside import Outside
from tensix_gdb.core.origin.elements import BY_BYTE, element_at
from tensix_gdb.core.origin.instrumented.instrument import Instrumented
from tensix_gdb.core.origin.instrumented.values import CONTEXT
from tensix_gdb.core.origin.instrumented.watched import Watch, WatchedView
from tensix_gdb.core.origin.loop import RUN_BY_CYCLE
from tensix_gdb.core.origin.memories import FROM_OUTSIDE, differing
from tensix_gdb.core.origin.moves import Change, Moves
from tensix_gdb.core.record.layout import Slot

RUNS = frozenset(entry.name for entry in (RUN, RUN_CHECKED, RUN_TIMED, RUN_TIMED_CHECKED))
PAGE = 4096
CHUNK = 1 << 16


class Stamped:
    """Tiles that stamp what they store, and the requests that move data between them. Of a tile
    `alone` what was changed from outside is found by comparing, between any two calls."""

    def __init__(
        self, machines: Sequence[Machine], outsides: Sequence[Outside], *, alone: bool
    ) -> None:
        self.machines = machines
        self.stamps = [stamps_of(machine) for machine in machines]
        self.moves = Moves(machines, outsides, self.stamps)
        self._is_alone = alone
        self._seen: list[bytes | None] = [None] * len(machines)
        first = machines[0]
        fixed = fixed_rows(first.S.tile.chip)
        what = "the tile, so that it notes who stores what,"
        code = compile_now([RUN_BY_CYCLE], first.record, stamped=True, fixed=fixed, what=what)
        self.engines = [
            Stamping(self, machine, code.for_record(machine.record)) for machine in machines
        ]
        if alone:
            self.moves.after = self.count_as_outside

    def begin_run(self, *, is_fresh: bool) -> None:
        """A run begins. In a fresh one all state was zero, or was put there: it is stamped at the
        next `stamp_changes`. Else what the state is now, it was from the beginning: no stamps."""
        for machine in self.machines:
            _clear(machine)
        self.moves.begin_run(is_fresh=is_fresh)
        zeros = bytes(self.machines[0].record.layout.state_size) if is_fresh else None
        self._seen = [zeros] * len(self.machines)

    def count_as_outside(self) -> None:
        """Count all changes from here on, until `stamp_changes`, as changes from outside."""
        self._seen = [bytes(machine.record.raw_state()) for machine in self.machines]
        self.moves.memories.count_as_host()

    def stamp_changes(self) -> None:
        """Stamp what has changed from outside."""
        changed = [
            tile
            for tile, seen in enumerate(self._seen)
            if seen is not None and self.machines[tile].record.raw_state() != seen
        ]
        if changed or self.moves.memories.has_changed():
            number = self._changed_now()
            for tile in changed:
                seen = self._seen[tile]
                assert seen is not None
                state = self.machines[tile].record.raw_state()
                pages = [seen[at : at + PAGE] for at in range(0, len(seen), PAGE)]
                self._stamp(tile, state, pages, number)
            self.moves.memories.number_changes(number)
        self._seen = [None] * len(self.machines)

    def changes_to(
        self, tiles: Sequence[Sequence[bytes]], outside: Sequence[dict[int, bytes]]
    ) -> None:
        """Before all state is put into another one, of these pages: stamp what differs."""
        number = self._changed_now()
        for tile, pages in enumerate(tiles):
            self._stamp(tile, self.machines[tile].record.raw_state(), pages, number)
        self.moves.memories.changes_to(outside, number)

    def before_call(self) -> None:
        if self._is_alone:
            self.stamp_changes()

    def after_call(self) -> None:
        if self._is_alone:
            self.count_as_outside()

    def _changed_now(self) -> int:
        cycle = int(self.machines[0].S.tile.cycle)
        changes = self.moves.changes
        changes.append(Change(cycle, since_power_up=not changes and not cycle))
        return len(changes) - 1

    def _stamp(self, tile: int, state: memoryview, pages: Sequence[bytes], number: int) -> None:
        stamps, stamp = self.stamps[tile], FROM_OUTSIDE | number
        for start, end in differing(state, pages):
            for at in range(*_whole(start, end)):
                stamps[at] = stamp


class Stamping:
    """Runs the stamped build on the record of a machine; other entries on its own engine."""

    kind = "compiled"

    def __init__(self, stamped: Stamped, machine: Machine, code: CompiledEngine) -> None:
        self._stamped, self._code = stamped, code
        self._own: Engine = machine.engine

    def call(self, name: str, *arguments: int) -> int:
        if name not in RUNS:
            return self._own.call(name, *arguments)
        self._stamped.before_call()
        try:
            return self._code.call(RUN_BY_CYCLE.name, *arguments)
        finally:
            self._stamped.after_call()

    def poll(self) -> bool:
        return False

    def close(self) -> None:
        pass


class Watching:
    """Runs the instrumented functions: for a cycle or two."""

    kind = "reference"

    def __init__(self, machine: Machine) -> None:
        self._own: Engine = machine.engine
        self.watch = Watch(machine.record)
        self.instrumented = Instrumented(self.watch)
        self.view = WatchedView(self.watch)
        self._run = self.instrumented.function(RUN_BY_CYCLE.function)  # type: ignore[arg-type]

    def begin_run(self) -> None:
        """Forget what was seen."""
        self.watch.last.clear()
        self.watch.scope = None

    def call(self, name: str, *arguments: int) -> int:
        if name not in RUNS:
            return self._own.call(name, *arguments)
        CONTEXT.steer = None
        try:
            return int(self._run(self.view, *arguments) or 0)
        except DEFECTS as problem:
            raise EngineDefect(f"{place(problem.__traceback__)}: {problem}") from problem

    def poll(self) -> bool:
        return False

    def close(self) -> None:
        pass


def _whole(start: int, end: int) -> tuple[int, int]:
    """Return the elements that some changed bytes are of. An element that is never written by the
    byte has one last write, also where a byte of it was the same before."""
    first, last = element_at(start), element_at(end - 1)
    return (
        start if first.key in BY_BYTE else first.offset,
        end if last.key in BY_BYTE else last.offset + last.size,
    )


def slot_of_stamps(machine: Machine) -> Slot:
    """Return the row of stamps."""
    return machine.record.layout.slot("origin", "stamp")


def stamps_of(machine: Machine) -> memoryview:
    """Return the stamps, one number for each byte of the state."""
    return machine.record.row(slot_of_stamps(machine)).cast("I")


def chunks_of(stamps: memoryview) -> dict[int, bytes]:
    """Return a copy of stamps, in chunks that are not zero."""
    row, zeros = stamps.cast("B"), bytes(CHUNK)
    return {
        at // CHUNK: bytes(row[at : at + CHUNK])
        for at in range(0, len(row), CHUNK)
        if bytes(row[at : at + CHUNK]) != zeros[: len(row) - at]
    }


def _clear(machine: Machine) -> None:
    """Zero all stamps. Their pages are given back: most tiles of a chip write few."""
    row, start = machine.record.row(slot_of_stamps(machine)), slot_of_stamps(machine).offset
    storage = row.obj
    assert isinstance(storage, mmap.mmap)
    first, last = -start % PAGE, len(row) - (start + len(row)) % PAGE
    row[:first], row[last:] = bytes(first), bytes(len(row) - last)
    storage.madvise(mmap.MADV_DONTNEED, start + first, last - first)
