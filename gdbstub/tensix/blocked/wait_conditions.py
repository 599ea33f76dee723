# SPDX-License-Identifier: Apache-2.0
"""The targets of a latched wait: the units, semaphores and requests of each condition.

An `Blocker` is one thing in the way, with the Tensix threads and harts that can take it away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tensix_gdb.core.arch.blackhole import HART_NAMES, T0, THREADS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices import overlay
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory import streams
from tensix_gdb.core.memory.map import describe
from tensix_gdb.core.tensix import occupancy
from tensix_gdb.core.tensix.config import pipeline as config_pipe
from tensix_gdb.core.tensix.config.unit import stream_of
from tensix_gdb.core.tensix.gate.issued import UNPACKER_1
from tensix_gdb.core.tensix.gate.latch import NONE, SEMWAIT, STALLWAIT
from tensix_gdb.core.tensix.gate.wait_gate import CONDITIONS, COUNT, MESSAGES, PHASE
from tensix_gdb.core.tensix.instruction import Unit
from tensix_gdb.core.tensix.packer.four.at_work import any_of
from tensix_gdb.core.tensix.packer.four.images import PACKERS
from tensix_gdb.core.tensix.unpacker import queue as unpack_queue
from tensix_gdb.gdbstub.tensix.blocked.instructions import last_of, named, of_row, place

UNIT_NUMBERS = {unit: number for number, unit in enumerate(Unit)}
_SOURCES = ("SrcA", "SrcB")


@dataclass(frozen=True, slots=True)
class Blocker:
    """One thing in the way. `threads` and `harts` are those that can take it away."""

    text: str
    threads: tuple[int, ...] = ()
    harts: tuple[int, ...] = ()


def wait_obstacles(machine: Machine, thread: int) -> list[Blocker]:
    """Return what the latched wait waits for now, whether it holds an instruction or not."""
    S = machine.S
    kind = S.latch.kind[thread]
    if kind == NONE:
        return []
    if kind == STALLWAIT:
        chosen = int(S.latch.conditions[thread])
        further = [
            Blocker(f"packer {packer} busy", (thread,))
            for packer in range(1, PACKERS)
            if chosen >> COUNT - 1 + packer & 1 and any_of(S, thread, 1 << packer)
        ]
        return further + [
            obstacle
            for number, condition in enumerate(CONDITIONS)
            if chosen >> number & 1 and condition(S, thread)
            for obstacle in condition_obstacles(machine, thread, number)
        ]
    blockers = _semaphores if kind == SEMWAIT else _stream
    return list(blockers(machine, thread))


def condition_obstacles(machine: Machine, thread: int, number: int) -> list[Blocker]:
    """Return why condition `number` of STALLWAIT says to wait."""
    return list(_BY_CONDITION[number](machine, thread))


def _busy(unit: str, number: int) -> Callable[[Machine, int], Iterator[Blocker]]:
    """Return a unit that has instructions of the thread itself."""

    def found(machine: Machine, thread: int) -> Iterator[Blocker]:
        last = last_of(machine, thread, number)
        with_what = f" with {named(machine, last, thread)}" if last is not None else ""
        yield Blocker(f"{unit} busy{with_what}", (thread,))

    return found


def _requests(machine: Machine, thread: int) -> Iterator[Blocker]:
    S = machine.S
    if S.thcon.stage == thread + 1:
        yield Blocker("an instruction in the stage before the Scalar Unit", (thread,))
    for i in range(S.thcon.requests):
        if S.thcon.owner[i] == thread:
            what = of_row(thread, S.thcon, i)
            yield Blocker(
                f"the Scalar Unit's memory request at {S.thcon.addr[i]:#010x} outstanding, of "
                f"{named(machine, what, thread)}",
                (thread,),
            )


def source_bank(source: int, wanted: int) -> Callable[[Machine, int], Iterator[Blocker]]:
    """Return a bank of SrcA or SrcB that is the other side's."""

    def found(machine: Machine, thread: int) -> Iterator[Blocker]:
        name = _SOURCES[source]
        busy = machine.S.busy
        others = tuple(other for other in range(THREADS) if other != thread)
        if wanted == occupancy.MATRIX_OWNS:
            bank = occupancy.seen_bank(machine.S, source)
            text = f"bank {bank} of {name} is the unpackers': no instruction has handed it over"
        else:
            bank = busy.unpack_bank[source]
            text = f"bank {bank} of {name} is the Matrix Unit's: no instruction has given it back"
        yield Blocker(text, others)

    return found


def _unpacker(unpacker: int) -> Callable[[Machine, int], Iterator[Blocker]]:
    """Return an unpacker, which may wait for a bank in the middle of its oldest instruction."""
    number = UNPACKER_1 if unpacker else UNIT_NUMBERS[Unit.UNPACKER]

    def found(machine: Machine, thread: int) -> Iterator[Blocker]:
        (own,) = _busy(f"unpacker {unpacker}", number)(machine, thread)
        S = machine.S
        waits = S.unpack.count[unpacker] and (
            S.unpack.kind[unpack_queue.oldest(S, unpacker)] == unpack_queue.MOVE
            and occupancy.unpackers_lack(S, unpacker)
        )
        if not waits:
            yield own
            return
        for bank in source_bank(unpacker, occupancy.UNPACKERS_OWN)(machine, thread):
            yield Blocker(f"{own.text}, which waits: {bank.text}", bank.threads)

    return found


def mover(machine: Machine, thread: int) -> Iterator[Blocker]:
    """Yield what the mover does, and for which thread: XMOV and stores to TDMA-RISC have started
    it."""
    state = machine.S.mover
    hart = int(state.hart)
    text = (
        f"the mover busy with {state.left + state.done} units of 16 bytes, "
        f"started by {HART_NAMES[hart]} at {place(machine, hart, int(state.pc))}"
    )
    yield Blocker(text, harts=(hart,))


def emitted(machine: Machine, thread: int) -> Iterator[Blocker]:
    """C10: with the requests themselves."""
    S, hart = machine.S, T0 + thread
    for stream in (streams.GPR, streams.CONFIG, streams.TDMA):
        for i in range(S.stream.count[hart, stream]):
            addr = int(S.stream.addr[hart, stream, i])
            kind = "load from" if S.stream.kind[hart, stream, i] == streams.READ else "store to"
            where = place(machine, hart, int(S.stream.pc[hart, stream, i]))
            yield Blocker(
                f"{HART_NAMES[hart]}'s {kind} {describe(hart, addr)} {addr:#010x} from {where} "
                "emitted and not processed",
                harts=(hart,),
            )


def config_unit(machine: Machine, thread: int) -> Iterator[Blocker]:
    """Yield what is in the configuration pipeline."""
    S = machine.S
    seen = set()
    for stage in range(config_pipe.STAGES):
        if S.config_pipe.op[stage]:
            owner = int(S.config_pipe.thread[stage])
            what = of_row(owner, S.config_pipe, stage)
            if what not in seen:  # CFGSHIFTMASK is in two stages
                seen.add(what)
                text = f"the Configuration Unit busy with {named(machine, what, thread)}"
                yield Blocker(text, (owner,))


_BY_CONDITION: tuple[Callable[[Machine, int], Iterator[Blocker]], ...] = (
    _requests,
    _unpacker(0),
    _unpacker(1),
    _busy("packer", UNIT_NUMBERS[Unit.PACKER]),
    _busy("Matrix Unit", UNIT_NUMBERS[Unit.FPU]),
    source_bank(0, occupancy.UNPACKERS_OWN),
    source_bank(1, occupancy.UNPACKERS_OWN),
    source_bank(0, occupancy.MATRIX_OWNS),
    source_bank(1, occupancy.MATRIX_OWNS),
    mover,
    emitted,
    _busy("Vector Unit", UNIT_NUMBERS[Unit.SFPU]),
    config_unit,
)
assert len(_BY_CONDITION) == len(CONDITIONS)


def _semaphores(machine: Machine, thread: int) -> Iterator[Blocker]:
    """SEMWAIT."""
    S = machine.S
    others = tuple(other for other in range(THREADS) if other != thread)
    t_cores = tuple(T0 + other for other in range(THREADS))
    conditions = int(S.latch.conditions[thread])
    for i in range(SEMAPHORES):
        if not S.latch.semaphores[thread] >> i & 1:
            continue
        value, most = int(S.semaphore.value[i]), int(S.semaphore.max[i])
        if conditions & 1 and value == 0:
            yield Blocker(f"semaphore {i} is 0 until it is posted", others, t_cores)
        if conditions & 2 and value >= most:
            text = f"semaphore {i} is full ({value} of {most}) until a SEMGET"
            if not most:
                text = f"semaphore {i} has no room, as no SEMINIT has given it a maximum"
            yield Blocker(text, others, t_cores)


def _stream(machine: Machine, thread: int) -> Iterator[Blocker]:
    """STREAMWAIT."""
    S = machine.S
    is_phase = S.latch.conditions[thread] & 1
    stream = stream_of(S, thread, S.latch.stream[thread])
    register = PHASE if is_phase else MESSAGES
    addr = overlay.OVERLAY_BASE + (stream << 12) + register * 4
    value = max(overlay.peek(S, 0, addr), 0)
    if value < S.latch.target[thread]:
        what = "is in phase" if is_phase else "has received messages:"
        yield Blocker(f"stream {stream} {what} {value} of {S.latch.target[thread]}")
