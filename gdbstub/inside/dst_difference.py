# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: `tensix-dst-diff FILE`, rows of Dst against a file of this machine.

The file is read here, by the GDB in which its name was typed; the server reads no files.
"""

import struct
from pathlib import Path

import gdb

from core.tiles.npy import MAGIC
from gdbstub.inside.commands import selected_thread
from gdbstub.inside.dst_load import array_of, in_rows
from gdbstub.inside.query import ask

COLUMNS = 16
SHOWN = 20
INFINITY = 0x7F800000
# Format: what `monitor dst` calls its bits, bytes, how the file has them, of float's struct.
FORMATS = {
    "fp32": ("fp32bits", 4, "I"),
    "bf16": ("bf16bits", 2, "H"),
    "fp16": ("fp16bits", 2, "H"),
}


class Difference(gdb.Command):
    """Compare rows of Dst with a file: tensix-dst-diff FILE [fp32|bf16|fp16] [ROW] [rows]

    The file has the datums row by row, little-endian, in the usual layout of the format, as NumPy's
    tofile() writes them; or it is a .npy file, with tiles of four faces, or with `rows` row by row,
    as tensix-dst-load takes it. Its size says how many rows are compared, from ROW on. What differs
    is listed with both values; bits that are alike are alike, so a NaN equals itself."""

    def __init__(self) -> None:
        super().__init__("tensix-dst-diff", gdb.COMMAND_DATA, gdb.COMPLETE_FILENAME)

    def invoke(self, argument: str, from_tty: bool) -> None:
        words = gdb.string_to_argv(argument)
        by_rows = "rows" in words[1:]
        if by_rows:
            words.remove("rows")
        if not words:
            raise gdb.GdbError("which file? tensix-dst-diff FILE [fp32|bf16|fp16] [ROW] [rows]")
        name = words[1] if len(words) > 1 else "fp32"
        if name not in FORMATS:
            raise gdb.GdbError(f"{name!r} is none of {', '.join(FORMATS)}")
        first = int(words[2], 0) if len(words) > 2 else 0
        wanted = _read(words[0], name, by_rows)
        gdb.write(_compared(wanted, _in_dst(first, len(wanted) // COLUMNS, name), first, name))


def _read(path: str, name: str, by_rows: bool) -> list[int]:
    _, size, code = FORMATS[name]
    try:
        data = Path(path).expanduser().read_bytes()
    except OSError as problem:
        raise gdb.GdbError(f"{path}: {problem.strerror}") from None
    if data.startswith(MAGIC):
        return _whole_rows(path, [_bits(v, name) for v in in_rows(path, array_of(path), by_rows)])
    if not data or len(data) % (size * COLUMNS):
        raise gdb.GdbError(f"{path} has {len(data)} bytes, which are no whole rows of {name}")
    return list(struct.unpack(f"<{len(data) // size}{code}", data))


def _whole_rows(path: str, datums: list[int]) -> list[int]:
    if not datums or len(datums) % COLUMNS:
        raise gdb.GdbError(f"{path} has {len(datums)} numbers, which are no whole rows of Dst")
    return datums


def _bits(value: float, name: str) -> int:
    """A number in a format, to the nearest, ties to even."""
    code, width = ("e", "H") if name == "fp16" else ("f", "I")
    try:
        bits = int(struct.unpack(f"<{width}", struct.pack(f"<{code}", value))[0])
    except OverflowError:
        raise gdb.GdbError(f"{value:g} does not fit into {name}") from None
    if name != "bf16":
        return bits
    is_nan = bits & 0x7FFFFFFF > INFINITY
    return bits >> 16 | 1 if is_nan else (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def _in_dst(first: int, rows: int, name: str) -> list[str]:
    asked = f"monitor {selected_thread()} dst {first} {rows} --format {FORMATS[name][0]}"
    return [cell for line in ask(asked).splitlines()[2:] for cell in line.split()[1:]]


def _compared(wanted: list[int], actual: list[str], first: int, name: str) -> str:
    differing = [
        (i, cell, value)
        for i, (cell, value) in enumerate(zip(actual, wanted, strict=True))
        if cell == "undef" or int(cell, 16) != value
    ]
    lines = [
        f"row {first + i // COLUMNS} column {i % COLUMNS}: {_text(cell, name)}, in the file "
        f"{_text(f'{value:x}', name)}"
        for i, cell, value in differing[:SHOWN]
    ]
    if len(differing) > SHOWN:
        lines.append(f"and {len(differing) - SHOWN} more")
    lines.append(f"{len(differing)} of {len(wanted)} datums differ")
    return "\n".join(lines) + "\n"


def _text(cell: str, name: str) -> str:
    if cell == "undef":
        return cell
    bits = int(cell, 16)
    if name == "fp16":
        value = struct.unpack("<e", struct.pack("<H", bits))[0]
    else:
        value = struct.unpack("<f", struct.pack("<I", bits << (16 if name == "bf16" else 0)))[0]
    return f"{value:.9g} (0x{bits:0{2 * FORMATS[name][1]}x})"


def define() -> None:
    """Make GDB know it."""
    Difference()
