# SPDX-License-Identifier: Apache-2.0
"""A warm process for tests, and commands that are handed to it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tensix_gdb.gdbstub.warm.client import VARIABLE

TENSIX_GDB = (sys.executable, "-m", "tensix_gdb.gdbstub")
# Of a command, to say on standard error what it loads.
TOLD = (sys.executable, "-X", "importtime", "-m", "tensix_gdb.gdbstub")


@contextmanager
def warm(*command: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A warm process, and its socket."""
    pipe = subprocess.PIPE
    words = [*(command or TENSIX_GDB), "vscode", "--warm"]
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.stdin.close()


def handed(socket: str) -> dict[str, str]:
    """The environment of a command that is handed over."""
    return {**os.environ, VARIABLE: socket}


def is_done_here(environment: dict[str, str], folder: Path) -> bool:
    """True if a command is done by the process that was started for it."""
    done = subprocess.run(
        [*TOLD, "disasm", "0x02000000"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout
    return "gdbstub.cli.main" in done.stderr
