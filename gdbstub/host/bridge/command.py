# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb bridge`: a tile that Tenstorrent's own tools drive, and debuggers attach to.

tensix-gdb bridge DIR            writes the simulator directory that the tools are given
tensix-gdb bridge --connect URL  is the simulator; the driver starts it by DIR/run.sh
"""

from __future__ import annotations

import contextlib
import logging
import shlex
from pathlib import Path

from tensix_gdb.core.devices.niu import translate
from tensix_gdb.core.isa.architecture import DIALECTS, Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.host.bridge import grid, grid_wormhole
from tensix_gdb.gdbstub.host.bridge.chip import Chip
from tensix_gdb.gdbstub.host.bridge.grid import places_of
from tensix_gdb.gdbstub.host.bridge.host_clock import TileClock
from tensix_gdb.gdbstub.host.bridge.life import Life, living
from tensix_gdb.gdbstub.host.bridge.many import check_options, simulate_chip
from tensix_gdb.gdbstub.host.bridge.options import BridgeOptions, SimulatorOptions
from tensix_gdb.gdbstub.host.bridge.runs.capture import RunCapture
from tensix_gdb.gdbstub.host.bridge.runs.log import RunLog, opened_runs
from tensix_gdb.gdbstub.host.bridge.runs.races import RunRaces
from tensix_gdb.gdbstub.host.bridge.server_command import SH, server_command
from tensix_gdb.gdbstub.host.bridge.serving import Link, attach_command, serve_until_released
from tensix_gdb.gdbstub.host.bridge.simulator import Simulator
from tensix_gdb.gdbstub.host.bridge.watched import watch
from tensix_gdb.gdbstub.pages.web.wanted import Serve, page_wanted
from tensix_gdb.gdbstub.protocol.server.server import Server
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.output.counting import counted
from tensix_gdb.gdbstub.tensix.output.recording import recorded
from tensix_gdb.gdbstub.tensix.pauses import add_pause
from tensix_gdb.gdbstub.tensix.races.output import RaceOptions, race_options
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tensix_gdb.gdbstub.usage import UsageError, parse_schedule

log = logging.getLogger(__name__)

HOW = """wrote {folder}; the tools take it as a simulator:
    TT_METAL_SIMULATOR={folder} python PROGRAM
    tt-exalens -s {folder}
while one of them runs, attach with
    {attach}"""


def bridge(options: BridgeOptions) -> int:
    """Write the directory, or act as the simulator."""
    of, arch = options.simulator, DIALECTS[options.arch or "blackhole"].arch
    race_options(of.races, of.schedule)  # UsageError for what cannot be reported
    tiles = places_of(of.tiles)
    if len(tiles) > 1:
        if arch is Arch.WORMHOLE:
            raise UsageError("of a Wormhole chip there is one tile: leave out --tiles")
        check_options(of)
    if options.connect is None:
        return _write(Path(options.folder or ""), of, options.arch)
    from tensix_gdb.gdbstub.host.bridge import link  # noqa: F401 - before a driver waits for it

    url = options.connect

    async def serve(simulator: Simulator) -> None:
        await simulator.serve(url)

    return simulate(of, serve, arch, Path(options.life) if options.life else None)


def simulate(of: SimulatorOptions, link: Link, arch: Arch, life_path: Path | None) -> int:
    """Be the simulator of the driver that `link` serves, until both have ended."""
    race_report, tiles = race_options(of.races, of.schedule), places_of(of.tiles)
    with living(life_path) as life:
        if len(tiles) > 1:
            simulate_chip(of, link, tiles, life, race_report)
        else:
            _simulate(of, link, arch, life, race_report)
    return 0


def _write(folder: Path, options: SimulatorOptions, arch: str | None) -> int:
    write_simulator(folder, options, arch)
    address = options.address
    attach = attach_command(address.host, address.port, len(places_of(options.tiles)))
    print(HOW.format(folder=shlex.quote(str(folder)), attach=attach))
    return 0


def write_simulator(
    folder: Path,
    options: SimulatorOptions,
    arch: str | None = None,
    lines_to: str = "1",
    life: Path | None = None,
) -> None:
    """Write the directory that the driver is given. `lines_to` is the file descriptor that the
    simulator's own lines go to, `life` the file that it holds (life.py). UsageError if the
    directory cannot be written."""
    script = folder / "run.sh"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "soc_descriptor.yaml").write_text(_descriptor(options, arch), encoding="ascii")
        script.write_text(_script(options, arch, lines_to, life), encoding="utf-8")
        script.chmod(0o755)
    except OSError as problem:
        raise UsageError(f"{folder}: cannot be written: {problem.strerror}") from None


def _descriptor(options: SimulatorOptions, arch: str | None) -> str:
    if arch == "wormhole":
        return grid_wormhole.soc_descriptor()
    return grid.soc_descriptor(places_of(options.tiles))


def _script(of: SimulatorOptions, arch: str | None, lines_to: str, life: Path | None) -> str:
    """Make run.sh. It repeats the options; the driver puts its address into the environment."""
    command = shlex.join(server_command("bridge", of, arch, life))
    return f'{SH}exec {command} --connect "$NNG_SOCKET_ADDR" >&{lines_to}\n'


def _simulate(
    options: SimulatorOptions, link: Link, arch: Arch, life: Life, race_report: RaceOptions | None
) -> None:
    tile = grid_wormhole.TILE if arch is Arch.WORMHOLE else grid.TILE
    schedule = parse_schedule(options.schedule)
    machine = Machine(engine=options.engine, schedule=schedule, arch=arch)
    machine.host.is_present = True
    if arch is Arch.BLACKHOLE:
        translate(machine.S)
    with contextlib.closing(machine), contextlib.ExitStack() as stack:
        stack.enter_context(recorded(machine, options.history.record_to))
        runs = RunLog(machine, stack.enter_context(opened_runs(options.runs)))
        at_end = stack.enter_context(contextlib.ExitStack())  # of the driver, or of this process
        at_end.callback(life.reported)
        at_end.callback(runs.end)
        capture = RunCapture(machine, _folder(options.keep), tile)
        at_end.callback(capture.end)
        races = RunRaces(machine, race_report)
        at_end.callback(races.end)
        if options.faults is not None:
            machine.faults.set(options.faults)
        for text in options.pause:
            add_pause(machine, text)
        stack.enter_context(counted(machine, options.counts))
        target = tensix_target(
            machine, record=options.history.record, stop_at_end=options.stop_at_end
        )
        history = target.reverse
        assert isinstance(history, TileHistory)
        shared = SharedTile(target)
        chip = Chip({tile: machine})

        def simulator(attach: str) -> Simulator:
            clock = TileClock(
                chip,
                shared,
                options.cycles,
                attach,
                runs,
                history,
                stop_at_fault=options.stop_at_fault,
                note=life.fault,
            )
            watched = watch(machine, tile, options, runs, capture, races)
            made = Simulator(chip, shared, clock, {tile: watched}, options.stop_at_entry)
            made.host_ended = at_end.close
            return made

        def page(server: Server) -> Serve | None:
            return page_wanted(options.web, server, shared, machine)

        serve_until_released(options, link, shared, simulator, page)


def _folder(path: str | None) -> Path | None:
    """Make the folder of `--keep` if it is not there."""
    if path is None:
        return None
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise UsageError(f"--keep {path} cannot be made: {problem.strerror}") from None
    return Path(path)
