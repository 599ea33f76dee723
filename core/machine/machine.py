# SPDX-License-Identifier: Apache-2.0
"""The tile as Python sees it: build, load, run to a stop, look, change.

A `Machine` is one record, one engine and what the debugger has armed. It is synchronous and
single-threaded: `run` lasts a number of cycles and returns, and between two calls
everything may be looked at and changed: looking has no side effects, changing has those that the
hart's own access would have.

It is composed of objects that know a record and not the machine: `loader`, `runner`, `host` and
`reports` beside this file; `memory`, `armed`, `gates` and `step_over` in core/debug. What a
debugger does with it is in debugging.py; what observes its runs is in observation.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from tensix_gdb.core.arch.blackhole import HARTS, SOFT_RESET_HARTS
from tensix_gdb.core.arch.chips import BURSTS
from tensix_gdb.core.counting.counts import Counts
from tensix_gdb.core.debug.breakpoints import Armed
from tensix_gdb.core.debug.gate_breakpoints import GateArmed
from tensix_gdb.core.debug.kept_stop import NO_STOP, put_stop_back
from tensix_gdb.core.debug.memory import Access, MemoryFault
from tensix_gdb.core.debug.named_pauses import NamedPauses
from tensix_gdb.core.debug.resume import StepOver
from tensix_gdb.core.devices import blocks
from tensix_gdb.core.engine import Engine, Entry, open_engine
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.explain.stop import hart_state
from tensix_gdb.core.faults.policy import Policies
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine.debugging import Debugging
from tensix_gdb.core.machine.entries import ENTRIES, fixed_rows
from tensix_gdb.core.machine.executions import begin_execution
from tensix_gdb.core.machine.host_service import Host
from tensix_gdb.core.machine.loading import Loader
from tensix_gdb.core.machine.observation import Observation
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.machine.run import RunEnd, RunLimits
from tensix_gdb.core.machine.runner import Runner
from tensix_gdb.core.machine.stop_report import StopReports
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.race.state.host import HostWrites
from tensix_gdb.core.record.layout import Layout
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.recording.recorder import Recorder
from tensix_gdb.core.riscv.reset import update_issuing
from tensix_gdb.core.schedule import DEFAULT_SEED, Schedule
from tensix_gdb.core.semihosting.calls import Calls
from tensix_gdb.core.stop import Stop
from tensix_gdb.core.timeline.tracer import Sink, Tracer
from tensix_gdb.core.translate.translations import Translations, are_wanted

__all__ = ["Machine", "MemoryFault"]


class Machine(Debugging, Observation):
    """An emulated Tensix tile of a Blackhole, or of a Wormhole B0.

    `engine` is "auto" (starts at once on the reference engine and moves up in the background),
    "compiled" (waits for the compiler) or "reference", or the compiled engine of another machine,
    the code of which serves this one as well. `schedule` decides which executions are
    explored (core/schedule.py); with RANDOM, `seed` names the one; an Execution says all of it
    (core/execution.py). `arch` is the chip
    (core/arch/README.md). `layout` and `entries` are for litmus tests, which need
    little memory and functions of their own.
    """

    def __init__(
        self,
        *,
        engine: str | Engine = "auto",
        schedule: Schedule | Execution = Schedule.SC,
        seed: int = DEFAULT_SEED,
        arch: Arch = Arch.BLACKHOLE,
        layout: Layout = LAYOUT,
        entries: Sequence[Entry] = ENTRIES,
    ) -> None:
        self.record = record = Record(layout)
        self.S = S = record.S
        # The engine of a litmus test serves tests of both chips.
        fixed = fixed_rows(arch.chip) if layout is LAYOUT else ()
        self.engine: Engine = open_engine(engine, entries, record, fixed=fixed)
        self.memory = Access(record)
        self.host_writes = HostWrites(record) if layout is LAYOUT else None
        if self.host_writes is not None:
            self.memory.written = self.host_writes.note
        self.step_over = StepOver(S)
        self.loader = Loader(S, self.memory, self.step_over)
        self.images, self.places = self.loader.images, self.loader.places
        self.host = Host(record, self.memory, self.images)
        self.outside = self.host.outside
        self.armed, self.gates = Armed(S), GateArmed(S)
        self.gates.l1.memory = self.memory
        self.pauses = NamedPauses(S)
        self.faults = Policies()
        self.reports = StopReports(S, self.armed, self.gates, self.step_over, self.places)
        self.runner = Runner(
            record, self.memory, self.host, self.armed, self.gates, self.faults, self.reports
        )
        if layout is LAYOUT and are_wanted() and BURSTS[arch.chip]:
            self.runner.translations = Translations(record)
        self._frozen = record.row(layout.slot("hart", "held"))
        self.resets = 0  # how often the tile has started over
        # Of a snapshot of a card: what could not be read, and why. Its rows mean nothing.
        self.unknown: dict[str, str] = {}
        self._next, self.arch = _execution(schedule, seed), arch
        self._begin_new()

    def close(self) -> None:
        """Give up the engine's background work."""
        self.engine.close()

    # Loading and reset

    def load(self, hart: int, image: Image) -> None:
        """Put an ELF into the memories that `hart` sees and let the hart go from its entry.

        LoadError when the image does not fit the hart or overlaps another one.
        """
        self.loader.load(hart, image)

    def load_bytes(self, addr: int, data: bytes) -> None:
        """Put bytes into L1 (or whatever B has at `addr`). MemoryFault where it has no memory."""
        self.loader.load_bytes(addr, data)

    def load_by(self, place: Callable[[Machine], None], images: Sequence[Image]) -> None:
        """Let a host load its files in its own way: `place` is called with the tile, now and after
        each reset, and does what that host does to a tile in reset."""
        self.loader.load_by(partial(place, self), images)

    def _power_up(self) -> None:
        """All state zero, all harts held in soft reset.

        UNSPECIFIED(SoftReset.md): the value of SOFT_RESET_0 at power-up; a host holds every hart
        in reset before it loads code, so that is where this machine starts.
        """
        self.record.restore(bytearray(self.record.layout.state_size))
        if self.host_writes is not None:
            self.host_writes.forget_writes()
        self.memory.forget_all()
        self.outside.clear()
        self._begin_record()

    def _begin_new(self) -> None:
        """Give power to a new record, of zeros that the system has not given yet. Of tiles of one
        kind the first one is begun, and the others copy the pages that it has written: a chip has
        140. Where a seed decides what is written, each is begun by itself."""
        execution = self._next
        kind = self.record.layout, self.arch, execution.schedule, execution.strict, execution.pauses
        is_planned = execution.delays is not None or execution.kept_pauses is not None
        if is_planned or execution.schedule is Schedule.RANDOM:
            self._begin_record()
        elif (same := _new_records.get(kind)) is not None:
            blocks.put_pieces(self.record.raw(), same)
            self._begin_schedule()  # with its own seed
        else:
            self._begin_record()
            _new_records[kind] = blocks.pieces_of_new(self.record)

    def _begin_record(self) -> None:
        """Give power to a record of zeros."""
        self.S.tile.chip = self.arch.chip
        blocks.power_up(self.record)
        self._begin_schedule()
        self.S.semihosting.served = 0 if self.host.calls is None else 1
        self.S.tile_control.soft_reset = SOFT_RESET_HARTS
        for hart in range(HARTS):
            self.S.hart.in_reset[hart] = 1
        self._rebuild_derived()

    def _rebuild_derived(self) -> None:
        """Make what is derived from the state fit it again. At the stop before it is no more."""
        put_stop_back(self.S, NO_STOP)
        self.step_over.clear()
        self.disarm()
        self.gates.look_again()
        for hart in range(HARTS):
            update_issuing(self.S, hart)

    def reset(self) -> None:
        """Reset as after loading: state fresh, every loaded hart at its entry. What is armed
        stays."""
        self.resets += 1
        if self.host.calls is not None:
            self.host.calls.restart_program()
        self._power_up()
        self.faults.places.clear()
        self.loader.load_again()
        self._rebuild_derived()
        if (tracer := self.runner.tracer) is not None:
            tracer.begin_trace()
        if (races := self.runner.races) is not None:
            races.begin_anew()

    def reseed(self, seed: int) -> None:
        """Choose the execution of schedule RANDOM that the next `reset` starts."""
        self._next = replace(self._next, seed=seed)

    def reschedule(self, schedule: Schedule | Execution, seed: int = DEFAULT_SEED) -> None:
        """Choose the schedule that the next `reset` starts; of a tile that has not run yet, its
        own. What is under way in another schedule could not be taken over in this one."""
        self._next = _execution(schedule, seed)
        if not self.S.tile.cycle and not self.S.schedule.cycle_phase:
            self._begin_schedule()

    def _begin_schedule(self, *, note: bool = False) -> None:
        self.execution = begun = self._next
        begin_execution(self.S, begun, note=note)
        self.pauses.reset_counts()

    def begin_here(self, start: bytearray, schedule: Execution, *, note: bool = False) -> None:
        """Begin an execution from a state that `record.snapshot` has kept. It was run in a
        schedule with the same pipelines, or not at all. Faster than `reset`: nothing is loaded.
        `note`: keep what the seed decides (machine/executions.py, `noted`)."""
        self.resets += 1
        self.record.restore(start)
        self.memory.forget_all()
        self.faults.places.clear()
        self._next = schedule
        self._begin_schedule(note=note)
        self._rebuild_derived()
        if (tracer := self.runner.tracer) is not None:
            tracer.begin_trace()
        if (races := self.runner.races) is not None:
            races.begin_anew()

    # Running

    def run(self, cycles: int) -> Stop | None:
        """Run at most `cycles` cycles; None when they are used up and nothing happened, or when so
        many faults were ignored that the client should hear of it."""
        return self.runner.run(self.engine, RunLimits(cycles)).stop

    def run_within(self, limits: RunLimits) -> RunEnd:
        """Run within limits (core/machine/run.py), and say why the run ended."""
        return self.runner.run(self.engine, limits)

    def serve_calls(self, calls: Calls) -> None:
        """From now on semihosting calls are answered by `calls`; without it they are ebreaks."""
        self.host.calls = calls
        self.S.semihosting.served = 1

    def trace(self, sink: Sink | None, *, places: bool = False) -> None:
        """Give from now on what changes to `sink`, with `places` also where it is; None ends it."""
        self.runner.tracer = Tracer(self.record, self.images, sink, places=places) if sink else None

    def count(self) -> Counts:
        """Count from now on what is executed (core/counting)."""
        self.runner.counts = counts = Counts(self.record, self.images)
        self.loader.on_replaced = counts.shares.replace
        return counts

    def start_recording(self) -> Recorder:
        """Keep from now on all inputs, for a recording (core/recording)."""
        self.runner.recorder = Recorder(self.record, self.outside, self.faults)
        return self.runner.recorder

    def idle(self) -> bool:
        """True if no hart can issue: running would only pass time."""
        return bool(self.S.tile.issuing == 0)

    def hart_state(self, hart: int) -> str:
        """Return what a hart is doing, in a few words."""
        return hart_state(self.S, hart, self.places)

    # Whole states

    def snapshot(self, into: bytearray | None = None) -> bytearray:
        """Copy all state; after it the observer's clocks, if races are observed."""
        kept = self.record.snapshot(into)
        if self.runner.races is not None:
            kept += self.runner.races.clocks()
        return kept

    def restore(self, snapshot: bytearray) -> None:
        """Go back to a snapshot; breakpoints and watches stay. The stop that the tile was at is
        not of it (debug/kept_stop.py)."""
        size = self.record.layout.state_size
        self.record.restore(memoryview(snapshot)[:size])
        self.memory.forget_all()
        self._rebuild_derived()
        if (races := self.runner.races) is not None:
            races.put_back(memoryview(snapshot)[size:])

    def hash(self) -> str:
        """Return the hash of all state."""
        return self.record.hash()


# What a new record has that is not 0, by layout, chip and execution.
_new_records: dict[tuple[Layout, Arch, Schedule, bool, bool], tuple[blocks.Piece, ...]] = {}


def _execution(schedule: Schedule | Execution, seed: int) -> Execution:
    return schedule if isinstance(schedule, Execution) else Execution(schedule, seed)
