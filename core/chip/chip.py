# SPDX-License-Identifier: Apache-2.0
"""A chip: tiles that run in step. README.md has the reasons."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.chip.ends import End
from tensix_gdb.core.chip.ethernet.cables import Cables
from tensix_gdb.core.chip.in_step import QUANTUM, InStep, Plain, in_step, quantum_of
from tensix_gdb.core.chip.links import Link
from tensix_gdb.core.chip.notice import Notices
from tensix_gdb.core.chip.places import Place, check, chip_of, name_of, settle
from tensix_gdb.core.chip.races.observed import Observed
from tensix_gdb.core.chip.snapshots import ChipState
from tensix_gdb.core.chip.standstill import stands_still
from tensix_gdb.core.chip.together import HAS_DELIVERY, OUT, RUNS, SLEEPS, STOPPED
from tensix_gdb.core.chip.traffic import Traffic
from tensix_gdb.core.clock.polling_rows import OFF
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.debug.l1_ranges import L1Ranges
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.history.checkpoints import capture_tile, restore_held, restore_tile
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.pages import Pages
from tensix_gdb.core.noc.outside import Outside
from tensix_gdb.core.schedule import DEFAULT_SEED, Schedule, seed_state
from tensix_gdb.core.stop import Stop, StopKind

if TYPE_CHECKING:
    from tensix_gdb.core.chip.network import Network

__all__ = ["QUANTUM", "Chip", "ChipStop"]


@dataclass(frozen=True, slots=True)
class ChipStop:
    """A stop of one tile; the others are at most a quantum after it, and continue with it."""

    place: Place
    stop: Stop


class Chip(Observed):
    """Tiles at places of NoC 0, with one DRAM; of several chips each has its own (places.py). Their
    order is that of `places`. `cables` are between those of them that are Ethernet tiles.

    `engine` is as for a Machine; all tiles share one compiled engine. `threads` run the tiles; what
    comes out does not depend on how many. `arch` is the chip that they are of."""

    def __init__(
        self,
        places: Sequence[Place],
        *,
        engine: str | Engine = "auto",
        schedule: Schedule | Execution = Schedule.LATENCY,
        seed: int = DEFAULT_SEED,
        threads: int = 1,
        arch: Arch = Arch.BLACKHOLE,
        cables: Sequence[Link] = (),
    ) -> None:
        check(places, arch.chip)
        self.arch = arch
        execution = schedule if isinstance(schedule, Execution) else Execution(schedule, seed)
        if execution.links and chip_of(places[0]) >= 0:
            raise ValueError("links have a capacity on one chip, and not on several")
        if execution.schedule is Schedule.EXHAUSTIVE:
            raise ValueError("tiles that run in step need one execution: sc, latency or random")
        self.execution = execution
        self.tiles: dict[Place, Machine] = {}
        all_places = frozenset(places)
        for number, place in enumerate(places):
            # Each tile has a seed of its own: else all would be late at the same time.
            own = replace(execution, seed=(execution.seed + number) & MASK32)
            machine = Machine(engine=engine, schedule=own, arch=arch)
            if engine == "compiled":
                engine = machine.engine  # one code for all
            settle(machine.S, place, all_places)
            if execution.schedule is Schedule.RANDOM:
                machine.S.noc.seed = seed_state(execution.seed)
            machine.host.is_present = True  # other tiles write to it
            self.tiles[place] = machine
        self._places = list(places)
        self._numbers = {place: number for number, place in enumerate(places)}
        self._machines = list(self.tiles.values())
        # By chip: the memory outside its tiles.
        self.outsides: dict[int, Outside] = {}
        for place, machine in self.tiles.items():
            outside = self.outsides.setdefault(chip_of(place), machine.outside)
            machine.outside = machine.host.outside = outside
            outside.lead(machine.record)
        self.outside = self._machines[0].outside
        self._ends = [End(machine) for machine in self._machines]
        self._came: list[L1Ranges] = []  # of tiles that another one, or the host, has reached
        for place, end in zip(self._places, self._ends, strict=True):
            end.name = name_of(place)
            end.l1.waiting = self._came
        self.notices = Notices(self._places, self._ends)
        network = None
        if execution.links:  # else a packet waits for no other one
            from tensix_gdb.core.chip.network import Network

            network = Network(self._ends, engine)
        self._in_step: InStep = in_step(self._machines, threads, network)
        self._traffic = Traffic(
            *(self._places, self._ends, self._touch, self._due, self._settle, network)
        )
        self._in_step.carry(self._traffic.routes.address)
        self.holes = self._traffic.holes
        self.cables = Cables(self.tiles, cables, self._touch)
        self._entries = [""] * len(places)
        self._watched: set[int] = set()
        self._woken: set[int] = set()  # by a client since the last run
        self._roused: set[int] = set()  # since then, for bytes of L1
        self._told: set[int] = set()  # tiles with a stop in the record that was reported
        self._goal = self.cycle = 0
        self._lent: tuple[InStep, list[Engine]] | None = None  # what runs it else
        self._is_lazy = False  # what was changed since the last run is known

    def close(self) -> None:
        """Give up threads, and the engines' background work."""
        self._in_step.close()
        if self._traffic.network is not None:
            self._traffic.network.close()
        for machine in self._machines:
            machine.close()

    # Running

    def run(self, cycles: int, *, lazy: bool = False) -> ChipStop | None:
        """Run for so many cycles, or until a tile stops, or, with `lazy`, until there is a write
        that `notices` watches.

        Between two runs every tile may be looked at and changed; all are at `cycle`. After a run
        with `lazy`, tiles that sleep stay where they are, and a tile may be changed, or looked at
        beyond its L1, only after `wake`.
        """
        end = self.cycle + cycles
        if not (lazy and self._is_lazy):
            self.wake_all()
        for number in self._woken:
            self._wake(number)  # with what has been armed since
        self._woken.clear()
        self._roused.clear()
        self._is_lazy = lazy
        stop = self._run(end)
        if not lazy:
            self._catch_up_all()
        return stop

    def wake(self, place: Place) -> Machine:
        """Return a tile, up to date, before it is looked at or changed between lazy runs."""
        number = self._numbers[place]
        self._wake_once(number)
        return self._machines[number]

    def sleeps(self, place: Place) -> bool:
        """True if a tile sleeps: nothing but loads is under way in it."""
        return self._in_step.mode(self._numbers[place]) == SLEEPS

    def wake_for_bytes(self, place: Place) -> None:
        """The same before nothing but bytes of its L1 are written: such a write arms nothing, and
        does not end the rest of a hart, so that `run` need not look at the tile again."""
        number = self._numbers[place]
        machine = self._machines[number]
        if not self._ends[number].is_plain() or machine.S.gate_watch.cells or machine.runner.counts:
            self._wake_once(number)
        elif number not in self._woken and number not in self._roused:
            mode = self._in_step.mode(number)
            if mode == OUT:
                self._catch_up(number)  # bytes of L1 start nothing in a tile at rest
            else:  # what was armed since it fell asleep would have woken it
                self._wake(number, as_before=mode == SLEEPS)
                self._roused.add(number)

    def _wake_once(self, number: int) -> None:
        """Wake a tile unless no time has passed since it was; `run` looks at it again."""
        if number in self._woken:
            return
        if number not in self._roused:
            self._wake(number)
        self._woken.add(number)

    def wake_tile(self, number: int) -> None:
        """Wake a tile, by its number in the order of places, unless nothing has run since."""
        if self._is_lazy:
            self._wake_once(number)

    def wake_all(self) -> None:
        """The same for all tiles."""
        for number in range(len(self._machines)):
            self._wake(number)

    def _run(self, end: int) -> ChipStop | None:
        self._in_step.all_have_changed()
        while True:
            if self._came and (stop := self._reached()) is not None:
                return stop
            stop = self._finish(end)
            if stop is not None:
                return stop
            arrives = self.cables.next_due()
            if arrives <= self.cycle:
                if (stop := self._deliver_packets()) is not None:
                    return stop
                continue
            if self.cycle >= end:
                return None
            last = min(end, arrives)
            if self._watched:
                last = min(last, self.cycle + quantum_of(self.network))
            for number in self._watched:
                self._in_step.set_mode(number, STOPPED)
            # What a watched tile asks of DRAM is carried out at once, and has to be in its turn.
            at_each = bool(self._watched)
            finishes = not at_each and not self._is_observed()
            why, self._goal = self._in_step.run(
                self.cycle, last, at_each=at_each, finishes=finishes
            )
            if why == HAS_DELIVERY:
                self.cycle = self._goal
                failed = self._traffic.deliver(self.cycle)
                if failed >= 0:
                    return ChipStop(
                        self._places[failed], self._machines[failed].reports.report_stop()
                    )
                if self._is_lazy and self.notices:
                    return None
            else:
                self.cycle = self._earliest()

    def _reached(self) -> ChipStop | None:
        """Return the stop of a tile with watched bytes that something from outside has reached."""
        ranges = [end.l1 for end in self._ends]
        while self._came:
            l1 = self._came[0]
            number = ranges.index(l1)
            self._touch(number)
            if l1.came():
                return ChipStop(self._places[number], self._machines[number].reports.report_stop())
            self._came.remove(l1)
        return None

    def _finish(self, end: int) -> ChipStop | None:
        """Bring the tiles that have stopped to where the others are, in the order of time: so are
        their requests for DRAM."""
        goal = min(self._goal, end)
        waiting = [(self._cycle_of(number), number) for number in self._in_step.stopped()]
        heapify(waiting)
        while waiting:
            number = heappop(waiting)[1]
            stop = self._attend(number, goal)
            if stop is not None:
                self._told.add(number)
                self.cycle = max(self.cycle, self._earliest())
                return ChipStop(self._places[number], stop)
            if self._continue(number, goal):
                heappush(waiting, (self._cycle_of(number), number))
        self.cycle = max(self.cycle, goal)
        return None

    def _deliver_packets(self) -> ChipStop | None:
        failed = self.cables.deliver(self.cycle)
        if failed is None:
            return None
        number, problem = failed
        hart = self.cables.by_number[number].kind.first
        stop = Stop(StopKind.FAULT, hart, int(self._machines[number].S.hart.pc[hart]), text=problem)
        return ChipStop(self._places[number], stop)

    def _cycle_of(self, number: int) -> int:
        return int(self._machines[number].S.tile.cycle)

    def _earliest(self) -> int:
        """Return the earliest cycle at which a tile has stopped."""
        cycles = map(self._cycle_of, self._in_step.stopped())
        return min(cycles, default=self._goal)

    def _attend(self, number: int, goal: int) -> Stop | None:
        """Deal with what has stopped a tile."""
        machine = self._machines[number]
        self._in_step.check(number)
        if number in self._watched:
            return self._run_watched(number, machine, goal)
        is_new = machine.S.stop.kind and number not in self._told
        self._told.discard(number)
        if not is_new or self.cables.serve(number, machine.S):
            return None
        return self.cables.in_words(number, machine.runner.after_stop(machine.engine))

    def _continue(self, number: int, goal: int) -> bool:
        """Run a tile that had stopped to the goal; True if it has stopped before."""
        machine = self._machines[number]
        S = machine.S
        while S.tile.cycle < goal and number not in self._watched:
            if machine.runner.at_rest():
                S.tile.cycle = goal  # nothing can move in it: time passes
                self._in_step.set_mode(number, OUT)
                return False
            machine.engine.call(self._entries[number], goal - S.tile.cycle)
            if S.stop.kind:
                return True
        if S.tile.cycle >= self._goal and number not in self._watched:
            self._in_step.set_mode(number, RUNS)
        return False

    def _run_watched(self, number: int, machine: Machine, goal: int) -> Stop | None:
        while machine.S.tile.cycle < goal:
            stop = machine.run(goal - machine.S.tile.cycle)
            if stop is None or self.cables.serve(number, machine.S):
                continue
            if stop.kind is not StopKind.ALL_PAUSED:
                return self.cables.in_words(number, stop)
            machine.S.tile.cycle = goal
        return None

    @property
    def ends(self) -> Sequence[End]:
        """The tiles as ends of requests."""
        return self._ends

    def lend(self, engines: Sequence[Engine] | None) -> None:
        """Run the tiles by these engines from now on, each by itself, or by their own again
        (None)."""
        self.wake_all()
        if self._lent is None:
            self._lent = self._in_step, [machine.engine for machine in self._machines]
        modes = [self._in_step.mode(number) for number in range(len(self._machines))]
        own, before = self._lent
        if engines is None:
            self._in_step, engines, self._lent = own, before, None
        else:
            self._in_step = Plain(self._machines, self.network)
        for number, (machine, engine) in enumerate(zip(self._machines, engines, strict=True)):
            machine.engine = engine
            self._in_step.enter(number, self._entries[number])
            self._in_step.set_mode(number, modes[number])

    def _is_observed(self) -> bool:
        return any(outside.is_observed() for outside in self.outsides.values())

    def stands_at_stop(self) -> bool:
        """True if a tile has stopped within a quantum, which others have run to its end."""
        return bool(self._in_step.stopped())

    def stands_still(self) -> bool:
        """True if it is proved that nothing on the chip can move any more (standstill.py), unless a
        host changes something. False while a tile is at a stop."""
        if not self._is_lazy:
            self.wake_all()  # any tile may have been changed since it fell asleep
        if self._in_step.stopped() or not self.cables.is_quiet():
            return False
        self._catch_up_all()
        modes = [self._in_step.mode(number) for number in range(len(self._machines))]
        return stands_still(self._machines, modes)

    def _due(self, cycle: int) -> list[int]:
        return self._in_step.due(cycle)

    def _settle(self, cycle: int) -> None:
        self._in_step.settle(cycle)

    def links(self) -> Network | None:
        """Return the links as they are in this cycle, to be looked at (links_seen.py)."""
        self._catch_up_all()
        self._traffic.advance(self.cycle)
        return self.network

    @property
    def network(self) -> Network | None:
        """The links and channels of DRAM, in the schedule in which they take time."""
        return self._traffic.network

    # Tiles that sleep

    def _touch(self, number: int) -> None:
        """A request is about to change a tile, or to read it."""
        if self._in_step.mode(number) in (OUT, SLEEPS):
            self._wake(number)
        else:
            self._ends[number].touched()
            self._in_step.has_changed(number)

    def _wake(self, number: int, *, as_before: bool = False) -> None:
        """Bring a tile up to date and let it run, unless it is at rest; `as_before` if nothing has
        been armed or disarmed since it slept."""
        machine, mode = self._machines[number], self._in_step.mode(number)
        S, runner = machine.S, machine.runner
        self._catch_up(number)
        S.polling.state, S.polling.look, S.polling.wait = OFF, S.tile.cycle, 0
        if as_before:
            self._in_step.set_mode(number, RUNS)
            return
        self._in_step.set_plain(number, self._ends[number].is_plain())
        if runner.is_watched():
            self._watched.add(number)
            self._in_step.set_mode(number, STOPPED)
            return
        self._watched.discard(number)
        self._entries[number] = runner.entry(machine.engine)
        self._in_step.enter(number, self._entries[number])
        if mode == STOPPED:
            self._in_step.set_mode(number, STOPPED)
        elif runner.at_rest():
            self._in_step.set_mode(number, OUT)

    def _catch_up(self, number: int) -> None:
        """Bring a tile that sleeps or is at rest to the cycle of the chip."""
        machine, mode = self._machines[number], self._in_step.mode(number)
        left = self.cycle - int(machine.S.tile.cycle)
        if left <= 0 or mode not in (OUT, SLEEPS):
            return
        if mode == OUT:
            machine.S.tile.cycle = self.cycle
            return
        machine.engine.call(self._entries[number], left)
        assert machine.S.tile.cycle == self.cycle, "nothing can happen in a tile that sleeps"

    def _catch_up_all(self) -> None:
        for number in range(len(self._machines)):
            self._catch_up(number)

    # Whole states

    def _memories(self) -> list[Pages]:
        """Return all memory outside the tiles, chip by chip."""
        return [memory for outside in self.outsides.values() for memory in outside.memories()]

    def hash(self) -> str:
        """Return the hash of all state: tiles, memories outside them, broadcasts under way."""
        self._catch_up_all()
        digest = hashlib.blake2b(digest_size=16)
        # First: a broadcast that has left is noted in its tile.
        traffic = self._traffic.state(self.cycle)
        for machine in self._machines:
            digest.update(machine.hash().encode("ascii"))
        for memory in self._memories():
            digest.update(memory.hash().encode("ascii"))
        digest.update(traffic)
        return digest.hexdigest()

    def hash_without_idle(self) -> str:
        """Return the hash of all state but for counts of idle cycles: a host that reads a register
        ends them, and changes nothing that a kernel could see."""
        self._catch_up_all()
        counts = [int(machine.S.tile.idle_cycles) for machine in self._machines]
        for machine in self._machines:
            machine.S.tile.idle_cycles = 0
        try:
            return self.hash()
        finally:
            for machine, count in zip(self._machines, counts, strict=True):
                machine.S.tile.idle_cycles = count

    def capture(self, like: ChipState | None = None) -> ChipState:
        """Copy all state. Pages that are as in `like` are shared with it."""
        self._catch_up_all()
        traffic = self._traffic.snapshot(self.cycle)  # first, as in `hash`
        before = (None,) * len(self._machines) if like is None else like.tiles
        scratch = self._machines[0].record.scratch  # one for all: each has some megabytes
        return ChipState(
            self.cycle,
            self._goal,
            tuple(
                capture_tile(machine, old, scratch)
                for machine, old in zip(self._machines, before, strict=True)
            ),
            tuple(memory.snapshot() for memory in self._memories()),
            traffic,
            tuple(self._in_step.stopped()),
            b"" if self.network is None else self.network.snapshot(),
        )

    def restore(self, state: ChipState) -> None:
        """Go back to a state; what is armed stays, but no step."""
        scratch = self._machines[0].record.scratch
        for number, machine in enumerate(self._machines):
            restore_tile(machine, state.tiles[number], scratch)
            self._in_step.set_mode(number, RUNS)
        for number in state.stopped:
            self._in_step.set_mode(number, STOPPED)
        self._told = set(state.stopped)
        for memory, pages in zip(self._memories(), state.outside, strict=True):
            memory.restore(pages)
        if self.network is not None:
            self.network.restore(state.links)
        self._traffic.restore(state.traffic)
        self.cycle, self._goal = state.cycle, state.goal
        if self._races is not None:
            self._races.forget_state()
        for machine, tile in zip(self._machines, state.tiles, strict=True):
            restore_held(machine, tile)
        self.wake_all()
