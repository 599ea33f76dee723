# SPDX-License-Identifier: Apache-2.0
"""The place of a datum of a ttnn tensor: its page, the bytes in it, and where the chip has them.

Tiles have faces of 16 by 16, row-major within each other; block floats have their exponents, one
for each row of a face, before all faces (tt-metal's tech report on tensor layouts). Pages of an
interleaved tensor are dealt out to the banks in turn; each begins at a multiple of the memory's
alignment.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

from tensix_gdb.core.dataclass import dataclass

FACE = 16
DRAM_ALIGNMENT = 64  # of Blackhole
BYTES = {"BFLOAT16": 2, "FLOAT32": 4, "UINT32": 4, "INT32": 4, "UINT16": 2, "UINT8": 1}
# Bits of a datum's mantissa with its sign, beside an exponent of a byte for 16 datums.
BLOCKS = {"BFLOAT8_B": 8, "BFLOAT4_B": 4}


@dataclass(frozen=True)
class Layout:
    """The way a tensor is kept. `shape` is the padded one; `tile` is None for rows."""

    shape: tuple[int, ...]
    dtype: str
    tile: tuple[int, int] | None


@dataclass(frozen=True)
class InPage:
    """A datum: its page, the first of its bytes in it, and how many they are."""

    page: int
    offset: int
    size: int


def in_page(layout: Layout, index: Sequence[int]) -> InPage | None:
    """Return where a datum is; None for a type of which that is not known here."""
    *_, width = layout.shape
    flat = 0
    for at, length in zip(index, layout.shape):  # noqa: B905 (Python 3.10)
        flat = flat * length + at
    row, column = divmod(flat, width)
    size = BYTES.get(layout.dtype)
    if layout.tile is None:
        return None if size is None else InPage(row, column * size, size)
    height, wide = layout.tile
    page = row // height * (width // wide) + column // wide
    y, x = row % height, column % wide
    face = y // FACE * (wide // FACE) + x // FACE
    datum = face * FACE * FACE + y % FACE * FACE + x % FACE
    if size is not None:
        return InPage(page, datum * size, size)
    if layout.dtype not in BLOCKS:
        return None
    exponents = height * wide // FACE
    return InPage(page, exponents + datum * BLOCKS[layout.dtype] // 8, 1)


def page_bytes(layout: Layout) -> int:
    """Return how many bytes a page has."""
    if layout.tile is None:
        return layout.shape[-1] * BYTES.get(layout.dtype, 0)
    datums = prod(layout.tile)
    if layout.dtype in BLOCKS:
        return datums // FACE + datums * BLOCKS[layout.dtype] // 8
    return datums * BYTES.get(layout.dtype, 0)


def in_dram(layout: Layout, datum: InPage, address: int, banks: int) -> str:
    """Return the place of a datum of an interleaved tensor in DRAM, as `origin` takes it."""
    page = -(-page_bytes(layout) // DRAM_ALIGNMENT) * DRAM_ALIGNMENT
    at = address + datum.page // banks * page + datum.offset
    return f"DRAM {datum.page % banks} {at:#x}:{datum.size}"


def in_l1(pages: Iterable[Any], datum: InPage, name_of_core: Any) -> str | None:
    """Return the same of a tensor in L1, by the pages that ttnn lists; None if it lists none."""
    for page in pages:
        if page.page_index == datum.page:
            at = page.page_address + datum.offset
            return f"{name_of_core(page.core_x, page.core_y)} {at:#x}:{datum.size}"
    return None


def tile_of(layout: Layout, index: Sequence[int]) -> str:
    """Return words for the tile or row of the tensor that a datum is in."""
    datum = in_page(layout, index)
    if datum is None:
        return "a page"
    return f"{'row' if layout.tile is None else 'tile'} {datum.page}"
