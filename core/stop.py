# SPDX-License-Identifier: Apache-2.0
"""Why a run ended, and what the debugger has armed: rows, and the functions that record a stop.

A stop is recorded *before* the instruction it is about, with the pc at it, and at most one at a
time: the tile keeps its place in the cycle (`tile.turn`), so the rest of the cycle follows at the
next run and a stop changes nothing about the execution.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES
from tensix_gdb.core.debug import conditions
from tensix_gdb.core.record.layout import Part, Tag, View, row

# What an instruction's function returns in place of a next pc.
WAIT = -1  # not done; ask again in the next cycle
STOPPED = -2  # a stop is recorded; the pc stays
LEAVE = -3  # only in `burst`: nothing done, the general path has to look at this

WATCHES = 64
BY_DEBUG_INTERFACE = 0xFF  # in `stop.stream`: a memory command to a paused core
SCHEDULED = 0xFE  # in `stop.stream`: an instruction that SFPLOADMACRO has scheduled; it is over
AT_GATE = 0x100  # in `stop.stream`, with the thread: a Tensix instruction before its wait gate
IN_UNPACKER = 0x200  # in `stop.stream`, with the unpacker: its oldest instruction
BREAK_WORDS = 0x80000  # two MiB of words, as in `decoded.word`
FAR_BREAKS = 64


# What was reported at a hart's pc already and does not stop its next instruction again.
PASS_BREAK = 1
PASS_WATCH = 2
PASS_PAUSE = 4


class StopKind(enum.IntEnum):
    """Why the tile stopped; NONE while it runs."""

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


class WatchKind(enum.IntFlag):
    """Which accesses a watch is about."""

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
        row("stream", "u32", (), Tag.DERIVED, "1 + the stream whose oldest request it is; or 0"),
    ),
)

DEBUG = Part(
    "debug",
    (
        row("breaks", "u8", BREAK_WORDS, Tag.DERIVED, "per word of L1: harts that stop there"),
        row("far_breaks", "u32", (), Tag.DERIVED, "number of breakpoints outside L1"),
        row("far_addr", "u32", FAR_BREAKS, Tag.DERIVED, "their addresses"),
        row("far_harts", "u8", FAR_BREAKS, Tag.DERIVED, "the harts that stop there"),
        row("watches", "u32", (), Tag.DERIVED, "number of watches"),
        row("watch_lo", "i64", WATCHES, Tag.DERIVED, "first byte, as a place (memory/map.py)"),
        row("watch_hi", "i64", WATCHES, Tag.DERIVED, "byte after the last"),
        row("watch_kind", "u8", WATCHES, Tag.DERIVED, "WatchKind"),
        row("passing", "u8", HARTS, Tag.DERIVED, "PASS_ bits: what the next instruction passes"),
        row("stepping", "u8", HARTS, Tag.DERIVED, "stop when the pc leaves [step_lo, step_hi)"),
        row("step_lo", "u32", HARTS, Tag.DERIVED, "equal to step_hi: after one instruction"),
        row("step_hi", "u32", HARTS, Tag.DERIVED, "the end of the range to step through"),
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


def break_at(S: View, hart: int, pc: int) -> int:
    """True if a breakpoint at `pc` stops `hart`. Asked before the fetch: a debugger also plants
    breakpoints where nothing can be fetched, on a stack in local RAM."""
    hit = 0
    if pc < L1_BYTES:
        hit = (S.debug.breaks[pc >> 2] >> hart) & 1
    else:
        for i in range(S.debug.far_breaks):
            if S.debug.far_addr[i] == pc and (S.debug.far_harts[i] >> hart) & 1:
                hit = 1
    if hit and S.condition.active:
        return conditions.wanted(S, hart, pc)
    return hit


def end_step(S: View, hart: int, npc: int) -> int:
    """Stop `hart`, which is stepping, if it has left the range to step through."""
    if not S.debug.step_lo[hart] <= npc < S.debug.step_hi[hart]:
        return stop(S, hart, StopKind.STEP, 0, 0)
    return 0


def watch_at(S: View, place: int, size: int, kind: int) -> int:
    """The number of a watch touched by an access of `size` bytes at `place`, or -1."""
    for i in range(S.debug.watches):
        if (
            S.debug.watch_kind[i] & kind
            and place < S.debug.watch_hi[i]
            and place + size > S.debug.watch_lo[i]
        ):
            return i
    return -1


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop as people and debuggers see it.

    `addr` is the watched address as the client named it (WATCH) or the address of the access
    (FAULT); `access` the kind of a watched access; `text` one sentence for people. `thread` is the
    Tensix thread that it is about; `hart` then is the one that has pushed the instruction.
    """

    kind: StopKind
    hart: int
    pc: int
    addr: int | None = None
    access: WatchKind | None = None
    code: int = 0
    text: str = ""
    thread: int | None = None
