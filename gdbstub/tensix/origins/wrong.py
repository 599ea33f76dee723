# SPDX-License-Identifier: Apache-2.0
"""The first datum of a tile in L1 that is not as in a golden file."""

from __future__ import annotations

import re

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tiles.comparison import differing
from tensix_gdb.core.tiles.tile import as_the_format_has_it, where
from tensix_gdb.gdbstub.tensix.tiles.files import TilesInL1, array_in_l1, compared, read_tiles
from tensix_gdb.gdbstub.tensix.tiles.spec import DIFF


@dataclass(frozen=True, slots=True)
class Wrong:
    """The words about a wrong tile, and the place of the first wrong datum; None if there is
    none: `size` bytes at `addr` of an array up to `end`. `odd` is said of numbers that NumPy reads
    as infinity or NaN; `text` is the option."""

    said: str
    place: str | None
    odd: str = ""
    text: str = ""
    addr: int | None = None
    size: int = 1
    end: int = 0


def first_wrong(machine: Machine, text: str) -> Wrong:
    """Compare, as `--expect` does. UsageError with a sentence."""
    return first_wrong_of(machine, read_tiles(DIFF, text))


def first_wrong_of(machine: Machine, one: TilesInL1) -> Wrong:
    """Compare a file that has been read already."""
    tile, wanted = one.tile, one.array
    lines = compared(
        machine, tile.path, tile.format, tile.addr, wanted, tile.tolerance, tile.by_rows
    )
    if not lines:
        return Wrong(f"{tile.addr:#x} is {tile.path}: nothing differs", None)
    got, _ = array_in_l1(machine, tile.format, tile.addr, wanted.shape, tile.by_rows)
    if tile.tolerance.exact:
        wanted = as_the_format_has_it(tile.format, wanted, tile.by_rows)
    place = differing(got, wanted, tile.tolerance)[0]
    at = where(tile.format, tile.addr, got.shape, place, tile.by_rows)
    addr = int(re.split(r"[ ,]", at)[0], 16)
    size = max(tile.format.bits // 8, 1)
    odd = tile.format.not_finite(got.values)
    return Wrong(
        "\n".join(lines[:2]),
        f"{addr:#x}:{size}",
        odd,
        tile.text,
        addr,
        size,
        tile.addr + len(one.content),
    )
