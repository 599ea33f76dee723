# SPDX-License-Identifier: Apache-2.0
"""Stale step state in GDB: stops that must not be SIGTRAP, because GDB would resume by itself.

A command that resumes threads makes GDB (13 to 17) forget how it stepped them before. `run` is the
exception: with `schedule-multiple` it resumes the other processes too, and keeps the step state of
their threads. A SIGTRAP of such a thread, as at an `ebreak`, is to GDB the end of the old step, and
it resumes. A stop without a signal always stops GDB, which prints `stopped`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from tensix_gdb.gdbstub.protocol.target import Action, Signal, Stopped


class OldSteps:
    """The threads that one client has stepped, and those it still takes for stepping."""

    def __init__(self) -> None:
        self._stepped: set[int] = set()
        self._kept: set[int] = set()

    def resumed(self, actions: Mapping[int, Action]) -> None:
        """Note the threads that the client steps."""
        self._stepped.update(thread for thread, action in actions.items() if action.steps)

    def program_started(self, threads: Collection[int]) -> None:
        """Note that the client has run a program. To GDB its threads are new."""
        self._stepped.difference_update(threads)
        self._kept = set(self._stepped)

    def as_told(self, stop: Stopped, actions: Mapping[int, Action]) -> Stopped:
        """Take the signal from a stop that GDB would resume from; `actions` are the run's."""
        if stop.signal is Signal.TRAP and stop.exited is None:
            action = actions.get(stop.thread)
            steps = action is not None and action.steps
            explained = stop.breakpoint is not None or stop.watch is not None or stop.replaylog
            if steps or explained or stop.thread not in self._kept:
                # GDB may resume by itself, after a false condition for instance: it stays stale.
                return stop
            stop = replace(stop, signal=Signal.NONE)
        self._kept.clear()
        return stop
