# SPDX-License-Identifier: Apache-2.0
"""Find the syntax tree of a function, reading every source file once.

The text must be the one that runs: `find` compares the code that Python makes of it with the
function's, so that a file edited after its import is an error and not wrong machine code. The
function's code may come from a file of bytecode that another patch release of Python has made: what
counts is that both do the same (bytecode.py).
"""

from __future__ import annotations

import ast
import functools
import os
from types import CodeType, FunctionType

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.engine import bytecode
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
    kept = bytecode.bytecode_file(path)
    if kept is not None and kept.is_of(mtime_ns, size):
        code = kept.code  # a twentieth of the time of making it
    else:
        code = compile(tree, path, "exec", dont_inherit=True)
    return Source(
        label,
        {(n.name, _first_line(n)): n for n in tree.body if isinstance(n, ast.FunctionDef)},
        bytecode.functions_of(code),
    )


def find(function: FunctionType) -> tuple[Source, ast.FunctionDef]:
    """Return the module and the definition of `function`."""
    source = source_of(function)
    running = function.__code__
    at = (running.co_name, running.co_firstlineno)
    tree, written = source.trees.get(at), source.codes.get(at)
    same = written is not None and (
        code_of(written) == code_of(running) or bytecode.same_program(written, running)
    )
    if not same and (stale := _stale_file(running)):
        sentence = (
            f"Python runs {function.__qualname__} from bytecode that was made of another text;"
            f" delete {stale} and start the program again"
        )
        raise SubsetError(Problem(source.label, _line_of(function), 1, sentence))
    if tree is None or written is None:
        sentence = (
            f"{function.__qualname__} is not a function at the top level of its module (or the file"
            " has changed since it was imported); define it with `def` outside of classes and other"
            " functions"
        )
        raise SubsetError(Problem(source.label, _line_of(function), 1, sentence))
    if not same:
        sentence = (
            f"the text of {function.__qualname__} is not the one that was imported; start the"
            " program again"
        )
        raise SubsetError(Problem(source.label, _line_of(function), 1, sentence))
    return source, tree


def _line_of(function: FunctionType) -> int:
    return function.__code__.co_firstlineno


def _stale_file(running: CodeType) -> str:
    """Return the file of bytecode that Python would load this function from again, at every start;
    "" if there is none."""
    kept = bytecode.bytecode_file(running.co_filename)
    try:
        status = os.stat(running.co_filename)
    except OSError:
        return ""
    if kept is None or not kept.is_loaded(status.st_mtime_ns, status.st_size):
        return ""
    code = bytecode.functions_of(kept.code).get((running.co_name, running.co_firstlineno))
    same = code is not None and code_of(code) == code_of(running)
    return str(kept.path) if same else ""


def _first_line(node: ast.FunctionDef) -> int:
    """`co_firstlineno` counts from the first decorator."""
    return min([node.lineno, *(d.lineno for d in node.decorator_list)])
