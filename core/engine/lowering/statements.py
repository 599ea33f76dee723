# SPDX-License-Identifier: Apache-2.0
"""Statements of the subset as blocks of LLVM IR.

`function.assigned` follows the text: which variables certainly have a value here. Where paths meet
it is what they have in common, so that a variable without a value is found when compiling and
never read when running.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tensix_gdb.core.engine.lowering import ranges, rows
from tensix_gdb.core.engine.lowering.expressions import Expressions
from tensix_gdb.core.engine.lowering.ir_builder import Value
from tensix_gdb.core.engine.lowering.loops import Loops

if TYPE_CHECKING:
    from tensix_gdb.core.engine.lowering.function import FunctionLowering


class Statements:
    """Statements of one function instance."""

    def __init__(self, function: FunctionLowering) -> None:
        self.function = function
        self.scope = function.scope
        self.body = function.body
        self.expressions = Expressions(function)
        self.loops = Loops(function, self)

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
                self.loops.while_loop(node)
            case ast.For():
                self.loops.for_loop(node)
            case ast.Match():
                self.match(node)
            case ast.Return(value=value):
                self.leave(node, value)
            case ast.Break():
                self.loops.leave()
            case ast.Continue():
                self.loops.go_on()
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
            self.expressions.conditions.branch(node.test, yes, no)
            self.arms([(yes, node.body), (no, node.orelse)], end)
            return
        self.expressions.conditions.branch(node.test, yes, end)
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
