# SPDX-License-Identifier: Apache-2.0
"""The places where SFPI may be, the first that is used before the others."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.kernels.sfpi import pinned
from tensix_gdb.gdbstub.kernels.user_cache import cache
from tensix_gdb.gdbstub.usage import UsageError

COMMANDS = "riscv-tt-elf-"
BIN = Path("compiler/bin")
COMPILER = BIN / f"{COMMANDS}g++"
INSTALLED = Path("/opt/tenstorrent/sfpi")
IN_TTNN = Path("runtime/sfpi")  # where a checkout of tt-metal and an installed ttnn have it
VARIABLE = "SFPI"
NONE = "none"  # for --sfpi and the variable: another compiler, although SFPI is here


@dataclass(frozen=True, slots=True)
class Place:
    """A folder of SFPI; `how` says in a few words why it was looked at."""

    folder: Path
    how: str


def find_sfpi(given: str | None = None) -> Place | None:
    """Find the SFPI that is used; None if there is none, or none is wanted. UsageError if the
    folder that is named by the option or the variable has no compiler."""
    for name, folder in (("--sfpi", given), (VARIABLE, os.environ.get(VARIABLE))):
        if folder == NONE:
            return None
        if folder:
            place = Place(Path(folder).resolve(), name)
            if not has_compiler(place.folder):
                raise UsageError(f"{name} {folder}: has no {COMPILER}")
            return place
    return next(here(), None)


def here() -> Iterator[Place]:
    """Yield every SFPI that is found without being named."""
    seen = set()
    for place in _places():
        folder = place.folder.resolve()
        if folder not in seen and has_compiler(folder):
            seen.add(folder)
            yield Place(folder, place.how)


def _places() -> Iterator[Place]:
    on_path = shutil.which(f"{COMMANDS}g++")
    if on_path is not None:
        yield Place(Path(on_path).resolve().parent.parent.parent, "PATH")
    yield Place(INSTALLED, "its package")
    for root in ttnn_folders():
        yield Place(root / IN_TTNN, "tt-metal or ttnn")
    yield Place(in_cache(), "the user's cache")


def in_cache() -> Path:
    """Return the folder that `tensix-gdb sfpi --install` makes."""
    return cache() / "sfpi" / pinned.PINNED.version


def has_compiler(folder: Path) -> bool:
    """True if the folder is one of SFPI."""
    return (folder / COMPILER).is_file()


def ttnn_folders() -> list[Path]:
    """Return the folders of a tt-metal in the environment's TT_METAL_HOME, and of an installed
    ttnn."""
    home = os.environ.get("TT_METAL_HOME")
    folders = [Path(home)] if home else []
    spec = importlib.util.find_spec("ttnn")
    return folders + [Path(one) for one in (spec and spec.submodule_search_locations) or ()]
