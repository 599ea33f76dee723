# SPDX-License-Identifier: Apache-2.0
"""Loads that poll: a loop of a few instructions goes back as long as the value is not the wanted.

Such a load is synchronisation and no access to data: the hart comes after the store with the value
that ends the loop (sync.py). It is found in the program, because in the run that is observed the
value may be there at once.
"""

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.memory.map import fetched_at
from tensix_gdb.core.memory.ram import decode_at
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.table import FORMS

POLLS, NOT = 1, 2
LONGEST = 10  # instructions from the load to the branch
LONGEST_LOOP = 24  # of which a branch leads out
FURTHEST, LONGEST_PATH = 96, 20  # from the branch to the load: on all paths, on one

_STRAIGHT = (
    *(Form.ALU_RR, Form.ALU_RI, Form.ALU_R1, Form.LUI, Form.AUIPC, Form.LOAD, Form.FENCE),
    *(Form.CSR_R, Form.CSR_I, Form.STORE),
)
STRAIGHT = tuple(int(form in _STRAIGHT) for form in FORMS)
BRANCHES = tuple(int(form is Form.BRANCH) for form in FORMS)
JUMPS = tuple(int(form is Form.JAL) for form in FORMS)
ALU = tuple(int(form in (Form.ALU_RR, Form.ALU_RI, Form.ALU_R1)) for form in FORMS)


def is_poll(S: View, site: int, hart: int, pc: int) -> int:
    """True if the load of `hart` at `pc`, of number `site`, polls."""
    if S.race.polls[site] == 0:
        S.race.polls[site] = POLLS if goes_back(S, fetched_at(S, hart, pc)) else NOT
    return 1 if S.race.polls[site] == POLLS else 0


def decoded(S: View, pc: int) -> int:
    """Return the instruction at `pc`, decoded. Here and below a pc is the place that the
    instruction is fetched from, as a byte of `l1`: NC's instruction RAM on Wormhole has its place
    there too."""
    d = S.decoded.word[pc >> 2]
    return d if d else decode_at(S, pc)


def goes_back(S: View, pc: int) -> int:
    """True if a branch on what the load at `pc` brings leads back to it, or out of a loop around
    it."""
    load = decoded(S, pc)
    values = 1 << ((load >> 8) & 31)  # registers that have it, or come from it
    decides = 0
    for i in range(1, LONGEST):
        at = pc + 4 * i
        if at >= L1_BYTES:
            return 0
        d = decoded(S, at)
        op = d & 0xFF
        reads = (values >> ((d >> 16) & 31)) | (values >> ((d >> 24) & 31))
        if BRANCHES[op]:
            if reads & 1:
                decides = 1
                if at + (d >> 32) <= pc or stays(S, load, at, at + (d >> 32)):
                    return 1
                if leaves(S, pc, at, at + (d >> 32)):
                    return 1
        elif JUMPS[op]:
            return 1 if decides and at + (d >> 32) <= pc else 0
        elif not STRAIGHT[op]:
            return 0
        rd = (d >> 8) & 31
        if rd:
            values = values & ~(1 << rd)
            if ALU[op] and reads & 1:
                values = values | 1 << rd
    return 0


def leaves(S: View, pc: int, branch: int, target: int) -> int:
    """True if a branch leaves a short loop around the load at `pc`, in which nothing changes the
    address of the load: other branches may do so as well, so that what is after the loop does not
    tell it."""
    base = (decoded(S, pc) >> 16) & 63
    for i in range(1, LONGEST_LOOP):
        at = branch + 4 * i
        if at >= L1_BYTES:
            return 0
        d = decoded(S, at)
        op = d & 0xFF
        if BRANCHES[op] or JUMPS[op]:
            start = at + (d >> 32)
            if start <= pc and start + 4 * LONGEST_LOOP > at:
                inside = start <= target and target <= at
                return 0 if inside or changes(S, start, at, base) else 1
            if JUMPS[op]:
                return 0
        elif not STRAIGHT[op]:
            return 0
    return 0


def changes(S: View, start: int, end: int, register: int) -> int:
    """True if an instruction from `start` to `end` writes a register."""
    at = start
    while at <= end:
        d = decoded(S, at)
        if register and (d >> 8) & 63 == register:
            return 1
        at += 4
    return 0


def stays(S: View, load: int, branch: int, target: int) -> int:
    """True if a branch decides whether the load is executed again: it is on one side only. A load
    from a fixed address may be so on both."""
    if guards(S, load, branch, target):
        return 1
    taken = returns(S, load, target)
    falls = returns(S, load, branch + 4)
    if taken != falls:
        return 1
    return 1 if taken and (load >> 16) & 63 == 0 else 0


def guards(S: View, load: int, branch: int, target: int) -> int:
    """True if a branch goes over a loop with a load of that size: what is waited for may be there
    before the first round."""
    if not branch + 8 < target < L1_BYTES:
        return 0
    last = decoded(S, target - 4)
    start = target - 4 + (last >> 32)
    if not BRANCHES[last & 0xFF] or not branch < start < target - 4:
        return 0
    for i in range(LONGEST):
        at = start + 4 * i
        if at < target and (decoded(S, at) ^ load) & 0xFF == 0:
            return 1
    return 0


def returns(S: View, load: int, start: int) -> int:
    """True if a load like this one is met not far from `start`, on any path; compilers put one
    before a loop, and what a loop does at the end of the function."""
    at = start
    first = -1  # sides of branches that are to be looked at
    second = -1
    path = 0
    for _ in range(FURTHEST):
        ends = 1
        path += 1
        if 0 <= at < L1_BYTES and path < LONGEST_PATH:
            d = decoded(S, at)
            op = d & 0xFF
            if (d ^ load) & ~0xFF00 == 0:
                return 1
            if BRANCHES[op]:
                second = first
                first = at + (d >> 32)
            if JUMPS[op] and (d >> 8) & 63 == 0:
                at += d >> 32
                ends = 0
            elif BRANCHES[op] or STRAIGHT[op]:
                at += 4
                ends = 0
        if ends:
            at = first
            path = 0
            first = second
            second = -1
    return 0
