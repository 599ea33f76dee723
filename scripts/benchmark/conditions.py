# SPDX-License-Identifier: Apache-2.0
"""The rate of hits of a breakpoint with a false condition, in hits a second: in the stub, and with
GDB evaluating, which is told of each."""

from __future__ import annotations

import re
import subprocess
import time
from pathlib import Path

from tests.gdb.harness import serve

SECONDS = 2.0
GDB = "gdb-multiarch"
# `beats` counts the calls of the function that has the breakpoint.
CONDITION = "beats == 0xffffffff"
_BEATS = re.compile(r"^\$\d+ = (\d+)", re.MULTILINE)


def hits_per_second(elf: Path, evaluates: str) -> float:
    """Hits in a second of `tests/programs/spin.c`; `evaluates` is target or host."""
    script = (
        "import gdb, os, signal, threading",
        f"threading.Timer({SECONDS}, os.kill, (os.getpid(), signal.SIGINT)).start()",
        "gdb.execute('continue')",
    )
    with serve({"B": elf}, "--engine", "compiled") as server:
        commands = (
            *("set osabi none", f"target remote 127.0.0.1:{server.port}", "tbreak main"),
            *("continue", f"set breakpoint condition-evaluation {evaluates}"),
            *(f"break beat if {CONDITION}", f"python exec({chr(10).join(script)!r})"),
            *("print beats", "kill"),
        )
        arguments = [part for command in commands for part in ("-ex", command)]
        start = time.perf_counter()
        done = subprocess.run(
            [GDB, "-nx", "-nh", "-batch", str(elf), *arguments],
            capture_output=True,
            text=True,
            timeout=60,
        )
        taken = time.perf_counter() - start
    found = _BEATS.search(done.stdout)
    if found is None or taken < SECONDS:
        raise RuntimeError(f"GDB said\n{done.stdout}{done.stderr}")
    return int(found[1]) / SECONDS
