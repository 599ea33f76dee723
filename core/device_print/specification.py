# SPDX-License-Identifier: Apache-2.0
"""A value by a format specification of {fmt}, which kernels' format strings have:
[[fill]align][sign][#][0][width][.precision][L][type]. Python's are nearly the same.
"""

from __future__ import annotations

import re
import struct

_SPEC = re.compile(
    r"(?:(?P<fill>[^{}])?(?P<align>[<>^]))?(?P<sign>[-+ ])?(?P<alternate>#)?(?P<zero>0)?"
    r"(?P<width>\d+)?(?:\.(?P<precision>\d+))?L?(?P<type>[aAbBcdeEfFgGopsxX?])?"
)
INTEGERS, FLOATS = "bBcdoxXp", "aAeEfFgG"
FLOAT32_DIGITS = 9  # that tell every FP32 from its neighbours
FLOAT64_DIGITS = 17


def shortest(value: float, digits: int) -> str:
    """Return the number in as few digits as tell it from its neighbours, as {fmt} writes it by
    default."""
    for count in range(1, digits + 1):
        text = f"{value:.{count}g}"
        if digits > FLOAT32_DIGITS and float(text) == value:
            break
        if digits == FLOAT32_DIGITS and _as_float32(float(text)) == value:
            break
    exponent = text.partition("e")[2]
    if not exponent or not -5 < int(exponent) < 16:
        return text
    return f"{float(text):.0f}" if int(exponent) >= 0 else text


def _as_float32(value: float) -> float:
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return value


def formatted(value: bool | int | float | str, spec: str, digits: int = FLOAT64_DIGITS) -> str:
    """Return the value as `spec` wants it; as it is when the specification is not for such a
    value."""
    match = _SPEC.fullmatch(spec)
    if match is None:
        return _plain(value, digits)
    kind = match["type"] or ""
    text, is_number = _content(value, kind, match, digits)
    width = int(match["width"] or 0)
    if match["align"]:
        return f"{text:{match['fill'] or ' '}{match['align']}{width}}"
    if match["zero"] and is_number:
        sign = text[:1] if text[:1] in "+- " else ""
        prefix = text[len(sign) :][:2] if text[len(sign) :][:2].lower() in ("0x", "0b") else ""
        rest = text[len(sign) + len(prefix) :]
        return sign + prefix + rest.rjust(width - len(sign) - len(prefix), "0")
    return text.rjust(width) if is_number else text.ljust(width)


def _content(
    value: bool | int | float | str, kind: str, match: re.Match[str], digits: int
) -> tuple[str, bool]:
    """Return the text without padding, and whether it is a number."""
    sign, alternate = match["sign"] or "", "#" if match["alternate"] else ""
    precision = "" if match["precision"] is None else f".{match['precision']}"
    if isinstance(value, str):
        return value[: int(precision[1:])] if precision else value, False
    if isinstance(value, bool) and kind in ("", "s", "?"):
        return ("true" if value else "false"), False
    if isinstance(value, float) and (not kind or kind in FLOATS):
        if kind in ("a", "A"):
            text = value.hex()
            return (text.upper() if kind == "A" else text), True
        if kind or precision or alternate:
            return f"{value:{sign}{alternate}{precision}{kind or 'g'}}", True
        text = shortest(value, digits)
        return (sign.strip("-") + text if sign and value >= 0 else text), True
    if isinstance(value, int) and kind in ("", *INTEGERS):
        if kind == "c":
            return chr(value & 0xFF), False
        if kind == "p":
            return f"{value:#x}", True
        text = f"{value:{sign}{alternate}{(kind or 'd').replace('B', 'b')}}"
        return (text.upper() if kind == "B" else text), True
    return _plain(value, digits), not isinstance(value, bool)


def _plain(value: bool | int | float | str, digits: int) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return shortest(value, digits) if isinstance(value, float) else str(value)
