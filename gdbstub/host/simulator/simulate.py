# SPDX-License-Identifier: Apache-2.0
"""The tile that a host drives, and that debuggers attach to meanwhile; many.py has several."""

from __future__ import annotations

import contextlib
from pathlib import Path

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.translation import translate
from tensix_gdb.gdbstub.host.simulator import grid, grid_wormhole
from tensix_gdb.gdbstub.host.simulator.chip import Chip
from tensix_gdb.gdbstub.host.simulator.host_clock import TileClock
from tensix_gdb.gdbstub.host.simulator.host_memory import HostMemory, MemoryLink
from tensix_gdb.gdbstub.host.simulator.life import Life
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions
from tensix_gdb.gdbstub.host.simulator.runs.capture import RunCapture
from tensix_gdb.gdbstub.host.simulator.runs.failing import Beginning, FailingRun, Why
from tensix_gdb.gdbstub.host.simulator.runs.log import RunLog, opened_runs
from tensix_gdb.gdbstub.host.simulator.runs.races import RunRaces
from tensix_gdb.gdbstub.host.simulator.serving import Link, serve_until_released
from tensix_gdb.gdbstub.host.simulator.simulator import Simulator
from tensix_gdb.gdbstub.host.simulator.watched import watch
from tensix_gdb.gdbstub.pages.web.wanted import Serve, page_wanted
from tensix_gdb.gdbstub.protocol.server.server import Server
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.output.counting import counted
from tensix_gdb.gdbstub.tensix.output.recording import recorded
from tensix_gdb.gdbstub.tensix.pauses import add_pause
from tensix_gdb.gdbstub.tensix.races.output import RaceOptions
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tensix_gdb.gdbstub.usage import UsageError, parse_schedule


def simulate_tile(
    options: SimulatorOptions, link: Link, arch: Arch, life: Life, race_report: RaceOptions | None
) -> None:
    """Serve a host by `link` and debuggers with one tile."""
    tile = grid_wormhole.TILE if arch is Arch.WORMHOLE else grid.TILE
    schedule = parse_schedule(options.schedule)
    machine = Machine(engine=options.engine, schedule=schedule, arch=arch)
    machine.host.is_present = True
    translate(machine.S)
    with contextlib.closing(machine), contextlib.ExitStack() as stack:
        stack.enter_context(recorded(machine, options.history.record_to))
        runs = RunLog(machine, stack.enter_context(opened_runs(options.runs)))
        at_end = stack.enter_context(contextlib.ExitStack())  # of the driver, or of this process
        at_end.callback(life.reported)
        at_end.callback(runs.end)
        capture = RunCapture(machine, _folder(options.keep), tile)
        at_end.callback(capture.end)
        is_told = life.finds.wanted  # the command has a page of reports, and of wrong results
        core, least = (tile, Why.LAST) if is_told else (None, Why.STUCK)

        def beginning() -> Beginning:
            from tensix_gdb.gdbstub.host.simulator.runs.beginning import TileBeginning

            return TileBeginning(machine)

        failing = FailingRun(beginning, life.folder, core, least, share=life.finds.share)
        at_end.callback(failing.keep, Why.LAST)
        races = RunRaces(machine, race_report, finds=life.finds, failing=failing)
        at_end.callback(races.end)

        def note(text: str) -> None:
            failing.keep(Why.STUCK)  # first: the reader of the fault ends the host
            life.fault(text)

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
                begin=failing.before_run,
                stop_at_fault=options.stop_at_fault,
                note=note,
            )
            watched = watch(machine, tile, options, runs, capture, races, failing=failing)
            made = Simulator(
                chip, shared, clock, {tile: watched}, options.stop_at_entry, life.finds
            )
            made.connected = share_host_memory
            made.host_ended = at_end.close
            made.keep_failed = life.keep_failed
            return made

        def share_host_memory(link: MemoryLink) -> None:
            kept = options.history
            is_recorded = bool(kept.record or kept.record_to)
            machine.outside.host = HostMemory(link, arch.chip, is_recorded=is_recorded)

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
