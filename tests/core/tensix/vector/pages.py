# SPDX-License-Identifier: Apache-2.0
"""`execute(unit, word)`: the instructions of the Vector Unit on the model's state (model.py)."""

from __future__ import annotations

import struct

from tensix_gdb.core.numeric.fma import fma
from tests.core.tensix.vector.approximate import exponential, reciprocal
from tests.core.tensix.vector.model import (
    M32,
    SIGN,
    Unit,
    boolean,
    lut8,
    lut16,
    multiply_24,
    rounded,
    signed,
    smaller,
    to_float,
)

ROUNDING = {0: 0x400000, 2: 0x7FFFFF}
SORTED = {1: M32, 2: 0xFFFF, 3: 0xFF00FF, 4: 0xFF0000FF, 5: 0xFF, 6: 0xFF00, 7: 0xFF0000,
          8: 0xFF000000}  # fmt: skip


def execute(unit: Unit, word: int) -> None:
    """Execute one instruction that loads and stores nothing; VD is below 12."""
    opcode = word >> 24
    if opcode in ACROSS:
        ACROSS[opcode](unit, word)
        return
    for lane in range(32):
        if opcode in STACK:
            STACK[opcode](unit, word, lane)
        elif opcode in (0x96, 0x97):
            compare(unit, word, lane, opcode == 0x96)
        elif opcode == 0x7C and word & 15 == 2:
            unit.write(word >> 4 & 15, lane, unit.L[word >> 8 & 15][lane])
        elif unit.enabled(lane):
            per_lane(unit, word, lane)


def per_lane(unit: Unit, word: int, lane: int) -> None:
    """One enabled lane."""
    opcode, mod1 = word >> 24, word & 15
    vb, vc, vd = (word >> at & 15 for at in (12, 8, 4))
    imm12 = word >> 12 & 0xFFF
    L = unit.L
    b, c, d = L[vb][lane], L[vc][lane], L[vd][lane]
    if opcode in (0x73, 0x74, 0x75, 0x84, 0x85, 0x86, 0x95, 0x98):
        multiply(unit, word, lane)
        return
    out = None
    if opcode in (0x77, 0x79, 0x81) and vd >= 8:
        return  # not even the flags
    if opcode == 0x76:  # SFPDIVP2
        old = c >> 23 & 255
        new = (old if old == 255 else old + imm12 & 255) if mod1 & 1 else imm12 & 255
        out = c & ~0x7F800000 | new << 23
    elif opcode == 0x77:  # SFPEXEXP
        out = ((c >> 23 & 255) - (0 if mod1 & 1 else 127)) & M32
        if mod1 & 2:
            unit.flags[lane] = signed(out) < 0
        if mod1 & 8:
            unit.flags[lane] = not unit.flags[lane]
    elif opcode == 0x78:  # SFPEXMAN
        out = (c & 0x7FFFFF) + (0 if mod1 & 1 else 1 << 23)
    elif opcode == 0x79:  # SFPIADD
        out = c + signed(imm12, 12) if mod1 & 1 else c - d if mod1 & 2 else c + d
        out &= M32
        if not mod1 & 4:
            unit.flags[lane] = signed(out) < 0
        if mod1 & 8:
            unit.flags[lane] = not unit.flags[lane]
    elif opcode == 0x7A:  # SFPSHFT
        x, by = (c if mod1 & 4 else d, signed(imm12, 12)) if mod1 & 1 else (d, signed(c))
        if by >= 0:
            out = x << (by & 31) & M32
        else:
            out = (signed(x) if mod1 & 2 else x) >> (-by & 31) & M32
    elif opcode == 0x7B:  # SFPSETCC
        tests = {0: signed(c) < 0, 2: c != 0, 4: signed(c) >= 0, 6: c == 0}
        value = bool(imm12 & 1) if mod1 & 1 else tests.get(mod1, False)
        unit.flags[lane] = unit.use[lane] and not mod1 & 8 and value
    elif opcode == 0x7C:  # SFPMOV
        if mod1 & 8:
            out = unit.random(lane) if vc == 9 else unit.config[lane & 7] if vc == 15 else 0
        else:
            out = c ^ (SIGN if mod1 & 1 else 0)
    elif opcode == 0x7D:  # SFPABS
        out = (c if c > 4286578688 else c & ~SIGN) if mod1 & 1 else abs(signed(c)) & M32
    elif opcode == 0x7E:
        out = (b if mod1 & 1 else d) & c
    elif opcode == 0x7F:
        out = (b if mod1 & 1 else d) | c
    elif opcode == 0x80:
        out = ~c & M32
    elif opcode == 0x81:  # SFPLZ
        x = c & ~SIGN if mod1 & 4 else c
        out = 32 - x.bit_length()
        if mod1 & 2:
            unit.flags[lane] = x != 0
        if mod1 & 8:
            unit.flags[lane] = not unit.flags[lane]
    elif opcode == 0x82:  # SFPSETEXP
        new = imm12 & 255 if mod1 & 1 else d >> 23 & 255 if mod1 & 2 else d & 255
        out = c & ~0x7F800000 | new << 23
    elif opcode == 0x83:  # SFPSETMAN
        out = c & 0xFF800000 | (imm12 << 11 if mod1 & 1 else d & 0x7FFFFF)
    elif opcode == 0x89:  # SFPSETSGN
        out = c & ~SIGN | ((imm12 & 1) << 31 if mod1 & 1 else d & SIGN)
    elif opcode == 0x8D:
        out = c ^ d
    elif opcode == 0x8E:  # SFPSTOCHRND
        draw = unit.random(lane) & 0x7FFFFF
        shift = word >> 16 & 31 if mod1 & 8 else b & 31
        out = rounded(c, mod1 & 7, ROUNDING.get(word >> 21 & 3, draw), shift)
    elif opcode == 0x90:  # SFPCAST
        if mod1 & 3 < 2:
            out = to_float(c, unit.random(lane) if mod1 & 1 else None)
        else:
            out = (-c & M32 if c & SIGN else c) | (c & SIGN if mod1 & 1 else 0)
    elif opcode == 0x99:  # SFPARECIP
        size, sign = c & ~SIGN, c & SIGN
        if mod1 == 0:
            out = sign | reciprocal(size)
        elif mod1 == 1:
            out = reciprocal(size) if b & SIGN else c
        else:
            out = sign | exponential(size)
    elif opcode == 0x71:  # SFPLOADI
        load_constant(unit, word, lane)
    else:
        raise AssertionError(f"{word:#x} is not modelled")
    if out is not None:
        unit.write(vd, lane, out)


def load_constant(unit: Unit, word: int, lane: int) -> None:
    vd, mod0, imm = word >> 20 & 15, word >> 16 & 15, word & 0xFFFF
    old = unit.L[vd][lane]
    value = {
        0: imm << 16,
        1: (imm >> 15) << 31 | ((imm >> 10 & 31) + 112) << 23 | (imm & 0x3FF) << 13,
        2: imm,
        4: signed(imm, 16) & M32,
        8: imm << 16 | old & 0xFFFF,
        10: old & 0xFFFF0000 | imm,
    }[mod0]
    unit.write(vd, lane, value)


def multiply(unit: Unit, word: int, lane: int) -> None:
    """The MAD sub-unit."""
    opcode, mod1 = word >> 24, word & 15
    va, vb, vc, vd = (word >> at & 15 for at in (16, 12, 8, 4))
    L = unit.L
    indirect = L[7][lane] & 15
    if opcode in (0x84, 0x85, 0x86, 0x98):
        a = L[indirect if mod1 & 4 else va][lane]
        b, c = L[vb][lane], L[vc][lane]
        if opcode == 0x98:
            out = multiply_24(a, b, c, bool(mod1 & 1))
        else:
            out = fma(a, b ^ (SIGN if mod1 & 1 else 0), c ^ (SIGN if mod1 & 2 else 0))
    elif opcode in (0x74, 0x75):
        constant = (word >> 8 & 0xFFFF) << 16
        c = L[vd][lane] ^ (SIGN if mod1 & 2 else 0)
        out = fma(constant, c, 0) if opcode == 0x74 else fma(constant, 0x3F800000, c)
    else:
        if opcode == 0x73:
            vd, mod1 = word >> 20 & 15, word >> 16 & 15
        size = L[3][lane] & ~SIGN
        x = as_float(size)
        entry = 0 if x < 1 else 1 if x < 2 else 2
        if opcode == 0x73:
            pair = L[entry][lane]
            a, c = lut8(pair >> 8 & 255), lut8(pair & 255)
        elif mod1 & 2 == 0:
            a, c = L[entry][lane], L[4 + entry][lane]
        elif mod1 & 10 == 10:
            a, c = lut16(L[entry][lane] >> 16), lut16(L[entry][lane] & 0xFFFF)
        else:
            cut = 4 if mod1 & 1 else 3
            first = x < 0.5 or 1 <= x < 1.5 or 2 <= x < cut
            half = 0 if first else 16
            a, c = (lut16(L[i + entry][lane] >> half & 0xFFFF) for i in (0, 4))
        out = fma(a, size, c)
        if mod1 & 4:
            out = out & ~SIGN | L[3][lane] & SIGN
    unit.write(indirect if mod1 & 8 else vd, lane, out)


def as_float(x: int) -> float:
    return float(struct.unpack("<f", struct.pack("<I", x))[0])


def compare(unit: Unit, word: int, lane: int, at_most: bool) -> None:
    mod1, vc, vd = word & 15, word >> 8 & 15, word >> 4 & 15
    result = smaller(unit.L[vc][lane], unit.L[vd][lane]) != at_most
    if unit.enabled(lane):
        if mod1 & 8:
            unit.write(vd, lane, M32 if result else 0)
        if mod1 & 1:
            unit.flags[lane] = result
    if mod1 & 2 and unit.stack[lane]:
        flag, use = unit.stack[lane][-1]
        unit.stack[lane][-1] = (flag or result if mod1 & 4 else flag and result, use)


def encc(unit: Unit, word: int, lane: int) -> None:
    imm, mod1 = word >> 12 & 3, word & 15
    if mod1 & 2:
        unit.use[lane] = bool(imm & 1)
    elif mod1 & 1:
        unit.use[lane] = not unit.use[lane]
    unit.flags[lane] = bool(imm & 2) if mod1 & 8 else True


def compc(unit: Unit, word: int, lane: int) -> None:
    flag, use = unit.stack[lane][-1] if unit.stack[lane] else (True, True)
    unit.flags[lane] = flag and not unit.flags[lane] if use and unit.use[lane] else False


def pushc(unit: Unit, word: int, lane: int) -> None:
    mod1, stack = word & 15, unit.stack[lane]
    if mod1 == 0:
        stack.append((unit.flags[lane], unit.use[lane]))
    elif mod1 <= 12:
        stack[-1] = (boolean(mod1, stack[-1][0], unit.flags[lane]), unit.use[lane])
    elif mod1 == 13:
        unit.flags[lane] = not unit.flags[lane]
        stack[-1] = (unit.flags[lane], unit.use[lane])
    else:
        stack[-1] = (mod1 == 14, True)


def popc(unit: Unit, word: int, lane: int) -> None:
    mod1, stack = word & 15, unit.stack[lane]
    flag, use = stack[-1] if stack else (False, False)
    if mod1 == 0:
        stack.pop()
        unit.flags[lane], unit.use[lane] = flag, use
    elif mod1 <= 12:
        unit.use[lane] = use
        unit.flags[lane] = boolean(mod1, unit.flags[lane], flag)
    elif mod1 == 13:
        unit.flags[lane] = not unit.flags[lane]
    else:
        unit.use[lane], unit.flags[lane] = True, mod1 == 14


def swap(unit: Unit, word: int) -> None:
    mod1, vc, vd = word & 15, word >> 8 & 15, word >> 4 & 15
    for lane in range(32):
        if not unit.enabled(lane):
            continue
        config, c, d = unit.config[lane & 7], unit.L[vc][lane], unit.L[vd][lane]
        wanted = smaller(c, d) if SORTED.get(mod1, 0) >> lane & 1 else not smaller(c, d)
        if mod1 and config >> 8 & 1:
            wanted = not wanted
        if mod1 and not wanted:
            continue
        if config >> 2 & 1:
            limit, pairs = 4, ((vc, d), (vd, c))
            more = (4 + (vc & 3), 4 + (vd & 3))
            left, right = unit.L[more[0]][lane], unit.L[more[1]][lane]
        else:
            limit, pairs = 8, ((vc, d), (vd, c))
            more = ()
        for number, value in pairs:
            if number < limit:
                unit.L[number][lane] = value
        if more:
            unit.L[more[0]][lane], unit.L[more[1]][lane] = right, left


def transpose(unit: Unit, word: int) -> None:
    old = [row[:] for row in unit.L]
    for base in (0, 4):
        for i in range(4):
            for lane in range(32):
                if unit.enabled(lane):
                    unit.L[base + i][lane] = old[base + lane // 8][i * 8 + lane % 8]


def shuffle(unit: Unit, word: int) -> None:
    mod1, vb, vc, vd = word & 15, word >> 12 & 15, word >> 8 & 15, word >> 4 & 15
    old = [row[:] for row in unit.L]
    for lane in range(32):
        if not unit.enabled(lane):
            continue
        left = lane & 24 | lane - 1 & 7
        if mod1 <= 2:
            for number in range(3):
                unit.L[number][lane] = old[number + 1][lane]
            last = (0, old[0][lane + 8] if lane < 24 else 0, old[vc][left])
            unit.L[3][lane] = last[mod1]
        elif mod1 <= 4:
            unit.write(vd, lane, old[vc][left] if mod1 == 3 or lane & 7 else 0)
        else:
            by = signed(old[vc][lane]) if mod1 == 5 else signed(word >> 12 & 0xFFF, 12)
            x = old[vb][lane]
            unit.write(vd, lane, x << (by & 31) if by >= 0 else x >> (-by & 31))


STACK = {0x87: pushc, 0x88: popc, 0x8A: encc, 0x8B: compc}
ACROSS = {0x92: swap, 0x8C: transpose, 0x94: shuffle}
