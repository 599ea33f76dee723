# SPDX-License-Identifier: Apache-2.0
"""Two engines that a tile is lent while it runs again: one stamps what it stores, one watches.

`Stamping` runs the stamped build: after it each byte of the state says in which cycle it was stored
last. `Watching` runs the instrumented functions, a thousand times slower, for a cycle. Between two
calls the state may change from outside: a host that moves data of NoC requests, answers calls,
pokes memory, a client that writes registers. `Stamping` finds that by comparing, and stamps it.
"""

from __future__ import annotations

from dataclasses import dataclass

from tensix_gdb.core.engine import Engine
from tensix_gdb.core.engine.compiled import CompiledEngine, compile_now
from tensix_gdb.core.engine.entry import EngineDefect
from tensix_gdb.core.engine.reference import DEFECTS, place
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.entries import RUN, RUN_CHECKED, RUN_TIMED, RUN_TIMED_CHECKED
from tensix_gdb.core.origin.instrument import Instrumented
from tensix_gdb.core.origin.loop import RUN_BY_CYCLE
from tensix_gdb.core.origin.values import CONTEXT
from tensix_gdb.core.origin.watched import Watch, WatchedView
from tensix_gdb.core.record.layout import Slot

RUNS = frozenset(entry.name for entry in (RUN, RUN_CHECKED, RUN_TIMED, RUN_TIMED_CHECKED))
PAGE = 4096
FROM_OUTSIDE = 1 << 31  # a stamp: with the number of the change


@dataclass(frozen=True, slots=True)
class Change:
    """What was changed between two calls of the engine, and not by the tile."""

    cycle: int
    since_power_up: bool


class Stamping:
    """Runs the stamped build on the record of a machine; other entries on its own engine."""

    kind = "compiled"

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._own: Engine = machine.engine
        self._code: CompiledEngine = compile_now([RUN_BY_CYCLE], machine.record, stamped=True)
        self._stamps = stamps_of(machine)
        self._seen: bytes | None = None
        self.changes: list[Change] = []

    def begin(self) -> None:
        """What the state is now, it was from the beginning: no stamps."""
        _clear(self._machine)
        self.changes.clear()
        self._seen = None

    def begin_fresh(self) -> None:
        """All state is zero, or was put there: the next call stamps what is not zero."""
        self.begin()
        self._seen = bytes(self._machine.record.layout.state_size)

    def look(self) -> None:
        """Stamp what has changed since the last call."""
        record = self._machine.record
        state = record.raw_state()
        if self._seen is None or state == self._seen:
            return
        number = FROM_OUTSIDE | len(self.changes)
        cycle = int(self._machine.S.tile.cycle)
        self.changes.append(Change(cycle, since_power_up=not self.changes and not cycle))
        for start in range(0, len(state), PAGE):
            new, old = state[start : start + PAGE], self._seen[start : start + PAGE]
            if new != old:
                for i, (a, b) in enumerate(zip(new, old, strict=True), start):
                    if a != b:
                        self._stamps[i] = number
        self._seen = None

    def call(self, name: str, *arguments: int) -> int:
        if name not in RUNS:
            return self._own.call(name, *arguments)
        self.look()
        try:
            return self._code.call(RUN_BY_CYCLE.name, *arguments)
        finally:
            self._seen = bytes(self._machine.record.raw_state())

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

    def begin(self) -> None:
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


def slot_of_stamps(machine: Machine) -> Slot:
    """The row of stamps."""
    return machine.record.layout.slot("origin", "stamp")


def stamps_of(machine: Machine) -> memoryview:
    """The stamps, one number for each byte of the state."""
    return machine.record.row(slot_of_stamps(machine)).cast("I")


def _clear(machine: Machine) -> None:
    row = machine.record.row(slot_of_stamps(machine))
    row[:] = bytes(len(row))
