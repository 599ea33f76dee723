# SPDX-License-Identifier: Apache-2.0
"""NumPy's .npy files, without NumPy: the tile's commands need no package for one array.

The format is that of numpy.lib.format: a magic number, a dictionary as text, and the numbers. BF16
as ml_dtypes saves it has the type `V2`.
"""

from __future__ import annotations

import ast
import math
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass

MAGIC = b"\x93NUMPY"
ALIGNMENT = 64
MOST = 1 << 24  # numbers: sixteen times what L1 can hold
# Type without its byte order: code of `struct`.
CODES = {
    "f2": "e", "f4": "f", "f8": "d", "b1": "?",
    "i1": "b", "i2": "h", "i4": "i", "i8": "q",
    "u1": "B", "u2": "H", "u4": "I", "u8": "Q",
    "V2": "H",
}  # fmt: skip
BF16 = "V2"


class ArrayError(ValueError):
    """A file or array that a tile cannot take; the message is one sentence."""


@dataclass(frozen=True)
class Array:
    """Numbers in C order, and their shape."""

    shape: tuple[int, ...]
    values: Sequence[float]


def read(content: bytes) -> Array:
    """Read the content of a file."""
    if content[:6] != MAGIC:
        raise ArrayError("is no .npy file: write it by numpy.save")
    wide = len(content) > 6 and content[6] >= 2
    start = 12 if wide else 10
    length = int.from_bytes(content[8:start], "little")
    try:
        header = ast.literal_eval(content[start : start + length].decode("latin-1"))
        kind, fortran, shape = header["descr"], header["fortran_order"], header["shape"]
        count = math.prod(int(size) for size in shape)
    except (ValueError, SyntaxError, TypeError, KeyError):
        raise ArrayError("has a header that numpy.save does not write") from None
    values = _numbers(content[start + length :], kind, count)
    return Array(tuple(shape), _c_order(values, shape) if fortran else values)


def _numbers(data: bytes, kind: object, count: int) -> list[float]:
    match = re.fullmatch(r"([<>|=])(\w+)", kind) if isinstance(kind, str) else None
    if match is None or match[2] not in CODES:
        raise ArrayError(f"has numbers of the type {kind!r}: save it as float32 or int32")
    if not 0 <= count <= MOST:
        raise ArrayError(f"has {count} numbers, more than a tile can hold")
    one = struct.calcsize(CODES[match[2]])
    if len(data) != one * count:
        raise ArrayError(f"has {len(data)} bytes of numbers and its shape needs {one * count}")
    order = ">" if match[1] == ">" else "<"
    numbers = struct.unpack(f"{order}{count}{CODES[match[2]]}", data)
    if match[2] == BF16:
        wide = struct.pack(f"<{count}I", *(bits << 16 for bits in numbers))
        return list(struct.unpack(f"<{count}f", wide))
    return [int(number) for number in numbers] if match[2] == "b1" else list(numbers)


def _c_order(values: Sequence[float], shape: Sequence[int]) -> list[float]:
    """Return the numbers of an array in Fortran's order, the last index fastest."""
    strides = [math.prod(shape[:axis]) for axis in range(len(shape))]
    places = [0]
    for size, stride in zip(shape, strides, strict=True):
        places = [place + i * stride for place in places for i in range(size)]
    return [values[place] for place in places]


def written(array: Array, kind: str) -> bytes:
    """Return the content of a file with numbers of a type, such as `f4`."""
    one = "|" if kind in ("i1", "u1") else "<"
    header = repr({"descr": one + kind, "fortran_order": False, "shape": array.shape})
    padding = -(len(MAGIC) + 4 + len(header) + 1) % ALIGNMENT
    text = (header + " " * padding + "\n").encode("latin-1")
    numbers = struct.pack(f"<{len(array.values)}{CODES[kind]}", *array.values)
    return MAGIC + b"\x01\x00" + len(text).to_bytes(2, "little") + text + numbers
