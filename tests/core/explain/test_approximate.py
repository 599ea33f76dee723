# SPDX-License-Identifier: Apache-2.0
"""The errors of SFPARECIP by `explain` are those of its functions."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

import pytest

from tensix_gdb.core.explain.instruction.any_machine import explain
from tensix_gdb.core.tensix.vector.operations.approximate import (
    ERRORS,
    EXP_END,
    exponential,
    reciprocal,
)

STEP = 0x2F3  # of bit patterns: no multiple of a step of the tables


def bits(value: float) -> int:
    return int.from_bytes(struct.pack("<f", value), "little")


def value_of(pattern: int) -> float:
    return float(struct.unpack("<f", pattern.to_bytes(4, "little"))[0])


def largest_error(
    function: Callable[[int], int], exact: Callable[[float], float], first: float, end: float
) -> float:
    patterns = range(bits(first), bits(end), STEP)
    return max(abs(value_of(function(x)) / exact(value_of(x)) - 1) for x in patterns)


def test_the_errors_are_what_is_said() -> None:
    of_reciprocal = largest_error(reciprocal, lambda x: 1 / x, 1.0, 4.0)
    assert ERRORS[0] - 1 < 1000 * of_reciprocal <= ERRORS[0]
    of_power = largest_error(exponential, math.exp, 2.0**-30, EXP_END)
    assert ERRORS[1] - 1 < 1000 * of_power <= ERRORS[1]


@pytest.mark.parametrize("power", [2.0, 5.5, 100.0, 1e30])
def test_a_larger_power_is_about_4(power: float) -> None:
    assert 4.0 <= value_of(exponential(bits(power))) < 4.04


def test_explain_says_it() -> None:
    assert "wrong by at most 0.6 %" in str(explain("SFPARECIP vc=1, vd=2", "blackhole"))
    said = str(explain("SFPARECIP vc=1, vd=2, mod1=EXP", "blackhole"))
    assert "wrong by at most 1.6 % for |VC| below 2" in " ".join(said.split())
