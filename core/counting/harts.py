# SPDX-License-Identifier: Apache-2.0
"""Counting what harts execute: instructions, the cycles that they take, and calls.

A call is a jump that leaves its return address in ra, a return is a jump to ra; a jump out of the
function in any other way replaces it (a tail call). An interrupt is a call without a caller. What a
debugger or a reset does to a pc begins anew below the hart.
"""

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.counting import kernels
from tensix_gdb.core.counting.fields import (
    BOUNDS,
    DEEPEST,
    FROM_NOWHERE,
    KERNELS_ONLY,
    NODES,
    WORDS,
)
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.table import FORMS, Form

OTHER, JAL, JALR, MRET, TTINSN = 0, 1, 2, 3, 4
_KINDS = {Form.JAL: JAL, Form.JALR: JALR, Form.MRET: MRET, Form.TTINSN: TTINSN}
KINDS = tuple(_KINDS.get(form, OTHER) for form in FORMS)
RA = 1
END = 0xFFFFFFFF


def executed(S: View, hart: int, pc: int, d: int, npc: int) -> int:
    """The instruction `d` at `pc` was executed in this cycle, and `npc` comes next."""
    cycle = S.tile.cycle
    if npc != pc + 4 and S.counted.kernels:
        kernels.jumped(S, hart, cycle, pc, npc)
    if S.counted.on == KERNELS_ONLY:
        return 0
    waited = max(cycle - S.counted.since[hart], 0)
    if pc != S.counted.expected[hart]:
        arrive(S, hart, pc)
    word = pc >> 2
    if word < WORDS:
        S.counted.edge[hart, word] += 1
        S.counted.edge[hart, word + 1] -= 1
        S.counted.waited[hart, word] += waited
    S.counted.since[hart] = cycle + 1
    S.counted.time[hart] += waited + 1
    S.counted.expected[hart] = npc
    if npc != pc + 4:
        if KINDS[d & 0xFF] == TTINSN:
            return fused(S, hart, word + 1, npc >> 2)
        transfer(S, hart, pc, d, npc, S.counted.time[hart])
    return 0


def fused(S: View, hart: int, word: int, end: int) -> int:
    """The `.ttinsn` up to `end` were executed in the same cycle as the one before them."""
    if S.counted.on == KERNELS_ONLY:
        return 0
    while word < min(end, WORDS):
        S.counted.edge[hart, word] += 1
        S.counted.edge[hart, word + 1] -= 1
        S.counted.waited[hart, word] -= 1
        word += 1
    return 0


def jumped(S: View, hart: int, start: int, pc: int, d: int, npc: int, n: int) -> int:
    """In `burst`: all from `start` to `pc`, then a jump; `n` instructions so far."""
    if S.counted.kernels:
        kernels.jumped(S, hart, S.tile.cycle + n - 1, pc, npc)
    if S.counted.on == KERNELS_ONLY:
        return 0
    if start != S.counted.expected[hart]:
        arrive(S, hart, start)
    S.counted.edge[hart, start >> 2] += 1
    S.counted.edge[hart, (pc >> 2) + 1] -= 1
    S.counted.expected[hart] = npc
    waited = max(S.tile.cycle - S.counted.since[hart], 0)
    return transfer(S, hart, pc, d, npc, S.counted.time[hart] + waited + n)


def left(S: View, hart: int, begin: int, start: int, pc: int, n: int) -> int:
    """At the end of a `burst` of `n` instructions from `begin` on: all from `start` to before `pc`
    were the last ones. The cycle is still that of its beginning."""
    if n == 0 or S.counted.on == KERNELS_ONLY:
        return 0
    if start != pc:
        if start != S.counted.expected[hart]:
            arrive(S, hart, start)
        S.counted.edge[hart, start >> 2] += 1
        S.counted.edge[hart, pc >> 2] -= 1
        S.counted.expected[hart] = pc
    waited = max(S.tile.cycle - S.counted.since[hart], 0)
    S.counted.waited[hart, begin >> 2] += waited
    S.counted.time[hart] += waited + n
    S.counted.since[hart] = S.tile.cycle + n
    return 0


def transfer(S: View, hart: int, pc: int, d: int, npc: int, time: int) -> int:
    """Something else than the next instruction comes next: a call, a return, or neither."""
    kind = KINDS[d & 0xFF]
    rd = (d >> 8) & 63
    if kind == MRET:
        return give_back(S, hart, npc, time)
    if kind != OTHER and rd == RA:
        return call(S, hart, npc, pc + 4, time)
    if kind == JALR and rd == 0 and (d >> 16) & 63 == RA:
        return give_back(S, hart, npc, time)
    node = S.counted.node[hart]
    if not S.counted.lo[node] <= npc < S.counted.hi[node]:
        go_to(S, hart, child(S, hart, S.counted.above[node], npc), time)
    return 0


def call(S: View, hart: int, to: int, back: int, time: int) -> int:
    """A function is called, which returns to `back`."""
    depth = S.counted.depth[hart]
    if depth == DEEPEST:
        return 0
    node = S.counted.node[hart]
    S.counted.caller[hart, depth] = node
    S.counted.back[hart, depth] = back & 0xFFFFFFFF
    S.counted.depth[hart] = depth + 1
    return go_to(S, hart, child(S, hart, node, to), time)


def give_back(S: View, hart: int, to: int, time: int) -> int:
    """Return from a function to where the last call said; a longjmp leaves several."""
    depth = S.counted.depth[hart]
    while depth > 0:
        depth -= 1
        if S.counted.back[hart, depth] == to:
            S.counted.depth[hart] = depth
            return put_at(S, hart, S.counted.caller[hart, depth], time)
    return 0


def arrive(S: View, hart: int, pc: int) -> int:
    """Note that the pc is not the one after the last instruction: an interrupt, a reset or a
    debugger."""
    time = S.counted.time[hart]
    before = S.counted.expected[hart]
    S.counted.expected[hart] = pc
    if before != FROM_NOWHERE and S.hart.in_handler[hart] and S.hart.restore_pc[hart] == before:
        return call(S, hart, pc, before, time)
    S.counted.depth[hart] = 0
    return go_to(S, hart, child(S, hart, 1 + hart, pc), time)


def go_to(S: View, hart: int, node: int, time: int) -> int:
    """The hart comes to the start of a function."""
    S.counted.calls[node] += 1
    return put_at(S, hart, node, time)


def put_at(S: View, hart: int, node: int, time: int) -> int:
    """From `time` on the hart's cycles are this node's."""
    S.counted.spent[S.counted.node[hart]] += time - S.counted.entered[hart]
    S.counted.entered[hart] = time
    S.counted.node[hart] = node
    return 0


def child(S: View, hart: int, above: int, pc: int) -> int:
    """Return the node of the function at `pc`, called from `above`; `above` when there is no
    room."""
    at = bound(S, hart, pc)
    lo = S.counted.start[at - 1] if at > S.counted.first[hart] else 0
    hi = S.counted.start[at] if at < S.counted.first[hart + 1] else END
    node = S.counted.below[above]
    while node:
        if S.counted.lo[node] == lo:
            return node
        node = S.counted.beside[node]
    node = S.counted.nodes
    if node == NODES:
        S.counted.lost += 1
        return above
    S.counted.nodes = node + 1
    S.counted.lo[node] = lo
    S.counted.hi[node] = hi
    S.counted.above[node] = above
    S.counted.beside[node] = S.counted.below[above]
    S.counted.below[above] = node
    return node


def bound(S: View, hart: int, pc: int) -> int:
    """Return the first boundary of a function after `pc`."""
    lo = S.counted.first[hart]
    hi = S.counted.first[hart + 1]
    while lo < hi:
        middle = (lo + hi) // 2
        if S.counted.start[middle] <= pc:
            lo = middle + 1
        else:
            hi = middle
    return lo


assert HARTS < NODES < BOUNDS
