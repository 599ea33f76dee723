# SPDX-License-Identifier: Apache-2.0
"""Find the syntax tree of a function, parsing every source file once.

Places in messages and in the site table are `package/module.py:line`, made from the module's name,
so that they (and the generated code) do not depend on where the package is installed.
"""

from __future__ import annotations

import ast
import os
import sys
from dataclasses import dataclass
from types import FunctionType


class SubsetError(Exception):
    """A function is outside the Python subset; the message names file, line and a way out."""


@dataclass(frozen=True, slots=True)
class Source:
    """One module: its bytes and its top-level functions by (name, first line)."""

    label: str
    data: bytes
    functions: dict[tuple[str, int], ast.FunctionDef]


_parsed: dict[str, tuple[tuple[int, int], Source]] = {}


def label_of(module: str) -> str:
    """`core.riscv.lsu` -> `core/riscv/lsu.py`."""
    return module.replace(".", "/") + ".py"


def read_module(module: str) -> bytes | None:
    """The source text of an imported module as it is on disk now; None where there is none."""
    path = getattr(sys.modules.get(module), "__file__", None)
    if path is None:
        return None
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def source_of(function: FunctionType) -> Source:
    """The parsed module that defines `function`."""
    path = function.__code__.co_filename
    try:
        stat = os.stat(path)
        stamp = (stat.st_mtime_ns, stat.st_size)
        known = _parsed.get(path)
        if known and known[0] == stamp:
            return known[1]
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        raise SubsetError(
            f"{label_of(function.__module__)}: there is no source text for {function.__qualname__};"
            " compiled code is made from the source, install the package with its .py files"
        ) from None
    tree = ast.parse(data, path)
    functions = {
        (node.name, _first_line(node)): node
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    }
    source = Source(label_of(function.__module__), data, functions)
    _parsed[path] = (stamp, source)
    return source


def find(function: FunctionType) -> tuple[Source, ast.FunctionDef]:
    """The module and the definition of `function`."""
    source = source_of(function)
    line = function.__code__.co_firstlineno
    node = source.functions.get((function.__name__, line))
    if node is None:
        raise SubsetError(
            f"{source.label}:{line}: {function.__qualname__} is not a function at the top level of"
            " its module (or the file has changed since it was imported); define it with `def`"
            " outside of classes and other functions"
        )
    return source, node


def _first_line(node: ast.FunctionDef) -> int:
    """`co_firstlineno` counts from the first decorator."""
    return min([node.lineno, *(d.lineno for d in node.decorator_list)])
