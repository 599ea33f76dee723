# SPDX-License-Identifier: Apache-2.0
"""`monitor noc`: which requests are under way, and what the NIUs of a tile have counted."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.noc import state
from tensix_gdb.core.noc.state import NIUS, OUTGOING, OUTSTANDING
from tensix_gdb.gdbstub.tensix.chip.links import links, waits
from tensix_gdb.gdbstub.tensix.chip.requests import last_ones, over_hole, under_way
from tensix_gdb.gdbstub.tensix.chip.tiles import OneTile, Tiles
from tensix_gdb.gdbstub.tensix.monitor_row import no_more

IDS = 16  # transactions that are counted apart
MAX_LINES = 40
# Counters as the pages name them, by their numbers.
NAMES = {
    number: name
    for name, number in vars(state).items()
    if name.isupper() and name.endswith(("RECEIVED", "SENT", "STARTED", "ACCEPTED"))
}


def monitor_noc(tiles: Tiles, thread: int, words: list[str]) -> str:
    """Without a word: what is under way in the whole chip, which NIUs wait for answers, and which
    lines send over a hole in the grid. With a tile: its last requests and its counters. `links`:
    how long each link and each channel of DRAM was in use."""
    if words and words[0] == "links":
        no_more(words[1:], "noc")
        return "".join(f"{line}\n" for line in links(tiles))
    if words and words[0] != "all":
        tile = tiles.named(words.pop(0))
        no_more(words, "noc")
        return "".join(f"{line}\n" for line in _of_tile(tile))
    no_more(words[1:], "noc")
    waiting = waits(tiles)
    lines = [
        f"{one.tile.name} {one.text()}{waiting.get((one.tile.number, one.niu, one.slot), '')}"
        for one in under_way(tiles)
    ]
    lines += tiles.chip.cables.lines()
    owed = [line for tile in tiles.all for line in _owed(tile)]
    owed += [over_hole(tiles, one) for one in tiles.chip.holes.noted]
    if not lines and not owed:
        return "No request is under way, and no NIU waits for an answer.\n"
    limit = None if words else MAX_LINES
    shown = [*lines, *owed][:limit]
    more = len(lines) + len(owed) - len(shown)
    if more:
        shown.append(f"{more} more lines: type `monitor noc all`")
    return "".join(f"{line}\n" for line in shown)


def _owed(tile: OneTile) -> Iterator[str]:
    """Yield what the NIUs of a tile wait for, by transaction."""
    noc = tile.machine.S.noc
    for niu in range(NIUS):
        for number in range(IDS):
            count = int(noc.counter[niu, OUTSTANDING + number])
            if count:
                to = sorted({one.does for one in last_ones(tile) if one.stage and one.niu == niu})
                why = f": {'; '.join(to)}" if to else ": it has not left the NIU"
                yield (
                    f"{tile.name} NIU {niu}: transaction {number} waits for {count} "
                    f"answer{'s' if count > 1 else ''}{why}"
                )


def _of_tile(tile: OneTile) -> Iterator[str]:
    requests = sorted(last_ones(tile), key=lambda one: (one.niu, one.due))
    for one in requests:
        text = one.text() if one.stage else f"NIU {one.niu}: {one.does}: done; by {one.started}"
        yield f"{tile.name} {text}"
    noc = tile.machine.S.noc
    for niu in range(NIUS):
        counts = [(name, int(noc.counter[niu, number])) for number, name in NAMES.items()]
        for number in range(IDS):
            for name, first in (("OUTSTANDING", OUTSTANDING), ("OUTGOING", OUTGOING)):
                counts.append((f"{name}[{number}]", int(noc.counter[niu, first + number])))
        there = ", ".join(f"{name} {count}" for name, count in counts if count)
        yield f"{tile.name} NIU {niu}: {there or 'has counted nothing'}"
