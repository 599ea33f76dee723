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

ROOT = Path(__file__).resolve().parents[2]
WARM_TIMES, COLD_TIMES = 7, 5


def listening(elf: Path, folder: Path, environment: Mapping[str, str]) -> float:
    """Seconds from the command until it says that it listens, for the sources in `folder`."""
    command = [sys.executable, "-m", "gdbstub", "serve", "--port", "0", "--elf", f"b={elf}"]
    start = time.perf_counter()
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, env={**os.environ, **environment}, text=True
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
    return statistics.median(listening(elf, ROOT, {}) for _ in range(WARM_TIMES))


def cold(elf: Path) -> float:
    """As after installation: neither machine code of the engine nor bytecode of the project."""
    times = []
    for _ in range(COLD_TIMES):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as fresh:
            for package in ("core", "gdbstub"):
                unused = shutil.ignore_patterns("__pycache__")
                shutil.copytree(ROOT / package, Path(fresh) / package, ignore=unused)
            times.append(listening(elf, Path(fresh), {"TENSIX_GDB_CACHE": f"{fresh}/objects"}))
    return statistics.median(times)
