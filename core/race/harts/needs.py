# SPDX-License-Identifier: Apache-2.0
"""The values of a semaphore that end a poll's loop, not only the one that it has found.

A loop that runs while the semaphore is above 1 ends at 0 and at 1. When the load finds 0, all
gets are over in this run, and the hart may have continued before the last one: it comes after those
that the branch needs. The instructions from the load to the branch are followed with each value.
Where that is not possible the load counts for what it has found.
"""

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.devices.semaphores import LARGEST
from tensix_gdb.core.race.harts.polls import ALU, BRANCHES, LONGEST, decoded, guards, returns
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.table import FORMS, OPERATIONS

AGAIN, LEAVES, UNKNOWN = 0, 1, 2
NOTHING = -1  # no value is known


def nothing(a: int, b: int) -> int:
    """The operation of other instructions."""
    return 0


# By op number.
IMMEDIATE = tuple(int(form is Form.ALU_RI) for form in FORMS)
WITH_IMMEDIATE = tuple(
    operation if form is Form.ALU_RI else nothing
    for form, operation in zip(FORMS, OPERATIONS, strict=True)
)
DECIDE = tuple(
    operation if form is Form.BRANCH else nothing
    for form, operation in zip(FORMS, OPERATIONS, strict=True)
)
PASSED = tuple(int(form in (Form.FENCE, Form.STORE)) for form in FORMS)


def others(S: View, hart: int, pc: int, value: int, step: int) -> int:
    """Return how many values next to `value`, up or down by `step`, end the loop of the load at
    `pc`, as `value` does."""
    count = 0
    while 0 <= value + step * (count + 1) <= LARGEST:
        if ends(S, hart, pc, value + step * (count + 1)) != LEAVES:
            return count
        count += 1
    return count


def ends(S: View, hart: int, pc: int, value: int) -> int:
    """LEAVES if the loop of the load at `pc` ends when it brings `value`, else AGAIN or UNKNOWN."""
    load = decoded(S, pc)
    loaded = (load >> 8) & 31  # the register that has the value
    derived = 0  # one that was made of it
    result = 0
    constant = 0  # one that was set since the load
    known = 0
    for i in range(1, LONGEST):
        at = pc + 4 * i
        if at >= L1_BYTES:
            return UNKNOWN
        d = decoded(S, at)
        op = d & 0xFF
        rd = (d >> 8) & 31
        rs1 = (d >> 16) & 31
        rs2 = (d >> 24) & 31
        first = operand(S, hart, rs1, loaded, value, derived, result, constant, known)
        if BRANCHES[op]:
            second = operand(S, hart, rs2, loaded, value, derived, result, constant, known)
            if first == NOTHING or second == NOTHING:
                return UNKNOWN
            if not comes_from(rs1, loaded, derived) and not comes_from(rs2, loaded, derived):
                return UNKNOWN
            return goes(S, load, pc, at, at + (d >> 32), DECIDE[op](first, second))
        if PASSED[op] or (ALU[op] and rd == 0):
            continue
        if IMMEDIATE[op] == 0 or first == NOTHING:
            return UNKNOWN
        if comes_from(rs1, loaded, derived):
            result = WITH_IMMEDIATE[op](first, (d >> 32) & MASK32)
            derived = rd
            if rd == loaded:
                loaded = 0
            if rd == constant:
                constant = 0
        elif rs1 == 0:
            known = WITH_IMMEDIATE[op](first, (d >> 32) & MASK32)
            constant = rd
            if rd == loaded:
                loaded = 0
            if rd == derived:
                derived = 0
        else:
            return UNKNOWN
    return UNKNOWN


def comes_from(register: int, loaded: int, derived: int) -> int:
    """True if a register has the value, or what was made of it."""
    return 1 if register and (register == loaded or register == derived) else 0


def operand(
    S: View,
    hart: int,
    register: int,
    loaded: int,
    value: int,
    derived: int,
    result: int,
    constant: int,
    known: int,
) -> int:
    """Return the value of a register; NOTHING if a load has not brought it yet."""
    if register == 0:
        return 0
    if register == loaded:
        return value
    if register == derived:
        return result
    if register == constant:
        return known
    if S.race.source[hart, register]:
        return NOTHING
    return S.hart.x[hart, register]


def goes(S: View, load: int, pc: int, branch: int, target: int, taken: int) -> int:
    """Return where a branch leads: back to the load, or out of its loop."""
    if target <= pc:
        return AGAIN if taken else LEAVES
    if guards(S, load, branch, target):
        return LEAVES if taken else AGAIN
    there = returns(S, load, target)
    here = returns(S, load, branch + 4)
    if there == here:
        return UNKNOWN
    back = there if taken else here
    return AGAIN if back else LEAVES
