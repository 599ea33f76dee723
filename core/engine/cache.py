# SPDX-License-Identifier: Apache-2.0
"""Files in the user's cache directory: machine code, and what it was made from.

The engine loads machine code from here, so the directory must belong to the user alone: it is made
with mode 0700 and refused when it belongs to another user or another user can write to it. A file
is written under another name and renamed, and carries a digest of its content: a reader sees a
whole file or none, and a damaged one counts as none. Beyond MAX_FILES the least recently used go.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import hashlib
import logging
import os
import stat
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

VARIABLE = "TENSIX_GDB_CACHE"
MAX_FILES = {".object": 256, ".index": 256, ".translation": 256, ".lock": 64}
ABANDONED = 3600.0  # seconds after which no process needs a half-written file or a lock
_MAGIC = b"tensix-gdb cache 1 "

_log = logging.getLogger(__name__)


class CacheError(Exception):
    """The directory cannot be used; the message says why."""


def wanted_directory() -> Path:
    """Return where objects are kept: TENSIX_GDB_CACHE, XDG_CACHE_HOME/…, or ~/.cache/…."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME", "")
    home = Path(base) if os.path.isabs(base) else Path(os.path.expanduser("~")) / ".cache"
    return home / "tensix-gdb" / "objects"


def open_cache() -> Cache:
    """Open the user's cache; one for this process only where that cannot be used."""
    directory = wanted_directory()
    try:
        return Cache(directory)
    except CacheError as problem:
        private = _private_directory(str(problem))
        return Nowhere(directory) if private is None else Cache(private, is_kept=False)


@cache
def _private_directory(problem: str) -> Path | None:
    _log.warning(
        "%s; compiled code is kept for this run only. Set %s to a directory of your own",
        problem,
        VARIABLE,
    )
    import shutil
    import tempfile

    try:
        directory = tempfile.mkdtemp(prefix="tensix-gdb-")
    except OSError:
        return None
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return Path(directory)


@cache
def say_unkept(directory: Path, reason: str) -> None:
    """Say once that compiled code cannot be written, so that the next start compiles it again."""
    _log.warning(
        "%s cannot be written: %s; compiled code is kept for this run only. Make room there, or set"
        " %s to another directory",
        directory,
        reason,
        VARIABLE,
    )


class Cache:
    """One directory of files named KEY.KIND; `is_kept` after the end of this process."""

    def __init__(self, directory: Path, *, is_kept: bool = True) -> None:
        self.directory = _checked(directory.absolute())
        self.is_kept = is_kept
        self.unkept = ""  # why a file could not be written, as soon as one could not

    def read(self, key: str, kind: str) -> bytes | None:
        """Return the content of a file; None if there is none that is whole."""
        path = self.directory / (key + kind)
        try:
            with path.open("rb") as file:
                if os.fstat(file.fileno()).st_uid != os.geteuid():
                    return None
                magic, _, content = file.read().partition(b"\n")
        except OSError:
            return None
        if magic != _MAGIC + _digest(content):
            _log.info("%s is damaged and will be made again", path)
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return content

    def write(self, key: str, kind: str, content: bytes) -> None:
        """Write a file. A full disk is no error: the file will be missing next time, and `unkept`
        says why."""
        name = ""
        try:
            import tempfile  # it imports a good deal, and a warm start only reads

            handle, name = tempfile.mkstemp(prefix=key[:16], suffix=".tmp", dir=self.directory)
            with os.fdopen(handle, "wb") as file:
                file.write(_MAGIC + _digest(content) + b"\n" + content)
            os.replace(name, self.directory / (key + kind))
        except OSError as problem:
            self.unkept = problem.strerror or str(problem)
            with contextlib.suppress(OSError):
                os.unlink(name)
        self.prune()

    def prune(self) -> None:
        """Remove the least recently used files, and what a killed process left."""
        kinds: dict[str, list[tuple[float, Path]]] = {}
        with contextlib.suppress(OSError):
            for entry in os.scandir(self.directory):
                with contextlib.suppress(OSError):
                    dated = (entry.stat(follow_symlinks=False).st_mtime, Path(entry.path))
                    kinds.setdefault(dated[1].suffix, []).append(dated)
        now = time.time()
        for kind, files in kinds.items():
            files.sort(reverse=True)
            drop = files[MAX_FILES[kind] :] if kind in MAX_FILES else []
            if kind in (".tmp", ".lock"):
                drop = [each for each in files if now - each[0] > ABANDONED]
            for _, path in drop:
                with contextlib.suppress(OSError):
                    path.unlink()

    @contextlib.contextmanager
    def lock(self, key: str, patience: float = 60.0) -> Iterator[None]:
        """Let one process at a time make `key`, so that the others find it made.

        The lock ends with the process that has it. A process that has waited for `patience` seconds
        continues without: two then do the same work, and the files come out the same.
        """
        try:
            handle = self._lock_file(key)
        except OSError:
            yield
            return
        try:
            deadline = time.monotonic() + patience
            while not _locked(handle) and time.monotonic() <= deadline:
                time.sleep(0.02)
            yield
        finally:
            os.close(handle)

    @contextlib.contextmanager
    def turn(self, key: str) -> Iterator[bool]:
        """As `lock`, without waiting: False where another process makes `key`."""
        try:
            handle = self._lock_file(key)
        except OSError:
            yield True
            return
        try:
            yield _locked(handle)
        finally:
            os.close(handle)

    def _lock_file(self, key: str) -> int:
        path = self.directory / f"{key}.lock"
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        with contextlib.suppress(OSError):
            os.utime(path)  # or it would be taken for abandoned (`prune`)
        return handle


class Nowhere(Cache):
    """Keeps nothing, where no directory can be had at all."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.unkept = ""
        self.is_kept = False

    def read(self, key: str, kind: str) -> bytes | None:
        return None

    def write(self, key: str, kind: str, content: bytes) -> None:
        pass

    @contextlib.contextmanager
    def lock(self, key: str, patience: float = 60.0) -> Iterator[None]:
        yield

    @contextlib.contextmanager
    def turn(self, key: str) -> Iterator[bool]:
        yield True


def _locked(handle: int) -> bool:
    """Take the lock of a file if it can be had at once."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _checked(directory: Path) -> Path:
    """Return a directory that is there and the user's alone; CacheError if it cannot be."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = directory.stat()
    except OSError as problem:
        raise CacheError(f"{directory} cannot be made: {problem.strerror}") from None
    if status.st_uid != os.geteuid():
        raise CacheError(f"{directory} belongs to another user")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise CacheError(f"{directory} can be written by others")
    if not os.access(directory, os.W_OK | os.X_OK):
        raise CacheError(f"{directory} cannot be written")
    return directory


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=32).hexdigest().encode()
