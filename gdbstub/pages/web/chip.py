# SPDX-License-Identifier: Apache-2.0
"""The grid of a chip: what each tile does, and what is under way on the NoC. Each tile has a page
of its own below it, which is made when it is opened.

    {"cycle": 7722, "running": "", "cells": {"1-2": {"letters": "ffffK", "tone": "kernel",
     "tip": ...}, ...}, "sent": [83, ...], "traffic": [[[1, 2], [2, 2], [2, 2], "write", 0, true],
     ...], "under_way": ["1-2 NIU 0: writes 256 bytes to 0x9000 of 2-2", ...],
     "links": ["NoC 0 from 1-2 to 2-2: in use 66 of 7722 cycles ...", ...], ...}

While tiles send and read, all of `sent` and `traffic` is new in each picture, so both are short.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS
from tensix_gdb.core.noc.request import ATOMIC, READ
from tensix_gdb.core.noc.state import NIUS
from tensix_gdb.gdbstub.pages.web.frames import Frame, ending, history_of
from tensix_gdb.gdbstub.pages.web.page_state import Page
from tensix_gdb.gdbstub.pages.web.past.timeline import OfTheChip
from tensix_gdb.gdbstub.pages.web.sources import Maps, Sources
from tensix_gdb.gdbstub.pages.web.viewers import Viewers
from tensix_gdb.gdbstub.protocol.server.server import Server
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.blocked.polls import standing_still
from tensix_gdb.gdbstub.tensix.chip.grid import (
    FAULT,
    FIRMWARE,
    KERNEL,
    RESET,
    WAITS,
    doing,
    kernels,
    letters_of,
    looked,
)
from tensix_gdb.gdbstub.tensix.chip.links import links
from tensix_gdb.gdbstub.tensix.chip.noc import NAMES
from tensix_gdb.gdbstub.tensix.chip.requests import Request, last_ones
from tensix_gdb.gdbstub.tensix.chip.tiles import OneTile, Tiles

MOST_ARROWS = 400
MOST_LINES = 60  # of requests under way
MOST_LOOKED = 8  # tiles
MOST_NAMED = 6  # tiles in a sentence
KINDS = {READ: "read", ATOMIC: "atomic"}
STARTED = tuple(number for number, name in NAMES.items() if name.endswith(("SENT", "STARTED")))


class ChipPage:
    """The page of a chip. `begin` is given the viewers of each page that is opened."""

    def __init__(self, server: Server, tile: SharedTile, tiles: Tiles) -> None:
        self.server, self.tile = server, tile
        self._tiles, self.arch = tiles, tiles.chip.arch
        self._pages: dict[str, Page] = {}
        self._sources: dict[str, Sources] = {}
        self._maps: Maps = {}
        self.begin: Callable[[Viewers], None] = lambda viewers: None
        self.viewers = Viewers(self.take_frame, lambda: tile.running)
        # What a viewer of the grid has done is done by a client that looks at the first tile.
        first = self.page(tiles.all[0].name)
        assert first is not None
        self.machine, self.sources, self.details = first.machine, first.sources, first.details
        self.base = 0

    def page(self, name: str) -> Page | None:
        """Return the page of a tile; None if there is no such tile."""
        known = self._pages.get(name)
        if known is not None:
            return known
        for tile in self._tiles.all:
            if tile.name == name:
                page = self._pages[name] = self._made(tile)
                self.begin(page.viewers)
                return page
        return None

    def every(self) -> list[Viewers]:
        """Return the viewers of the grid, and of each page that was opened."""
        return [self.viewers, *(page.viewers for page in self._pages.values())]

    def _made(self, tile: OneTile) -> Page:
        chip, number = self._tiles.chip, tile.number
        return Page(
            self.server,
            self.tile,
            tile.machine,
            tile.monitor,
            OfTheChip(self._tiles, number),
            name=tile.name,
            base=tile.base,
            look=lambda: chip.wake_tile(number),
            sources_of=self._sources_of,
        )

    def _sources_of(self, name: str) -> Sources:
        if name not in self._sources:
            self._sources[name] = Sources(self._tiles.named(name).machine, self._maps)
        return self._sources[name]

    def take_frame(self) -> Frame:
        """Take a frame of the grid as it is now."""
        tiles, shared = self._tiles, self.tile
        tiles.look_at_all()
        requests = [one for tile in tiles.all for one in drawn(tile)]
        # What is under way is never left out for what has ended.
        requests.sort(key=lambda one: not one.stage)
        cells = {tile.name: cell(tile) for tile in tiles.all}
        named = [tile for tile in tiles.all if kernel_harts(cells[tile.name]["letters"])]
        # A look for polls takes long: of a chip that runs only at the few tiles that are left.
        waiting: dict[str, str] = {}
        for tile in named if not shared.running or len(named) <= MOST_LOOKED else ():
            known = cells[tile.name]
            known["letters"], said = standing(tile, known["letters"])
            if said:
                known |= {"tone": "waits", "tip": "\n".join([known["tip"], *said])}
                waiting[tile.name] = "; ".join(said)
        return {
            "cycle": tiles.chip.cycle,
            "running": shared.driver if shared.running else "",
            "ending": "" if shared.running else ending(shared),
            "clients": [session.name for session in shared.sessions],
            "history": history_of(shared),
            "stuck": "" if shared.running else in_words(cells, waiting, tiles.all),
            "cells": cells,
            "sent": [started(tile) for tile in tiles.all],
            "traffic": [arrow(one) for one in requests[:MOST_ARROWS]],
            "under_way": lines([one for one in requests if one.stage]),
            "links": links(tiles),
        }


def cell(tile: OneTile) -> dict[str, Any]:
    """Return what a tile does. The letters are those of `monitor chip`."""
    letters = letters_of(tile)
    states = (tile.machine.hart_state(hart).partition(" at ")[0] for hart in range(HARTS))
    named = [f"{name} {state}" for name, state in zip(HART_NAMES, states, strict=True)]
    return {
        "letters": letters,
        "tone": _tone(letters),
        "tip": "\n".join([f"tile {tile.name}", *named, kernels(tile)]).rstrip(),
    }


def started(tile: OneTile) -> int:
    """Return how many requests a tile has started."""
    counter = tile.machine.S.noc.counter
    return sum(int(counter[niu, number]) for niu in range(NIUS) for number in STARTED)


def kernel_harts(letters: str) -> list[int]:
    """Return the harts that are in a kernel."""
    return [hart for hart, one in enumerate(letters) if one in (KERNEL, WAITS)]


def standing(tile: OneTile, letters: str) -> tuple[str, list[str]]:
    """Return the letters after a look for polls; and what each hart in a kernel waits for, if all
    of them do."""
    with standing_still(tile.machine):
        letters = looked(tile, letters)
        harts = [] if KERNEL in letters else kernel_harts(letters)
        return letters, [f"{HART_NAMES[hart]} {doing(tile, hart)}" for hart in harts]


def in_words(cells: dict[str, Any], waiting: dict[str, str], tiles: Sequence[OneTile]) -> str:
    """Return which tiles are at a fault, else which wait and for what: the first of them whole."""
    faults = {
        tile.name: f"{HART_NAMES[hart]} {doing(tile, hart)}"
        for tile in tiles
        for hart, one in enumerate(cells[tile.name]["letters"])
        if one == FAULT
    }
    kind, found = ("at a fault", faults) if faults else ("waiting", waiting)
    if not found:
        return ""
    name, what = next(iter(found.items()))
    others = [other for other in found if other != name]
    shown = " ".join(others[:MOST_NAMED])
    more = f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
    return f"tile {name}: {what}" + (f" ({kind}, too: {shown}{more})" if others else "")


def _tone(letters: str) -> str:
    if FAULT in letters:
        return "fault"
    if KERNEL in letters:
        return "kernel"
    if set(letters) == {RESET}:
        return "reset"
    return "firmware" if FIRMWARE in letters else "other"


def drawn(tile: OneTile) -> list[Request]:
    """Return the last requests of a tile: those under way each, of the others one for each
    target."""
    found: dict[tuple[object, ...], Request] = {}
    for one in last_ones(tile):
        kind = KINDS.get(one.kind, "write")
        found[one.first, one.last, kind, one.slot if one.stage else None, one.niu] = one
    return list(found.values())


def arrow(one: Request) -> list[Any]:
    """Return from where to where (of a broadcast two corners), the kind, the network, and if it is
    under way."""
    kind = KINDS.get(one.kind, "write")
    return [one.tile.place, one.first, one.last, kind, one.niu, bool(one.stage)]


def lines(under_way: list[Request]) -> list[str]:
    """Return a line for each request under way, of many the first."""
    found = [f"{one.tile.name} NIU {one.niu}: {one.does}" for one in under_way[:MOST_LINES]]
    more = len(under_way) - len(found)
    return [*found, f"and {more} more"] if more else found or ["nothing"]
