# SPDX-License-Identifier: Apache-2.0
"""Find the syntax tree of a function, reading every source file once.

The text must be the one that runs: it is compiled again and its code compared with the function's,
so that a file edited after it was imported is an error and not wrong machine code.
"""

from __future__ import annotations

import ast
import functools
import os
from dataclasses import dataclass
from types import CodeType, FunctionType

from core.engine.entry import SubsetError, label_of
from core.engine.names import code_of


@dataclass(frozen=True, slots=True)
class Source:
    """One module: its top-level functions by (name, first line), as trees and as code."""

    label: str
    trees: dict[tuple[str, int], ast.FunctionDef]
    codes: dict[tuple[str, int], CodeType]


def source_of(function: FunctionType) -> Source:
    """The parsed module that defines `function`."""
    path = function.__code__.co_filename
    label = label_of(function.__module__)
    try:
        stat = os.stat(path)
        return _parse(path, label, stat.st_mtime_ns, stat.st_size)
    except OSError:
        raise SubsetError(
            f"{label}: there is no source text for {function.__qualname__}; compiled code is made"
            " from the source, install the package with its .py files"
        ) from None
    except SyntaxError as problem:
        raise SubsetError(f"{label}:{problem.lineno}: {problem.msg}") from None


@functools.lru_cache(maxsize=1024)
def _parse(path: str, label: str, mtime_ns: int, size: int) -> Source:
    """Read a file once, until it changes."""
    with open(path, "rb") as file:
        tree = ast.parse(file.read(), path)
    code = compile(tree, path, "exec", dont_inherit=True)
    return Source(
        label,
        {(n.name, _first_line(n)): n for n in tree.body if isinstance(n, ast.FunctionDef)},
        {(c.co_name, c.co_firstlineno): c for c in code.co_consts if isinstance(c, CodeType)},
    )


def find(function: FunctionType) -> tuple[Source, ast.FunctionDef]:
    """The module and the definition of `function`."""
    source = source_of(function)
    running = function.__code__
    at = (running.co_name, running.co_firstlineno)
    tree, written = source.trees.get(at), source.codes.get(at)
    where = f"{source.label}:{running.co_firstlineno}"
    if tree is None or written is None:
        raise SubsetError(
            f"{where}: {function.__qualname__} is not a function at the top level of its module"
            " (or the file has changed since it was imported); define it with `def` outside of"
            " classes and other functions"
        )
    if code_of(written) != code_of(running):
        raise SubsetError(
            f"{where}: the text of {function.__qualname__} is not the one that was imported;"
            " start the program again"
        )
    return source, tree


def _first_line(node: ast.FunctionDef) -> int:
    """`co_firstlineno` counts from the first decorator."""
    return min([node.lineno, *(d.lineno for d in node.decorator_list)])
