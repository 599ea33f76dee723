# SPDX-License-Identifier: Apache-2.0
"""Comparison of arrays: what is alike, and how a difference is shown."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tensix_gdb.core.tiles.comparison import LEGEND, Tolerance, differing, report
from tensix_gdb.core.tiles.npy import Array


def shown(got: Array, wanted: Array, tolerance: Tolerance = Tolerance()) -> list[str]:  # noqa: B008
    return report("0x40000", got, wanted, tolerance, lambda place: f"{0x40000 + 2 * place:#x}")


def changed(shape: tuple[int, ...], **places: float) -> tuple[Array, Array]:
    wanted = Array(shape, [1.0] * math.prod(shape))
    got = list(wanted.values)
    for place, value in places.items():
        got[int(place[1:])] = value
    return Array(shape, got), wanted


def test_alike_is_numpys_isclose() -> None:
    numbers = [0.0, 1.0, 1.01, 1.05, -1.0, 100.0, math.inf, -math.inf, math.nan, 1e-9]
    pairs = [(a, b) for a in numbers for b in numbers]
    got, wanted = (Array((100,), [pair[i] for pair in pairs]) for i in range(2))
    for rtol, atol in ((0.0, 0.0), (0.02, 0.0), (0.0, 0.02), (0.01, 0.06)):
        alike = np.isclose(got.values, wanted.values, rtol=rtol, atol=atol, equal_nan=True)
        found = differing(got, wanted, Tolerance(rtol, atol))
        assert found == [int(i) for i in np.flatnonzero(~alike)]


def test_nothing_to_say() -> None:
    assert shown(*changed((32, 32))) == []
    assert shown(*changed((32, 32), _5=1.01), Tolerance(rtol=0.02)) == []


def test_a_map_with_the_first_and_the_worst() -> None:
    got, wanted = changed((32, 32), _34=1.5, _49=0.0, _70=math.nan)
    assert shown(got, wanted, Tolerance(atol=0.25)) == [
        "0x40000: 3 of 1024 datums differ (atol=0.25)",
        "the first: row 1, column 2, at 0x40044: 1.5, wanted 1",
        "the worst: row 2, column 6, at 0x4008c: nan, wanted 1",
        f"rows 0 to 31, columns 0 to 31: {LEGEND}",
        "    0: alike",
        "    1  ..x............. .0..............",
        "    2  ......n......... ................",
        "    3 to 31: alike",
    ]


def test_other_tiles_are_counted() -> None:
    got, wanted = changed((64, 64), _0=2.0, _40=2.0, _4095=2.0)
    lines = shown(got, wanted)
    assert lines[-1] == "3 of the 4 blocks of 32x32 of 64x64 differ: (0, 0) above, (0, 1), (1, 1)"


@pytest.mark.parametrize(("shape", "index"), [((5,), "[3]"), ((2, 1, 2), "[1, 0, 1]")])
def test_other_dimensions(shape: tuple[int, ...], index: str) -> None:
    got, wanted = changed(shape, _3=7.0)
    assert shown(got, wanted)[1] == f"the first: {index}, at 0x40006: 7, wanted 1"
