# SPDX-License-Identifier: Apache-2.0
"""Neighbouring `.ttinsn` that are one store, and a debugger in the middle of them.

PushTensixInstruction.md: up to four of them are fused. Where a debugger has to see one by itself
the hart stops in the middle of a cycle and continues in the same cycle: the store stays one, or
breakpoints and steps would make another execution.
"""

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.counting import harts as counted_harts
from tensix_gdb.core.debug.armed import break_at, end_step
from tensix_gdb.core.memory.ram import decode_at
from tensix_gdb.core.ordering import pause_places
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.table import OPS

TTINSN = OPS[".ttinsn"]
MAX_FUSED = 3  # after the first


def fuse(S: View, hart: int, npc: int, number: int, CHECKED: int) -> int:
    """Add the `.ttinsn` from `npc` on to the one in EX1; the address after them. That at `npc` is
    instruction `number` of the hart, if it is executed next."""
    fused = S.pipeline.ex1_fused[hart]
    while fused < MAX_FUSED and npc < L1_BYTES:
        following = S.decoded.word[npc >> 2]
        if following == 0:
            following = decode_at(S, npc)
        if following & 0xFF != TTINSN:
            break
        if CHECKED and S.pause_place.left:
            if pause_places.reached(S, pause_places.HART, hart, npc, number):
                break
            number += 1
        if CHECKED and stops_before(S, hart, npc):
            S.pipeline.cut[hart] = 1
            break
        S.pipeline.ex1_more[hart, fused] = (following >> 32) & MASK32
        fused += 1
        npc += 4
    S.pipeline.ex1_fused[hart] = fused
    return npc


def is_cut_here(S: View, hart: int, pc: int) -> int:
    """True if EX1 has, since this cycle, the `.ttinsn` just before the one at `pc`."""
    fused = S.pipeline.ex1_fused[hart]
    if S.pipeline.ex1_op[hart] != TTINSN or S.pipeline.ex1_since[hart] != S.tile.cycle:
        return 0
    if fused == MAX_FUSED or pc >= L1_BYTES or pc != S.pipeline.ex1_pc[hart] + 4 * (fused + 1):
        return 0
    d = S.decoded.word[pc >> 2]
    if d == 0:
        d = decode_at(S, pc)
    return 1 if d & 0xFF == TTINSN else 0


def resume_fusion(S: View, hart: int, pc: int, CHECKED: int) -> int:
    """Put the rest of what `fuse` was cut in beside what EX1 has; the next pc."""
    d = S.decoded.word[pc >> 2]
    if d == 0:
        d = decode_at(S, pc)
    fused = S.pipeline.ex1_fused[hart]
    S.pipeline.ex1_more[hart, fused] = (d >> 32) & MASK32
    S.pipeline.ex1_fused[hart] = fused + 1
    npc = fuse(S, hart, pc + 4, S.hart.retired[hart] + 2, CHECKED)
    S.hart.pc[hart] = npc
    S.hart.retired[hart] += S.pipeline.ex1_fused[hart] - fused
    S.tile.idle_cycles = 0
    if CHECKED:
        if S.counted.on:
            counted_harts.fused(S, hart, pc >> 2, npc >> 2)
            S.counted.expected[hart] = npc
        S.debug.step_over[hart] = 0
        if S.debug.stepping[hart]:
            end_step(S, hart, npc)
    return npc


def finish_fusion(S: View, hart: int) -> int:
    """End a cut when nothing is armed any more; the hart has had its turn."""
    S.pipeline.cut[hart] = 0
    pc = S.hart.pc[hart]
    if S.hart.issuing[hart] and is_cut_here(S, hart, pc):
        resume_fusion(S, hart, pc, 0)
        S.tile.next_hart = hart + 1
    return 0


def stops_before(S: View, hart: int, pc: int) -> int:
    """True if the debugger has to see the instruction at `pc` by itself."""
    return 1 if S.debug.stepping[hart] or break_at(S, hart, pc) else 0


INLINED = (fuse,)
