# SPDX-License-Identifier: Apache-2.0
"""Values of lanes, and what the compiler may know about them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.core.tensix.vector.multiply import multiply_add
from tests.core.tensix.vector.pages import SIGN, Words

ONE, MINUS_ONE = 0x3F800000, 0xBF800000


@dataclass(frozen=True)
class Value:
    """A value; of a product or a sum also what was multiplied and added, for the scopes in which
    that is what the variable has."""

    bits: Words
    factors: tuple[Words, Words, Words | None] | None = None
    scope: int = 0
    constant: int | None = None  # what the compiler knows it to be, in those scopes


def product(a: Words, b: Words) -> Value:
    """SFPMUL.md: +0 is added, so -0 becomes +0."""
    return Value(multiply_add(a, b, zeros(a)), (a, b, None))


def negated(value: Value) -> Value:
    """SFPMOV.md, or the sign that SFPMAD changes: exact, so its factors keep their meaning."""
    factors = value.factors
    if factors is not None:
        a, b, c = factors
        factors = (a ^ SIGN, b, None if c is None else c ^ SIGN)
    constant = None if value.constant is None else value.constant ^ 0x80000000
    return Value(value.bits ^ SIGN, factors, value.scope, constant)


def zeros(like: Words) -> Words:
    return np.zeros_like(like)


def ones(like: Words) -> Words:
    return np.full_like(like, ONE)
