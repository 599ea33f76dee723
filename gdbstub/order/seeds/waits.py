# SPDX-License-Identifier: Apache-2.0
"""A wait that a program does not have, put into a run by a debugger's means.

A hart or a Tensix thread is frozen each time it comes to one place, until what the wait is for has
happened. So a run shows what the program would do with that wait, before anything is written.
"""

from __future__ import annotations

import enum

from tensix_gdb.core.arch.blackhole import T0, THREADS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.debug.gate_breakpoints import GateBreak
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory import streams
from tensix_gdb.core.ordering import pauses
from tensix_gdb.core.stop import Stop, StopKind
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.gate.wait_gate import any_condition_holds
from tensix_gdb.core.tensix.in_flight import is_idle

# Conditions of STALLWAIT about what the thread itself has under way. C5 to C8 are about banks, and
# those other threads hand over.
OWN = (0, 1, 2, 3, 4, 9, 10, 11, 12)
LONGEST = 4096  # cycles that a wait for one's own may take: a hart may keep pushing
LATE = 5000  # cycles: more than twice the longest pause that `random` draws


class Until(enum.Enum):
    """The aim of a wait."""

    OWN_IS_DONE = "what it has under way itself has ended"
    OTHERS_GO_ON = "the others have progressed"


@dataclass(frozen=True, slots=True)
class Party:
    """A hart, or a Tensix thread at its wait gate."""

    at_gate: bool
    number: int

    @property
    def hart(self) -> int:
        """The hart, or the T core of the thread."""
        return T0 + self.number if self.at_gate else self.number


@dataclass(frozen=True, slots=True)
class Wait:
    """A wait of one party before the instructions at some addresses, or pushed from there."""

    party: Party
    addresses: tuple[int, ...]
    until: Until
    conditions: tuple[int, ...] = OWN  # at a gate, with OWN_IS_DONE


class Armed:
    """A wait that is armed in a machine, until `close`."""

    def __init__(self, machine: Machine, wait: Wait) -> None:
        self._machine, self.wait = machine, wait
        self._mask = sum(1 << number for number in wait.conditions)
        self._pushed = (-1, -1)
        self.cycles = 0  # for which the party was held so far
        self._number = 0
        if wait.party.at_gate:
            ranges = tuple((addr, addr + 4) for addr in wait.addresses)
            place = GateBreak("", ranges, 1 << wait.party.number)
            self._number = machine.gates.add_break(place)
        else:
            for addr in wait.addresses:
                machine.add_break(addr, wait.party.number)

    def close(self) -> None:
        """Take it away."""
        if self.wait.party.at_gate:
            self._machine.gates.remove(self._number)
        else:
            for addr in self.wait.addresses:
                self._machine.remove_break(addr, self.wait.party.number)

    def is_hit(self, stop: Stop) -> bool:
        """True if the party has come to the place."""
        if self.wait.party.at_gate:
            return stop.kind is StopKind.GATE
        return stop.kind is StopKind.BREAK

    def hold(self) -> Stop | None:
        """Let the rest of the tile run until the wait is over; return a stop that ends the run.
        A push is waited for once, whatever it expands to."""
        machine, party = self._machine, self.wait.party
        begun = int(machine.S.tile.cycle)
        if party.at_gate:
            fifo = machine.S.fifo
            at = fifo.head[party.number, C]
            pushed = int(fifo.pc[party.number, C, at]), int(fifo.cycle[party.number, C, at])
            if pushed == self._pushed:
                return None
            self._pushed = pushed
            # A thread that the debugger freezes runs when a hart waits for it; a pause lasts.
            drawn = int(machine.S.pause.thread[party.number])
            pauses.pause_thread(machine.S, party.number, LATE, 1)
            try:
                return self._others_run()
            finally:
                machine.S.pause.thread[party.number] = drawn
                self.cycles += int(machine.S.tile.cycle) - begun
        machine.freeze({party.number})
        try:
            return self._others_run()
        finally:
            machine.freeze(())
            machine.resume_from(party.number)
            self.cycles += int(machine.S.tile.cycle) - begun

    def pass_once(self) -> int:
        """Continue without waiting until the instruction has passed; return the cycle."""
        machine, party = self._machine, self.wait.party
        if not party.at_gate:
            return int(machine.S.tile.cycle)
        count = int(machine.S.passed.count[party.number])
        for _ in range(LATE):
            if machine.S.passed.count[party.number] != count:
                break
            machine.run(1)
        return int(machine.S.tile.cycle)

    def _others_run(self) -> Stop | None:
        machine, S = self._machine, self._machine.S
        is_late = self.wait.until is Until.OTHERS_GO_ON
        end = int(S.tile.cycle) + (LATE if is_late else LONGEST)
        while S.tile.cycle < end and (is_late or self._has_own()):
            stop = machine.run(end - S.tile.cycle if is_late else 1)
            if stop is None or stop.kind in (StopKind.EBREAK, StopKind.ECALL):
                continue
            # With the party frozen no other hart may have anything to do.
            return None if stop.kind is StopKind.ALL_PAUSED else stop
        return None

    def _has_own(self) -> bool:
        """True while the party has something under way itself."""
        S, party = self._machine.S, self.wait.party
        if party.at_gate:
            return bool(any_condition_holds(S, party.number, self._mask))
        hart = party.number
        if any(S.stream.count[hart, stream] for stream in range(streams.STREAMS)):
            return True
        if S.pipeline.sq_count[hart]:
            return True
        return T0 <= hart < T0 + THREADS and not is_idle(S, hart - T0)
