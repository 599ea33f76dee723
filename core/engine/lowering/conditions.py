# SPDX-License-Identifier: Apache-2.0
"""Conditions of the subset: `and`, `or`, comparisons and their chains, as jumps or as an i1.

`branch` jumps, and lets each side know what the comparison has told about its operands; `as_flag`
gives a value. Operands are evaluated only as far as Python does.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tensix_gdb.core.engine.lowering import ranges
from tensix_gdb.core.engine.lowering.arithmetic import COMPARE
from tensix_gdb.core.engine.lowering.ir_builder import Flag, Value, Word

if TYPE_CHECKING:
    from tensix_gdb.core.engine.lowering.expressions import Expressions
    from tensix_gdb.core.engine.lowering.function import FunctionLowering


class Conditions:
    """Conditions of one function instance."""

    def __init__(self, function: FunctionLowering, expressions: Expressions) -> None:
        self.scope = function.scope
        self.body = function.body
        self.expressions = expressions

    def as_flag(self, node: ast.expr) -> str:
        """`node` as an i1 operand."""
        if self.scope.fold(node) is None and isinstance(node, ast.BoolOp):
            return self.materialise(node)
        return self.body.as_flag(self.expressions.value(node))

    def branch(self, node: ast.expr, yes: str, no: str) -> None:
        """Jump to `yes` or `no`."""
        known = self.scope.fold(node)
        if known is not None:
            self.body.jump(yes if known else no)
            return
        match node:
            case ast.BoolOp():
                self.branch_bool(node, yes, no)
            case ast.UnaryOp(op=ast.Not()):
                self.branch(node.operand, no, yes)
            case ast.Compare(ops=[_, _, *_]):
                self.branch_chain(node, yes, no)
            case ast.Compare(ops=[op]) if type(op) in COMPARE:
                left = self.expressions.value(node.left)
                right = self.expressions.value(node.comparators[0])
                self.branch_comparison(op, left, right, yes, no)
            case _:
                self.body.branch(self.body.as_flag(self.expressions.value(node)), yes, no)

    def branch_comparison(
        self, op: ast.cmpop, left: Value, right: Value, yes: str, no: str
    ) -> None:
        """Jump to `yes` or `no`, where more is known about the operands."""
        body, kind = self.body, type(op)
        flag = self.compare_words(op, left, right)
        facts = []
        for holds in (kind, ranges.OPPOSITE[kind]):
            for value, other, told in ((left, right, holds), (right, left, ranges.SWAPPED[holds])):
                if isinstance(value, Word) and value[0] == "%":
                    facts.append(body.narrowed(value, ranges.where(told, body.range_of(other))))
                    break
            else:
                facts.append(body.facts)
        body.branch(flag, yes, no, if_yes=facts[0], if_no=facts[1])

    def branch_bool(self, node: ast.BoolOp, yes: str, no: str) -> None:
        ends = isinstance(node.op, ast.Or)
        for operand in node.values[:-1]:
            known = self.scope.fold(operand)
            if known is not None:
                if bool(known) is ends:
                    self.body.jump(yes if ends else no)
                    return
                continue
            go_on = self.body.label()
            self.branch(operand, *((yes, go_on) if ends else (go_on, no)))
            self.body.place(go_on)
            if not self.body.alive:
                return
        self.branch(node.values[-1], yes, no)

    def branch_chain(self, node: ast.Compare, yes: str, no: str) -> None:
        """`a < b < c`: every operand once, the later ones only if the earlier comparison holds."""
        left = self.expressions.value(node.left)
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            if type(op) not in COMPARE:
                raise self.scope.error(node, "`in` and `is` cannot be chained; use `and`")
            right = self.expressions.value(comparator)
            if comparator is node.comparators[-1]:
                self.branch_comparison(op, left, right, yes, no)
                return
            go_on = self.body.label()
            self.branch_comparison(op, left, right, go_on, no)
            self.body.place(go_on)
            left = right

    # -- as a value
    def compare_words(self, op: ast.cmpop, left: Value, right: Value) -> Flag:
        a, b = self.body.as_word(left), self.body.as_word(right)
        return self.body.flag(f"icmp {COMPARE[type(op)][0]} i64 {a}, {b}")

    def bool_value(self, node: ast.BoolOp) -> Value:
        """`and`, `or` as a value: only of conditions, where the result is 0 or 1 in Python too."""
        if not all(self.is_condition(operand) for operand in node.values):
            raise self.scope.error(
                node, "and/or of numbers is only for conditions; as a value write `a if c else b`"
            )
        return self.materialise(node)

    def is_condition(self, node: ast.expr) -> bool:
        match node:
            case ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.Constant(value=bool()):
                return True
            case ast.BoolOp(values=values):
                return all(map(self.is_condition, values))
        return False

    def materialise(self, node: ast.expr) -> Flag:
        """A condition with short circuit as a value."""
        body = self.body
        yes, no, end = body.label(), body.label(), body.label()
        self.branch(node, yes, no)
        ways = []
        for label, result in ((yes, "true"), (no, "false")):
            body.place(label)
            if body.alive:
                ways.append(f"[ {result}, %{body.at} ]")
            body.jump(end)
        body.place(end)
        return body.flag(f"phi i1 {', '.join(ways)}")
