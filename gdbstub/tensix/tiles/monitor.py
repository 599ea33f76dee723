# SPDX-License-Identifier: Apache-2.0
"""`monitor l1`, `dst-load` and `dst-compare`: tiles of L1 as matrices, numbers and Dst.

monitor l1 0x40000 --tile bf16                32 rows of 32 columns, from four faces
monitor l1 0x40000 --tile bfp8 --shape 64x64  four tiles as one matrix
monitor l1 0x40000 --tile fp32 --shape 4x16 --rows      as it is in L1, row by row
monitor dst-load 64 bf16 1 2.5 -3             datums of row 64 of Dst, from column 0 on
monitor dst-compare 64 bf16 1 2.5 -3          those of them that are other numbers
monitor dst-compare 64 bf16 bits 3f80 4020    or that have other bits
"""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tiles.comparison import number
from tensix_gdb.core.tiles.formats import FORMATS, TileFormat, format_named
from tensix_gdb.core.tiles.layout import TILE, named
from tensix_gdb.core.tiles.npy import Array, ArrayError
from tensix_gdb.core.tiles.registers import held, rows_of, to_dst, unlike
from tensix_gdb.core.tiles.tile import bits_of
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.monitor.dst_text import UNDEFINED
from tensix_gdb.gdbstub.tensix.monitor.matrix_text import count_of, plain
from tensix_gdb.gdbstub.tensix.monitor_row import no_more, number_of
from tensix_gdb.gdbstub.tensix.tiles.files import array_in_l1
from tensix_gdb.gdbstub.tensix.tiles.spec import ONE_TILE, address, shape_named

MOST = 1 << 14  # datums that are shown: 16 tiles
MOST_NAMED = 20  # datums that differ
ROW, BITS = 16, "bits"


def monitor_l1(machine: Machine, thread: int, words: list[str]) -> str:
    """Tiles of L1 as matrices."""
    try:
        return _l1(machine, words)
    except ArrayError as problem:
        raise TargetError(f"`monitor l1`: {problem}") from None


def _l1(machine: Machine, words: list[str]) -> str:
    name, shape = _option(words, "--tile"), _option(words, "--shape")
    by_rows = "--rows" in words
    if by_rows:
        words.remove("--rows")
    if not words or not name:
        raise TargetError(
            "which tile? type `monitor l1 0x40000 --tile bf16`; formats are " + ", ".join(FORMATS)
        )
    format = format_named(name)
    addr = address(words.pop(0))
    no_more(words, "l1")
    sizes = shape_named(shape) if shape else ONE_TILE
    if len(sizes) != 2:
        raise ArrayError(f"{shape} is no matrix: type rows and columns, such as 32x64")
    if sizes[0] * sizes[1] > MOST:
        raise ArrayError(f"{shape} is more than can be read: type at most {MOST} datums")
    array, _ = array_in_l1(machine, format, addr, sizes, by_rows)
    shown = [_text(format, value) for value in array.values]
    odd = count_of(shown)
    title = f"L1 at {addr:#x} as {format.name}, {named(sizes)}{' row by row' * by_rows}"
    title += (f"; not finite: {odd}" if odd else "") + "\n"
    beyond = format.not_finite(array.values)
    return title + (f"{beyond}\n" if beyond else "") + _matrices(shown, *sizes)


def _option(words: list[str], option: str) -> str:
    """Return the value of an option, taken out of `words`; empty without it."""
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name == option:
            if not equals and at + 1 < len(words):
                value = words.pop(at + 1)
            del words[at]
            return value or "nothing"
    return ""


def _text(format: TileFormat, value: float) -> str:
    return str(value) if format.is_integer else plain(value)


def _matrices(shown: Sequence[str], rows: int, columns: int) -> str:
    """Show at most 32 columns side by side; rows of zeros that follow each other are one line."""
    width = max([3, *map(len, shown)]) + 1
    lines: list[str] = []
    for first in range(0, columns, TILE):
        here = range(first, min(first + TILE, columns))
        lines.append("  row" + "".join(f"{column:>{width}}" for column in here))
        empty: list[int] = []
        for row in [*range(rows), -1]:
            cells = [shown[row * columns + column] for column in here] if row >= 0 else ["end"]
            if set(cells) == {"0"}:
                empty.append(row)
                continue
            if len(empty) > 1:
                lines.append(f"{empty[0]:>5} to {empty[-1]}: zero")
            elif empty:
                lines.append(f"{empty[0]:>5}" + f"{'0':>{width}}" * len(here))
            empty = []
            if row >= 0:
                lines.append(f"{row:>5}" + "".join(f"{cell:>{width}}" for cell in cells))
    return "\n".join(lines) + "\n"


def monitor_dst_load(machine: Machine, thread: int, words: list[str]) -> str:
    """Write datums of Dst, a row after the other."""
    if len(words) < 3:
        raise TargetError("what? type `monitor dst-load 64 bf16 1 2.5 -3`: row, format, numbers")
    try:
        format = format_named(words[1])
        first = number_of(words[0], "row", rows_of(format) - 1)
        values = [_number(word) for word in words[2:]]
        array = Array((len(values),), values)
        count = to_dst(machine.record.S, format, first, array, by_rows=True)
    except ArrayError as problem:
        raise TargetError(f"`monitor dst-load`: {problem}") from None
    last = first + count - 1
    rows = f"row {first}" if count == 1 else f"rows {first} to {last}"
    return f"{len(values)} datums of {held(format).name} in {rows}.\n"


def monitor_dst_compare(machine: Machine, thread: int, words: list[str]) -> str:
    """Name the datums of Dst that are not the numbers, or have not the bits."""
    if len(words) < 3 or words[2:] == [BITS]:
        raise TargetError(
            "with what? type `monitor dst-compare 64 bf16 1 2.5 -3`: row, format, numbers"
        )
    try:
        format = held(format_named(words[1]))
        first = number_of(words[0], "row", rows_of(format) - 1)
        if words[2] == BITS:
            wanted = [number_of(f"0x{w}", "datum", (1 << format.bits) - 1) for w in words[3:]]
        else:
            values = [_number(word) for word in words[2:]]
            wanted = bits_of(format, Array((len(values),), values))
        found = unlike(machine.record.S, format, first, wanted)
    except ArrayError as problem:
        raise TargetError(f"`monitor dst-compare`: {problem}") from None
    lines = [f"{len(found)} of {len(wanted)} datums differ"]
    for i, got, want in found[:MOST_NAMED]:
        place = f"row {first + i // ROW} column {i % ROW}"
        lines.append(f"{place}: {_datum(format, got)}, in the file {_datum(format, want)}")
    return "".join(f"{line}\n" for line in lines)


def _datum(format: TileFormat, bits: int | None) -> str:
    """`18 (0x41900000)`."""
    if bits is None:
        return UNDEFINED
    digits = -(-format.bits // 4)
    return f"{number(format.decode(bits))} (0x{bits:0{digits}x})"


def _number(text: str) -> float:
    try:
        return int(text, 0)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise TargetError(f"{text!r} is no number") from None
