# SPDX-License-Identifier: Apache-2.0
"""`--semihosting`: what answers a program's calls, from the command line's options."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable
from pathlib import Path

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.semihosting.calls import Calls
from tensix_gdb.core.semihosting.console import OUT, Console
from tensix_gdb.gdbstub.cli.options.host import HostOptions
from tensix_gdb.gdbstub.usage import GDB, UsageError

LOOK_SECONDS = 0.1  # between two looks whether Ctrl-C was pressed


class Terminal:
    """The console of `run`: standard output, standard error, standard input."""

    def __init__(self) -> None:
        self.interrupted: Callable[[], bool] = lambda: False

    def write(self, stream: int, data: bytes) -> None:
        # After what was printed as text, and at once: the run may take long.
        text = sys.stdout if stream == OUT else sys.stderr
        text.flush()
        text.buffer.write(data)
        text.buffer.flush()

    def line(self, text: str) -> None:
        """Show text of our own."""
        self.write(OUT, text.encode("utf-8"))

    def read(self, count: int) -> bytes | None:
        while not self.interrupted():
            if select.select([sys.stdin], [], [], LOOK_SECONDS)[0]:
                return os.read(sys.stdin.fileno(), count)
        return None


def serve_calls(machine: Machine, options: HostOptions, console: Console) -> Calls | None:
    """Answer the calls of a machine if the options want it; UsageError for a wrong directory."""
    given = options.semihosting_dir
    if options.semihosting is None:
        if given is not None or options.semihosting_arg:
            raise UsageError("--semihosting-dir and --semihosting-arg need --semihosting: add it")
        return None
    if options.semihosting == GDB and given is not None:
        raise UsageError("with --semihosting gdb files are on GDB's side: leave out the directory")
    try:
        calls = Calls(console, None if given is None else Path(given), options.semihosting_arg)
    except OSError as problem:
        raise UsageError(f"--semihosting-dir {given}: {problem.strerror}") from None
    machine.serve_calls(calls)
    return calls
