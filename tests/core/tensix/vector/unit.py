# SPDX-License-Identifier: Apache-2.0
"""The Vector Unit as its pages describe it: `execute(unit, word)` on any number of groups of lanes.

What an instruction does to each lane by itself is in pages.py and multiply.py; here are the state
that several of them share and what goes from lane to lane. A template in the place of VD (12 and
above) is not modelled.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.core.tensix.vector.multiply import ONE, coefficients, multiply_24, multiply_add
from tests.core.tensix.vector.pages import (
    BY_OPCODE,
    RANDOM,
    SIGN,
    Bools,
    Case,
    Words,
    compare,
    less,
    u32,
)

CONSTANTS = {8: 0x3F56594B, 10: 0x3F800000, 11: 0xBF800000, 12: 0x3B000000, 13: 0xBF2CC4C7,
             14: 0xBEB08FF9}  # fmt: skip
WRITABLE = (*range(8), 16)
INDICES = range(4, 8)
LANES = 32
ENABLE_DEST_INDEX, EXCHANGE, ROW_MASK = 2, 8, 12  # bits of LaneConfig
FLAGS_OF_LREGS_0_TO_7 = (0x77, 0x79, 0x81)  # with another VD they do nothing at all
# SFPSWAP: lanes that get the smaller one, by Mod1.
SORTED = {1: 0xFFFFFFFF, 2: 0xFFFF, 3: 0xFF00FF, 4: 0xFF0000FF, 5: 0xFF, 6: 0xFF00, 7: 0xFF0000,
          8: 0xFF000000}  # fmt: skip


class Unit:
    """State of so many lanes; `stack` has its top last, and the same depth in all lanes."""

    def __init__(self, count: int = LANES) -> None:
        self.lane = np.arange(count) % LANES
        self.L = np.zeros((17, count), np.uint32)
        for number, value in CONSTANTS.items():
            self.L[number] = value
        self.L[15] = 2 * self.lane
        self.flags = np.zeros(count, bool)
        self.use = np.zeros(count, bool)
        self.stack: list[tuple[Bools, Bools]] = []
        self.config = np.zeros(count, np.uint32)
        self.prng = np.zeros(count, np.uint32)
        self.indices = False  # an LReg was written that has indices where LaneConfig says so

    @property
    def enabled(self) -> Bools:
        """Lanes that an instruction works on."""
        masked = self.config >> (ROW_MASK + self.lane // 8).astype(np.uint32) & 1 == 1
        return ~masked & (~self.use | self.flags)

    @property
    def has_index(self) -> Bools:
        """Lanes with ENABLE_DEST_INDEX."""
        return self.config >> ENABLE_DEST_INDEX & 1 == 1

    def random(self, live: Bools) -> Words:
        """A random number of each lane, which advances to the next one where it is live."""
        taken = self.prng
        new = np.bitwise_count(taken & np.uint32(0x80200003)) & 1 ^ 1
        self.prng = np.where(live, new.astype(np.uint32) << 31 | taken >> 1, taken)
        return taken

    def write(self, number: int, live: Bools, value: Words) -> None:
        if number in WRITABLE:
            self.indices |= number in INDICES and bool((live & self.has_index).any())
            self.L[number] = np.where(live, value, self.L[number])

    def set_flags(self, live: Bools, flags: Bools) -> None:
        self.flags = np.where(live, flags, self.flags)


def execute(unit: Unit, word: int, constant: Words | None = None) -> None:
    """Execute one instruction that does not access Dst; `constant` instead of its own 16 bits."""
    opcode = word >> 24
    if opcode in OF_FLAGS:
        OF_FLAGS[opcode](unit, word)
    elif opcode in (0x96, 0x97):
        compare_all(unit, word)
    elif opcode == 0x92:
        swap(unit, word)
    elif opcode == 0x8C:
        transpose(unit)
    elif opcode == 0x94 and word & 15 < 5:
        shuffle(unit, word)
    elif opcode in MAD:
        multiply(unit, word, constant)
    elif opcode == 0x71:
        load_constant(unit, word, u32(word & 0xFFFF) if constant is None else constant)
    elif opcode != 0x8F:
        per_lane(unit, word)


def case_of(unit: Unit, word: int, prng: Words) -> Case:
    b, c, d = (unit.L[word >> at & 15] for at in (12, 8, 4))
    return Case(word, b, c, d, unit.flags, unit.use, prng, unit.config)


def per_lane(unit: Unit, word: int) -> None:
    opcode, mod1, vd = word >> 24, word & 15, word >> 4 & 15
    live = np.ones_like(unit.flags) if (opcode, mod1 & ~4) == (0x7C, 2) else unit.enabled
    draws = opcode == 0x8E or (opcode == 0x90 and mod1 & 3 == 1)
    draws |= opcode == 0x7C and mod1 & 8 == 8 and word >> 8 & 15 == RANDOM
    prng = unit.random(live) if draws else unit.prng
    out, flags = BY_OPCODE[opcode](case_of(unit, word, prng))
    if opcode != 0x7B:
        unit.write(vd, live, out)
    if flags is not None and (vd < 8 or opcode not in FLAGS_OF_LREGS_0_TO_7):
        unit.set_flags(live, flags)


def load_constant(unit: Unit, word: int, imm: Words) -> None:
    """SFPLOADI.md"""
    vd, old, low = word >> 20 & 15, unit.L[word >> 20 & 15], np.uint32(0xFFFF)
    ten, five, sign = imm & np.uint32(0x3FF), imm >> np.uint32(10) & 31, imm >> np.uint32(15)
    value = {
        0: imm << 16, 1: sign << 31 | five + 112 << 23 | ten << 13, 2: imm,
        4: imm | sign * np.uint32(0xFFFF0000), 8: imm << 16 | old & low, 10: old & ~low | imm,
    }[word >> 16 & 15]  # fmt: skip
    unit.write(vd, unit.enabled, value)


MAD = (0x73, 0x74, 0x75, 0x84, 0x85, 0x86, 0x95, 0x98)


def multiply(unit: Unit, word: int, constant: Words | None) -> None:
    """The MAD sub-unit."""
    opcode, mod, L = word >> 24, word & 15, unit.L
    va, vb, vc, vd = (word >> at & 15 for at in (16, 12, 8, 4))
    named, here = L[7] & 15, np.arange(unit.lane.size)
    lregs = L[:16]
    if opcode in (0x84, 0x85, 0x86, 0x98):
        a = lregs[named, here] if mod & 4 else L[va]
        if opcode == 0x98:
            out = multiply_24(a, L[vb], L[vc], bool(mod & 1))
        else:
            b, c = L[vb] ^ SIGN * np.uint32(mod & 1), L[vc] ^ SIGN * np.uint32(mod >> 1 & 1)
            out = multiply_add(a, b, c)
    elif opcode in (0x74, 0x75):
        by = u32(word >> 8 & 0xFFFF if constant is None else constant) << 16
        by = np.broadcast_to(by.astype(np.uint32), L[vd].shape)
        d, zero = L[vd] ^ SIGN * np.uint32(mod >> 1 & 1), np.zeros_like(L[vd])
        out = multiply_add(by, d, zero) if opcode == 0x74 else multiply_add(by, zero + ONE, d)
    else:
        if opcode == 0x73:
            vd, mod = word >> 20 & 15, word >> 16 & 15
        a, c = coefficients(lregs, opcode, mod)
        out = multiply_add(a, L[3] & ~SIGN, c)
        if mod & 4:
            out = out & ~SIGN | L[3] & SIGN
    live = unit.enabled
    if mod & 8:
        for number in range(8):
            unit.write(number, live & (named == number), out)
    else:
        unit.write(vd, live, out)


def compare_all(unit: Unit, word: int) -> None:
    """SFPGT, SFPLE: the stack changes in the lanes that are switched off too."""
    mod1, live, case = word & 15, unit.enabled, case_of(unit, word, unit.prng)
    found = less(case.c, case.d) ^ (word >> 24 == 0x96)
    if mod1 & 8:
        unit.write(word >> 4 & 15, live, compare(case)[0])
    if mod1 & 1:
        unit.set_flags(live, found)
    if mod1 & 2 and unit.stack:
        flags, use = unit.stack[-1]
        unit.stack[-1] = (flags | found if mod1 & 4 else flags & found), use


def boolean(mod1: int, a: Bools, b: Bools) -> Bools:
    """BooleanOp of SFPPUSHC.md and SFPPOPC.md."""
    return (b, ~b, a & b, a | b, a & ~b, a | ~b, ~a & b, ~a | b, ~(a | b), ~(a & b), a ^ b,
            ~(a ^ b))[mod1 - 1]  # fmt: skip


def encc(unit: Unit, word: int) -> None:
    imm, mod1 = word >> 12 & 3, word & 15
    if mod1 & 2:
        unit.use = np.full_like(unit.use, imm & 1)
    elif mod1 & 1:
        unit.use = ~unit.use
    unit.flags = np.full_like(unit.flags, imm >> 1 if mod1 & 8 else 1)


def compc(unit: Unit, word: int) -> None:
    yes = np.ones_like(unit.flags)
    flags, use = unit.stack[-1] if unit.stack else (yes, yes)
    unit.flags = flags & ~unit.flags & use & unit.use


def pushc(unit: Unit, word: int) -> None:
    mod1, yes = word & 15, np.ones_like(unit.flags)
    if mod1 == 0:
        unit.stack.append((unit.flags, unit.use))
    elif mod1 <= 12:
        unit.stack[-1] = boolean(mod1, unit.stack[-1][0], unit.flags), unit.use
    elif mod1 == 13:
        unit.flags = ~unit.flags
        unit.stack[-1] = unit.flags, unit.use
    else:
        unit.stack[-1] = (yes if mod1 == 14 else ~yes), yes


def popc(unit: Unit, word: int) -> None:
    mod1, yes = word & 15, np.ones_like(unit.flags)
    flags, use = unit.stack[-1] if unit.stack else (~yes, ~yes)
    if mod1 == 0:
        unit.flags, unit.use = unit.stack.pop()
    elif mod1 <= 12:
        unit.flags, unit.use = boolean(mod1, unit.flags, flags), use
    elif mod1 == 13:
        unit.flags = ~unit.flags
    else:
        unit.flags, unit.use = (yes if mod1 == 14 else ~yes), yes


def swap(unit: Unit, word: int) -> None:
    """SFPSWAP.md"""
    mod1, vc, vd = word & 15, word >> 8 & 15, word >> 4 & 15
    old = unit.L.copy()
    moves = unit.enabled
    if mod1:
        smaller_here = SORTED.get(mod1, 0) >> unit.lane & 1 == 1
        moves &= less(old[vc], old[vd]) ^ ~smaller_here ^ (unit.config >> EXCHANGE & 1 == 1)
    indexed = unit.has_index
    for to, source in ((vc, vd), (vd, vc)):
        if to < 8:
            unit.write(to, moves & (~indexed | (to < 4)), old[source])
    for to, source in ((4 + (vc & 3), 4 + (vd & 3)), (4 + (vd & 3), 4 + (vc & 3))):
        unit.write(to, moves & indexed, old[source])


def transpose(unit: Unit) -> None:
    """SFPTRANSP.md: the four rows of a lane's column against four LRegs."""
    live = unit.enabled
    for base in (0, 4):
        block = unit.L[base : base + 4].reshape(4, -1, 4, 8).transpose(2, 1, 0, 3).reshape(4, -1)
        for i in range(4):
            unit.write(base + i, live, block[i].copy())


def shuffle(unit: Unit, word: int) -> None:
    """SFPSHFT2.md, modes 0 to 4: between LRegs, rows and columns."""
    mod1, vc, vd = word & 15, word >> 8 & 15, word >> 4 & 15
    old, live = unit.L.copy(), unit.enabled
    rotated = np.roll(old[vc].reshape(-1, 8), 1, axis=1).reshape(-1)
    if mod1 > 2:
        unit.write(vd, live, rotated if mod1 == 3 else np.where(unit.lane & 7, rotated, 0))
        return
    for number in range(3):
        unit.write(number, live, old[number + 1])
    below = np.roll(old[0].reshape(-1, LANES), -8, axis=1).reshape(-1)
    above = np.where(unit.lane < 24, below, 0)
    unit.write(3, live, (np.zeros_like(rotated), above, rotated)[mod1])


OF_FLAGS: dict[int, Callable[[Unit, int], None]] = {
    **{0x87: pushc, 0x88: popc, 0x8A: encc, 0x8B: compc}
}
