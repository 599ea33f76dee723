# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb --version`: what a report of a defect has to name.

tensix-gdb  0.1.0
Python      3.11.7, CPython, /usr/bin/python3
llvmlite    0.50.0
LLVM        20.1.8
processor   znver3, x86_64-unknown-linux-gnu
cache       /home/me/.cache/tensix-gdb/objects: 12 files, 31 MB
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

NAME = "tensix-gdb"


class ShowVersion(argparse.Action):
    """Print the versions and end, as `--help` does."""

    def __init__(self, option_strings: Sequence[str], dest: str, **more: Any) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, **more)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(text(), end="")
        parser.exit()


def text() -> str:
    """Return a line for each thing that a run depends on."""
    rows = list(_rows())
    width = max(len(name) for name, _ in rows)
    return "".join(f"{name:{width}}  {value}\n" for name, value in rows)


def _rows() -> Iterator[tuple[str, str]]:
    # What this command alone needs is imported by it: every other one has the class above.
    import platform

    yield NAME, own_version()
    python = f"{platform.python_version()}, {platform.python_implementation()}, {sys.executable}"
    yield "Python", python
    yield from _compiler()
    yield "cache", _cache()


def own_version() -> str:
    from importlib import metadata

    try:
        return metadata.version(NAME)
    except metadata.PackageNotFoundError:
        return "of a folder that is not installed"


def _compiler() -> Iterator[tuple[str, str]]:
    from tensix_gdb.core.engine.jit import LlvmMissingError, versions

    try:
        found = versions()
    except LlvmMissingError as problem:
        yield "llvmlite", f"none: {problem}, or choose `--engine reference`"
        return
    yield "llvmlite", found.llvmlite
    yield "LLVM", found.llvm
    yield "processor", f"{found.processor}, {found.triple}"


def _cache() -> str:
    from tensix_gdb.core.engine.cache import wanted_directory

    directory = wanted_directory()
    try:
        sizes = [path.stat().st_size for path in directory.iterdir() if path.is_file()]
    except OSError as problem:
        return f"{directory}: {problem.strerror}"
    return f"{directory}: {len(sizes)} files, {sum(sizes) / 1e6:.0f} MB"
