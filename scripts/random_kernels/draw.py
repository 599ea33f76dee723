# SPDX-License-Identifier: Apache-2.0
"""Draw kernels and their inputs from a seed.

A kernel has up to four variables and no more, because SFPI has eight LRegs and no place to spill
to. Those with a table (LUT) have one variable, as a table takes up to seven LRegs. Kernels that
SFPI refuses nevertheless, for want of LRegs, are left out when they are compiled (build.py).
"""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np

from scripts.random_kernels.conditions import COMPOUND
from scripts.random_kernels.operations import CONDITIONS, OPERATIONS
from scripts.random_kernels.rows import FLAG, FLOAT, INT, Operation
from scripts.random_kernels.semantics import NEAREST, ZERO
from scripts.random_kernels.tree import (
    ADD,
    LDEXP,
    MUL,
    NEG,
    SUB,
    Assign,
    Block,
    Body,
    Constant,
    If,
    Kernel,
    Loop,
    Node,
    Statement,
    Swap,
    Through,
    Tree,
    Variable,
)
from tests.core.tensix.vector.pages import Words

LANES = 32
FLOATS, INTEGERS = 10, 6  # inputs in the pool: the first are of vFloat
DEPTH, NESTED = 3, 2
SPECIAL = (
    *(0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFFFFFFF),
    *(1, 0x807FFFFF, 0x00800000, 0x80800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x3F800000, 0xBF800000),
    *(0x3F000000, 0x40000000, 0x40400000, 0x40800000, 0x3F7FFFFF, 0x477FE000, 0x33800000),
)
INTEGER = (0, 1, -1, 2, 31, 32, -31, 127, 255, -128, 0x7FFFFFFF, -0x80000000, 0x800000, 0xFFFF)
# What ttsim (56694c8) refuses: modes of SFP_STOCH_RND, SFPLUT, SFPLUTFP32, SFPSETMAN; also rounding
# to zero, and SFPLE and SFPGT with a constant register.
REFUSED = (
    *("to_fp16", "int8_k", "uint8_v", "setman", "setman_v"),
    *("lut8", "lut16", "lut32", "lut16_6_3", "lut16_6_4"),
    *("f>k", "f<=k", "f>=k", "f<k", "f==k", "f!=k"),
)
NUMBERS = (0.0, 1.0, -1.0, 0.8373, 0.5, 2.0, 1.5, -0.25, 3.0, 1.1, -7.3, 100.0)
PROGRAMMABLE = (
    Constant(1.375, FLOAT, "vConstFloatPrgm0"),
    Constant(-0.1, FLOAT, "vConstFloatPrgm1"),
    Constant(-77, INT, "vConstIntPrgm2"),
)
JOINED_ROWS = ((ADD, 5), (SUB, 4), (MUL, 6), (NEG, 2), (LDEXP, 1))


def pool(dice: random.Random) -> Words:
    """The inputs of a batch of kernels: rows of 32 lanes."""
    floats = [[fp32(dice) for _ in range(LANES)] for _ in range(FLOATS)]
    integers = [[int32(dice) & 0xFFFFFFFF for _ in range(LANES)] for _ in range(INTEGERS)]
    return np.array(floats + integers, np.uint32)


def fp32(dice: random.Random) -> int:
    """A number near 1, a special one, one that lies between two integers, or any bits."""
    chance = dice.random()
    if chance < 0.15:
        return dice.choice(SPECIAL)
    if chance < 0.25:
        return dice.getrandbits(32)
    if chance < 0.4:
        return int(np.float32(dice.randrange(-600, 600) / 2).view(np.uint32))
    return dice.getrandbits(1) << 31 | dice.randrange(114, 142) << 23 | dice.getrandbits(23)


def int32(dice: random.Random) -> int:
    """A small number, a special one, or any bits."""
    chance = dice.random()
    if chance < 0.25:
        return dice.choice(INTEGER)
    return dice.randrange(-300, 300) if chance < 0.7 else dice.getrandbits(32)


def kernel(seed: str, *, plain: bool = False) -> Kernel:
    """The kernel of a seed; a `plain` one has nothing that ttsim refuses."""
    return Drawing(random.Random(seed), plain).kernel()


class Drawing:
    """Draws one kernel."""

    def __init__(self, dice: random.Random, plain: bool = False) -> None:
        self.dice, self.plain = dice, plain
        self.tables = dice.random() < 0.15
        self.whole = True  # all lanes are enabled
        self.inputs: list[tuple[Variable, int]] = []

    def kernel(self) -> Kernel:
        floats = 1 if self.tables else self.dice.randrange(1, 4)
        integers = 0 if self.tables else self.dice.randrange(1, 5 - floats)
        for number in range(floats):
            self.inputs.append((Variable(f"f{number}", FLOAT), self.dice.randrange(FLOATS)))
        for number in range(integers):
            place = FLOATS + self.dice.randrange(INTEGERS)
            self.inputs.append((Variable(f"i{number}", INT), place))
        return Kernel(tuple(self.inputs), self.body(self.dice.randrange(2, 5), 0))

    def body(self, count: int, depth: int, *, looped: bool = False) -> Body:
        return tuple(self.statement(depth, looped) for _ in range(count))

    def statement(self, depth: int, looped: bool) -> Statement:
        self.whole = depth == 0
        chance = self.dice.random()
        if depth < NESTED and chance < 0.3:
            return self.branches(depth, looped)
        if chance > 0.9:
            return self.other(depth, looped)
        if depth < NESTED and not looped and chance < 0.4:
            inside = self.body(self.dice.randrange(1, 3), depth + 1, looped=True)
            return Loop(self.dice.randrange(1, 5), self.dice.random() < 0.5, inside)
        variable = self.dice.choice(self.inputs)[0]
        tree: Tree = variable
        while isinstance(tree, Variable):  # SFPI 7.87.0 crashes at `x = y;` in a v_if
            tree = self.tree(variable.type, DEPTH, looped)
        return Assign(variable, tree)

    def other(self, depth: int, looped: bool) -> Statement:
        """A block, two variables that change places, or a variable through Dst."""
        pairs = [
            (left, right)
            for (left, _), (right, _) in itertools.combinations(self.inputs, 2)
            if left.type == right.type
        ]
        if depth < NESTED and self.dice.random() < 0.4:
            parts = range(self.dice.randrange(1, 3))
            return Block(
                tuple((self.condition(1), self.body(1, depth + 1, looped=looped)) for _ in parts)
            )
        if pairs and self.dice.random() < 0.4:
            return Swap(*self.dice.choice(pairs))
        variable = self.dice.choice(self.inputs)[0]
        forms = ("F32", "F16a", "F16b") if variable.type == FLOAT else ("I32", "U16")
        if self.plain:
            forms = ("F32", "F16b") if variable.type == FLOAT else ("I32", "U16")
        elif variable.type == INT and depth == 0:  # in a v_if SFPI crashes at their conversion
            forms += ("SM32", "SM16", "SM8")
        return Through(variable, self.dice.choice(forms))

    def branches(self, depth: int, looped: bool) -> If:
        made: list[tuple[Tree | None, Body]] = []
        for _ in range(self.dice.choice((1, 1, 1, 2, 3))):
            inside = self.body(self.dice.randrange(1, 3), depth + 1, looped=looped)
            made.append((self.condition(2), inside))
        if self.dice.random() < 0.5:
            made.append((None, self.body(self.dice.randrange(1, 3), depth + 1, looped=looped)))
        return If(tuple(made))

    def condition(self, depth: int) -> Tree:
        chance = self.dice.random()
        if depth and chance < 0.1:
            return Node("!", (self.condition(depth - 1),))
        if depth and chance < 0.35:
            name = self.dice.choice(("&&", "||"))
            # SFPI 7.87.0 crashes at `a || (b && c)` and `a && (b || c)`, also where a function of
            # sfpi_lib.h has the inner one, so the operand on the right is a comparison.
            return Node(name, (self.condition(depth - 1), self.comparison(COMPOUND)))
        return self.comparison(())

    def comparison(self, without: tuple[str, ...]) -> Node:
        rows = [row for row in CONDITIONS if self.fits(row, False) and row.name not in without]
        return self.row(self.dice.choice(rows), 1, False)

    def fits(self, row: Operation, looped: bool) -> bool:
        """True if the kernel has variables for the operands, LRegs, and the loop it wants."""
        has = {variable.type for variable, _ in self.inputs}
        if ("n" in row.drawn and not looped) or (row.whole and not self.whole):
            return False
        if self.plain and row.name in REFUSED:
            return False
        return set(row.operands) <= has and (self.tables or row.registers == 1)

    def tree(self, kind: str, depth: int, looped: bool) -> Tree:
        chance = self.dice.random()
        if depth == 0 or chance < 0.15:
            return self.leaf(kind)
        if kind == FLOAT and chance < 0.6:
            name = self.dice.choices(*zip(*JOINED_ROWS, strict=True))[0]
            if name == LDEXP:
                if not any(variable.type == INT for variable, _ in self.inputs):
                    return self.leaf(kind)
                return Node(
                    name, (self.tree(FLOAT, depth - 1, looped), self.leaf(INT, constant=False))
                )
            count = 1 if name == NEG else 2
            first = self.tree(kind, depth - 1, looped)
            return Node(
                name, (first, *(self.tree(kind, depth - 1, looped) for _ in range(count - 1)))
            )
        rows = [row for row in OPERATIONS if row.result == kind and self.fits(row, looped)]
        if not rows:
            return self.leaf(kind)
        big = [row for row in rows if row.registers > 1]
        if big and self.dice.random() < 0.3:
            return self.row(self.dice.choice(big), 1, looped)
        return self.row(
            self.dice.choice([row for row in rows if row.registers == 1]), depth, looped
        )

    def leaf(self, kind: str, *, constant: bool = True) -> Tree:
        named = [variable for variable, _ in self.inputs if variable.type == kind]
        if named and (not constant or self.dice.random() < 0.8):
            return self.dice.choice(named)
        if self.dice.random() < 0.15:
            return self.dice.choice([one for one in PROGRAMMABLE if one.type == kind])
        return Constant(self.number() if kind == FLOAT else self.small(), kind)

    def row(self, row: Operation, depth: int, looped: bool) -> Node:
        assert row.result in (FLOAT, INT, FLAG)
        operands = [self.tree(kind, depth - 1, looped) for kind in row.operands]
        if row.whole:  # of a register that is a constant, SFPI writes what its assembler refuses
            operands[0] = self.leaf(row.operands[0], constant=False)
        if all(isinstance(operand, Constant) for operand in operands):
            operands[0] = self.leaf(row.operands[0], constant=False)
        return Node(row.name, tuple(operands), tuple((n, self.drawn(n, row)) for n in row.drawn))

    def number(self) -> float:
        """A constant: mostly one that a BF16 holds."""
        choice = self.dice.choice(NUMBERS[4:] if self.plain else NUMBERS)
        return float(np.float32(choice))

    def small(self) -> int:
        return self.dice.choice((self.dice.randrange(-9, 10), self.dice.randrange(-2100, 2101),
                                 self.dice.randrange(-99999, 100000)))  # fmt: skip

    def drawn(self, name: str, row: Operation) -> Any:
        """A number of an operation, by its name."""
        dice = self.dice
        match name:
            case "exp":
                return dice.randrange(256)
            case "step":
                return dice.randrange(-20, 21)
            case "man":
                return dice.randrange(4096)
            case "bit":
                return dice.randrange(2)
            case "by":
                return dice.randrange(32)
            case "bound":
                return abs(self.number()) if row.result == FLOAT else self.number()
            case "rounding":
                return NEAREST if self.plain else dice.choice((NEAREST, ZERO))
            case "sign":
                return dice.choice(("Retain", "Update"))
            case "mask":
                return dice.choice((dice.randrange(64), dice.getrandbits(16), dice.getrandbits(32)))
            case "table":
                return tuple(self._entry(row) for _ in range(6))
            case "n":
                return "n"
        return self.small()

    def _entry(self, row: Operation) -> int:
        """A word of a table, with numbers that do not differ much in size."""
        if row.name == "lut32":
            return fp32(self.dice)
        if row.name == "lut8":
            return self.dice.getrandbits(16)
        low, high = (self.dice.getrandbits(1) << 15 | self.dice.randrange(8, 32) << 10
                     | self.dice.getrandbits(10) for _ in range(2))  # fmt: skip
        return low | high << 16
