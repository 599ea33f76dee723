# SPDX-License-Identifier: Apache-2.0
"""Bytes of expected tiles that nothing has written: faces that the packer has left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.origin.blame.moves import Move
from tensix_gdb.gdbstub.origin.blame.tiles import Tiles

NARROW = "it takes less than a row of a face"  # of a PACR
IsWritten = Callable[[int], bool]  # by address


def unwritten(
    machine: Machine, moves: Sequence[Move], outputs: Sequence[Tiles], is_written: IsWritten
) -> Iterator[str]:
    """Yield a line for each part of tiles that nothing has written while the packer has written
    another part of the tile, and the PACR that has; alike parts of several tiles are one."""
    packed = [move for move in moves if not move.is_read]
    for one in outputs:
        parts: dict[tuple[tuple[int, int], ...], list[int]] = {}
        writers: dict[int, Move] = {}
        for number, addr in enumerate(range(one.start, one.end, one.size)):
            last = [move for move in packed if addr <= move.start < addr + one.size]
            if last:
                writers[number] = last[-1]
                missing = tuple(_missing(addr, one.size, is_written))
                parts.setdefault(missing, []).append(number)
        for missing, tiles in parts.items():
            if missing:
                yield from _said(machine, one, missing, tiles, writers[tiles[0]])


def _missing(addr: int, size: int, is_written: IsWritten) -> Iterator[tuple[int, int]]:
    """Yield the first byte of a tile that nothing has written, and the one after the last."""
    for written, group in groupby(range(size), lambda i: is_written(addr + i)):
        of_group = list(group)
        if not written:
            yield of_group[0], of_group[-1] + 1


def _said(
    machine: Machine,
    one: Tiles,
    missing: Sequence[tuple[int, int]],
    tiles: Sequence[int],
    writer: Move,
) -> Iterator[str]:
    first = one.start + tiles[0] * one.size
    spans = ", ".join(f"{first + begin:#x} to {first + end - 1:#x}" for begin, end in missing)
    more = ""
    if len(tiles) > 1:
        numbers = ", ".join(map(str, tiles[1:]))
        more = f", nor there in {'tile' if len(tiles) == 2 else 'tiles'} {numbers}"
    count = sum(end - begin for begin, end in missing)
    yield (
        f"nothing has written {spans}, {count} of the {one.size} bytes of {one.named(first)}{more}"
    )
    yield f"    {writer.text(machine)}"
    if writer.narrow is not None:
        yield f"    {NARROW}: {writer.narrow.text(machine)}"
