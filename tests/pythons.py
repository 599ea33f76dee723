# SPDX-License-Identifier: Apache-2.0
"""Every Python of this machine that the project supports: those on PATH, and those of pyenv.

pyenv puts shims on PATH, programs that look for its folder below HOME, and find nothing in a home
that is empty. What they stand for is beside them: .../shims/python3.12, .../versions/3.12.*/bin.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.patience import HANG

OLDEST, NEWEST = 11, 20  # minor versions of Python 3
ASK = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"


def pythons(oldest: int = OLDEST) -> dict[str, str]:
    """Version and program, one for each version from 3.`oldest` on that can make environments."""
    found: dict[str, str] = {}
    for program in _programs():
        try:
            done = subprocess.run(
                [program, "-c", ASK], capture_output=True, text=True, timeout=HANG
            )
        except OSError:
            continue
        # pyenv's names stand for a version that is not installed, or not chosen.
        version = done.stdout.strip()
        if done.returncode == 0 and int(version.partition(".")[2]) >= oldest:
            found.setdefault(version, program)
    return dict(sorted(found.items()))


def _programs() -> Iterator[str]:
    beside: list[Path] = []
    for name in ("python3", *(f"python3.{minor}" for minor in range(OLDEST - 1, NEWEST))):
        for folder in os.get_exec_path():
            path = Path(folder, name)
            if not os.access(path, os.X_OK) or path.is_dir():
                continue
            yield str(path)
            if path.parent.name == "shims":
                beside.append(path.parents[1])
    beside.append(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")))
    for root in dict.fromkeys(beside):
        yield from map(str, sorted(root.glob("versions/3.*/bin/python3")))
