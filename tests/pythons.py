# SPDX-License-Identifier: Apache-2.0
"""Every Python of this machine that the project supports: those on PATH, and those of pyenv."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

OLDEST, NEWEST = 11, 20  # minor versions of Python 3
ASK = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"


def pythons() -> dict[str, str]:
    """Version and program, one program for each version; only those that can make environments."""
    found: dict[str, str] = {}
    for program in _programs():
        try:
            done = subprocess.run([program, "-c", ASK], capture_output=True, text=True, timeout=60)
        except OSError:
            continue
        # pyenv's names stand for a version that is not installed, or not chosen.
        version = done.stdout.strip()
        if done.returncode == 0 and int(version.partition(".")[2]) >= OLDEST:
            found.setdefault(version, program)
    return dict(sorted(found.items()))


def _programs() -> Iterator[str]:
    for name in ("python3", *(f"python3.{minor}" for minor in range(OLDEST, NEWEST))):
        path = shutil.which(name)
        if path is not None:
            yield path
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from map(str, sorted(root.glob("versions/3.*/bin/python3")))
