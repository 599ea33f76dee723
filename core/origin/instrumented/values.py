# SPDX-License-Identifier: Apache-2.0
"""Integers that know what they were made of.

A `Made` is an integer as the machine computes it, with its *parts*: of each element of the record
that went into it, which bits of the integer may depend on it. Operators join the parts of their
operands. Masks and shifts move the bits, so that a field of a word depends on the bits that the
field has, and a byte of a line on the store that wrote that byte. Other operators make all bits
depend on all parts; a sum keeps the bits below the lowest one as they are.

What a value was computed *by* is one thing, what decided that it was computed is another: `steer`
has the values that addressed an element, and those that branches have asked about. It is a tree of
pairs, because it grows at each branch and few of them are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

ALL = (1 << 64) - 1

# Of one element: how far its bits were moved to the left (None: not only moved), the bits of the
# value that may depend on it, and which of its own bits these are.
Part = tuple[int | None, int, int]
Parts = dict[Any, Part]


class Context:
    """The values that have decided, up to now, that the code is where it is."""

    steer: Any = None


CONTEXT = Context()


def joined(a: Any, b: Any) -> Any:
    """Return both of two trees of steering values."""
    if a is None or a is b:
        return b
    return a if b is None else (a, b)


class Index:
    """A value that has chosen an element."""

    __slots__ = ("value",)

    def __init__(self, value: Made) -> None:
        self.value = value


def leaves(steer: Any) -> Iterator[tuple[Made, bool]]:
    """Yield the values in a tree of steering values, each once, and whether each has chosen an
    element: the others were asked about at a branch."""
    seen: set[int] = set()
    left = [steer]
    while left:
        one = left.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        if type(one) is tuple:
            left += one
        elif type(one) is Index:
            yield one.value, True
            left.append(one.value.steer)
        else:
            yield one, False
            left.append(one.steer)


class Made(int):
    """An integer, what it was made of, and what has steered it."""

    parts: Parts
    steer: Any

    def __bool__(self) -> bool:
        if self.parts or self.steer is not None:
            CONTEXT.steer = (CONTEXT.steer, self)
        return int.__bool__(self)

    __hash__ = int.__hash__

    def __and__(self, other: int) -> Any:
        value = int.__and__(self, other)
        if type(other) is Made:
            # A bit depends on one of them where the other one lets it through.
            mine = _narrowed(self.parts, _mask(int(other)))
            theirs = _narrowed(other.parts, _mask(int(self)))
            return made(value, _union(mine, theirs), _s(self, other))
        return made(value, _narrowed(self.parts, _mask(other)), self.steer)

    __rand__ = __and__

    def __or__(self, other: int) -> Any:
        value = int.__or__(self, other)
        if type(other) is not Made:
            # A bit that the constant sets is 1, whatever it was.
            return made(value, _narrowed(self.parts, ALL & ~other), self.steer)
        return made(value, _merged(self, other), _s(self, other))

    __ror__ = __or__

    def __xor__(self, other: int) -> Any:
        return made(int.__xor__(self, other), _merged(self, other), _s(self, other))

    __rxor__ = __xor__

    def __invert__(self) -> Any:
        return made(int.__invert__(self), self.parts, self.steer)

    def __lshift__(self, by: int) -> Any:
        value = int.__lshift__(self, by)
        moved = _moved(self.parts, int(by))
        return made(
            value, _union(moved, _spread(by.parts)) if type(by) is Made else moved, _s(self, by)
        )

    def __rlshift__(self, value: int) -> Any:
        return made(int.__rlshift__(self, value), _spread(self.parts), self.steer)

    def __rshift__(self, by: int) -> Any:
        value = int.__rshift__(self, by)
        moved = _moved(self.parts, -int(by))
        return made(
            value, _union(moved, _spread(by.parts)) if type(by) is Made else moved, _s(self, by)
        )

    def __rrshift__(self, value: int) -> Any:
        return made(int.__rrshift__(self, value), _spread(self.parts), self.steer)

    def __add__(self, other: int) -> Any:
        return made(int.__add__(self, other), _carried(_merged(self, other)), _s(self, other))

    __radd__ = __add__

    def __sub__(self, other: int) -> Any:
        return made(int.__sub__(self, other), _carried(_merged(self, other)), _s(self, other))

    def __rsub__(self, other: int) -> Any:
        return made(int.__rsub__(self, other), _carried(self.parts), self.steer)

    def __mul__(self, other: int) -> Any:
        value = int.__mul__(self, other)
        # What is multiplied by zero does not matter, and by 1 it is as it was.
        if type(other) is not Made and other == 1:
            return made(value, self.parts, self.steer)
        return made(value, _spread(_merged(self, other)), _s(self, other))

    __rmul__ = __mul__

    def __floordiv__(self, other: int) -> Any:
        return made(int.__floordiv__(self, other), _spread(_merged(self, other)), _s(self, other))

    def __rfloordiv__(self, other: int) -> Any:
        return made(int.__rfloordiv__(self, other), _spread(self.parts), self.steer)

    def __mod__(self, other: int) -> Any:
        return made(int.__mod__(self, other), _spread(_merged(self, other)), _s(self, other))

    def __rmod__(self, other: int) -> Any:
        return made(int.__rmod__(self, other), _spread(self.parts), self.steer)

    def __neg__(self) -> Any:
        return made(int.__neg__(self), _carried(self.parts), self.steer)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return made(int.__abs__(self), _spread(self.parts), self.steer)

    def __eq__(self, other: object) -> Any:
        return _truth(int.__eq__(self, other), self, other)

    def __ne__(self, other: object) -> Any:
        return _truth(int.__ne__(self, other), self, other)

    def __lt__(self, other: int) -> Any:
        return _truth(int.__lt__(self, other), self, other)

    def __le__(self, other: int) -> Any:
        return _truth(int.__le__(self, other), self, other)

    def __gt__(self, other: int) -> Any:
        return _truth(int.__gt__(self, other), self, other)

    def __ge__(self, other: int) -> Any:
        return _truth(int.__ge__(self, other), self, other)


def made(value: Any, parts: Parts, steer: Any) -> Any:
    """Return a value of these parts."""
    if value is NotImplemented:
        return value
    one = int.__new__(Made, value)
    one.parts = parts
    one.steer = steer
    return one


def plain(value: int) -> int:
    """Return the number alone."""
    return int.__index__(value) if type(value) is Made else value


def parts_of(value: Any) -> Parts:
    """Return the parts that a value was made of; a constant has none."""
    return value.parts if type(value) is Made else {}


def steer_of(value: Any) -> Any:
    """Return what has steered a value."""
    return value.steer if type(value) is Made else None


def spread(value: Any, *others: Any) -> Any:
    """`value` as one that depends with all bits on itself and on others."""
    steer = None
    parts: Parts = {}
    for one in others:
        if type(one) is Made:
            parts = _union(parts, _spread(one.parts))
            steer = joined(steer, one.steer)
    return made(value, parts, steer) if parts or steer is not None else value


def wanted_of(part: Part, bits: int) -> int:
    """Return the bits of an element that these bits of a value may depend on."""
    shift, mask, own = part
    if not mask & bits:
        return 0
    return own if shift is None else own & _back(mask & bits, shift)


def at_width(parts: Parts, bits: int) -> Parts:
    """Return the parts of what is stored of a value in so many bits."""
    return _narrowed(parts, bits)


def masked(old: Parts, new: Parts, mask: int) -> Parts:
    """Return the parts of a word with the bits of a mask from `new`, and the others from `old`."""
    return _union(_narrowed(old, ALL & ~mask), _narrowed(new, mask))


def _truth(value: Any, a: Made, b: Any) -> Any:
    if value is NotImplemented:
        return value
    parts = _union(a.parts, b.parts) if type(b) is Made else a.parts
    return made(int(value), {key: (None, 1, own) for key, (_, _, own) in parts.items()}, _s(a, b))


def _s(a: Made, b: Any) -> Any:
    return joined(a.steer, b.steer) if type(b) is Made else a.steer


def _mask(value: int) -> int:
    return int.__and__(value, ALL)


def _merged(a: Made, b: Any) -> Parts:
    return _union(a.parts, b.parts) if type(b) is Made else a.parts


def _union(a: Parts, b: Parts) -> Parts:
    if not a:
        return b
    if not b:
        return a
    both = dict(a)
    for key, part in b.items():
        known = both.get(key)
        if known is None or known == part:
            both[key] = part
        else:
            shift = known[0] if known[0] == part[0] else None
            both[key] = shift, known[1] | part[1], known[2] | part[2]
    return both


def _narrowed(parts: Parts, mask: int) -> Parts:
    kept: Parts = {}
    for key, (shift, bits, own) in parts.items():
        left = bits & mask
        if left == bits:
            kept[key] = shift, bits, own
        elif left:
            kept[key] = shift, left, own if shift is None else _back(left, shift) & own
    return kept


def _back(bits: int, shift: int) -> int:
    """Bits of a value as bits of the element that was moved to the left by `shift`."""
    return bits >> shift if shift >= 0 else bits << -shift


def _moved(parts: Parts, by: int) -> Parts:
    kept: Parts = {}
    for key, (shift, bits, own) in parts.items():
        left = (bits << by) & ALL if by >= 0 else bits >> -by
        if left:
            to = None if shift is None else shift + by
            kept[key] = to, left, own if to is None else _back(left, to) & own
    return kept


def _spread(parts: Parts) -> Parts:
    return {key: (None, ALL, own) for key, (_, _, own) in parts.items()}


def _carried(parts: Parts) -> Parts:
    """Return all bits from the lowest one on: carries go up."""
    return {key: (None, ALL & -(bits & -bits), own) for key, (_, bits, own) in parts.items()}
