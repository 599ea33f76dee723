# SPDX-License-Identifier: Apache-2.0
"""A run that looks up now and then, whether a client wants something or programs have printed much:
then it comes back early, as if it had been asked for fewer cycles."""

from __future__ import annotations

from collections.abc import Callable

from tensix_gdb.core.engine import Engine
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.entries import RUN, RUN_CHECKED, RUN_TIMED, RUN_TIMED_CHECKED
from tensix_gdb.core.stop import Stop
from tensix_gdb.core.timeline.tracer import RUN_TRACED

Bell = Callable[[], object]  # what it gives is true when it rings
_RUNS = frozenset(entry.name for entry in (RUN, RUN_CHECKED, RUN_TIMED, RUN_TIMED_CHECKED))
_ALL_RUNS = _RUNS | {RUN_TRACED.name}


class InPieces:
    """The engine of a machine while a bell may ring: it runs `piece` cycles at a time. It does not
    run at all while the console `is_full`; a run is several calls when programs print in it."""

    def __init__(self, machine: Machine, bell: Bell, piece: int, is_full: Bell) -> None:
        self._engine: Engine = machine.engine
        kind = machine.record.layout.slot("stop", "kind")
        self._stopped = machine.record.row(kind).cast("I")  # its number, without the way to it
        self._bell = bell
        self._piece = piece
        self._is_full = is_full

    @property
    def kind(self) -> str:
        return self._engine.kind

    def call(self, name: str, *args: int) -> int:
        """As the engine does; a run ends, at the end of a piece, when the bell rings."""
        call, piece, bell, stopped = self._engine.call, self._piece, self._bell, self._stopped
        if name in _ALL_RUNS and self._is_full():
            return 0
        if name not in _RUNS or args[0] <= piece:
            return call(name, *args)
        (cycles,) = args
        left = cycles
        while left > piece:
            ran = call(name, piece)
            left -= ran
            if ran < piece or stopped[0] or bell():
                return cycles - left
        return cycles - left + call(name, left)

    def poll(self) -> bool:
        return self._engine.poll()

    def close(self) -> None:
        self._engine.close()


def never() -> bool:
    """For a bell that never rings, and a console without an end."""
    return False


def run(
    machine: Machine, cycles: int, bell: Bell | None, piece: int, is_full: Bell = never
) -> Stop | None:
    """Run a machine, at most until the bell rings or the console is full."""
    if bell is None and is_full is never:
        return machine.run(cycles)
    engine = machine.engine
    machine.engine = InPieces(machine, bell or never, piece, is_full)
    try:
        return machine.run(cycles)
    finally:
        machine.engine = engine
