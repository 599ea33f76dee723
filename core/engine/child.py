# SPDX-License-Identifier: Apache-2.0
"""Processes of our own that do a part of the work: this Python, with the modules of this one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import IO, Any

_NOTHING: Mapping[str, str] = {}


def start(
    module: str,
    arguments: Sequence[str] = (),
    environment: Mapping[str, str] = _NOTHING,
    **options: Any,
) -> subprocess.Popen[bytes]:
    """Start `python -m module`, which reads and writes by pipes. OSError if that cannot be done."""
    path = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)
    # -O where this process has it, which leaves out parts of functions: the code of both has to be
    # the same. -P: the working directory is not where our modules come from. No descriptors are
    # inherited but those in `options`, so a child never keeps a port open.
    flags = ["-O"] * sys.flags.optimize + ["-P"]
    return subprocess.Popen(
        [sys.executable, *flags, "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path, **environment},
        start_new_session=True,  # Ctrl-C in the terminal is for the debugger
        **options,
    )


def nameless_file() -> IO[bytes]:
    """Return a file that a child can be given; in memory where the system can, so that no disk has
    to have room for it."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("tensix-gdb"), "w+b")
    import tempfile

    return tempfile.TemporaryFile()
