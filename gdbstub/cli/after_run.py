# SPDX-License-Identifier: Apache-2.0
"""The end of `tensix-gdb run`: compare tiles, look for what went wrong, try other schedules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.cli.build import machine_of
from tensix_gdb.gdbstub.cli.options.again import diagnose_again
from tensix_gdb.gdbstub.cli.options.run import RunOptions
from tensix_gdb.gdbstub.cli.options.tile import elsewhere
from tensix_gdb.gdbstub.cli.terminal.keyboard import listening
from tensix_gdb.gdbstub.signals import end_signal
from tensix_gdb.gdbstub.tensix.output.looked_at import not_looked_at
from tensix_gdb.gdbstub.tensix.races.output import stop_observing

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.tensix.races.late import Late
    from tensix_gdb.gdbstub.tensix.races.output import RaceOptions
    from tensix_gdb.gdbstub.tensix.tiles.files import TileFiles

REACHED, NOT_REACHED, CANNOT = 0, 1, 2


def seeds_wanted(seeds: str | None) -> Sequence[int]:
    """Return the seeds of `--seeds`, or none. UsageError with a sentence."""
    if seeds is None:
        return ()
    from tensix_gdb.gdbstub.order.seeds.command import seeds_of

    return seeds_of(seeds)


def after_run(
    machine: Machine,
    options: RunOptions,
    files: TileFiles | None,
    seeds: Sequence[int],
    lines: list[str],
    status: int,
) -> int:
    """Add to what a run says; return the exit status."""
    had_ended = status == REACHED
    may_run_again = options.may_run_again
    # `diagnose` runs to the end, and knows no core file.
    proved = machine.S.stop.kind in (StopKind.FAULT, StopKind.STANDSTILL)
    stopped_early = options.from_core is not None or (options.until is not None and not proved)
    with listening(second_ends=bool(seeds)) as keyboard:
        if machine.S.stop.kind == StopKind.FAULT and may_run_again:
            lines += _blamed_for_fault(machine, keyboard.is_interrupted)
        status = _tiles(machine, files, lines, status)
        if had_ended and files is not None and status == NOT_REACHED and may_run_again:
            lines += _blamed_for_tiles(machine, files, keyboard.is_interrupted)
        if seeds:
            stop_observing(machine)
            status = _other_orders(machine, files, seeds, lines, status, keyboard.is_interrupted)
            return end_signal.status if keyboard.interrupted else status
    if status == REACHED and options.until is None:
        lines += not_looked_at(machine.execution, observed=options.races.mode is not None)
    elif status == NOT_REACHED and may_run_again and not stopped_early:
        lines.append(diagnose_again(options.programs, options, options.tiles, options.races))
    return status


def late_search(machine: Machine, number: int, options: RaceOptions | None) -> Late | None:
    """Return the searches that `--late` asks for; call at the end of the observed run."""
    if not number or options is None:
        return None
    from tensix_gdb.gdbstub.tensix.races.late import Late

    return Late(machine, options, number)


def tried_remedies(
    machine: Machine,
    options: RunOptions,
    races: RaceOptions,
    cycles: int,
    files: TileFiles | None,
) -> list[str]:
    """Try the remedies of the reports of a run of so many cycles; what there is to say."""
    from tensix_gdb.gdbstub.order.report.text import width_in
    from tensix_gdb.gdbstub.order.tried.command import Wanted, tried_lines_of

    assert races.judgement is not None
    with listening(second_ends=True) as keyboard:
        wanted = Wanted(
            races.observe,
            files.are_as_wanted if files is not None else lambda _: True,
            keyboard.is_interrupted,
            options.races.patch or bool(options.races.apply),
            options.races.apply or "",
            lambda there: machine_of(elsewhere(options.programs, there), files)[0],
            width_in(races.width),
        )
        return list(tried_lines_of(machine, races.judgement, cycles, wanted))


def _tiles(machine: Machine, files: TileFiles | None, lines: list[str], status: int) -> int:
    """Write and compare the tiles that were asked for; return the exit status."""
    if files is None:
        return status
    said, is_written = files.write(machine)
    lines += said
    said, is_wanted = files.compare(machine, with_map=status == REACHED)
    lines += said
    if not is_written:
        return CANNOT
    return status if is_wanted or status else NOT_REACHED


def _blamed_for_fault(machine: Machine, is_interrupted: Callable[[], bool]) -> list[str]:
    """Name the lines that wrote what a unit has refused."""
    from tensix_gdb.gdbstub.origin.blame.command import blamed_for_fault

    return blamed_for_fault(machine, is_interrupted)


def _blamed_for_tiles(
    machine: Machine, files: TileFiles, is_interrupted: Callable[[], bool]
) -> list[str]:
    """Name the lines that told a unit to move what does not fit the tiles."""
    from tensix_gdb.gdbstub.origin.blame.command import blamed_for_tiles
    from tensix_gdb.gdbstub.origin.blame.tiles import tiles_of

    inputs, wanted = tiles_of(files.inputs), tiles_of(files.wanted)
    return blamed_for_tiles(machine, inputs, wanted, is_interrupted)


def _other_orders(
    machine: Machine,
    files: TileFiles | None,
    seeds: Sequence[int],
    lines: list[str],
    status: int,
    is_interrupted: Callable[[], bool],
) -> int:
    """Run in other orders too; return the exit status."""
    from tensix_gdb.gdbstub.order.seeds.command import other_orders

    said, are_right = other_orders(
        machine,
        seeds,
        (lambda _: True) if files is None else files.are_as_wanted,
        is_interrupted,
        went_well=status == REACHED,
    )
    lines += said
    return status if are_right or status else NOT_REACHED
