# SPDX-License-Identifier: Apache-2.0
"""An array to the bytes that L1 has of it, and back.

Of block float a tile begins with its exponents, a byte for 16 datums, up to a multiple of 16 bytes
(Packers/OutputAddressGenerator.md; UNPACR_Regular.md reads it so). Addresses are those of the first
byte after a tile's header of 16 bytes: the unpacker's base address is `ADDR / 16 - 1`. Tiles of
several follow each other without headers, as LLK has them.
"""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.tiles.formats import GROUP, TileFormat, block, of_block
from tensix_gdb.core.tiles.layout import indices, named, tiles
from tensix_gdb.core.tiles.npy import Array, ArrayError

ALIGNMENT = 16


def orders(shape: Sequence[int], by_rows: bool = False) -> list[list[int]]:
    """`layout.tiles`, with ArrayError for an array without tiles."""
    try:
        return tiles(shape, by_rows=by_rows)
    except ValueError as problem:
        raise ArrayError(str(problem)) from None


def exponent_bytes(format: TileFormat, datums: int) -> int:
    """Return bytes of the exponents of a tile."""
    if not format.is_block:
        return 0
    return -(-datums // (GROUP * ALIGNMENT)) * ALIGNMENT


def tile_bytes(format: TileFormat, datums: int) -> int:
    """Return bytes of a tile, up to a multiple of 16."""
    data = -(-datums * format.bits // (8 * ALIGNMENT)) * ALIGNMENT
    return exponent_bytes(format, datums) + data


def array_bytes(format: TileFormat, shape: Sequence[int], by_rows: bool = False) -> int:
    """Return bytes of an array in L1."""
    return sum(tile_bytes(format, len(order)) for order in orders(shape, by_rows))


def bits_of(format: TileFormat, array: Array) -> list[int]:
    """Return every number of an array as the format has it alone. ArrayError names what does not
    fit."""
    found = []
    for place, value in enumerate(array.values):
        try:
            found.append(format.encode(value))
        except ValueError as problem:
            at = ", ".join(map(str, indices(place, array.shape)))
            raise ArrayError(f"has {value:g} at [{at}], and {format.name} {problem}") from None
    return found


def to_l1(format: TileFormat, array: Array, by_rows: bool = False) -> bytes:
    """Return the bytes of an array. ArrayError if a number does not fit, or the shape has no
    tiles."""
    bits = bits_of(format, array)
    content = bytearray()
    for order in orders(array.shape, by_rows):
        content += _one_to_l1(format, [bits[place] for place in order])
    return bytes(content)


def _one_to_l1(format: TileFormat, datums: list[int]) -> bytes:
    exponents = bytearray()
    if format.is_block:
        padded = datums + [0] * (-len(datums) % GROUP)
        datums = []
        for first in range(0, len(padded), GROUP):
            exponent, group = block(format, padded[first : first + GROUP])
            exponents.append(exponent)
            datums += group
    total = 0
    data = bytearray()
    width = 0
    for datum in datums:
        total |= datum << width
        width += format.bits
        if width >= 8:
            data += total.to_bytes(width // 8, "little")
            total, width = 0, 0
    if width:
        data.append(total)
    return _padded(exponents) + _padded(data)


def _padded(data: bytearray) -> bytes:
    return bytes(data + bytes(-len(data) % ALIGNMENT))


def from_l1(
    format: TileFormat, content: bytes, shape: Sequence[int], by_rows: bool = False
) -> tuple[Array, list[int]]:
    """Return the array in these bytes, and the bits of each of its datums."""
    every = orders(shape, by_rows)
    count = sum(map(len, every))
    values: list[float] = [0] * count
    bits = [0] * count
    first = 0
    for order in every:
        data = first + exponent_bytes(format, len(order))
        for i, place in enumerate(order):
            datum = _datum(content, 8 * data + i * format.bits, format.bits)
            bits[place] = datum
            whole = (
                of_block(format, datum, content[first + i // GROUP]) if format.is_block else datum
            )
            values[place] = format.decode(whole)
        first += tile_bytes(format, len(order))
    return Array(tuple(shape), values), bits


def _datum(content: bytes, at: int, bits: int) -> int:
    if bits < 8:
        return content[at >> 3] >> (at & 7) & ((1 << bits) - 1)
    return int.from_bytes(content[at >> 3 : (at + bits) >> 3], "little")


def as_the_format_has_it(format: TileFormat, array: Array, by_rows: bool = False) -> Array:
    """Return the numbers of an array after their way to L1 and back."""
    return from_l1(format, to_l1(format, array, by_rows), array.shape, by_rows)[0]


def where(
    format: TileFormat, base: int, shape: Sequence[int], place: int, by_rows: bool = False
) -> str:
    """Return the address of a datum of an array at `base`; of small ones with their bits, of block
    float with that of the exponent."""
    for order in orders(shape, by_rows):
        if place in order:
            i = order.index(place)
            return _named(format, base, 8 * exponent_bytes(format, len(order)) + i * format.bits, i)
        base += tile_bytes(format, len(order))
    raise ValueError(f"an array of {named(shape)} has no datum {place}")


def _named(format: TileFormat, base: int, at: int, i: int) -> str:
    text = f"{base + (at >> 3):#x}"
    if format.bits < 8:
        text += f" bits {at & 7} to {(at & 7) + format.bits - 1}"
    return text + (f", its exponent at {base + i // GROUP:#x}" if format.is_block else "")
