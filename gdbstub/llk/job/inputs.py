# SPDX-License-Identifier: Apache-2.0
"""The files of a tree that the result of a test depends on, and their hashes.

A test's result follows from the files that the compiler has read for its kernels, the Python that
makes their data and judges the result, and the linker scripts. Names are relative to the root of
the repository, as code hosts show them. A file that is new can take the place of another of the
same name in a search of include folders, so a digest has all names that end alike.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

TESTS, SCRIPTS = "tests/python_tests", "tests/helpers/ld"
# Of the folder of the tests: what a run writes there, and what no test reads.
NO_INPUT = (".log", ".pyc", ".md")
ABOVE = ("hw", "hostdevcommon", "tools")  # beside LLK in tt-metal: headers that it includes


class Tree:
    """LLK in a repository. `copies` are folders that have the same LLK at another place."""

    def __init__(self, llk: Path, root: Path | None = None, copies: Sequence[Path] = ()) -> None:
        self.llk = llk.resolve()
        self.root = (root or repository_of(llk)).resolve()
        self._copies = [copy.resolve() for copy in copies]
        self._hashes: dict[str, str] = {}

    def name_of(self, path: str | Path) -> str | None:
        """Return a file's name; None if it is none of the repository."""
        # Not resolved by links: hw of a copy is a link into the repository itself.
        path = Path(os.path.normpath(path))
        for copy in self._copies:
            if path.is_relative_to(copy):
                path = self.llk / path.relative_to(copy)
        path = Path(os.path.realpath(path))
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else None

    def names_of(self, paths: Iterable[str]) -> list[str]:
        """Return the names of files, those of the repository alone."""
        return sorted({name for path in paths if (name := self.name_of(path)) is not None})

    def digest(self, names: Iterable[str]) -> str:
        """Return what changes with each of these files, and with a file that may be found in the
        place of one."""
        rows = []
        for name in sorted(set(names)):
            alike = self._by_last_name.get(name.rpartition("/")[2], ())
            rows.append([name, self._hash(name), *(one for one in alike if one != name)])
        return hashlib.sha256(json.dumps(rows).encode()).hexdigest()

    def common(self, test: str) -> str:
        """Return what changes with all that the tests of a file share: Python and linker
        scripts, without the files of other tests."""
        own = f"{self._prefix}{TESTS}/{test}"
        return self.digest([*self._shared, own])

    def everything(self) -> str:
        """Return what changes with any file of LLK, and of what it includes beside it."""
        return self.digest(name for names in self._by_last_name.values() for name in names)

    def _hash(self, name: str) -> str:
        if name not in self._hashes:
            try:
                content = (self.root / name).read_bytes()
                self._hashes[name] = hashlib.sha256(content).hexdigest()
            except OSError:
                self._hashes[name] = ""
        return self._hashes[name]

    @cached_property
    def _prefix(self) -> str:
        name = self.llk.relative_to(self.root).as_posix()
        return "" if name == "." else f"{name}/"

    @cached_property
    def _shared(self) -> list[str]:
        tests = [name for name in self._files(self.llk / TESTS) if not _is_test(name)]
        return [*tests, *self._files(self.llk / SCRIPTS)]

    @cached_property
    def _by_last_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        above = [self.llk.parent / name for name in ABOVE]
        folders = [self.llk, *(one for one in above if one.resolve().is_relative_to(self.root))]
        for name in sorted(name for folder in folders for name in self._files(folder)):
            found.setdefault(name.rpartition("/")[2], []).append(name)
        return found

    def _files(self, folder: Path) -> Iterator[str]:
        for above, folders, names in os.walk(folder):
            folders[:] = [name for name in folders if not name.startswith((".", "__pycache__"))]
            for name in names:
                if not name.startswith(".") and not name.endswith(NO_INPUT):
                    yield Path(above, name).relative_to(self.root).as_posix()


def _is_test(name: str) -> bool:
    """True for a file of tests; some modules of their helpers are named alike."""
    *folders, last = name.rpartition(f"{TESTS}/")[2].split("/")
    return last.startswith(("test_", "perf_")) and "helpers" not in folders


def repository_of(folder: Path) -> Path:
    """Return the root of the repository that has a folder; without one the folder itself."""
    folder = folder.resolve()
    for above in (folder, *folder.parents):
        if (above / ".git").exists():
            return above
    return folder
