# SPDX-License-Identifier: Apache-2.0
"""Two arrays compared: how many datums differ, the first of them, and a map.

Without a tolerance two numbers are alike if they are equal. With one they are alike as for
numpy.isclose: |got - wanted| <= atol + rtol * |wanted|. A NaN is like a NaN in both cases.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.tiles.layout import FACE, TILE, indices, named
from tensix_gdb.core.tiles.npy import Array

ALIKE, DIFFERS, ZERO, NOT_A_NUMBER = ".x0n"
LEGEND = ". alike, x differs, 0 is zero and should not be, n is NaN and should not be"
DIGITS = 9  # that tell two FP32 apart


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The difference that two numbers may have; None for equality."""

    rtol: float | None = None
    atol: float | None = None

    @property
    def exact(self) -> bool:
        """True if no tolerance was given."""
        return self.rtol is None and self.atol is None

    def is_alike(self, got: float, wanted: float) -> bool:
        """True if `got` will do."""
        if got == wanted or (math.isnan(got) and math.isnan(wanted)):
            return True
        if self.exact or not (math.isfinite(got) and math.isfinite(wanted)):
            return False
        return abs(got - wanted) <= (self.atol or 0) + (self.rtol or 0) * abs(wanted)

    def __str__(self) -> str:
        given = [("rtol", self.rtol), ("atol", self.atol)]
        return ", ".join(f"{name}={value:g}" for name, value in given if value is not None)


EXACT = Tolerance()


def differing(got: Array, wanted: Array, tolerance: Tolerance = EXACT) -> list[int]:
    """Return the places of datums that differ, in C order."""
    pairs = zip(got.values, wanted.values, strict=True)
    return [place for place, pair in enumerate(pairs) if not tolerance.is_alike(*pair)]


def number(value: float) -> str:
    """Return a number as short as it can be told from its neighbours."""
    return str(value) if isinstance(value, int) else f"{value:.{DIGITS}g}"


def report(
    title: str,
    got: Array,
    wanted: Array,
    tolerance: Tolerance,
    describe: Callable[[int], str],
    ieee: Callable[[float], float] = float,
) -> list[str]:
    """Return the lines about a difference; none if there is no difference. `describe` says of a
    place where the datum is and what its bits are, `ieee` what a host reads for a number."""
    places = differing(got, wanted, tolerance)
    if not places:
        return []
    within = "" if tolerance.exact else f" ({tolerance})"
    named = {"first": places[0]}
    if len(places) > 1:
        named["worst"] = max(places, key=lambda p: _distance(got.values[p], wanted.values[p]))
    return [
        f"{title}: {len(places)} of {len(got.values)} datums differ{within}",
        *(
            f"the {which}: {_index(place, got.shape)}, at {describe(place)}: "
            f"{number(got.values[place])}{_to_hosts(ieee, got.values[place])}, "
            f"wanted {number(wanted.values[place])}"
            for which, place in named.items()
        ),
        *_map(Array(got.shape, [ieee(value) for value in got.values]), wanted, places),
    ]


def _to_hosts(ieee: Callable[[float], float], value: float) -> str:
    read = ieee(value)
    return "" if read == value or math.isnan(value) else f" ({number(read)} to NumPy and ttnn)"


def _distance(got: float, wanted: float) -> float:
    distance = abs(got - wanted)
    return math.inf if math.isnan(distance) else distance


def _index(place: int, shape: Sequence[int]) -> str:
    index = indices(place, shape)
    if len(index) != 2:
        return f"[{', '.join(map(str, index))}]"
    return f"row {index[0]}, column {index[1]}"


def _map(got: Array, wanted: Array, places: list[int]) -> Iterator[str]:
    """Yield the 32 by 32 datums around the first difference, and which others have some."""
    width = got.shape[-1] if got.shape else 1
    blocks = {(place // width // TILE, place % width // TILE): None for place in places}
    top, left = next(iter(blocks))
    rows = range(top * TILE, min((top + 1) * TILE, len(got.values) // width))
    columns = range(left * TILE, min((left + 1) * TILE, width))
    differs = set(places)
    yield f"rows {rows[0]} to {rows[-1]}, columns {columns[0]} to {columns[-1]}: {LEGEND}"
    yield from _rows(got, wanted, differs, rows, columns, width)
    if len(blocks) > 1:
        total = -(-len(got.values) // width // TILE) * -(-width // TILE)
        others = ", ".join(f"({row}, {column})" for row, column in list(blocks)[1:6])
        more = f" and {len(blocks) - 6} more" if len(blocks) > 6 else ""
        yield (
            f"{len(blocks)} of the {total} blocks of 32x32 of {named(got.shape)} differ: "
            f"({top}, {left}) above, {others}{more}"
        )


def _rows(
    got: Array, wanted: Array, differs: set[int], rows: range, columns: range, width: int
) -> Iterator[str]:
    """Yield a line for each row; rows that follow each other and have the same signs are one
    line."""
    for text, same in groupby(
        rows, lambda row: _row(got, wanted, differs, [row * width + c for c in columns])
    ):
        first, *others = same
        yield f"{first:>5} to {others[-1]}{text}" if others else f"{first:>5}{text}"


def _row(got: Array, wanted: Array, differs: set[int], places: list[int]) -> str:
    if differs.isdisjoint(places):
        return ": alike"
    signs = [_sign(got.values[p], wanted.values[p], p in differs) for p in places]
    return f"  {' '.join(''.join(signs[i : i + FACE]) for i in range(0, len(signs), FACE))}"


def _sign(got: float, wanted: float, differs: bool) -> str:
    if not differs:
        return ALIKE
    if math.isnan(got):
        return NOT_A_NUMBER
    return ZERO if got == 0 else DIFFERS
