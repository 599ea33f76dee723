# SPDX-License-Identifier: Apache-2.0
"""`ADDR=FILE.npy:FORMAT,OPTION...`, as `--tile`, `--expect`, `--diff` and `--dump` have it.

0x21000=in.npy:bf16                     an input: 32 by 32, or several tiles
0x40000=out.npy:bf16,rtol=0.01          what is wanted, within a tolerance
0x40000=out.npy:bf16,rtol               within two units in the last place of 1.0
0x40000=out.npy:fp32,64x32,rows         an output of that shape, row by row instead of in faces
"""

from __future__ import annotations

import math
import re

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.tiles.comparison import Tolerance
from tensix_gdb.core.tiles.formats import TileFormat, format_named
from tensix_gdb.core.tiles.npy import ArrayError
from tensix_gdb.core.tiles.tile import ALIGNMENT, array_bytes
from tensix_gdb.gdbstub.usage import UsageError

TILE, EXPECT, DUMP, DIFF = "--tile", "--expect", "--dump", "--diff"
COMPARED = (EXPECT, DIFF)  # with what is in L1
FORM = "ADDR=FILE.npy:FORMAT"
SHAPE = re.compile(r"\d+(x\d+)*")
ONE_TILE = (32, 32)
_MEANT = {
    TILE: "rows",
    **dict.fromkeys(COMPARED, "rows, rtol, rtol=NUMBER and atol=NUMBER"),
    DUMP: "rows and a shape such as 32x64",
}


@dataclass(frozen=True)
class TileFile:
    """A file and where in L1 its array belongs."""

    text: str  # as it was typed
    addr: int
    path: str
    format: TileFormat
    by_rows: bool = False
    tolerance: Tolerance = Tolerance()
    shape: tuple[int, ...] = ONE_TILE


def parse(option: str, text: str) -> TileFile:
    """Parse the value of an option. UsageError with a sentence."""
    try:
        return _parse(option, text)
    except ArrayError as problem:
        raise UsageError(f"{option} {text}: {problem}") from None


def _parse(option: str, text: str) -> TileFile:
    where, equals, rest = text.partition("=")
    path, colon, kind = rest.rpartition(":")
    if not equals or not colon or not path:
        raise ArrayError(f"type {FORM}, as in 0x21000=in.npy:bf16")
    addr = address(where)
    name, *words = kind.split(",")
    format = format_named(name)
    by_rows = False
    tolerances: dict[str, float] = {}
    shape: tuple[int, ...] = ONE_TILE
    for word in words:
        key, _, value = word.partition("=")
        if word == "rows":
            by_rows = True
        elif option in COMPARED and word == "rtol":
            tolerances[word] = format.rtol
        elif option in COMPARED and key in ("rtol", "atol"):
            tolerances[key] = _tolerance(word, key, value)
        elif option == DUMP and SHAPE.fullmatch(word):
            shape = shape_named(word)
        else:
            raise ArrayError(f"{word!r} is no option of {option}: there are {_MEANT[option]}")
    made = TileFile(text, addr, path, format, by_rows, Tolerance(**tolerances), shape)
    if option == DUMP:
        check_in_l1(made.format, addr, shape, by_rows)
    return made


def address(text: str) -> int:
    """Return the address of a tile in L1. ArrayError for what is none."""
    try:
        addr = int(text, 0)
    except ValueError:
        raise ArrayError(f"{text!r} is no address: type a number such as 0x21000") from None
    if not 0 <= addr < L1_BYTES:
        raise ArrayError(f"{text} is not in L1, which ends at {L1_BYTES:#x}")
    if addr % ALIGNMENT:
        raise ArrayError(
            f"{text} is no multiple of 16, as every address of unpackers and packers is"
        )
    return addr


def shape_named(text: str) -> tuple[int, ...]:
    """Return a shape such as 32x64. ArrayError for what is none."""
    if SHAPE.fullmatch(text) is None or len(text) > 40:
        raise ArrayError(f"{text!r} is no shape: type one such as 32x64")
    shape = tuple(map(int, text.split("x")))
    if not 0 < math.prod(shape) <= L1_BYTES * 4:
        raise ArrayError(f"an array of {text} does not fit into L1")
    return shape


def _tolerance(word: str, name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < math.inf:
        raise ArrayError(f"{word} is no tolerance: type a number such as {name}=0.01")
    return value


def check_in_l1(format: TileFormat, addr: int, shape: tuple[int, ...], by_rows: bool) -> int:
    """Return the bytes of an array. ArrayError if it does not end in L1."""
    size = array_bytes(format, shape, by_rows)
    if addr + size > L1_BYTES:
        raise ArrayError(
            f"{size} bytes from {addr:#x} on end at {addr + size:#x}, and L1 at {L1_BYTES:#x}"
        )
    return size
