# SPDX-License-Identifier: Apache-2.0
"""Wheels from the package registry that pip is configured for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tensix_gdb.gdbstub.usage import UsageError


def download(requirement: str, file: str, platform: str, into: Path, *more: str) -> Path:
    """Get a wheel with pip, alone, into a folder; `more` are options of `pip download`. UsageError
    if the file does not come."""
    # It says nothing of its own version, and asks for no password: nothing would show the question.
    command = [sys.executable, "-m", "pip", "--no-input", "--disable-pip-version-check"]
    command += ["download", "--quiet", "--no-deps", requirement]
    command += ["--only-binary=:all:", "--platform", platform, *more, "--dest", str(into)]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode or not (into / file).exists():
        last = (done.stderr.strip().splitlines() or ["no file came"])[-1]
        raise UsageError(f"pip cannot download {requirement}: {last}")
    return into / file
