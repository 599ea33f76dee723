# SPDX-License-Identifier: Apache-2.0
"""Functions, blocks and variables as the debug information has them (info.py finds them)."""

from __future__ import annotations

from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.dwarf.expression import Expression


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable or parameter. `places` are (low, high, expression), high 0 for everywhere."""

    name: str
    die: Any
    places: tuple[tuple[int, int, Expression], ...]
    constant: int | bytes | None = None
    parameter: bool = False

    def at(self, pc: int) -> Expression:
        """Return the expression that finds it when the code at `pc` is about to run; empty if there
        is none."""
        for low, high, expression in self.places:
            if high == 0 or low <= pc < high:
                return expression
        return ()


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A function, an inlined function or a block in one, with its address ranges."""

    name: str
    ranges: tuple[tuple[int, int], ...]
    die: Any
    inlined: bool
    is_function: bool
    call_line: int = 0
    call_file: str = ""

    @property
    def low(self) -> int:
        return self.ranges[0][0]

    def holds(self, pc: int) -> bool:
        return any(low <= pc < high for low, high in self.ranges)
