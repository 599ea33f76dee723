# SPDX-License-Identifier: Apache-2.0
"""C's printf over 64-bit values, for `dprintf` in the stub: the format is text as in C source."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|(.))", re.DOTALL)
_SPEC = re.compile(
    # Possessive, so that no digits are tried in several ways.
    r"%(?:%|(?P<flags>[-+ #0]*+)(?P<width>\d*+)(?:\.(?P<precision>\d*+))?"
    r"(?P<size>hh|h|ll|l|j|z|t|L)?(?P<kind>[diouxXcspn]))"
)
_BITS = {"hh": 8, "h": 16, "ll": 64, "j": 64}  # everything else has the 32 of int and long
MAX_WIDTH = 4096
MAX_STRING = 1 << 16
MAX_DIGITS = 9  # of a width or a precision


def formatted(
    form: str,
    values: Sequence[int],
    string: Callable[[int, int], bytes],
    spend: Callable[[int], None] = lambda count: None,
) -> str:
    """`form` with the values in place; `string` reads the text at an address, up to so many bytes.
    `spend` is told how many characters come."""
    left = list(values)
    spend(len(form))

    def value_text(match: re.Match[str]) -> str:
        if match["kind"] is None:
            return "%"
        if not left:
            return match[0]
        shown = _value(match, left.pop(0), string)
        spend(len(shown))
        return shown

    # Escapes first, in the text only: what a value brings is shown as it is.
    return _SPEC.sub(value_text, _ESCAPE.sub(_unescaped, form))


def _unescaped(match: re.Match[str]) -> str:
    if match[1] is not None:
        return chr(int(match[1], 8) & 0xFF)
    return _ESCAPES.get(match[2], match[2])


def _value(spec: re.Match[str], value: int, string: Callable[[int, int], bytes]) -> str:
    flags = spec["flags"]
    width = _size(spec["width"], MAX_WIDTH)
    precision = None if spec["precision"] is None else _size(spec["precision"], MAX_STRING)
    bits = _BITS.get(spec["size"] or "", 32)
    raw = value & ((1 << bits) - 1)
    match spec["kind"]:
        case "s":
            most = MAX_STRING if precision is None else precision
            text = string(value, most).decode("utf-8", "replace")
        case "c":
            text = chr(raw & 0xFF)
        case "p":
            text = f"{raw:#x}"
        case "d" | "i":
            signed = raw - (1 << bits) if raw >> (bits - 1) else raw
            sign = "-" if signed < 0 else "+" if "+" in flags else " " if " " in flags else ""
            return _padded(sign, _digits(str(abs(signed)), precision), flags, width, precision)
        case "n":
            return ""
        case kind:
            digits = _digits(format(raw, "d" if kind == "u" else kind), precision)
            prefix = {"x": "0x", "X": "0X", "o": "0"}.get(kind, "") if "#" in flags and raw else ""
            return _padded(prefix, digits, flags, width, precision)
    return _padded("", text, flags.replace("0", ""), width, None)


def _size(digits: str, most: int) -> int:
    """Return a width or precision; no number has so many digits that it takes long to read."""
    digits = digits.lstrip("0")
    return min(int(digits or 0), most) if len(digits) <= MAX_DIGITS else most


def _digits(digits: str, precision: int | None) -> str:
    return digits.rjust(min(precision or 0, MAX_WIDTH), "0")


def _padded(sign: str, text: str, flags: str, width: int, precision: int | None) -> str:
    if "-" in flags:
        return (sign + text).ljust(width)
    if "0" in flags and precision is None:
        return sign + text.rjust(width - len(sign), "0")
    return (sign + text).rjust(width)
