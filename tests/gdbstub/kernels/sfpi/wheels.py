# SPDX-License-Identifier: Apache-2.0
"""A small wheel that is built as the real one: a library, and in it a tar in a frame of zstd."""

from __future__ import annotations

import hashlib
import io
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path

import zstandard

from tensix_gdb.gdbstub.kernels.sfpi.archive import MAGIC
from tensix_gdb.gdbstub.kernels.sfpi.pinned import PINNED, Pinned

SAYS = "riscv-tt-elf-g++ (tenstorrent/sfpi:9.8.7[12]) 15.1.0"
GXX = f"#!/bin/sh\necho '{SAYS}'\n"
FILES = {
    "runtime/hw/other.ld": ("", 0o555),
    "runtime/sfpi/compiler/bin/riscv-tt-elf-g++": (GXX, 0o555),
    "runtime/sfpi/include/sfpi.h": ("// vFloat\n", 0o444),
    "runtime/sfpi/../outside": ("", 0o644),
    "tt_metal/api/host.h": ("", 0o644),
}


def frame(files: dict[str, tuple[str, int]]) -> bytes:
    """A tar of folders and files, compressed."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as tar:
        for name in ("runtime", "runtime/sfpi"):
            folder = tarfile.TarInfo(name)
            folder.type, folder.mode = tarfile.DIRTYPE, 0o555
            tar.addfile(folder)
        for name, (text, mode) in files.items():
            file = tarfile.TarInfo(name)
            file.size, file.mode = len(text), mode
            tar.addfile(file, io.BytesIO(text.encode()))
    return zstandard.ZstdCompressor().compress(whole.getvalue())


def library(files: dict[str, tuple[str, int]] = FILES) -> bytes:
    """Before the frame there are the magic bytes in code, and a frame of something else; after it
    the library goes on."""
    other = zstandard.ZstdCompressor().compress(b"no tar")
    return b"code" + MAGIC + b"code" + other + b"code" + frame(files) + b"more code" * 100


def write_wheel(folder: Path, content: bytes | None = None) -> tuple[Path, Pinned]:
    """Write the wheel; return its path, and how it is pinned."""
    path = folder / PINNED.file
    with zipfile.ZipFile(path, "w") as made:
        made.writestr(PINNED.library, library() if content is None else content)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return path, replace(PINNED, sha256=digest, unpacked_bytes=1000, version="9.8.7")
