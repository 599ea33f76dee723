# SPDX-License-Identifier: Apache-2.0
"""Syntax trees before anything is generated: what a statement stores and contains.

A loop head forgets every fact about the variables that `stored_in` names for the loop. A statement
form that stores and is missing there would be compiled silently to wrong code. So the functions
here know every class of the subset by name and refuse all others, also those that subset.py may
allow one day.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Sequence
from copy import copy
from typing import NamedTuple, TypeGuard


class UnknownNodeError(Exception):
    """A syntax tree has a node that this module does not know; `node` is that one."""

    def __init__(self, node: ast.AST) -> None:
        super().__init__(f"{type(node).__name__} is not known to the lowering")
        self.node = node


class Contents(NamedTuple):
    """The variable that a statement itself stores, and the statements in it."""

    stores: str | None
    blocks: tuple[Sequence[ast.stmt], ...] = ()


_NOTHING = Contents(None)


def contents(node: ast.stmt) -> Contents:
    """Return the variable that `node` itself stores (its blocks not counted), and its blocks."""
    match node:
        case ast.Assign(targets=[target]):
            return Contents(_variable(target))
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            return Contents(_variable(target))
        case ast.For(target=target, body=body, orelse=[]):
            return Contents(_variable(target), (body,))
        case ast.While(body=body, orelse=[]):
            return Contents(None, (body,))
        case ast.If(body=body, orelse=others):
            return Contents(None, (body, others))
        case ast.Match(cases=cases):
            return Contents(None, tuple(case.body for case in cases))
        case ast.Return() | ast.Break() | ast.Continue() | ast.Pass() | ast.Expr():
            return _NOTHING
    raise UnknownNodeError(node)


def _variable(target: ast.expr) -> str | None:
    """Return the variable that an assignment to `target` stores; None for a row."""
    match target:
        case ast.Name(id=name):
            return name
        case ast.Attribute() | ast.Subscript():
            return None
    raise UnknownNodeError(target)


@functools.lru_cache(maxsize=1 << 14)  # a function has several instances
def stored_in(node: ast.stmt) -> frozenset[str]:
    """Return the variables that are stored anywhere in a statement."""
    name, blocks = contents(node)
    inside = stored_in_all(*blocks)
    return inside if name is None else inside | {name}


def stored_in_all(*blocks: Sequence[ast.stmt]) -> frozenset[str]:
    """Return the variables that are stored anywhere in `blocks`."""
    return frozenset().union(*(stored_in(each) for block in blocks for each in block))


@functools.lru_cache(maxsize=1 << 12)  # a function has several instances
def contains_lanes(node: ast.stmt) -> bool:
    """True if `node` is a loop over lanes or has one inside."""
    if is_over_lanes(node):
        return True
    return any(contains_lanes(each) for block in contents(node).blocks for each in block)


def is_over_lanes(node: ast.AST) -> TypeGuard[ast.For]:
    """True if `node` is `for … in lanes(…)`."""
    match node:
        case ast.For(iter=ast.Call(func=ast.Name(id="lanes"))):
            return True
    return False


def is_threaded(node: ast.While) -> bool:
    """True if `node` is `while THREADED and …`."""
    match node.test:
        case ast.BoolOp(op=ast.And(), values=[ast.Name(id="THREADED"), *_]):
            return True
    return False


def names_in(*nodes: ast.AST) -> frozenset[str]:
    """Return all names in syntax trees."""
    found = (each for node in nodes for each in ast.walk(node))
    return frozenset(each.id for each in found if isinstance(each, ast.Name))


def with_number(node: ast.expr, name: str, number: int) -> ast.expr:
    """Return a copy of `node` that has `number` wherever the variable `name` is read."""
    again = functools.partial(with_number, name=name, number=number)
    new = copy(node)  # attributes (lineno) too; what is inside is replaced below
    match new:
        case ast.Name():
            return ast.copy_location(ast.Constant(number), node) if new.id == name else node
        case ast.Constant():
            return node
        case ast.Attribute() | ast.Starred():
            new.value = again(new.value)
        case ast.Subscript():
            new.value, new.slice = again(new.value), again(new.slice)
        case ast.Tuple():
            new.elts = list(map(again, new.elts))
        case ast.BinOp():
            new.left, new.right = again(new.left), again(new.right)
        case ast.UnaryOp():
            new.operand = again(new.operand)
        case ast.BoolOp():
            new.values = list(map(again, new.values))
        case ast.Compare():
            new.left, new.comparators = again(new.left), list(map(again, new.comparators))
        case ast.IfExp():
            new.test, new.body, new.orelse = again(new.test), again(new.body), again(new.orelse)
        case ast.Call(keywords=[]):
            new.func, new.args = again(new.func), list(map(again, new.args))
        case ast.GeneratorExp(generators=[ast.comprehension(target=ast.Name(id=inner))]):
            over = copy(new.generators[0])
            over.iter = again(over.iter)  # outside of the scope of its own variable
            new.generators = [over]
            if inner != name:
                new.elt = again(new.elt)
        case _:
            raise UnknownNodeError(node)
    return new


def is_condition(node: ast.expr) -> bool:
    """True if the value of `node` is 0 or 1."""
    match node:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.Constant(value=bool()):
            return True
        case ast.BoolOp(values=values):
            return all(map(is_condition, values))
    return False
