# SPDX-License-Identifier: Apache-2.0
"""Ranges of values, so that nothing checks what cannot go wrong.

An index that was masked, a loop's own variable, a row of eight bits: most guards are never written.
That is worth more than what it saves in the end, because LLVM works on the text before it finds
the same: every guard is three blocks and a join.
"""

from __future__ import annotations

import ast

Range = tuple[int, int]  # both ends belong to it

SIGNED_64 = range(-(1 << 63), 1 << 63)
FULL: Range = (-(1 << 63), (1 << 63) - 1)
BIT: Range = (0, 1)


def fits(low: int, high: int) -> Range:
    """Return `low` to `high`; everything, if that may have left 64 bits and wrapped around."""
    return (low, high) if low >= FULL[0] and high <= FULL[1] else FULL


def union(a: Range, b: Range) -> Range:
    """Return the least range that contains both."""
    return min(a[0], b[0]), max(a[1], b[1])


def both(a: Range, b: Range) -> Range:
    """Return where both hold. If that is nowhere, the code is not reached and either will do."""
    low, high = max(a[0], b[0]), min(a[1], b[1])
    return (low, high) if low <= high else a


def inside(value: Range, size: int) -> bool:
    """True if it is certainly in range(size)."""
    return value[0] >= 0 and value[1] < size


def of_binary(op: type[ast.AST], a: Range, b: Range) -> Range:
    """Return the range of `a op b`."""
    if op is ast.Add:
        return fits(a[0] + b[0], a[1] + b[1])
    if op is ast.Sub:
        return fits(a[0] - b[1], a[1] - b[0])
    if op is ast.Mult:
        corners = [x * y for x in a for y in b]
        return fits(min(corners), max(corners))
    if op is ast.BitAnd:
        return _of_and(a, b)
    if op is ast.BitOr or op is ast.BitXor:
        return (0, _ones(max(a[1], b[1]))) if a[0] >= 0 and b[0] >= 0 else FULL
    if op is ast.RShift:
        counts = max(b[0], 0), min(max(b[1], 0), 63)
        corners = [x >> n for x in a for n in counts]
        return min(corners), max(corners)
    if op is ast.LShift:
        return fits(a[0] << b[0], a[1] << b[1]) if a[0] >= 0 and 0 <= b[0] <= b[1] < 64 else FULL
    return _of_division(op, a, b)


def _of_and(a: Range, b: Range) -> Range:
    if a[0] >= 0 and b[0] >= 0:
        return 0, min(a[1], b[1])
    if a[0] >= 0 or b[0] >= 0:
        return 0, a[1] if a[0] >= 0 else b[1]
    if b[1] >= 0:
        a, b = b, a
    if b[1] >= 0:
        return FULL
    # Of a negative mask: no bit is added, and the sign stays.
    return -1 << max((~a[0]).bit_length(), (~b[0]).bit_length()), max(a[1], -1)


def _of_division(op: type[ast.AST], a: Range, b: Range) -> Range:
    """Return the range of a floored division by something positive."""
    if b[0] <= 0:
        return FULL
    if op is ast.Mod:
        return (0, min(a[1], b[1] - 1)) if a[0] >= 0 else (0, b[1] - 1)
    corners = [x // y for x in a for y in b]
    return min(corners), max(corners)


def _ones(value: int) -> int:
    return (1 << value.bit_length()) - 1


def where(op: type[ast.AST], number: Range) -> Range:
    """Return the range of x if `x op y` holds and y is in `number`."""
    low, high = FULL
    if op is ast.Lt:
        high = number[1] - 1
    elif op is ast.LtE:
        high = number[1]
    elif op is ast.Gt:
        low = number[0] + 1
    elif op is ast.GtE:
        low = number[0]
    elif op is ast.Eq:
        low, high = number
    return low, high


OPPOSITE: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
}
