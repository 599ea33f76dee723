# SPDX-License-Identifier: Apache-2.0
"""A function with its constants bound, as its callers see it."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Protocol

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.engine.lowering.defects import Precondition
from tensix_gdb.core.engine.lowering.ranges import FULL, Range
from tensix_gdb.core.engine.lowering.scope import Scope, Static


@dataclass(frozen=True, slots=True)
class Instance:
    """One function of the program."""

    symbol: str
    name: str
    parameters: tuple[str, ...]
    gives_value: bool
    result: Range = FULL  # the range of what it returns
    preconditions: tuple[Precondition, ...] = ()  # what callers have to check, in this order
    has_record: bool = True  # it takes S, not numbers alone


class Instances(Protocol):
    """Finds or makes instances (lower.py)."""

    def parameters(self, function: FunctionType) -> Sequence[str]:
        """Return the names of all parameters."""

    def instance(
        self, function: FunctionType, constants: Mapping[str, Static], caller: Scope, node: ast.AST
    ) -> Instance:
        """Return the instance of `function` with these constants, which `node` calls."""
