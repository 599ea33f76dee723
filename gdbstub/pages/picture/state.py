# SPDX-License-Identifier: Apache-2.0
"""The state and activity of each part of a tile at a moment, as plain values.

    picture = take_picture(machine)
    picture.harts[1].place              "t0.c:41"
    picture.threads[0].held             "UNPACR held at the gate by STALLWAIT ..."
    as_json(picture)                    the same for tools

The words are those of `monitor why`, `order`, `sem`, `mutex` and `src`, from the same functions.
Taking a picture reads the record and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, T0, THREAD_NAMES, THREADS
from tensix_gdb.core.assembly.tensix_text import show_on
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.explain.stop import waiting_pc
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix import occupancy
from tensix_gdb.core.tensix.auto_ttsync import tracker
from tensix_gdb.core.tensix.data_format import Format
from tensix_gdb.core.tensix.frontend import mop_expander, replay_expander
from tensix_gdb.core.tensix.frontend.fifo import CAPACITIES
from tensix_gdb.core.tensix.gate.latch import NONE
from tensix_gdb.core.tensix.sync import MUTEXES, is_mutex
from tensix_gdb.gdbstub.tensix.blocked.instructions import at_gate, held_by_wait, latched, place
from tensix_gdb.gdbstub.tensix.blocked.why import NAMES, party
from tensix_gdb.gdbstub.tensix.glance.dst_rows import MAX_KNOWN, rows_of_dst
from tensix_gdb.gdbstub.tensix.glance.lane_values import lanes_of_lregs
from tensix_gdb.gdbstub.tensix.glance.memory_map import MemoryMap, Region
from tensix_gdb.gdbstub.tensix.glance.src_rows import rows_of_src
from tensix_gdb.gdbstub.tensix.glance.units import UnitState, units
from tensix_gdb.gdbstub.tensix.monitor.order import requests_of_hart
from tensix_gdb.gdbstub.tensix.monitor.shared_state import wants_mutex, wants_semaphore

FIFO_NAMES = ("A", "B", "C")
_MODES = {
    replay_expander.RECORDING: "records",
    replay_expander.RECORDING_AND_ISSUING: "records and issues",
    replay_expander.PLAYING: "plays",
}


@dataclass(frozen=True, slots=True)
class HartState:
    """A hart. `does` is its line in `monitor why`, empty if it has nothing to do; `under_way` are
    its lines in `monitor order`, `queued` those of them in its store queue; `moves` is True if it
    executes."""

    name: str
    state: str
    pc: int
    place: str
    function: str
    instructions: int
    does: str
    moves: bool
    waits_for: tuple[str, ...]
    under_way: tuple[str, ...]
    queued: int


@dataclass(frozen=True, slots=True)
class FifoState:
    """A queue of a thread's front end, how many instructions it has, and these, the oldest
    first."""

    name: str
    count: int
    capacity: int
    waiting: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ThreadState:
    """A Tensix thread: queues, expanders, the wait gate. `gate` is the instruction there, `latched`
    the wait instruction of the latched wait, which holds it if `held_by_wait`, `c10` the
    requests for which C10 would wait."""

    name: str
    fifos: tuple[FifoState, ...]
    mop: str
    replay: str
    gate: str
    gate_place: str
    latched: str
    latched_place: str
    held_by_wait: bool
    does: str
    moves: bool
    waits_for: tuple[str, ...]
    passed: int
    c10: int


@dataclass(frozen=True, slots=True)
class SemaphoreState:
    """A semaphore, and the threads that wait for it."""

    number: int
    value: int
    max: int
    waiting: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MutexState:
    """A mutex; `holder` is empty while it is free."""

    number: int
    holder: str
    waiting: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BankState:
    """A bank of SrcA or SrcB: the client that owns it, the units that point at it, and a letter for
    each of its 64 rows (src_rows.py)."""

    name: str
    client: str
    pointed_at_by: tuple[str, ...]
    format: str
    rows: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A tile at the end of a cycle. `dst` has a letter for each row of Dst (dst_rows.py), `lregs`
    one for each lane of LReg 0, then of LReg 1 ..., `l1` one for each KiB, `local` of each hart's
    local RAM one for each 128 bytes (memory_map.py), `regions` what is known there by name."""

    cycle: int
    execution: str
    ending: str
    harts: tuple[HartState, ...]
    threads: tuple[ThreadState, ...]
    units: tuple[UnitState, ...]
    semaphores: tuple[SemaphoreState, ...]
    mutexes: tuple[MutexState, ...]
    banks: tuple[BankState, ...]
    dst_format: str
    dst: str
    lregs: str
    l1: str
    local: tuple[str, ...]
    regions: tuple[Region, ...]


def take_picture(machine: Machine, ending: str = "", memory: MemoryMap | None = None) -> Picture:
    """Look at all parts of a tile that has stopped between two cycles; `ending` says why. Give
    the same `memory` each time where many pictures are taken."""
    S = machine.S
    dst_format, dst = rows_of_dst(machine)
    memory = memory or MemoryMap(machine)
    memory.look_at_tile()
    return Picture(
        cycle=int(S.tile.cycle),
        execution=str(machine.execution),
        ending=ending,
        harts=tuple(_hart(machine, hart) for hart in range(HARTS)),
        threads=tuple(_thread(machine, thread) for thread in range(THREADS)),
        units=tuple(units(machine)),
        semaphores=tuple(_semaphores(machine)),
        mutexes=tuple(_mutexes(machine)),
        banks=tuple(_banks(machine)),
        dst_format=dst_format,
        dst=dst,
        lregs=lanes_of_lregs(machine),
        l1=memory.l1(),
        local=memory.local(),
        regions=tuple(memory.regions),
    )


def as_json(picture: Picture) -> dict[str, Any]:
    """Return the picture as JSON has it; addresses are numbers."""
    return asdict(picture)


def _hart(machine: Machine, hart: int) -> HartState:
    pc = int(machine.read_pc(hart))
    waiter = party(machine, hart)
    moves, waiting = waiter.moves, waiting_pc(machine.S, hart)
    in_reset = bool(machine.S.hart.in_reset[hart])
    image = None if in_reset else machine.places.image(hart, pc)
    symbol = image.function_at(pc) if image is not None else None
    return HartState(
        name=HART_NAMES[hart],
        state=machine.hart_state(hart),
        pc=pc,
        # As `does` has it: with time, the hart may have run past what waits.
        place="" if in_reset else place(machine, hart, pc if moves else waiting),
        function=symbol.shown if symbol is not None else "",
        instructions=int(machine.S.hart.retired[hart]),
        does=waiter.does,
        moves=waiter.moves,
        waits_for=tuple(NAMES[number] for number in waiter.waits_for),
        under_way=tuple(requests_of_hart(machine, hart)),
        queued=int(machine.S.pipeline.sq_count[hart]),
    )


def _thread(machine: Machine, thread: int) -> ThreadState:
    S = machine.S
    gate = at_gate(machine, thread)
    wait = latched(machine, thread) if S.latch.kind[thread] != NONE else None
    waiter = party(machine, HARTS + thread)
    return ThreadState(
        name=THREAD_NAMES[thread],
        fifos=tuple(_fifo(machine, thread, fifo) for fifo in range(len(FIFO_NAMES))),
        mop=_mop(machine, thread),
        replay=_replay(machine, thread),
        gate=gate.text if gate is not None else "",
        gate_place=place(machine, gate.hart, gate.pc) if gate is not None else "",
        latched=wait.text if wait is not None else "",
        latched_place=place(machine, wait.hart, wait.pc) if wait is not None else "",
        held_by_wait=held_by_wait(machine, thread),
        does=waiter.does,
        moves=waiter.moves,
        waits_for=tuple(NAMES[number] for number in waiter.waits_for),
        passed=int(S.passed.count[thread]),
        c10=int(tracker.requests(S, thread)),
    )


def _fifo(machine: Machine, thread: int, number: int) -> FifoState:
    fifo, capacity = machine.S.fifo, CAPACITIES[number]
    count, head = int(fifo.count[thread, number]), int(fifo.head[thread, number])
    waiting = []
    for i in range(count):
        at = thread, number, (head + i) % capacity
        shown = _shown(int(fifo.word[at]), int(machine.S.tile.chip))
        waiting.append(f"{shown}, {place(machine, int(fifo.hart[at]), int(fifo.pc[at]))}")
    return FifoState(FIFO_NAMES[number], count, capacity, tuple(waiting))


@lru_cache(MAX_KNOWN)
def _shown(word: int, wormhole: int) -> str:
    """Return an instruction as text. Queues have the same words again and again."""
    return show_on(word, wormhole)


def _mop(machine: Machine, thread: int) -> str:
    S = machine.S
    kind = S.mop.expanding[thread]
    if kind == mop_expander.IDLE:
        return ""
    at = place(machine, T0 + thread, int(S.mop.pc[thread]))
    return f"expands template {0 if kind == mop_expander.MASKED else 1}, from {at}"


def _replay(machine: Machine, thread: int) -> str:
    S = machine.S
    mode = _MODES.get(int(S.replay.mode[thread]))
    return "" if mode is None else f"{mode}, {S.replay.left[thread]} instructions to come"


def _semaphores(machine: Machine) -> Iterator[SemaphoreState]:
    S = machine.S
    for i in range(SEMAPHORES):
        waiting = (THREAD_NAMES[t] for t in range(THREADS) if wants_semaphore(machine, t, i))
        yield SemaphoreState(i, int(S.semaphore.value[i]), int(S.semaphore.max[i]), tuple(waiting))


def _mutexes(machine: Machine) -> Iterator[MutexState]:
    S = machine.S
    for i in range(MUTEXES):
        if is_mutex(S, i):
            holder = int(S.mutex.holder[i])
            waiting = (THREAD_NAMES[t] for t in range(THREADS) if wants_mutex(machine, t, i))
            yield MutexState(i, THREAD_NAMES[holder - 1] if holder else "", tuple(waiting))


def _banks(machine: Machine) -> Iterator[BankState]:
    busy = machine.S.busy
    rows = rows_of_src(machine)
    for source, name in enumerate("AB"):
        for bank in range(2):
            is_matrix = busy.src_client[source, bank] == occupancy.MATRIX_OWNS
            at = (("Matrix Unit", busy.matrix_bank), (f"unpacker {source}", busy.unpack_bank))
            number = int(machine.S.src.format[source, bank])
            yield BankState(
                name=f"Src{name} {bank}",
                client="Matrix Unit" if is_matrix else "unpackers",
                pointed_at_by=tuple(unit for unit, where in at if where[source] == bank),
                format=Format(number).name if number in list(Format) else str(number),
                rows=rows[2 * source + bank],
            )
