# SPDX-License-Identifier: Apache-2.0
"""The script as a process: wait until it ends, or end it where nothing else does."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from math import inf
from pathlib import Path
from time import monotonic, sleep

from tensix_gdb.gdbstub.cli.terminal.keyboard import listening
from tensix_gdb.gdbstub.host.simulator.life import faults_of, has_reports
from tensix_gdb.gdbstub.host.ttnn.options import FAULTED
from tensix_gdb.gdbstub.signals import end_signal

LOOK_SECONDS = 0.5
REPORT_LOOK_SECONDS = 0.02
ENDING_SECONDS = 10  # after Ctrl-C; the driver takes five to close a device
REPORTING_SECONDS = 60  # of a simulator, after the end of its driver
STOPPED = f"exit status {FAULTED} (--ci), because the program has met this:"


class Script:
    """It shares the terminal; with a debugger in it, Ctrl-C is the debugger's (`is_apart`)."""

    def __init__(self, command: list[str], variables: dict[str, str], *, is_apart: bool) -> None:
        self._is_apart = is_apart
        self._process = subprocess.Popen(
            command,
            env=variables,
            stdin=subprocess.DEVNULL if is_apart else None,
            process_group=0 if is_apart else None,
        )

    def wait(self, until: Callable[[], object] = lambda: False) -> int:
        """Wait for its exit status, as a shell has it, or end it when `until` says so: when the
        simulator has noted that a tile has stopped at a fault, or waits for ever. If the simulator
        dies, the program ends by itself (host_end.c).

        The first Ctrl-C is its own affair, and so is a signal that asks for the end, which it gets.
        An exception could lose the status between the call that gets it and the line that keeps
        it, so signals are noted.
        """
        limit = inf
        with listening() as keyboard:
            while True:
                try:
                    status = self._process.wait(LOOK_SECONDS)
                    return status if status >= 0 else 128 - status
                except subprocess.TimeoutExpired:
                    now = monotonic()
                if keyboard.interrupted and limit == inf:
                    limit = now + ENDING_SECONDS
                    if end_signal.number or self._is_apart:
                        self._process.send_signal(end_signal.number or signal.SIGINT)
                if limit == inf and until():
                    return self._end()
                if now > limit:
                    return self._end(signal.SIGKILL)

    def _end(self, number: int = signal.SIGTERM) -> int:
        self._process.send_signal(number)
        try:
            self._process.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        return 1 if number == signal.SIGTERM else 128 + number


def say_faults(life: Path, status: int) -> int:
    """Say at which faults tiles have stopped, as the last lines; return the exit status, which is
    `status` if there was none."""
    faults = faults_of(life)
    if not faults:
        return status
    for text in (STOPPED, *faults):
        print(f"tensix-gdb: {text}", file=sys.stderr, flush=True)
    return FAULTED


def wait_for_reports(life: Path) -> None:
    """Wait until the simulator has written what it reports of the last run. Where it hangs, Ctrl-C
    ends the waiting."""
    limit = monotonic() + REPORTING_SECONDS
    with listening() as keyboard:
        while has_reports(life) and monotonic() < limit and not keyboard.interrupted:
            sleep(REPORT_LOOK_SECONDS)
