# SPDX-License-Identifier: Apache-2.0
"""Expressions of the subset: variables, rows and tables, operators, conditions, choices.

Operands are evaluated in Python's order, because calls change the record, and only as far as Python
does. `branch` jumps on a condition and lets each side know what the comparison has told about its
operands; `condition` gives it as an i1.
"""

from __future__ import annotations

import ast

from tensix_gdb.core.engine.lowering import ranges, rows
from tensix_gdb.core.engine.lowering.arithmetic import COMPARE
from tensix_gdb.core.engine.lowering.facts import Flag, Value, Word
from tensix_gdb.core.engine.lowering.ranges import Range, union
from tensix_gdb.core.engine.lowering.tree import is_condition
from tensix_gdb.core.engine.lowering.visitor import Visitor
from tensix_gdb.core.record.layout import Slot


class Expressions(Visitor):
    """Lowers expressions."""

    # -- variables
    def visit_Name(self, node: ast.Name) -> Value:
        name = node.id
        if name in self.scope.constants:
            raise self.scope.error(node, f"{name} is a function here and can only be called")
        if name not in self.scope.variables:
            static = self.scope.static(node) if name != "S" else None
            what = "the record" if name == "S" else f"a {type(static).__name__}"
            raise self.scope.error(node, f"{name} is {what}, not a number")
        if name not in self.assigned:
            raise self.scope.error(
                node, f"{name} may have no value yet; give it one before the branch or loop"
            )
        return self.read(name)

    # -- rows of the record, constant tables
    def visit_Attribute(self, node: ast.Attribute) -> Value:
        if self.row_slot(node) is None:
            raise self.scope.error(
                node, f"{ast.unparse(node)} is not a number; rows are S.part.field[index]"
            )
        return self.load_row(node)

    def visit_Subscript(self, node: ast.Subscript) -> Value:
        if self.row_slot(node.value) is not None:
            return self.load_row(node)
        return self.load_constant(node)

    def row_slot(self, node: ast.expr) -> Slot | None:
        """Return the row that `S.part.field` names; None for anything else."""
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute)):
            return None
        if not self.scope.is_record(node.value.value):
            return None
        try:
            return self.program.layout.slot(node.value.attr, node.attr)
        except KeyError as problem:
            raise self.scope.error(node, str(problem.args[0])) from None

    def element(self, node: ast.expr) -> tuple[Slot, str, int]:
        """Return row, address and TBAA tag of `S.part.field` or `S.part.field[i, j]`."""
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
            indexes = [
                self.bound(node, value, length, what)
                for value, length in zip(values, shape, strict=True)
            ]
        kept_at = self.program.kept.get((slot.part, slot.field.name))
        at = rows.address(self.builder, slot, indexes, kept_at)
        return slot, at, self.program.tag(slot)

    def bound(self, node: ast.expr, index: Value, length: int, what: str) -> str:
        """Return an index as an operand that is certainly in range(length)."""
        if isinstance(index, int) and not 0 <= index < length:
            raise self.scope.error(node, f"index {int(index)} is outside {what}")
        return rows.bound(self.builder, self.defects, node, index, length, what)

    def load_row(self, node: ast.expr) -> Word:
        slot, at, tag = self.element(node)
        return rows.load(self.builder, slot, at, tag)

    def load_constant(self, node: ast.Subscript) -> Word:
        table = self.scope.static(node.value)
        name = ast.unparse(node.value)
        if not isinstance(table, tuple) or not table:
            raise self.scope.error(node, f"{name} is neither a row nor a module-level tuple")
        if not all(isinstance(value, int) for value in table):
            raise self.scope.error(
                node, f"{name} is a dispatch table: call what it holds, {name}[i](…)"
            )
        index = self.bound(node, self.value(node.slice), len(table), f"{name}[{len(table)}]")
        values = tuple(map(int, table))
        return rows.load_constant(self.builder, self.program.table(values), values, index)

    # -- operators
    def visit_BinOp(self, node: ast.BinOp) -> Value:
        left = self.value(node.left)
        return self.binary(node, node.op, left, self.value(node.right))

    def binary(self, node: ast.AST, op: ast.operator, left: Value, right: Value) -> Value:
        if isinstance(right, int):
            if right < 0 and isinstance(op, ast.LShift | ast.RShift):
                raise self.scope.error(node, f"shift count {int(right)} is negative")
            if right == 0 and isinstance(op, ast.FloorDiv | ast.Mod):
                raise self.scope.error(node, "division by zero")
        return self.arithmetic.binary(node, type(op), left, right)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return self.builder.flag(f"xor i1 {self.condition(node.operand)}, true")
        value = self.value(node.operand)
        if isinstance(node.op, ast.USub):
            return self.arithmetic.negate(node, value)
        return self.builder.word(f"xor i64 {self.builder.as_word(value)}, -1")

    # -- comparisons and conditions as values
    def visit_Compare(self, node: ast.Compare) -> Value:
        if isinstance(node.ops[0], ast.In | ast.NotIn):
            return self.membership(node)
        if len(node.ops) > 1:
            return self.materialise(node)
        left = self.value(node.left)
        return self.compare_words(node.ops[0], left, self.value(node.comparators[0]))

    def compare_words(self, op: ast.cmpop, left: Value, right: Value) -> Flag:
        a, b = self.builder.as_word(left), self.builder.as_word(right)
        return self.builder.flag(f"icmp {COMPARE[type(op)][0]} i64 {a}, {b}")

    def membership(self, node: ast.Compare) -> Value:
        if len(node.ops) > 1:
            raise self.scope.error(node, "`in` cannot be chained; join two conditions with `and`")
        value = self.word(node.left)
        result: Flag | None = None
        for member in self.scope.members(node.comparators[0]):
            same = self.builder.flag(f"icmp eq i64 {value}, {member}")
            result = same if result is None else self.builder.flag(f"or i1 {result}, {same}")
        if result is None:
            return not isinstance(node.ops[0], ast.In)
        if isinstance(node.ops[0], ast.NotIn):
            return self.builder.flag(f"xor i1 {result}, true")
        return result

    def visit_BoolOp(self, node: ast.BoolOp) -> Value:
        """`and`, `or` as a value: only of conditions, where the result is 0 or 1 in Python too."""
        if not all(map(is_condition, node.values)):
            raise self.scope.error(
                node, "and/or of numbers is only for conditions; as a value write `a if c else b`"
            )
        return self.materialise(node)

    def condition(self, node: ast.expr) -> str:
        """Evaluate `node` as an i1 operand."""
        if self.scope.fold(node) is None and isinstance(node, ast.BoolOp):
            return self.materialise(node)
        return self.builder.as_flag(self.value(node))

    def materialise(self, node: ast.expr) -> Flag:
        """Evaluate a condition with short circuit as a value."""
        builder = self.builder
        yes, no, end = builder.label(), builder.label(), builder.label()
        self.branch(node, yes, no)
        ways = []
        for label, result in ((yes, "true"), (no, "false")):
            builder.position_at(label)
            if builder.reachable:
                ways.append(f"[ {result}, %{builder.at} ]")
            builder.jump(end)
        builder.position_at(end)
        return builder.flag(f"phi i1 {', '.join(ways)}")

    # -- conditions as jumps
    def branch(self, node: ast.expr, yes: str, no: str) -> None:
        """Jump to `yes` or `no`."""
        known = self.scope.fold(node)
        if known is not None:
            self.builder.jump(yes if known else no)
            return
        match node:
            case ast.BoolOp():
                self.branch_bool(node, yes, no)
            case ast.UnaryOp(op=ast.Not()):
                self.branch(node.operand, no, yes)
            case ast.Compare(ops=[_, _, *_]):
                self.branch_chain(node, yes, no)
            case ast.Compare(ops=[op]) if type(op) in COMPARE:
                left = self.value(node.left)
                self.branch_comparison(op, left, self.value(node.comparators[0]), yes, no)
            case _:
                self.builder.branch(self.builder.as_flag(self.value(node)), yes, no)

    def branch_comparison(
        self, op: ast.cmpop, left: Value, right: Value, yes: str, no: str
    ) -> None:
        """Jump to `yes` or `no`, where more is known about the operands."""
        builder, kind = self.builder, type(op)
        flag = self.compare_words(op, left, right)
        facts = []
        for holds in (kind, ranges.OPPOSITE[kind]):
            for value, other, told in ((left, right, holds), (right, left, ranges.SWAPPED[holds])):
                if isinstance(value, Word) and value[0] == "%":
                    known = ranges.where(told, builder.range_of(other))
                    facts.append(builder.refined(value, known))
                    break
            else:
                facts.append(builder.facts)
        builder.branch(flag, yes, no, if_yes=facts[0], if_no=facts[1])

    def branch_bool(self, node: ast.BoolOp, yes: str, no: str) -> None:
        """`and`, `or`: later operands only if the earlier ones have not decided."""
        ends = isinstance(node.op, ast.Or)
        for operand in node.values[:-1]:
            known = self.scope.fold(operand)
            if known is not None:
                if bool(known) is ends:
                    self.builder.jump(yes if ends else no)
                    return
                continue
            further = self.builder.label()
            self.branch(operand, *((yes, further) if ends else (further, no)))
            self.builder.position_at(further)
            if not self.builder.reachable:
                return
        self.branch(node.values[-1], yes, no)

    def branch_chain(self, node: ast.Compare, yes: str, no: str) -> None:
        """`a < b < c`: every operand once, the later ones only if the earlier comparison holds."""
        left = self.value(node.left)
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            if type(op) not in COMPARE:
                raise self.scope.error(node, "`in` and `is` cannot be chained; use `and`")
            right = self.value(comparator)
            if comparator is node.comparators[-1]:
                self.branch_comparison(op, left, right, yes, no)
                return
            further = self.builder.label()
            self.branch_comparison(op, left, right, further, no)
            self.builder.position_at(further)
            left = right

    # -- choices
    def visit_IfExp(self, node: ast.IfExp) -> Value:
        test = self.scope.fold(node.test)
        if test is not None:
            return self.value(node.body if test else node.orelse)
        builder = self.builder
        if self.is_in_lanes() or self.arithmetic.is_narrow:
            selected = self.selection(node)
            if selected is not None:
                return selected
        yes, no, end = builder.label(), builder.label(), builder.label()
        self.branch(node.test, yes, no)
        ways: list[tuple[Value, str, Range]] = []
        for label, part in ((yes, node.body), (no, node.orelse)):
            builder.position_at(label)
            if builder.reachable:
                value = Word(self.word(part))
                ways.append((value, builder.at, builder.range_of(value)))
            builder.jump(end)
        builder.position_at(end)
        return builder.phi(ways)

    def selection(self, node: ast.IfExp) -> Word | None:
        """Write a choice without a branch, which LLVM might not get rid of in a loop over lanes;
        None where one of the two may do more than give a number."""
        builder = self.builder
        before = builder.checkpoint()
        flag = self.condition(node.test)
        start = builder.checkpoint()
        yes, no = Word(self.word(node.body)), Word(self.word(node.orelse))
        if not builder.is_pure_since(start):
            builder.rollback(before)
            return None
        known = union(builder.range_of(yes), builder.range_of(no))
        return self.arithmetic.selected(flag, yes, no, known)
