# SPDX-License-Identifier: Apache-2.0
"""The run that is diagnosed: programs from a reset, or a run that a simulator has kept.

Both can be run again from their beginning, as often as there is something to look for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import partial
from pathlib import Path

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.rerun import Again, Rerun
from tensix_gdb.core.race.state.areas import Arguments
from tensix_gdb.gdbstub.cli.build import machine_of, tile_files
from tensix_gdb.gdbstub.cli.terminal.keyboard import Keyboard
from tensix_gdb.gdbstub.cli.to_end import run_to_end
from tensix_gdb.gdbstub.diagnose.options import DiagnoseOptions
from tensix_gdb.gdbstub.order.seeds.bench import Bench, Judge
from tensix_gdb.gdbstub.order.seeds.program import WHOLE, Program, outside_of, state_of
from tensix_gdb.gdbstub.tensix.blocked.polled_words import is_firmware
from tensix_gdb.gdbstub.tensix.corefile.kept_run import KeptRun
from tensix_gdb.gdbstub.tensix.output.progress import Progress
from tensix_gdb.gdbstub.tensix.tiles.files import TileFiles
from tensix_gdb.gdbstub.usage import parse_schedule

LOOK = 64  # cycles between two looks whether a kept run is over
Run = Callable[[Keyboard, Progress], tuple[list[str], int]]


@dataclass(frozen=True, slots=True)
class Subject:
    """A tile at the beginning of a run. `run` takes it to its end, `begin` back to its beginning;
    `rerun` is made at the end. `idle` are harts that ran before: they serve a host."""

    machine: Machine
    files: TileFiles | None
    run: Run
    begin: Callable[[], None]
    rerun: Callable[[], Rerun]
    is_kept: bool = False
    idle: Sequence[int] = field(default=())
    arguments: Sequence[Arguments] = ()  # of tt-metal's kernels, as far as its host wrote them
    # Makes what runs it with a remedy; None of programs from a reset.
    bench: Callable[[int, Judge, Callable[[], bool]], Bench] | None = None


def subject_of(options: DiagnoseOptions) -> Subject:
    """Return what the options name; the caller closes the machine."""
    files = tile_files(options.programs.tile, options.expect)
    if options.kept is not None:
        return _kept(options, Path(options.kept), files)
    machine, _ = machine_of(options.programs, files)

    def run(keyboard: Keyboard, tell: Progress) -> tuple[list[str], int]:
        return run_to_end(machine, options.max_cycles, keyboard, None, tell)

    return Subject(machine, files, run, machine.reset, lambda: Again(machine))


def _kept(options: DiagnoseOptions, core: Path, files: TileFiles | None) -> Subject:
    kept = KeptRun(core, core.with_suffix(".json"))
    execution = parse_schedule(options.programs.schedule)
    machine = kept.machine(options.programs.engine, execution)
    # The host of a kept run only waits, and then reads: what polls only harts can end.
    machine.host.is_present = False
    start = machine.record.snapshot()
    memories = list(machine.outside.memories())
    pages = [memory.snapshot() for memory in memories]
    S = machine.S.hart
    idle = [hart for hart in range(HARTS) if S.retired[hart] and not S.in_reset[hart]]
    if any(map(is_firmware, machine.images)):
        idle = []  # harts of tt-metal's firmware are to run kernels
    most = int(machine.S.tile.cycle) + options.max_cycles

    def run(keyboard: Keyboard, tell: Progress) -> tuple[list[str], int]:
        return run_to_end(machine, most, keyboard, None, tell, lambda: kept.is_over(machine))

    def begin() -> None:
        machine.begin_here(start, execution)
        for memory, kept_pages in zip(memories, pages, strict=True):
            memory.restore(dict(kept_pages))

    return Subject(
        machine,
        files,
        run,
        begin,
        lambda: _FromHere(machine, begin),
        is_kept=True,
        idle=idle,
        arguments=kept.arguments,
        bench=partial(_bench, machine, kept, begin),
    )


def _bench(
    machine: Machine,
    kept: KeptRun,
    begin: Callable[[], None],
    most: int,
    judge: Judge,
    is_interrupted: Callable[[], bool],
) -> Bench:
    """Return what runs it again and again: a run is over where its host has seen the end."""
    begin()
    over = kept.polled() if kept.has_ended else ()
    program = Program(
        "",
        state_of(machine),
        outside=outside_of(machine),
        over=over,
        slice=LOOK if over else WHOLE,
        most=most,
    )
    return Bench(program, judge=judge, is_interrupted=is_interrupted, machine=machine)


class _FromHere(Again):
    """From a state that was kept, and not from a reset."""

    is_whole = False

    def __init__(self, machine: Machine, begin: Callable[[], None]) -> None:
        super().__init__(machine)
        self._begin = begin

    def go_to_start(self) -> None:
        self._begin()
