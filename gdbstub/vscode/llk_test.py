# SPDX-License-Identifier: Apache-2.0
"""The plan of a debug session for one of Tenstorrent's LLK tests.

The suite's host waits for a kernel with a clock of its own, so no debugger could stop one while it
runs. `tensix-gdb llk --keep` runs the test first, which passes or fails as ever, and keeps what its
kernel begins with: the session, `diagnose` and `run --races` begin there, as often as one likes. It
runs again when a file of the suite, or of this package, has changed.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import Any

from tensix_gdb.gdbstub.kernels.user_cache import cache
from tensix_gdb.gdbstub.usage import UsageError

IMPORTS = re.compile(r"^\s*(?:from|import)\s+helpers\b", re.MULTILINE)
FUNCTION = re.compile(r"^def (\w+)", re.MULTILINE)
TESTS = Path("tests", "python_tests")  # in tt-llk
PACKAGE = Path(__file__).resolve().parents[2]
WRITTEN = ("__pycache__", "build", "node_modules")
SOURCES = Path("tests", "sources")  # there, the kernels of the tests


def is_llk_test(path: Path, text: str) -> bool:
    """True if a Python file is one of the suite's."""
    return path.name.startswith("test_") and IMPORTS.search(text) is not None


def test_of(kernel: Path) -> Path | None:
    """Return the test that compiles a kernel of the suite, as FILE.py or FILE.py::TEST: the one of
    the same name, or the first. None for a kernel that is not the suite's. UsageError if no test
    compiles it: its parameters are in a header that the test writes."""
    root = next((each for each in kernel.parents if kernel.is_relative_to(each / SOURCES)), None)
    if root is None or not (root / TESTS).is_dir():
        return None
    named = f'"{kernel.relative_to(root / "tests").as_posix()}"'
    own = f"test_{kernel.stem.removesuffix('_test')}.py"
    files = sorted((root / TESTS).glob("test_*.py"), key=lambda file: (file.name != own, file.name))
    for file in files:
        before, found, _ = file.read_text("utf-8", "replace").partition(named)
        if found:
            function = [*FUNCTION.finditer(before)][-1:]
            test = function[0][1] if function and function[0][1].startswith("test_") else ""
            return file.with_name(f"{file.name}::{test}") if test else file
    raise UsageError(f"{kernel}: no test of {root / TESTS} compiles this kernel")


def llk_words(path: Path, test: str) -> dict[str, Any]:
    """Return what to run first, and what `serve`, `run` and `diagnose` begin with: the first kernel
    of a file's first variant, or of a test's. UsageError outside of a tt-llk."""
    root = next((each for each in path.parents if (each / TESTS).is_dir()), None)
    if root is None:
        raise UsageError(f"{path}: this LLK test is in no tt-llk, which has {TESTS}")
    name = f"{path.name}::{test}" if test else path.name
    kept = cache() / "vscode" / hashlib.sha256(f"{path}::{test}".encode()).hexdigest()[:16]
    core = str(kept / path.name / "run-1.core")
    build = ["llk", "--llk", str(root), "--variants", "1", "--keep", str(kept), name]
    return {
        "build": [] if _is_current(Path(core), root, PACKAGE) else build,
        "serve": ["--core", core],
        "run": ["--from", core],
        "diagnose": ["--kept", core],
        "root": str(root),
    }


def _is_current(kept: Path, *roots: Path) -> bool:
    """True if a kept run is newer than every file of some folders: the test would run as it did."""
    try:
        made = kept.stat().st_mtime_ns
    except OSError:
        return False
    for root in roots:
        for folder, folders, names in os.walk(root):
            folders[:] = [each for each in folders if each not in WRITTEN and each[0] != "."]
            for name in names:
                if os.lstat(os.path.join(folder, name)).st_mtime_ns > made:
                    return False
    return True
