# SPDX-License-Identifier: Apache-2.0
"""The data of a shared file of several tiles: the grid, event by event, and each tile.

Tiles at a fault and those with a kernel have their last events, MOST_TILES at most; without any,
those that run. The others have the state at the end, without the words of their memory: 140 of
them fit. Of one that has no kernel only the plan and its harts are looked into: of a hang of one
tile, the others took most of the time.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from typing import Any

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.origin.ask import Origins
from tensix_gdb.gdbstub.host.simulator.runs.beginning_chip import ENDING, LAST
from tensix_gdb.gdbstub.pages.share.gathered import BEFORE, Gathering, cycles_of
from tensix_gdb.gdbstub.pages.share.made import note_races, origin_of, origin_of_wrong
from tensix_gdb.gdbstub.pages.share.options import ShareOptions
from tensix_gdb.gdbstub.pages.share.races_of_chip import races_of
from tensix_gdb.gdbstub.pages.share.wrong_value import headline, lines_of, writer
from tensix_gdb.gdbstub.pages.web.chip import ChipPage
from tensix_gdb.gdbstub.pages.web.chip_app import grid_plan
from tensix_gdb.gdbstub.pages.web.floor_plan import floor_plan
from tensix_gdb.gdbstub.pages.web.frames import Frame, changes
from tensix_gdb.gdbstub.pages.web.past.origins import for_page
from tensix_gdb.gdbstub.protocol.server.server import Server
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.chip.grid import FAULT, KERNEL, RESET, WAITS, kernels, letter
from tensix_gdb.gdbstub.tensix.chip.recording import history_of_chip, open_chip_recording
from tensix_gdb.gdbstub.tensix.chip.target import chip_target
from tensix_gdb.gdbstub.tensix.chip.tiles import OneTile, Tiles
from tensix_gdb.gdbstub.tensix.chip.why import why_all
from tensix_gdb.gdbstub.tensix.output.progress import progress
from tensix_gdb.gdbstub.tensix.output.wrong_value import WrongValue, wrong_in
from tensix_gdb.gdbstub.usage import UsageError

MOST_TILES = 4  # with events of their own
SHARE = 10  # a chip has a tenth of the events: each takes so much longer
# Of more tiles than LARGE half as many, and fewer states before them: a minute of processor.
LARGE, FAR = 16, 16
WRONG = (
    "A result is wrong; which value, this file does not know. Last: {}. Next: `tensix-gdb ttnn "
    "--compare --share DIR -- PROGRAM`"
)
NEXT = (
    "`tensix-gdb ttnn --compare --share DIR -- PROGRAM` names the first operation with a wrong "
    "result, its worst value beside the expected one, the tile and the address, and where it came "
    "from"
)
WROTE = "it has written the wrong value"


def of_chip(path: str, name: str, options: ShareOptions) -> dict[str, Any]:
    """Return the data of a recording of several tiles."""
    recording = open_chip_recording(path)
    is_large = len(recording.places) > LARGE
    count = max(options.events // (2 * SHARE if is_large else SHARE), 1)
    far = FAR if is_large else BEFORE
    # An origin may lead to where the recording begins.
    wrong = wrong_in(path)
    last = None if options.origins or (wrong is not None and wrong.place) else count
    chip, history, said = history_of_chip(path, options.programs.engine, last=last)
    with contextlib.closing(chip):
        tiles = Tiles(chip)
        page = ChipPage(Server(shared := _shared(chip, tiles, history)), shared, tiles)
        origins = {place: _origin(page, tiles, path, place) for place in options.origins}
        span = [history.first_cycle, history.last_cycle]
        ending = _ending(recording.ending or said[0], tiles)
        answer, wrote = _wrong(wrong, page, tiles)
        if wrong is not None:
            ending = f"{headline(wrong, answer)}\n{recording.ending or said[0]}"
        followed = _followed(tiles, wrote)
        if wrong is not None and answer is not None and wrote is not None:
            one = _page(page, tiles.named(wrote))
            origins[f"{wrote} {wrong.place}"] = for_page(answer, one.sources_of, wrote)
        gatherings = {one.name: Gathering(_page(page, one)) for one in followed}
        events: list[Frame] = []
        before: Frame | None = None
        with progress(history.last_cycle) as tell:
            for cycle in cycles_of(history, count, tell, far):
                frame = page.take_frame() | {
                    "history": span,
                    "running": "",
                    "ending": ending,
                    "clients": [],
                    "cycle": cycle,
                }
                if wrote is not None:
                    known = frame["cells"][wrote]
                    known |= {"tone": "wrong", "tip": f"{known['tip']}\n{WROTE}"}
                new = changes(before, frame)
                if set(new) - {"cycle"} or cycle == span[1]:
                    events.append(new)
                    before = frame
                for gathering in gatherings.values():
                    gathering.look(span, ending)
        for one in tiles.all:
            if one.name not in gatherings:
                gathering = gatherings[one.name] = Gathering(
                    _page(page, one), has_memory=False, has_all=_in_kernel(one)
                )
                gathering.look([span[1], span[1]], ending)
        in_kernel = [one.name for one in tiles.all if _in_kernel(one)]
        in_kernel = in_kernel or [one.name for one in followed]
        names = [one.name for one in followed]
        first = max(span[0], span[1] - count)
        timelines = {
            one.name: json.loads(_page(page, one).timelines.now(first, span[1])) for one in followed
        }
    races, lines = races_of(path, options, last, in_kernel)
    for name_of_tile, found in races.items():
        note_races(gatherings[name_of_tile].found, found)
    return {
        "title": f"Tensix chip: {name}",
        "said": [*said[:-1], *_said(ending, wrong, answer), *lines],
        "chip": {"events": events, "grid": grid_plan(chip.arch) | {"followed": names}},
        "tiles": {name: gathering.found for name, gathering in gatherings.items()},
        "plan": floor_plan(""),
        "timelines": timelines,
        "races": races,
        "origins": origins,
    }


def _shared(chip: Any, tiles: Tiles, history: Any) -> SharedTile:
    return SharedTile(chip_target(chip, tiles, history=history))


def _ending(said: str, tiles: Tiles) -> str:
    """Return how the run has ended, and what the first hart that is in a kernel waits for; of a
    wrong result which kernels ran last, and what finds the value."""
    if said == LAST:
        return f"{WRONG.format(_last_kernels(tiles))}\n{said}"
    if said == ENDING:
        at_fault = any(letter(tile, hart) == FAULT for tile in tiles.all for hart in range(HARTS))
        said = "stands at a fault" if at_fault else "all that its kernels do is to wait"
    in_kernel = any(_in_kernel(tile) for tile in tiles.all)
    return f"{said}\n{why_all(tiles).splitlines()[0]}" if in_kernel else said


def _said(ending: str, wrong: WrongValue | None, answer: Origins | None) -> list[str]:
    if wrong is not None:
        return [ending.split("\n")[0], *lines_of(wrong, answer)]
    return [ending.split("\n")[0], NEXT] if LAST in ending else []


def _wrong(
    wrong: WrongValue | None, page: ChipPage, tiles: Tiles
) -> tuple[Origins | None, str | None]:
    """Return where a wrong value came from, and the tile that has written it."""
    if wrong is None or wrong.place is None:
        return None, None
    names = [tile.name for tile in tiles.all]
    name, _, rest = wrong.place.partition(" ")
    # A place in DRAM is no tile's: any may be asked.
    place = rest if name in names else wrong.place
    asked = tiles.named(name) if name in names else tiles.all[0]
    answer = origin_of_wrong(_page(page, asked), place)
    return answer, writer(answer, names)


def _last_kernels(tiles: Tiles) -> str:
    """Return the kernels that ran last, and on how many tiles: those of most tiles."""
    found = Counter(text for tile in tiles.all if (text := kernels(tile)))
    if not found:
        return "kernels without names"
    (text, count), *others = found.most_common()
    more = f", {len(others)} other sets on {sum(found.values()) - count}" if others else ""
    return f"{text} on {count} tile{'s' * (count != 1)}{more}"


def _origin(page: ChipPage, tiles: Tiles, path: str, place: str) -> dict[str, Any]:
    """Return where a value of a tile came from; the first word is the name of the tile."""
    name, *words = place.split()
    tile = next((tile for tile in tiles.all if tile.name == name), None)
    if tile is None:
        raise UsageError(
            f"--origin {place!r}: {path} has several tiles: begin with the name of one, as in "
            f"'{tiles.all[0].name} {place}'"
        )
    return origin_of(_page(page, tile), place, words)


def _page(page: ChipPage, tile: OneTile) -> Any:
    found = page.page(tile.name)
    assert found is not None
    return found


def _in_kernel(tile: OneTile) -> bool:
    return any(letter(tile, hart) in (FAULT, KERNEL, WAITS) for hart in range(HARTS))


def _followed(tiles: Tiles, wrote: str | None = None) -> list[OneTile]:
    """Return the tiles that have events of their own: the one that wrote what is wrong, or those at
    a fault first."""

    def rank(tile: OneTile) -> int:
        letters = {letter(tile, hart) for hart in range(HARTS)}
        runs = bool(letters - {RESET})
        # Those that had a kernel come before those that only wait for one.
        ranks = (FAULT in letters, KERNEL in letters, runs and kernels(tile), runs, True)
        return -1 if tile.name == wrote else [bool(one) for one in ranks].index(True)

    ranked = sorted(tiles.look_at_all(), key=rank)
    for most in (2, 3, 4):
        if wanted := [tile for tile in ranked if rank(tile) < most]:
            return wanted[:MOST_TILES]
    return ranked[:1]
