# SPDX-License-Identifier: Apache-2.0
"""A kernel: statements over variables of vFloat and vInt, and the C++ that says the same.

A statement takes one line of C++, or one for each `v_if`, `v_elseif`, `v_else`, `v_endif` and each
brace of a loop, so that a line says which statement it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scripts.random_kernels.operations import BY_NAME
from scripts.random_kernels.rows import FLOAT, INT

# Not rows of operations.py: the compiler may join them into one SFPMAD.
ADD, SUB, MUL, NEG, LDEXP = "add", "sub", "mul", "neg", "ldexp"
JOINED = {ADD: "({0} + {1})", SUB: "({0} - {1})", MUL: "({0} * {1})", NEG: "(-{0})",
          LDEXP: "ldexp({0}, {1})"}  # fmt: skip
# A row of Dst16b above all rows of Dst32b that have inputs and outputs.
SCRATCH = 504
LOGIC = {"&&": "({0} && {1})", "||": "({0} || {1})", "!": "!{0}"}


@dataclass(frozen=True)
class Variable:
    """A variable of a kernel."""

    name: str
    type: str


@dataclass(frozen=True)
class Constant:
    """A number in the text, of vFloat or vInt; or a programmable constant of this name."""

    value: float | int
    type: str
    name: str = ""


@dataclass(frozen=True)
class Node:
    """An operation with its operands; `numbers` are what was drawn for it."""

    name: str
    operands: tuple[Any, ...]
    numbers: tuple[tuple[str, Any], ...] = ()


Tree = Variable | Constant | Node


@dataclass(frozen=True)
class Assign:
    """variable = tree;"""

    variable: Variable
    tree: Tree


@dataclass(frozen=True)
class If:
    """v_if, any v_elseif, and v_else if the last condition is None."""

    branches: tuple[tuple[Tree | None, tuple[Any, ...]], ...]


@dataclass(frozen=True)
class Loop:
    """A body that runs `count` times; the compiler knows the count if `known`."""

    count: int
    known: bool
    body: tuple[Any, ...]


@dataclass(frozen=True)
class Block:
    """v_block, in which each v_and leaves fewer lanes for what follows."""

    parts: tuple[tuple[Tree, tuple[Any, ...]], ...]


@dataclass(frozen=True)
class Swap:
    """Two variables change their values."""

    left: Variable
    right: Variable


@dataclass(frozen=True)
class Through:
    """A variable is stored to Dst in a format, and loaded again."""

    variable: Variable
    format: str


Statement = Assign | If | Loop | Block | Swap | Through
Body = tuple[Statement, ...]


@dataclass(frozen=True)
class Kernel:
    """Variables, each with the input that it starts as, and statements."""

    inputs: tuple[tuple[Variable, int], ...]
    body: Body

    @property
    def variables(self) -> tuple[Variable, ...]:
        return tuple(variable for variable, _ in self.inputs)


def float_text(value: float) -> str:
    """A float as C++ has it, every bit of it."""
    return f"{float(value).hex()}f"


def text(tree: Tree) -> str:
    """C++ of an expression."""
    match tree:
        case Variable(name):
            return name
        case Constant(value, kind, name):
            if name:
                return f"{kind}({name})"
            return f"{kind}({float_text(value) if kind == FLOAT else int(value)})"
    operands = [text(operand) for operand in tree.operands]
    form = JOINED.get(tree.name) or LOGIC.get(tree.name) or BY_NAME[tree.name].text
    numbers = {
        name: float_text(value) if isinstance(value, float) else value
        for name, value in tree.numbers
    }
    return form.format(*operands, **numbers)


def lines(body: Body, depth: int = 1) -> Iterator[tuple[str, Statement | None]]:
    """Yield the lines of statements, those of assignments with the statement."""
    indent = "    " * depth
    for statement in body:
        match statement:
            case Assign(variable, tree):
                yield f"{indent}{variable.name} = {text(tree)};", statement
            case If(branches):
                for place, (condition, inside) in enumerate(branches):
                    word = "v_else" if condition is None else "v_elseif" if place else "v_if"
                    said = word if condition is None else f"{word} ({text(condition)})"
                    yield f"{indent}{said} {{", None
                    yield from lines(inside, depth + 1)
                    yield f"{indent}}}", None
                yield f"{indent}v_endif;", None
            case Block(parts):
                yield f"{indent}v_block {{", None
                for condition, inside in parts:
                    yield f"{indent}    v_and({text(condition)});", None
                    yield from lines(inside, depth + 1)
                yield f"{indent}}}", None
                yield f"{indent}v_endblock;", None
            case Swap(left, right):
                yield f"{indent}sfpi::swap({left.name}, {right.name});", statement
            case Through(variable, form):
                there = f"dst_reg[{SCRATCH}].mode<DataLayout::{form}>()"
                yield f"{indent}{there} = {variable.name};", None
                yield f"{indent}{variable.name} = {there};", statement
            case Loop(count, known, inside):
                limit = str(count) if known else f"limits[{count}]"
                yield f"{indent}for (int n = {limit}; n > 0; --n) {{", None
                yield from lines(inside, depth + 1)
                yield f"{indent}}}", None


def source(kernel: Kernel, name: str, output: int) -> list[tuple[str, Statement | None]]:
    """Return the function of a kernel, by lines. Its variables go to dst_reg[output] and on."""
    out: list[tuple[str, Statement | None]] = [
        (f"[[gnu::noinline]] void {name}()", None),
        ("{", None),
    ]
    for variable, place in kernel.inputs:
        out.append((f"    {variable.type} {variable.name} = {dst(variable.type, place)};", None))
    out += lines(kernel.body)
    for place, variable in enumerate(kernel.variables, output):
        # As an integer: SFPSTORE of FP32 flushes denormals.
        value = f"as<vInt>({variable.name})" if variable.type == FLOAT else variable.name
        out.append((f"    {dst(INT, place)} = {value};", None))
    return [*out, ("}", None)]


def dst(kind: str, place: int) -> str:
    """A row of 32 lanes in Dst32b."""
    return f"dst_reg[{place}].mode<DataLayout::{'F32' if kind == FLOAT else 'I32'}>()"
