# SPDX-License-Identifier: Apache-2.0
"""The tile as Python sees it: build, load, run to a stop, look, change.

A `Machine` is one record, one engine and what the debugger has armed. It is synchronous and
single-threaded: `run` goes on for a number of cycles and comes back, and between two calls
everything may be looked at and changed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

from core import beyond, registers, stopped
from core.arch.blackhole import (
    HARTS,
    NC,
    SOFT_RESET_BIT,
    SOFT_RESET_HARTS,
    T0,
    B,
)
from core.armed import Armed
from core.counting.counts import Counts
from core.deadlock import is_dead
from core.devices import blocks, soft_reset
from core.engine import Engine, Entry, open_engine
from core.entries import (
    DISARM,
    ENTRIES,
    HOLD,
    REMEMBER,
    RUN,
    RUN_CHECKED,
    RUN_TIMED,
    RUN_TIMED_CHECKED,
)
from core.explain import Places, explain, hart_state
from core.fault_policy import Policies, pass_fault
from core.gate_armed import GateArmed
from core.isa.architecture import Arch
from core.layout import Layout
from core.loader import Image, check_apart, check_mapped
from core.memory.access import Access, MemoryFault
from core.noc.outside import Outside
from core.recording.recorder import Recorder
from core.riscv import csrs
from core.riscv.reset import PAUSED_AT_EBREAK, update_issuing
from core.schedule import DEFAULT_SEED, Schedule, seed_state
from core.semihosting.calls import Calls
from core.state import LAYOUT, Record
from core.stop import AT_GATE, PASS_BREAK, PASS_PAUSE, PASS_WATCH, Stop, StopKind, WatchKind
from core.suspicion import MOST_LOOKS
from core.timed_clock import nothing_under_way
from core.tracing import Sink, Tracer

__all__ = ["Machine", "MemoryFault"]

MOST_PASSED = 256  # faults in one run; each takes some microseconds

_PASS = {
    StopKind.BREAK: PASS_BREAK,
    StopKind.WATCH: PASS_WATCH,
    StopKind.EBREAK: PASS_PAUSE,
    StopKind.ECALL: PASS_PAUSE,
}


class Machine:
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
        self.images: list[Image] = []
        # What else puts something into a fresh tile, and the images that are its business.
        self._loads: list[Callable[[Machine], None]] = []
        self._hosted: list[Image] = []
        self.memory = Access(self.record)
        self.outside = Outside()
        self.resets = 0  # how often the tile has started over
        self.armed = Armed(self.S)
        self.gates = GateArmed(self.S)
        self._held = self.record.row(self.record.layout.slot("hart", "held"))
        self.places = Places(self.images)
        # What was reported at which pc of each hart, so that going on passes it once.
        self._reported: list[tuple[int, int]] = [(0, 0)] * HARTS
        # Harts whose next instruction was let pass something; when it has, the row is 0 again.
        self._may_pass: set[int] = set()
        self._schedule, self._seed = schedule, seed
        self._arch = arch
        self.tracer: Tracer | None = None
        self.counts: Counts | None = None
        # Somebody outside may write to the tile between two runs, without a word to its debugger.
        self.has_host = False
        self.faults = Policies()
        self.recorder: Recorder | None = None
        self.calls: Calls | None = None  # who answers semihosting calls
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
        self._reported = [(0, 0)] * HARTS
        self.disarm()
        self.gates.look_again()
        for hart in range(HARTS):
            update_issuing(self.S, hart)

    def load(self, hart: int, image: Image) -> None:
        """Put an ELF into the memories that `hart` sees and let the hart go from its entry.

        LoadError when the image does not fit the hart or overlaps another one.
        """
        check_mapped(image, hart)
        check_apart([*self.images, image])
        image.hart = hart
        self.images.append(image)
        self.place(image)

    def load_bytes(self, addr: int, data: bytes) -> None:
        """Put bytes into L1 (or whatever B has at `addr`). MemoryFault where it has no memory."""
        self._loads.append(lambda machine: machine.poke(B, addr, data))
        self.poke(B, addr, data)

    def load_by(self, place: Callable[[Machine], None], images: Sequence[Image]) -> None:
        """Let a host load its files in its own way: `place` is called with the tile, now and after
        each reset, and does what that host does to a tile in reset."""
        self.add_hosted(images)
        self._loads.append(place)
        place(self)

    def add_hosted(self, images: Sequence[Image]) -> None:
        """Know of files that a host has put into the tile, for their symbols."""
        self.images.extend(images)
        self._hosted.extend(images)

    def place(self, image: Image) -> None:
        """Put an image that is known where it belongs, and let its hart go."""
        hart = image.hart
        assert hart is not None
        self._set_reset_pc(hart, image.entry)
        reset = self.S.tile_control.soft_reset & ~(1 << SOFT_RESET_BIT[hart])
        soft_reset.set_soft_reset(self.S, reset)
        for segment in image.segments:
            self.memory.poke(hart, segment.addr, segment.data)
        self.write_pc(hart, image.entry)
        self._reported[hart] = (0, 0)

    def _set_reset_pc(self, hart: int, entry: int) -> None:
        """Later soft resets start at the entry too, where the hardware has a register for it."""
        control = self.S.tile_control
        if hart == NC:
            control.ncrisc_reset_pc, control.ncrisc_override = entry, 1
        elif hart != B:
            control.trisc_reset_pc[hart - T0] = entry
            control.trisc_override |= 1 << (hart - T0)

    def reset(self) -> None:
        """As after loading: state fresh, every loaded hart at its entry. What is armed stays."""
        self.resets += 1
        if self.calls is not None:
            self.calls.begin()
        self._power_up()
        self.faults.places.clear()
        for image in self.own_images():
            self.place(image)
        for load in self._loads:
            load(self)
        self._settle()
        if self.tracer is not None:
            self.tracer.begin()

    def own_images(self) -> list[Image]:
        """What `load` has loaded, and no host."""
        return [i for i in self.images if not any(i is hosted for hosted in self._hosted)]

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
        self.S.schedule.kind = self._schedule
        self.S.schedule.random = seed_state(self._seed)

    # Running

    def run(self, cycles: int, *, blind: bool = False) -> Stop | None:
        """Run at most `cycles` cycles; None when they are used up and nothing happened, or when so
        many faults were passed that whoever waits should hear of it. `blind` looks for nothing
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
        if self.S.stop.kind == StopKind.STEP and self.S.stop.stream < AT_GATE:
            self.S.debug.stepping[self.S.stop.hart] = 0

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
        """Is what ended the run no reason to stop? Then it is forgotten."""
        if self.S.stop.kind == StopKind.STANDSTILL:
            if is_dead(self):
                self.S.tile.looks = 0
                return False
            self.S.tile.looks = min(self.S.tile.looks + 1, MOST_LOOKS)
            self.S.stop.kind = StopKind.NONE
            return True
        return self._passes()

    def _passes(self) -> bool:
        """Was the run ended by a fault that is to be passed? Then it is."""
        recorded = self.S.stop
        if recorded.kind != StopKind.FAULT or not self.faults.passes(recorded.code):
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
        return self.idle() and bool(nothing_under_way(self.S))

    def _stop(self) -> Stop:
        recorded = self.S.stop
        kind, hart, pc = StopKind(recorded.kind), recorded.hart, recorded.pc
        addr: int | None = None
        access: WatchKind | None = None
        if recorded.stream >= AT_GATE:
            return stopped.at_gate(self, kind, recorded.stream - AT_GATE)
        if kind is StopKind.WATCH:
            addr, access = self.armed.watched(recorded.b)
        elif kind is StopKind.FAULT:
            addr = recorded.a & 0xFFFFFFFF
        if kind in _PASS:
            self._forget_what_was_passed(hart)
            at, passed = self._reported[hart]
            self._reported[hart] = (pc, _PASS[kind] | (passed if at == pc else 0))
        stop = Stop(kind, hart, pc, addr, access, recorded.code)
        return Stop(kind, hart, pc, addr, access, recorded.code, explain(self.S, stop, self.places))

    def idle(self) -> bool:
        """Can no hart issue? Then running would only pass time."""
        return bool(self.S.tile.issuing == 0)

    def hart_state(self, hart: int) -> str:
        """What a hart is doing, in a few words."""
        return hart_state(self.S, hart, self.places)

    def hold(self, harts: Collection[int]) -> None:
        """Let exactly these harts not issue; the rest of the tile goes on."""
        if harts or any(self._held):
            self.engine.call(HOLD.name, sum(1 << hart for hart in set(harts)))

    def step(self, hart: int, lo: int = 0, hi: int = 0) -> None:
        """Arm a stop of `hart` when its pc leaves [lo, hi), or after one instruction."""
        self.S.debug.step_lo[hart] = lo
        self.S.debug.step_hi[hart] = hi
        self.S.debug.stepping[hart] = 1

    def disarm(self) -> None:
        """Forget armed steps and what may be passed."""
        self.gates.disarm()
        if self._may_pass:
            for hart in tuple(self._may_pass):
                self._forget_what_was_passed(hart)
            self._may_pass.clear()
        if self.armed.steps():
            self.engine.call(DISARM.name)

    def _forget_what_was_passed(self, hart: int) -> None:
        """What an instruction has passed is reported again when the hart comes back to it."""
        if hart in self._may_pass and not self.S.debug.passing[hart]:
            self._reported[hart] = (0, 0)
            self._may_pass.discard(hart)

    def resume_from(self, hart: int) -> None:
        """Let the next instruction of `hart` pass what was reported at its pc already.

        A hart paused at an ebreak or ecall goes on behind it; one that is paused by the debug
        interface stays so.
        """
        self._forget_what_was_passed(hart)
        pc, passed = self._reported[hart]
        if pc != self.read_pc(hart):
            self._reported[hart], passed = (0, 0), 0
        if self.S.hart.paused[hart] == PAUSED_AT_EBREAK:
            self.S.hart.paused[hart] = 0
            update_issuing(self.S, hart)
            passed |= PASS_PAUSE
        self.S.debug.passing[hart] = passed
        if passed:
            self._may_pass.add(hart)
        else:
            self._may_pass.discard(hart)

    # Breakpoints and watches

    def add_break(
        self, addr: int, hart: int | None = None, conditions: tuple[bytes, ...] = ()
    ) -> None:
        """Stop a hart (all of them when none is named) before the instruction at `addr`, unless
        all conditions (core/conditions.py) are false."""
        self.armed.add_break(addr, hart, conditions)

    def remove_break(
        self, addr: int, hart: int | None = None, conditions: tuple[bytes, ...] = ()
    ) -> None:
        """Take back one `add_break`."""
        self.armed.remove_break(addr, hart, conditions)

    def add_watch(self, hart: int, addr: int, length: int, kind: str) -> None:
        """Stop before a "write", "read" or any "access" to the bytes that `hart` sees there."""
        self.armed.add_watch(hart, addr, length, kind)

    def remove_watch(self, hart: int, addr: int, length: int, kind: str) -> None:
        """Take back one `add_watch`."""
        self.armed.remove_watch(hart, addr, length, kind)

    # Looking and changing

    def peek(self, hart: int, addr: int, length: int) -> bytes:
        """Read memory as `hart` sees it, as far as it can be read; no side effects."""
        return self.memory.peek(hart, addr, length)

    def poke(self, hart: int, addr: int, data: bytes) -> None:
        """Write memory as `hart` sees it; to a device, a store by the hart."""
        # A load under way comes before this write in program order, whenever it is processed.
        for load, value in list(self.memory.awaited(hart)):
            if value is not None and addr - 4 < load.addr < addr + len(data):
                self.write_x(hart, load.register, value)
        self.memory.poke(hart, addr, data)

    def read_pc(self, hart: int) -> int:
        """The address of the next instruction."""
        return int(self.S.hart.pc[hart])

    def write_pc(self, hart: int, pc: int) -> None:
        """Set the pc. A hart paused at an ebreak that is sent elsewhere is no longer paused."""
        if self.S.hart.paused[hart] == PAUSED_AT_EBREAK and pc != self.read_pc(hart):
            self.S.hart.paused[hart] = 0
            update_issuing(self.S, hart)
        self.S.hart.pc[hart] = pc & 0xFFFFFFFF

    def read_x(self, hart: int, number: int) -> int:
        """An integer register in program order (core/registers.py)."""
        return registers.read_x(self.S, self.memory, hart, number)

    def write_x(self, hart: int, number: int, value: int) -> None:
        """Set an integer register; x0 stays 0."""
        registers.write_x(self.S, hart, number, value)

    def read_csr(self, hart: int, number: int) -> int | None:
        """A CSR without its side effects; None when the hart has none of that number."""
        value = csrs.peek(self.S, hart, number)
        return None if value < 0 else value

    def write_csr(self, hart: int, number: int, value: int) -> bool:
        """Write a CSR as an instruction would; False when the hart has none of that number."""
        return registers.write_csr(self.S, hart, number, value)

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
