# SPDX-License-Identifier: Apache-2.0
"""Look up the names of a subset function that are no variables, and record every answer.

Constants, tables and callees are looked up in the living modules, exactly where the reference
engine would find them. `Uses` keeps each answer in a canonical spelling, in which a function stands
for its code too. A cached object is used only while every answer is still the same, so an edit of
a callee in another module, or of a constant that a schema computes, cannot leave it stale.
"""

from __future__ import annotations

import builtins
import functools
import hashlib
import sys
from array import array
from enum import EnumMeta
from types import CodeType, FunctionType, ModuleType
from typing import Any

MISSING = object()


class Uses:
    """Everything outside the entries themselves that the generated code depends on."""

    def __init__(self, known: dict[str, dict[str, str]] | None = None) -> None:
        self.globals = {} if known is None else known

    def note(self, module: str, path: str, value: Any) -> None:
        """Record what a name in `module` stands for."""
        known = self.globals.setdefault(module, {})
        if path not in known:
            known[path] = canonical(value)

    def is_current(self) -> bool:
        """True if every name still stands for what it stood for."""
        for module, names in self.globals.items():
            owner = sys.modules.get(module)
            if owner is None:
                return False
            scope, spelt = vars(owner), _spelt.setdefault(module, {})
            for path, text in names.items():
                value = look_up(scope, path)
                known = spelt.get(path)
                if known is None or known[0] is not value:
                    known = spelt[path] = value, canonical(value)
                if known[1] != text:
                    return False
        return True


# What a name stood for when it was asked for last, and its spelling: a process that makes many
# tiles spells 8,000 names once.
_spelt: dict[str, dict[str, tuple[Any, str]]] = {}


def look_up(scope: dict[str, Any], path: str) -> Any:
    """Return the value of a dotted name; MISSING where it has none.

    Attributes are those of modules and enums, and of `int`, which has bit_length.
    """
    first, *rest = path.split(".") if "." in path else (path,)
    value = scope.get(first, MISSING)
    if value is MISSING:
        value = getattr(builtins, first, MISSING)
    for name in rest:
        if value is not int and not isinstance(value, ModuleType | EnumMeta):
            return MISSING
        value = getattr(value, name, MISSING)
    return value


def canonical(value: Any) -> str:
    """Return a spelling that differs when the generated code could differ."""
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, FunctionType):
        return f"{value.__module__}:{value.__qualname__}:{digest_of(value.__code__)}"
    if isinstance(value, functools.partial):
        bound = ",".join(f"{k}={canonical(v)}" for k, v in sorted(value.keywords.items()))
        return f"{canonical(value.func)}({bound};{len(value.args)})"
    if isinstance(value, tuple):
        known = _tables.get(id(value))
        if known is not None and known[0] is value:
            return known[1]
        only_numbers = set(map(type, value)) == {int}  # as of most tables
        content = _words(value) if only_numbers else ",".join(map(canonical, value)).encode()
        spelt = f"({len(value)}:{hashlib.blake2b(content, digest_size=16).hexdigest()})"
        if only_numbers:
            _tables[id(value)] = (value, spelt)
        return spelt
    return f"?{type(value).__qualname__}:{getattr(value, '__qualname__', '')}"


def _words(numbers: tuple[int, ...]) -> bytes:
    """Return numbers as bytes: 100,000 of them are spelled at each start, and this is a fifth of
    the time that digits take."""
    try:
        return array("q", numbers).tobytes()
    except OverflowError:
        return repr(numbers).encode()


# By id; the table or the code object is kept, so that the id stays its own. What is in a table of
# numbers never changes, and several modules have the same one.
_tables: dict[int, tuple[tuple[object, ...], str]] = {}
_digests: dict[int, tuple[CodeType, str]] = {}


def digest_of(code: CodeType) -> str:
    """Return a digest of what a function does and on which lines."""
    known = _digests.get(id(code))
    if known is None:
        # Bytes as they are: to spell them takes longer than all the rest.
        does, lines = code.co_code, code.co_linetable
        constants: tuple[object, ...] = code.co_consts
        if any([isinstance(each, CodeType) for each in constants]):
            constants = code_of(code)
        numbers = f"{code.co_argcount} {code.co_firstlineno}"
        names = (*code.co_names, "", *code.co_varnames)
        text = "\n".join((*names, numbers, repr(constants)))
        content = b"".join((b"%d " % len(does), does, lines, text.encode()))
        digest = hashlib.blake2b(content, digest_size=12)
        known = _digests[id(code)] = (code, digest.hexdigest())
    return known[1]


def code_of(code: CodeType) -> tuple[object, ...]:
    """Return what a function does, without its lines."""
    # Nested code is outside the subset, but has to compare equal to reach the sentence about it.
    constants = [code_of(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts]
    return (code.co_code, constants, code.co_names, code.co_varnames, code.co_argcount)
