# SPDX-License-Identifier: Apache-2.0
"""A chip: tiles that run in step. README.md has the reasons."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tensix_gdb.core.chip.places import Place, check, place_of, settle
from tensix_gdb.core.chip.transfer import End, arrive, come_back
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.arrive import alone, there_of
from tensix_gdb.core.noc.coordinates import ENDS_CYCLES, HOP_CYCLES
from tensix_gdb.core.noc.state import COMING, NIUS, SLOTS
from tensix_gdb.core.schedule import DEFAULT_SEED, Schedule, seed_state, xorshift
from tensix_gdb.core.stop import Stop, StopKind

# No request is at another tile sooner: so long a tile may run by itself.
QUANTUM = ENDS_CYCLES + HOP_CYCLES
LATE, ONE_IN = 256, 4  # in `random`, one request in four is up to so many cycles late


@dataclass(frozen=True, slots=True)
class ChipStop:
    """A stop of one tile; the others stand at the same cycle or before it, and go on with it."""

    place: Place
    stop: Stop


class Chip:
    """Tiles at places of NoC 0, with one DRAM. Their order is that of `places`."""

    def __init__(
        self,
        places: Sequence[Place],
        *,
        engine: str = "auto",
        schedule: Schedule = Schedule.LATENCY,
        seed: int = DEFAULT_SEED,
    ) -> None:
        check(places)
        if schedule not in (Schedule.LATENCY, Schedule.RANDOM):
            raise ValueError("tiles that run in step need a schedule with time: latency or random")
        self._random = seed_state(seed) if schedule is Schedule.RANDOM else 0
        self.tiles: dict[Place, Machine] = {}
        for number, place in enumerate(places):
            # Each tile has a seed of its own: else all would be late at the same time.
            machine = Machine(engine=engine, schedule=schedule, seed=seed + number)
            settle(machine.S, place, places)
            machine.host.is_present = True  # other tiles write to it
            self.tiles[place] = machine
        first = self.tiles[places[0]]
        for machine in self.tiles.values():
            machine.outside = machine.host.outside = first.outside
        self._ends = {place: End(machine) for place, machine in self.tiles.items()}
        self._goal = self.cycle = 0

    def close(self) -> None:
        """Give up the engines' background work."""
        for machine in self.tiles.values():
            machine.close()

    def run(self, cycles: int) -> ChipStop | None:
        """Run for so many cycles, or until a tile stops."""
        end = self.cycle + cycles
        while self.cycle < end:
            if self._goal == self.cycle:
                stop = self._deliver()
                if stop is not None:
                    return stop
                self._goal = self._next_goal()
            goal = min(self._goal, end)
            for place, machine in self.tiles.items():
                stop = self._run_tile(place, machine, goal)
                if stop is not None:
                    return stop
            self.cycle = goal
        return None

    def _run_tile(self, place: Place, machine: Machine, goal: int) -> ChipStop | None:
        while machine.S.tile.cycle < goal:
            stop = machine.run(goal - machine.S.tile.cycle)
            if stop is None:
                continue
            if stop.kind is not StopKind.ALL_PAUSED:
                return ChipStop(place, stop)
            machine.S.tile.cycle = goal  # nothing can move in it: time passes
        return None

    # What goes from tile to tile

    def _requests(self) -> Iterator[tuple[int, Place, int, int]]:
        """Every request on its way out of a tile: when it is next to do something, where from, NIU
        and slot."""
        for place, machine in self.tiles.items():
            S = machine.S
            if not any(self._ends[place].stages):
                continue
            for niu in range(NIUS):
                for slot in range(SLOTS):
                    if S.noc.stage[niu, slot]:
                        yield self._due(place, niu, slot), place, niu, slot

    def _due(self, place: Place, niu: int, slot: int) -> int:
        """When a request is at its next end. In `random` it may be late; how late depends on
        nothing but the request, so that no slice of a run changes it."""
        S = self.tiles[place].S
        due = int(S.noc.due[niu, slot])
        if not self._random or alone(S, niu, slot):
            return due
        number = self._random
        for value in (place[0], place[1], niu, slot, due):
            number = xorshift(xorshift((number ^ value * 0x9E3779B1) & 0xFFFFFFFF or 1))
        return due + (number >> 8) % LATE if number % ONE_IN == 0 else due

    def _next_goal(self) -> int:
        """The cycle up to which no tile needs another one."""
        times = [due for due, *_ in self._requests() if due > self.cycle]
        return min([self.cycle + QUANTUM, *times])

    def _deliver(self) -> ChipStop | None:
        """Deliver what is due now, in the order of time, tiles, NIUs and slots."""
        order = {place: number for number, place in enumerate(self.tiles)}
        due = [
            (when, order[place], niu, slot, place)
            for when, place, niu, slot in self._requests()
            if when <= self.cycle and not alone(self.tiles[place].S, niu, slot)
        ]
        for _, _, niu, slot, place in sorted(due):
            near = self._ends[place]
            there = int(there_of(near.S, niu, slot))
            far = self._ends[place_of(niu, there)]
            if near.S.noc.stage[niu, slot] == COMING:
                done = come_back(near, far, niu, slot)
            else:
                done = arrive(near, far, niu, slot, there)
            if not done:
                return ChipStop(place, near.machine.reports.take())
        return None

    def hash(self) -> str:
        """Hash of all state: tiles, then memories outside them."""
        digest = hashlib.blake2b(digest_size=16)
        for machine in self.tiles.values():
            digest.update(machine.hash().encode("ascii"))
        outside = next(iter(self.tiles.values())).outside
        for memory in outside.memories():
            digest.update(memory.hash().encode("ascii"))
        return digest.hexdigest()
