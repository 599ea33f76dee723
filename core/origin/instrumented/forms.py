# SPDX-License-Identifier: Apache-2.0
"""Replacements for forms of the subset that would lose what a value was made of.

Rewritten functions (rewrite.py) call these by their names in HELPERS.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.origin.instrumented.values import (
    ALL,
    CONTEXT,
    Made,
    joined,
    made,
    masked,
    parts_of,
    plain,
    spread,
    steer_of,
)


def _look(table: Any, index: Any) -> Any:
    value = table[index]
    if type(index) is Made and isinstance(value, int):
        return spread(int(value), index, value) if type(value) is Made else spread(value, index)
    return value


def _bit_length(value: int) -> Any:
    return spread(int.bit_length(value), value)


def _least(*values: Any) -> Any:
    return spread(min(map(plain, values)), *values) if len(values) > 1 else min(*values)


def _greatest(*values: Any) -> Any:
    return spread(max(map(plain, values)), *values) if len(values) > 1 else max(*values)


def _not(value: Any) -> Any:
    return spread(int(not plain(value)), value) if type(value) is Made else not value


def _in(value: Any, choices: Any) -> Any:
    return spread(int(plain(value) in tuple(map(plain, choices))), value)


def _range(*bounds: Any) -> Any:
    for one in bounds:
        if type(one) is Made:
            CONTEXT.steer = (CONTEXT.steer, one)
    return range(*map(plain, bounds))


def _enter() -> Any:
    return CONTEXT.steer


def _back(outer: Any) -> None:
    CONTEXT.steer = outer


def _chosen(value: Any) -> Any:
    """Return a value that a branch has chosen: what it has asked about steers the value."""
    if CONTEXT.steer is None or not isinstance(value, int):
        return value
    if type(value) is Made:
        return made(int(value), value.parts, joined(value.steer, CONTEXT.steer))
    return made(int(value), {}, CONTEXT.steer)


def _choose(test: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
    outer = CONTEXT.steer
    value = yes() if test else no()
    return _leave(outer, value)


def _alone(compute: Callable[[], Any]) -> Any:
    outer = CONTEXT.steer
    return _leave(outer, compute())


def _leave(outer: Any, value: Any = None) -> Any:
    inner, CONTEXT.steer = CONTEXT.steer, outer
    if inner is not outer and isinstance(value, int):
        if type(value) is Made:
            return made(int(value), value.parts, joined(steer_of(value), inner))
        return made(int(value), {}, inner)
    return value


def put_bits(old: Any, value: Any, mask: Any) -> Any:
    """`arch.numbers.put_bits`: each bit is made of the word that it comes from. The mask, where it
    is computed, has chosen that, and is no part of either."""
    bits = int(mask) & ALL
    result = (plain(old) & ~bits & MASK32) | (plain(value) & bits)
    steer = joined(joined(steer_of(old), steer_of(value)), mask if type(mask) is Made else None)
    return made(result, masked(parts_of(old), parts_of(value), bits), steer)


HELPERS: dict[str, Any] = {
    "_look": _look,
    "_bit_length": _bit_length,
    "_least": _least,
    "_greatest": _greatest,
    "_not": _not,
    "_in": _in,
    "_range": _range,
    "_enter": _enter,
    "_leave": _leave,
    "_back": _back,
    "_chosen": _chosen,
    "_choose": _choose,
    "_alone": _alone,
}
