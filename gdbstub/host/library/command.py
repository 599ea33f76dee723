# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb simulator DIR`: a folder with a library that drivers load as their simulator.

tensix-gdb simulator DIR      writes the folder: library, soc descriptor, the server's command
tensix-gdb simulator --serve  is the server, which the library starts by DIR/serve.sh
"""

from __future__ import annotations

import logging
import os
import shlex
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tensix_gdb.core.chip.links import ON_CHIP_OF, channels_of
from tensix_gdb.core.isa.architecture import DIALECTS, Arch
from tensix_gdb.gdbstub.cli.attach.find_gdb import find_gdb
from tensix_gdb.gdbstub.host.library.build import LIBRARY, PUMP, built
from tensix_gdb.gdbstub.host.library.options import ALL, LibraryOptions
from tensix_gdb.gdbstub.host.library.output import lose_what_cannot_be_written
from tensix_gdb.gdbstub.host.simulator import grid, grid_wormhole
from tensix_gdb.gdbstub.host.simulator.grid import places_of, places_on
from tensix_gdb.gdbstub.host.simulator.life import Life, living
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions, check_options, check_times
from tensix_gdb.gdbstub.host.simulator.server_command import SH, attach_command, server_command
from tensix_gdb.gdbstub.usage import UsageError

# What serves is loaded by the server alone.
if TYPE_CHECKING:
    from tensix_gdb.gdbstub.host.simulator.serving import Link
    from tensix_gdb.gdbstub.host.simulator.simulator import Simulator

log = logging.getLogger(__name__)

CHANNEL_FD, SOCKET_FD = 3, 4  # as in host_end.c
SCRIPT = "serve.sh"
HOW = """wrote {library}; programs take it as their simulator:
    {variables}TT_METAL_SIMULATOR={library} PROGRAM
while one of them runs, attach with
    {attach}"""
OF_ANY_PORT = "the command of GDB that it prints: its port is a free one"


def simulator(options: LibraryOptions) -> int:
    """Write the folder, or be the server."""
    of, arch = options.simulator, DIALECTS[options.arch or "blackhole"].arch
    if of.tiles == ALL:
        of = replace(of, tiles=grid.whole(arch))
    if options.serve:
        life, finds = (Path(path) if path else None for path in (options.life, options.finds))
        return _serve(of, arch, life, finds, options.gdb)
    count = len(places_on(of.tiles, of.chips, arch))
    _check(of, arch, count)
    folder = Path(options.folder or "")
    debugger = None
    if options.gdb is not None:
        debugger, of = find_gdb(options.gdb or None), replace(of, stop_at_entry=True)
    library = write_library(folder, of, options.arch, gdb=debugger)
    address = of.address
    attach = OF_ANY_PORT
    if address.port:
        attach = attach_command(address.host, address.port, count)
    wanted = grid.variables_of(of.tiles, arch)
    variables = "".join(f"{name}={value} " for name, value in wanted.items())
    print(HOW.format(library=shlex.quote(str(library)), attach=attach, variables=variables))
    return 0


def _check(of: SimulatorOptions, arch: Arch, count: int) -> None:
    """UsageError for options that cannot be served."""
    from tensix_gdb.gdbstub.tensix.races.output import race_options

    check_times(arch, are_wanted=of.kernel_times)
    if count > 1:
        check_options(of, arch)
    race_options(of.races, of.schedule)


def write_library(
    folder: Path,
    options: SimulatorOptions,
    arch: str | None = None,
    life: Path | None = None,
    finds: Path | None = None,
    gdb: str | None = None,
) -> Path:
    """Write the folder, and return the path of the library in it. `life` is the file that the
    server holds (simulator/life.py), `finds` the one for what it finds (runs/found.py), `gdb` the
    program that the server opens in the host's terminal. UsageError if it cannot be written."""
    library, script = folder / LIBRARY, folder / SCRIPT
    words = server_command("simulator", options, arch, life, finds)
    command = shlex.join([*words, *(["--gdb", gdb] if gdb is not None else [])])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        of = DIALECTS[arch or "blackhole"].arch
        tiles = places_of(options.tiles, of)
        channels = channels_of(options.chips, of.chip)
        linked = [ON_CHIP_OF[of.chip][channel] for channel in channels]
        describe = grid_wormhole if of is Arch.WORMHOLE else grid
        descriptor = describe.soc_descriptor(tiles, linked)
        (folder / "soc_descriptor.yaml").write_text(descriptor, encoding="ascii")
        script.write_text(f"{SH}exec {command} --serve >&2\n", encoding="utf-8")
        library.unlink(missing_ok=True)  # a host may have it loaded
        shutil.copyfile(built(LIBRARY), library)
    except OSError as problem:
        raise UsageError(f"{folder}: cannot be written: {problem.strerror}") from None
    return library


def _serve(
    of: SimulatorOptions, arch: Arch, life: Path | None, finds: Path | None, gdb: str | None
) -> int:
    """Serve the host that has started this process. The options are those of a folder."""
    from tensix_gdb.gdbstub.host.library.calls import Calls
    from tensix_gdb.gdbstub.host.library.channel import SPINS, Channel

    try:
        spins = SPINS if (os.cpu_count() or 1) > 1 else 0
        channel = Channel(CHANNEL_FD, SOCKET_FD, built(PUMP), spins=spins)
    except (OSError, ValueError) as problem:
        raise UsageError(f"--serve is for the library that starts this: {problem}") from None
    lose_what_cannot_be_written()
    os.closerange(SOCKET_FD + 1, 1 << 16)  # of the host, which others may wait to see closed

    async def serve(simulator: Simulator) -> None:
        if gdb is None:
            await Calls(channel, simulator).serve()
        else:
            await _with_debugger(gdb, of, simulator, Calls(channel, simulator).serve)

    with living(life, finds) as alive:
        _simulate(of, serve, arch, alive)
    return 0


async def _with_debugger(
    gdb: str, of: SimulatorOptions, simulator: Simulator, serve: Callable[[], Awaitable[None]]
) -> None:
    """Serve while a GDB has the host's terminal."""
    import trio

    from tensix_gdb.gdbstub.cli.attach.gdb_command import gdb_command
    from tensix_gdb.gdbstub.host.library.terminal import TerminalDebugger

    debugger = TerminalDebugger(gdb_command(gdb, simulator.port, len(simulator.watched)))
    debugger.start()
    try:
        await serve()
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(debugger.end)


def _simulate(of: SimulatorOptions, link: Link, arch: Arch, life: Life) -> None:
    """Be the simulator of the host that `link` serves, until both have ended. What one tile needs,
    several, and observers is loaded where it is wanted."""
    race_report = None
    if of.races.mode is not None or of.races.check:
        from tensix_gdb.gdbstub.tensix.races.output import race_options

        race_report = race_options(of.races, of.schedule)
    tiles = places_on(of.tiles, of.chips, arch)
    if len(tiles) > 1:
        from tensix_gdb.gdbstub.host.simulator.many import simulate_chip

        simulate_chip(of, link, tiles, life, race_report, arch)
    else:
        from tensix_gdb.gdbstub.host.simulator.simulate import simulate_tile

        simulate_tile(of, link, arch, life, race_report)
