# SPDX-License-Identifier: Apache-2.0
"""Rows of datums as a matrix for people: numbers, with what IEEE 754 calls NaN and infinity marked.

To the Matrix Unit these are numbers like the others (FloatBitPatterns.md), but a program that has
them has gone wrong as a rule. Equal rows of zeros are one line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tensix_gdb.core.numeric import layouts

COLUMNS = 16


def floating(bits: int, exponent_bits: int, mantissa_bits: int) -> str:
    """Return a number of the order sign, exponent, mantissa."""
    sign = "-" if bits >> (exponent_bits + mantissa_bits) & 1 else ""
    highest = (1 << exponent_bits) - 1
    exponent = bits >> mantissa_bits & highest
    mantissa = bits & ((1 << mantissa_bits) - 1)
    if exponent_bits == 8 and exponent == highest:
        return f"{sign}nan" if mantissa else f"{sign}inf"
    if exponent_bits == 5 and exponent == highest and mantissa == (1 << mantissa_bits) - 1:
        return f"{sign}inf"  # what the coprocessor has for it (FloatBitPatterns.md)
    if exponent == 0:
        return f"{sign}den" if mantissa else f"{sign}0"
    scale = 2.0 ** (exponent - (highest >> 1))
    return sign + plain((1 + mantissa / (1 << mantissa_bits)) * scale)


def plain(value: float) -> str:
    """Short, and exact where that is short."""
    text = f"{value:.5g}"
    return text if "e" not in text else f"{value:.3e}".replace("e+0", "e+").replace("e-0", "e-")


def signed(sign: int, magnitude: int) -> str:
    """Sign and magnitude."""
    return f"-{magnitude}" if sign else str(magnitude)


# By name: a datum of SrcA or SrcB as text.
SOURCE_FORMATS: dict[str, Callable[[int], str]] = {
    "bf16": lambda datum: floating(layouts.src_to_bf16(datum), 8, 7),
    "tf32": lambda datum: floating(layouts.src_to_tf32(datum), 8, 10),
    "fp16": lambda datum: floating(layouts.src_to_fp16(datum), 5, 10),
    "int8": lambda datum: signed(datum >> 18, datum >> 8 & 0x3FF),
    "int16": lambda datum: str(layouts.src_to_int16(datum)),
    "hex": lambda datum: f"{datum:05x}",
}


def matrix(
    numbers: Sequence[int], rows: Sequence[Sequence[int]], text: Callable[[int], str]
) -> str:
    """Rows with their numbers; zeros only, in several rows on end, are one line."""
    shown = [[text(datum) for datum in row] for row in rows]
    width = max([4, *(len(cell) for row in shown for cell in row)])
    columns = "".join(f"{column:>{width + 1}}" for column in range(COLUMNS))
    lines = [f"{'row':>5}{columns}"]
    at = 0
    while at < len(rows):
        end = at
        while end < len(rows) and not any(rows[end]) and numbers[end] - numbers[at] == end - at:
            end += 1
        if end - at > 1:
            lines.append(f"{numbers[at]:>5} to {numbers[end - 1]}: zero")
            at = end
            continue
        cells = "".join(f"{cell:>{width + 1}}" for cell in shown[at])
        lines.append(f"{numbers[at]:>5}{cells}")
        at += 1
    return "\n".join(lines) + "\n"


def count_of(cells: Sequence[str]) -> str:
    """Return how many are no finite numbers, in words; empty if all are."""
    nans = sum(cell.lstrip("-") == "nan" for cell in cells)
    infinities = sum(cell.lstrip("-") == "inf" for cell in cells)
    counts = [f"{nans} NaN"] if nans else []
    counts += [f"{infinities} infinite"] if infinities else []
    return " and ".join(counts)
