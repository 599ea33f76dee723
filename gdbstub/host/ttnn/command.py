# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb ttnn -- PROGRAM ARGS`: run a program with emulated tiles as its device.

It is a script for a Python with ttnn, or an executable that uses tt-metal's libraries. The
simulator is the library of `tensix-gdb simulator`, in a folder that is made for the program. Its
own lines go to standard error, so that standard output and the exit status are the program's.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep

from tensix_gdb.core.isa.architecture import DIALECTS, Arch
from tensix_gdb.gdbstub.cli.attach.find_gdb import find_gdb
from tensix_gdb.gdbstub.cli.attach.gdb_command import gdb_command
from tensix_gdb.gdbstub.host.library.command import write_library
from tensix_gdb.gdbstub.host.simulator.grid import places_of, places_on
from tensix_gdb.gdbstub.host.simulator.life import faults_of
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions, check_options, check_times
from tensix_gdb.gdbstub.host.simulator.runs.found import has_ended_badly, reasons_of
from tensix_gdb.gdbstub.host.simulator.runs.in_cache import keep_run
from tensix_gdb.gdbstub.host.ttnn.compare.wanted import (
    VARIABLE,
    WRONG,
    Comparison,
    compared,
    watched,
)
from tensix_gdb.gdbstub.host.ttnn.compiler import root_of, root_with_compiler
from tensix_gdb.gdbstub.host.ttnn.environment import (
    ROOT,
    cache_folder,
    chip,
    environment,
    find_ttnn,
)
from tensix_gdb.gdbstub.host.ttnn.operations.table import check_place, operations_in, write_table
from tensix_gdb.gdbstub.host.ttnn.operations.wanted import VARIABLE as OPERATIONS
from tensix_gdb.gdbstub.host.ttnn.operations.wanted import captured
from tensix_gdb.gdbstub.host.ttnn.options import TtnnOptions
from tensix_gdb.gdbstub.host.ttnn.script import Script, say_faults, wait_for_reports
from tensix_gdb.gdbstub.kernels.user_cache import said_if_unwritable
from tensix_gdb.gdbstub.signals import deaf_to_interrupts
from tensix_gdb.gdbstub.tensix.output.wrong_value import keep_wrong
from tensix_gdb.gdbstub.usage import UsageError

WRONG_FILE = "wrong.json"
WRITING_SECONDS = 60  # of the end of a recording


def ttnn(options: TtnnOptions) -> int:
    """Run the program; return its exit status, as a shell has it."""
    words, of = words_of(options.script), options.simulator
    if options.operations is not None:
        check_place(options.operations)
    arch = DIALECTS[options.arch or "blackhole"].arch
    check_times(arch, are_wanted=of.kernel_times or options.operations is not None)
    places_of(of.tiles, arch)  # UsageError for no grid
    grid, of = of.tiles, replace(of, tiles=chip(of.tiles, options.dispatch, arch))
    tiles = len(places_on(of.tiles, of.chips, arch))
    if tiles > 1:
        check_options(of, arch)
    command, root = command_of(words, options.python, arch)
    if options.compare is not None and _executable(words[0]) is not None:
        raise UsageError("--compare is for a script of ttnn: an executable has no torch")
    debugger = find_gdb(options.gdb or None) if options.gdb is not None else None
    cache = cache_folder()
    with said_if_unwritable():
        cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tensix-gdb-ttnn-") as name:
        if debugger is not None:
            of = replace(of, address=replace(of.address, port=free_port()), stop_at_entry=True)
        if options.compare is not None and of.address.port == 0:
            of = replace(of, address=replace(of.address, port=free_port()))
        if options.operations is not None:
            runs = of.runs or str(Path(name) / "runs")
            of = replace(of, runs=runs, kernel_times=True)
        life = Path(name) / "life"
        # With a page wanted the last run is kept of 140 tiles, too.
        finds = Path(name) / "finds" if options.share is not None else None
        library = write_library(Path(name), of, options.arch, life=life, finds=finds)
        variables = environment(library, cache, grid, options.dispatch, root, arch)
        if options.compare is not None:
            command = compared(command)
            variables[VARIABLE] = _comparison(options, of, tiles).text()
        if options.share is not None and _executable(words[0]) is None:
            variables[WRONG] = str(Path(name) / WRONG_FILE)
            command = command if options.compare is not None else watched(command)
        if options.operations is not None and _executable(words[0]) is None:
            command = captured(command)
            variables[OPERATIONS] = str(Path(name) / "operations")
        run = Script(command, variables, is_apart=debugger is not None)
        if debugger is not None:
            with deaf_to_interrupts():
                subprocess.run(gdb_command(debugger, of.address.port, tiles), check=False)
        # With a page wanted a hang is a failure; where a debugger is, it is for its user.
        hangs = finds if debugger is None else None
        status = run.wait(
            lambda: (
                (options.ci and faults_of(life)) or (hangs is not None and has_ended_badly(hangs))
            )
        )
        wait_for_reports(life)
        wait_until_whole(of.history.record_to)
        if status and hangs is not None:
            for line in reasons_of(hangs):
                print(f"tensix-gdb: {line}", file=sys.stderr, flush=True)
        if options.operations is not None:
            _write_operations(Path(options.operations), Path(name), of, grid, arch)
        if status:
            for line in _kept(Path(name), words, options.share):
                print(f"tensix-gdb: {line}", file=sys.stderr, flush=True)
        return say_faults(life, status) if options.ci else status


def _write_operations(
    path: Path, folder: Path, of: SimulatorOptions, grid: str, arch: Arch
) -> None:
    """Write the table of operations, and say how many there are."""
    width, height = map(int, grid.split("x"))
    lines = Path(of.runs or "").read_text(encoding="ascii") if Path(of.runs or "").exists() else ""
    found = operations_in(folder / "operations")
    count = write_table(path, found, lines, width * height, arch)
    print(
        f"tensix-gdb: {path} has the device time of {count} operations: "
        f"`tensix-gdb report {path}`, or `tt-perf-report {path}`",
        file=sys.stderr,
        flush=True,
    )


def _kept(folder: Path, words: Sequence[str], share: str | None) -> list[str]:
    """Keep the run of a program that has failed, and make its page; return what there is to say."""
    kept = keep_run(folder, words)
    if share is None:
        return kept.lines()
    if kept.path is None:
        return [*kept.lines(), f"no page is written to {share}: no run is kept"]
    from tensix_gdb.gdbstub.pages.share.page_of_run import share_run

    with contextlib.suppress(OSError):  # the page does not say the value then
        keep_wrong(folder / WRONG_FILE, kept.path)
    return [*kept.lines(), share_run(Path(words[0]).stem, kept.path, Path(share))]


def _comparison(options: TtnnOptions, of: SimulatorOptions, tiles: int) -> Comparison:
    """Return what the script's process is told."""
    assert options.compare is not None
    log = options.compare_log
    return Comparison(
        tolerance=options.compare,
        host=of.address.host,
        port=of.address.port,
        holds=not options.ci and options.share is None,
        alone=tiles == 1,
        recorded=of.history.record,
        log=None if log is None else str(Path(log).absolute()),
    )


def words_of(given: Sequence[str]) -> list[str]:
    """Return the words that name the program, with those that it is given."""
    words = list(given[1:] if given[:1] == ["--"] else given)
    if not words:
        raise UsageError("name a program to run, as in `tensix-gdb ttnn -- add.py`")
    return words


def command_of(
    words: Sequence[str], python: str | None, arch: Arch = Arch.BLACKHOLE
) -> tuple[list[str], Path | None]:
    """Return the command of a program, and the folder that tt-metal is to take for its own if it
    does not find it by itself: an executable has none beside it, as ttnn has. UsageError if
    something is missing."""
    executable = _executable(words[0])
    if executable is not None and (own := os.environ.get(ROOT)):
        return [executable, *words[1:]], root_with_compiler(Path(own), arch)
    installed = find_ttnn(python)
    root = root_with_compiler(installed.folder, arch)
    if executable is None:
        return [installed.python, *words], root
    return [executable, *words[1:]], root or root_of(installed.folder).resolve()


def _executable(word: str) -> str | None:
    """Return the path of an executable; None for what a Python runs: a file NAME.py, one that is
    not executable, an option (`-m pytest`)."""
    if word.startswith("-"):
        return None
    if not Path(word).is_file():
        if os.sep in word or (found := shutil.which(word)) is None:
            raise UsageError(f"{word}: there is no such program")
        return found
    is_script = word.endswith(".py") or not os.access(word, os.X_OK)
    return None if is_script else str(Path(word).absolute())


def free_port() -> int:
    """Return a port of loopback that nothing listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_whole(path: str | None) -> None:
    """Wait while the simulator, which is the driver's process, writes the end of a recording."""
    end = monotonic() + WRITING_SECONDS
    while path is not None and _is_cut_off(path) and monotonic() < end:
        sleep(0.1)


def _is_cut_off(path: str) -> bool:
    try:
        return Path(path).stat().st_size > 0 and not zipfile.is_zipfile(path)
    except OSError:
        return False
