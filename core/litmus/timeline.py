# SPDX-License-Identifier: Apache-2.0
"""The history of an outcome: one execution, cycle by cycle.

    cycle  core  pc     event      instruction   what
       12  T0    0x208  queued     sw 1, X
       13  T1    0x408  emitted    lw a0, X
       15  T1    0x408  processed  lw a0, X      a0 = 0x0, from X
       19  T1    0x408  answered   lw a0, X

Of a memory instruction these are the steps of MemoryOrdering.md: it enters EX1, a store is queued,
a request is emitted, and processed by its region; a load is answered when EX1 can have the value,
and a fence leaves EX1.
An instruction of the coprocessor passes the wait gate of its thread or is held there; a wait is
latched and is over. All of it is read from the record, by comparing it before and after a cycle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tensix_gdb.core.arch.blackhole import HART_NAMES, PUSH_BASE, PUSH_END, THREADS
from tensix_gdb.core.assembly import tensix_text
from tensix_gdb.core.assembly.rv32 import ABI_NAMES
from tensix_gdb.core.explain.stop import explain, hart_state
from tensix_gdb.core.litmus import cycles
from tensix_gdb.core.litmus.program import BEGIN, Program
from tensix_gdb.core.litmus.text import Outcome
from tensix_gdb.core.litmus.tile import BUDGET, PROGRAM_BYTES, Prepared
from tensix_gdb.core.memory import streams
from tensix_gdb.core.riscv.pipeline.fields import LINE_BYTES
from tensix_gdb.core.riscv.pipeline.load_store import ATOMICS, LOADS, STORES
from tensix_gdb.core.schedule import Schedule, seed_state
from tensix_gdb.core.stop import Stop, StopKind
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.gate.wait_gate import Held


class Event(NamedTuple):
    """One line of a timeline."""

    cycle: int
    hart: int  # of the coprocessor: the one that has pushed the instruction
    pc: int
    what: str
    detail: str
    thread: int = -1  # of the coprocessor
    word: int = 0


class Request(NamedTuple):
    """A request of a hart in one of its streams."""

    born: int
    pc: int
    kind: int
    addr: int
    size: int
    words: tuple[int, ...]
    mask: int
    entry: int
    register: int


class Before(NamedTuple):
    """The state of a hart at the beginning of a cycle."""

    pc: int
    retired: int
    op: int
    op_pc: int
    requests: dict[int, list[Request]]


class AtGate(NamedTuple):
    """The state of a thread of the coprocessor at the beginning of a cycle."""

    word: int  # the instruction at the gate
    hart: int
    pc: int
    held: int
    latched: int


class Timeline:
    """Runs one execution and tells of it."""

    def __init__(self, prepared: Prepared) -> None:
        self.prepared, self.S = prepared, prepared.S
        self.programs = {program.hart: program for program in prepared.programs}

    def of_tapes(self, tapes: Sequence[tuple[int, ...]]) -> Iterator[Event]:
        """Yield the execution in which these tapes answer the choices."""
        self.prepared.record.restore(self.prepared.start)
        for tape in tapes:
            for i, answer in enumerate(tape):
                self.S.schedule.tape[i] = answer
            yield from self._cycle()
            for i in range(len(tape)):
                self.S.schedule.tape[i] = 0

    def of_seed(self, seed: int) -> Iterator[Event]:
        """Yield the execution of a schedule without choices of ours."""
        self.prepared.record.restore(self.prepared.start)
        self.S.schedule.random = seed_state(seed)
        self.code = cycles.UNFINISHED
        while self.code == cycles.UNFINISHED and self.S.tile.cycle < BUDGET:
            yield from self._cycle()
            if self.S.stop.kind == StopKind.STANDSTILL and self.S.stop.a:
                break  # nothing has moved for long

    def outcome(self) -> Outcome:
        """Return the outcome at the end."""
        return self.prepared.outcome(self.code)

    def ending(self) -> Iterator[str]:
        """Yield why it went no further: what waits for what, or the sentence of the fault."""
        S, machine = self.S, self.prepared.machine
        if self.code == cycles.FAULTY:
            stop = Stop(StopKind.FAULT, S.stop.hart, S.stop.pc, code=S.stop.code)
            yield explain(S, stop, machine.places)
        elif self.code == cycles.UNFINISHED:
            for hart in self.programs:
                yield f"{HART_NAMES[hart]}: {hart_state(S, hart, machine.places)}"
            for thread in range(THREADS):
                gate = self._gate(thread)
                if gate.held > 0:
                    held = f"is held: {_reason(gate.held)}"
                    text = tensix_text.show_on(gate.word, self.S.tile.chip)
                    yield f"thread {thread}: {text} {held}"

    def _cycle(self) -> Iterator[Event]:
        before = {hart: self._look_at_hart(hart) for hart in self.programs}
        gates = [self._gate(thread) for thread in range(THREADS)]
        cycle = self.S.tile.cycle
        self.code = self.prepared.machine.engine.call("one_cycle")
        for thread, gate in enumerate(gates):
            yield from self._coprocessor(cycle, thread, gate)
        for hart in self.programs:
            if self.S.schedule.kind == Schedule.SC:
                yield from self._executed(cycle, hart, before[hart])
            else:
                yield from self._compare(cycle, hart, before[hart], self._look_at_hart(hart))

    def _look_at_hart(self, hart: int) -> Before:
        S = self.S
        waiting = {
            stream: [self._request(hart, stream, i) for i in range(S.stream.count[hart, stream])]
            for stream in range(streams.STREAMS)
            if S.stream.busy[hart] >> stream & 1
        }
        return Before(
            S.hart.pc[hart],
            S.hart.retired[hart],
            S.pipeline.ex1_op[hart],
            S.pipeline.ex1_pc[hart],
            waiting,
        )

    def _request(self, hart: int, stream: int, i: int) -> Request:
        rows, at = self.S.stream, (hart, stream, i)
        entry = rows.entry[at]
        return Request(
            rows.born[at],
            rows.pc[at],
            rows.kind[at],
            rows.addr[at],
            rows.size[at],
            tuple(rows.data[(*at, word)] for word in range(4)),
            rows.mask[at],
            entry,
            self.S.pipeline.rq_rd[hart, entry] if rows.kind[at] != streams.WRITE else 0,
        )

    def _gate(self, thread: int) -> AtGate:
        fifo = self.S.fifo
        at = thread, C, fifo.head[thread, C]
        held = self.S.gate.held[thread] if fifo.count[thread, C] else -1
        return AtGate(fifo.word[at], fifo.hart[at], fifo.pc[at], held, self.S.latch.kind[thread])

    def _coprocessor(self, cycle: int, thread: int, was: AtGate) -> Iterator[Event]:
        latched, held = self.S.latch.kind[thread], self.S.gate.held[thread]
        about = was.hart, was.pc
        if was.latched and not latched:
            yield Event(cycle, *about, "wait over", "", thread, 0)
        if was.held < 0:
            return
        if held == 0 and self.code != cycles.FAULTY:
            yield Event(cycle, *about, "passes", "", thread, was.word)
            if latched and not was.latched:
                yield Event(cycle, *about, "latched", "", thread, was.word)
        elif held not in (0, was.held):
            yield Event(cycle, *about, "held", _reason(held), thread, was.word)

    def _executed(self, cycle: int, hart: int, was: Before) -> Iterator[Event]:
        if self.S.hart.retired[hart] > was.retired:
            yield Event(cycle, hart, was.pc, "executed", "")

    def _compare(self, cycle: int, hart: int, was: Before, now: Before) -> Iterator[Event]:
        for stream, requests in was.requests.items():
            left = [r for r in now.requests.get(stream, []) if r.born < cycle]
            for request in requests[: len(requests) - len(left)]:
                yield Event(cycle, hart, request.pc, "processed", self._effect(hart, request))
                if request.kind != streams.WRITE:
                    ready = self.S.pipeline.rq_ready[hart, request.entry]
                    yield Event(ready, hart, request.pc, "answered", "")
        fresh = [r for all_ in now.requests.values() for r in all_ if r.born == cycle]
        if was.op and now.op_pc != was.op_pc:
            yield from self._left_ex1(cycle, hart, was, fresh)
        for request in fresh:
            yield Event(cycle, hart, request.pc, "emitted", "")
        if now.retired > was.retired:
            held = now.op and now.op_pc == was.pc
            yield Event(cycle, hart, was.pc, "enters EX1" if held else "executed", "")

    def _left_ex1(
        self, cycle: int, hart: int, was: Before, fresh: list[Request]
    ) -> Iterator[Event]:
        """Yield an event if the Load/Store Unit has taken the instruction from EX1."""
        if STORES[was.op]:
            yield Event(cycle, hart, was.op_pc, "queued", "")
        elif LOADS[was.op] and not any(request.pc == was.op_pc for request in fresh):
            yield Event(cycle, hart, was.op_pc, "answered", "from the L0 data cache")
        elif not LOADS[was.op] and not ATOMICS[was.op]:
            yield Event(cycle, hart, was.op_pc, "leaves", "")

    def _effect(self, hart: int, request: Request) -> str:
        name = self.prepared.places.name_of
        if request.kind != streams.WRITE:
            if request.register == 0:
                return f"reads {name(request.addr)}"
            value = self.S.hart.x[hart, request.register]
            return f"{ABI_NAMES[request.register]} = {value:#x}, from {name(request.addr)}"
        if PUSH_BASE <= request.addr < PUSH_END:
            return "into its FIFO"
        if request.size != LINE_BYTES:
            return f"{name(request.addr)} = {request.words[0]:#x}"
        data = b"".join(word.to_bytes(4, "little") for word in request.words)
        words = []
        at = 0
        while at < LINE_BYTES:
            end = at
            while end < LINE_BYTES and request.mask >> end & 1 and end - at < 4:
                end += 1
            if end > at:
                value = int.from_bytes(data[at:end], "little")
                words.append(f"{name(request.addr + at)} = {value:#x}")
            at = max(end, at + 1)
        return ", ".join(words)

    def text_of(self, event: Event) -> str:
        """Return the instruction as it was written; of the tool's own ones nothing."""
        if event.thread >= 0:
            return tensix_text.show_on(event.word, self.S.tile.chip) if event.word else "-"
        program: Program = self.programs[event.hart]
        number = (event.pc - event.hart * PROGRAM_BYTES) // 4
        begin = len(BEGIN) if len(self.programs) > 1 else 0
        return program.texts[number] if begin <= number < len(program.texts) else ""

    def table(self, events: Iterable[Event]) -> Iterator[str]:
        """Yield the lines of a timeline, under a heading."""
        rows = [
            (str(e.cycle), _who(e), f"{e.pc:#x}" if text != "-" else "", e.what, text, e.detail)
            for e in sorted(events, key=lambda event: event.cycle)
            if (text := self.text_of(e))
        ]
        heading = ("cycle", "core", "pc", "event", "instruction", "what")
        widths = [max(map(len, column)) for column in zip(heading, *rows, strict=True)]
        for row in (heading, *rows):
            yield "  ".join(
                cell.rjust(width) if at == 0 else cell.ljust(width)
                for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()


def _who(event: Event) -> str:
    return HART_NAMES[event.hart] if event.thread < 0 else f"thread {event.thread}"


def _reason(held: int) -> str:
    return Held(held).name.lower().replace("_", " ")
