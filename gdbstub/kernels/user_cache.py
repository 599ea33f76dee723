# SPDX-License-Identifier: Apache-2.0
"""The files that are made once and kept in the user's cache."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tensix_gdb.gdbstub.usage import UsageError


def cache() -> Path:
    """Return the folder of this program in the user's cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tensix-gdb"


@contextmanager
def turn(path: Path) -> Iterator[None]:
    """Let one process at a time make `path`, so that the others find it made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(path.name + ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def made_at_once(
    folder: Path, is_good: Callable[[Path], bool] = Path.exists
) -> Iterator[Path | None]:
    """Give the place for a folder that is there with all its contents, or not at all; None if it
    is there already. Other processes wait. One that is there and not good is replaced when the new
    one is made."""
    with turn(folder):
        if is_good(folder):
            yield None
            return
        new = folder.with_name(folder.name + ".new")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir()
        try:
            yield new
            if folder.exists():
                shutil.rmtree(folder)
            new.rename(folder)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise


@contextmanager
def said_if_unwritable() -> Iterator[None]:
    """Turn the system's refusal to write into the cache into a sentence."""
    try:
        yield
    except OSError as problem:
        raise UsageError(
            f"the cache in {cache()} cannot be written: {problem.strerror}; "
            "name another folder in XDG_CACHE_HOME"
        ) from None
