# SPDX-License-Identifier: Apache-2.0
"""How long it takes from the command until the server listens."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

TENSIX_GDB = Path(sys.executable).parent / "tensix-gdb"
WARM_TIMES, COLD_TIMES = 7, 3


def listening(elf: Path, environment: Mapping[str, str]) -> float:
    """Seconds from the command until it says that it listens."""
    command = [str(TENSIX_GDB), "serve", "--port", "0", "--elf", f"b={elf}"]
    start = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, env={**os.environ, **environment}, text=True
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        seconds = time.perf_counter() - start
        process.terminate()
    if "listening" not in line:
        raise RuntimeError(f"the server said {line!r} instead of where it listens")
    return seconds


def warm(elf: Path) -> float:
    """Once everything was compiled: the median of several starts."""
    return statistics.median(listening(elf, {}) for _ in range(WARM_TIMES))


def cold(elf: Path) -> float:
    """Without compiled code of the engine and without Python's bytecode."""
    times = []
    for _ in range(COLD_TIMES):
        empty = tempfile.mkdtemp(prefix="tensix-gdb-cold-")
        environment = {"TENSIX_GDB_CACHE": f"{empty}/objects", "PYTHONPYCACHEPREFIX": empty}
        times.append(listening(elf, environment))
        shutil.rmtree(empty, ignore_errors=True)
    return statistics.median(times)
