# SPDX-License-Identifier: Apache-2.0
"""The functions of the machine once more, rewritten so that values keep what they were made of.

Python's operators do most of it (values.py). What would lose it is replaced in the syntax tree: a
table that is indexed, `int.bit_length`, `min` and `max`, `not`, `in`, and `range`. A function gives
back what it has branched on with its result, and forgets it: what a callee has asked about steers
its caller only through that. So does an `if` with the variables that it assigns, and a round of a
`for`, as long as nothing in them leaves the function or the loop.

The text is the one that runs: functions are found as the compiler finds them (engine/source.py), so
there is no second definition of anything. They are rewritten when they are called first.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import partial
from types import FunctionType, ModuleType
from typing import Any

from tensix_gdb.core.engine import source
from tensix_gdb.core.origin.scopes import SCOPES, Scope
from tensix_gdb.core.origin.values import CONTEXT, Made, joined, made, plain, spread, steer_of
from tensix_gdb.core.origin.watched import Watch

PACKAGE = "tensix_gdb.core."


class Instrumented:
    """The instrumented functions of one watch."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._functions: dict[FunctionType, Callable[..., Any]] = {}
        self._globals: dict[int, _Globals] = {}
        self._tables: dict[int, tuple[Any, Any]] = {}
        self._modules: dict[int, _Module] = {}

    def of(self, thing: Any) -> Any:
        """What stands for a global of the machine: a function, a table of functions, a module."""
        if isinstance(thing, FunctionType):
            return self.function(thing)
        if isinstance(thing, partial):
            words = {name: self.of(value) for name, value in thing.keywords.items()}
            return partial(self.of(thing.func), *map(self.of, thing.args), **words)
        if type(thing) is tuple and any(map(_is_code, thing)):
            known = self._tables.get(id(thing))
            if known is None:
                known = self._tables[id(thing)] = (thing, tuple(map(self.of, thing)))
            return known[1]
        if isinstance(thing, ModuleType) and thing.__name__.startswith(PACKAGE):
            return self._modules.setdefault(id(thing), _Module(self, thing))
        return thing

    def function(self, function: FunctionType) -> Callable[..., Any]:
        """The instrumented function."""
        known = self._functions.get(function)
        if known is None:
            if not function.__module__.startswith(PACKAGE):
                return function
            known = self._functions[function] = _Lazy(self, function)
        return known

    def rewritten(self, function: FunctionType) -> Callable[..., Any]:
        """Rewrite a function now."""
        name = f"{function.__module__.removeprefix(PACKAGE)}.{function.__name__}"
        if (replaced := _REPLACED.get(name)) is not None:
            return replaced
        if name in _WITHOUT_ORIGIN:
            record = self._watch.record
            return lambda S, *arguments: function(record.S, *map(plain, arguments))
        _, node = source.find(function)
        tree = _Rewriter().visit(ast.parse(ast.unparse(node)))
        ast.fix_missing_locations(tree)
        code = compile(tree, function.__code__.co_filename, "exec", dont_inherit=True)
        names = self._globals.get(id(function.__globals__))
        if names is None:
            names = self._globals[id(function.__globals__)] = _Globals(self, function.__globals__)
        into: dict[str, Any] = {}
        exec(code, names, into)  # the text of the package itself
        new: Callable[..., Any] = into[function.__name__]
        describe = SCOPES.get(name)
        return new if describe is None else self._scoped(new, describe)

    def _scoped(
        self, function: Callable[..., Any], describe: Callable[..., Scope | None]
    ) -> Callable[..., Any]:
        watch = self._watch

        def call(S: Any, *arguments: Any) -> Any:
            outer, steer = watch.scope, CONTEXT.steer
            watch.scope = describe(watch.record.S, outer, *map(plain, arguments)) or outer
            # What has decided that this instruction has its turn decides nothing about its values.
            CONTEXT.steer = None
            try:
                return plain(function(S, *arguments))
            finally:
                watch.scope, CONTEXT.steer = outer, steer

        return call


class _Lazy:
    """A function that is rewritten when it is called."""

    __slots__ = ("_all", "_function", "_new")

    def __init__(self, all_: Instrumented, function: FunctionType) -> None:
        self._all, self._function = all_, function
        self._new: Callable[..., Any] | None = None

    def __call__(self, *arguments: Any, **words: Any) -> Any:
        if self._new is None:
            self._new = self._all.rewritten(self._function)
        return self._new(*arguments, **words)


class _Globals(dict[str, Any]):
    """Globals of a module, with what stands for its functions."""

    def __init__(self, all_: Instrumented, names: Mapping[str, Any]) -> None:
        super().__init__(_HELPERS)
        self._all, self._names = all_, names

    def __missing__(self, name: str) -> Any:
        if name not in self._names:
            raise KeyError(name)
        value = self[name] = self._all.of(self._names[name])
        return value


class _Module:
    """A module that functions are called from."""

    def __init__(self, all_: Instrumented, module: ModuleType) -> None:
        self.__dict__["_all"], self.__dict__["_module"] = all_, module

    def __getattr__(self, name: str) -> Any:
        value = self.__dict__[name] = self._all.of(getattr(self._module, name))
        return value


def _is_code(thing: Any) -> bool:
    return isinstance(thing, FunctionType | partial) or (
        type(thing) is tuple and any(map(_is_code, thing))
    )


# What stands for forms of the subset


def _look(table: Any, index: Any) -> Any:
    value = table[index]
    if type(index) is Made and isinstance(value, int):
        return spread(int(value), index, value) if type(value) is Made else spread(value, index)
    return value


def _bit_length(value: int) -> Any:
    return spread(int.bit_length(value), value)


def _least(*values: Any) -> Any:
    return spread(min(map(plain, values)), *values) if len(values) > 1 else min(*values)


def _greatest(*values: Any) -> Any:
    return spread(max(map(plain, values)), *values) if len(values) > 1 else max(*values)


def _not(value: Any) -> Any:
    return spread(int(not plain(value)), value) if type(value) is Made else not value


def _in(value: Any, choices: Any) -> Any:
    return spread(int(plain(value) in tuple(map(plain, choices))), value)


def _range(*bounds: Any) -> Any:
    for one in bounds:
        if type(one) is Made:
            CONTEXT.steer = (CONTEXT.steer, one)
    return range(*map(plain, bounds))


def _enter() -> Any:
    return CONTEXT.steer


def _back(outer: Any) -> None:
    CONTEXT.steer = outer


def _chosen(value: Any) -> Any:
    """A value that a branch has chosen: what it has asked about steers the value."""
    if CONTEXT.steer is None or not isinstance(value, int):
        return value
    if type(value) is Made:
        return made(int(value), value.parts, joined(value.steer, CONTEXT.steer))
    return made(int(value), {}, CONTEXT.steer)


def _choose(test: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
    outer = CONTEXT.steer
    value = yes() if test else no()
    return _leave(outer, value)


def _alone(compute: Callable[[], Any]) -> Any:
    outer = CONTEXT.steer
    return _leave(outer, compute())


def _leave(outer: Any, value: Any = None) -> Any:
    inner, CONTEXT.steer = CONTEXT.steer, outer
    if inner is not outer and isinstance(value, int):
        if type(value) is Made:
            return made(int(value), value.parts, joined(steer_of(value), inner))
        return made(int(value), {}, inner)
    return value


_HELPERS: dict[str, Any] = {
    "_look": _look,
    "_bit_length": _bit_length,
    "_least": _least,
    "_greatest": _greatest,
    "_not": _not,
    "_in": _in,
    "_range": _range,
    "_enter": _enter,
    "_leave": _leave,
    "_back": _back,
    "_chosen": _chosen,
    "_choose": _choose,
    "_alone": _alone,
}
_REPLACED: dict[str, Callable[..., Any]] = {"engine.lanes.lanes": _range}
# The word of an instruction is no part of what it computes.
_WITHOUT_ORIGIN = frozenset({"memory.ram.decode_at"})


class _Rewriter(ast.NodeTransformer):
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
    """The variables that are assigned anywhere in a statement."""
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
