# SPDX-License-Identifier: Apache-2.0
"""The reference engine: CPython runs the functions as they are; pdb and coverage work.

The record's checked view refuses negative indexes, indexes past the end and values that do not fit
their row; CPython refuses division by zero and negative shift counts. Values that leave signed 64
bits and negative indexes into constant tables pass unnoticed here: the checked build finds them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import TracebackType
from typing import Any

from tensix_gdb.core.engine.entry import EngineDefect, Entry, RecordLike, definition_of, label_of
from tensix_gdb.core.record import layout

DEFECTS = (IndexError, ValueError, ArithmeticError)


class ReferenceEngine:
    """Calls entries with the record's face for Python."""

    kind = "reference"

    def __init__(self, entries: Sequence[Entry], record: RecordLike) -> None:
        self._functions = {entry.name: bind(entry, record) for entry in entries}

    def call(self, name: str, *args: int) -> int:
        """Run an entry; a function that returns nothing gives 0."""
        try:
            return int(self._functions[name](*args) or 0)
        except DEFECTS as problem:
            raise EngineDefect(f"{place(problem.__traceback__)}: {problem}") from problem

    def poll(self) -> bool:
        return False

    def close(self) -> None:
        self._functions = {}


def bind(entry: Entry, record: RecordLike) -> Callable[..., Any]:
    """Return the entry as a function of its ints alone."""
    code = definition_of(entry).__code__
    first = (record.S,) if code.co_varnames[: min(1, code.co_argcount)] == ("S",) else ()
    return partial(entry.function, *first, **entry.constants)


def place(traceback: TracebackType | None) -> str:
    """`package/module.py:line` of the innermost frame that is not the record's own."""
    label = "?"
    while traceback is not None:
        name = str(traceback.tb_frame.f_globals.get("__name__", "?"))
        if name != layout.__name__:
            label = f"{label_of(name)}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    return label
