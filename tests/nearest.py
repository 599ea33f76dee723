# SPDX-License-Identifier: Apache-2.0
"""`--fast`: the files of tests to run in two minutes for a change in hand.

A changed file is one that differs from where this branch left `origin/main`, or `main`, or that Git
does not know yet. First come the tests that have changed themselves, then those in the folder of
what has changed (core/tensix/x.py: tests/core/tensix), then those below it and in the one above,
then tests/layers, then all others; of each,
the cheapest first, up to SECONDS by tests/durations.txt. Git says nothing: tests/layers and the
cheapest.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from tests import durations

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 120.0  # of all workers together; the rest of two minutes goes to ruff and mypy
UNKNOWN = 1.0  # for a file that the table does not have


def changed() -> list[str]:
    """The files that have changed, by their paths in the checkout."""
    base = next(filter(None, (_git("merge-base", "HEAD", b) for b in ("origin/main", "main"))), "")
    found = _git("diff", "--name-only", base or "HEAD")
    new = _git("ls-files", "--others", "--exclude-standard")
    return [*found.split(), *new.split()]


def _git(*words: str) -> str:
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def distance(file: str, changes: Iterable[str]) -> int:
    """Return how far the tests in `file` are from the changes."""
    if file in changes:
        return 0
    folder = PurePosixPath(file).parent
    of_changes = {PurePosixPath(each).parent for each in changes if each.endswith(".py")}
    if any(folder in (each, "tests" / each) for each in of_changes):
        return 1
    near = {folder, *folder.parents}
    if any({each, "tests" / each} & near or folder == "tests" / each.parent for each in of_changes):
        return 2
    return 3 if file.startswith("tests/layers/") else 4


def nearest(all_files: Iterable[str], changes: Iterable[str], seconds: float = SECONDS) -> set[str]:
    """The files to run. What has changed itself runs, whatever it costs."""
    cost = durations.files()
    ranked = sorted((distance(file, changes), cost.get(file, UNKNOWN), file) for file in all_files)
    chosen: set[str] = set()
    for far, each, file in ranked:
        if far == 0 or each <= seconds:
            chosen.add(file)
            seconds -= each
    return chosen


def files() -> list[str]:
    """All files of tests, by their paths in the checkout."""
    found = (ROOT / "tests").rglob("test_*.py")
    return sorted(path.relative_to(ROOT).as_posix() for path in found)
