# SPDX-License-Identifier: Apache-2.0
"""Fixtures of all tests: machines, outside tools, and the C programs built with them."""

from __future__ import annotations

import hashlib
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest
from hypothesis import HealthCheck, settings

from tests.machines import machine as machine
from tests.machines import new_machine as new_machine
from tests.machines import tile as tile
from tests.programs import build
from tests.tools import find_tool, prefer_chosen_gdb

# A machine that does other work besides is slower, and nothing is wrong.
settings.register_profile("tests", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")


def pytest_configure() -> None:
    prefer_chosen_gdb()
    # What nohup starts ignores SIGHUP, what a script starts with & ignores SIGINT, and so does all
    # that these start: the tests that send one would wait for ever.
    for number, handler in (
        (signal.SIGHUP, signal.SIG_DFL),
        (signal.SIGINT, signal.default_int_handler),
    ):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse tests named after an object's address: processes would not agree on the names."""
    for item in items:
        if "object at 0x" in item.nodeid or "> at 0x" in item.nodeid:
            raise pytest.UsageError(f"{item.nodeid}: give this case an id of its own")


@pytest.fixture(scope="session")
def tool() -> Callable[[str], str]:
    """The path of an outside command, by its name."""
    return find_tool


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
        variant = hashlib.sha256("\n".join([optimize, *defines]).encode()).hexdigest()[:12]
        out = folder / f"{name}-{hart}-{variant}.elf"
        if not out.exists():
            build.build(build.PROGRAMS / f"{name}.c", hart, out, optimize=optimize, defines=defines)
        return out

    return elf


@pytest.fixture(scope="session")
def demo_elfs() -> dict[str, Path]:
    """The committed ELFs of the demo, by hart."""
    return {hart: build.DEMO / f"{name}.elf" for hart, name in build.DEMO_PROGRAMS.items()}
