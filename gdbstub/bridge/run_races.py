# SPDX-License-Identifier: Apache-2.0
"""What nothing orders in each run of a kernel: `bridge --races`.

A run begins and ends as for `--runs`; each launch of tt-metal's kernels is one. It is observed from
the end of the one before, because T cores have run some cycles when their release is noticed. What
B and the host do until then is observed with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.bridge.run_log import T_CORES
from tensix_gdb.gdbstub.tensix.races.output import RaceOptions


class RunRaces:
    """Reports the races of each run; without options it does nothing."""

    def __init__(self, machine: Machine, options: RaceOptions | None) -> None:
        self._machine, self._options = machine, options
        self._number = 0
        self._running = False
        self._kernels: list[str] = []
        if options is not None:
            options.observe(machine)

    def on_reset_change(self, before: int, now: int) -> None:
        """Begin or end a run; call when SOFT_RESET_0 has changed."""
        if not self._running and now & T_CORES != T_CORES:
            self._running = True
        elif self._running and now & T_CORES == T_CORES:
            self.end()

    def on_launch(self, kernels: Sequence[str]) -> None:
        """End the run before, and begin that of these kernels."""
        self.end()
        self._running, self._kernels = True, list(dict.fromkeys(kernels))

    def end(self) -> None:
        """End the current run, if there is one: say what was found, and begin anew."""
        if self._options is None or not self._running:
            return
        self._running = False
        self._number += 1
        lines, _ = self._options.report(self._machine, self._number)
        names = f" ({', '.join(self._kernels)})" if self._kernels else ""
        print("\n".join([f"tensix-gdb: races of run {self._number}{names}", *lines]), flush=True)
        self._options.observe(self._machine)
