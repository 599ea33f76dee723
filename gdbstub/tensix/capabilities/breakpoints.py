# SPDX-License-Identifier: Apache-2.0
"""Breakpoints and watchpoints, and what clients attached to them: conditions and commands.

Conditions are given to the machine, which ignores a breakpoint while they are false. What it
cannot decide, conditions of watchpoints and all commands come here, with the machine stopped:
`run_attached` says whether it may continue. Looking has no side effects, so continuing leaves the
execution as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from tensix_gdb.core.arch.blackhole import HART_NAMES, T0, THREADS, B
from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.debug.breakpoints import ArmedError
from tensix_gdb.core.debug.gate_breakpoints import (
    GateWatch,
    Word,
    watched_at,
    words_at,
)
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.machine import MemoryFault
from tensix_gdb.core.stop import Stop, StopKind, WatchKind
from tensix_gdb.gdbstub.protocol.agent.budget import AgentError, Budget, Exhausted
from tensix_gdb.gdbstub.protocol.agent.expression import Context, evaluate, sets_variables
from tensix_gdb.gdbstub.protocol.target import NOTHING, Attached, Stopped, TargetError, Watch
from tensix_gdb.gdbstub.tensix.capabilities.registers import HartRegisters
from tensix_gdb.gdbstub.tensix.capabilities.threads import hart_of, thread_of, thread_of_tensix

END = 1 << 32
ALIGNED = 3  # bits that no address of an instruction has
MAX_WORDS = 64  # outside L1, of one watchpoint that are watched for the coprocessor
MAX_BYTES = 0x10000  # outside L1 that are looked through for them, in 50 ms
Key = TypeVar("Key")

_KINDS = {Watch.WRITE: "write", Watch.READ: "read", Watch.ACCESS: "access"}
_WATCHES = {
    Watch.WRITE: WatchKind.WRITE,
    Watch.READ: WatchKind.READ,
    Watch.ACCESS: WatchKind.ACCESS,
}


class HartBreakpoints:
    """The `Breakpoints` capability."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._registers = HartRegisters(machine)
        # By address and hart, None for all of them.
        self._breaks: dict[tuple[int, int | None], list[Attached]] = {}
        self._watches: dict[tuple[int, WatchKind], list[Attached]] = {}
        self.budget = Budget()  # of the last stop
        # Of what is watched for all but harts: numbers by thread, kind and bytes.
        self._changes: dict[tuple[int, Watch, int, int], list[int]] = {}

    def add_breakpoint(self, addr: int, attached: Attached = NOTHING, thread: int = 0) -> str:
        if addr >= END:
            raise TargetError(f"there is no instruction at {addr:#x}: addresses have 32 bits")
        if addr & ALIGNED:
            # GDB refuses to run at all as long as one of its breakpoints is refused.
            return f"The breakpoint at {addr:#010x} is never hit: instructions are 4 bytes each."
        try:
            self._machine.add_break(addr, _hart_or_all(thread), attached.conditions)
        except ArmedError as problem:
            raise TargetError(str(problem)) from None
        self._breaks.setdefault((addr, _hart_or_all(thread)), []).append(attached)
        return ""

    def remove_breakpoints(self, several: Sequence[tuple[int, Attached, int]]) -> None:
        there = [removed for removed in several if not removed[0] & ALIGNED]
        self._machine.armed.remove_breaks(
            (addr, _hart_or_all(thread), attached.conditions) for addr, attached, thread in there
        )
        for addr, attached, thread in there:
            _take_away(self._breaks, (addr, _hart_or_all(thread)), attached)

    def add_watchpoint(
        self, thread: int, kind: Watch, addr: int, length: int, attached: Attached = NOTHING
    ) -> None:
        if addr + length > END:
            raise TargetError(f"{addr:#x} cannot be watched: the address space ends before it")
        hart = hart_of(thread)
        try:
            self._machine.add_watch(hart, addr, length, _KINDS[kind])
            try:
                self._watch_others(thread, kind, addr, length)
            except ArmedError:
                self._machine.remove_watch(hart, addr, length, _KINDS[kind])
                raise
        except ArmedError as problem:
            raise TargetError(str(problem)) from None
        self._watches.setdefault((addr, _WATCHES[kind]), []).append(attached)

    def remove_watchpoint(
        self, thread: int, kind: Watch, addr: int, length: int, attached: Attached = NOTHING
    ) -> None:
        self._machine.remove_watch(hart_of(thread), addr, length, _KINDS[kind])
        numbers = self._changes.get((thread, kind, addr, length), [])
        if numbers:
            self._machine.gates.remove(numbers.pop())
        _take_away(self._watches, (addr, _WATCHES[kind]), attached)

    def _watch_others(self, thread: int, kind: Watch, addr: int, length: int) -> None:
        """Watch all but harts: what the coprocessor, the NoC and the host do in L1, of any length,
        and what the coprocessor changes elsewhere. ArmedError if that is too much to be
        compared."""
        hart = hart_of(thread)
        end = L1_END[self._machine.S.tile.chip]
        outside = min(length, max(0, addr + length - end))
        if outside > MAX_BYTES:
            raise ArmedError(f"no more than {MAX_BYTES} bytes outside L1 can be watched")
        words, ranges = watched_at(self._machine.S, hart, addr, length, _WATCHES[kind])
        if len(words) > MAX_WORDS:
            raise ArmedError(
                f"no more than {MAX_WORDS} registers can be watched for the coprocessor: "
                "watch one of them, or memory in L1, of which any length can be"
            )
        if words or ranges:
            text = f"{length} bytes at {addr:#010x}"
            watch = GateWatch(text, words, addr, hart, ranges, _WATCHES[kind])
            number = self._machine.gates.add_watch(watch)
            self._changes.setdefault((thread, kind, addr, length), []).append(number)

    def as_seen(self, stop: Stopped) -> Stopped:
        """Describe a change of watched bytes: GDB reads them in the thread of the stop, which has
        to be one that sees the same ones there."""
        S, watches = self._machine.S, self._machine.gates.watches
        number = self._machine.gates.watch_number(S.stop.a)
        addr, hart = watches[number].addr, watches[number].hart
        assert addr is not None
        if _same(words_at(S, hart, addr, 4), words_at(S, hart_of(stop.thread), addr, 4)):
            return stop
        feeds = next((t for t in range(THREADS) if T0 + t == hart), None)
        return replace(stop, thread=thread_of(hart) if feeds is None else thread_of_tensix(feeds))

    # What is attached

    def run_attached(self, stop: Stop) -> bool:
        """Run the commands of what stopped the machine; True if it may resume, because no client
        that armed something there wants it to stop."""
        there = self._armed_at(stop)
        wanted = False
        self.budget = Budget()
        for attached in list(there):
            # A stop at the place takes nothing from tracepoints and dprintf there.
            if attached != NOTHING and self._holds(stop, attached):
                wanted |= not attached.commands and attached.collect is None
                self._run(stop, attached)
                if attached.collect is not None:
                    attached.collect(thread_of(stop.hart), self.budget)
        if NOTHING in there or not there:
            return False
        # Hits that the machine decided about it has counted itself, until none is to be ignored.
        return not wanted or (stop.kind is StopKind.BREAK and self._machine.armed.ignored(stop.pc))

    def would_stop(self, stop: Stop) -> bool:
        """True if a client wants the machine to stop there, which only is asked: nothing is
        printed, collected or counted, and no trace state variable is written."""
        there = self._armed_at(stop)
        if NOTHING in there or not there:
            return True
        self.budget = Budget()
        return any(
            not attached.commands
            and attached.collect is None
            and self._holds(stop, replace(attached, variables=dict(attached.variables)))
            for attached in there
        )

    def check_no_variable_is_set(self) -> None:
        """Raise TargetError if something that is armed writes a trace state variable: the history
        does not have these, and to go through it would count again."""
        for (place, _), several in (*self._breaks.items(), *self._watches.items()):
            for attached in several:
                programs = (*attached.conditions, *attached.commands, *attached.collected)
                if any(map(sets_variables, programs)):
                    raise TargetError(
                        f"what is attached at {place:#010x} writes a trace state variable, which "
                        "the history does not have: what is gone through again would be counted "
                        "again; delete or disable it first, or go by `reverse-stepi`"
                    )

    def _armed_at(self, stop: Stop) -> list[Attached]:
        if stop.kind is StopKind.BREAK:
            breaks = self._breaks
            return [*breaks.get((stop.pc, None), ()), *breaks.get((stop.pc, stop.hart), ())]
        if stop.kind is StopKind.WATCH and stop.addr is not None and stop.access is not None:
            return self._watches.get((stop.addr, stop.access), [])
        return []

    def _holds(self, stop: Stop, attached: Attached) -> bool:
        if not attached.conditions:
            return True
        place = self._place(stop.hart, attached)
        try:
            return any([evaluate(condition, place) for condition in attached.conditions])
        except AgentError as problem:
            self._refuse(stop, attached, f"a condition cannot be evaluated: {problem}")
            return True

    def _run(self, stop: Stop, attached: Attached) -> None:
        place = self._place(stop.hart, attached)
        for command in attached.commands:
            try:
                evaluate(command, place)
            except AgentError as problem:
                self._refuse(stop, attached, f"a command cannot be run: {problem}")
                if isinstance(problem, Exhausted):
                    return

    def _refuse(self, stop: Stop, attached: Attached, why: str) -> None:
        where = self._machine.places.at(stop.hart, stop.pc)
        attached.say(f"{HART_NAMES[stop.hart]} at {where}: {why}.\n")

    def _place(self, hart: int, attached: Attached) -> Context:
        thread = thread_of(hart)

        def register(number: int) -> int:
            try:
                data = self._registers.read_register(thread, number)
            except TargetError as problem:
                raise AgentError(str(problem)) from None
            if data is None:
                raise AgentError(f"{HART_NAMES[hart]} has no register {number}")
            return int.from_bytes(data, "little")

        def memory(addr: int, length: int) -> bytes:
            try:
                data = self._machine.peek(hart, addr, length)
            except MemoryFault as problem:
                raise AgentError(str(problem)) from None
            if len(data) < length:
                raise AgentError(f"{addr:#010x} can be read only for {len(data)} bytes")
            return data

        return Context(
            register, memory, attached.say, variables=attached.variables, budget=self.budget
        )


def _same(mine: tuple[Word, ...], theirs: tuple[Word, ...]) -> bool:
    """True if these are the same words for every hart: B has other devices in places than T
    cores."""
    shared = all(B not in (a.seen_by, b.seen_by) for a, b in zip(mine, theirs, strict=False))
    return mine == theirs or (
        shared and [replace(a, seen_by=0) for a in mine] == [replace(b, seen_by=0) for b in theirs]
    )


def _hart_or_all(thread: int) -> int | None:
    """Return the hart of a thread; None for 0, which means all."""
    return hart_of(thread) if thread else None


def _take_away(held: dict[Key, list[Attached]], key: Key, attached: Attached) -> None:
    there = held.get(key, [])
    if attached in there:
        there.remove(attached)
    if not there:
        held.pop(key, None)
