# SPDX-License-Identifier: Apache-2.0
"""Files of tiles and a machine: load inputs, compare outputs, write them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tiles.comparison import Tolerance, number, report
from tensix_gdb.core.tiles.formats import TileFormat
from tensix_gdb.core.tiles.layout import named
from tensix_gdb.core.tiles.npy import Array, ArrayError, read, written
from tensix_gdb.core.tiles.tile import as_the_format_has_it, from_l1, to_l1, where
from tensix_gdb.gdbstub.tensix.tiles.spec import (
    DUMP,
    EXPECT,
    TILE,
    TileFile,
    check_in_l1,
    parse,
)
from tensix_gdb.gdbstub.usage import UsageError


def check(arguments: argparse.Namespace) -> None:
    """Check all options about tiles, and the files that are read. UsageError with a sentence."""
    for option in (TILE, EXPECT, DUMP):
        for text in getattr(arguments, option[2:], ()):
            tile = parse(option, text)
            if option != DUMP:
                array_of(option, tile)
            elif not Path(tile.path).parent.is_dir():
                raise UsageError(f"{DUMP} {tile.path}: there is no such folder")


def array_of(option: str, tile: TileFile) -> Array:
    """The array in a file. UsageError if it cannot be read, or not be in L1 as it is wanted."""
    try:
        content = Path(tile.path).read_bytes()
    except OSError as problem:
        raise UsageError(f"{option} {tile.path}: cannot be read: {problem.strerror}") from None
    try:
        array = read(content)
        check_in_l1(tile.format, tile.addr, array.shape, tile.by_rows)
        to_l1(tile.format, array, tile.by_rows)
    except ArrayError as problem:
        raise UsageError(f"{option} {tile.path}: {problem}") from None
    return array


def load_tiles(machine: Machine, texts: Sequence[str]) -> None:
    """Load the inputs of `--tile`, now and after each reset."""
    for text in texts:
        tile = parse(TILE, text)
        array = array_of(TILE, tile)
        machine.load_bytes(tile.addr, to_l1(tile.format, array, tile.by_rows))


def array_in_l1(
    machine: Machine, format: TileFormat, addr: int, shape: Sequence[int], by_rows: bool
) -> tuple[Array, list[int]]:
    """The array that L1 has at an address, and the bits of its datums."""
    size = check_in_l1(format, addr, tuple(shape), by_rows)
    return from_l1(format, machine.peek(B, addr, size), shape, by_rows)


def compared(
    machine: Machine,
    name: str,
    format: TileFormat,
    addr: int,
    wanted: Array,
    tolerance: Tolerance,
    by_rows: bool = False,
) -> list[str]:
    """The lines about a difference between L1 and an array; none if they are alike.

    Without a tolerance the array is taken as the format has it: what cannot be in L1 is not wanted.
    """
    got, bits = array_in_l1(machine, format, addr, wanted.shape, by_rows)
    if tolerance.exact:
        wanted = as_the_format_has_it(format, wanted, by_rows)
    title = f"{addr:#x} is not {name}, as {format.name}"
    return report(title, got, wanted, tolerance, _describer(format, addr, got, bits, by_rows))


def _describer(
    format: TileFormat, addr: int, got: Array, bits: Sequence[int], by_rows: bool
) -> Callable[[int], str]:
    digits = -(-format.bits // 4)
    return lambda place: (
        f"{where(format, addr, got.shape, place, by_rows)} (0x{bits[place]:0{digits}x})"
    )


def expectations(machine: Machine, texts: Sequence[str]) -> tuple[list[str], bool]:
    """What `--expect` says at the end of a run, and True if all arrays are as wanted."""
    lines: list[str] = []
    good = True
    for text in texts:
        tile = parse(EXPECT, text)
        wanted = array_of(EXPECT, tile)
        wrong = compared(
            machine, tile.path, tile.format, tile.addr, wanted, tile.tolerance, tile.by_rows
        )
        good = good and not wrong
        within = "" if tile.tolerance.exact else f" within {tile.tolerance}"
        lines += wrong or [
            f"{tile.addr:#x} is {tile.path}, as {tile.format.name}{within}: all "
            f"{number(len(wanted.values))} datums of {named(wanted.shape)}"
        ]
    return lines, good


def write_dumps(machine: Machine, texts: Sequence[str]) -> tuple[list[str], bool]:
    """Write the arrays of `--dump`; return what to say, and True if all are written."""
    lines: list[str] = []
    good = True
    for text in texts:
        tile = parse(DUMP, text)
        array, _ = array_in_l1(machine, tile.format, tile.addr, tile.shape, tile.by_rows)
        try:
            Path(tile.path).write_bytes(written(array, tile.format.saved))
        except OSError as problem:
            lines.append(f"{DUMP} {tile.path}: cannot be written: {problem.strerror}")
            good = False
            continue
        lines.append(
            f"{tile.path} has {named(tile.shape)} numbers of {tile.format.name} at {tile.addr:#x}"
        )
    return lines, good
