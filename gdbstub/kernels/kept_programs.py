# SPDX-License-Identifier: Apache-2.0
"""Programs that were compiled before, in the user's cache: F5 builds each time, and seldom has
anything changed.

One is named by all that was asked for: the commands, the folders that they ran in, the compiler's
file, the variables that compilers read. It is good as long as each file that the compiler has read
is the one that it was, and no folder where it looks for headers has got another entry: a new header
might come before one that it has found.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.kernels.user_cache import cache

MOST = 64  # programs that are kept: those that were wanted last
READ_BY_COMPILERS = re.compile(
    rb"^(CPATH|\w*_INCLUDE_PATH|LIBRARY_PATH|COMPILER_PATH|GCC_|LANG|LC_)"
)
SEARCHED = ("-isystem", "-iquote", "-I")
SAYS_WHEN = (b"__DATE__", b"__TIME__", b"__TIMESTAMP__")
OWN = ".build-"  # what building leaves in a folder for a while (building.py)
# Clocks of file systems are late by a few milliseconds.
TICK_NS = 20_000_000


@dataclass(frozen=True)
class Kept:
    """A program: its file, and the compiler's words about its sources."""

    elf: bytes
    said: str


@dataclass(frozen=True)
class Step:
    """A command of the compiler, without the names of what it makes, and the folder it runs in."""

    command: Sequence[str]
    folder: Path


class KeptProgram:
    """The place of a program, by the steps that make it; the last one links."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps, self._began = steps, time.time_ns()
        compiler = shutil.which(steps[0].command[0])
        variables = sorted(pair for pair in os.environb.items() if READ_BY_COMPILERS.match(pair[0]))
        asked = [(list(step.command), str(step.folder)) for step in steps]
        state = compiler and _state(Path(compiler))
        name = hashlib.sha256(repr((asked, state, variables)).encode()).hexdigest()[:32]
        self._path = cache() / "programs" / name

    def find(self) -> Kept | None:
        """Return it, if it would be the same now."""
        try:
            first, _, elf = self._path.read_bytes().partition(b"\n")
            facts: dict[str, Any] = json.loads(first)
            files, folders = facts["files"].items(), facts["folders"].items()
            good = all(_state(Path(path)) == was for path, was in files)
            if not (good and all(_entries(Path(path)) == was for path, was in folders)):
                return None
            os.utime(self._path)
            return Kept(elf, facts["said"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def keep(self, program: Path, said: str, rules: Sequence[Path]) -> None:
        """Keep a program that was made just now; `rules` are the files of `-MF`, which name what
        the compiler has read in each step. Nothing is kept of files that have changed meanwhile, or
        that say when they were compiled; nor where the cache cannot be written."""
        with suppress(OSError, ValueError):
            files: list[Path] = []
            for step, rule in zip(self._steps, rules, strict=False):
                files += _named(rule.read_text("utf-8"), step.folder)
            if any(map(_says_when, files)):
                return
            files += _linked(self._steps[-1])
            searched = {path.parent for path in files}
            searched |= {each for step in self._steps for each in _searched(step)}
            folders = filter(Path.is_dir, searched)
            if any(_is_new(path, self._began) for path in files) or any(
                path.stat().st_mtime_ns > self._began for path in folders
            ):
                return
            facts = {
                "files": {str(path): _state(path) for path in files},
                "folders": {str(path): _entries(path) for path in _where(files, searched)},
                "said": said,
            }
            self._path.parent.mkdir(parents=True, exist_ok=True)
            new = self._path.with_suffix(f".{os.getpid()}-{id(self)}")
            new.write_bytes(json.dumps(facts).encode() + b"\n" + program.read_bytes())
            new.rename(self._path)
            _forget(self._path.parent)


def _linked(step: Step) -> Iterator[Path]:
    """Yield the files that a command to link names: its script, its libraries."""
    for word in step.command[1:]:
        path = step.folder / word.removeprefix("-L")
        if path.is_file():
            yield path
        elif word.startswith("-L") and path.is_dir():
            yield from path.glob("*.a")


def _searched(step: Step) -> Iterator[Path]:
    """Yield the folders that a command names for headers."""
    words = step.command
    for word, after in pairwise([*words, ""]):
        for option in SEARCHED:
            if word == option:
                yield step.folder / after
            elif word.startswith(option):
                yield step.folder / word.removeprefix(option)


def _named(rule: str, folder: Path) -> list[Path]:
    """Return the files of a rule as `make` reads it."""
    words = re.split(r"(?<!\\)\s+", rule.replace("\\\n", " ").partition(": ")[2].strip())
    names = (word.replace("\\ ", " ").replace("$$", "$") for word in words if word)
    return [folder / name for name in names]


def _where(files: Sequence[Path], searched: set[Path]) -> set[Path]:
    """Return the folders in which a header might come that is found before one of these: those that
    are searched, and those in them that have the names of the files' own folders."""
    below = {Path(*path.parts[-depth:-1]) for path in files for depth in (2, 3, 4)}
    found = {folder / each for folder in searched for each in below}
    return {*searched, *filter(Path.is_dir, found)}


def _state(path: Path) -> list[int]:
    """Return what tells whether a file is the one that it was; OSError if there is none."""
    found = path.stat()
    return [found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino]


def _entries(folder: Path) -> str:
    """Return a name for the entries of a folder; "" if there is none."""
    try:
        names = sorted(name for name in os.listdir(folder) if not name.startswith(OWN))
    except OSError:
        return ""
    return hashlib.sha256("\0".join(names).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _is_new(path: Path, began: int) -> bool:
    """True if a file may have changed since the compiler has begun."""
    found = path.stat()
    return max(found.st_mtime_ns, found.st_ctime_ns) > began - TICK_NS


def _says_when(path: Path) -> bool:
    content = path.read_bytes()
    return any(word in content for word in SAYS_WHEN)


def _forget(folder: Path) -> None:
    """Remove the programs beyond MOST that were wanted least lately."""
    ages = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    for path in sorted(ages, key=ages.__getitem__)[:-MOST]:
        path.unlink(missing_ok=True)
