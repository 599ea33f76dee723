# SPDX-License-Identifier: Apache-2.0
"""Loops of the subset: `while`, `for` over range, and `for` over lanes, which LLVM is to turn into
vectors."""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeGuard

from tensix_gdb.core.engine.dependencies import look_up
from tensix_gdb.core.engine.lowering.ir_builder import SIGNED_64, Value
from tensix_gdb.core.engine.lowering.scope import stored_in

if TYPE_CHECKING:
    from tensix_gdb.core.engine.lowering.function import FunctionLowering
    from tensix_gdb.core.engine.lowering.statements import Statements


@dataclass(slots=True)
class Loop:
    """Where break and continue go, and what has a value at each break."""

    again: str
    end: str
    breaks: list[frozenset[str]] = field(default_factory=list)


class Loops:
    """The loops around the current place of one function instance."""

    def __init__(self, function: FunctionLowering, statements: Statements) -> None:
        self.function = function
        self.scope = function.scope
        self.body = function.body
        self.statements = statements
        self.open: list[Loop] = []

    def leave(self) -> None:
        """break"""
        self.open[-1].breaks.append(self.function.assigned)
        self.body.jump(self.open[-1].end)

    def go_on(self) -> None:
        """continue"""
        self.body.jump(self.open[-1].again)

    def while_loop(self, node: ast.While) -> None:
        if self.scope.fold(node.test) == 0:
            return
        head, inside, end = self.body.label(), self.body.label(), self.body.label()
        before = self.function.assigned
        loop = Loop(head, end)
        # The condition is written first, before anything is known about the body's assignments,
        # so it sees only what had a value before the loop.
        self.body.place_head(head, stored_in(node))
        self.statements.expressions.conditions.branch(node.test, inside, end)
        ends_by_test = self.body.is_reached(end)
        self.loop_body(loop, inside, node)
        self.after_loop(loop, before if ends_by_test else None)

    def loop_body(self, loop: Loop, inside: str, node: ast.While) -> None:
        self.open.append(loop)
        self.function.loop_depth += 1
        self.function.repetitions += 1
        self.body.place(inside)
        self.statements.block(node.body)
        self.body.jump(loop.again, self.note(node))
        self.function.loop_depth -= 1
        self.function.repetitions -= 1
        self.open.pop()

    def after_loop(self, loop: Loop, by_test: frozenset[str] | None) -> None:
        self.body.place(loop.end)
        ways = loop.breaks if by_test is None else [by_test, *loop.breaks]
        self.function.assigned = frozenset.intersection(*ways) if ways else frozenset()

    def for_loop(self, node: ast.For) -> None:
        """The variable takes the range's values one by one; assigning to it does not change
        what comes next, and after the loop it keeps the last value, as in Python."""
        assert isinstance(node.iter, ast.Call)
        assert isinstance(node.target, ast.Name)
        values = [self.statements.expressions.value(argument) for argument in node.iter.args]
        start: Value = 0 if len(values) == 1 else values[0]
        stop = values[0] if len(values) == 1 else values[1]
        step = values[2] if len(values) == 3 else 1
        if not isinstance(step, int) or step == 0:
            raise self.scope.error(node.iter, "the step of a range is a constant other than 0")
        body = self.body
        first, last = body.as_word(start), body.as_word(stop)
        a, b = body.range_of(first), body.range_of(last)
        within = (a[0], b[1] - 1) if step > 0 else (b[0] + 1, a[1])
        fits = within[0] + step in SIGNED_64 and within[1] + step in SIGNED_64
        trips = None if fits else body.variable("trips")
        counter = body.variable("next")
        body.line(f"store i64 {first}, ptr {counter}")
        if trips is not None:
            body.line(f"store i64 {self.trip_count(first, last, int(step))}, ptr {trips}")
        head, inside, again, end = (body.label() for _ in range(4))
        before = self.function.assigned
        body.place_head(head, stored_in(node))
        now = body.word(f"load i64, ptr {counter}", within)
        if trips is None:
            order = "slt" if step > 0 else "sgt"
            body.branch(body.flag(f"icmp {order} i64 {now}, {last}"), inside, end)
            body.place(inside)
        else:
            left = body.word(f"load i64, ptr {trips}")
            body.branch(body.flag(f"icmp ne i64 {left}, 0"), inside, end)
            body.place(inside)
            body.line(f"store i64 {body.word(f'sub i64 {left}, 1')}, ptr {trips}")
        self.function.write(node.target.id, now)
        body.line(f"store i64 {body.word(f'add i64 {now}, {int(step)}')}, ptr {counter}")
        loop = Loop(again, end)
        self.open.append(loop)
        self.function.repetitions += 1
        self.function.lane_depth += _is_over_lanes(node)
        self.statements.block(node.body)
        self.function.lane_depth -= _is_over_lanes(node)
        self.function.repetitions -= 1
        self.open.pop()
        body.jump(again)
        body.place(again)
        body.jump(head, self.note(node))
        self.after_loop(loop, before)

    def note(self, node: ast.For | ast.While) -> str:
        """What the end of the loop's body says. A loop over lanes becomes vectors, no other does;
        it is not unrolled before that, and one around it is not, which would only make it long."""
        vectorised = False
        if _is_over_lanes(node):
            if look_up(self.scope.function.__globals__, "lanes") is not range:
                raise self.scope.error(node.iter, "lanes is not that of core/engine/lanes.py")
            vectorised = True
        unrolled = not _holds_lanes(node)
        name = self.function.module.loop(vectorised=vectorised, unrolled=unrolled)
        return f"!llvm.loop !{name}"

    def trip_count(self, first: str, last: str, step: int) -> str:
        """How often the body runs, as an unsigned 64-bit number: it cannot overflow, as the number
        after the last one can."""
        body = self.body
        low, high = (first, last) if step > 0 else (last, first)
        some = body.flag(f"icmp slt i64 {low}, {high}")
        distance = body.word(f"sub i64 {high}, {low}")
        if abs(step) > 1:
            less = body.word(f"sub i64 {distance}, 1")
            distance = body.word(f"add i64 {body.word(f'udiv i64 {less}, {abs(step)}')}, 1")
        return body.word(f"select i1 {some}, i64 {distance}, i64 0")


@functools.lru_cache(maxsize=1 << 12)  # a function has several instances
def _holds_lanes(node: ast.stmt) -> bool:
    match node:
        case ast.For(body=body):
            return _is_over_lanes(node) or any(map(_holds_lanes, body))
        case ast.While(body=body):
            return any(map(_holds_lanes, body))
        case ast.If(body=body, orelse=others):
            return any(map(_holds_lanes, body)) or any(map(_holds_lanes, others))
        case ast.Match(cases=cases):
            return any(_holds_lanes(each) for case in cases for each in case.body)
    return False


def _is_over_lanes(node: ast.AST) -> TypeGuard[ast.For]:
    match node:
        case ast.For(iter=ast.Call(func=ast.Name(id="lanes"))):
            return True
    return False
