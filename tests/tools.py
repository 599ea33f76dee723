# SPDX-License-Identifier: Apache-2.0
"""Programs of others that tests run: found here, or said to be missing.

A tool that is missing means that the tests of it are skipped, with a sentence; with CI in the
environment it means that they fail. Each has its row in scripts/tools, so that scripts/test can
install it: a test that asks for one without a row fails everywhere, not only in CI.

TENSIX_TEST_GDB in the environment names a GDB to use instead of Debian's, SFPI's for example. Tests
and the commands that they run find it under every name that tensix-gdb looks for.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.attach.find_gdb import SURE

_TABLE = Path(__file__).resolve().parents[1] / "scripts" / "tools"
_ROWS = [row.split() for row in _TABLE.read_text(encoding="utf-8").splitlines()]
PACKAGES = {row[0]: row[1] for row in _ROWS if row and row[0] != "#"}


@cache
def prefer_chosen_gdb() -> tempfile.TemporaryDirectory[str] | None:
    """Put TENSIX_TEST_GDB first on PATH, until the process ends."""
    chosen = os.environ.get("TENSIX_TEST_GDB")
    if not chosen:
        return None
    path = shutil.which(chosen)
    if path is None:
        raise pytest.UsageError(f"TENSIX_TEST_GDB={chosen}: there is no such program")
    folder = tempfile.TemporaryDirectory(prefix="chosen-gdb-")
    for name in SURE:
        (Path(folder.name) / name).symlink_to(Path(path).resolve())
    os.environ["PATH"] = os.pathsep.join([folder.name, os.environ.get("PATH", os.defpath)])
    return folder


def unavailable(sentence: str) -> None:
    """Say why a test cannot run here: skips it, or fails it in CI."""
    if os.environ.get("CI"):
        pytest.fail(sentence, pytrace=False)
    pytest.skip(sentence)


def find_tool(name: str) -> str:
    """The path of an outside command, by its name; or of a file by its path."""
    prefer_chosen_gdb()
    if name not in PACKAGES:
        pytest.fail(f"{name} has no row in scripts/tools")
    path = name if Path(name).is_file() else shutil.which(name)
    if path is None:
        unavailable(f"{name} is missing: run 'apt-get install {PACKAGES[name]}' as root")
    return str(path)
