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
from tensix_gdb.core.origin.instrumented.forms import HELPERS, put_bits
from tensix_gdb.core.origin.instrumented.rewrite import Rewriter
from tensix_gdb.core.origin.instrumented.scopes import SCOPES, Scope
from tensix_gdb.core.origin.instrumented.values import CONTEXT, plain
from tensix_gdb.core.origin.instrumented.watched import Watch

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
        """Return the replacement of a machine's global: function, table of functions, module."""
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
        """Return the instrumented function."""
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
        tree = Rewriter().visit(ast.parse(ast.unparse(node)))
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
        super().__init__(HELPERS)
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


_REPLACED: dict[str, Callable[..., Any]] = {
    "engine.lanes.lanes": HELPERS["_range"],
    "arch.numbers.put_bits": put_bits,
}
# The word of an instruction is no part of what it computes.
_WITHOUT_ORIGIN = frozenset({"memory.ram.decode_at"})
