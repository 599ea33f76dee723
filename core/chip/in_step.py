# SPDX-License-Identifier: Apache-2.0
"""Tiles from quantum to quantum, with any engine: what core/chip/together.py does for compiled
code, in plain Python. Tests hold both together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from tensix_gdb.core.chip.together import (
    AT_END,
    HAS_DELIVERY,
    HAS_STOPPED,
    OUT,
    RUNS,
    SLEEPS,
    STOPPED,
    Rows,
    Together,
)
from tensix_gdb.core.clock.polling_rows import PROVED
from tensix_gdb.core.engine.compiled import CompiledEngine
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.entries import (
    DELIVER,
    FINISH,
    LEAVE,
    NEXT_DELIVERY,
    NEXT_DUE,
    TOLD,
)
from tensix_gdb.core.noc.coordinates import ENDS_CYCLES, HOP_CYCLES
from tensix_gdb.core.noc.request import on_link
from tensix_gdb.core.noc.state import PENDING_NOC

if TYPE_CHECKING:
    from tensix_gdb.core.chip.network import Network

# No request is at another tile sooner: so long a tile may run by itself.
QUANTUM = ENDS_CYCLES + HOP_CYCLES
OF_LINKS = ENDS_CYCLES + on_link(1)  # they also say when a tile's own request is at itself

ROWS = Rows(
    cycle=("tile", "cycle"),
    stop=("stop", "kind"),
    pending=("tile", "pending"),
    request=PENDING_NOC,
    sleep=("polling", "state"),
    asleep=PROVED,
    goes_on=("asleep", "goes_on"),
    next_due=NEXT_DUE.name,
    next_delivery=NEXT_DELIVERY.name,
    finish=FINISH.name,
    deliver=DELIVER.name,
)


class InStep(Protocol):
    """Runs the tiles that are in mode RUNS; one that has stopped is STOPPED after it."""

    def enter(self, number: int, entry: str) -> None:
        """From now on a tile runs by this entry."""

    def mode(self, number: int) -> int:
        """Return the mode of a tile."""

    def set_mode(self, number: int, mode: int) -> None:
        """Change it."""

    def has_changed(self, number: int) -> None:
        """Note that something else than its own harts and units has changed a tile."""

    def all_have_changed(self) -> None:
        """The same of all."""

    def set_plain(self, number: int, is_plain: bool) -> None:
        """Say whether no observer watches a tile."""

    def check(self, number: int) -> None:
        """EngineDefect if the code of a tile broke a rule."""

    def stopped(self) -> list[int]:
        """Return the tiles that have stopped, or come back before the end of their quantum."""

    def due(self, cycle: int) -> list[int]:
        """Return the tiles with a request for other tiles that is due."""

    def settle(self, cycle: int) -> None:
        """Let the links (network.py) do what comes before a cycle; all tiles are in it."""

    def carry(self, routes: int) -> None:
        """Let compiled code carry out requests between tiles that nothing watches, by these routes
        (routes.py)."""

    def run(
        self, start: int, end: int, *, at_each: bool = False, finishes: bool = False
    ) -> tuple[int, int]:
        """Run all from cycle `start`, where they are. Return why it is over, and at which cycle.
        With `at_each` no tile runs past a cycle in which any request is due, not only those for
        other tiles. With `finishes` nothing watches DRAM, and neither stops for it nor deliveries
        need end the run."""

    def close(self) -> None:
        """End what works for it."""


class Plain:
    """One call of the engine for each tile and quantum."""

    def __init__(self, machines: Sequence[Machine], network: Network | None) -> None:
        self._machines, self._network = machines, network
        self._modes = [OUT] * len(machines)
        self._entries = [""] * len(machines)

    def enter(self, number: int, entry: str) -> None:
        self._entries[number], self._modes[number] = entry, RUNS

    def mode(self, number: int) -> int:
        return self._modes[number]

    def set_mode(self, number: int, mode: int) -> None:
        self._modes[number] = mode

    def has_changed(self, number: int) -> None:
        """Nothing: each call looks at all."""

    def all_have_changed(self) -> None:
        """Nothing."""

    def set_plain(self, number: int, is_plain: bool) -> None:
        """Nothing: all stops end the run."""

    def check(self, number: int) -> None:
        """Nothing: a call of the engine has raised it."""

    def stopped(self) -> list[int]:
        return [number for number, mode in enumerate(self._modes) if mode == STOPPED]

    def due(self, cycle: int) -> list[int]:
        return self._asked(NEXT_DELIVERY.name, cycle)

    def settle(self, cycle: int) -> None:
        if self._network is not None:
            self._network.settle(cycle)

    def carry(self, routes: int) -> None:
        """Nothing: each delivery ends the run."""

    def _asked(self, entry: str, cycle: int) -> list[int]:
        asking = (
            (number, machine)
            for number, machine in enumerate(self._machines)
            if machine.S.tile.pending & PENDING_NOC
        )
        return [n for n, m in asking if m.engine.call(entry, cycle) <= cycle]

    def run(
        self, start: int, end: int, *, at_each: bool = False, finishes: bool = False
    ) -> tuple[int, int]:
        entry = (NEXT_DUE if at_each else NEXT_DELIVERY).name
        while start < end:
            goal = self._goal(start, end, entry)
            if goal == start:
                return HAS_DELIVERY, start
            stops = [self._turn(number, goal) for number in range(len(self._machines))]
            start = goal
            if any(stops):
                return HAS_STOPPED, start
        return AT_END, start

    def _goal(self, start: int, end: int, entry: str) -> int:
        goal = min(start + quantum_of(self._network), end)
        if self._network is not None:
            goal = min(goal, self._network.settle(start))
        for machine in self._machines:
            if machine.S.tile.pending & PENDING_NOC:
                goal = min(goal, machine.engine.call(entry, start))
        return goal

    def _turn(self, number: int, goal: int) -> bool:
        """Run a tile to the end of the quantum; True if it has stopped."""
        if self._modes[number] != RUNS:
            return False
        machine = self._machines[number]
        S = machine.S
        machine.engine.call(self._entries[number], goal - S.tile.cycle)
        if S.tile.cycle != goal or S.stop.kind:
            self._modes[number] = STOPPED
            return True
        if S.polling.state == PROVED:
            self._modes[number] = SLEEPS
        return False

    def close(self) -> None:
        self._modes = [OUT] * len(self._modes)


def quantum_of(network: Network | None) -> int:
    """Return for how many cycles tiles run by themselves."""
    return QUANTUM if network is None else OF_LINKS


def in_step(machines: Sequence[Machine], threads: int, network: Network | None = None) -> InStep:
    """Return the quickest for these tiles and their links."""
    engines = [m.engine for m in machines if isinstance(m.engine, CompiledEngine)]
    if len(engines) < len(machines):
        return Plain(machines, network)
    records = [machine.record for machine in machines]
    together = Together(engines, records, ROWS, quantum_of(network), threads)
    if network is not None:
        told, leave = (engines[0].address(entry.name) for entry in (TOLD, LEAVE))
        together.between(*network.between(leave, told))
    return together
