# SPDX-License-Identifier: Apache-2.0
"""Failing runs, kept without being asked: `tensix-gdb replay` with nothing more opens the last one.

They are in the user's cache: of `run` and of several tiles recordings, the last one of each set of
programs, of MOST_RUNS sets; of a tile that a host drives a core file of the beginning and what its
host did (tensix/corefile/kept_run.py), of MOST_RUNS programs with ttnn and of LLK each.
`TENSIX_GDB_RUNS` names another folder, and if it is empty nothing is kept. A cache that cannot be
written is no reason to fail: the run has ended, and its end was said.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.recording.file import write_recording
from tensix_gdb.gdbstub.kernels.user_cache import cache
from tensix_gdb.gdbstub.tensix.output.recording import own_version
from tensix_gdb.gdbstub.tensix.tiles.expected import keep_expected
from tensix_gdb.gdbstub.usage import UsageError

FOLDER, ENDING = "TENSIX_GDB_RUNS", ".rec"
OF_HOSTS = ("ttnn", "llk")  # folders with core files
CORE_ENDING = ".core"
MOST_RUNS, MOST_BYTES = 8, 16 << 20  # of one recording
OPENS = "kept: `tensix-gdb replay` opens this run, also backwards"
_log = logging.getLogger(__name__)
# Keeps a run, given its last line; returns what there is to say.
Keep = Callable[[str], list[str]]


def runs_folder() -> Path | None:
    """Return where failing runs are kept; None if they are not."""
    named = os.environ.get(FOLDER)
    if named is None:
        return cache() / "runs"
    return Path(named) if named else None


def last_kept() -> str:
    """Return the file of the last failing run. UsageError if there is none."""
    folder = runs_folder()
    kept = []
    if folder is not None:
        cores = (folder / each for each in OF_HOSTS)
        kept = _by_age(folder, *cores)
    if not kept:
        where = f"{folder} has none" if folder is not None else f"{FOLDER} is empty"
        raise UsageError(f"no failing run was kept: {where}; name a recording")
    return str(kept[-1])


@contextlib.contextmanager
def keeping(machine: Machine, *, is_wanted: bool, expected: Sequence[str] = ()) -> Iterator[Keep]:
    """Record from now on, and give what keeps the run, with the arrays of `--expect`. Without being
    wanted, or beside another recorder, it keeps nothing."""
    folder = runs_folder()
    if not is_wanted or folder is None or machine.runner.recorder is not None:
        yield lambda ending: []
        return
    recorder = machine.start_recording()

    def keep(ending: str) -> list[str]:
        path = folder / f"{_name(machine)}{ENDING}"
        new = path.with_suffix(f".{os.getpid()}")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with new.open("wb") as out:
                write_recording(out, recorder, machine, own_version(), ending)
            keep_expected(new, expected)
            if new.stat().st_size > MOST_BYTES:
                return []
            new.replace(path)
            _forget(_by_age(folder)[:-MOST_RUNS])
        except OSError as problem:
            _log.info("%s: the run is not kept: %s", folder, problem.strerror)
            return []
        finally:
            _forget([new])
        return [OPENS]

    try:
        yield keep
    finally:
        machine.runner.recorder = None


def keep_recording(file: Path, name: str) -> Path | None:
    """Copy a recording to where `replay` finds it, unless it is too large. OSError if it cannot be
    written."""
    folder = runs_folder()
    if folder is None or file.stat().st_size > MOST_BYTES:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}{ENDING}"
    new = path.with_suffix(f".{os.getpid()}")
    try:
        shutil.copyfile(file, new)
        new.replace(path)
    finally:
        _forget([new])
    _forget(_by_age(folder)[:-MOST_RUNS])
    return path


def _name(machine: Machine) -> str:
    """Return the same name for the same programs."""
    programs = sorted(f"{image.hart} {image.path.resolve()}" for image in machine.images)
    return hashlib.sha256("\n".join(programs).encode()).hexdigest()[:16]


def _by_age(folder: Path, *cores: Path) -> list[Path]:
    """Return the recordings of a folder, and core files of others, the oldest first; those of other
    processes may vanish."""
    found = []
    for where, ending in ((folder, ENDING), *((each, CORE_ENDING) for each in cores)):
        with contextlib.suppress(OSError):
            for path in where.glob(f"*{ending}"):
                with contextlib.suppress(OSError):
                    found.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(found)]


def _forget(paths: Sequence[Path]) -> None:
    for path in paths:
        with contextlib.suppress(OSError):
            path.unlink()
