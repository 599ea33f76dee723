# SPDX-License-Identifier: Apache-2.0
"""The breakpoints and watches of harts: their rows, and whether one stops an instruction.

breakpoints.py fills the rows, the loop with checks asks here.
"""

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES
from tensix_gdb.core.debug import conditions
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.riscv.table import NOT_DECODED
from tensix_gdb.core.stop import StopKind, stop

BREAK_WORDS = 0x80000  # two MiB of words, as in `decoded.word`
FAR_BREAKS = 64
WATCHES = 64

# What was reported at a hart's pc already and does not stop its next instruction again.
STEP_OVER_BREAK = 1
STEP_OVER_WATCH = 2
STEP_OVER_PAUSE = 4

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
        row("step_over", "u8", HARTS, Tag.DERIVED, "STEP_OVER_ bits of the next instruction"),
        row("stepping", "u8", HARTS, Tag.DERIVED, "stop when the pc leaves [step_lo, step_hi)"),
        row("step_lo", "u32", HARTS, Tag.DERIVED, "equal to step_hi: after one instruction"),
        row("step_hi", "u32", HARTS, Tag.DERIVED, "the end of the range to step through"),
    ),
)


def break_at(S: View, hart: int, pc: int) -> int:
    """True if a breakpoint at `pc` stops `hart`. Asked before the fetch: a debugger also plants
    breakpoints where nothing can be fetched, on a stack in local RAM."""
    # A word with a breakpoint has no decoded copy (memory/ram.py), which is read anyway.
    if pc < L1_BYTES and S.decoded.word[pc >> 2] & 0xFF != NOT_DECODED:
        return 0
    return is_armed_at(S, hart, pc)


def is_armed_at(S: View, hart: int, pc: int) -> int:
    """The same where no decoded copy says that there is none."""
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
    """Return the number of a watch touched by an access of `size` bytes at `place`, or -1."""
    for i in range(S.debug.watches):
        if (
            S.debug.watch_kind[i] & kind
            and place < S.debug.watch_hi[i]
            and place + size > S.debug.watch_lo[i]
        ):
            return i
    return -1


INLINED = (break_at,)
