# SPDX-License-Identifier: Apache-2.0
"""The events of one tile that are watched while a host drives it: resets, launches, runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.host.simulator.grid import Core
from tensix_gdb.gdbstub.host.simulator.kernels.cache import KernelCache, default_cache
from tensix_gdb.gdbstub.host.simulator.launches import Launches
from tensix_gdb.gdbstub.host.simulator.messages import Message
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions
from tensix_gdb.gdbstub.host.simulator.programs import Programs
from tensix_gdb.gdbstub.host.simulator.runs.capture import RunCapture
from tensix_gdb.gdbstub.host.simulator.runs.failing import FailingRun
from tensix_gdb.gdbstub.host.simulator.runs.log import RunLog
from tensix_gdb.gdbstub.host.simulator.runs.races import RunRaces


@dataclass
class Watched:
    """One tile; `runs`, `capture` and `races` do nothing without their options. `first_thread` is
    the one of its threads that debuggers have first."""

    machine: Machine
    core: Core
    launches: Launches
    programs: Programs
    runs: RunLog
    capture: RunCapture
    races: RunRaces
    first_thread: int = 1
    failing: FailingRun | None = None

    def __post_init__(self) -> None:
        self.reset = int(self.machine.S.tile_control.soft_reset)  # as it was last seen

    def before_message(self, message: Message) -> None:
        """Note the tile before an access; call before it is carried out."""
        self.capture.before_message(message)
        self.runs.before_message()
        if self.failing is not None:
            self.failing.before_message(message)

    def after_message(self, message: Message, answer: bytes | None) -> None:
        """Note an access that was carried out; a read has an `answer`."""
        self.capture.after_message(message, answer)
        if self.failing is not None:
            self.failing.after_message(message, answer)

    @property
    def keeps_accesses(self) -> bool:
        """True if each access of the host is noted."""
        return self.capture.is_wanted or (self.failing is not None and self.failing.is_wanted)

    @property
    def notes_launches(self) -> bool:
        """True if each launch is noted, also where the same kernels were launched before."""
        keeps = self.failing is not None and self.failing.notes_launches
        return self.runs.is_wanted or self.races.is_wanted or keeps

    def check_reset(self) -> tuple[int, int]:
        """Pass on which harts entered or left reset, by the host, B or a debugger: SOFT_RESET_0
        before, and now."""
        now = int(self.machine.S.tile_control.soft_reset)
        before, self.reset = self.reset, now
        if now != before:
            self.programs.on_reset_change(before, now)
            self.runs.on_reset_change(before, now)
            self.capture.on_reset_change(before, now)
            self.races.on_reset_change(before, now)
        return before, now


def watch(
    machine: Machine,
    core: Core,
    options: SimulatorOptions,
    runs: RunLog,
    capture: RunCapture,
    races: RunRaces,
    cache: KernelCache | None = None,
    first_thread: int = 1,
    wake: Callable[[], object] = lambda: None,
    failing: FailingRun | None = None,
) -> Watched:
    """Watch a tile as the options say; several share a `cache`. `wake` brings a tile up to date
    that sleeps."""

    def begins(kernels: Sequence[str]) -> None:
        """End the run before, and begin that of these kernels."""
        if runs.is_wanted or races.is_wanted:
            wake()
        runs.on_launch(kernels)
        races.on_launch(kernels)
        if failing is not None:
            failing.on_launch(kernels)

    launches = Launches(machine, cache or cache_of(options), begins, core)
    if options.kernel_times:
        from tensix_gdb.gdbstub.host.simulator.runs.times import LaunchTimes

        runs.times = LaunchTimes(machine, launches.launched)
    programs = Programs(machine, options.elf)
    return Watched(machine, core, launches, programs, runs, capture, races, first_thread, failing)


def cache_of(options: SimulatorOptions) -> KernelCache:
    """Return the cache of kernels that the options name."""
    named = options.kernel_cache
    return KernelCache(default_cache() if named is None else Path(named))
