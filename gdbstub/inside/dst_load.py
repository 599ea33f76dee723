# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: `tensix-dst-load FILE`, an array of NumPy into Dst.

The file is read here, by the GDB in which its name was typed; the server reads no files. NumPy is
not needed.
"""

from pathlib import Path

import gdb

from core.tiles.layout import named, tiles
from core.tiles.npy import Array, ArrayError, read
from gdbstub.inside.commands import selected_thread
from gdbstub.inside.query import ask

ROW = 16  # datums
AT_ONCE = 16 * ROW  # that fit into a packet, however long their numbers are
FORM = "tensix-dst-load FILE.npy [FORMAT] [ROW] [rows]"


class DstLoad(gdb.Command):
    """Write an array of NumPy into Dst: tensix-dst-load FILE.npy [FORMAT] [ROW] [rows]

    FORMAT is bf16 (otherwise fp32, fp16, int32, int16, int8, ...), ROW the first row, 0 without.
    Rows and columns are multiples of 32: tiles of four faces, 64 rows of Dst for each. With `rows`
    the array is written row by row, as `tensix-dst-diff` reads a file."""

    def __init__(self) -> None:
        super().__init__("tensix-dst-load", gdb.COMMAND_DATA, gdb.COMPLETE_FILENAME)

    def invoke(self, argument: str, from_tty: bool) -> None:
        words = gdb.string_to_argv(argument)
        by_rows = "rows" in words[1:]
        if by_rows:
            words.remove("rows")
        if not 1 <= len(words) <= 3:
            raise gdb.GdbError(f"which file? {FORM}")
        name = words[1] if len(words) > 1 else "bf16"
        first = _row(words[2]) if len(words) > 2 else 0
        array = array_of(words[0])
        values = in_rows(words[0], array, by_rows)
        last = first + (len(values) - 1) // ROW
        # The last rows first: an array that does not fit is refused before anything is written.
        for at in reversed(range(0, len(values), AT_ONCE)):
            numbers = " ".join(map(repr, values[at : at + AT_ONCE]))
            _load(f"{first + at // ROW} {name} {numbers}", f"{words[0]}, rows {first} to {last}")
        gdb.write(f"{named(array.shape)} numbers as {name} in rows {first} to {last} of Dst\n")


def _load(words: str, what: str) -> None:
    try:
        ask(f"monitor {selected_thread()} dst-load {words}")
    except gdb.GdbError as problem:
        raise gdb.GdbError(f"{what}: {problem}") from None


def _row(text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        raise gdb.GdbError(f"{text!r} is no row: {FORM}") from None


def in_rows(path: str, array: Array, by_rows: bool) -> list[float]:
    """Return the numbers in the order of Dst: row by row of a face, or of the array as it is."""
    try:
        order = tiles(array.shape, by_rows=by_rows)
    except ValueError as problem:
        text = str(problem).replace("`,rows`", "`rows`")
        raise gdb.GdbError(f"{path}: {text}") from None
    return [array.values[place] for tile in order for place in tile]


def array_of(path: str) -> Array:
    """Return the array in a file of NumPy."""
    try:
        return read(Path(path).expanduser().read_bytes())
    except OSError as problem:
        raise gdb.GdbError(f"{path}: {problem.strerror}") from None
    except ArrayError as problem:
        raise gdb.GdbError(f"{path} {problem}") from None


def define() -> None:
    """Make GDB know it."""
    DstLoad()
