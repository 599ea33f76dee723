# SPDX-License-Identifier: Apache-2.0
"""The page of a run that has failed and is kept: `llk --share DIR` and `ttnn --share DIR`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

MOST_NAME = 120  # characters of the name of a file
NO_NAME = re.compile(r"[^\w.=-]+")


def share_run(title: str, run: Path, folder: Path) -> str:
    """Write the page of a run that is kept, a core file or a recording, to `folder`; return what
    there is to say. It is made in a process of its own: its states take memory."""
    page = folder / f"{name_of(title)}.html"
    words = [sys.executable, "-m", "tensix_gdb.gdbstub", "share", str(run), "-o", str(page)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        return f"{folder}: cannot be written: {problem.strerror}"
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip() or f"it has ended with status {done.returncode}"
        return f"{title}: no page: {said.splitlines()[-1]}"
    return f"{title}: {page}"


def name_of(title: str) -> str:
    """Return the name of a file for a test's id or a program, without what such a name has not."""
    return NO_NAME.sub("-", title.replace(".py::", "-")).strip("-")[:MOST_NAME]
