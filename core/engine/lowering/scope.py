# SPDX-License-Identifier: Apache-2.0
"""The names of one function instance: variables, compile-time constants, and what is outside.

`static` returns what a name stands for if it is no variable, `fold` the number that an expression
is known to be. Both come before anything is generated, so that `if CHECKED:` costs nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from tensix_gdb.core.engine.dependencies import MISSING, Uses, look_up
from tensix_gdb.core.engine.entry import SubsetError, is_constant_name, problem_at
from tensix_gdb.core.engine.lowering.arithmetic import COMPARE, FOLD
from tensix_gdb.core.engine.lowering.ranges import SIGNED_64
from tensix_gdb.core.engine.lowering.tree import UnknownNodeError, stored_in_all

Static = int | Callable[..., Any]
_UNKNOWN = object()
# Rows without an index that keep one value as long as the code is in use: part, row, value.
NOTHING_FIXED: Mapping[tuple[str, str], int] = {}


class Scope:
    """One function with its ALL-CAPS parameters bound."""

    def __init__(
        self,
        label: str,
        node: ast.FunctionDef,
        function: FunctionType,
        constants: Mapping[str, Static],
        uses: Uses,
        fixed: Mapping[tuple[str, str], int] = NOTHING_FIXED,
    ) -> None:
        self.label = label
        self.function = function
        self.constants = constants
        self.uses = uses
        self.fixed = fixed
        self.parameters = [arg.arg for arg in node.args.args]
        try:
            self.assigned = stored_in_all(node.body)
        except UnknownNodeError as problem:
            raise self.unknown(problem.node) from None
        self.variables = self.assigned.union(
            name for name in self.parameters if name != "S" and not is_constant_name(name)
        )
        self.has_record = self.parameters[:1] == ["S"]
        self._folded: dict[ast.expr, object] = {}

    def error(self, node: ast.AST, sentence: str) -> SubsetError:
        """Return the error to raise about `node`."""
        return SubsetError(problem_at(self.label, node, sentence))

    def unknown(self, node: ast.AST) -> SubsetError:
        """Return the error about a node that subset.py allows and the lowering does not know."""
        what = type(node).__name__
        return self.error(node, f"{what} is not known to the lowering; teach core/engine/lowering")

    def is_record(self, node: ast.expr) -> bool:
        """True if `node` is `S`."""
        return isinstance(node, ast.Name) and node.id == "S" and self.has_record

    # -- what a name stands for
    def static(self, node: ast.expr) -> Any:
        """Return the object of a name or dotted name; MISSING for variables and expressions."""
        if isinstance(node, ast.Name):
            first = path = node.id
        else:
            dotted = _dotted(node)
            if dotted is None:
                return MISSING
            path, first = dotted, dotted.partition(".")[0]
        if first in self.constants:
            return self.constants[first] if path == first else MISSING
        if first in self.variables or (first == "S" and self.has_record):
            return MISSING
        value = look_up(self.function.__globals__, path)
        if value is MISSING:
            raise self.error(
                node, f"{path} is not known here; only module-level names and attributes of modules"
                " and enums can be used"
            )  # fmt: skip
        self.uses.note(self.function.__module__, path, value)
        return value

    # -- what an expression is known to be
    def fold(self, node: ast.expr) -> int | None:
        """Return the number that `node` always is; None if it depends on the run."""
        known = self._folded.get(node, _UNKNOWN)
        if known is _UNKNOWN:
            known = self._fold(node)
            if isinstance(known, int) and int(known) not in SIGNED_64:
                raise self.error(node, f"{hex(known)} leaves signed 64 bits")
            self._folded[node] = known
        return known  # type: ignore[return-value]

    def _fold(self, node: ast.expr) -> int | None:
        # By its class, and not by patterns one after the other: a sixth of the lowering is here.
        fold = _FOLDS.get(type(node))
        return None if fold is None else fold(self, node)

    def _fold_constant(self, node: ast.Constant) -> int | None:
        return node.value if isinstance(node.value, int) else None

    def _fold_name(self, node: ast.Name | ast.Attribute) -> int | None:
        value = self.static(node)
        if isinstance(value, bool):
            return value
        return int(value) if isinstance(value, int) else None

    def _fold_attribute(self, node: ast.Attribute) -> int | None:
        if isinstance(node.value, ast.Attribute) and self.is_record(node.value.value):
            return self.fixed.get((node.value.attr, node.attr))
        return self._fold_name(node)

    def _fold_choice(self, node: ast.IfExp) -> int | None:
        test = self.fold(node.test)
        return None if test is None else self.fold(node.body if test else node.orelse)

    def _fold_table(self, node: ast.Subscript) -> int | None:
        table, index = self.static(node.value), self.fold(node.slice)
        if not isinstance(table, tuple) or index is None:
            return None
        if not 0 <= index < len(table):
            raise self.error(
                node, f"index {index} is outside {ast.unparse(node.value)}[{len(table)}]"
            )
        value = table[index]
        return int(value) if isinstance(value, int) else None

    def _fold_unary(self, node: ast.UnaryOp) -> int | None:
        operand = node.operand
        if isinstance(node.op, ast.USub) and isinstance(operand, ast.Constant):
            # Also the least number, although its opposite leaves 64 bits.
            return -operand.value if isinstance(operand.value, int) else None
        value = self.fold(operand)
        if value is None:
            return None
        if isinstance(node.op, ast.Not):
            return not value
        return -value if isinstance(node.op, ast.USub) else ~int(value)

    def _fold_binary(self, node: ast.BinOp) -> int | None:
        left, right = self.fold(node.left), self.fold(node.right)
        if left is None or right is None:
            return None
        if isinstance(node.op, ast.LShift) and right > 64:
            right = 64 if left else 0
        try:
            return FOLD[type(node.op)](left, right)
        except (ZeroDivisionError, ValueError) as problem:
            raise self.error(node, f"{problem} in a constant expression") from None

    def _fold_bool(self, node: ast.BoolOp) -> int | None:
        ends = isinstance(node.op, ast.Or)
        value: int | None = None
        for operand in node.values:
            value = self.fold(operand)
            if value is None or bool(value) is ends:
                return value
        return value

    def _fold_compare(self, node: ast.Compare) -> int | None:
        if isinstance(node.ops[0], ast.Is | ast.IsNot):
            left, right = self.static(node.left), self.static(node.comparators[0])
            if len(node.ops) > 1 or left is MISSING or right is MISSING:
                raise self.error(
                    node, "`is` compares functions that are known here; use == for numbers"
                )
            return (left is right) is isinstance(node.ops[0], ast.Is)
        left = self.fold(node.left)
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, ast.In | ast.NotIn):
                if left is None or len(node.ops) > 1:
                    return None
                return (left in self.members(comparator)) is isinstance(op, ast.In)
            right = self.fold(comparator)
            if left is None or right is None:
                return None
            if isinstance(op, ast.Is | ast.IsNot):
                raise self.error(node, "`is` compares functions that are known here")
            if not COMPARE[type(op)][1](left, right):
                return False
            left = right
        return True

    def members(self, node: ast.expr) -> list[int]:
        """Return the numbers of `(1, 2, THREE)` on the right of `in`."""
        folded = [self.fold(e) for e in node.elts] if isinstance(node, ast.Tuple) else [None]
        numbers = [int(value) for value in folded if value is not None]
        if len(numbers) < len(folded):
            raise self.error(node, "`in` needs a tuple of constants: `x in (1, 2, THREE)`")
        return numbers


_FOLDS: dict[type[ast.expr], Callable[[Scope, Any], int | None]] = {
    ast.Constant: Scope._fold_constant,
    ast.Name: Scope._fold_name,
    ast.Attribute: Scope._fold_attribute,
    ast.Subscript: Scope._fold_table,
    ast.UnaryOp: Scope._fold_unary,
    ast.BinOp: Scope._fold_binary,
    ast.BoolOp: Scope._fold_bool,
    ast.Compare: Scope._fold_compare,
    ast.IfExp: Scope._fold_choice,
}


def _dotted(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        head = _dotted(node.value)
        return None if head is None else f"{head}.{node.attr}"
    return None
