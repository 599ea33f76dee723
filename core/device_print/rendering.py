# SPDX-License-Identifier: Apache-2.0
"""A message as text: its format string, with a value in place of each field.

The compiler has written `{INDEX,TYPE:SPECIFICATION}` where the source has `{}`; TYPE is a letter
(device_print.h), or `/e_LETTER_NAME` for an enumeration and `/E_...` for one of flags. Arguments
are in the order of their indexes, which is by size, so where one begins follows from those before.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.device_print.specification import FLOAT32_DIGITS, FLOAT64_DIGITS, formatted
from tensix_gdb.core.device_print.strings import Strings
from tensix_gdb.core.device_print.values import (
    HALVES,
    SIMPLE,
    Number,
    numbers,
    slice_length,
    tile_slice,
)

POINTER_BYTES = 4
UNKNOWN_ADDRESS = 0xFFFFFFFF
_FIELD = re.compile(
    r"\{\{|\}\}|\{(\d+),(?:/([eE])_(.)_([A-Za-z_][\w:]*)|(.))(?::([^{}]*))?\}", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The strings that the values of a message refer to."""

    strings: Strings
    string_in_memory: Callable[[int], str]  # at an address of the hart's


class Damaged(ValueError):
    """The arguments are not those of the format string."""


def rendered(text: str, arguments: bytes, around: Surroundings) -> str:
    """Return the text of a message."""
    places = _places(text, arguments)

    def value(match: re.Match[str]) -> str:
        if match[0] in ("{{", "}}"):
            return match[0][0]
        letter, spec = match[3] or match[5], match[6] or ""
        data = places[int(match[1])]
        if match[4]:
            return _enumerator(data, letter, match[4], match[2] == "E", spec, around)
        return _value(data, letter, spec, around)

    try:
        return _FIELD.sub(value, text)
    except (struct.error, IndexError, KeyError, ValueError, OverflowError):
        raise Damaged(f"{len(arguments)} bytes do not fit {text!r}") from None


def _places(text: str, arguments: bytes) -> dict[int, bytes]:
    """Return the bytes of each argument, from where it begins."""
    letters = {int(f[1]): f[3] or f[5] for f in _FIELD.finditer(text) if f[1]}
    places, at = {}, 0
    for index in sorted(letters):
        places[index] = arguments[at:]
        at += _length(letters[index], arguments[at:])
    return places


def _length(letter: str, data: bytes) -> int:
    if letter in SIMPLE:
        return struct.calcsize(SIMPLE[letter])
    match letter:
        case "?":
            return 1
        case "e" | "E" | "w":
            return 2
        case "c":
            return 3 * POINTER_BYTES
        case "t" if len(data) >= 16:
            return slice_length(data)
        case "A" if len(data) >= 4:
            return 4 + 4 * int.from_bytes(data[2:4], "little")
    return POINTER_BYTES


def _value(data: bytes, letter: str, spec: str, around: Surroundings) -> str:
    if letter in SIMPLE:
        (number,) = struct.unpack_from(SIMPLE[letter], data)
        return formatted(number, spec, FLOAT32_DIGITS if letter == "f" else FLOAT64_DIGITS)
    match letter:
        case "?":
            return formatted(bool(data[0]), spec)
        case "e" | "E" | "w":
            (bits,) = struct.unpack_from("<H", data)
            return formatted(HALVES[letter](bits), spec, FLOAT32_DIGITS)
        case "s":
            return formatted(_string(data, around), spec)
        case "p":
            (addr,) = struct.unpack_from("<I", data)
            return formatted(f"{addr:#x}", spec.rstrip("p"))
        case "t":
            return _slice(data)
        case "A":
            return _array(data)
        case "c":
            return _callers(data, around)
    return f"<a value of type {letter!r}>"


def _string(data: bytes, around: Surroundings) -> str:
    (addr,) = struct.unpack_from("<I", data)
    known = around.strings.string(addr)
    return around.string_in_memory(addr) if known is None else known


def _enumerator(
    data: bytes, letter: str, name: str, flags: bool, spec: str, around: Surroundings
) -> str:
    """Return the name of a value; `#` in the specification puts that of the type before it."""
    (value,) = struct.unpack_from(SIMPLE[letter], data)
    prefix = f"{name}::" if "#" in spec else ""
    known = around.strings.enumerators(name)
    exact = [text for number, text in known if number == value]
    if exact:
        parts = [prefix + exact[0]]
    elif flags and value:
        parts = []
        for number, text in known:
            if number and value & number == number:
                parts.append(prefix + text)
                value &= ~number
        if value:
            parts.append(f"({name}){value}")
    else:
        parts = [f"({name}){value}"]
    return formatted(" | ".join(parts), spec.replace("#", ""))


def _cell(value: Number) -> str:
    return f"{value:7.2f}" if isinstance(value, float) else f"{value:7d}"


def _row(values: Sequence[Number]) -> str:
    return " ".join(map(_cell, values))


def _slice(data: bytes) -> str:
    """Return one line for each row of the slice, or one for all of them; what did not fit is
    said."""
    tile_part = tile_slice(data)
    if tile_part.problem:
        return f"<tile slice: {tile_part.problem}>"
    width = len(tile_part.columns)
    rows = [tile_part.values[i : i + width] for i in range(0, len(tile_part.values), width or 1)]
    text = ("\n" if tile_part.ends_rows else " ").join(map(_row, rows))
    if len(tile_part.values) < len(tile_part.rows) * width:
        text += f" <the other {len(tile_part.rows) * width - len(tile_part.values)} did not fit>"
    return "\n" + text + "\n" if tile_part.ends_rows else text


def _array(data: bytes) -> str:
    code, words = struct.unpack_from("<HH", data)
    body = data[4 : 4 + 4 * words]
    values = numbers(body, len(body), code)
    return f"<an array of format {code}>" if values is None else _row(values)


def _callers(data: bytes, around: Surroundings) -> str:
    """Return the place of the print, and its callers: addresses of the file, one inside the
    call."""
    pc, ra, _skip = struct.unpack_from("<III", data)
    image = around.strings.image
    places = []
    for addr in (pc, ra):
        line = None if addr == UNKNOWN_ADDRESS else image.symbolize(addr + image.bias)
        places.append("unknown" if addr == UNKNOWN_ADDRESS else f"{addr:#x} ({line or '?'})")
    return f"{places[0]}, called from {places[1]}"
