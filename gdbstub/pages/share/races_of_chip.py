# SPDX-License-Identifier: Apache-2.0
"""The reports of races of several tiles for a shared file, from the same cycles of the recording.

The chip plays them again, observed: the tiles that are in a kernel at the end, and what they do to
each other. An observer of a tile takes memory and time, so there is a limit to them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

from tensix_gdb.core.chip.places import name_of
from tensix_gdb.core.chip.races.knowledge import tile_name
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.race.checks.rule import NotObservable
from tensix_gdb.core.race.findings import Access
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.pages.share.options import ShareOptions
from tensix_gdb.gdbstub.pages.web.races import reports
from tensix_gdb.gdbstub.tensix.chip.recording import open_chip_recording, played

MOST_OBSERVED = 16  # tiles
TOO_MANY = (
    "races were not looked for: {} tiles are in a kernel, and up to {} are observed here; "
    "`tensix-gdb ttnn --races -- PROGRAM` observes all"
)


def races_of(
    path: str, options: ShareOptions, last: int | None, names: Sequence[str]
) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Return the reports of each tile of these that has some, and what there is to say of them.
    `last` is how many cycles are played, as of the history; None: all."""
    if options.no_races:
        return {}, []
    if len(names) > MOST_OBSERVED:
        return {}, [TOO_MANY.format(len(names), MOST_OBSERVED)]
    recording = open_chip_recording(path)
    if last is not None:
        recording.begin_at(max(recording.cycle - last, 0))
    engine = "compiled" if options.programs.engine == "auto" else options.programs.engine
    with contextlib.closing(recording.chip(engine=engine, threads=1)) as chip:
        if chip.execution.schedule is Schedule.SC:
            return {}, []
        by_name = {name_of(place): machine for place, machine in chip.tiles.items()}
        others = {tile_name(place): machine for place, machine in chip.tiles.items()}
        places = [place for place in chip.tiles if name_of(place) in names]
        try:
            chip.observe_races(tiles=places)
        except (NotObservable, ValueError) as problem:
            return {}, [f"races were not looked for: {problem}"]
        played(path, recording, chip)
        chip.wake_all()

        def elsewhere(access: Access) -> Image | None:
            """Return the program of another tile that an access is of."""
            machine = others.get(access.outside)
            return None if machine is None else machine.places.image(access.hart, access.pc)

        found = {name: reports(by_name[name], elsewhere) for name in names}
    found = {name: one for name, one in found.items() if one["races"]}
    count = sum(len(one["races"]) for one in found.values())
    where = f": {', '.join(found)}" if found else ""
    return found, [f"{count} report{'s' * (count != 1)} of races in {len(names)} tiles{where}"]
