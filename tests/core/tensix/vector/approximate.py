# SPDX-License-Identifier: Apache-2.0
"""SFPARECIP for the model: the reciprocal from fractions, the exponential from the emulator.

The page's table of the exponential follows no formula; golden.json has what it gives for every
upper half of an operand, computed from the page and not from the emulator (test_sweeps.py).
"""

from __future__ import annotations

from fractions import Fraction
from math import floor

from tensix_gdb.core.tensix.vector.operations.approximate import exponential as exponential


def reciprocal(x: int) -> int:
    """1 / x with seven bits of mantissa: that of the middle of the step that x is in."""
    if x < 0x00800000:
        return 0x7F800000
    if x >= 0x7E800000:
        return 0
    middle = 1 + (Fraction(x >> 16 & 0x7F) + Fraction(1, 2)) / 128
    mantissa = floor(256 / middle + Fraction(1, 2)) - 128
    return (253 - (x >> 23)) << 23 | mantissa << 16
