# SPDX-License-Identifier: Apache-2.0
"""A program with tiles as its device, run once for what its tiles say: `diagnose -- PROGRAM`.

A run in which nothing can go wrong any more but by the host has no end. So the program is ended
when its tiles have met a fault, or when all that their kernels do is to wait.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import field, replace
from pathlib import Path

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.host.library.command import write_library
from tensix_gdb.gdbstub.host.simulator.grid import places_of, places_on
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions, check_options
from tensix_gdb.gdbstub.host.simulator.runs.found import (
    Find,
    RunFound,
    finds_of,
    has_ended_badly,
)
from tensix_gdb.gdbstub.host.simulator.runs.in_cache import KeptRuns, keep_run
from tensix_gdb.gdbstub.host.ttnn.command import command_of, words_of
from tensix_gdb.gdbstub.host.ttnn.environment import cache_folder, chip, environment
from tensix_gdb.gdbstub.host.ttnn.script import Script, wait_for_reports
from tensix_gdb.gdbstub.kernels.user_cache import said_if_unwritable


@dataclass(frozen=True, slots=True)
class Observed:
    """The exit status of a program, as a shell has it; None if it was ended. What was found, and
    the run that fails."""

    status: int | None
    finds: Sequence[Find]
    kept: KeptRuns = field(default_factory=KeptRuns)


def observed_program(
    script: Sequence[str], python: str | None, of: SimulatorOptions, dispatch: str
) -> Observed:
    """Run the program to its end, or until nothing can be found any more."""
    words = words_of(script)
    places_of(of.tiles)  # UsageError for no grid
    grid, of = of.tiles, replace(of, tiles=chip(of.tiles, dispatch))
    if len(places_on(of.tiles, of.chips)) > 1:
        check_options(of)
    command, root = command_of(words, python)
    cache = cache_folder()
    with said_if_unwritable():
        cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tensix-gdb-diagnose-") as name:
        life, finds = Path(name) / "life", Path(name) / "finds"
        library = write_library(Path(name), of, life=life, finds=finds)
        variables = environment(library, cache, grid, dispatch, root)
        run = Script(command, variables, is_apart=False)
        is_ended = False

        def until() -> bool:
            nonlocal is_ended
            is_ended = has_ended_badly(finds)
            return is_ended

        status = run.wait(until)
        wait_for_reports(life)
        found = list(finds_of(finds))
        fails = status != 0 or any(isinstance(one, RunFound) and one.reports for one in found)
        kept = keep_run(Path(name), words) if fails else KeptRuns()
        return Observed(None if is_ended else status, found, kept)
