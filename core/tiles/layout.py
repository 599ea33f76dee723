# SPDX-License-Identifier: Apache-2.0
"""The order in which the datums of an array are in L1, and in the rows of Dst.

A tile has 32 rows and 32 columns. Its four faces of 16 by 16 follow each other: the upper left one,
the upper right one, the lower left one, the lower right one. A face is row by row. Of an array the
tiles follow each other row by row; further dimensions come before these two. An array that is 16
high or 16 wide has tiles of two faces, or of one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

FACE, TILE = 16, 32


def tile_shape(shape: Sequence[int]) -> tuple[int, int] | None:
    """Height and width of the tiles of an array; None if it has none."""
    if len(shape) < 2 or 0 in shape:
        return None
    sides = [TILE if size % TILE == 0 else FACE if size == FACE else 0 for size in shape[-2:]]
    return (sides[0], sides[1]) if all(sides) else None


def tiles(shape: Sequence[int], *, by_rows: bool = False) -> list[list[int]]:
    """Return for each tile the places in the array (in C order) of what L1 has one after the other.

    `by_rows` takes the array as it is: one tile, its datums row by row. ValueError for an array
    without tiles.
    """
    if by_rows:
        return [list(range(math.prod(shape)))]
    one = tile_shape(shape)
    if one is None:
        raise ValueError(
            f"an array of {named(shape)} is no whole tiles: rows and columns have to be multiples "
            "of 32, or be 16; add `,rows` for an array that is in L1 row by row"
        )
    height, width = shape[-2:]
    return [
        _tile(matrix * height * width + top * width + left, one, width)
        for matrix in range(math.prod(shape[:-2]))
        for top in range(0, height, one[0])
        for left in range(0, width, one[1])
    ]


def _tile(first: int, shape: tuple[int, int], width: int) -> list[int]:
    """Return a tile that begins at a place of an array with rows of `width`."""
    return [
        first + row * width + column
        for top in range(0, shape[0], FACE)
        for left in range(0, shape[1], FACE)
        for row in range(top, top + FACE)
        for column in range(left, left + FACE)
    ]


def named(shape: Sequence[int]) -> str:
    """`32x64`; of a single number `one number`."""
    return "x".join(map(str, shape)) or "one number"


def indices(place: int, shape: Sequence[int]) -> tuple[int, ...]:
    """Return the index in each dimension of a place."""
    found: list[int] = []
    for size in reversed(shape):
        place, index = divmod(place, size)
        found.append(index)
    return tuple(reversed(found))
