# SPDX-License-Identifier: Apache-2.0
"""The version of an SFPI, by its own word."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.kernels.sfpi.find import COMPILER, Place, find_sfpi

# The first line of `g++ --version`: `... (tenstorrent/sfpi:7.87.0[1023]) 15.1.0`.
RELEASE, GCC = re.compile(r"sfpi:([\w.+-]+)"), re.compile(r"\b(\d+(?:\.\d+)+)\s*$")
ASK_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Version:
    """The release and its GCC; "" for what the compiler does not say."""

    release: str
    gcc: str

    def __str__(self) -> str:
        release = self.release or "of a version that it does not say"
        return f"{release}, GCC {self.gcc}" if self.gcc else release


def running_sfpi(given: str | None = None) -> Place | None:
    """Find the SFPI that is used, if it runs here; `tensix-gdb sfpi` ends with 0 for it."""
    found = find_sfpi(given)
    return None if found is None or version_of(found.folder) is None else found


def version_of(folder: Path) -> Version | None:
    """Ask the compiler in a folder of SFPI; None if it does not run here."""
    compiler = folder / COMPILER
    try:
        return _version(compiler, compiler.stat().st_mtime_ns)
    except OSError:
        return None


@cache
def _version(compiler: Path, changed: int) -> Version | None:
    """Ask a compiler, once as long as its file is the same."""
    command = [str(compiler), "--version"]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=ASK_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    first = done.stdout.partition("\n")[0]
    release, gcc = RELEASE.search(first), GCC.search(first)
    return Version(release[1] if release else "", gcc[1] if gcc else "")
