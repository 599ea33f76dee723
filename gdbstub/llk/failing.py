# SPDX-License-Identifier: Apache-2.0
"""Tests that have failed: the run of each is kept, and the command is named that says why.

The simulator keeps what each run begins with, the suite's plugin (inside.py) the array that a test
wanted. Of a test that failed they go to the user's cache, a few of them; the others are forgotten.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

from tensix_gdb.gdbstub.cli.kept import MOST_RUNS, runs_folder
from tensix_gdb.gdbstub.llk.running import Outcome

MOST_CYCLES = 10_000_000  # of a run that the suite has not seen the end of
TIMED_OUT = re.compile(r"Timeout reached|TENSIX TIMED OUT|pytest_timeout")


def keep_failed(outcomes: list[Outcome], kept: Path) -> Iterator[tuple[Outcome, Path]]:
    """Keep the last run of tests that have failed; yield each with its core file."""
    folder = runs_folder()
    if folder is None:
        return
    for one in outcomes:
        if one.outcome != "failed" or not one.numbers:
            continue
        core = kept / f"run-{one.numbers[-1]}.core"
        with contextlib.suppress(OSError):
            yield one, _kept(one, core, folder / "llk")


def why_of(core: Path) -> str:
    """Return the command that says why a run that is kept has failed."""
    run = json.loads(core.with_suffix(".json").read_text(encoding="ascii"))
    words = ["tensix-gdb", "diagnose", "--kept", str(core)]
    if not run["ended"]:
        words += ["--max-cycles", str(MOST_CYCLES)]
    elif run.get("expected"):
        words += ["--expect", *run["expected"]]
    return shlex.join(words)


def _kept(one: Outcome, core: Path, folder: Path) -> Path:
    """Copy the files of a run; return its core file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{hashlib.sha256(one.test.encode()).hexdigest()[:16]}.core"
    run = json.loads(core.with_suffix(".json").read_text(encoding="ascii"))
    run["ended"] = not TIMED_OUT.search(one.reason)
    if run["ended"] and one.wanted:
        array = path.with_suffix(".npy")
        shutil.copyfile(one.wanted["path"], array)
        run["expected"] = [f"{one.wanted['addr']:#x}={array}:{one.wanted['format']}"]
    path.with_suffix(".json").write_text(json.dumps(run), encoding="ascii")
    shutil.copyfile(core, path)
    _forget(folder)
    return path


def _forget(folder: Path) -> None:
    """Leave the youngest runs."""
    cores = sorted(folder.glob("*.core"), key=lambda path: path.stat().st_mtime_ns)
    for core in cores[:-MOST_RUNS]:
        for path in folder.glob(f"{core.stem}.*"):
            path.unlink()
