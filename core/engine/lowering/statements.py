# SPDX-License-Identifier: Apache-2.0
"""Statements of the subset as blocks of LLVM IR.

`function.assigned` follows the text: which variables certainly have a value here. Where paths meet
it is what they have in common, so that a variable without a value is found when compiling and
never read when running.
"""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeGuard

from core.engine.lowering import ranges, rows
from core.engine.lowering.body import SIGNED_64, Value
from core.engine.lowering.expressions import Expressions
from core.engine.lowering.scope import stored_in
from core.engine.names import look_up

if TYPE_CHECKING:
    from core.engine.lowering.function import FunctionLowering


@dataclass(slots=True)
class Loop:
    """Where break and continue go, and what has a value at each break."""

    again: str
    end: str
    breaks: list[frozenset[str]] = field(default_factory=list)


class Statements:
    """Statements of one function instance."""

    def __init__(self, function: FunctionLowering) -> None:
        self.function = function
        self.scope = function.scope
        self.body = function.body
        self.expressions = Expressions(function)
        self.loops: list[Loop] = []

    def block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            if not self.body.alive:
                return
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[target], value=value):
                self.assign(target, self.expressions.value(value))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self.assign(target, self.expressions.value(value))
            case ast.AugAssign():
                self.augmented(node)
            case ast.If():
                self.if_else(node)
            case ast.While():
                self.while_loop(node)
            case ast.For():
                self.for_loop(node)
            case ast.Match():
                self.match(node)
            case ast.Return(value=value):
                self.leave(node, value)
            case ast.Break():
                self.loops[-1].breaks.append(self.function.assigned)
                self.body.jump(self.loops[-1].end)
            case ast.Continue():
                self.body.jump(self.loops[-1].again)
            case ast.Expr(value=ast.Call() as call):
                self.expressions.calls.call(call, wanted=False)

    # -- assignments
    def assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.function.write(target.id, value)
            return
        slot, at, tag = self.expressions.element(target)
        limit = rows.LIMITS.get(slot.field.kind)
        if isinstance(value, int) and limit is not None and not 0 <= value <= limit:
            raise self.scope.error(
                target, f"{int(value)} does not fit {slot.path} ({slot.field.kind})"
            )
        rows.store(self.body, self.function, target, slot, at, value, tag)

    def augmented(self, node: ast.AugAssign) -> None:
        """`x += y`: the old value is read before `y` is evaluated, an index evaluated once."""
        binary = self.expressions.binary
        if isinstance(node.target, ast.Name):
            name = ast.copy_location(ast.Name(node.target.id), node.target)
            old = self.expressions.value(name)
            new = binary(node, node.op, old, self.expressions.value(node.value))
            self.function.write(node.target.id, new)
            return
        slot, at, tag = self.expressions.element(node.target)
        held = rows.load(self.body, slot, at, tag)
        new = binary(node, node.op, held, self.expressions.value(node.value))
        rows.store(self.body, self.function, node.target, slot, at, new, tag)

    def leave(self, node: ast.Return, value: ast.expr | None) -> None:
        self.function.returns(node, value is not None)
        result = "0" if value is None else self.expressions.word(value)
        self.function.leave(result)

    # -- branches
    def arms(
        self,
        arms: list[tuple[str, list[ast.stmt]]],
        end: str,
        past: frozenset[str] | None = None,
    ) -> None:
        """Alternatives that start at their labels and meet at `end`, where also those come that go
        `past` them, with what is assigned then."""
        before = self.function.assigned
        after: list[frozenset[str]] = [] if past is None else [past]
        for label, statements in arms:
            self.body.place(label)
            self.function.assigned = before
            self.block(statements)
            if self.body.alive:
                after.append(self.function.assigned)
            self.body.jump(end)
        self.body.place(end)
        self.function.assigned = frozenset.intersection(*after) if after else before

    def if_else(self, node: ast.If) -> None:
        known = self.scope.fold(node.test)
        if known is not None:
            self.block(node.body if known else node.orelse)
            return
        yes, no, end = self.body.label(), self.body.label(), self.body.label()
        if node.orelse:
            self.expressions.branch(node.test, yes, no)
            self.arms([(yes, node.body), (no, node.orelse)], end)
            return
        self.expressions.branch(node.test, yes, end)
        self.arms([(yes, node.body)], end, self.function.assigned)

    def match(self, node: ast.Match) -> None:
        """A real switch. The first case that names a number wins; a second one is an error."""
        subject = self.expressions.value(node.subject)
        seen: set[int] = set()
        numbers = [self.pattern(case.pattern, seen) for case in node.cases]
        if isinstance(subject, int):
            for case, values in zip(node.cases, numbers, strict=True):
                if values is None or int(subject) in values:
                    self.block(case.body)
                    return
            return
        end = self.body.label()
        labels = [self.body.label() for _ in node.cases]
        has_default = numbers[-1] is None
        default = labels[-1] if has_default else self.body.label()
        operand = self.body.as_word(subject)
        cases = " ".join(
            f"i64 {number}, label %{label}"
            for values, label in zip(numbers, labels, strict=True)
            for number in values or ()
        )
        self.body.line(f"switch i64 {operand}, label %{default} [ {cases} ]")
        for values, label in zip(numbers, labels, strict=True):
            known = (min(values), max(values)) if values else ranges.FULL
            self.body.arrive(label, self.body.narrowed(subject, known))
        if not has_default:
            self.body.arrive(default)
        self.body.alive = False
        arms = [(label, case.body) for label, case in zip(labels, node.cases, strict=True)]
        self.arms(arms if has_default else [*arms, (default, [])], end)

    def pattern(self, node: ast.pattern, seen: set[int]) -> list[int] | None:
        """The numbers of a case; None for `_`."""
        match node:
            case ast.MatchValue(value=value):
                number = self.scope.fold(value)
                if number is None:
                    raise self.scope.error(node, f"{ast.unparse(value)} is not a constant number")
                if int(number) in seen:
                    raise self.scope.error(node, f"case {int(number)} appears twice in this match")
                seen.add(int(number))
                return [int(number)]
            case ast.MatchOr(patterns=patterns):
                found = [self.pattern(each, seen) for each in patterns]
                return None if None in found else [n for values in found for n in values or ()]
        return None

    # -- loops
    def while_loop(self, node: ast.While) -> None:
        if self.scope.fold(node.test) == 0:
            return
        head, inside, end = self.body.label(), self.body.label(), self.body.label()
        before = self.function.assigned
        loop = Loop(head, end)
        # The condition is written first, before anything is known about the body's assignments,
        # so it sees only what had a value before the loop.
        self.body.place_head(head, stored_in(node))
        self.expressions.branch(node.test, inside, end)
        ends_by_test = self.body.is_reached(end)
        self.loop_body(loop, inside, node)
        self.after_loop(loop, before if ends_by_test else None)

    def loop_body(self, loop: Loop, inside: str, node: ast.While) -> None:
        self.loops.append(loop)
        self.function.loop_depth += 1
        self.function.repetitions += 1
        self.body.place(inside)
        self.block(node.body)
        self.body.jump(loop.again, self.note(node))
        self.function.loop_depth -= 1
        self.function.repetitions -= 1
        self.loops.pop()

    def after_loop(self, loop: Loop, by_test: frozenset[str] | None) -> None:
        self.body.place(loop.end)
        ways = loop.breaks if by_test is None else [by_test, *loop.breaks]
        self.function.assigned = frozenset.intersection(*ways) if ways else frozenset()

    def for_loop(self, node: ast.For) -> None:
        """The variable takes the range's values one by one; assigning to it does not change
        what comes next, and after the loop it keeps the last value, as in Python."""
        assert isinstance(node.iter, ast.Call)
        assert isinstance(node.target, ast.Name)
        values = [self.expressions.value(argument) for argument in node.iter.args]
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
        self.loops.append(loop)
        self.function.repetitions += 1
        self.function.lane_depth += _is_over_lanes(node)
        self.block(node.body)
        self.function.lane_depth -= _is_over_lanes(node)
        self.function.repetitions -= 1
        self.loops.pop()
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
                raise self.scope.error(node.iter, "lanes is not that of core/lanes.py")
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
