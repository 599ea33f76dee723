# SPDX-License-Identifier: Apache-2.0
"""Integer expressions in assembler text: numbers, names, `| ^ & << >> + - * / % ~` and parentheses.

Precedence is Python's, which is C's but for comparisons. A qualified C++ name like
`ckernel::p_stall::STALL_CFG` is looked up as `ckernel.p_stall.STALL_CFG` and then with fewer and
fewer qualifiers; suffixes of numbers (`3u`) are dropped.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

_SUFFIX = re.compile(r"\b(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)[uUlL]+\b")
_OCTAL = re.compile(r"\b0+(?=\d)")


class ExpressionError(ValueError):
    """The text is no integer expression; one sentence that quotes it."""


class UnknownName(ExpressionError):
    """A name that stands for nothing."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name!r} is no known name")
        self.name = name


_BINARY: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.BitOr: lambda a, b: a | b,
    ast.BitXor: lambda a, b: a ^ b,
    ast.BitAnd: lambda a, b: a & b,
    ast.LShift: lambda a, b: a << b,
    ast.RShift: lambda a, b: a >> b,
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a // b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
}
_UNARY: dict[type[ast.unaryop], Callable[[int], int]] = {
    ast.USub: lambda a: -a,
    ast.UAdd: lambda a: a,
    ast.Invert: lambda a: ~a,
}


def evaluate(text: str, lookup: Callable[[str], int | None]) -> int:
    """Return the value of `text`; `lookup` gives the value of a name, or None."""
    plain = _OCTAL.sub("", _SUFFIX.sub(r"\1", text.replace("::", "."))).strip()
    try:
        tree = ast.parse(plain, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ExpressionError(f"{text.strip()!r} is no expression") from None
    return _value(tree, text.strip(), lookup)


def _value(node: ast.expr, text: str, lookup: Callable[[str], int | None]) -> int:
    match node:
        case ast.Constant(value=bool() as truth):
            return int(truth)
        case ast.Constant(value=int() as number):
            return number
        case ast.Name() | ast.Attribute():
            return _named(ast.unparse(node), lookup)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            a, b = _value(left, text, lookup), _value(right, text, lookup)
            if isinstance(op, ast.LShift | ast.RShift) and not 0 <= b < 64:
                raise ExpressionError(f"{text!r} shifts by {b}")
            if isinstance(op, ast.Div | ast.FloorDiv | ast.Mod) and b == 0:
                raise ExpressionError(f"{text!r} divides by zero")
            return _BINARY[type(op)](a, b)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            return _UNARY[type(op)](_value(operand, text, lookup))
        case _:
            raise ExpressionError(f"{text!r} is no integer expression")


def _named(name: str, lookup: Callable[[str], int | None]) -> int:
    if name in ("true", "false"):
        return int(name == "true")
    part = name
    while (known := lookup(part)) is None and "." in part:
        part = part.partition(".")[2]
    if known is None:
        raise UnknownName(name.replace(".", "::"))
    return known


def number_of(text: str) -> int | None:
    """Return the value of `text` if it is a number or an expression of numbers."""
    try:
        return evaluate(text, lambda name: None)
    except ExpressionError:
        return None
