# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb run`: run to the end without a debugger and say how it ended."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.engine import EngineDefect
from tensix_gdb.core.explain.orders import order_lines
from tensix_gdb.core.firmware.host import Host
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.cli.after_run import (
    CANNOT,
    REACHED,
    after_run,
    late_search,
    seeds_wanted,
    tried_remedies,
)
from tensix_gdb.gdbstub.cli.build import machine_from_core, machine_of, tile_files
from tensix_gdb.gdbstub.cli.firmware import run_firmware, where
from tensix_gdb.gdbstub.cli.kept import keeping
from tensix_gdb.gdbstub.cli.options.run import RunOptions
from tensix_gdb.gdbstub.cli.terminal.files_of import FilesOf
from tensix_gdb.gdbstub.cli.terminal.keyboard import Keyboard, listening
from tensix_gdb.gdbstub.cli.terminal.width import say, width_of_terminal
from tensix_gdb.gdbstub.cli.to_end import after, run_to_end
from tensix_gdb.gdbstub.pages.html.wanted import html_of_run, name_of
from tensix_gdb.gdbstub.pages.web.wanted import check_installed
from tensix_gdb.gdbstub.spare_memory import given_back_when_short
from tensix_gdb.gdbstub.tensix.blocked.fault_report import counted_faults
from tensix_gdb.gdbstub.tensix.blocked.unread_config import unread_config
from tensix_gdb.gdbstub.tensix.corefile.kept_run import end_of_kept
from tensix_gdb.gdbstub.tensix.corefile.write import core_written
from tensix_gdb.gdbstub.tensix.host.device_print import TilePrints, start_prints
from tensix_gdb.gdbstub.tensix.host.semihosting import Terminal, serve_calls
from tensix_gdb.gdbstub.tensix.monitor.push_sites import LINE, ranges_of_inlined, ranges_of_line
from tensix_gdb.gdbstub.tensix.output.counting import counted
from tensix_gdb.gdbstub.tensix.output.progress import progress
from tensix_gdb.gdbstub.tensix.output.recording import recorded, recording_lines
from tensix_gdb.gdbstub.tensix.output.timeline_file import traced
from tensix_gdb.gdbstub.tensix.races.output import (
    RaceOptions,
    note_firmware,
    observed,
    race_options,
)
from tensix_gdb.gdbstub.usage import OUT_OF_MEMORY, UsageError

if TYPE_CHECKING:
    from tensix_gdb.core.program.elf import Image
    from tensix_gdb.gdbstub.tensix.tiles.files import TileFiles


def run(options: RunOptions) -> int:
    """Return 0 if all harts have paused or `--until` was reached, 1 otherwise."""
    check_installed(options.web)
    seeds = seeds_wanted(options.seeds)
    race_report = race_options(options.races, options.programs.schedule)
    if race_report is not None:
        race_report.width = width_of_terminal()
    engine, name = options.programs.engine, name_of(options.programs)
    try:
        with html_of_run(options.page, engine, name, options.record_to) as html:
            lines, status, images = _run(options, html.recording, seeds, race_report)
            # Now: a page that cannot be written loses nothing.
            say(lines, FilesOf(images), flush=True)
            say(html.write(lines))
    except EngineDefect as defect:
        raise UsageError(f"a defect of the emulator, please report it: {defect}") from None
    return status


def _run(
    options: RunOptions,
    record_to: str | None,
    seeds: Sequence[int],
    race_report: RaceOptions | None,
) -> tuple[list[str], int, Sequence[Image]]:
    """Run; return what to print, the exit status, and the programs that were loaded."""
    files = tile_files(options.programs.tile, options.tiles.expect, options.tiles.dump)
    machine, host = _machine(options, files)
    is_over = end_of_kept(machine, options.from_core)
    terminal = Terminal()
    calls = None
    try:
        is_shown = options.web is not None
        prints = TilePrints(machine, host, terminal.line)
        if not is_shown:
            calls = serve_calls(machine, options.host, terminal)
            start_prints(prints, options.host.dprint)
        until = [] if options.until is None else places_named(machine, options.until)
        if not is_shown:
            for hart, addr in until:
                machine.add_break(addr, hart)
        with (
            core_written(machine, options.core_out) as write_core,
            _pictured(machine, options.picture) as write_picture,
            recorded(machine, record_to) as ending,
            keeping(machine, is_wanted=options.may_be_kept, expected=options.tiles.expect) as keep,
            counted(machine, options.counts) as write_counts,
            traced(machine, options.trace),
            observed(machine, race_report) as end_races,
        ):
            if host is not None:
                note_firmware(machine, host.firmware.images)
            with listening() as keyboard:
                terminal.interrupted = keyboard.is_interrupted
                if is_shown:
                    lines, status = _shown(machine, options, until)
                else:
                    lines, status = _run_or_short_of_memory(
                        machine, host, options, keyboard, is_over
                    )
            ending.append(lines[-1])
            prints.flush()
            lines += [*write_core(lines[-1]), *write_picture(lines[-1]), *write_counts()]
            lines += recording_lines(machine, options.record_to)
            went_well = status == REACHED and (files is None or files.are_as_wanted(machine))
            kept = [] if went_well else keep(lines[-1])
            said, race_status = end_races(REACHED)
            lines += said
            late = late_search(machine, options.races.late, race_report)
            ended = int(machine.S.tile.cycle)
        lines += counted_faults(machine)
        lines += order_lines(machine.S, machine.places)
        if status == REACHED:
            lines += unread_config(machine)  # otherwise the report of a deadlock has them
        seeds = () if keyboard.interrupted else seeds
        status = after_run(machine, options, files, seeds, lines, status) or race_status
        lines += kept
        if late is not None and not keyboard.interrupted:
            lines += late.lines(lambda: _run_on(machine, options.max_cycles, is_over))
        if options.races.are_tried and race_report is not None and not keyboard.interrupted:
            lines += tried_remedies(machine, options, race_report, ended, files)
    finally:
        machine.close()
        if calls is not None:
            calls.close()
    return lines, status, tuple(machine.images)


def _machine(options: RunOptions, files: TileFiles | None) -> tuple[Machine, Host | None]:
    if options.from_core is not None:
        return machine_from_core(options.from_core, options.programs), None
    reads_prints = options.host.dprint is not None
    return machine_of(options.programs, files, reads_prints=reads_prints)


def _shown(
    machine: Machine, options: RunOptions, until: list[tuple[int, int]]
) -> tuple[list[str], int]:
    """Show the run with its page."""
    from tensix_gdb.gdbstub.cli.run_shown import run_shown

    return run_shown(machine, options, until)


def _pictured(
    machine: Machine, path: str | None
) -> contextlib.AbstractContextManager[Callable[[str], list[str]]]:
    """Return the function that writes the picture of `--picture`, given how the run has ended, and
    that returns what to say of it; without the option it does nothing."""
    if path is None:
        return contextlib.nullcontext(lambda ending: [])
    # Imported here: drawing takes a while to load, and hardly any run draws.
    from tensix_gdb.gdbstub.pages.picture.files import pictured

    return pictured(machine, path)


def _run_on(machine: Machine, most: int, is_over: Callable[[], bool] | None) -> list[str]:
    """Run on to the end; what there is to say of it."""
    with listening() as keyboard, progress(most) as tell:
        return run_to_end(machine, most, keyboard, None, tell, is_over)[0]


def _run_or_short_of_memory(
    machine: Machine,
    host: Host | None,
    options: RunOptions,
    keyboard: Keyboard,
    is_over: Callable[[], bool] | None,
) -> tuple[list[str], int]:
    """Run; return what to print, and the exit status. Without memory too, so that files are
    written."""
    try:
        with given_back_when_short():
            if host is not None:
                return run_firmware(
                    host, options.programs.launch, options.max_cycles, keyboard.is_interrupted
                )
            with progress(options.max_cycles) as tell:
                most = options.max_cycles
                return run_to_end(machine, most, keyboard, options.until, tell, is_over)
    except MemoryError:
        return [f"{OUT_OF_MEMORY}, {after(machine)}: {where(machine)}"], CANNOT


def places_named(machine: Machine, until: str) -> list[tuple[int, int]]:
    """Find the places of `--until`: an address on every hart, or a symbol or line of a file."""
    try:
        addr = int(until, 0)
    except ValueError:
        pass
    else:
        if not 0 <= addr < 1 << 32 or addr % 4:
            raise UsageError(
                f"--until {until}: no instruction can be there; addresses of instructions have 32 "
                "bits and are multiples of 4"
            )
        return [(hart, addr) for hart in range(HARTS)]
    places: list[tuple[int, int]] = []
    line = LINE.fullmatch(until)
    for image in machine.images:
        if image.hart is None:
            continue
        if line is not None:
            ranges = ranges_of_line(image, line[1], int(line[2]))
            places += [(image.hart, start) for start, _ in ranges]
        elif (place := image.symbol(until)) is not None:
            places.append((image.hart, place))
        else:
            places += [(image.hart, start) for start, _ in ranges_of_inlined(image, until)]
    if not places:
        files = ", ".join(str(image.path) for image in machine.images)
        what = "symbol" if line is None else "line with code"
        raise UsageError(f"--until {until}: no such {what} in {files}")
    return places
