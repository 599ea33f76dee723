# SPDX-License-Identifier: Apache-2.0
"""The problems of a program: every place once, and the calls that lead to it.

core/clock/sc.py:88:9: floats are not part of the subset; use integer formats
    in sc.tick{CHECKED=1}
    called from sc.run{CHECKED=1} at core/clock/sc.py:120:5, the entry run_checked
    also in sc.tick{CHECKED=0}
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import FunctionType

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.engine.dependencies import canonical
from tensix_gdb.core.engine.entry import Problem, SubsetError
from tensix_gdb.core.engine.lowering.scope import Static

MAX_NAMED = 3  # other instances with the same problem


@dataclass(frozen=True, slots=True)
class Frame:
    """An instance that is being lowered, and what asked for it."""

    function: FunctionType
    constants: Mapping[str, Static]
    caller: str  # the place of the call, or the entry

    def name(self) -> str:
        """Name the instance: `sc.run{CHECKED=1}`."""
        name = f"{self.function.__module__.rpartition('.')[2]}.{self.function.__name__}"
        return f"{name}{{{spell(self.constants)}}}" if self.constants else name


def spell(constants: Mapping[str, Static]) -> str:
    """Write constants for people: `CHECKED=1,OPERATION=add`."""
    return ",".join(
        f"{name}={value.__name__ if isinstance(value, FunctionType) else canonical(value)}"
        for name, value in sorted(constants.items())
    )


def place_of(label: str, node: ast.AST) -> str:
    """Name the place of a call."""
    return f"{label}:{getattr(node, 'lineno', 0)}:{getattr(node, 'col_offset', 0) + 1}"


class Problems:
    """The problems of one program, in the order in which they were found."""

    def __init__(self) -> None:
        self._found: dict[Problem, tuple[str, ...]] = {}  # each with its chain
        self._instances: dict[Problem, list[str]] = {}

    def add(self, error: SubsetError, frames: Sequence[Frame]) -> None:
        """Note the problems of the last of `frames`; each frame was called from the one before."""
        chain = [f"in {frames[-1].name()}"]
        for callee, caller in zip(reversed(frames), reversed(frames[:-1]), strict=False):
            chain.append(f"called from {caller.name()} at {callee.caller}")
        chain[-1] += f", {frames[0].caller}"
        for problem in error.problems:
            self._found.setdefault(problem, tuple(chain))
            instances = self._instances.setdefault(problem, [])
            if frames[-1].name() not in instances:
                instances.append(frames[-1].name())

    def raise_if_any(self) -> None:
        """Raise SubsetError with all of them."""
        if self._found:
            raise SubsetError(*(self._complete(problem) for problem in self._found))

    def _complete(self, problem: Problem) -> Problem:
        chain, others = self._found[problem], self._instances[problem][1:]
        if others:
            more = len(others) - MAX_NAMED
            named = ", ".join(others[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")
            chain += (f"also in {named}",)
        return replace(problem, chain=chain)
