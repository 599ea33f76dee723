# SPDX-License-Identifier: Apache-2.0
"""LLDB's console: commands in, what it says to each out."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.gdb.harness import serve
from tests.patience import HANG

_ECHO = re.compile(r"^\(lldb\) .*\n?", re.MULTILINE)


def lldb(
    tool: str, elfs: Mapping[str, Path], commands: Sequence[str], schedule: str = "latency"
) -> list[str]:
    """Return what LLDB says to each command, attached to a tile with these programs."""
    with serve(elfs, "--schedule", schedule) as server:
        lines = [
            # A command that resumes is over when the process has stopped.
            "script lldb.debugger.SetAsync(False)",
            "settings set auto-confirm true",
            f"target create {next(iter(elfs.values()))}",
            f"gdb-remote 127.0.0.1:{server.port}",
            *commands,
            "process detach",
            "quit",
        ]
        # Read from its input, it continues behind an error.
        done = subprocess.run(
            [tool, "--no-lldbinit"],
            input="\n".join(lines) + "\n",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=HANG,
        )
    # Each command is shown behind its prompt.
    pieces = _ECHO.split(done.stdout)
    assert len(pieces) == len(lines) + 1, done.stdout
    return [piece.strip() for piece in pieces[5:-2]]
