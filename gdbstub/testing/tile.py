# SPDX-License-Identifier: Apache-2.0
"""A tile in a test: load, break, run, step, look. Synchronous, in this process, no sockets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from types import TracebackType

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, THREADS
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.explain.orders import broken, relied_on
from tensix_gdb.core.firmware.folder import programs_in
from tensix_gdb.core.history import History
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.ask import Origins, origins
from tensix_gdb.core.origin.places import NotAPlace
from tensix_gdb.core.origin.query import CYCLES, NotRepeated
from tensix_gdb.core.origin.rerun import Again, OfHistory, Rerun
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.race.checks.table import DEFAULT as DEFAULT_CHECKS
from tensix_gdb.core.race.state.areas import Buffer
from tensix_gdb.core.race.state.table import BY_NAME, GROUPS
from tensix_gdb.gdbstub.race.holding import ToCycle
from tensix_gdb.gdbstub.race.witness import from_here
from tensix_gdb.gdbstub.tensix.pauses import add_pause
from tensix_gdb.gdbstub.testing import running
from tensix_gdb.gdbstub.testing.arrays import L1, Dst
from tensix_gdb.gdbstub.testing.breakpoint import (
    Breakpoint,
    Condition,
    gate_breakpoint,
    gate_watchpoint,
)
from tensix_gdb.gdbstub.testing.hart import Hart
from tensix_gdb.gdbstub.testing.program import NoSuchPlace, Program
from tensix_gdb.gdbstub.testing.races import Race, Races, RaceWitness, find_witness, races
from tensix_gdb.gdbstub.testing.report import report
from tensix_gdb.gdbstub.testing.stop import Stop
from tensix_gdb.gdbstub.testing.tensix import TensixThread, mutexes, semaphores
from tensix_gdb.gdbstub.usage import HARTS as TYPED_NAMES
from tensix_gdb.gdbstub.usage import UsageError, parse_schedule

__tracebackhide__ = True  # pytest shows the test's own line

Path_ = str | Path
CHIPS = {"blackhole": Arch.BLACKHOLE, "wormhole": Arch.WORMHOLE}


def _chip(name: str) -> Arch:
    """The chip of a name. UsageError for another one."""
    if name not in CHIPS:
        raise UsageError(f"arch={name!r} is no chip of a tile: type {' or '.join(CHIPS)}")
    return CHIPS[name]


class Tile:
    """A tile with programs: `Tile(t0="t0.elf", b="b.elf")`, or those of a folder, by their names:
    `Tile(dir="build")`. Close it, or use it in `with`.

    `schedule` is one of the command line's: sc, latency, random:SEED[,strict][,no-pauses]; `arch`
    is the chip, `blackhole` or `wormhole`.
    """

    def __init__(
        self,
        *,
        engine: str | Engine = "auto",
        schedule: str = "sc",
        arch: str = "blackhole",
        sources: Iterable[Path_] = (),
        dir: Path_ | None = None,
        b: Path_ | None = None,
        t0: Path_ | None = None,
        t1: Path_ | None = None,
        t2: Path_ | None = None,
        nc: Path_ | None = None,
    ) -> None:
        machine = Machine(engine=engine, schedule=parse_schedule(schedule), arch=_chip(arch))
        self._take(machine, sources)
        for name, path in zip(TYPED_NAMES, (b, t0, t1, t2, nc), strict=True):
            if path is not None:
                self.load(name, path)
        if dir is not None:
            self.load_folder(dir)

    def _take(self, machine: Machine, sources: Iterable[Path_] = ()) -> None:
        """Be the tile of a machine."""
        self.machine = machine
        self.harts = tuple(Hart(self.machine, number) for number in range(HARTS))
        self.b, self.t0, self.t1, self.t2, self.nc = self.harts
        self.tensix = tuple(TensixThread(self.machine, number) for number in range(THREADS))
        self.semaphores = semaphores(self.machine)
        self.l1, self.dst = L1(self.machine), Dst(self.machine)
        self.stop: Stop | None = None
        self._to_cycle: ToCycle | None = None
        self._history: History | None = None
        self.breakpoints: list[Breakpoint] = []
        self._sources = tuple(Path(folder) for folder in sources)

    def close(self) -> None:
        """Give up the engine's background work."""
        self.machine.close()

    def __enter__(self) -> Tile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if problem is not None:
            problem.add_note(self.report())
        self.close()

    # Programs

    def hart(self, which: str | int | Hart) -> Hart:
        """A hart by name, number or itself."""
        if isinstance(which, Hart):
            return which
        if isinstance(which, int):
            return self.harts[which]
        if which.lower() not in TYPED_NAMES:
            raise LookupError(f"there is no hart {which}; there are {', '.join(HART_NAMES)}")
        return self.harts[TYPED_NAMES.index(which.lower())]

    def load(self, hart: str | int | Hart, path: Path_) -> Program:
        """Load an ELF for a hart, which will start at its entry."""
        chosen = self.hart(hart)
        image = read_elf(path)
        self.machine.load(chosen.number, image)
        chosen.program = Program(image, self._sources)
        return chosen.program

    def load_folder(self, folder: Path_) -> None:
        """Load the ELFs of a folder by their names, as `tensix-gdb run --dir` does."""
        for number, path in programs_in(folder).items():
            self.load(number, path)

    @property
    def cycle(self) -> int:
        """Cycles since power-up."""
        return int(self.machine.S.tile.cycle)

    @property
    def mutexes(self) -> dict[int, int | None]:
        """The Tensix thread that holds each mutex; None for none."""
        return mutexes(self.machine)

    @property
    def orders(self) -> dict[str, int]:
        """How often the run has relied on each order that no page grants, by the order's name."""
        return {order.promise.name: order.times for order in relied_on(self.machine.S)}

    @property
    def broken_orders(self) -> dict[str, int]:
        """How often each of them was broken; only in random:SEED,strict."""
        return {order.promise.name: order.times for order in broken(self.machine.S)}

    def observe_races(
        self, *, strict: bool = False, checks: Collection[str] = DEFAULT_CHECKS
    ) -> None:
        """From now on find accesses that nothing orders; `strict`: also those that only a promise
        of no page orders. `checks` are names of checks of synchronisation ("S1"). Not in the
        schedule sc."""
        self.machine.observe_races(strict=strict, checks=checks)
        self._to_cycle = None

    @property
    def races(self) -> Races:
        """What was found since `observe_races`."""
        return races(self.machine)

    def check(
        self, *groups: str, buffers: Iterable[tuple[int, int]] = (), races: bool = False
    ) -> None:
        """From now on look for "init", "leaks", "memory", or all of them without a name.
        `buffers` are address and bytes of where tiles are in L1; `races`: races as well. Not in
        the schedule sc."""
        state = self.machine.check_state(groups or GROUPS, races=races)
        state.buffers = [Buffer(f"at {first:#x}", first, size) for first, size in buffers]
        state.look()
        self._to_cycle = None

    def kernel_begins(self) -> None:
        """For `check`: what was written until now is left over from an earlier kernel."""
        self.machine.kernel_begins()

    @property
    def checks(self) -> Races:
        """What was found since `check`: uninitialised state, leaks, mistakes with memory."""
        return Races(one for one in races(self.machine) if one.check in BY_NAME)

    def witness(self, race: Race | int = 1) -> RaceWitness:
        """Run again with the earlier access of a race held until the later one is over. If that is
        possible the tile is there, and `run` goes on with that execution; what a test has changed
        since the first `run` is not made again."""
        return find_witness(self.machine, self.races, race, self._to_cycle)

    def begin_run(self) -> None:
        """Keep the state in which an observed run begins, for `witness`."""
        if self._to_cycle is None and self.machine.runner.races is not None:
            self._to_cycle = from_here(self.machine)
        if self._history is not None:
            self._history.resume()

    def end_run(self, *, goes_on: bool) -> None:
        """Note that the tile has come to rest, for `origin`."""
        if self._history is not None:
            self._history.add_checkpoint_if_due()
            if not goes_on:
                self._history.suspend()

    def keep_history(self) -> None:
        """Keep the past of the tile from now on, with what the test changes, for `origin`: call it
        before the first write and the first run."""
        self._history = History(self.machine)

    def origin(self, place: str, *, cycles: int = CYCLES) -> Origins:
        """The last write of a value, and what it was made of (`tensix-gdb manual origin`). `place`
        is `0x41006:2`, `dst 16 4`, `$lreg3.f[7]`, `cfg NAME`. LookupError with a sentence. What a
        test changes itself is known only after `keep_history`."""
        rerun: Rerun = Again(self.machine)
        if self._history is not None:
            self._history.suspend()
            rerun = OfHistory(self.machine, self._history)
        try:
            return origins(self.machine, rerun, place.split(), cycles=cycles)
        except (NotAPlace, NotRepeated) as problem:
            raise LookupError(str(problem)) from None

    # Breakpoints

    def break_at(
        self,
        place: str | int,
        *,
        hart: str | int | Hart | None = None,
        when: Condition | None = None,
    ) -> Breakpoint:
        """Stop before a function (`"filter"`), a line (`"t0.c:27"`), a symbol or an address.

        The place is looked for in the program of every hart, or of the one that is named.
        `when` is asked with the hart that gets there; the tile goes on while it is false.
        """
        chosen = self.harts if hart is None else (self.hart(hart),)
        addresses = [(each.number, at) for each in chosen for at in self._places(each, place)]
        meant = self._harts_of_line(place, {number for number, _ in addresses})
        addresses = [(number, at) for number, at in addresses if number in meant]
        if not addresses:
            raise NoSuchPlace(self._no_such(place, chosen))
        for number, at in addresses:
            self.machine.add_break(at, number)
        self.breakpoints.append(Breakpoint(str(place), when, tuple(addresses)))
        return self.breakpoints[-1]

    def _places(self, hart: Hart, place: str | int) -> list[int]:
        return [place] if isinstance(place, int) else hart.program_addresses(place)

    def _harts_of_line(self, place: str | int, harts: set[int]) -> set[int]:
        """Find, of these harts, those that have code nearest after a line. A file that is compiled
        for several harts has other lines for each, as with `#ifdef`."""
        programs = {number: self.harts[number].program for number in harts}
        lines = {number: one.line(place) for number, one in programs.items() if one is not None}
        nearest = min(lines.values(), default=0)
        return {number for number in harts if lines.get(number, nearest) == nearest}

    def _no_such(self, place: str | int, harts: Iterable[Hart]) -> str:
        programs = [hart.program for hart in harts if hart.program is not None]
        if not programs:
            return f"no program is loaded that could have {place}"
        files = ", ".join(str(program.image.path) for program in programs)
        wanted = str(place).lower()
        near = [n for p in programs for n in p.names if wanted in n.lower() or n.lower() in wanted]
        hint = f"; there is {', '.join(near[:4])}" if near else ""
        return f"{place} is no function, symbol or line with code in {files}{hint}"

    def watch(
        self,
        what: str | int,
        *,
        hart: str | int | Hart,
        length: int = 4,
        access: str = "write",
        when: Condition | None = None,
    ) -> Breakpoint:
        """Stop before a "write", "read" or any "access" to a variable or to bytes at an address.

        `hart` is the one that has the variable, or that means something by the address. In L1 all
        harts' accesses stop; `when` is asked with the one that does it.
        """
        chosen = self.hart(hart)
        addr = what if isinstance(what, int) else chosen.variable(what).addr
        size = length if isinstance(what, int) else chosen.variable(what).type.size
        self.machine.add_watch(chosen.number, addr, size, access)
        watched = (chosen.number, addr, size, access)
        self.breakpoints.append(Breakpoint(str(what), when, watched=watched))
        return self.breakpoints[-1]

    def break_gate(
        self,
        *what: str,
        thread: int | str | None = None,
        fields: str = "",
        nth: int = 0,
        when: Condition | None = None,
    ) -> Breakpoint:
        """Stop at the wait gate, held or not: what an instruction ("STALLWAIT"), a line
        ("math.c:45") or a function pushes, of all threads or one; `fields` are comparisons
        ("which_unpacker=UNP1, last=0"), `nth` counts what one push became. `when` is asked with
        the Tensix thread."""
        made = gate_breakpoint(self.machine, what, thread, fields, nth, when)
        self.breakpoints.append(made)
        return made

    def watch_tensix(
        self, what: str, *, hart: str | int | Hart = "t0", when: Condition | None = None
    ) -> Breakpoint:
        """Stop after a change by the coprocessor: "gpr T1 5", "cfg NAME", "sem 3", "mutex 2",
        "lreg 3 7", "dst 0 4", or an address that `hart` sees. `when` is asked with the thread."""
        made = gate_watchpoint(self.machine, what, self.hart(hart).number, when)
        self.breakpoints.append(made)
        return made

    def pause(self, where: str) -> None:
        """Let a hart or Tensix thread stand still at a place: "T0@unpack.c:45#3:79", before the
        third time, for 79 cycles; "gate.T1@0xB3C4:79" at the gate, what is pushed there."""
        add_pause(self.machine, where)

    def delete(self, breakpoint: Breakpoint | None = None) -> None:
        """Remove a breakpoint, or all of them."""
        for deleted in [breakpoint] if breakpoint is not None else list(self.breakpoints):
            self.breakpoints.remove(deleted)
            for number, at in deleted.addresses:
                self.machine.remove_break(at, number)
            if deleted.watched is not None:
                self.machine.remove_watch(*deleted.watched)
            if deleted.armed:
                self.machine.gates.remove(deleted.armed)

    def unpause(self, hart: str | int | Hart) -> None:
        """Let a hart that has paused at an ebreak or ecall resume after it; otherwise it stays."""
        self.machine.resume_from(self.hart(hart).number)

    # Running (gdbstub.testing.running has it in slices)

    def run(self, cycles: int = running.CYCLES) -> Stop:
        """Run until something stops the tile; NotStopped after so many cycles."""
        return _finish(running.running(self, cycles))

    def run_to(
        self,
        place: str | int,
        *,
        hart: str | int | Hart | None = None,
        cycles: int = running.CYCLES,
    ) -> Stop:
        """Run to a place; NotStopped, with where it is instead, when something else stops it."""
        return _finish(running.to(self, place, hart, cycles))

    def run_to_end(self, *harts: str | int | Hart, cycles: int = running.CYCLES) -> Stop:
        """Run until these harts, or all that run, have paused at their ebreak; NotStopped when
        anything else stops the tile."""
        return _finish(running.to_end(self, [self.hart(hart) for hart in harts], cycles))

    def step(self, hart: str | int | Hart, count: int = 1) -> Stop:
        """Let a hart execute so many instructions; the others run meanwhile."""
        return _finish(running.steps(self, self.hart(hart), count))

    def step_line(self, hart: str | int | Hart) -> Stop:
        """Let a hart go to the next line, into functions that have lines."""
        return _finish(running.line(self, self.hart(hart), over=False))

    def next_line(self, hart: str | int | Hart) -> Stop:
        """Let a hart go to the next line of the same function or of its caller."""
        return _finish(running.line(self, self.hart(hart), over=True))

    def finish(self, hart: str | int | Hart, cycles: int = running.CYCLES) -> Stop:
        """Let a hart return to the caller of the function that it is in."""
        return _finish(running.returning(self, self.hart(hart), cycles))

    # Whole states, and words

    def hash(self) -> str:
        """Hash of all state: two runs were the same if theirs are."""
        return self.machine.hash()

    def snapshot(self) -> bytearray:
        """Copy all state, for `restore`."""
        return self.machine.snapshot()

    def restore(self, snapshot: bytearray) -> None:
        """Go back to a snapshot; breakpoints stay."""
        self.machine.restore(snapshot)
        self.stop = None

    def report(self) -> str:
        """Where the tile stands, with source lines; what a failed test shows."""
        return report(self)


def _finish(slices: Iterator[Stop | None]) -> Stop:
    last = None
    for stop in slices:
        last = stop
    assert last is not None
    return last


def tile_of(machine: Machine) -> Tile:
    """The tile of a machine that is there already, with the programs that it has. The machine
    belongs to the caller."""
    tile = Tile.__new__(Tile)
    tile._take(machine)
    for image in machine.images:
        if image.hart is not None:
            tile.harts[image.hart].program = Program(image, ())
    return tile
