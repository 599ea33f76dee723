# SPDX-License-Identifier: Apache-2.0
"""Several tiles as the simulator of one host: `tensix-gdb simulator --tiles WxH`."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from tensix_gdb.core.chip.chip import Chip as CoreChip
from tensix_gdb.core.chip.links import ends_of, links_of
from tensix_gdb.core.chip.places import is_ethernet, name_of
from tensix_gdb.core.chip.races.knowledge import tile_name
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.noc.translation import translate
from tensix_gdb.gdbstub.host.simulator.chip import Chip
from tensix_gdb.gdbstub.host.simulator.chip_clock import ChipClock
from tensix_gdb.gdbstub.host.simulator.collection import all_stays
from tensix_gdb.gdbstub.host.simulator.dispatched import Dispatched
from tensix_gdb.gdbstub.host.simulator.grid import Core
from tensix_gdb.gdbstub.host.simulator.host_memory import (
    HostMemory,
    MemoryLink,
    dispatches_from_its_memory,
)
from tensix_gdb.gdbstub.host.simulator.life import Life
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions, cable_faults_of
from tensix_gdb.gdbstub.host.simulator.runs.capture import RunCapture
from tensix_gdb.gdbstub.host.simulator.runs.ethernet import EthernetPrograms
from tensix_gdb.gdbstub.host.simulator.runs.failing import (
    MOST_TILES,
    SHARE_OF_MANY,
    Beginning,
    FailingRun,
    Why,
)
from tensix_gdb.gdbstub.host.simulator.runs.log import RunLog, opened_runs
from tensix_gdb.gdbstub.host.simulator.runs.races import RunRaces
from tensix_gdb.gdbstub.host.simulator.serving import Link, serve_until_released
from tensix_gdb.gdbstub.host.simulator.simulator import Simulator
from tensix_gdb.gdbstub.host.simulator.watched import cache_of, watch
from tensix_gdb.gdbstub.pages.web.wanted import Serve, chip_page_wanted
from tensix_gdb.gdbstub.protocol.server.server import Server
from tensix_gdb.gdbstub.protocol.sharing.waking import WakingTile
from tensix_gdb.gdbstub.tensix.chip.counting import counted_tiles
from tensix_gdb.gdbstub.tensix.chip.execution import ChipExecution
from tensix_gdb.gdbstub.tensix.chip.history import RecordedChip
from tensix_gdb.gdbstub.tensix.chip.requests import over_hole
from tensix_gdb.gdbstub.tensix.chip.target import chip_target
from tensix_gdb.gdbstub.tensix.chip.tiles import STRIDE, Tiles
from tensix_gdb.gdbstub.usage import UsageError, parse_schedule

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.order.report.kinds import Kinds
    from tensix_gdb.gdbstub.tensix.races.output import RaceOptions

log = logging.getLogger(__name__)

SOME = 8  # tiles that a sentence names


def simulate_chip(
    options: SimulatorOptions,
    link: Link,
    places: Sequence[Core],
    life: Life,
    race_report: RaceOptions | None = None,
    arch: Arch = Arch.BLACKHOLE,
) -> None:
    """Serve a host by `link` and debuggers with tiles at these places."""
    if (options.history.record or options.history.record_to) and dispatches_from_its_memory():
        raise UsageError(
            "--record and --record-to have no memory of the host, which this one's dispatcher "
            "reads: set TT_METAL_DRAM_BACKED_CQ=1, as `tensix-gdb ttnn --dispatch fast` does"
        )
    with all_stays():
        tiles = chip_of(options, places, arch)
    names = {name_of(core): machine for core, machine in tiles.tiles.items()}
    with contextlib.closing(tiles), contextlib.ExitStack() as stack:
        if options.pause:
            from tensix_gdb.gdbstub.tensix.pauses import add_pause_of

            for text in options.pause:
                add_pause_of(names, text)
        stack.enter_context(counted_tiles(names, options.counts))
        file = stack.enter_context(opened_runs(options.runs))
        workers = {core: tile for core, tile in tiles.tiles.items() if not is_ethernet(core)}
        runs = {
            name_of(core): RunLog(machine, file, name_of(core)) for core, machine in workers.items()
        }
        if race_report is not None:
            race_report.observe(tiles)
        races = {
            name_of(core): RunRaces(
                machine,
                race_report,
                name_of(core),
                partial(tiles.observe_tile, core),
                life.finds,
            )
            for core, machine in tiles.tiles.items()
        }
        by_tile = {tile_name(core): races[name_of(core)] for core in tiles.tiles}
        kinds = _kinds(race_report)
        for each in races.values():
            each.others, each.kinds = by_tile, kinds
        at_end = stack.enter_context(contextlib.ExitStack())  # of the driver, or of this process
        at_end.callback(life.reported)
        at_end.callback(_end_runs, tiles, runs, races, life.finds.wanted)
        threads = Tiles(tiles)
        target = chip_target(tiles, threads, record=options.history.record, has_host=True)
        execution, recorded = target.execution, target.reverse
        assert isinstance(execution, ChipExecution)
        assert isinstance(recorded, RecordedChip)
        if options.history.record_to is not None:
            from tensix_gdb.gdbstub.tensix.chip.recording import recorded_chip

            stack.enter_context(recorded_chip(tiles, recorded, options.history.record_to))
        shared = WakingTile(target, tiles.wake_all)
        ways = tiles.wake, tiles.wake_for_bytes
        chip = Chip(tiles.tiles, *ways, tiles.cables.tiles, tiles.sleeps)
        cache = cache_of(options)
        are_many = not life.finds.wanted and len(tiles.tiles) > MOST_TILES

        def beginning() -> Beginning:
            from tensix_gdb.gdbstub.host.simulator.runs.beginning_chip import ChipBeginning

            return ChipBeginning(tiles, failing.inputs, partial(chip_of, options, places, arch))

        failing = FailingRun(
            beginning,
            life.folder,
            least=Why.LAST if life.finds.wanted else Why.STUCK,
            share=SHARE_OF_MANY if are_many else life.finds.share,
            are_many=are_many,
            plays=are_many and race_report is None and not (options.pause or options.stop_at_entry),
        )
        at_end.callback(failing.keep, Why.LAST)

        def note(text: str) -> None:
            failing.keep(Why.STUCK)  # first: the reader of the fault ends the host
            life.fault(text)

        def simulator(attach: str) -> Simulator:
            watched = {
                core: watch(
                    machine,
                    core,
                    options,
                    runs[name_of(core)],
                    RunCapture(machine, None),
                    races[name_of(core)],
                    cache,
                    STRIDE * number + 1,
                    partial(tiles.wake, core),
                    failing,
                )
                for number, (core, machine) in enumerate(workers.items())
            }
            dispatched = Dispatched(tiles.notices, watched, shared)

            def settle() -> bool:
                for one in tiles.holes.take_notes():
                    log.warning("%s", over_hole(threads, one))
                return dispatched.recognise_kernels()

            execution.before_run = settle
            execution.libraries_changed = shared.libraries_changed
            clock = ChipClock(
                chip,
                tiles,
                shared,
                options.cycles,
                attach,
                recorded,
                runs.values(),
                execution.host_has_gone,
                settle,
                begin=failing.before_run,
                stop_at_fault=options.stop_at_fault,
                note=note,
            )
            made = Simulator(chip, shared, clock, watched, options.stop_at_entry, life.finds)
            made.ethernet = {
                tile.place: EthernetPrograms(
                    tile, cache, STRIDE * number + 1, races[name_of(tile.place)]
                )
                for number, tile in tiles.cables.by_number.items()
            }
            made.connected = partial(_share_host_memory, tiles)
            made.host_ended = at_end.close
            made.keep_failed = life.keep_failed
            return made

        def page(server: Server) -> Serve | None:
            return chip_page_wanted(options.web, server, shared, threads)

        serve_until_released(options, link, shared, simulator, page, len(tiles.tiles))


def _share_host_memory(tiles: CoreChip, link: MemoryLink) -> None:
    for chip, outside in tiles.outsides.items():
        outside.host = HostMemory(link, tiles.arch.chip, max(chip, 0))


def _kinds(report: RaceOptions | None) -> Kinds | None:
    """Return what knows which reports of several tiles are of one kind, if there are reports."""
    if report is None:
        return None
    from tensix_gdb.gdbstub.order.report.kinds import Kinds

    return Kinds()


def _end_runs(
    tiles: CoreChip, runs: Mapping[str, RunLog], races: Mapping[str, RunRaces], is_told: bool
) -> None:
    """End the runs that have not ended, and say how many reports of races there were, if no other
    process tells it."""
    tiles.wake_all()
    for run in runs.values():
        run.end()
    for race in races.values():
        race.end()
    count = sum(race.runs for race in races.values())
    if count and not is_told:
        kinds = next(iter(races.values())).kinds
        for line in kinds.lines() if kinds is not None else ():
            print(line, flush=True)
        found = sum(race.reported for race in races.values())
        what = f"{found} report{'s' * (found != 1)} of races" if found else "no races"
        print(f"tensix-gdb: {what} in {count} runs of {len(races)} tiles", flush=True)
    unobserved = tiles.unobserved()
    if unobserved:
        some = " ".join(name_of(core) for core in unobserved[:SOME])
        more = f" and {len(unobserved) - SOME} more" if len(unobserved) > SOME else ""
        print(
            f"tensix-gdb: tiles that hear from more cores than are observed: {some}{more}; what is "
            "reported between them and others may be wrong, or missing",
            flush=True,
        )


def chip_of(
    options: SimulatorOptions, places: Sequence[Core], arch: Arch = Arch.BLACKHOLE
) -> CoreChip:
    """Make the tiles, as the options say."""
    execution = parse_schedule(options.schedule)
    # Each tile would compile for itself, in a process of its own.
    engine = "compiled" if options.engine == "auto" else options.engine
    links = links_of(options.chips, arch.chip)
    tiles = CoreChip(
        (*places, *ends_of(links)),
        engine=engine,
        schedule=execution,
        threads=options.threads,
        arch=arch,
        cables=links,
    )
    for fault in cable_faults_of(options, arch):
        tiles.cables.damage(fault)
    for machine in tiles.tiles.values():
        translate(machine.S)
        if options.faults is not None:
            machine.faults.set(options.faults)
    return tiles
