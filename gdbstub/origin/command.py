# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb origin`: run programs, or play a recording, and say where a value came from."""

from __future__ import annotations

import json
from collections.abc import Callable

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.ask import Origins, origins
from tensix_gdb.core.origin.nan import origins_of_first_nan
from tensix_gdb.core.origin.query import NotRepeated
from tensix_gdb.core.origin.rerun import Again, OfHistory, Rerun
from tensix_gdb.core.places.place import NotAPlace
from tensix_gdb.gdbstub.cli.build import machine_of
from tensix_gdb.gdbstub.cli.terminal.keyboard import answering, end_if_asked, listening
from tensix_gdb.gdbstub.cli.terminal.width import say
from tensix_gdb.gdbstub.cli.to_end import run_to_end
from tensix_gdb.gdbstub.origin.options import OriginOptions
from tensix_gdb.gdbstub.tensix.origins.wrong import first_wrong
from tensix_gdb.gdbstub.tensix.output.progress import progress, working
from tensix_gdb.gdbstub.usage import UsageError

ALIKE, FOUND = 0, 1
LOOKS = "looking for what wrote it, by running it again"


def origin(options: OriginOptions) -> int:
    """Print the tree; 0, or with --diff 0 if nothing differs and 1 if something does."""
    if options.recording is not None:
        return _of_recording(options, options.recording)
    machine, host = machine_of(options.programs)
    if host is not None:
        raise UsageError("with --firmware the host's writes are not repeated: make a recording")
    try:
        with listening() as keyboard, progress(options.max_cycles) as tell:
            lines, _ = run_to_end(machine, options.max_cycles, keyboard, None, tell)
        if not options.json:
            say(lines[-1:], flush=True)
        end_if_asked()
        return _answer(machine, Again(machine), options, was_interrupted=keyboard.interrupted)
    finally:
        machine.close()


def _of_recording(options: OriginOptions, path: str) -> int:
    from tensix_gdb.gdbstub.tensix.chip.recording import is_recording_of_chip
    from tensix_gdb.gdbstub.tensix.output.recording import history_of

    if is_recording_of_chip(path):
        return _of_recording_of_chip(options, path)
    if options.of_tile is not None:
        raise UsageError("--of-tile is for a recording of several tiles, and here is one")
    if options.last is not None:
        raise UsageError("--last is for a recording of several tiles, and here is one")
    machine, history, said = history_of(path, options.programs.engine)
    try:
        if not options.json:
            say(said, flush=True)
        return _answer(machine, OfHistory(machine, history.past_of_here()), options)
    finally:
        machine.close()


def _of_recording_of_chip(options: OriginOptions, path: str) -> int:
    from tensix_gdb.core.chip.places import name_of
    from tensix_gdb.core.origin.of_chip import of_history
    from tensix_gdb.gdbstub.tensix.chip.recording import history_of_chip

    chip, history, said = history_of_chip(path, options.programs.engine, last=options.last)
    try:
        names = [name_of(place) for place in chip.tiles]
        if options.of_tile not in names:
            raise UsageError(
                f"name the tile, --of-tile X-Y: the recording has {', '.join(names[:20])}"
            )
        if not options.json:
            say(said, flush=True)
        tile = names.index(options.of_tile)
        rerun = of_history(chip, history)
        try:
            return _answer(rerun.machines[tile], rerun, options, tile)
        finally:
            rerun.close()
    finally:
        chip.close()


def _answer(
    machine: Machine,
    rerun: Rerun,
    options: OriginOptions,
    tile: int = 0,
    *,
    was_interrupted: bool = False,
) -> int:
    try:
        with answering(was_interrupted=was_interrupted) as keyboard, working(LOOKS):
            found, status = _found(machine, rerun, options, keyboard.is_interrupted, tile)
    except (NotAPlace, NotRepeated) as problem:
        raise UsageError(str(problem)) from None
    if found is None:
        return status
    if options.json:
        print(json.dumps(found.to_json(), indent=1))
    else:
        say(found.lines(settings=options.settings, brief=options.brief))
    return status


def _found(
    machine: Machine,
    rerun: Rerun,
    options: OriginOptions,
    is_interrupted: Callable[[], bool],
    tile: int,
) -> tuple[Origins | None, int]:
    words, cycles = options.place, options.cycles
    if options.until_first_nan:
        return origins_of_first_nan(rerun, cycles=cycles, tile=tile), ALIKE
    status = ALIKE
    if options.diff is not None:
        wrong = first_wrong(machine, options.diff)
        if not options.json:
            say([wrong.said])
        if wrong.place is None:
            return None, ALIKE
        words, status = (wrong.place,), FOUND
    calls = options.json or not options.brief  # which has none of them
    found = origins(
        *(machine, rerun, words),
        cycles=cycles,
        tile=tile,
        calls=calls,
        is_interrupted=is_interrupted,
    )
    return found, status
