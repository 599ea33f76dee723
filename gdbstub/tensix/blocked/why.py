# SPDX-License-Identifier: Apache-2.0
"""`monitor why`: in words, why harts and Tensix threads make no progress, and what each waits for.

Each is a `Waiter`: what it does in a line, more lines with source places, and what it waits
for. From these come the answer of `why`, the report of a tile in which nothing can move any more,
and the cycles of waiters that wait for each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, T0, THREAD_NAMES, THREADS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.explain.made import made_text
from tensix_gdb.core.explain.orders import broken_lines
from tensix_gdb.core.explain.stop import waiting_pc
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory import streams
from tensix_gdb.core.ordering import pauses
from tensix_gdb.core.stall import WaitsFor, sentence
from tensix_gdb.core.stop import NOTHING_MOVES, Stop, StopKind
from tensix_gdb.core.tensix import occupancy
from tensix_gdb.core.tensix.frontend.fifo import A, B, C
from tensix_gdb.core.tensix.gate.issued import UNPACKER_1
from tensix_gdb.core.tensix.gate.latch import NONE
from tensix_gdb.core.tensix.gate.wait_gate import CONDITIONS, Held
from tensix_gdb.core.tensix.in_flight import in_flight
from tensix_gdb.core.tensix.instruction import Unit
from tensix_gdb.core.tensix.scalar import pipeline as thcon
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.blocked.at_fault import fault_lines, fault_of
from tensix_gdb.gdbstub.tensix.blocked.instructions import at_gate, last_of, latched, of_row, place
from tensix_gdb.gdbstub.tensix.blocked.polls import Polls, polling
from tensix_gdb.gdbstub.tensix.blocked.semaphore_posts import who_should
from tensix_gdb.gdbstub.tensix.blocked.unread_config import unread_config
from tensix_gdb.gdbstub.tensix.blocked.wait_conditions import (
    UNIT_NUMBERS,
    Blocker,
    condition_obstacles,
    source_bank,
    wait_obstacles,
)
from tensix_gdb.gdbstub.tensix.blocked.wait_gate import held_text, obstacles
from tensix_gdb.gdbstub.tensix.monitor.ttsync import would_order
from tensix_gdb.gdbstub.tensix.monitor_row import named, no_more

PARTIES = HARTS + THREADS  # harts, then Tensix threads
MANY = 3  # a party that waits for so many waits for none in particular
NAMES = (*HART_NAMES, *THREAD_NAMES)
_TENSIX = (WaitsFor.TENSIX_FIFO, WaitsFor.TENSIX_IDLE, WaitsFor.TENSIX_MOP)


@dataclass
class Waiter:
    """A hart or a Tensix thread, waiting or running."""

    number: int
    does: str
    more: list[str] = field(default_factory=list)
    waits_for: tuple[int, ...] = ()
    moves: bool = False

    @property
    def text(self) -> str:
        return "\n".join([f"{NAMES[self.number]}: {self.does}", *(f"    {m}" for m in self.more)])


def party(machine: Machine, number: int, polls: Polls | None = None) -> Waiter:
    """Return what hart `number` or Tensix thread `number - HARTS` does; several calls share the
    `polls` of the tile as it is."""
    stop = fault_of(machine)
    if stop is not None and number == (stop.hart if stop.thread is None else HARTS + stop.thread):
        # It waits for no party, and what waits for it is in no circle.
        does = f"at the fault, pc {machine.places.at(stop.hart, stop.pc)}"
        return Waiter(number, does, moves=True)
    return _hart(machine, number, polls) if number < HARTS else _thread(machine, number - HARTS)


def monitor_why(machine: Machine, thread: int, words: list[str]) -> str:
    """Return the fault at which the tile has stopped, then all waiters; or one hart or Tensix
    thread, and all that it waits for."""
    waiters = parties(machine)
    fault = "".join(f"{line}\n" for line in fault_lines([("", machine)]))
    if not words or words == ["all"]:  # `all` tiles: there is one
        lines = [*broken_lines(machine.S, machine.places), *unread_config(machine)]
        return fault + report(waiters, range(PARTIES)) + "".join(f"{line}\n" for line in lines)
    wanted = _wanted(words.pop(0))
    no_more(words, "why")
    shown = list(wanted)
    for number in shown:  # grows on the way
        shown += [other for other in waiters[number].waits_for if other not in shown]
    return fault + report(waiters, shown)


def parties(machine: Machine) -> list[Waiter]:
    """Return all waiters. Where it is proved that nothing can move any more, a hart that executes
    spins."""
    polls = Polls(machine)
    waiters = [party(machine, number, polls) for number in range(PARTIES)]
    if machine.S.stop.kind == StopKind.STANDSTILL:
        for waiter in waiters:
            if waiter.moves and waiter.number < HARTS:
                waiter.does = waiter.does.replace("runs,", "spins and changes nothing,")
                waiter.moves = False
    return waiters


def _wanted(word: str) -> list[int]:
    for hart, name in enumerate(HART_NAMES):
        if word.upper() == name:
            return [hart, HARTS + hart - T0] if T0 <= hart < T0 + THREADS else [hart]
    number = named(word)
    if number is None:
        names = ", ".join(HART_NAMES)
        raise TargetError(f"{word!r} is no hart and no Tensix thread: type one of {names}")
    return [HARTS + number]


def report(waiters: Sequence[Waiter], shown: Sequence[int]) -> str:
    """Return the lines to be shown; idle waiters together, and the circular waits."""
    idle = [number for number in shown if not waiters[number].does]
    lines = [waiters[number].text for number in shown if waiters[number].does]
    if idle:
        lines.append(f"Nothing to do: {', '.join(NAMES[number] for number in idle)}.")
    lines += [line for line in circular_waits(waiters) if any(NAMES[n] in line for n in shown)]
    return "".join(f"{line}\n" for line in lines)


def circular_waits(waiters: Sequence[Waiter]) -> Iterator[str]:
    """Yield a line for each circular wait: parties of which each waits for one alone. A party that
    has nothing to do, or has ended, helps none; a wait that any party could end, as for a
    semaphore, is no part of one.
    """
    alive = [waiter.moves or bool(waiter.waits_for) for waiter in waiters]
    after = [
        [other for other in waiter.waits_for if alive[other] and len(waiter.waits_for) < MANY]
        for waiter in waiters
    ]
    seen: set[int] = set()
    for start in waiters:
        way: list[int] = []
        at = start.number
        while at not in way and len(after[at]) == 1:
            way.append(at)
            at = after[at][0]
        if at in way and at not in seen:
            circle = [*way[way.index(at) :], at]
            seen.update(circle)
            yield "In a circle: " + " waits for ".join(NAMES[number] for number in circle) + "."


def _hart(machine: Machine, hart: int, polls: Polls | None) -> Waiter:
    S = machine.S
    waits = sentence(S, hart)
    if S.hart.in_reset[hart]:
        return Waiter(hart, "")
    if not waits:
        state = machine.hart_state(hart)
        if state == "ready":
            found = polling(machine, hart, polls)
            if found is not None:
                return Waiter(hart, found.does, found.more, found.writers)
            where = machine.places.at(hart, S.hart.pc[hart])
            return Waiter(hart, f"runs, pc {where}", moves=True)
        if pauses.sentence(S, hart):
            return Waiter(
                hart, f"{state}, pc {machine.places.at(hart, S.hart.pc[hart])}", moves=True
            )
        return Waiter(
            hart, state if S.hart.held[hart] else "" if not S.hart.paused[hart] else state
        )
    other = int(S.hart.waits_on[hart])
    tensix = WaitsFor(S.hart.waits_for[hart]) in _TENSIX
    pc = waiting_pc(S, hart)
    return Waiter(
        hart,
        ", ".join(filter(None, (pauses.sentence(S, hart), waits)))
        + f", at {machine.places.at(hart, pc)}",
        waits_for=(HARTS + other - T0 if tensix else other,),
    )


def _thread(machine: Machine, thread: int) -> Waiter:
    S = machine.S
    number = HARTS + thread
    gate = at_gate(machine, thread)
    held = held_text(machine, thread)
    if gate is not None and held:
        blockers = obstacles(machine, thread)
        hart = HART_NAMES[gate.hart]
        origin = machine.places.at(gate.hart, gate.pc)
        made = made_text(S, machine.places, thread, gate.hart, gate.word, gate.via)
        pushed = f"pushed by {hart} at {origin} in cycle {gate.cycle}"
        more = [f"{gate.text}{gate.expanded}, {pushed}{made}"]
        if Held(S.gate.held[thread]) is Held.LATCHED_WAIT and S.latch.kind[thread] != NONE:
            wait = latched(machine, thread)
            more.append(f"{wait.name} pushed at {machine.places.at(wait.hart, wait.pc)}")
            more += who_should(machine, thread)
        more += would_order(machine, thread)
        queued = _queued(machine, thread)
        if queued:
            more.append(queued)
        inside = _unpackers(machine, thread)
        more += [blocker.text for blocker in inside]
        return Waiter(number, held, more, _removers([*blockers, *inside], number))
    blockers = _units(machine, thread)
    if blockers:
        does = "; ".join(obstacle.text for obstacle in blockers)
        return Waiter(number, does, waits_for=_removers(blockers, number))
    if S.latch.kind[thread] != NONE:
        blockers = wait_obstacles(machine, thread)
        why = "; ".join(blocker.text for blocker in blockers) or "its conditions are met now"
        wait = latched(machine, thread)
        where = place(machine, wait.hart, wait.pc)
        does = f"nothing to hold back, but {wait.text} from {where} is latched: {why}"
        return Waiter(number, does, waits_for=_removers(blockers, number))
    count = in_flight(S, thread) + S.stream.count[T0 + thread, streams.PUSH]
    many = "1 instruction on its way" if count == 1 else f"{count} instructions on their way"
    return Waiter(number, f"runs, {many}" if count else "", moves=bool(count))


def _removers(blockers: Sequence[Blocker], own: int) -> tuple[int, ...]:
    """Return the waiters that can take obstacles away, without the one that has them."""
    numbers = {HARTS + thread for blocker in blockers for thread in blocker.threads}
    numbers |= {hart for blocker in blockers for hart in blocker.harts}
    return tuple(sorted(numbers - {own}))


def _queued(machine: Machine, thread: int) -> str:
    S = machine.S
    queued = S.fifo.count[thread, A] + S.fifo.count[thread, B] + S.fifo.count[thread, C]
    waiting = queued + S.stream.count[T0 + thread, streams.PUSH]
    if waiting == 1:
        return ""
    return f"{waiting} instructions wait before the gate, with the held one"


def _unpackers(machine: Machine, thread: int) -> list[Blocker]:
    """Return what the thread has in unpackers that wait for a bank."""
    S = machine.S
    blockers: list[Blocker] = []
    for unpacker in range(occupancy.UNPACKERS):
        if S.busy.unpacker[unpacker, thread] and occupancy.unpackers_lack(S, unpacker):
            lacks = source_bank(unpacker, occupancy.UNPACKERS_OWN)(machine, thread)
            last = last_of(machine, thread, _unpacker_place(unpacker))
            name = f"{last.name} from {place(machine, last.hart, last.pc)}" if last else "UNPACR"
            blockers += [
                Blocker(
                    f"{name} waits in unpacker {unpacker}: {blocker.text}",
                    blocker.threads,
                    blocker.harts,
                )
                for blocker in lacks
            ]
    return blockers


def _units(machine: Machine, thread: int) -> list[Blocker]:
    """Return what the thread has in units that do not end by themselves."""
    S = machine.S
    blockers = _unpackers(machine, thread)
    if thcon.executing(S, thread) and S.thcon.state == thcon.FLUSHING:
        last = last_of(machine, thread, UNIT_NUMBERS[Unit.THCON])
        where = f" from {place(machine, last.hart, last.pc)}" if last else ""
        for number, condition in enumerate(CONDITIONS):
            if S.thcon.value >> number & 1 and condition(S, thread):
                blockers += [
                    Blocker(
                        f"FLUSHDMA{where} waits: {blocker.text}", blocker.threads, blocker.harts
                    )
                    for blocker in condition_obstacles(machine, thread, number)
                ]
    for i in range(S.thcon.requests):
        repeated = S.thcon.kind[i] in (thcon.COMPARE, thcon.ADVANCE) and not S.thcon.answer[i]
        if S.thcon.owner[i] == thread and repeated:
            repeating = of_row(thread, S.thcon, i)
            until = (
                "the word at {:#010x} fits"
                if S.thcon.kind[i] == thcon.COMPARE
                else ("there is room in the FIFO at {:#010x}")
            )
            where = place(machine, repeating.hart, repeating.pc)
            what = f"{repeating.name} from {where} is tried again until "
            blockers.append(Blocker(what + until.format(S.thcon.addr[i])))
    return blockers


def _unpacker_place(unpacker: int) -> int:
    return UNPACKER_1 if unpacker else UNIT_NUMBERS[Unit.UNPACKER]


def describe_stop(machine: Machine, stop: Stop) -> Stop:
    """Describe a stop; of a tile in which nothing can move any more, with what each party waits
    for."""
    if stop.kind is not StopKind.STANDSTILL:
        return stop
    return replace(stop, text=deadlock_text(machine))


def deadlock_text(machine: Machine) -> str:
    """Return the stop text of a tile in which nothing can move any more."""
    body = monitor_why(machine, 0, []).rstrip()
    return f"{NOTHING_MOVES}, after cycle {machine.S.tile.cycle}:\n{body}"
