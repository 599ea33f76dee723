# SPDX-License-Identifier: Apache-2.0
"""The folders that the user lets an assistant read: files below `--root DIR`, and no other.

A name with `..` is refused, and so is one with a symbolic link on its way below the folder: what a
link points to may change between the look at it and its use.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from tensix_gdb.gdbstub.usage import UsageError

MAX_BYTES = 64 << 20


class Roots:
    """Folders, in the order in which a relative name is looked for."""

    def __init__(self, folders: Sequence[str]) -> None:
        self.folders = tuple(_folder(name) for name in folders)

    def file(self, name: str) -> Path:
        """Return the file of this name. UsageError if it may not be read."""
        if not self.folders:
            raise UsageError(f"{name}: no folder may be read; start tensix-gdb mcp with --root DIR")
        path = Path(name)
        if ".." in path.parts or "\0" in name:
            raise UsageError(f"{name}: a name with `..` is refused")
        if path.is_absolute():
            return self._below(path)
        found = next(
            (folder / path for folder in self.folders if os.path.lexists(folder / path)), None
        )
        if found is None:
            raise UsageError(f"{name}: there is no such file in {self}")
        return self._below(found)

    def _below(self, path: Path) -> Path:
        """Return the file, if it is below a folder without a link on the way."""
        folder = next((one for one in self.folders if path.is_relative_to(one)), None)
        if folder is None:
            raise UsageError(f"{path}: is in none of the folders that may be read ({self})")
        if os.path.realpath(path) != str(path):
            raise UsageError(f"{path}: is reached by a symbolic link, which is refused")
        try:
            found = os.lstat(path)
        except OSError as problem:
            raise UsageError(f"{path}: cannot be read: {problem.strerror}") from None
        if not stat.S_ISREG(found.st_mode):
            raise UsageError(f"{path}: is no file")
        if found.st_size > MAX_BYTES:
            raise UsageError(f"{path}: has more than {MAX_BYTES >> 20} MiB")
        return path

    def __str__(self) -> str:
        return ", ".join(map(str, self.folders))


def _folder(name: str) -> Path:
    path = Path(os.path.realpath(name))
    if not path.is_dir():
        raise UsageError(f"--root {name}: there is no such folder")
    return path
