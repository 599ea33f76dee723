# SPDX-License-Identifier: Apache-2.0
"""Rows of Dst as arrays: a tile is 64 rows of 16 columns, face after face (Dst.md).

Formats of 32 bits are those of Dst32b, all others of Dst16b, where block float is BF16 or FP16.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from tensix_gdb.core.numeric import layouts
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.data_format import Format
from tensix_gdb.core.tensix.regfiles import dst
from tensix_gdb.core.tiles.formats import FORMATS, TileFormat
from tensix_gdb.core.tiles.npy import Array, ArrayError
from tensix_gdb.core.tiles.tile import bits_of, orders

# What a format of L1 is in Dst.
_HELD = {
    Format.TF32: "fp32", Format.BFP8: "bf16", Format.BFP4: "bf16", Format.BFP2: "bf16",
    Format.FP8: "fp16", Format.BFP8A: "fp16", Format.BFP4A: "fp16", Format.BFP2A: "fp16",
}  # fmt: skip
_INTEGER_EXPONENT, _SIGN = 16, 0x80


def held(format: TileFormat) -> TileFormat:
    """Return the format that Dst has of a format of L1."""
    return FORMATS[_HELD[format.code]] if format.code in _HELD else format


def is_wide(format: TileFormat) -> bool:
    """True if Dst has 32 bits of its datums."""
    return held(format).bits == 32


def rows_of(format: TileFormat) -> int:
    """Return how many rows Dst has of a format."""
    return dst.ROWS // 2 if is_wide(format) else dst.ROWS


def to_dst(S: View, format: TileFormat, first: int, array: Array, by_rows: bool = False) -> int:
    """Write an array to Dst from a row on; return how many rows it took."""
    kind = held(format)
    bits = bits_of(kind, array)
    order = list(chain.from_iterable(orders(array.shape, by_rows)))
    count = _count(format, first, len(order))
    for i, place in enumerate(order):
        _write(S, kind, first + i // dst.COLUMNS, i % dst.COLUMNS, bits[place])
    return count


def from_dst(
    S: View, format: TileFormat, first: int, shape: Sequence[int], by_rows: bool = False
) -> tuple[Array, list[int | None]]:
    """Return the array in Dst from a row on, and its bits; None (and NaN) where there is no
    value."""
    kind = held(format)
    order = list(chain.from_iterable(orders(shape, by_rows)))
    _count(format, first, len(order))
    values: list[float] = [0] * len(order)
    bits: list[int | None] = [None] * len(order)
    for i, place in enumerate(order):
        datum = _read(S, kind, first + i // dst.COLUMNS, i % dst.COLUMNS)
        bits[place] = datum
        values[place] = float("nan") if datum is None else kind.decode(datum)
    return Array(tuple(shape), values), bits


def unlike(
    S: View, format: TileFormat, first: int, wanted: Sequence[int]
) -> list[tuple[int, int | None, int]]:
    """Return the datums that have other bits than those wanted, row by row from a row on: which
    one, its bits (None where there is no value), and those wanted."""
    _, bits = from_dst(S, format, first, (len(wanted),), by_rows=True)
    pairs = zip(bits, wanted, strict=True)
    return [(i, got, want) for i, (got, want) in enumerate(pairs) if got != want]


def row_and_column(shape: Sequence[int], place: int, first: int, by_rows: bool) -> tuple[int, int]:
    """Return where in Dst a datum of an array is."""
    i = list(chain.from_iterable(orders(shape, by_rows))).index(place)
    return first + i // dst.COLUMNS, i % dst.COLUMNS


def _count(format: TileFormat, first: int, datums: int) -> int:
    count = -(-datums // dst.COLUMNS)
    if not 0 <= first <= rows_of(format) - count:
        raise ArrayError(
            f"has {count} rows of 16 datums, and Dst has {rows_of(format)} rows of {format.name}"
            + (f"; it cannot begin at row {first}" if first else "")
        )
    return count


def _write(S: View, kind: TileFormat, row: int, column: int, bits: int) -> None:
    if kind.bits == 32:
        dst.write32(S, dst.row32(S, 0, row), column, layouts.fp32_to_dst32(bits))
        return
    dst.write16(S, dst.row16(S, 0, row), column, _narrow(kind, bits))


def _narrow(kind: TileFormat, bits: int) -> int:
    """Return a datum of Dst16b."""
    match kind.code:
        case Format.BF16:
            return layouts.bf16_to_dst16(bits)
        case Format.FP16:
            return layouts.fp16_to_dst16(bits)
        case Format.INT8:
            sign = 0 if kind.name == "uint8" else bits & _SIGN
            magnitude = bits - sign
            return layouts.int8_to_dst16(
                1 if sign else 0, magnitude, _INTEGER_EXPONENT if magnitude else 0
            )
        case _:
            return bits


def _read(S: View, kind: TileFormat, row: int, column: int) -> int | None:
    at = dst.row32(S, 0, row) if kind.bits == 32 else dst.row16(S, 0, row)
    if dst.undefined(S, at) >> column & 1:
        return None
    if kind.bits == 32:
        return int(layouts.dst32_to_fp32(dst.read32(S, at, column)))
    datum = int(dst.read16(S, at, column))
    match kind.code:
        case Format.BF16:
            return layouts.dst16_to_bf16(datum)
        case Format.FP16:
            return layouts.dst16_to_fp16(datum)
        case Format.INT8:
            magnitude = datum >> 5 & 0x3FF
            return magnitude if kind.name == "uint8" else (datum >> 8 & _SIGN) | magnitude & 0x7F
        case _:
            return datum
