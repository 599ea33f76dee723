# SPDX-License-Identifier: Apache-2.0
"""The bits of a loaded word that its hart uses, on all ways from the load; for reports.

bits.py stops where the value goes to another register or a branch comes, and then all bits count as
used. A report is made once, so here the code is followed further, on both sides of branches: which
registers have bits of the word, which have a condition, 0 or 1, that the word may be masked by, and
whether anything looks at bits of the word. A call is followed if it need not leave them as they
are. Past another one, or what is no plain arithmetic, all that is still there counts as used; at a
return, what the caller may see.
"""

from __future__ import annotations

from collections.abc import Callable

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.race.harts.bits import ANDI, SLLI, SRLI, shifted
from tensix_gdb.core.race.harts.polls import BRANCHES, JUMPS, STRAIGHT, decoded
from tensix_gdb.core.race.lines import Region
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.table import FORMS, OPS

MOST = 4000  # instructions, on all ways: a Vector Unit kernel is hundreds of pushes
JAL, JALR = OPS["jal"], OPS["jalr"]
NO_REGISTER = frozenset((OPS["ebreak"], OPS[".ttinsn"]))  # LLK_ASSERT, a push of a constant
RA = 1
# Registers that a caller looks at, or has left to the callee as they are: sp, gp, tp, s0 to s11,
# a0, a1.
SEEN_BY_CALLER = frozenset((2, 3, 4, 8, 9, 10, 11, *range(18, 28)))
AND, ANDN, ADDI = OPS["and"], OPS["andn"], OPS["addi"]
COMPARES = frozenset(OPS[name] for name in ("slt", "sltu", "slti", "sltiu"))
ON_SIGN = frozenset((OPS["blt"], OPS["bge"]))  # with x0 they look at one bit

Part = tuple[int, int]  # bits of the word that a register has, and how far to the left
CONDITION: Part = (0, 0)  # 0 or 1, of something else
State = tuple[tuple[int, Part], ...]  # by register


def bits_used(S: View, pc: int) -> int:
    """Return the bits of its word that the load at `pc` is for; all where that is not certain."""
    load = decoded(S, pc)
    register = load >> 8 & 31
    if FORMS[load & 0xFF] is not Form.LOAD or not register:
        return MASK32
    used, end = 0, 4 * len(S.l1.word)  # a litmus test has little of it
    todo: list[tuple[int, State]] = [(pc + 4, ((register, (MASK32, 0)),))]
    met: set[tuple[int, State]] = set()
    while todo and used != MASK32:
        at, state = todo.pop()
        if (at, state) in met or not any(mask for _, (mask, _) in state):
            continue
        met.add((at, state))
        if len(met) > MOST or not 0 <= at < end:
            return MASK32
        more, ways, after = _step(S, at, dict(state))
        used |= more
        left = tuple(sorted(after.items()))
        todo += [(way, left) for way in ways]
    return used


def memory_used(S: View, pc: int) -> int:
    """Return the same of a load of L1 or of local RAM, by its register alone: x0 takes none, as in
    the loads that SFPI's compiler puts after stores (-mtt-fix-whraw)."""
    load = decoded(S, pc)
    return MASK32 if FORMS[load & 0xFF] is not Form.LOAD or load >> 8 & 31 else 0


# Of a load, by its region.
USES: dict[int, Callable[[View, int], int]] = {
    Region.CONFIG: bits_used,
    **dict.fromkeys((Region.L1, Region.LOCAL, Region.SLOW_LOCAL), memory_used),
}


def _step(S: View, at: int, parts: dict[int, Part]) -> tuple[int, list[int], dict[int, Part]]:
    """Return which bits one instruction uses, what comes next, and what registers have then."""
    d = decoded(S, at)
    op, rd, first, second = d & 0xFF, d >> 8 & 31, d >> 16 & 31, d >> 24 & 31
    number = d >> 32
    reads = [parts[each] for each in (first, second) if each in parts]
    everything = 0
    for mask, _ in parts.values():
        everything |= mask
    if BRANCHES[op]:
        used = _union(reads)
        if op in ON_SIGN and second == 0 and first in parts:
            mask, left = parts[first]
            used = mask & shifted(1 << 31, -left)
        return used, [at + 4, at + number], parts
    if op == JAL and rd == 0:
        return 0, [at + number], parts
    if op == JAL and rd == RA and not any(parts[each][0] for each in SEEN_BY_CALLER & parts.keys()):
        # What the callee does with them; past the call they are gone.
        return 0, [at + number], parts
    if op == JALR and rd == 0 and first == RA:
        return _union([part for each, part in parts.items() if each in SEEN_BY_CALLER]), [], {}
    if op in NO_REGISTER:
        return 0, [at + 4], parts
    if JUMPS[op] or not STRAIGHT[op]:
        return everything, [], {}
    after = {each: part for each, part in parts.items() if each != rd}
    if op in COMPARES and rd:
        after[rd] = CONDITION
        return _union(reads), [at + 4], after
    if op == ADDI and first == 0 and number in (0, 1) and rd:
        after[rd] = CONDITION
        return 0, [at + 4], after
    masked = op == AND or (op == ANDN and parts.get(first) == CONDITION)
    if masked and rd and CONDITION in reads and len(reads) == 2:
        mask, left = max(reads)
        if mask := mask & shifted(1, -left):
            after[rd] = mask, left
        return 0, [at + 4], after
    if not reads:
        return 0, [at + 4], after
    if op in (ANDI, SRLI, SLLI) and rd:
        mask, left = parts[first]
        number &= MASK32
        if op == ANDI:
            mask &= shifted(number, -left)
        elif op == SRLI:
            mask &= shifted(MASK32 << (number & 31) & MASK32, -left)
            left -= number & 31
        else:
            mask &= shifted(MASK32 >> (number & 31), -left)
            left += number & 31
        if mask:
            after[rd] = mask, left
        return 0, [at + 4], after
    return _union(reads), [at + 4], after


def _union(parts: list[Part]) -> int:
    used = 0
    for mask, _ in parts:
        used |= mask
    return used
