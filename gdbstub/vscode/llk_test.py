# SPDX-License-Identifier: Apache-2.0
"""The plan of a debug session for one of Tenstorrent's LLK tests.

The suite's host waits for a kernel with a clock of its own, so no debugger could stop one while it
runs. `tensix-gdb llk --keep` runs the test first, which passes or fails as ever, and keeps what its
kernel begins with: the session, `diagnose` and `run --races` begin there, as often as one likes.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

from tensix_gdb.gdbstub.kernels.user_cache import cache
from tensix_gdb.gdbstub.usage import UsageError

IMPORTS = re.compile(r"^\s*(?:from|import)\s+helpers\b", re.MULTILINE)
TESTS = Path("tests", "python_tests")  # in tt-llk


def is_llk_test(path: Path, text: str) -> bool:
    """True if a Python file is one of the suite's."""
    return path.name.startswith("test_") and IMPORTS.search(text) is not None


def llk_words(path: Path, test: str) -> dict[str, Any]:
    """Return what to run first, and what `serve`, `run` and `diagnose` begin with: the first kernel
    of a file's first variant, or of a test's. UsageError outside of a tt-llk."""
    root = next((each for each in path.parents if (each / TESTS).is_dir()), None)
    if root is None:
        raise UsageError(f"{path}: this LLK test is in no tt-llk, which has {TESTS}")
    name = f"{path.name}::{test}" if test else path.name
    kept = cache() / "vscode" / hashlib.sha256(f"{path}::{test}".encode()).hexdigest()[:16]
    core = str(kept / path.name / "run-1.core")
    return {
        "build": ["llk", "--llk", str(root), "--variants", "1", "--keep", str(kept), name],
        "serve": ["--core", core],
        "run": ["--from", core],
        "diagnose": ["--kept", core],
        "root": str(root),
    }
