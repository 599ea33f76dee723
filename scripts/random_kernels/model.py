# SPDX-License-Identifier: Apache-2.0
"""Compute what a kernel leaves in its variables, over NumPy arrays.

`a * b + c` may be one SFPMAD, which rounds once, or SFPMUL and SFPADD, which round twice; and
`-(a * b)` may be SFPMUL of -a, of which a zero has another sign. Which of them it is, the compiler
decides for each place in the text. `run` takes these decisions as a dictionary; a place that is not
in it does what SFPI does mostly: it joins a product that is written as the operand of a sum.
legal.py searches for decisions that give what was found, the same for all lanes.

Lanes are as the pages say: an assignment in a `v_if` changes the lanes that are enabled.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from scripts.random_kernels.conditions import COMPOUND
from scripts.random_kernels.operations import BY_NAME
from scripts.random_kernels.rows import FLOAT
from scripts.random_kernels.semantics import set_exponent, through, word
from scripts.random_kernels.tree import (
    ADD,
    LDEXP,
    LOGIC,
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
from scripts.random_kernels.values import MINUS_ONE, ONE, Value, negated, ones, product, zeros
from tests.core.tensix.vector.multiply import multiply_add
from tests.core.tensix.vector.pages import SIGN, Bools, Words, u32, wide

# The compiler takes the constant for the immediate, of which the hardware makes 2048 times as much.
SETMAN = "setman(vFloat, vUInt) of a constant"
# The compiler uses SFPCOMPC, which enables lanes again that an earlier v_and disabled.
V_AND = "v_and(a || b) after another v_and"
# An operation in the text, and what the compiler decides about it.
Place = tuple[int, str]
Decisions = dict[Place, int]


@dataclass
class State:
    """Variables by name, and the statement that wrote each lane last."""

    values: dict[str, Value]
    writers: dict[str, list[Statement | None]]


@dataclass
class Run:
    """One execution with its decisions. `asked` are the places with how many ways each has."""

    kernel: Kernel
    decisions: Decisions
    state: State
    asked: dict[Place, int] = field(default_factory=dict)
    scopes: list[int] = field(default_factory=lambda: [0])
    made: int = 0
    counter: int = 0  # of the inner loop
    defects: set[str] = field(default_factory=set)  # of the compiler, that these decisions are

    def execute(self, body: Body, mask: Bools) -> None:
        for statement in body:
            match statement:
                case Assign(variable, tree):
                    self._assign(statement, variable, self.value(tree), mask)
                case If(branches):
                    self._branches(branches, mask)
                case Loop(count, _, inside):
                    outer = self.counter
                    for self.counter in range(count, 0, -1):
                        self.execute(inside, mask)
                    self.counter = outer
                case Block(parts):
                    self._block(parts, mask)
                case Swap(left, right):
                    values = self.state.values
                    new = (values[right.name], values[left.name])
                    for variable, value in zip((left, right), new, strict=True):
                        self._assign(statement, variable, value, mask)
                case Through(variable, form):
                    kept = self.state.values[variable.name].bits
                    # The compiler may know that the load gives what was stored: but for denormals.
                    left_out = form == "F32" and self._decide(statement, "load", 1, 2)
                    bits = kept if left_out else through(form, kept)
                    self._assign(statement, variable, Value(bits), mask)

    def _block(self, parts: tuple[tuple[Tree, Body], ...], mask: Bools) -> None:
        self.made += 1
        self.scopes.append(self.made)
        entered = mask
        for condition, inside in parts:
            again = mask is not entered and _has_logic(condition)
            if again and self._decide(condition, "v_and", 0, 2, V_AND):
                mask = self._complemented(condition, mask, entered, True)
            else:
                mask = mask & self.condition(condition)
            self.made += 1
            self.scopes.append(self.made)
            self.execute(inside, mask)
        del self.scopes[-len(parts) - 1 :]

    def _branches(self, branches: tuple[tuple[Tree | None, Body], ...], mask: Bools) -> None:
        left = mask
        for condition, inside in branches:
            here = left if condition is None else left & self.condition(condition)
            self.made += 1
            self.scopes.append(self.made)
            self.execute(inside, here)
            self.scopes.pop()
            left = left & ~here

    def _complemented(self, tree: Tree, now: Bools, entered: Bools, wanted: bool) -> Bools:
        """Return the lanes after a condition as SFPI makes it: each comparison disables lanes, and
        `||` and `!` of `&&` are SFPCOMPC, by which lanes of the block's beginning change."""
        assert isinstance(tree, Node)
        if tree.name == "!":
            return self._complemented(tree.operands[0], now, entered, not wanted)
        joined = wanted if tree.name in COMPOUND else (tree.name == "&&") == wanted
        if tree.name not in LOGIC and (joined or tree.name not in COMPOUND):
            return now & (self.condition(tree) == wanted)
        if tree.name in COMPOUND:
            return entered & ~(now & self.condition(tree))
        for operand in tree.operands:
            now = self._complemented(operand, now, entered, wanted == joined)
        return now if joined else entered & ~now

    def _assign(self, statement: Statement, variable: Variable, new: Value, mask: Bools) -> None:
        old = self.state.values[variable.name]
        bits = np.where(mask, new.bits, old.bits).astype(np.uint32)
        self.state.values[variable.name] = replace(new, bits=bits, scope=self.scopes[-1])
        writers = self.state.writers[variable.name]
        for lane in np.flatnonzero(mask):
            writers[lane] = statement

    def condition(self, tree: Tree) -> Bools:
        """The lanes in which a condition is true."""
        assert isinstance(tree, Node)
        if tree.name not in LOGIC:
            return self._row(tree)  # type: ignore[return-value]
        left, *right = (self.condition(operand) for operand in tree.operands)
        if tree.name == "!":
            return ~left
        return left & right[0] if tree.name == "&&" else left | right[0]

    def value(self, tree: Tree) -> Value:
        """An expression in all lanes."""
        match tree:
            case Variable(name):
                return self.state.values[name]
            case Constant(number, kind, name):
                shape = next(iter(self.state.values.values())).bits.shape
                bits = word(number) if kind == FLOAT else int(number) & 0xFFFFFFFF
                known = None if name else bits
                return Value(np.full(shape, bits, np.uint32), constant=known)
            case Node(name, operands):
                if name in (ADD, SUB):
                    left, right = (self.value(operand) for operand in operands)
                    right = self._negation(tree, right) if name == SUB else right
                    return self._sum(tree, left, right)
                if name == MUL:
                    return self._product(tree, *(self.value(operand) for operand in operands))
                if name == LDEXP:
                    # Of sfpi_lib.h: in * setexp(0, scale + 127).
                    left, right = (self.value(operand).bits for operand in operands)
                    scale = set_exponent(np.zeros_like(left), wide(right) + 127 & 255)
                    return product(left, scale)
                if name == NEG:
                    return self._negation(tree, self.value(operands[0]))
        return Value(self._row(tree))

    def _row(self, tree: Node) -> Words:
        values = [self.value(operand) for operand in tree.operands]
        operands = [value.bits for value in values]
        numbers = dict(tree.numbers)
        if "n" in numbers:
            numbers["n"] = self.counter
        if tree.name == "setman_v" and self._known(values[1]) in range(1, 4096):
            operands[1] = operands[1] << np.uint32(11 * self._decide(tree, "setman", 1, 2, SETMAN))
        result: Words = BY_NAME[tree.name].model(*operands, *numbers.values())
        return result

    def _known(self, value: Value) -> int | None:
        return value.constant if value.scope in self.scopes else None

    def _product(self, tree: Node, left: Value, right: Value) -> Value:
        """A product. By -1 it may be a change of sign, by 1 nothing: of NaN, denormals and 0 the
        bits differ."""
        made = product(left.bits, right.bits)
        for factor, other in ((right, left), (left, right)):
            if (one := self._known(factor)) in (ONE, MINUS_ONE):
                plain = negated(other) if one == MINUS_ONE else other
                return (made, plain)[self._decide(tree, "by one", 1, 2)]
        return made

    def _decide(
        self, at: Tree | Statement, what: str, usual: int, ways: int, defect: str = ""
    ) -> int:
        """Return the way that this place goes: `usual` if nothing is decided. Any but way 0 may be
        a defect of the compiler."""
        place = (id(at), what)
        if ways < 2:
            return 0
        self.asked[place] = ways
        way = (usual + self.decisions.get(place, 0)) % ways
        if way and defect:
            self.defects.add(defect)
        return way

    def _alive(self, value: Value) -> bool:
        """True if a value is a product that no v_if has merged with another value since."""
        return value.factors is not None and value.factors[2] is None and value.scope in self.scopes

    def _sum(self, tree: Node, left: Value, right: Value) -> Value:
        direct = [_is_product(operand) for operand in tree.operands]
        ways: list[tuple[Words, Words, Words]] = [(ones(left.bits), left.bits, right.bits)]
        usual = 0
        for value, other, here in ((left, right, direct[0]), (right, left, direct[1])):
            if self._alive(value):
                assert value.factors is not None
                if here and not usual:
                    usual = len(ways)
                ways.append((value.factors[0], value.factors[1], other.bits))
        a, b, c = ways[self._decide(tree, "sum", usual, len(ways))]
        return Value(multiply_add(a, b, c), (a, b, c), self.scopes[-1])

    def _negation(self, tree: Node, of: Value) -> Value:
        if of.factors is None or of.scope not in self.scopes:
            return negated(of)
        a, b, c = of.factors
        folded = multiply_add(a ^ SIGN, b, zeros(a) if c is None else c ^ SIGN)
        usual = int(_is_product(tree.operands[-1]))
        bits = (of.bits ^ SIGN, folded)[self._decide(tree, "sign", usual, 2)]
        return Value(bits, (a ^ SIGN, b, None if c is None else c ^ SIGN), self.scopes[-1])


def _has_logic(tree: Tree) -> bool:
    """True if the compiler makes more than one comparison of a condition."""
    return isinstance(tree, Node) and (tree.name in LOGIC or tree.name in COMPOUND)


def _is_product(tree: Tree) -> bool:
    if isinstance(tree, Node) and tree.name == NEG:
        return _is_product(tree.operands[0])
    return isinstance(tree, Node) and tree.name in (MUL, LDEXP)


def run(kernel: Kernel, pool: Words, decisions: Decisions | None = None) -> Run:
    """Execute a kernel on the pool of inputs."""
    state = State({}, {})
    for variable, place in kernel.inputs:
        state.values[variable.name] = Value(u32(pool[place]))
        state.writers[variable.name] = [None] * pool.shape[1]
    done = Run(kernel, decisions or {}, state)
    done.execute(kernel.body, np.ones(pool.shape[1], bool))
    return done


def results(done: Run) -> Words:
    """The variables of a run, in the order of the kernel."""
    return np.array([done.state.values[one.name].bits for one in done.kernel.variables])
