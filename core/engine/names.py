# SPDX-License-Identifier: Apache-2.0
"""What a name in a subset function stands for when it is no variable, and a record of every answer.

Constants, tables and callees are looked up in the living modules, exactly where the reference
engine would find them. `Uses` keeps each answer in a canonical spelling; a cached object is valid
only while every answer and every source file is still the same, so it cannot go stale.
"""

from __future__ import annotations

import builtins
import functools
import hashlib
import sys
from enum import EnumMeta
from types import FunctionType, ModuleType
from typing import Any

MISSING = object()


class Uses:
    """Everything outside the functions' own text that the generated code depends on."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.globals: dict[tuple[str, str], str] = {}

    def note(self, module: str, path: str, value: Any) -> None:
        self.globals[module, path] = canonical(value)


def look_up(scope: dict[str, Any], path: str) -> Any:
    """The value of a dotted name; MISSING where it has none (attributes of modules, enums only)."""
    first, *rest = path.split(".")
    value = scope.get(first, MISSING)
    if value is MISSING:
        value = getattr(builtins, first, MISSING)
    for name in rest:
        if not isinstance(value, ModuleType | EnumMeta):
            return MISSING
        value = getattr(value, name, MISSING)
    return value


def still_true(module: str, path: str, spelling: str) -> bool:
    """Does the name still stand for what it stood for?"""
    owner = sys.modules.get(module)
    return owner is not None and canonical(look_up(vars(owner), path)) == spelling


def canonical(value: Any) -> str:
    """A spelling that differs when the generated code could differ."""
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, FunctionType):
        return f"{value.__module__}:{value.__qualname__}:{value.__code__.co_firstlineno}"
    if isinstance(value, functools.partial):
        bound = ",".join(f"{k}={canonical(v)}" for k, v in sorted(value.keywords.items()))
        return f"{canonical(value.func)}({bound};{len(value.args)})"
    if isinstance(value, tuple):
        text = ",".join(map(canonical, value))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    return f"?{type(value).__qualname__}"
