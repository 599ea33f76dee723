# SPDX-License-Identifier: Apache-2.0
"""Conditions: C++ as sfpi.h has it, and the lanes in which they are true.

SFPI makes an SFPGT or SFPLE of floats, which have a total order, and the sign of a difference of
integers (SFPIADD.md), also of vUInt: sfpi.h says that the compiler presumes the operands to be near
each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scripts.random_kernels.rows import FLAG, FLOAT, INT, Operation
from scripts.random_kernels.semantics import Model, everywhere, less_by_difference, less_float, word
from tests.core.tensix.vector.pages import MAG, SIGN, Bools, Words, exponent

_RELATIONS: dict[str, Callable[[Callable[[Words, Words], Bools], Words, Words], Bools]] = {
    "<": lambda lt, a, b: lt(a, b),
    ">": lambda lt, a, b: lt(b, a),
    "<=": lambda lt, a, b: ~lt(b, a),
    ">=": lambda lt, a, b: ~lt(a, b),
    "==": lambda lt, a, b: a == b,
    "!=": lambda lt, a, b: a != b,
}


def _relation(sign: str, lt: Callable[[Words, Words], Bools]) -> Model:
    return lambda a, b: _RELATIONS[sign](lt, a, b)


def _relation_k(sign: str) -> Model:
    return lambda a, small: _RELATIONS[sign](
        less_by_difference, a, everywhere(a, small & 0xFFFFFFFF)
    )


def _relation_f(sign: str) -> Model:
    return lambda a, bound: _RELATIONS[sign](less_float, a, everywhere(a, word(bound)))


_INFINITY = 0x7F800000


def _relations() -> Iterator[Operation]:
    for s in _RELATIONS:
        ints = _relation(s, less_by_difference)
        yield Operation(
            f"f{s}", FLAG, (FLOAT, FLOAT), f"({{0}} {s} {{1}})", _relation(s, less_float)
        )
        yield Operation(
            f"f{s}k", FLAG, (FLOAT,), f"({{0}} {s} {{bound}})", _relation_f(s), ("bound",)
        )
        yield Operation(f"i{s}", FLAG, (INT, INT), f"({{0}} {s} {{1}})", ints)
        yield Operation(
            f"i{s}k", FLAG, (INT,), f"({{0}} {s} {{small}})", _relation_k(s), ("small",)
        )
        yield Operation(f"u{s}", FLAG, (INT, INT), f"(vUInt({{0}}) {s} vUInt({{1}}))", ints)


CONDITIONS = (
    *_relations(),
    Operation("truth", FLAG, (INT,), "({0} != 0)", lambda a: a != 0),
    Operation("is_nan", FLAG, (FLOAT,), "is_nan({0})", lambda a: (a & MAG) > _INFINITY),
    Operation("is_inf", FLAG, (FLOAT,), "is_inf({0})", lambda a: (a & MAG) == _INFINITY),
    Operation("is_finite", FLAG, (FLOAT,), "is_finite({0})", lambda a: exponent(a) < 255),
    Operation("is_zero", FLAG, (FLOAT,), "is_zero({0})", lambda a: (a & MAG) == 0),
    Operation(
        "is_subnormal",
        FLAG,
        (FLOAT,),
        "is_subnormal({0})",
        lambda a: (exponent(a) == 0) & ((a & MAG) != 0),
    ),
    Operation("is_neg", FLAG, (FLOAT,), "is_neg({0})", lambda a: a >= SIGN),
)
# Those that sfpi_lib.h makes of two comparisons and &&.
COMPOUND = ("is_nan", "is_inf", "is_subnormal")
