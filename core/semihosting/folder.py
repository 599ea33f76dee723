# SPDX-License-Identifier: Apache-2.0
"""The one directory in which a program on the tile may have files.

A name is a path below it. `..`, absolute paths and symbolic links anywhere in it are refused, and
so is what is no regular file: each part is opened by itself, below the one before, without
following links, so that nothing outside can be meant whatever happens there meanwhile.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from tensix_gdb.core.semihosting.operations import Errno, Refused

FLAGS = (
    os.O_RDONLY,
    os.O_RDWR,
    os.O_WRONLY | os.O_CREAT | os.O_TRUNC,
    os.O_RDWR | os.O_CREAT | os.O_TRUNC,
    os.O_WRONLY | os.O_CREAT,
    os.O_RDWR | os.O_CREAT,
)
"""By the mode of SYS_OPEN, halved: r, r+, w, w+, a, a+. The end is found for each write."""

_SAME = {number: known for known in Errno if (number := getattr(errno, known.name, None))}
_NO_LINKS = os.O_NOFOLLOW | os.O_CLOEXEC
FILE_MODE = 0o644


def refused(problem: OSError) -> Refused:
    """Return the refusal for a system error, with the program's error number."""
    if problem.errno == errno.ELOOP:
        return Refused(Errno.EACCES)
    return Refused(_SAME.get(problem.errno or 0, Errno.EIO))


class Folder:
    """Opens, removes and renames files below `path`, or refuses everything when there is none."""

    def __init__(self, path: Path | None) -> None:
        self._root = None if path is None else os.open(path, os.O_RDONLY | os.O_DIRECTORY)

    def close(self) -> None:
        """Give the directory back."""
        if self._root is not None:
            os.close(self._root)
            self._root = None

    @contextlib.contextmanager
    def _parent(self, name: str) -> Iterator[tuple[int, str]]:
        """The directory that `name` is in, and what it is called there."""
        parts = [part for part in name.split("/") if part not in ("", ".")]
        if self._root is None or name.startswith("/") or ".." in parts:
            raise Refused(Errno.EACCES)
        if not parts or "\0" in name:
            raise Refused(Errno.ENOENT)
        folder = os.dup(self._root)
        try:
            for part in parts[:-1]:
                below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | _NO_LINKS, dir_fd=folder)
                os.close(folder)
                folder = below
            yield folder, parts[-1]
        except OSError as problem:
            raise refused(problem) from None
        finally:
            os.close(folder)

    def open(self, name: str, flags: int) -> int:
        """Return a file descriptor; Refused when it cannot be had."""
        with self._parent(name) as (folder, last):
            # Without waiting: a FIFO of that name would keep us for ever.
            file = os.open(last, flags | _NO_LINKS | os.O_NONBLOCK, FILE_MODE, dir_fd=folder)
            kind = os.fstat(file).st_mode
            if not stat.S_ISREG(kind):
                os.close(file)
                raise Refused(Errno.EISDIR if stat.S_ISDIR(kind) else Errno.EACCES)
            return file

    def remove(self, name: str) -> None:
        """Remove a file, or a link itself."""
        with self._parent(name) as (folder, last):
            os.unlink(last, dir_fd=folder)

    def rename(self, old: str, new: str) -> None:
        """Rename a file; nothing but a regular file, so that no directory wanders."""
        with self._parent(old) as (here, first), self._parent(new) as (there, second):
            if not stat.S_ISREG(os.stat(first, dir_fd=here, follow_symlinks=False).st_mode):
                raise Refused(Errno.EACCES)
            os.rename(first, second, src_dir_fd=here, dst_dir_fd=there)
