# SPDX-License-Identifier: Apache-2.0
"""Arguments of a print as values: numbers of each format, tile slices, arrays.

What a type letter of the format string stands for is in device_print.h (`device_print_type`), the
layout of a tile slice in dprint_common.h (TileSliceHostDev), the numbers of formats in
tensix_types.h (DataFormat).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

from tensix_gdb.core.dataclass import dataclass

FLOAT32, BFP8_B, BFP4_B, INT32, UINT32 = 0, 6, 7, 8, 24
TF32, FLOAT16, FLOAT16_B, UINT16, INT8, UINT8 = 4, 1, 5, 9, 14, 30
SLICE_BYTES = 16  # of a tile slice without its data
SLICE_OK = 2
SLICE_PROBLEMS = {
    3: "bad tile index",
    4: "bad tile pointer",
    5: "unsupported data format",
    6: "MATH has no circular buffers",
    7: "Ethernet cores have no circular buffers",
}

Number = int | float


def float32(bits: int) -> float:
    """Return the number that has these bits."""
    return float(struct.unpack("<f", struct.pack("<I", bits & 0xFFFFFFFF))[0])


def bfloat16(bits: int) -> float:
    """Return the upper half of an FP32."""
    return float32(bits << 16)


def block_float(exponent: int, bits: int, mantissa_bits: int) -> float:
    """Return a datum of a block: the exponent that it shares, and its own sign and mantissa."""
    sign = -1.0 if bits >> mantissa_bits & 1 else 1.0
    mantissa = bits & ((1 << mantissa_bits) - 1)
    return sign * mantissa * 2.0 ** (exponent - 127 - (mantissa_bits - 1))


# Letters of plain numbers: how many bytes, and as which value.
SIMPLE: dict[str, str] = {
    **{"b": "<b", "B": "<B", "h": "<h", "H": "<H", "i": "<i", "I": "<I"},
    **{"q": "<q", "Q": "<Q", "f": "<f", "d": "<d"},
}
HALVES: dict[str, Callable[[int], float]] = {
    "w": bfloat16,
    "E": lambda bits: block_float(bits & 0xFF, bits >> 8, 7),
    "e": lambda bits: block_float(bits & 0xFF, bits >> 8, 3),
}

# Formats of tiles and arrays: how a datum is unpacked, and what is made of it.
_FORMATS: dict[int, tuple[str, Callable[[int], float] | None]] = {
    FLOAT32: ("f", None),
    INT32: ("i", None),
    UINT32: ("I", None),
    TF32: ("I", lambda bits: float32((bits & 0x7FFFF) << 13)),
    FLOAT16: ("e", None),
    FLOAT16_B: ("H", bfloat16),
    UINT16: ("H", None),
    INT8: ("b", None),
    UINT8: ("B", None),
}


def numbers(data: bytes, count: int, code: int) -> list[Number] | None:
    """Return the first `count` data in a format; None when prints do not have it."""
    if code in (BFP8_B, BFP4_B):
        bits = 7 if code == BFP8_B else 3
        pairs = list(zip(data[0::2], data[1::2], strict=False))[:count]
        return [block_float(exponent, datum, bits) for exponent, datum in pairs]
    if code not in _FORMATS:
        return None
    letter, made = _FORMATS[code]
    count = min(count, len(data) // struct.calcsize(letter))
    values = struct.unpack_from(f"<{count}{letter}", data)
    return list(values) if made is None else [made(value) for value in values]


@dataclass(frozen=True, slots=True)
class Slice:
    """A tile slice: which rows and columns of the tile, and their data as far as they fit."""

    rows: Sequence[int]
    columns: Sequence[int]
    values: Sequence[Number]
    ends_rows: bool
    problem: str = ""


def slice_length(data: bytes) -> int:
    """Return how many bytes a slice takes: its last header byte is the room for data."""
    return SLICE_BYTES + data[SLICE_BYTES - 1]


def tile_slice(data: bytes) -> Slice:
    """Return a slice from its bytes."""
    h0, h1, hs, w0, w1, ws, _cb, code, count, ends, status, _room = data[4:SLICE_BYTES]
    rows, columns = range(h0, h1, hs or 1), range(w0, w1, ws or 1)
    if status != SLICE_OK:
        problem = SLICE_PROBLEMS.get(status, f"return code {status}")
        return Slice(rows, columns, (), bool(ends), problem)
    values = numbers(data[SLICE_BYTES:], min(count, len(rows) * len(columns)), code)
    if values is None:
        return Slice(rows, columns, (), bool(ends), f"unsupported data format {code}")
    return Slice(rows, columns, values, bool(ends))
