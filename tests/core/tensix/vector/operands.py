# SPDX-License-Identifier: Apache-2.0
"""The operands of the sweep over the Vector Unit's instructions: words, and what is in the
LRegs."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from tensix_gdb.core.tensix.vector.state import STACK
from tests.core.tensix.vector.pages import Words, bits, u32
from tests.core.tensix.vector.running import FULL, Request

SPECIAL = (
    *(0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 1, 0x80000001, 0x007FFFFF),
    *(0x00800000, 0x7F7FFFFF, 0x3F800000, 0xBF800000, 0x4B800000, FULL, 0x7FFFFFFF, 0x3F000000),
    *(0x40000000, 0x3F7FFFFE, 0x47000000, 0x3FC00000, 0x40400000, 0x40800000),
)
# Where the parts of a table begin, and their neighbours; those of SFPARECIP.
EDGES = [bits(end) + by for end in (0.5, 1, 1.5, 2, 3, 4) for by in (-1, 0, 1)]
RECIPROCALS = [at + by for at in (0x00800000, 0x7E800000, 0x3C800000, 0x3F320000, 0x40000000)
               for by in (-1, 0, 1)]  # fmt: skip
ON_THE_STACK = (0x87, 0x88, 0x8B, 0x96, 0x97)
# LaneConfig of a column: DestIndex, exchange, both, rows that are switched off, all of MISC's.
CONFIGS = (1 << 2, 1 << 8, 1 << 2 | 1 << 8, 5 << 12, 0x3F00)
DEPTHS = (0, 1, STACK - 1, STACK)
# Tables of coefficients that LReg[3] is looked up in: opcode, and modes whose sweep has sense.
TABLES = {0x73: (0, 4), 0x95: (0, 2, 3, 6, 10, 14)}
# Requests for a value of the mode; others have REQUESTS.
REQUESTS = 8
MORE = {0x7C: 27, 0x8C: 50, 0x8E: 16, 0x92: 16, 0x94: 11, 0x96: 12, 0x97: 12}


def word_of(rng: random.Random, opcode: int, mode: int, number: int) -> int:
    """Some word of an opcode with a value in its mode field; VD is no template."""
    vd = rng.choice((*range(8), *range(12)))
    low = vd << 4 | mode
    match opcode:
        case 0x71 | 0x73:
            return opcode << 24 | vd << 20 | mode << 16 | rng.getrandbits(16)
        case 0x74 | 0x75:
            return opcode << 24 | rng.getrandbits(16) << 8 | low
        case 0x8A:
            return opcode << 24 | number % 4 << 12 | mode
        case 0x87 | 0x88 | 0x8B | 0x8C | 0x8F:
            return opcode << 24 | mode
        case 0x95:
            return opcode << 24 | rng.choice((0, 8)) << 16 | low
        case 0x8E:
            imm5, vb, vc = rng.randrange(32), rng.randrange(16), rng.randrange(16)
            return opcode << 24 | number % 4 << 21 | imm5 << 16 | vb << 12 | vc << 8 | low
        case 0x84 | 0x85 | 0x86 | 0x98:
            return opcode << 24 | rng.getrandbits(12) << 8 | low
        case 0x7C:  # SFPMOV of random numbers, LaneConfig, and what there is not
            vc = (9, 15, rng.randrange(16))[number % 3]
            return opcode << 24 | vc << 8 | low
        case _:
            return opcode << 24 | rng.getrandbits(16) << 8 | low


def lane_values(rng: random.Random) -> list[int]:
    """The lanes of an LReg: anything, floats of about one size, small integers, special ones."""
    kind = rng.randrange(4)
    if kind == 0:
        return [rng.getrandbits(32) for _ in range(32)]
    if kind == 1:
        exponent = rng.randrange(10, 240)
        return [
            rng.getrandbits(1) << 31 | exponent + rng.randrange(-9, 10) << 23 | rng.getrandbits(23)
            for _ in range(32)
        ]
    if kind == 2:
        return [rng.getrandbits(rng.randrange(1, 33)) for _ in range(32)]
    return [rng.choice(SPECIAL) for _ in range(32)]


def request(rng: random.Random, word: int, number: int) -> Request:
    """A word with everything that it may read; `number` says which of several it is."""
    lregs = u32([lane_values(rng) for _ in range(8)])
    if rng.random() < 0.5:
        lregs[7] = u32([rng.randrange(16) for _ in range(32)])
    if word >> 24 in TABLES and number % 2:
        lregs[3] = u32([rng.choice(EDGES) | rng.getrandbits(1) << 31 for _ in range(32)])
    if word >> 24 == 0x99 and number % 2:
        lregs[word >> 8 & 7] = u32([rng.choice(RECIPROCALS) for _ in range(32)])
    flags = rng.choice((FULL, rng.getrandbits(32)))
    use = rng.choice((0, FULL, rng.getrandbits(32)))
    depth = DEPTHS[number % 4] if word >> 24 in ON_THE_STACK else 0
    stack = [(rng.getrandbits(32), rng.getrandbits(32)) for _ in range(depth)]
    config = CONFIGS[number % 8] if number % 8 < len(CONFIGS) else 0
    columns = u32([config if rng.random() < 0.7 else 0 for _ in range(8)])
    return Request(word, lregs, flags, use, stack, columns, u32(rng.sample(range(FULL), 32)))


def requests(opcode: int, mode: int) -> list[Request]:
    """Some of each."""
    rng = random.Random(opcode << 4 | mode)
    numbers = range(MORE.get(opcode, REQUESTS))
    return [request(rng, word_of(rng, opcode, mode, i), i) for i in numbers]


# -- 2**16 operands in LReg[1]: as upper halves, as small integers, as both halves
LAYOUTS = {"upper": (0x10000, 0x8001), "small": (1, 0), "halves": (0x10001, 0)}
ODD_MODES = (1, 3, 5, 7)
VB, VC, IMM12, IMM8 = 2 << 12, 1 << 8, 0xFF9 << 12, 0x85 << 12

# Opcode: what else is in the word, and the modes. Constants stand where VB does.
# fmt: off
_REGISTERS: dict[int, list[tuple[int, range | tuple[int, ...]]]] = {
    0x76: [(IMM8, range(2))],                      0x77: [(0, range(16))],
    0x78: [(0, range(2))],                         0x79: [(IMM12, range(16))],
    0x7A: [(IMM12, range(8)), (7 << 12, range(8))],
    0x7B: [(0, range(16)), (1 << 12, ODD_MODES)],  0x7C: [(0, (0, 1, 2))],
    0x7D: [(0, range(2))],                         0x7E: [(VB, range(2))],
    0x7F: [(VB, range(2))],                        0x80: [(0, (0,))],
    0x81: [(0, range(16))],                        0x82: [(IMM8, range(4))],
    0x83: [(IMM12, range(2))],                     0x89: [(1 << 12, range(2)), (0, (1,))],
    0x8D: [(0, (0,))],                             0x90: [(0, range(4))],
    0x8E: [(r << 21 | 9 << 16 | VB, range(16)) for r in range(3)],
    0x94: [(VB, (5,))],
    0x96: [(0, range(0, 16, 8)), (0, (1, 9))],     0x97: [(0, range(0, 16, 8)), (0, (1, 9))],
    0x98: [(1 << 16 | VB | 4 << 8, range(2))],     0x99: [(VB, range(3))],
}
# fmt: on


def words_with_registers() -> Iterator[int]:
    """Words whose VC (of SFPMUL24, VA) is LReg[1]."""
    for opcode, rows in _REGISTERS.items():
        for rest, modes in rows:
            for mode in modes:
                yield opcode << 24 | rest | (0 if opcode == 0x98 else VC) | mode


def operands_of(layout: str, count: int) -> Words:
    """The operands themselves."""
    step, offset = LAYOUTS[layout]
    return u32(np.arange(count) * step + offset)
