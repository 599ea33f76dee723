# SPDX-License-Identifier: Apache-2.0
"""Find the syntax tree of a function, reading every source file once.

The text must be the one that runs: `find` compares the code that Python makes of it with the
function's, so that a file edited after its import is an error and not wrong machine code.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import marshal
import os
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType

from tensix_gdb.core.engine.dependencies import code_of
from tensix_gdb.core.engine.entry import Problem, SubsetError, label_of


@dataclass(frozen=True, slots=True)
class Source:
    """One module: its top-level functions by (name, first line), as trees and as code."""

    label: str
    trees: dict[tuple[str, int], ast.FunctionDef]
    codes: dict[tuple[str, int], CodeType]


def source_of(function: FunctionType) -> Source:
    """Return the parsed module that defines `function`."""
    path = function.__code__.co_filename
    label = label_of(function.__module__)
    try:
        stat = os.stat(path)
        return _parse(path, label, stat.st_mtime_ns, stat.st_size)
    except OSError:
        sentence = (
            f"there is no source text for {function.__qualname__}; compiled code is made from the"
            " source, install the package with its .py files"
        )
        raise SubsetError(Problem(label, _line_of(function), 1, sentence)) from None
    except SyntaxError as problem:
        line, column = problem.lineno or 0, problem.offset or 1
        raise SubsetError(Problem(label, line, column, problem.msg)) from None


@functools.lru_cache(maxsize=1024)
def _parse(path: str, label: str, mtime_ns: int, size: int) -> Source:
    """Read a file once, until it changes."""
    with open(path, "rb") as file:
        tree = ast.parse(file.read(), path)
    code = _bytecode(path, mtime_ns, size) or compile(tree, path, "exec", dont_inherit=True)
    return Source(
        label,
        {(n.name, _first_line(n)): n for n in tree.body if isinstance(n, ast.FunctionDef)},
        {(c.co_name, c.co_firstlineno): c for c in code.co_consts if isinstance(c, CodeType)},
    )


def _bytecode(path: str, mtime_ns: int, size: int) -> CodeType | None:
    """Read the code that Python keeps of the file (a twentieth of the time of making it); None if
    it may be of another text.

    Python keeps the file's time to the second only (PEP 552), so the kept code has to be younger by
    more than that: a later edit then has a different time.
    """
    try:
        kept = Path(importlib.util.cache_from_source(path))
        if kept.stat().st_mtime_ns < mtime_ns + 2 * 10**9:
            return None
        content = kept.read_bytes()
        told = (0, mtime_ns // 10**9 & 0xFFFFFFFF, size & 0xFFFFFFFF)
        wanted = b"".join(number.to_bytes(4, "little") for number in told)
        if content[:16] != importlib.util.MAGIC_NUMBER + wanted:
            return None
        code = marshal.loads(content[16:])
    except (OSError, NotImplementedError, ValueError, EOFError, TypeError):
        return None
    return code if isinstance(code, CodeType) else None


def find(function: FunctionType) -> tuple[Source, ast.FunctionDef]:
    """Return the module and the definition of `function`."""
    source = source_of(function)
    running = function.__code__
    at = (running.co_name, running.co_firstlineno)
    tree, written = source.trees.get(at), source.codes.get(at)
    if tree is None or written is None:
        sentence = (
            f"{function.__qualname__} is not a function at the top level of its module (or the file"
            " has changed since it was imported); define it with `def` outside of classes and other"
            " functions"
        )
        raise SubsetError(Problem(source.label, _line_of(function), 1, sentence))
    if code_of(written) != code_of(running):
        sentence = (
            f"the text of {function.__qualname__} is not the one that was imported; start the"
            " program again"
        )
        raise SubsetError(Problem(source.label, _line_of(function), 1, sentence))
    return source, tree


def _line_of(function: FunctionType) -> int:
    return function.__code__.co_firstlineno


def _first_line(node: ast.FunctionDef) -> int:
    """`co_firstlineno` counts from the first decorator."""
    return min([node.lineno, *(d.lineno for d in node.decorator_list)])
