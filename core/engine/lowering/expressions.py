# SPDX-License-Identifier: Apache-2.0
"""Expressions of the subset: variables, rows and tables, operators, choices.

`value` gives a known number, an i64 or an i1. Operands are evaluated in Python's order, because
calls change the record. Conditions are in conditions.py, calls in calls.py.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tensix_gdb.core.engine.lowering import rows
from tensix_gdb.core.engine.lowering.arithmetic import Arithmetic
from tensix_gdb.core.engine.lowering.calls import Calls
from tensix_gdb.core.engine.lowering.conditions import Conditions
from tensix_gdb.core.engine.lowering.ir_builder import Flag, Value, Word
from tensix_gdb.core.engine.lowering.ranges import Range, union
from tensix_gdb.core.record.layout import Slot

if TYPE_CHECKING:
    from tensix_gdb.core.engine.lowering.function import FunctionLowering


class Expressions:
    """Expressions of one function instance."""

    def __init__(self, function: FunctionLowering) -> None:
        self.function = function
        self.scope = function.scope
        self.body = function.body
        self.arithmetic = Arithmetic(function.body, function)
        self.calls = Calls(function, self)
        self.conditions = Conditions(function, self)

    def word(self, node: ast.expr) -> str:
        """The value of `node` as the operand of an i64 instruction."""
        return self.body.as_word(self.value(node))

    def value(self, node: ast.expr) -> Value:
        known = self.scope.fold(node)
        if known is not None:
            return known
        match node:
            case ast.Name():
                return self.variable(node)
            case ast.Attribute():
                return self.row(node)
            case ast.Subscript():
                if self.row_slot(node.value) is not None:
                    return self.row(node)
                return self.table(node)
            case ast.BinOp():
                left = self.value(node.left)
                return self.binary(node, node.op, left, self.value(node.right))
            case ast.UnaryOp():
                return self.unary(node)
            case ast.Compare():
                return self.compare(node)
            case ast.BoolOp():
                return self.conditions.bool_value(node)
            case ast.IfExp():
                return self.choice(node)
            case ast.Call():
                return self.calls.call(node, wanted=True)
        raise self.scope.error(node, f"{type(node).__name__} cannot be used as a value")

    # -- variables
    def variable(self, node: ast.Name) -> Value:
        name = node.id
        if name in self.scope.constants:
            raise self.scope.error(node, f"{name} is a function here and can only be called")
        if name not in self.scope.variables:
            static = self.scope.static(node) if name != "S" else None
            what = "the record" if name == "S" else f"a {type(static).__name__}"
            raise self.scope.error(node, f"{name} is {what}, not a number")
        if name not in self.function.assigned:
            raise self.scope.error(
                node, f"{name} may have no value yet; give it one before the branch or loop"
            )
        return self.function.read(name)

    # -- rows of the record, constant tables
    def row_slot(self, node: ast.expr) -> Slot | None:
        """The row that `S.part.field` names; None for anything else."""
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute)):
            return None
        if not self.scope.is_record(node.value.value):
            return None
        try:
            return self.function.module.layout.slot(node.value.attr, node.attr)
        except KeyError as problem:
            raise self.scope.error(node, str(problem.args[0])) from None

    def element(self, node: ast.expr) -> tuple[Slot, str, int]:
        """Row, address and TBAA tag of `S.part.field` or `S.part.field[i, j]`."""
        indexed = isinstance(node, ast.Subscript)
        slot = self.row_slot(node.value if isinstance(node, ast.Subscript) else node)
        if slot is None:
            raise self.scope.error(node, f"{ast.unparse(node)} is not a row: S.part.field[index]")
        shape = slot.field.shape
        if indexed != bool(shape):
            raise self.scope.error(
                node,
                f"{rows.describe(slot)} needs an index" if shape else f"{slot.path} has no index",
            )
        indexes: list[str] = []
        if isinstance(node, ast.Subscript):
            nodes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            if len(nodes) != len(shape):
                raise self.scope.error(node, f"{rows.describe(slot)} needs {len(shape)} indexes")
            values = [self.value(each) for each in nodes]
            what = rows.describe(slot)
            for value, length in zip(values, shape, strict=True):
                self.check_known(node, value, length, what)
                indexes.append(rows.bound(self.body, self.function, node, value, length, what))
        at = rows.address(self.body, slot, indexes)
        return slot, at, self.function.module.tag(slot)

    def check_known(self, node: ast.expr, index: Value, length: int, what: str) -> None:
        if isinstance(index, int) and not 0 <= index < length:
            raise self.scope.error(node, f"index {int(index)} is outside {what}")

    def row(self, node: ast.expr) -> Word:
        if isinstance(node, ast.Attribute) and self.row_slot(node) is None:
            raise self.scope.error(
                node, f"{ast.unparse(node)} is not a number; rows are S.part.field[index]"
            )
        slot, at, tag = self.element(node)
        return rows.load(self.body, slot, at, tag)

    def table(self, node: ast.Subscript) -> Word:
        table = self.scope.static(node.value)
        name = ast.unparse(node.value)
        if not isinstance(table, tuple) or not table:
            raise self.scope.error(node, f"{name} is neither a row nor a module-level tuple")
        if not all(isinstance(value, int) for value in table):
            raise self.scope.error(
                node, f"{name} is a dispatch table: call what it holds, {name}[i](…)"
            )
        what = f"{name}[{len(table)}]"
        index = self.value(node.slice)
        self.check_known(node, index, len(table), what)
        at = rows.bound(self.body, self.function, node, index, len(table), what)
        return self.function.module.tables.load(self.body, tuple(map(int, table)), at)

    # -- operators
    def binary(self, node: ast.AST, op: ast.operator, left: Value, right: Value) -> Value:
        if isinstance(right, int):
            if right < 0 and isinstance(op, ast.LShift | ast.RShift):
                raise self.scope.error(node, f"shift count {int(right)} is negative")
            if right == 0 and isinstance(op, ast.FloorDiv | ast.Mod):
                raise self.scope.error(node, "division by zero")
        return self.arithmetic.binary(node, type(op), left, right)

    def unary(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return self.body.flag(f"xor i1 {self.conditions.as_flag(node.operand)}, true")
        value = self.value(node.operand)
        if isinstance(node.op, ast.USub):
            return self.arithmetic.negate(node, value)
        return self.body.word(f"xor i64 {self.body.as_word(value)}, -1")

    def compare(self, node: ast.Compare) -> Value:
        if isinstance(node.ops[0], ast.In | ast.NotIn):
            return self.membership(node)
        if len(node.ops) > 1:
            return self.conditions.materialise(node)
        left = self.value(node.left)
        return self.conditions.compare_words(node.ops[0], left, self.value(node.comparators[0]))

    def membership(self, node: ast.Compare) -> Value:
        if len(node.ops) > 1:
            raise self.scope.error(node, "`in` cannot be chained; join two conditions with `and`")
        value = self.word(node.left)
        result: Flag | None = None
        for member in self.scope.members(node.comparators[0]):
            same = self.body.flag(f"icmp eq i64 {value}, {member}")
            result = same if result is None else self.body.flag(f"or i1 {result}, {same}")
        if result is None:
            return not isinstance(node.ops[0], ast.In)
        if isinstance(node.ops[0], ast.NotIn):
            return self.body.flag(f"xor i1 {result}, true")
        return result

    def choice(self, node: ast.IfExp) -> Value:
        test = self.scope.fold(node.test)
        if test is not None:
            return self.value(node.body if test else node.orelse)
        body = self.body
        if self.function.lane_depth:
            selected = self.selection(node)
            if selected is not None:
                return selected
        yes, no, end = body.label(), body.label(), body.label()
        self.conditions.branch(node.test, yes, no)
        ways: list[tuple[Value, str, Range]] = []
        for label, part in ((yes, node.body), (no, node.orelse)):
            body.place(label)
            if body.alive:
                value = Word(self.word(part))
                ways.append((value, body.at, body.range_of(value)))
            body.jump(end)
        body.place(end)
        return body.phi(ways)

    def selection(self, node: ast.IfExp) -> Word | None:
        """A choice without a branch, which LLVM might not get rid of in a loop over lanes; None
        where one of the two may do more than give a number."""
        body = self.body
        before = body.mark()
        flag = self.conditions.as_flag(node.test)
        start = body.mark()
        yes, no = Word(self.word(node.body)), Word(self.word(node.orelse))
        if not body.is_plain_since(start):
            body.go_back(before)
            return None
        known = union(body.range_of(yes), body.range_of(no))
        return body.word(f"select i1 {flag}, i64 {yes}, i64 {no}", known)
