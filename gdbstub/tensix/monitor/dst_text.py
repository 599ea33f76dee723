# SPDX-License-Identifier: Apache-2.0
"""Dst and LRegs for people: datums as text, in the formats of the Vector Unit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tensix_gdb.core.numeric import layouts
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.regfiles import dst
from tensix_gdb.gdbstub.tensix.monitor.matrix_text import floating, signed

UNDEFINED = "undef"  # ZEROACC has made it so, and it was not written since
Text = Callable[[int], str]

# By name: is it 32 bits wide, and a datum of Dst as text.
FORMATS: dict[str, tuple[bool, Text]] = {
    "fp32": (True, lambda datum: floating(layouts.dst32_to_fp32(datum), 8, 23)),
    "int32": (True, lambda datum: _integer(layouts.dst32_to_fp32(datum), 32)),
    "hex32": (True, lambda datum: f"{datum:08x}"),
    "bf16": (False, lambda datum: floating(layouts.dst16_to_bf16(datum), 8, 7)),
    "fp16": (False, lambda datum: floating(layouts.dst16_to_fp16(datum), 5, 10)),
    "int8": (False, lambda datum: signed(datum >> 15, datum >> 5 & 0x3FF)),
    "int16": (False, lambda datum: _integer(datum, 16)),
    "uint16": (False, str),
    "hex16": (False, lambda datum: f"{datum:04x}"),
}


def _integer(datum: int, width: int) -> str:
    return signed(datum >> (width - 1), datum & ((1 << (width - 1)) - 1))


def row_of(S: View, row: int, wide: bool) -> list[int | None]:
    """Return the datums of a row of Dst32b or Dst16b; None where there is no value."""
    if wide:
        at = dst.row32(S, 0, row)
        values = [dst.read32(S, at, column) for column in range(dst.COLUMNS)]
    else:
        at = dst.row16(S, 0, row)
        values = [dst.read16(S, at, column) for column in range(dst.COLUMNS)]
    undefined = dst.undefined(S, at)
    return [None if undefined >> column & 1 else int(value) for column, value in enumerate(values)]


def cells(row: Sequence[int | None], text: Text) -> list[str]:
    """Return a row as text."""
    return [UNDEFINED if datum is None else text(datum) for datum in row]


def mark_cells(S: View, row: int, wide: bool, shown: list[str]) -> bool:
    """Add `?` to the cells that were computed from undefined rows; True if there are any."""
    at = dst.row32(S, 0, row) if wide else dst.row16(S, 0, row)
    marks = int(S.dst.from_undefined[at]) & ~dst.undefined(S, at)
    for column in range(dst.COLUMNS):
        shown[column] += "?" if marks >> column & 1 else ""
    return bool(marks)


def lane_text(value: int, kind: str) -> str:
    """Return a lane of an LReg."""
    if kind == "hex":
        return f"{value:08x}"
    if kind == "int":
        return str(value - (1 << 32) if value >> 31 else value)
    if kind == "sm":
        return _integer(value, 32)
    return floating(value, 8, 23)
