# SPDX-License-Identifier: Apache-2.0
"""The files in tt-metal's cache of kernels, listed anew where folders have changed.

A launch is a write to each tile, and asks each time: so a list is used for a fraction of a second,
and a build of which no folder has another time is not looked through. There are caches of tens of
thousands of files.
"""

from __future__ import annotations

import os
from pathlib import Path
from time import monotonic

Dated = tuple[str, float]  # a path, with the time of its change
BUILDS_BEGIN = "tt-metal-cache"
LIST_SECONDS = 0.2  # so long a list of files is used


class KernelFiles:
    """Those in `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        # Of a build, or of all (None): its lists, the files in them, and when they were looked at.
        self._lists: dict[Path | None, tuple[list[list[Dated]], list[Dated]]] = {}
        self._listed: dict[Path | None, float] = {}
        # Of a build, what says whether it has others now, and its files.
        self._of_build: dict[str, tuple[frozenset[Dated], list[Dated]]] = {}
        self._is_anew = False  # look at every folder

    def builds(self) -> list[Path]:
        """Return the folders of builds, the newest first."""
        dated = sorted(_folders(self.root, BUILDS_BEGIN), key=lambda one: (one[1], Path(one[0])))
        return [Path(folder) for folder, _ in reversed(dated)]

    def look_anew(self, build: Path | None) -> None:
        """Look at every folder of a build, and of all: a file may have been made meanwhile."""
        self._listed.clear()
        self._is_anew = True
        try:
            for one in (build, None):
                self.of(one)
        finally:
            self._is_anew = False

    def of(self, build: Path | None) -> list[Dated]:
        """Return the files of the kernels of a build, or of all, the newest first, each with its
        time. The same list as long as there are no others."""
        before, files = self._lists.get(build, ([], []))
        listed = self._listed.get(build)
        if listed is not None and monotonic() - listed < LIST_SECONDS:
            return files
        if build is None:
            builds = [folder for folder, _ in _folders(self.root, BUILDS_BEGIN)]
            for gone in self._of_build.keys() - builds:
                del self._of_build[gone]
        else:
            builds = [str(build)]
        lists = [self._list_build(folder) for folder in builds]
        if len(lists) != len(before) or any(a is not b for a, b in zip(before, lists, strict=True)):
            files = sorted(
                (file for each in lists for file in each),
                key=lambda file: (file[1], file[0]),
                reverse=True,
            )
            self._lists[build] = lists, files
        self._listed[build] = monotonic()
        return files

    def _list_build(self, build: str) -> list[Dated]:
        """List the kernels of a build; the same list if it has no others than before. A new kernel
        is a new folder in that of its name, which changes its time."""
        names = _folders(f"{build}/kernels")
        times = frozenset((*names, (f"{build}/kernels", _time(f"{build}/kernels"))))
        known = self._of_build.get(build)
        if known is not None and known[0] == times and not self._is_anew:
            return known[1]
        found = [
            file
            for name, _ in names
            for kernel, _ in _folders(name)
            for processor, _ in _folders(kernel)
            for file in _files_of(processor)
        ]
        if known is not None and known[1] == found:
            found = known[1]
        self._of_build[build] = times, found
        return found


def _folders(parent: Path | str, begin: str = "") -> list[Dated]:
    """Return the folders in a folder, each with the time of its change; none if it is gone."""
    return [
        (entry.path, time)
        for entry in _entries(parent)
        if entry.name.startswith(begin) and entry.is_dir() and (time := _time(entry.path))
    ]


def _files_of(folder: str) -> list[Dated]:
    """Return the ELF files in a folder."""
    names = (entry.path for entry in _entries(folder) if entry.name.endswith(".elf"))
    return [(path, time) for path in names if (time := _time(path))]


def _entries(folder: Path | str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:  # gone, or nothing
        return []


def _time(path: str) -> float:
    """Return the time of its change; 0 for what is gone."""
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0
