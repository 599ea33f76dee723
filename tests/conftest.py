# SPDX-License-Identifier: Apache-2.0
"""Fixtures of all tests: outside tools, and the C programs built with them.

A tool that is missing means that the tests of it are skipped, with a sentence; with CI in the
environment it means that they fail.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from tests.machines import machine as machine
from tests.machines import new_machine as new_machine
from tests.programs import build

PACKAGES = {
    "gdb-multiarch": "gdb-multiarch",
    "riscv64-unknown-elf-gcc": "gcc-riscv64-unknown-elf",
    "riscv64-unknown-elf-objdump": "binutils-riscv64-unknown-elf",
}


def unavailable(sentence: str) -> None:
    """Say why a test cannot run here: skips it, or fails it in CI."""
    if os.environ.get("CI"):
        pytest.fail(sentence, pytrace=False)
    pytest.skip(sentence)


@pytest.fixture(scope="session")
def tool() -> Callable[[str], str]:
    """The path of an outside command, by its name."""

    def find(name: str) -> str:
        path = shutil.which(name)
        if path is None:
            unavailable(f"{name} is missing: run 'apt-get install {PACKAGES[name]}' as root")
        return str(path)

    return find


class Build(Protocol):
    """Build tests/programs/NAME.c for a hart; the ELF file."""

    def __call__(
        self, name: str, hart: str, *, optimize: str = "-Og", defines: tuple[str, ...] = ()
    ) -> Path: ...


@pytest.fixture(scope="session")
def program(tool: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Build a program for a hart; each one once in a test run."""
    tool(build.GCC)
    folder = tmp_path_factory.mktemp("programs")

    def elf(name: str, hart: str, *, optimize: str = "-Og", defines: tuple[str, ...] = ()) -> Path:
        variant = "".join(c if c.isalnum() else "_" for c in "".join([optimize, *defines]))
        out = folder / f"{name}-{hart}-{variant}.elf"
        if not out.exists():
            build.build(build.PROGRAMS / f"{name}.c", hart, out, optimize=optimize, defines=defines)
        return out

    return elf


@pytest.fixture(scope="session")
def demo_elfs() -> dict[str, Path]:
    """The committed ELFs of the demo, by hart."""
    return {hart: build.DEMO / f"{name}.elf" for hart, name in build.DEMO_PROGRAMS.items()}
