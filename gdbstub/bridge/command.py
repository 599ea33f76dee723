# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb bridge`: a tile that Tenstorrent's own tools drive, and debuggers attach to.

tensix-gdb bridge DIR            writes the simulator directory that the tools are given
tensix-gdb bridge --connect URL  is the simulator; the driver starts it by DIR/run.sh
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import shlex
import sys
from pathlib import Path

from tensix_gdb.core.devices.niu import translate
from tensix_gdb.core.isa.architecture import DIALECTS, Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.bridge import grid, grid_wormhole
from tensix_gdb.gdbstub.bridge.chip import Chip
from tensix_gdb.gdbstub.bridge.grid import Core, places_of
from tensix_gdb.gdbstub.bridge.host_clock import TileClock
from tensix_gdb.gdbstub.bridge.life import Life, living
from tensix_gdb.gdbstub.bridge.many import check_options, simulate_chip
from tensix_gdb.gdbstub.bridge.runs.capture import RunCapture
from tensix_gdb.gdbstub.bridge.runs.log import RunLog, opened_runs
from tensix_gdb.gdbstub.bridge.runs.races import RunRaces
from tensix_gdb.gdbstub.bridge.serving import attach_command, serve_until_released
from tensix_gdb.gdbstub.bridge.simulator import Simulator
from tensix_gdb.gdbstub.bridge.watched import watch
from tensix_gdb.gdbstub.server.server import Server
from tensix_gdb.gdbstub.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.output.counting import COUNTED_TWICE, counted, wants_counts
from tensix_gdb.gdbstub.tensix.output.recording import recorded
from tensix_gdb.gdbstub.tensix.pauses import add_pause
from tensix_gdb.gdbstub.tensix.races.output import RaceOptions, race_options
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tensix_gdb.gdbstub.usage import HARTS, UsageError, parse_schedule
from tensix_gdb.gdbstub.web.wanted import Serve, page_wanted

log = logging.getLogger(__name__)

# Options of files.
FILES = ("record_to", "runs", "keep", "coverage", "tensix_coverage", "profile", "races_baseline")
HOW = """wrote {folder}; the tools take it as a simulator:
    TT_METAL_SIMULATOR={folder} python PROGRAM
    tt-exalens -s {folder}
while one of them runs, attach with
    {attach}"""


def bridge(arguments: argparse.Namespace) -> int:
    """Write the directory, or act as the simulator."""
    if (arguments.folder is None) == (arguments.connect is None):
        raise UsageError("name a directory to write, as in `tensix-gdb bridge simulator`")
    if arguments.record and wants_counts(arguments):
        raise UsageError(COUNTED_TWICE)
    race_report = race_options(arguments)
    tiles = places_of(arguments.tiles)
    if len(tiles) > 1:
        if _arch(arguments) is Arch.WORMHOLE:
            raise UsageError("of a Wormhole chip there is one tile: leave out --tiles")
        check_options(arguments)
    if arguments.connect is None:
        return _write(arguments)
    from tensix_gdb.gdbstub.bridge import link  # noqa: F401 - before a driver waits for it

    with living(arguments.life and Path(arguments.life)) as life:
        if len(tiles) > 1:
            simulate_chip(arguments, tiles, life, race_report)
        else:
            _simulate(arguments, life, race_report)
    return 0


def _arch(arguments: argparse.Namespace) -> Arch:
    return DIALECTS[_arch_name(arguments) or "blackhole"].arch


def _arch_name(arguments: argparse.Namespace) -> str | None:
    """What `--arch` says; `tensix-gdb ttnn` does not have it."""
    return getattr(arguments, "arch", None)


def _tile(arguments: argparse.Namespace) -> Core:
    """Where the one tile is."""
    return grid_wormhole.TILE if _arch(arguments) is Arch.WORMHOLE else grid.TILE


def _descriptor(arguments: argparse.Namespace) -> str:
    if _arch(arguments) is Arch.WORMHOLE:
        return grid_wormhole.soc_descriptor()
    return grid.soc_descriptor(places_of(arguments.tiles))


def _write(arguments: argparse.Namespace) -> int:
    folder = Path(arguments.folder)
    write_simulator(folder, arguments)
    attach = attach_command(arguments.host, arguments.port, len(places_of(arguments.tiles)))
    print(HOW.format(folder=shlex.quote(str(folder)), attach=attach))
    return 0


def write_simulator(
    folder: Path, arguments: argparse.Namespace, lines_to: str = "1", life: Path | None = None
) -> None:
    """Write the directory that the driver is given. `lines_to` is the file descriptor that the
    simulator's own lines go to, `life` the file that it holds (life.py). UsageError if the
    directory cannot be written."""
    script = folder / "run.sh"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "soc_descriptor.yaml").write_text(_descriptor(arguments), encoding="ascii")
        script.write_text(_script(arguments, lines_to, life), encoding="utf-8")
        script.chmod(0o755)
    except OSError as problem:
        raise UsageError(f"{folder}: cannot be written: {problem.strerror}") from None


def _script(arguments: argparse.Namespace, lines_to: str, life: Path | None) -> str:
    """Make run.sh. It repeats the options; the driver puts its address into the environment."""
    options = ["--host", arguments.host, "--port", str(arguments.port)]
    options += ["--engine", arguments.engine, "--schedule", arguments.schedule]
    options += ["--cycles", str(arguments.cycles), "--tiles", arguments.tiles]
    options += ["--threads", str(arguments.threads)]
    if (arch := _arch_name(arguments)) is not None:
        options += ["--arch", arch]
    if arguments.faults is not None:
        options += ["--faults", arguments.faults]
    if life is not None:
        options += ["--life", str(life)]
    for name in FILES:
        if getattr(arguments, name) is not None:
            path = str(Path(getattr(arguments, name)).resolve())
            options += ["--" + name.replace("_", "-"), path]
    if arguments.races is not None:
        options += ["--races", arguments.races]
    if arguments.check:
        options += ["--check", ",".join(arguments.check)]
    for buffer in arguments.buffer:
        options += ["--buffer", f"{buffer.first:#x}+{buffer.size}"]
    if arguments.races_local:
        options.append("--races-local")
    if arguments.races_checks is not None:
        options += ["--races-checks", ",".join(arguments.races_checks) or "none"]
    for path in arguments.races_to:
        options += ["--races-to", str(Path(path).resolve())]
    for path in arguments.races_suppressions:
        options += ["--races-suppressions", str(Path(path).resolve())]
    if arguments.web is not None:
        options += ["--web", str(arguments.web)]
    for text in arguments.pause:
        options += ["--pause", text]
    if arguments.kernel_cache is not None:
        options += ["--kernel-cache", str(Path(arguments.kernel_cache).resolve())]
    for hart, path in arguments.elf or ():
        options += ["--elf", f"{HARTS[hart]}={Path(path).resolve()}"]
    for name in ("stop_at_entry", "stop_at_fault", "record"):
        if getattr(arguments, name):
            options.append("--" + name.replace("_", "-"))
    command = [sys.executable, "-m", "tensix_gdb.gdbstub", "-v", "bridge", *options]
    # The tools may set another Python path: this package has to be found in any case.
    here = shlex.quote(str(Path(__file__).absolute().parents[3]))
    return (
        f"#!/bin/sh\nPYTHONPATH={here}${{PYTHONPATH:+:$PYTHONPATH}}\nexport PYTHONPATH\n"
        f'exec {shlex.join(command)} --connect "$NNG_SOCKET_ADDR" >&{lines_to}\n'
    )


def _simulate(arguments: argparse.Namespace, life: Life, race_report: RaceOptions | None) -> None:
    arch, tile = _arch(arguments), _tile(arguments)
    schedule = parse_schedule(arguments.schedule)
    machine = Machine(engine=arguments.engine, schedule=schedule, arch=arch)
    machine.host.is_present = True
    if arch is Arch.BLACKHOLE:
        translate(machine.S)
    with contextlib.closing(machine), contextlib.ExitStack() as stack:
        stack.enter_context(recorded(machine, arguments.record_to))
        runs = RunLog(machine, stack.enter_context(opened_runs(arguments.runs)))
        at_end = stack.enter_context(contextlib.ExitStack())  # of the driver, or of this process
        at_end.callback(life.reported)
        at_end.callback(runs.end)
        capture = RunCapture(machine, _folder(arguments.keep), tile)
        at_end.callback(capture.end)
        races = RunRaces(machine, race_report)
        at_end.callback(races.end)
        if arguments.faults is not None:
            machine.faults.set(arguments.faults)
        for text in arguments.pause:
            add_pause(machine, text)
        stack.enter_context(counted(machine, arguments))
        target = tensix_target(machine, record=arguments.record, stop_at_end=arguments.stop_at_end)
        history = target.reverse
        assert isinstance(history, TileHistory)
        shared = SharedTile(target)
        chip = Chip({tile: machine})

        def simulator(attach: str) -> Simulator:
            clock = TileClock(
                chip,
                shared,
                arguments.cycles,
                attach,
                runs,
                history,
                stop_at_fault=arguments.stop_at_fault,
            )
            watched = watch(machine, tile, arguments, runs, capture, races)
            made = Simulator(chip, shared, clock, {tile: watched}, arguments.stop_at_entry)
            made.host_ended = at_end.close
            return made

        def page(server: Server) -> Serve | None:
            return page_wanted(arguments, server, shared, machine)

        serve_until_released(arguments, shared, simulator, page)


def _folder(path: str | None) -> Path | None:
    """Make the folder of `--keep` if it is not there."""
    if path is None:
        return None
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise UsageError(f"--keep {path} cannot be made: {problem.strerror}") from None
    return Path(path)
