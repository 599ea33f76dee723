# SPDX-License-Identifier: Apache-2.0
"""Loads that poll: a loop of a few instructions goes back as long as the value is not the wanted.

Such a load is synchronisation and no access to data: the hart comes after the store with the value
that ends the loop (sync.py). It is found in the program, because in the run that is observed the
value may be there at once.
"""

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.memory.ram import decode_at
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.table import FORMS

COLD = True  # little time of LLVM for it (core/engine/README.md)

POLLS, NOT = 1, 2
LONGEST = 10  # instructions from the load to the branch

_STRAIGHT = (
    *(Form.ALU_RR, Form.ALU_RI, Form.ALU_R1, Form.LUI, Form.AUIPC, Form.LOAD, Form.FENCE),
    *(Form.CSR_R, Form.CSR_I, Form.STORE),
)
STRAIGHT = tuple(int(form in _STRAIGHT) for form in FORMS)
BRANCHES = tuple(int(form is Form.BRANCH) for form in FORMS)
JUMPS = tuple(int(form is Form.JAL) for form in FORMS)
ALU = tuple(int(form in (Form.ALU_RR, Form.ALU_RI, Form.ALU_R1)) for form in FORMS)


def is_poll(S: View, site: int, pc: int) -> int:
    """True if the load at `pc`, of number `site`, polls."""
    if S.race.polls[site] == 0:
        S.race.polls[site] = POLLS if goes_back(S, pc) else NOT
    return 1 if S.race.polls[site] == POLLS else 0


def decoded(S: View, pc: int) -> int:
    """The instruction at `pc`, decoded."""
    d = S.decoded.word[pc >> 2]
    return d if d else decode_at(S, pc)


def goes_back(S: View, pc: int) -> int:
    """True if a branch on what the load at `pc` brings leads back to it, or out of a loop around
    it."""
    values = 1 << ((decoded(S, pc) >> 8) & 31)  # registers that have it, or come from it
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
                if at + (d >> 32) <= pc:
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
