# SPDX-License-Identifier: Apache-2.0
"""The reason why a run ended: its rows, and the functions that record a stop.

A stop is recorded *before* the instruction it is about, with the pc at it, and at most one at a
time: the tile keeps its place in the cycle (`tile.next_hart`), so the rest of the cycle follows at
the next run and a stop changes nothing about the execution.
"""

from __future__ import annotations

import enum

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.record.layout import Part, Tag, View, row

# What an instruction's function returns in place of a next pc.
WAIT = -1  # not done; ask again in the next cycle
STOPPED = -2  # a stop is recorded; the pc stays
HEAD = -4  # only in `burst`: this is the head of a translation
LEAVE = -3  # only in `burst`: nothing done, the general path has to look at this

BY_DEBUG_INTERFACE = 0xFF  # in `stop.stream`: a memory command to a paused core
BY_REQUEST = 0xFD  # in `stop.stream`: what a hart has started elsewhere has been done
SCHEDULED = 0xFE  # in `stop.stream`: an instruction that SFPLOADMACRO has scheduled; it is over
AT_GATE = 0x100  # in `stop.stream`, with the thread: a Tensix instruction before its wait gate
IN_UNPACKER = 0x200  # in `stop.stream`, with the unpacker: its oldest instruction

NOTHING_MOVES = "nothing can move any more"  # begins each report of a STANDSTILL


class StopKind(enum.IntEnum):
    """The reason why the tile stopped; NONE while it runs."""

    NONE = 0
    BREAK = 1  # before the instruction at a breakpoint
    WATCH = 2  # before the access to watched bytes; a = address, b = which watch
    STEP = 3  # after the instruction(s) asked for
    EBREAK = 4  # at an ebreak; the hart pauses
    ECALL = 5  # at an ecall; the hart pauses
    FAULT = 6  # before an instruction that cannot be executed; code, a, b
    ALL_PAUSED = 7  # no hart can issue any more
    STANDSTILL = 8  # every hart that issues waits, and nothing can end that
    GATE = 9  # a Tensix instruction at a gate breakpoint; a = which, b = how many of its push
    OUTSIDE = (
        10  # no client sees it: a NoC request needs memory outside the record; a = NIU, b = slot
    )
    CALL = 11  # before a semihosting call that waits for its answer; a = which, b = its argument
    EXIT = 12  # a hart has called for the end of its program and pauses; code = the status
    RACE = 13  # after the cycle with the second access of a new report of core/race; a = which


class WatchKind(enum.IntFlag):
    """The accesses that a watch is about."""

    READ = 1
    WRITE = 2
    ACCESS = 3


STOP = Part(
    "stop",
    (
        row("kind", "u32", (), Tag.DERIVED, "StopKind; NONE while running"),
        row("hart", "u32", (), Tag.DERIVED, "the hart it is about"),
        row("pc", "u32", (), Tag.DERIVED, "that hart's pc"),
        row("code", "u32", (), Tag.DERIVED, "Fault, when kind is FAULT"),
        row("a", "i64", (), Tag.DERIVED, "first operand"),
        row("b", "i64", (), Tag.DERIVED, "second operand"),
        row("stream", "u32", (), Tag.DERIVED, "1 + the stream with it as oldest request; or 0"),
    ),
)


def stop(S: View, hart: int, kind: int, a: int, b: int) -> int:
    """Record a stop of `hart` at its pc."""
    S.stop.kind = kind
    S.stop.hart = hart
    S.stop.pc = S.hart.pc[hart]
    S.stop.code = 0
    S.stop.a = a
    S.stop.b = b
    S.stop.stream = 0
    return STOPPED


def fault(S: View, hart: int, code: int, a: int, b: int) -> int:
    """Record a fault at the instruction of `hart`."""
    stop(S, hart, StopKind.FAULT, a, b)
    S.stop.code = code
    return STOPPED


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop as people and debuggers see it.

    `addr` is the watched address as the client named it (WATCH) or the address of the access
    (FAULT); `access` the kind of a watched access; `text` one sentence for people. `thread` is the
    Tensix thread that it is about; `hart` then is the one that has pushed the instruction.
    `is_over` says that a watched access has been made, by a request of the hart and not by its next
    instruction.
    """

    kind: StopKind
    hart: int
    pc: int
    addr: int | None = None
    access: WatchKind | None = None
    code: int = 0
    text: str = ""
    thread: int | None = None
    is_over: bool = False
