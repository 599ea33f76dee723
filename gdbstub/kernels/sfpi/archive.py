# SPDX-License-Identifier: Apache-2.0
"""The tar in the library of the wheel, compressed with zstd: find it, unpack a folder of it."""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import IO, cast

from tensix_gdb.gdbstub.usage import UsageError

MAGIC = b"\x28\xb5\x2f\xfd"  # of a zstd frame; code has the same four bytes elsewhere
FIRST = b"runtime"  # of the name of the tar's first entry
SFPI = PurePosixPath("runtime/sfpi")


def unpack(library: bytes, folder: Path, part: PurePosixPath = SFPI) -> None:
    """Unpack a folder of the tar, `part`, from the bytes of the library. UsageError if the library
    has no such tar."""
    zstandard = reader()
    for place in _frames(library):
        frame = memoryview(library)[place:]
        if _begins(zstandard, frame):
            _unpack_tar(_stream(zstandard, frame), folder, part)
            return
    raise UsageError("the wheel's library has no archive that begins with runtime/")


def reader() -> ModuleType:
    """Return the module that reads zstd. UsageError if it is not installed."""
    try:
        import zstandard
    except ImportError:
        raise UsageError(
            "SFPI comes compressed with zstd, and the package that reads it is missing: "
            "`pip install zstandard`"
        ) from None
    return zstandard


def _frames(library: bytes) -> Iterator[int]:
    place = library.find(MAGIC)
    while place >= 0:
        yield place
        place = library.find(MAGIC, place + 1)


def _stream(zstandard: ModuleType, frame: memoryview) -> IO[bytes]:
    return cast(IO[bytes], zstandard.ZstdDecompressor().stream_reader(frame))


def _begins(zstandard: ModuleType, frame: memoryview) -> bool:
    try:
        return _stream(zstandard, frame).read(len(FIRST)) == FIRST
    except zstandard.ZstdError:
        return False


def _unpack_tar(stream: IO[bytes], folder: Path, part: PurePosixPath) -> None:
    """Write the folders and files of a part. It has no links, and none would be written."""
    with tarfile.open(fileobj=stream, mode="r|") as tar:
        for member in tar:
            name = PurePosixPath(member.name)
            if not name.is_relative_to(part) or ".." in name.parts:
                continue
            path = folder / name.relative_to(part)
            if member.isdir():
                path.mkdir(parents=True, exist_ok=True)
            elif member.isfile() and (content := tar.extractfile(member)) is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("xb") as file:
                    shutil.copyfileobj(content, file)
                path.chmod(0o755 if member.mode & 0o100 else 0o644)
