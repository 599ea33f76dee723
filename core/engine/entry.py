# SPDX-License-Identifier: Apache-2.0
"""What an engine is: functions by name that run on one record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Protocol, runtime_checkable

from tensix_gdb.core.record.layout import Layout, View

# What an ALL-CAPS parameter can be bound to: a number or a subset function.
Constant = int | Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """A function that Python calls: `Entry("run", clock.run, {"CHECKED": 0})`."""

    name: str
    function: Callable[..., Any]
    constants: Mapping[str, Constant] = field(default_factory=dict)


def definition_of(entry: Entry) -> FunctionType:
    """The function of an entry as what it is: one with code and globals."""
    function: object = entry.function
    if not isinstance(function, FunctionType):
        raise TypeError(f"entry {entry.name}: {function!r} is not a plain function")
    return function


def is_constant_name(name: str) -> bool:
    """Parameters named in ALL CAPS are compile-time constants; `S` is the record."""
    return name.isupper() and name != "S"


class SubsetError(Exception):
    """A function is outside the Python subset; the message names file, line and a way out."""


class EngineDefect(Exception):
    """The semantics broke a rule of the subset; a bug of ours, with file and line."""


def label_of(module: str) -> str:
    """The file in a message: `core.riscv.lsu` -> `core/riscv/lsu.py`.

    Made from the module's name, so that it does not depend on where the package is installed.
    """
    return module.replace(".", "/") + ".py"


@runtime_checkable
class RecordLike(Protocol):
    """What an engine needs of a record (core.record.record.Record)."""

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
        """Has the engine just moved up to compiled code? Cheap."""

    def close(self) -> None:
        """Let go of everything."""
