# SPDX-License-Identifier: Apache-2.0
"""Install SFPI into the user's cache: whole, or not at all."""

from __future__ import annotations

import hashlib
import platform
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

from tensix_gdb.gdbstub.kernels import wheels
from tensix_gdb.gdbstub.kernels.sfpi import pinned
from tensix_gdb.gdbstub.kernels.sfpi.archive import reader, unpack
from tensix_gdb.gdbstub.kernels.sfpi.find import has_compiler, in_cache
from tensix_gdb.gdbstub.kernels.sfpi.pinned import Pinned
from tensix_gdb.gdbstub.kernels.sfpi.version import version_of
from tensix_gdb.gdbstub.kernels.user_cache import made_at_once, said_if_unwritable
from tensix_gdb.gdbstub.usage import UsageError

MACHINES = ("x86_64", "AMD64")


def install(given: str | None = None) -> bool:
    """Unpack SFPI from the wheel, which pip downloads unless a file is `given`; False if it is
    there already and runs. UsageError if that cannot be done; then nothing is left, and what was
    there stays."""
    row, folder = pinned.PINNED, in_cache()
    with said_if_unwritable(), made_at_once(folder, _runs) as new:
        if new is None:
            return False
        if folder.exists():
            _say(f"what is in {folder} does not run: it is replaced")
        _check_machine(row)
        reader()  # before the download
        _check_room(new, row.unpacked_bytes + (row.bytes if given is None else 0))
        # In the new folder: the next one begins with removing what a killed one has left there.
        with tempfile.TemporaryDirectory(dir=new, prefix=".wheel-") as scratch:
            wheel = _download(row, Path(scratch)) if given is None else Path(given)
            library = read_library(row, wheel)
            _say(f"unpacking SFPI {row.version} into {folder} ...")
            unpack(library, new)
        if not _runs(new):
            raise UsageError(
                f"SFPI {row.version} of {row.requirement} does not run here: it wants glibc 2.34 "
                f"or newer ({row.platform}); Debian's compiler stays in use"
            )
    return True


def what_is_downloaded() -> str:
    """Say it, with its size."""
    row = pinned.PINNED
    return (
        f"{row.requirement} with pip ({megabytes(row.bytes)}; unpacked "
        f"{megabytes(row.unpacked_bytes)})"
    )


def megabytes(count: int) -> str:
    """Return a number of bytes for a person."""
    return f"{count / 1e6:.0f} MB"


def _runs(folder: Path) -> bool:
    return has_compiler(folder) and version_of(folder) is not None


def _check_machine(row: Pinned) -> None:
    if not sys.platform.startswith("linux") or platform.machine() not in MACHINES:
        raise UsageError(
            f"SFPI of {row.requirement} is for Linux on x86-64, and this is {sys.platform} on "
            f"{platform.machine()}: Debian's compiler stays in use, or name an SFPI with --sfpi"
        )


def _check_room(folder: Path, wanted: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < wanted:
        raise UsageError(
            f"{folder.parent} has {megabytes(free)} free and SFPI takes {megabytes(wanted)} while "
            "it is unpacked: make room, or name another folder in XDG_CACHE_HOME"
        )


def _download(row: Pinned, scratch: Path) -> Path:
    _say(f"downloading {what_is_downloaded()} ...")
    return wheels.download(row.requirement, row.file, row.platform, scratch)


def _check(row: Pinned, wheel: Path) -> None:
    """UsageError if it is not the file that is pinned."""
    try:
        with wheel.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as problem:
        raise UsageError(f"{wheel}: cannot be read: {problem.strerror}") from None
    if found != row.sha256:
        raise UsageError(
            f"{wheel.name} is not the file that is known as {row.requirement}: its SHA-256 is "
            f"{found}, not {row.sha256}; nothing was unpacked"
        )


def read_library(row: Pinned, wheel: Path) -> bytes:
    """Return the library in a wheel. UsageError if it is not the wheel that is pinned."""
    _check(row, wheel)
    with zipfile.ZipFile(wheel) as source:
        return source.read(row.library)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
