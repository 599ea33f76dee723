# SPDX-License-Identifier: Apache-2.0
"""The bits of a word that a load is for: what the instructions after it leave of the value.

A load brings all 32 bits of a configuration word, and its hart wants the field of one unit: it
shifts and masks the register, and nothing else has seen the other bits. Another thread may write
those at any time. What is not certain counts as used.
"""

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.race.harts.polls import BRANCHES, JUMPS, LONGEST, STRAIGHT, decoded
from tensix_gdb.core.race.shadow import site_of
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.table import OPS

COLD = True  # little time of LLVM for it (core/engine/README.md)

ANDI, SRLI, SLLI = OPS["andi"], OPS["srli"], OPS["slli"]


def of_site(S: View, hart: int, pc: int) -> int:
    """The same as of_load, which is asked once."""
    site = site_of(S, hart, 0, 0, 0, pc)
    if S.race.load_bits[site] == 0:
        S.race.load_bits[site] = of_load(S, pc)
    return S.race.load_bits[site]


def of_load(S: View, pc: int) -> int:
    """Return the bits of its word that the load at `pc` is for."""
    register = (decoded(S, pc) >> 8) & 31
    kept = MASK32
    left = 0  # how far the register has been shifted to the left
    for i in range(1, LONGEST):
        at = pc + 4 * i
        if at >= L1_BYTES or register == 0:
            return kept
        d = decoded(S, at)
        op = d & 0xFF
        if BRANCHES[op] or JUMPS[op] or STRAIGHT[op] == 0:
            return kept
        rd = (d >> 8) & 31
        if (d >> 16) & 31 == register or (d >> 24) & 31 == register:
            if rd != register:
                return kept
            number = (d >> 32) & MASK32
            if op == ANDI:
                kept &= shifted(number, -left)
            elif op == SRLI:
                kept &= shifted(MASK32 << (number & 31) & MASK32, -left)
                left -= number & 31
            elif op == SLLI:
                kept &= shifted(MASK32 >> (number & 31), -left)
                left += number & 31
            else:
                return kept
        elif rd == register:
            return kept
    return kept


def shifted(mask: int, left: int) -> int:
    """Return a mask of the register as one of the word."""
    return (mask << left) & MASK32 if left >= 0 else mask >> -left
