# SPDX-License-Identifier: Apache-2.0
"""A program with tiles as its device, run once for what its tiles say: `diagnose -- PROGRAM`.

A run in which nothing can go wrong any more but by the host has no end. So the program is ended
when its tiles have met a fault, or when all that their kernels do is to wait.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tensix_gdb.gdbstub.cli.kept import MOST_RUNS, keep_recording, runs_folder
from tensix_gdb.gdbstub.host.library.command import write_library
from tensix_gdb.gdbstub.host.simulator.grid import places_of, places_on
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions, check_options
from tensix_gdb.gdbstub.host.simulator.runs.failing import CORE
from tensix_gdb.gdbstub.host.simulator.runs.failing_chip import REC
from tensix_gdb.gdbstub.host.simulator.runs.found import (
    Find,
    RunFound,
    finds_of,
    has_ended_badly,
)
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
    kept: Path | None = None  # of a tile its core file, of several a recording


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
        kept = _kept(Path(name), words) if fails else None
        return Observed(None if is_ended else status, found, kept)


def _kept(folder: Path, words: Sequence[str]) -> Path | None:
    """Keep the run in the user's cache: one of each program, of the last programs."""
    runs = runs_folder()
    if runs is None:
        return None
    text = "\0".join([str(Path.cwd()), *words])
    name = hashlib.sha256(text.encode()).hexdigest()[:16]
    try:
        if (folder / REC).is_file():
            return keep_recording(folder / REC, name)
        return _kept_core(folder / CORE, runs / "ttnn", name) if (folder / CORE).is_file() else None
    except OSError:
        return None  # a cache that cannot be written is no reason to fail


def _kept_core(core: Path, folder: Path, name: str) -> Path:
    """Copy a core file and what its host did to a folder, which has the last ones of them."""
    path = folder / f"{name}.core"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(core.with_suffix(".json"), path.with_suffix(".json"))
    shutil.copyfile(core, path)
    cores = sorted(folder.glob("*.core"), key=lambda each: each.stat().st_mtime_ns)
    for old in cores[:-MOST_RUNS]:
        old.unlink(missing_ok=True)
        old.with_suffix(".json").unlink(missing_ok=True)
    return path
