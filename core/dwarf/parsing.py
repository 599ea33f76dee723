# SPDX-License-Identifier: Apache-2.0
"""The shared parts of this package's readers: elftools's errors, and expressions parsed by it."""

from __future__ import annotations

from typing import Any

from elftools.common.exceptions import DWARFError, ELFError
from elftools.construct.core import ConstructError
from elftools.dwarf.dwarf_expr import DWARFExprParser

from tensix_gdb.core.dwarf.expression import Expression, Operation

# What reading damaged information raises; elftools lets its own data structures' errors through.
DAMAGED = (
    *(ELFError, DWARFError, ConstructError, KeyError, IndexError, UnicodeDecodeError),
    *(ValueError, AttributeError, TypeError),
)


def parse_expression(code: Any, structs: Any) -> Expression:
    """Return the operations in an expression's bytes."""
    return tuple(_operation(op) for op in DWARFExprParser(structs).parse_expr(code))


def _operation(op: Any) -> Operation:
    args = tuple(
        tuple(_operation(inner) for inner in arg)
        if isinstance(arg, list) and arg and hasattr(arg[0], "op_name")
        else arg
        for arg in op.args
    )
    return Operation(op.op_name, args)
