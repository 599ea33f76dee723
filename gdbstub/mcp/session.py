# SPDX-License-Identifier: Apache-2.0
"""The one tile of an assistant's session, and running it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.engine import EngineDefect
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.cli.build import build_machine
from tensix_gdb.gdbstub.cli.options.tile import typed_elf
from tensix_gdb.gdbstub.cli.run import places_named
from tensix_gdb.gdbstub.cli.terminal.keyboard import Keyboard
from tensix_gdb.gdbstub.cli.to_end import run_to_end
from tensix_gdb.gdbstub.mcp.roots import Roots
from tensix_gdb.gdbstub.order.report.holding import ToCycle
from tensix_gdb.gdbstub.order.report.witness import from_here, from_the_start
from tensix_gdb.gdbstub.tensix.corefile.kept_run import KeptRun
from tensix_gdb.gdbstub.testing.hart import Hart
from tensix_gdb.gdbstub.testing.program import Program
from tensix_gdb.gdbstub.usage import UsageError, parse_schedule

MAX_CYCLES = 1_000_000_000
DEFAULT_CYCLES = 10_000_000
SLICE = 4_000  # cycles between two looks whether a kept run is over
NO_TILE = "there is no tile yet; run programs first"


class Session:
    """The state from one call to the next: the tile of the last `run`."""

    def __init__(self, roots: Roots) -> None:
        self.roots = roots
        self.ending = ""  # how its last run ended
        self._machine: Machine | None = None
        self._harts: tuple[Hart, ...] = ()
        self._breaks: list[tuple[int, int]] = []
        self._another: Callable[[], Machine] | None = None
        self._kept: KeptRun | None = None
        self.to_cycle: ToCycle = lambda cycle: False  # back in the last run

    def close(self) -> None:
        """Give the tile back."""
        if self._machine is not None:
            self._machine.close()
            self._machine = None

    @property
    def machine(self) -> Machine:
        """The tile. UsageError if none has been run."""
        if self._machine is None:
            raise UsageError(NO_TILE)
        return self._machine

    def hart(self, name: str) -> Hart:
        """Return a hart of it."""
        return self.harts()[HART_NAMES.index(name)]

    def harts(self) -> tuple[Hart, ...]:
        """Return all of them. UsageError if there is no tile."""
        if self._machine is None:
            raise UsageError(NO_TILE)
        return self._harts

    def load(self, programs: tuple[str, ...], schedule: str) -> None:
        """Make a tile with these programs, each `HART=FILE`, in the place of the one before."""
        self._use_machine(self.built(programs, schedule), None)
        self._another = partial(self.built, programs, schedule)
        self.to_cycle = from_the_start(self.machine)

    def load_kept(self, core: str, schedule: str) -> None:
        """Begin at the beginning of a run that the simulator has kept."""
        kept = self.kept_run(core)
        self._use_machine(kept.machine("auto", parse_schedule(schedule)), kept)
        self._another = None
        self.to_cycle = from_here(self.machine)

    def kept_run(self, core: str) -> KeptRun:
        """Return the files of one, which have to be in the folders of the user."""
        path = self.roots.file(core)
        return KeptRun(path, self.roots.file(str(path.with_suffix(".json"))))

    def _use_machine(self, machine: Machine, kept: KeptRun | None) -> None:
        self.close()
        self._machine, self._breaks, self.ending, self._kept = machine, [], "", kept
        self._harts = tuple(Hart(machine, number) for number in range(HARTS))
        for image in machine.images:
            if image.hart is not None:
                self._harts[image.hart].program = Program(image)

    def built(self, programs: tuple[str, ...], schedule: str) -> Machine:
        """Return one more tile with programs in it; the caller closes it."""
        chosen = []
        for text in programs:
            hart, name = _typed(text)
            chosen.append((hart, str(self.roots.file(name))))
        if not chosen:
            raise UsageError("elf names nothing; name a program, as in t0=build/unpack.elf")
        return build_machine(chosen, "auto", schedule)

    def another(self) -> Machine:
        """Return one more tile with the programs of this one. UsageError if it has begun in the
        middle."""
        if self._another is None:
            raise UsageError(
                "a kept run has no beginning from which a litmus test could be cut out"
            )
        return self._another()

    def go(self, until: str, cycles: int, keyboard: Keyboard) -> str:
        """Run on, and say how that ended."""
        machine = self.machine
        machine.disarm()
        for hart, addr in self._breaks:
            machine.remove_break(addr, hart)
        self._breaks = places_named(machine, until) if until else []
        for hart, addr in self._breaks:
            machine.add_break(addr, hart)
        for number in range(HARTS):
            if not machine.S.hart.paused[number]:
                machine.resume_from(number)
        most = int(machine.S.tile.cycle) + cycles
        try:
            lines = run_on(machine, self._kept, most, keyboard, until)
        except EngineDefect as defect:
            raise UsageError(f"a defect of the emulator, please report it: {defect}") from None
        self.ending = "\n".join(lines)
        return self.ending


def run_on(
    machine: Machine, kept: KeptRun | None, most: int, keyboard: Keyboard, until: str = ""
) -> list[str]:
    """Run to a cycle, or to an end; what there is to say. A kept run ends when its kernel does."""
    while True:
        end = most if kept is None else min(int(machine.S.tile.cycle) + SLICE, most)
        lines, _ = run_to_end(machine, end, keyboard, until or None, _silent)
        if kept is None or keyboard.interrupted or machine.S.tile.cycle < end:
            return lines
        if kept.is_over(machine):
            size, wrong = kept.result(machine)
            said = f"{wrong:,} of {size:,} bytes are not" if wrong else f"all {size:,} bytes are"
            when = f"after {machine.S.tile.cycle} cycles"
            return [f"the kernel has ended {when}; {said} as its host has read them"]
        if end == most:
            return lines


def _silent(cycles: int, where: str) -> None:
    """Show no line of progress: standard error is a log here."""


def _typed(text: str) -> tuple[int, str]:
    try:
        return typed_elf(text)
    except argparse.ArgumentTypeError as problem:
        raise UsageError(f"elf: {problem}") from None


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool: the session, its arguments, and what interrupts it."""

    session: Session
    values: Mapping[str, Any]
    keyboard: Keyboard

    def __getitem__(self, name: str) -> Any:
        return self.values[name]
