# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: `tensix-dst-diff FILE`, rows of Dst against a file of this machine.

The file is read here, by the GDB in which its name was typed; the server reads no files. The server
compares, and knows the formats.
"""

import re
import struct
from collections.abc import Sequence
from pathlib import Path

import gdb

from core.tiles.npy import MAGIC
from gdbstub.inside.commands import selected_thread
from gdbstub.inside.dst_load import array_of, in_rows
from gdbstub.inside.query import ask

COLUMNS = 16
AT_ONCE = 16 * COLUMNS  # that fit into a packet
SHOWN = 20
FORM = "tensix-dst-diff FILE [FORMAT] [ROW] [rows]"
# How a file without a header has datums: floats by their bits, integers as numbers (of struct).
FLOATS = {"fp32": "I", "bf16": "H", "fp16": "H"}
INTEGERS = {
    **{"int32": "i", "int16": "h", "int8": "b", "uint32": "I", "uint16": "H", "uint8": "B"},
    **{"twos32": "i", "twos16": "h"},
}


class Difference(gdb.Command):
    """Compare rows of Dst with a file: tensix-dst-diff FILE [FORMAT] [ROW] [rows]

    FORMAT is fp32, bf16, fp16, int32, int16, int8, uint8 and so on, fp32 without. The file has the
    datums row by row, little-endian, in the usual layout of the format, as NumPy's tofile() writes
    them; or it is a .npy file, with tiles of four faces, or with `rows` row by row, as
    tensix-dst-load takes it, and then of any format. Its size says how many rows are compared, from
    ROW on. What differs is listed with both values; bits that are alike are alike, so a NaN equals
    itself."""

    def __init__(self) -> None:
        super().__init__("tensix-dst-diff", gdb.COMMAND_DATA, gdb.COMPLETE_FILENAME)

    def invoke(self, argument: str, from_tty: bool) -> None:
        words = gdb.string_to_argv(argument)
        by_rows = "rows" in words[1:]
        if by_rows:
            words.remove("rows")
        if not 1 <= len(words) <= 3:
            raise gdb.GdbError(f"which file? {FORM}")
        name = words[1] if len(words) > 1 else "fp32"
        try:
            first = int(words[2], 0) if len(words) > 2 else 0
        except ValueError:
            raise gdb.GdbError(f"{words[2]!r} is no row: {FORM}") from None
        gdb.write(_compared(_read(words[0], name.lower(), by_rows), first, name))


def _read(path: str, name: str, by_rows: bool) -> list[str]:
    """Return the datums as `monitor dst-compare` takes them: numbers, or `bits` before bits."""
    try:
        data = Path(path).expanduser().read_bytes()
    except OSError as problem:
        raise gdb.GdbError(f"{path}: {problem.strerror}") from None
    if data.startswith(MAGIC):
        datums = list(map(repr, in_rows(path, array_of(path), by_rows)))
        if not datums or len(datums) % COLUMNS:
            raise gdb.GdbError(f"{path} has {len(datums)} numbers, which are no whole rows of Dst")
        return datums
    code = FLOATS.get(name) or INTEGERS.get(name)
    if code is None:
        known = ", ".join([*FLOATS, *INTEGERS])
        raise gdb.GdbError(f"{name!r} is none of {known}: write other formats as .npy")
    size = struct.calcsize(code)
    if not data or len(data) % (size * COLUMNS):
        raise gdb.GdbError(f"{path} has {len(data)} bytes, which are no whole rows of {name}")
    numbers = struct.unpack(f"<{len(data) // size}{code}", data)
    if name in INTEGERS:
        return list(map(str, numbers))
    return [f"bits {datum:x}" for datum in numbers]


def _compared(datums: Sequence[str], first: int, name: str) -> str:
    differing, lines = 0, list[str]()
    for at in range(0, len(datums), AT_ONCE):
        part = datums[at : at + AT_ONCE]
        text = " ".join(part)
        if text.startswith("bits "):
            text = "bits " + text.replace("bits ", "")
        row = first + at // COLUMNS
        answer = ask(f"monitor {selected_thread()} dst-compare {row} {name} {text}")
        count, *found = answer.splitlines()
        number = re.match(r"\d+", count)
        differing += int(number[0]) if number else 0
        lines += found
    shown = lines[:SHOWN]
    if differing > len(shown):
        shown.append(f"and {differing - len(shown)} more")
    return "\n".join([*shown, f"{differing} of {len(datums)} datums differ"]) + "\n"


def define() -> None:
    """Make GDB know it."""
    Difference()
