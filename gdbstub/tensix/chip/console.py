# SPDX-License-Identifier: Apache-2.0
"""The prints of kernels of several tiles: each line with the name of its tile."""

from __future__ import annotations

import re

from tensix_gdb.gdbstub.tensix.chip.tiles import OneTile, Tiles

LINE = re.compile(rb"^(?=.)", re.MULTILINE)


class ChipConsole:
    """The `Console` capability: the consoles of all tiles that have one."""

    def __init__(self, tiles: Tiles) -> None:
        self._tiles = tiles

    def _with_host(self) -> list[OneTile]:
        return [tile for tile in self._tiles.all if tile.has_host]

    def take_text(self, *, stopped: bool) -> bytes:
        return b"".join(
            LINE.sub(tile.name.encode() + b": ", tile.host.console.take_text(stopped=stopped))
            for tile in self._with_host()
        )

    def is_full(self) -> bool:
        return any(tile.host.console.is_full() for tile in self._with_host())
