# SPDX-License-Identifier: Apache-2.0
"""Where an execution is, and the states of it that are kept.

A mark shares the pages that have not changed with the mark before it, so that many of them need
little memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tensix_gdb.core.arch.blackhole import HARTS, THREADS
from tensix_gdb.core.debug.armed import PASS_PAUSE
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.frontend.fifo import C

PAGE = 4096


@dataclass(frozen=True, slots=True)
class Position:
    """How far the tile is: the cycle, and in it who has executed how much. Without inputs, an
    execution has each state between two instructions once."""

    cycle: int
    retired: tuple[int, ...]
    passed: tuple[int, ...]

    def before(self, other: Position) -> bool:
        """Is it earlier in the same execution?"""
        return self._key() < other._key()

    def _key(self) -> tuple[int, int, int]:
        return self.cycle, sum(self.passed), sum(self.retired)


def position(machine: Machine) -> Position:
    """Where the tile is."""
    S = machine.S
    retired = tuple(int(S.hart.retired[hart]) for hart in range(HARTS))
    passed = tuple(int(S.passed.count[thread]) for thread in range(THREADS))
    return Position(int(S.tile.cycle), retired, passed)


@dataclass(slots=True)
class Mark:
    """All state of one moment: the record, memory outside it, who is held (Tensix threads at their
    gates, then harts), and who goes on behind the ebreak that it is at."""

    at: Position
    pages: list[bytes]
    outside: list[dict[int, bytes]]
    held: bytes
    passing: tuple[int, ...]


def pauses_passed(machine: Machine) -> tuple[int, ...]:
    """Of each hart, whether its next instruction is an ebreak or ecall that it passes."""
    return tuple(int(machine.S.debug.passing[hart]) & PASS_PAUSE for hart in range(HARTS))


def pass_pauses(machine: Machine, passing: tuple[int, ...]) -> None:
    """Let these harts pass, beside what they pass already."""
    for hart, bits in enumerate(passing):
        if bits:
            machine.S.debug.passing[hart] |= bits


def held_now(machine: Machine) -> bytes:
    """Who is held."""
    return bytes(machine.S.gate_stop.held.raw) + bytes(machine.S.hart.held.raw)


def hold(machine: Machine, held: bytes) -> None:
    """Hold exactly these."""
    machine.gates.hold([thread for thread in range(THREADS) if held[thread]])
    machine.hold([hart for hart in range(HARTS) if held[THREADS + hart]])


def take(machine: Machine, like: Mark | None = None) -> Mark:
    """The state as it is. Pages that are as in `like` are shared with it."""
    state = machine.record.state()
    pages = [state[i : i + PAGE] for i in range(0, len(state), PAGE)]
    if like is not None:
        pages = [old if old == new else new for old, new in zip(like.pages, pages, strict=True)]
    outside = [pages.snapshot() for pages in (*machine.outside.dram, machine.outside.host)]
    held = held_now(machine)
    return Mark(position(machine), pages, outside, held, pauses_passed(machine))


def same(machine: Machine, mark: Mark) -> bool:
    """Has nobody changed anything?"""
    if held_now(machine) != mark.held or pauses_passed(machine) != mark.passing:
        return False
    outside = [pages.snapshot() for pages in (*machine.outside.dram, machine.outside.host)]
    return machine.record.state() == b"".join(mark.pages) and outside == mark.outside


def put_back(machine: Machine, mark: Mark) -> None:
    """Bring the tile to the state of a mark; what is armed stays, but no step."""
    machine.restore(bytearray(b"").join(mark.pages))
    for pages, kept in zip(
        (*machine.outside.dram, machine.outside.host), mark.outside, strict=True
    ):
        pages.restore(kept)
    hold(machine, mark.held)
    S = machine.S
    for thread in range(THREADS):
        # Who is held at a gate came there before: breakpoints have looked at it.
        if S.gate.held[thread] and S.fifo.count[thread, C]:
            S.gate_stop.looked[thread] = S.passed.count[thread] + 1
    pass_pauses(machine, mark.passing)


@dataclass(slots=True)
class Segment:
    """A part of the history without inputs: marks, the first at its start, and where it ends."""

    marks: list[Mark]
    end: Position = field(init=False)

    def __post_init__(self) -> None:
        self.end = self.marks[0].at

    def behind(self) -> list[int]:
        """Of each mark but the first: the cycle of the next one, or where the segment ends."""
        cycles = [mark.at.cycle for mark in self.marks[2:]]
        return [*cycles, max(self.end.cycle, self.marks[-1].at.cycle)]

    def last_before(self, limit: Position) -> int:
        """The number of the last mark before a position, or -1."""
        for number in range(len(self.marks) - 1, -1, -1):
            if self.marks[number].at.before(limit):
                return number
        return -1
