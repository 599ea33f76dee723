# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb replay`: a recording of `--record-to`, a run that a simulator has kept, or a packet
log of `serve --rsp-log`.

With `--serve` a recording is replayed once, keeping a history; clients then find the tile at its
end, and can go back and forth.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace

from tensix_gdb.core.history import MachineHistory
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.cli.kept import last_kept
from tensix_gdb.gdbstub.cli.options.replay import ReplayOptions
from tensix_gdb.gdbstub.cli.packets.command import replay_log
from tensix_gdb.gdbstub.cli.serve import ServedPort, serve_ports
from tensix_gdb.gdbstub.cli.terminal.files_of import FilesOf
from tensix_gdb.gdbstub.cli.terminal.width import say
from tensix_gdb.gdbstub.pages.html.wanted import html_of_recording
from tensix_gdb.gdbstub.pages.web.wanted import chip_page_wanted, page_wanted
from tensix_gdb.gdbstub.protocol.server.server import Server
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.corefile.kept_history import history_of_kept, is_kept_run
from tensix_gdb.gdbstub.tensix.output.recording import (
    DIFFERENT,
    EQUAL,
    history_of,
    is_recording,
    replay_recording,
)
from tensix_gdb.gdbstub.tensix.races.output import observed, race_options
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tensix_gdb.gdbstub.tensix.tiles.expected import expected_in
from tensix_gdb.gdbstub.usage import UsageError

WRONG = (
    "a tile is not as expected: in GDB `monitor wrong` goes back to what makes it, and, with "
    "tensix.py, `tensix-wrong` to its thread"
)


def replay(options: ReplayOptions) -> int:
    """Return 0 if the replay is equal to the recording, 1 otherwise."""
    if options.log is None:
        is_shown = options.races.races or options.races.check or options.page.html
        return _replay(replace(options, serve=options.serve or not is_shown), last_kept())
    return _replay(options, options.log)


def _replay(options: ReplayOptions, log: str) -> int:
    if is_recording(log) and _has_several_tiles(log):
        return _chip(options, log)
    if options.web is not None and not options.serve:
        raise UsageError("--web shows what is served: type --serve too")
    if options.threads != 1:
        raise UsageError(f"{log} has one tile: leave out --threads")
    if is_kept_run(log):
        return _kept(options, log)
    if not is_recording(log):
        if options.serve:
            raise UsageError(f"{log} is no recording: there is nothing to go back in")
        if options.races.races is not None or options.races.check:
            raise UsageError(f"{log} is no recording: races are observed in one")
        if options.page.html is not None:
            raise UsageError(f"{log} is no recording: --html is about one")
        return replay_log(options, log)
    race_report = race_options(options.races, options.schedule)
    if race_report is not None:
        race_report.judges_unknown = False
    if race_report is not None and options.serve:
        option = "--check" if options.races.races is None else "--races"
        raise UsageError(f"{option} is about one run: leave out --serve")
    if options.page.html is not None and options.serve:
        raise UsageError("--html is about one run: leave out --serve")
    if options.elf or options.schedule:
        raise UsageError("a recording has its programs in it: leave out --elf and --schedule")
    if options.serve:
        with expected_in(log) as expected:
            return _serve(options, *history_of(log, options.engine), expected)
    with html_of_recording(options.page, options.engine, log) as write_html:
        said, status, images = replay_recording(
            log, options.engine, lambda machine: observed(machine, race_report)
        )
        say(said, FilesOf(images), flush=True)
        write_html(said)
    return status


def _has_several_tiles(path: str) -> bool:
    from tensix_gdb.core.chip.recording import is_recording_of_chip

    return is_recording_of_chip(path)


def _chip(options: ReplayOptions, log: str) -> int:
    """Replay a recording of several tiles, and serve them if that is wanted."""
    from tensix_gdb.gdbstub.tensix.chip.execution import ChipExecution
    from tensix_gdb.gdbstub.tensix.chip.recording import history_of_chip, replay_chip
    from tensix_gdb.gdbstub.tensix.chip.target import chip_target
    from tensix_gdb.gdbstub.tensix.chip.tiles import Tiles

    if options.elf or options.schedule:
        raise UsageError("a recording has its programs in it: leave out --elf and --schedule")
    if options.races.races is not None or options.races.check:
        option = "--check" if options.races.races is None else "--races"
        raise UsageError(f"{log} has several tiles: leave out {option}")
    if not options.serve:
        return replay_chip(log, options.engine, options.threads)
    chip, history, said = history_of_chip(log, options.engine, options.threads)
    with contextlib.closing(chip):
        print("\n".join(said), flush=True)
        each = Tiles(chip)
        target = chip_target(chip, each, history=history)
        assert target.processes is not None
        tiles = SharedTile(target)
        assert isinstance(target.execution, ChipExecution)
        target.execution.libraries_changed = tiles.libraries_changed
        history.ends_at_programs = True
        port = ServedPort(tiles, "", [], target.processes.loaded())
        server = Server(tiles)
        page = chip_page_wanted(options.web, server, tiles, each)
        serve_ports(server, options.address.host, options.address.port, [port], page)
    return 0


def _kept(options: ReplayOptions, log: str) -> int:
    """Replay a run of a tile that a host has driven, and serve it if that is wanted."""
    if options.elf or options.schedule:
        raise UsageError("a kept run has its programs in it: leave out --elf and --schedule")
    if options.races.races is not None or options.races.check or options.page.html is not None:
        raise UsageError(
            f"{log} is the beginning of a run: `tensix-gdb diagnose --kept {log}` observes it, and "
            f"`tensix-gdb share {log}` makes a page; leave out --races, --check and --html"
        )
    run = history_of_kept(log, options.engine)
    if options.serve:
        return _serve(options, run.machine, run.history, run.said, run.expected)
    with contextlib.closing(run.machine):
        print("\n".join(run.said), flush=True)
    return EQUAL if run.is_equal else DIFFERENT


def _serve(
    options: ReplayOptions,
    machine: Machine,
    history: MachineHistory,
    said: list[str],
    expected: Sequence[str],
) -> int:
    """Serve until interrupted. Say what differs: the history ends there."""
    if expected:
        said = [*said, WRONG]
    with contextlib.closing(machine):
        print("\n".join(said), flush=True)
        tile = SharedTile(tensix_target(machine, history=history, expected=expected))
        port = ServedPort(tile, "", [str(image.path) for image in machine.images])
        server = Server(tile)
        page = page_wanted(options.web, server, tile, machine)
        serve_ports(server, options.address.host, options.address.port, [port], page)
    return 0
