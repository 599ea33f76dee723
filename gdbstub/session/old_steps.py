# SPDX-License-Identifier: Apache-2.0
"""Steps that GDB has not forgotten: a SIGTRAP of such a thread would not stop GDB.

A command that lets threads go on makes GDB forget how they were stepped before. `run` is the
exception: with `schedule-multiple` it lets the other processes go on too, and GDB (13 to 17)
forgets nothing about their threads. When one of these then stops by SIGTRAP, as at an `ebreak`, GDB
takes that for the end of the old step and goes on by itself. Such a stop is told without a signal:
GDB says `stopped`, always, and forgets.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from tensix_gdb.gdbstub.target import Action, Signal, Stopped


class OldSteps:
    """What one client has stepped, and what it takes for stepping since its last `run`."""

    def __init__(self) -> None:
        self._stepped: set[int] = set()
        self._kept: set[int] = set()

    def resumed(self, actions: Mapping[int, Action]) -> None:
        """The client lets these go on."""
        self._stepped.update(thread for thread, action in actions.items() if action.steps)

    def program_started(self, threads: Collection[int]) -> None:
        """The client has started a program, whose threads are new to it."""
        self._stepped.difference_update(threads)
        self._kept = set(self._stepped)

    def as_told(self, stop: Stopped, actions: Mapping[int, Action]) -> Stopped:
        """The stop of a run with these actions so that the client stops too."""
        if stop.signal is Signal.TRAP and stop.exited is None:
            action = actions.get(stop.thread)
            steps = action is not None and action.steps
            explained = stop.breakpoint is not None or stop.watch is not None or stop.replaylog
            if steps or explained or stop.thread not in self._kept:
                # The client may go on by itself, after a condition that it evaluates for instance.
                return stop
            stop = replace(stop, signal=Signal.NONE)
        self._kept.clear()
        return stop
