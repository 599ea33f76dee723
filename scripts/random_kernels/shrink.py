# SPDX-License-Identifier: Apache-2.0
"""Make a kernel small while it still fails: without statements, without operations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from scripts.random_kernels.operations import BY_NAME
from scripts.random_kernels.rows import FLAG, FLOAT
from scripts.random_kernels.tree import (
    JOINED,
    LOGIC,
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

MOST = 150  # kernels that are compiled for it


def shrunk(kernel: Kernel, fails: Callable[[Kernel], bool]) -> Kernel:
    """Return a kernel from which nothing can be taken without that it no longer fails."""
    tried = 0
    while True:
        for smaller in _kernels(kernel):
            tried += 1
            if tried > MOST:
                return kernel
            if fails(smaller):
                kernel = smaller
                break
        else:
            return kernel


def _kernels(kernel: Kernel) -> Iterator[Kernel]:
    for body in _bodies(kernel.body):
        if body:
            yield replace(kernel, body=body)
    used = {one.name for one in _used(kernel.body)}
    for one in kernel.inputs:
        if one[0].name not in used and len(kernel.inputs) > 1:
            yield replace(
                kernel, inputs=tuple(other for other in kernel.inputs if other is not one)
            )


def _bodies(body: Body) -> Iterator[Body]:
    for place, statement in enumerate(body):
        before, after = body[:place], body[place + 1 :]
        yield before + after
        for instead in _statements(statement):
            yield before + instead + after


def _statements(statement: Statement) -> Iterator[Body]:
    match statement:
        case Assign(variable, tree):
            for smaller in _trees(tree):
                if smaller != variable:
                    yield (Assign(variable, smaller),)
        case Loop(count, known, inside):
            yield inside if "'n'" not in repr(inside) else ()
            if count > 1:
                yield (Loop(1, known, inside),)
            for smaller in _bodies(inside):
                yield (Loop(count, known, smaller),)
        case Block(parts):
            for place, (condition, inside) in enumerate(parts):
                before, after = parts[:place], parts[place + 1 :]
                yield inside
                if before + after:
                    yield (Block(before + after),)
                for smaller in _bodies(inside):
                    yield (Block((*before, (condition, smaller), *after)),)
                for tree in _trees(condition):
                    yield (Block((*before, (tree, inside), *after)),)
        case If(branches):
            for place, (condition, inside) in enumerate(branches):
                before, after = branches[:place], branches[place + 1 :]
                yield inside
                if (rest := before + after) and rest[0][0] is not None:
                    yield (If(rest),)
                for smaller in _bodies(inside):
                    yield (If((*before, (condition, smaller), *after)),)
                for tree in _trees(condition) if condition is not None else ():
                    yield (If((*before, (tree, inside), *after)),)


def _trees(tree: Tree) -> Iterator[Tree]:
    if not isinstance(tree, Node):
        return
    for operand in tree.operands:
        if _type(operand) == _type(tree):
            yield operand
    for place, operand in enumerate(tree.operands):
        for smaller in _trees(operand):
            yield replace(
                tree, operands=(*tree.operands[:place], smaller, *tree.operands[place + 1 :])
            )


def _type(tree: Tree) -> str:
    if isinstance(tree, Variable | Constant):
        return tree.type
    if tree.name in LOGIC:
        return FLAG
    return FLOAT if tree.name in JOINED else BY_NAME[tree.name].result


def _used(item: object) -> Iterator[Variable]:
    match item:
        case Variable():
            yield item
        case Assign(variable, tree):
            yield variable
            yield from _used(tree)
        case Node(_, operands):
            yield from _used(operands)
        case If(branches) | Block(branches):
            yield from _used(branches)
        case Swap(left, right):
            yield from (left, right)
        case Through(variable, _):
            yield variable
        case Loop(_, _, body):
            yield from _used(body)
        case tuple():
            for one in item:
                yield from _used(one)
