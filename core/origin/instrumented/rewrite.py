# SPDX-License-Identifier: Apache-2.0
"""The syntax tree of a function of the machine, with calls of forms.py where values would lose what
they were made of (instrument.py says where)."""

from __future__ import annotations

import ast
from typing import Any


class Rewriter(ast.NodeTransformer):
    """Rewrites the syntax tree of one function."""

    def __init__(self) -> None:
        self._bound: set[str] = set()
        self._count = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        node.decorator_list = []
        for one in [*node.args.args, *node.args.posonlyargs, *node.args.kwonlyargs]:
            one.annotation = None
            self._bound.add(one.arg)
        if node.args.vararg is not None:
            node.args.vararg.annotation = None
        node.body = self._block(node.body)
        enter = ast.parse("_outer = _enter()").body
        end = ast.parse("_leave(_outer)").body
        node.body = [*enter, *node.body, *end]
        return node

    def _block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Rewrite statements in order, and note which names they certainly bind."""
        new: list[ast.stmt] = []
        for statement in statements:
            made = self.visit(statement)
            new += made if isinstance(made, list) else [made]
            if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
                self._bound |= _stored(statement)
        return new

    def _branch(self, statements: list[ast.stmt], changed: set[str]) -> list[ast.stmt]:
        """A branch: at its end its variables are chosen by it."""
        before = set(self._bound)
        new = self._block(statements)
        names = sorted(changed & self._bound)
        self._bound = before
        if _leaves(statements, (ast.Return, ast.Break, ast.Continue), last_only=True):
            return new
        return [*new, *(_assign(name, _call("_chosen", _name(name))) for name in names)] or [
            ast.Pass()
        ]

    def visit_If(self, node: ast.If) -> Any:
        node.test = self.visit(node.test)
        changed = _stored(node)
        abrupt = _leaves([node], (ast.Return, ast.Break, ast.Continue))
        node.body = self._branch(node.body, changed)
        node.orelse = self._branch(node.orelse, changed)
        return [node] if abrupt else self._enclosed(node)

    def visit_Match(self, node: ast.Match) -> Any:
        node.subject = self.visit(node.subject)
        changed = _stored(node)
        abrupt = _leaves([node], (ast.Return, ast.Break, ast.Continue))
        for case in node.cases:
            case.body = self._branch(case.body, changed)
        return [node] if abrupt else self._enclosed(node)

    def _enclosed(self, node: ast.stmt) -> list[ast.stmt]:
        self._count += 1
        name = f"_outer{self._count}"
        back = ast.Expr(_call("_back", _name(name)))
        return [_assign(name, _call("_enter")), node, back]

    def visit_For(self, node: ast.For) -> Any:
        node.iter = self.visit(node.iter)
        before = set(self._bound)
        self._bound |= {one.id for one in ast.walk(node.target) if isinstance(one, ast.Name)}
        abrupt = _leaves(node.body, (ast.Return, ast.Break))
        body = self._block(node.body)
        self._bound = before
        node.orelse = self._block(node.orelse)
        node.body = body
        if abrupt:
            return [node]
        self._count += 1
        name = f"_outer{self._count}"
        node.body = [ast.Expr(_call("_back", _name(name))), *body]
        after = ast.Expr(_call("_back", _name(name)))
        return [_assign(name, _call("_enter")), node, after]

    def visit_While(self, node: ast.While) -> Any:
        node.test = self.visit(node.test)
        before = set(self._bound)
        node.body = self._block(node.body)
        self._bound = before
        return [node]

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        return _call("_choose", node.test, _later(node.body), _later(node.orelse))

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        asks = any(isinstance(one, ast.BoolOp) for one in ast.walk(node.value))
        self.generic_visit(node)
        if asks:
            node.value = _call("_alone", _later(node.value))
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        arguments = [ast.Name("_outer", ast.Load())]
        if node.value is not None:
            arguments.append(node.value)  # type: ignore[arg-type]
        return ast.Return(_call("_leave", *arguments))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        if node.value is None:
            return ast.Pass()
        return ast.Assign([node.target], node.value)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        base: ast.AST = node.value
        while isinstance(base, ast.Attribute | ast.Subscript):
            base = base.value
        is_row = isinstance(base, ast.Name) and base.id == "S"
        if is_row or not isinstance(node.ctx, ast.Load):
            return node
        return _call("_look", node.value, node.slice)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name):
            node.func.id = _CALLS.get(node.func.id, node.func.id)
        elif (
            isinstance(node.func, ast.Attribute)
            and node.func.attr == "bit_length"
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "int"
        ):
            node.func = ast.Name("_bit_length", ast.Load())
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return _call("_not", node.operand) if isinstance(node.op, ast.Not) else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn):
            found = _call("_in", node.left, node.comparators[0])
            return found if isinstance(node.ops[0], ast.In) else _call("_not", found)
        return node


def _stored(node: ast.AST) -> set[str]:
    """Return the variables that are assigned anywhere in a statement."""
    return {
        one.id
        for one in ast.walk(node)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    }


def _leaves(
    statements: list[Any], kinds: tuple[type[ast.AST], ...], *, last_only: bool = False
) -> bool:
    """True if something in these statements leaves them; or if the last one does."""
    if last_only:
        return bool(statements) and isinstance(statements[-1], kinds)
    return any(isinstance(one, kinds) for each in statements for one in ast.walk(each))


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _assign(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _later(value: ast.expr) -> ast.Lambda:
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), value)


_CALLS = {"min": "_least", "max": "_greatest", "range": "_range"}


def _call(name: str, *arguments: ast.AST) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])  # type: ignore[arg-type]
