# SPDX-License-Identifier: Apache-2.0
"""A row of a table of operations, and the types of operands."""

from __future__ import annotations

from dataclasses import dataclass

from scripts.random_kernels.semantics import Model

FLOAT, INT, FLAG = "vFloat", "vInt", "bool"


@dataclass(frozen=True)
class Operation:
    """`text` has {0}, {1} ... for the operands, and names for the numbers that are drawn."""

    name: str
    result: str
    operands: tuple[str, ...]
    text: str
    model: Model
    drawn: tuple[str, ...] = ()
    registers: int = 1  # LRegs that it needs besides its operands
    whole: bool = False  # a lane has what another lane had, so all are to be enabled
