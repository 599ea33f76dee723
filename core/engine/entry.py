# SPDX-License-Identifier: Apache-2.0
"""Engines run functions by name on one record; entries are these functions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import field
from types import FunctionType
from typing import Any, Protocol, runtime_checkable

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.record.layout import Layout, View

# What an ALL-CAPS parameter can be bound to: a number or a subset function.
Constant = int | Callable[..., Any]
# Rows without an index that never change while a machine exists, such as which chip it is: part,
# row, value. Code that is compiled for them has the values as constants.
Fixed = tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A function that Python calls: `Entry("run", clock.run, {"CHECKED": 0})`."""

    name: str
    function: Callable[..., Any]
    constants: Mapping[str, Constant] = field(default_factory=dict)


def definition_of(entry: Entry) -> FunctionType:
    """Return the function of an entry as what it is: one with code and globals."""
    function: object = entry.function
    if not isinstance(function, FunctionType):
        raise TypeError(f"entry {entry.name}: {function!r} is not a plain function")
    return function


def is_constant_name(name: str) -> bool:
    """True if `name` is ALL CAPS: a compile-time constant. `S` is the record."""
    return name.isupper() and name != "S"


@dataclass(frozen=True, slots=True)
class Problem:
    """One place of a function that is outside the Python subset."""

    file: str
    line: int
    column: int  # from 1
    sentence: str  # what is wrong, and a way out
    chain: tuple[str, ...] = ()  # the instance that it is in, and the calls that lead there

    def headline(self) -> str:
        """Return `file:line:column: sentence`."""
        return f"{self.file}:{self.line}:{self.column}: {self.sentence}"

    def __str__(self) -> str:
        """Return the headline, and the chain in lines of its own."""
        return "\n    ".join([self.headline(), *self.chain])


def problem_at(file: str, node: ast.AST, sentence: str) -> Problem:
    """Return a problem at a node of the syntax tree of `file`."""
    return Problem(file, getattr(node, "lineno", 0), getattr(node, "col_offset", 0) + 1, sentence)


class SubsetError(Exception):
    """Functions are outside the Python subset; the message has every problem that was found."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems

    def in_a_line(self) -> str:
        """Return the first problem, and how many more there are."""
        more = len(self.problems) - 1
        return self.problems[0].headline() + (f" (and {more} more)" if more else "")


class EngineDefect(Exception):
    """The semantics broke a rule of the subset; a bug of ours, with file and line."""


def label_of(module: str) -> str:
    """Return the file for a message: `tensix_gdb.core.riscv.lsu` -> `core/riscv/lsu.py`.

    Made from the module's name, so that it does not depend on where the package is installed; and
    as the file is found in the repository, not below the name of the package.
    """
    return module.removeprefix("tensix_gdb.").replace(".", "/") + ".py"


@runtime_checkable
class RecordLike(Protocol):
    """The part of a record (core.record.record.Record) that an engine needs."""

    S: View
    address: int
    layout: Layout


class Engine(Protocol):
    """Runs entries on one record."""

    @property
    def kind(self) -> str:
        """ "reference" or "compiled": what a call runs now."""

    def call(self, name: str, *args: int) -> int:
        """Run an entry; EngineDefect if it broke a rule."""

    def poll(self) -> bool:
        """True if the engine has just moved up to compiled code. Cheap."""

    def close(self) -> None:
        """Release everything."""
