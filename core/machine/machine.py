# SPDX-License-Identifier: Apache-2.0
"""The tile as Python sees it: build, load, run to a stop, look, change.

A `Machine` is one record, one engine and what the debugger has armed. It is synchronous and
single-threaded: `run` goes on for a number of cycles and comes back, and between two calls
everything may be looked at and changed. How things get in is in loading.py, how registers and
memory are seen in inspect.py, what going on passes in debug/resume.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import partial

from tensix_gdb.core.arch.blackhole import HARTS, SOFT_RESET_HARTS
from tensix_gdb.core.clock.timed import quiescent
from tensix_gdb.core.clock.watchdog import MOST_LOOKS
from tensix_gdb.core.counting.counts import Counts
from tensix_gdb.core.debug.breakpoints import Armed, Break
from tensix_gdb.core.debug.gate_breakpoints import GateArmed
from tensix_gdb.core.debug.memory import Access, MemoryFault
from tensix_gdb.core.debug.resume import Passing
from tensix_gdb.core.devices import blocks
from tensix_gdb.core.engine import Engine, Entry, open_engine
from tensix_gdb.core.explain.stop import Places, explain
from tensix_gdb.core.faults.policy import Policies, pass_fault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import host_service as beyond
from tensix_gdb.core.machine import stop_report as stopped
from tensix_gdb.core.machine.deadlock import is_dead
from tensix_gdb.core.machine.entries import (
    DISARM,
    ENTRIES,
    HOLD,
    REMEMBER,
    RUN,
    RUN_CHECKED,
    RUN_TIMED,
    RUN_TIMED_CHECKED,
)
from tensix_gdb.core.machine.inspect import Looking
from tensix_gdb.core.machine.loading import Loading
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.noc.outside import Outside
from tensix_gdb.core.record.layout import Layout
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.recording.recorder import Recorder
from tensix_gdb.core.riscv.reset import update_issuing
from tensix_gdb.core.schedule import DEFAULT_SEED, Schedule, seed_state
from tensix_gdb.core.semihosting.calls import Calls
from tensix_gdb.core.stop import AT_GATE, Stop, StopKind
from tensix_gdb.core.timeline.tracer import Sink, Tracer

__all__ = ["Machine", "MemoryFault"]

# Compared after every run; a member of an enumeration takes several times as long.
_STANDSTILL, _FAULT, _STEP = map(int, (StopKind.STANDSTILL, StopKind.FAULT, StopKind.STEP))
MOST_PASSED = 256  # faults in one run; each takes some microseconds


class Machine(Loading, Looking):
    """An emulated Blackhole Tensix tile.

    `engine` is "auto" (starts at once on the reference engine and moves up in the background),
    "compiled" (waits for the compiler) or "reference". `schedule` decides which executions are
    looked at (core/schedule.py); with RANDOM, `seed` names the one. `arch` is whose instructions
    the coprocessor takes (core/tensix/wormhole.py). `layout` and `entries` are for litmus tests,
    which need little memory and functions of their own.
    """

    def __init__(
        self,
        *,
        engine: str = "auto",
        schedule: Schedule = Schedule.SC,
        seed: int = DEFAULT_SEED,
        arch: Arch = Arch.BLACKHOLE,
        layout: Layout = LAYOUT,
        entries: Sequence[Entry] = ENTRIES,
    ) -> None:
        self.record = Record(layout)
        self.S = self.record.S
        self.engine: Engine = open_engine(engine, entries, self.record)
        self.images = []
        self._loads, self._hosted = [], []
        self.memory = Access(self.record)
        self.outside = Outside()
        self.resets = 0  # how often the tile has started over
        self.armed = Armed(self.S)
        self.gates = GateArmed(self.S)
        self._held = self.record.row(self.record.layout.slot("hart", "held"))
        self.places = Places(self.images)
        self.passing = Passing(self.S)
        self._schedule, self._seed = schedule, seed
        self._arch = arch
        self.tracer: Tracer | None = None
        self.counts: Counts | None = None
        # A host may write to the tile between two runs, without a word to its debugger.
        self.has_host = False
        self.faults = Policies()
        self.recorder: Recorder | None = None
        self.calls: Calls | None = None  # what answers semihosting calls
        self.onlooker: beyond.Onlooker | None = None
        self._power_up()

    def close(self) -> None:
        """Give up the engine's background work."""
        self.engine.close()

    # Loading and reset

    def _power_up(self) -> None:
        """All state zero, all harts held in soft reset.

        UNSPECIFIED(SoftReset.md): the value of SOFT_RESET_0 at power-up; a host holds every hart
        in reset before it loads code, so that is where this machine starts.
        """
        self.record.restore(bytearray(self.record.layout.state_size))
        self.memory.forget_all()
        self.outside.clear()
        self._begin_schedule()
        self.S.gate.wormhole = 1 if self._arch is Arch.WORMHOLE else 0
        self.S.semihosting.served = 0 if self.calls is None else 1
        self.S.tile_control.soft_reset = SOFT_RESET_HARTS
        for hart in range(HARTS):
            self.S.hart.in_reset[hart] = 1
        blocks.power_up(self.S)
        self._settle()

    def _settle(self) -> None:
        """Make what is derived from the state fit it again."""
        self.passing.clear()
        self.disarm()
        self.gates.look_again()
        for hart in range(HARTS):
            update_issuing(self.S, hart)

    def reset(self) -> None:
        """As after loading: state fresh, every loaded hart at its entry. What is armed stays."""
        self.resets += 1
        if self.calls is not None:
            self.calls.begin()
        self._power_up()
        self.faults.places.clear()
        self.load_again()
        self._settle()
        if self.tracer is not None:
            self.tracer.begin()

    def reseed(self, seed: int) -> None:
        """Choose the execution of schedule RANDOM that the next `reset` starts."""
        self._seed = seed

    def reschedule(self, schedule: Schedule, seed: int = DEFAULT_SEED) -> None:
        """Choose the schedule that the next `reset` starts; of a tile that has not run yet, its
        own. What is under way in another schedule could not be taken over in this one."""
        self._schedule, self._seed = schedule, seed
        if not self.S.tile.cycle and not self.S.schedule.begun:
            self._begin_schedule()

    def _begin_schedule(self) -> None:
        self.seed = self._seed  # of the execution that begins
        self.S.schedule.kind = self._schedule
        self.S.schedule.random = seed_state(self.seed)

    # Running

    def run(self, cycles: int, *, blind: bool = False) -> Stop | None:
        """Run at most `cycles` cycles; None when they are used up and nothing happened, or when so
        many faults were ignored that the client should hear of it. `blind` looks for nothing
        that is armed, unless threads are held at their gates or a hart passes something."""
        if self.recorder is not None:
            self.recorder.goes()
            try:
                return self._run(cycles, blind)
            finally:
                self.recorder.rests()
        return self._run(cycles, blind)

    def _run(self, cycles: int, blind: bool) -> Stop | None:
        if self._at_rest():
            return stopped.all_paused(self)
        checked = self.armed.steps() or self.gates.holds()
        if not blind:
            checked = self.armed.anything() or self.gates.anything()
        if self.counts is not None:
            self.counts.look()
            checked = True
        self.advance(cycles, checked)
        if self.S.stop.kind:
            return self._stop()
        # With time, harts that have paused may have stores that still had to be processed.
        return stopped.all_paused(self) if self._at_rest() else None

    def advance(self, cycles: int, checked: bool) -> None:
        """The run itself; `checked` when anything may be armed. `S.stop` says why it has ended."""
        if self.S.schedule.kind == Schedule.SC:
            entry = RUN_CHECKED if checked else RUN
        else:
            entry = RUN_TIMED_CHECKED if checked else RUN_TIMED
        if self.S.gate.next and self.S.gate_watch.cells:
            # In the middle of a cycle: what was written from outside is no change.
            self.engine.call(REMEMBER.name)
        end = self.S.tile.cycle + cycles
        self._cycles(entry, cycles)
        for _ in range(MOST_PASSED):
            if not self._goes_on() or self.S.tile.cycle >= end or self._at_rest():
                break
            self._cycles(entry, end - self.S.tile.cycle)
        else:
            self._goes_on()
        stop = self.S.stop
        if stop.kind == _STEP and stop.stream < AT_GATE:
            self.S.debug.stepping[stop.hart] = 0

    def _cycles(self, entry: Entry, cycles: int) -> None:
        beyond.run(self, partial(self._call, entry), cycles)

    def serve_calls(self, calls: Calls) -> None:
        """From now on semihosting calls are answered by `calls`; without it they are ebreaks."""
        self.calls = calls
        self.S.semihosting.served = 1

    def _call(self, entry: Entry, cycles: int) -> None:
        if self.tracer is None:
            self.engine.call(entry.name, cycles)
        else:
            self.tracer.run(cycles)

    def trace(self, sink: Sink | None) -> None:
        """From now on give what changes to `sink`; None ends it."""
        self.tracer = None if sink is None else Tracer(self, sink)

    def count(self) -> Counts:
        """From now on count what is executed (core/counting)."""
        self.counts = Counts(self)
        return self.counts

    def start_recording(self) -> Recorder:
        """From now on keep all inputs, for a recording (core/recording)."""
        self.recorder = Recorder(self)
        return self.recorder

    def _goes_on(self) -> bool:
        """True if what ended the run is no reason to stop; it is forgotten then."""
        kind = self.S.stop.kind
        if kind == _STANDSTILL:
            if is_dead(self):
                self.S.tile.looks = 0
                return False
            self.S.tile.looks = min(self.S.tile.looks + 1, MOST_LOOKS)
            self.S.stop.kind = StopKind.NONE
            return True
        return kind == _FAULT and self._passes()

    def _passes(self) -> bool:
        """True if the fault that has ended the run is to be ignored; it is ignored then."""
        recorded = self.S.stop
        if not self.faults.passes(recorded.code):
            return False
        hart, pc, code = recorded.hart, recorded.pc, recorded.code
        known = (code, hart, pc) in self.faults.places
        stop = Stop(StopKind.FAULT, hart, pc, code=code)
        text = "" if known else explain(self.S, stop, self.places)
        self.faults.note(self.S, hart, pc, code, text)
        pass_fault(self.S)
        recorded.kind = StopKind.NONE
        return True

    def _at_rest(self) -> bool:
        return self.idle() and bool(quiescent(self.S))

    def _stop(self) -> Stop:
        found = stopped.now(self)
        assert found is not None
        if found.thread is None:
            self.passing.note(found.hart, found.pc, found.kind)
        return found

    def hold(self, harts: Collection[int]) -> None:
        """Let exactly these harts not issue; the rest of the tile goes on."""
        if harts or any(self._held):
            self.engine.call(HOLD.name, sum(1 << hart for hart in set(harts)))

    def step(self, hart: int, lo: int = 0, hi: int = 0) -> None:
        """Arm a stop of `hart` when its pc leaves [lo, hi), or after one instruction."""
        debug = self.S.debug
        debug.step_lo[hart] = lo
        debug.step_hi[hart] = hi
        debug.stepping[hart] = 1

    def disarm(self) -> None:
        """Forget armed steps and what may be passed."""
        self.gates.disarm()
        self.passing.disarm()
        if self.armed.steps():
            self.engine.call(DISARM.name)

    def resume_from(self, hart: int) -> None:
        """Let the next instruction of `hart` pass what was reported at its pc already.

        A hart paused at an ebreak or ecall resumes after it; one that is paused by the debug
        interface stays so.
        """
        self.passing.resume_from(hart)

    # Breakpoints and watches

    def add_break(
        self, addr: int, hart: int | None = None, conditions: tuple[bytes, ...] = ()
    ) -> None:
        """Stop a hart (all of them when none is named) before the instruction at `addr`, unless
        all conditions (core/debug/conditions.py) are false."""
        self.armed.add_break(addr, hart, conditions)

    def remove_break(
        self, addr: int, hart: int | None = None, conditions: tuple[bytes, ...] = ()
    ) -> None:
        """Take back one `add_break`."""
        self.armed.remove_breaks(((addr, hart, conditions),))

    def remove_breaks(self, several: Iterable[Break]) -> None:
        """Take back several."""
        self.armed.remove_breaks(several)

    def add_watch(self, hart: int, addr: int, length: int, kind: str) -> None:
        """Stop before a "write", "read" or any "access" to the bytes that `hart` sees there."""
        self.armed.add_watch(hart, addr, length, kind)

    def remove_watch(self, hart: int, addr: int, length: int, kind: str) -> None:
        """Take back one `add_watch`."""
        self.armed.remove_watch(hart, addr, length, kind)

    # Whole states

    def snapshot(self, into: bytearray | None = None) -> bytearray:
        """Copy all state."""
        return self.record.snapshot(into)

    def restore(self, snapshot: bytearray) -> None:
        """Go back to a snapshot; breakpoints and watches stay."""
        self.record.restore(snapshot)
        self.memory.forget_all()
        self._settle()

    def hash(self) -> str:
        """Hash of all state."""
        return self.record.hash()
