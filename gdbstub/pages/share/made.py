# SPDX-License-Identifier: Apache-2.0
"""The data of a shared file: states, timeline, reports, origins, and how large it may be."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any, TextIO

from tensix_gdb.core.history import MachineHistory
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.ask import Origins
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.pages.share.document import document
from tensix_gdb.gdbstub.pages.share.first_origins import first_origins
from tensix_gdb.gdbstub.pages.share.gathered import Gathered, Gathering, cycles_of
from tensix_gdb.gdbstub.pages.share.options import ShareOptions
from tensix_gdb.gdbstub.pages.share.wrong_value import headline, lines_of, wrong_of
from tensix_gdb.gdbstub.pages.web.floor_plan import floor_plan
from tensix_gdb.gdbstub.pages.web.page_state import Page
from tensix_gdb.gdbstub.pages.web.past.origins import for_page
from tensix_gdb.gdbstub.pages.web.past.timeline import NoTimeline
from tensix_gdb.gdbstub.pages.web.races import reports
from tensix_gdb.gdbstub.protocol.server.server import Server
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.corefile.elf import machine_from, read_core
from tensix_gdb.gdbstub.tensix.output.progress import progress
from tensix_gdb.gdbstub.tensix.output.recording import history_of, open_recording, replayed
from tensix_gdb.gdbstub.tensix.races.output import RaceOptions, observed
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tensix_gdb.gdbstub.usage import UsageError

MOST_BYTES = 20 << 20  # of the file
MOST_TIMELINE = 1 << 15  # cycles
NOTHING: dict[str, Any] = {"observed": False, "races": []}


def of_recording(path: str, name: str, options: ShareOptions) -> dict[str, Any]:
    """Return the data of a recording."""
    engine = options.programs.engine
    ending = open_recording(path).ending
    machine, history, said = history_of(path, engine)
    with contextlib.closing(machine):
        tile = SharedTile(tensix_target(machine, history=history))
        page = Page.of_tile(Server(tile), tile, machine)
        with contextlib.closing(page.timelines):
            timeline = _timeline(page, history)
            origins = {place: origin_of(page, place, place.split()) for place in options.origins}
            wrong = wrong_of(path, machine)
            answer = origin_of_wrong(page, wrong.place) if wrong is not None else None
            if wrong is not None and wrong.place is not None and answer is not None:
                origins[wrong.place] = for_page(answer, page.sources_of, page.name)
            end = ending or said[0]
            end = f"{headline(wrong, answer)}\n{end}" if wrong is not None else end
            origins |= first_origins(page, origins)
            with progress(history.last_cycle) as tell:
                gathering, span = Gathering(page), [history.first_cycle, history.last_cycle]
                for _ in cycles_of(history, options.events, tell):
                    gathering.look(span, end)
                    machine.engine.poll()
            is_timed = machine.execution.schedule is not Schedule.SC
    races, lines = (NOTHING, []) if options.no_races or not is_timed else _races(path, engine)
    note_races(gathering.found, races)
    about = lines_of(wrong, answer) if wrong is not None else []
    lines = [*end.split("\n"), *about, *lines]
    return {
        "title": f"Tensix tile: {name}",
        "said": lines,
        "said_paths": page.details.links.of("\n".join(lines)),
        "chip": None,
        "tiles": {"": gathering.found},
        "plan": floor_plan(""),
        "timelines": {"": timeline},
        "races": {"": races},
        "origins": origins,
    }


def of_core(path: str, name: str, options: ShareOptions) -> dict[str, Any]:
    """Return the data of a core file: one state."""
    if options.origins:
        raise UsageError(f"--origin: {path} is a core file, and has no past to look into")
    note = read_core(path)
    with contextlib.closing(machine_from(note, "reference")) as machine:
        return of_machine(machine, name, note.ending)


def of_machine(machine: Machine, name: str, ending: str) -> dict[str, Any]:
    """Return the data of a tile as it is: one state."""
    tile = SharedTile(tensix_target(machine))
    gathering = Gathering(Page.of_tile(Server(tile), tile, machine))
    cycle = int(machine.S.tile.cycle)
    gathering.look([cycle, cycle], ending)
    return {
        "title": f"Tensix tile: {name}",
        "said": ending.split("\n"),
        "chip": None,
        "tiles": {"": gathering.found},
        "plan": floor_plan(""),
        "timelines": {},
        "races": {"": NOTHING},
        "origins": {},
    }


def _timeline(page: Page, history: MachineHistory) -> Any:
    first = max(history.first_cycle, history.last_cycle - MOST_TIMELINE)
    return json.loads(page.timelines.now(first, history.last_cycle))


def origin_of_wrong(page: Page, place: str | None) -> Origins | None:
    """Return where a wrong value came from; None if that is not known."""
    if place is None:
        return None
    try:
        return page.timelines.origin_now(place.split())
    except (TargetError, NoTimeline):
        return None


def origin_of(page: Page, place: str, words: list[str]) -> dict[str, Any]:
    """Return where a value came from, as the page has it; `place` is what --origin has."""
    try:
        answer = page.timelines.origin_now(words)
    except (TargetError, NoTimeline) as problem:
        raise UsageError(f"--origin {place!r}: {problem}") from None
    return for_page(answer, page.sources_of, page.name)


def _races(path: str, engine: str) -> tuple[dict[str, Any], list[str]]:
    """Play the recording again, observed; return the reports for the page, and in words."""
    recording = open_recording(path)
    options = RaceOptions(judges_unknown=False)
    with (
        contextlib.closing(recording.machine(engine)) as machine,
        observed(machine, options) as end,
    ):
        replayed(machine, recording)
        lines, _ = end(0)
        return reports(machine), lines


def note_races(found: Gathered, races: dict[str, Any]) -> None:
    """Let the page know that a tile has races: it asks for them then."""
    if races["races"]:
        found.events[0]["races"] = len(races["races"])


def write_page(out: TextIO, path: str, data: dict[str, Any]) -> Iterator[str]:
    """Write the file, with fewer events if it would be too large; yield what to say of it."""
    tiles: dict[str, Gathered] = data["tiles"]
    longest = max(tiles.values(), key=lambda one: len(one.events))
    had = len(longest.events)
    while True:
        page = document(data | {"tiles": {name: one.as_json() for name, one in tiles.items()}})
        size = len(page.encode())
        if size <= MOST_BYTES or len(longest.events) == 1:
            break
        for one in tiles.values():
            one.forget(len(one.events) // 2)
    out.write(page)
    count = len(longest.events)
    cycles = [event["cycle"] for event in longest.events if "cycle" in event]
    yield f"page {path}, {count} events of cycles {cycles[0]} to {cycles[-1]}, {size / 1e6:.1f} MB"
    if count < had:
        most = f"{MOST_BYTES >> 20} MiB"
        yield f"{had - count} earlier events are left out: it would be larger than {most}"
