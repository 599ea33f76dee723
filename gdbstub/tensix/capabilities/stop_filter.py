# SPDX-License-Identifier: Apache-2.0
"""Decide about the stops in a slice: which are for the client, and after which the tile
continues."""

from __future__ import annotations

from collections.abc import Callable

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.run import OnStop
from tensix_gdb.core.stop import Stop, StopKind
from tensix_gdb.gdbstub.tensix.capabilities.breakpoints import HartBreakpoints

STOPS_IN_A_SLICE = 16  # conditions or commands of breakpoints, and calls, that are dealt with


class StopFilter:
    """Decides about the stops of one slice. `ask_client` begins a semihosting call that a client
    answers, and gives its first request, empty when there is none; None where no client does.
    `passes` is True for the end of a program that is no stop. `request` has that request at the
    end."""

    def __init__(
        self,
        machine: Machine,
        breakpoints: HartBreakpoints,
        ask_client: Callable[[], str] | None,
        should_stop: Callable[[], object] | None,
        passes: Callable[[Stop], bool],
    ) -> None:
        self._machine, self._breakpoints = machine, breakpoints
        self._ask_client, self._should_stop = ask_client, should_stop
        self._passes = passes
        self._left = STOPS_IN_A_SLICE
        self.request = ""

    def __call__(self, stop: Stop) -> OnStop:
        """Decide about a stop."""
        if stop.kind is StopKind.CALL and self._ask_client is not None:
            self.request = self._ask_client()
            if self.request:
                return OnStop.END
        elif self._passes(stop):
            return OnStop.YIELD  # so that the client is told
        elif not self._breakpoints.run_attached(stop):
            return OnStop.END
        else:
            if stop.thread is None:
                self._machine.resume_from(stop.hart)
            if self._breakpoints.budget.was_large:
                return OnStop.YIELD
            if self._should_stop is not None and self._should_stop():
                return OnStop.YIELD
        self._left -= 1
        return OnStop.RESUME if self._left else OnStop.YIELD
