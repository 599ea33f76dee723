# SPDX-License-Identifier: Apache-2.0
"""The tracing of a client: its tracepoints, and the frames that they collected.

Each hit of a tracepoint becomes a frame: the general registers, and the memory that its actions
name. `gdbstub.protocol.tracepoints.trace_view` shows a frame as if it were the target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.protocol.agent.budget import FRAME, MEMORY, AgentError, Budget, Exhausted
from tensix_gdb.gdbstub.protocol.agent.expression import Context, evaluate
from tensix_gdb.gdbstub.protocol.target import Attached, Target, TargetError, size_of

MAX_BYTES = 8 << 20
MAX_TRACEPOINTS = 1000
MAX_DEFINED = 1 << 20  # bytes of definitions: of tracepoints, what was typed, and variables
LARGEST_NUMBER = 0xFFFF  # of a tracepoint: trace files have no more room
FRAME_BYTES = 200  # that a frame takes besides what is collected
ITEM_BYTES = 100  # that a range of memory, a variable or a part of a definition takes besides
MASK32 = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Action:
    """The data that a tracepoint collects: registers, memory (base register or -1, offset, length),
    or what an expression says."""

    kind: str
    numbers: tuple[int, ...] = ()
    program: bytes = b""


@dataclass(eq=False, slots=True)
class Tracepoint:
    """A place where something is collected; after `pass_count` hits, if not 0, all tracing ends."""

    number: int
    addr: int
    enabled: bool
    pass_count: int
    conditions: tuple[bytes, ...]
    actions: list[Action] = field(default_factory=list)
    hits: int = 0
    bytes: int = 0
    inserted: Attached | None = None
    # Pieces of what was typed, to be given back: kind, where it begins, how long it is, hex.
    sources: list[tuple[str, int, int, str]] = field(default_factory=list)


@dataclass(slots=True)
class Frame:
    """The data of one hit."""

    index: int
    tracepoint: int
    thread: int
    pc: int
    registers: bytes
    memory: list[tuple[int, bytes]]
    variables: dict[int, int]
    size: int = FRAME_BYTES  # bytes that it takes, about

    def add_memory(self, addr: int, data: bytes) -> None:
        """Keep bytes that were collected."""
        self.memory.append((addr, data))
        self.size += ITEM_BYTES + len(data)

    def add_variable(self, number: int, value: int) -> None:
        """Keep a trace state variable."""
        if number not in self.variables:
            self.size += ITEM_BYTES
        self.variables[number] = value


class Trace:
    """The tracing of one client."""

    def __init__(self) -> None:
        self.variables: dict[int, int] = {}
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        if getattr(self, "running", False):
            self.stop()
        self.most_bytes = MAX_BYTES
        self.tracepoints: dict[tuple[int, int], Tracepoint] = {}
        self.variables.clear()
        self.names: dict[int, tuple[int, int, bytes]] = {}
        self._defined = 0  # bytes of all definitions, about
        self.frames: list[Frame] = []
        self.upload: list[bytes] = []  # what is still to be given back
        self.current: Frame | None = None
        self.bytes = 0
        self.running = False
        self.reason = "tnotrun:0"
        self._target: Target | None = None

    def define(self, tracepoint: Tracepoint) -> None:
        """Add a tracepoint; TargetError while tracing, or when there are too many."""
        if self.running:
            raise TargetError("tracepoints cannot be defined while tracing; type `tstop`")
        if len(self.tracepoints) >= MAX_TRACEPOINTS:
            raise TargetError(f"no more than {MAX_TRACEPOINTS} tracepoints can be set")
        if tracepoint.number > LARGEST_NUMBER:
            raise TargetError(f"the number of a tracepoint is {LARGEST_NUMBER} at most")
        self.make_room(size_of(tracepoint.conditions))
        self.tracepoints[tracepoint.number, tracepoint.addr] = tracepoint

    def define_variable(self, number: int, value: int, builtin: int, name: bytes) -> None:
        """Define a trace state variable; TargetError when there is no room."""
        self.make_room(len(name))
        self.variables[number] = value - (1 << 64) if value >> 63 else value
        self.names[number] = value, builtin, name

    def make_room(self, length: int) -> None:
        """Count one more part of a definition; TargetError when there is no room for it."""
        if self._defined + ITEM_BYTES + length > MAX_DEFINED:
            raise TargetError(
                f"all tracepoints and trace state variables together are more than {MAX_DEFINED} "
                "bytes: define fewer, then `tstart` begins anew"
            )
        self._defined += ITEM_BYTES + length

    def find(self, number: int, addr: int) -> Tracepoint:
        """Return a tracepoint; TargetError when there is none."""
        if (number, addr) not in self.tracepoints:
            raise TargetError(f"there is no tracepoint {number} at {addr:#x}")
        return self.tracepoints[number, addr]

    def start(self, target: Target) -> None:
        """Begin to collect, with an empty buffer."""
        self.stop()
        self.frames, self.current, self.bytes = [], None, 0
        self._target, self.running = target, True
        breakpoints = target.breakpoints
        assert breakpoints is not None
        for tracepoint in self.tracepoints.values():
            tracepoint.hits = tracepoint.bytes = 0
            if tracepoint.enabled:
                try:
                    self._insert(tracepoint)
                except TargetError:
                    self.stop()
                    raise

    def _insert(self, tracepoint: Tracepoint) -> None:
        assert self._target is not None
        assert self._target.breakpoints is not None
        attached = Attached(
            tracepoint.conditions,
            collect=self._collector(tracepoint),
            variables=self.variables,
            collected=tuple(action.program for action in tracepoint.actions if action.program),
        )
        if never := self._target.breakpoints.add_breakpoint(tracepoint.addr, attached):
            raise TargetError(never)
        tracepoint.inserted = attached

    def _take_away(self, several: Iterable[Tracepoint]) -> None:
        there = []
        for tracepoint in several:
            if tracepoint.inserted is not None:
                there.append((tracepoint.addr, tracepoint.inserted, 0))
                tracepoint.inserted = None
        if self._target is not None and self._target.breakpoints is not None:
            self._target.breakpoints.remove_breakpoints(there)

    def enable(self, tracepoint: Tracepoint, on: bool) -> None:
        """Collect there, or not; at once when tracing runs."""
        tracepoint.enabled = on
        if not on:
            self._take_away((tracepoint,))
        elif self.running and tracepoint.inserted is None:
            self._insert(tracepoint)

    def stop(self, reason: str = "tstop::0") -> None:
        """Collect no more; the frames stay."""
        if not self.running:
            return
        self.running, self.reason = False, reason
        self._take_away(self.tracepoints.values())

    # Collecting

    def _collector(self, tracepoint: Tracepoint) -> Callable[[int, Budget], None]:
        return lambda thread, budget: self._hit(tracepoint, thread, budget)

    def _hit(self, tracepoint: Tracepoint, thread: int, budget: Budget) -> None:
        target = self._target
        if target is None or not self.running:
            return
        try:
            budget.operate(FRAME)
            registers = target.registers.read_general(thread)
            frame = Frame(
                len(self.frames), tracepoint.number, thread, tracepoint.addr, registers, [], {}
            )
            for action in tracepoint.actions:
                self._act(action, frame, target, budget)
        except Exhausted as problem:
            self.stop(f"terror:{str(problem).encode().hex()}:{tracepoint.number:x}")
            return
        self.frames.append(frame)
        tracepoint.hits += 1
        tracepoint.bytes += frame.size
        self.bytes += frame.size
        if self.bytes > self.most_bytes:
            self.stop("tfull:0")
        elif tracepoint.hits == tracepoint.pass_count:
            self.stop(f"tpasscount:{tracepoint.number:x}")

    def _act(self, action: Action, frame: Frame, target: Target, budget: Budget) -> None:
        def register(number: int) -> int:
            data = frame.registers[4 * number : 4 * number + 4]
            if len(data) < 4:
                raise AgentError(f"register {number} is not collected")
            return int.from_bytes(data, "little")

        def memory(addr: int, length: int) -> bytes:
            try:
                return target.memory.read_memory(frame.thread, addr, length)
            except TargetError as problem:
                raise AgentError(str(problem)) from None

        def collect(addr: int, length: int) -> None:
            if self.bytes + frame.size > self.most_bytes:
                raise AgentError("the buffer is full")
            frame.add_memory(addr, memory(addr, length))

        def collect_variable(number: int) -> None:
            frame.add_variable(number, self.variables.get(number, 0))

        try:
            if action.kind == "memory":
                base, offset, length = action.numbers
                start = register(base) if 0 <= base < MASK32 else 0
                budget.operate(MEMORY)
                budget.collect(length)
                collect((start + offset) & MASK32, length)
            elif action.kind == "expression":
                place = Context(
                    register,
                    memory,
                    collect=collect,
                    collect_variable=collect_variable,
                    variables=self.variables,
                    budget=budget,
                )
                evaluate(action.program, place)
        except Exhausted:
            raise
        except AgentError:
            return  # what cannot be read is not in the frame, and is shown so

    # Looking

    def search(self, kind: str, numbers: Sequence[int]) -> Frame | None:
        """Return the frame of a number, or the next one after the current that fits."""
        if kind == "number":
            return self.frames[numbers[0]] if numbers[0] < len(self.frames) else None
        start = 0 if self.current is None else self.current.index + 1
        for frame in self.frames[start:]:
            inside = len(numbers) > 1 and numbers[0] <= frame.pc <= numbers[1]
            if (
                (kind == "pc" and frame.pc == numbers[0])
                or (kind == "tdp" and frame.tracepoint == numbers[0])
                or (kind == "range" and inside)
                or (kind == "outside" and not inside)
            ):
                return frame
        return None

    def value_of(self, number: int) -> int | None:
        """Return a variable: as collected in the current frame, or as it is."""
        if self.current is not None:
            return self.current.variables.get(number)
        return self.variables.get(number)
