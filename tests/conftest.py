# SPDX-License-Identifier: Apache-2.0
"""Fixtures of all tests: machines, outside tools, and the C programs built with them."""

from __future__ import annotations

import functools
import gc
import hashlib
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest
from hypothesis import HealthCheck, core, settings

from tests import forms, nearest, processors
from tests.durations import Durations
from tests.machines import machine as machine
from tests.machines import new_machine as new_machine
from tests.machines import tile as tile
from tests.processors import processor as processor
from tests.programs import build, once
from tests.tools import find_tool, prefer_chosen_gdb

# A machine that does other work besides is slower, and nothing is wrong.
settings.register_profile(
    "tests", deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tests")


def pytest_addoption(parser: pytest.Parser) -> None:
    forms.add_options(parser)
    processors.add_options(parser)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    prefer_chosen_gdb()
    # Programs and transcripts are those of Debian's compiler, also where SFPI is installed.
    os.environ["SFPI"] = "none"
    os.environ["TENSIX_GDB_RUNS"] = ""  # no run that is meant to fail goes to the user's cache
    forms.set_up(config)
    processors.set_up(config)
    config.pluginmanager.register(Durations(config), "durations")
    if not hasattr(config, "workerinput"):
        once.share()
        config.add_cleanup(once.unshare)
    core.global_force_seed = forms.seed(0)
    # What nohup starts ignores SIGHUP, what a script starts with & ignores SIGINT, and so does all
    # that these start: the tests that send one would wait for ever.
    for number, handler in (
        (signal.SIGHUP, signal.SIG_DFL),
        (signal.SIGINT, signal.default_int_handler),
    ):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, handler)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    processors.parametrize(metafunc)


def pytest_report_header() -> str:
    return f"tests: {forms.head()}"


_nearest: set[Path] | None = None


def pytest_collection(session: pytest.Session) -> None:
    # A third of the time in which 20,000 tests are collected went to looking for garbage.
    gc.disable()
    global _nearest
    if session.config.getoption("fast"):
        chosen = nearest.nearest(nearest.files(), nearest.changed())
        _nearest = {nearest.ROOT / file for file in chosen}


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """With --fast, leave the files out that are far from the changes."""
    if _nearest is None or not collection_path.name.startswith("test_"):
        return None
    return True if collection_path.is_file() and collection_path not in _nearest else None


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()
    # A command that a test runs in this process would keep, for ever, the garbage of all tests
    # before it: tiles of 64 MB each, 3 GB after half of the tests.
    gc.freeze = freeze_nothing


@functools.wraps(gc.freeze)
def freeze_nothing() -> None:
    """The place of `gc.freeze` while tests run."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuse tests named after an object's address: processes would not agree on the names. Then
    leave what this form of the tests has."""
    for item in items:
        if "object at 0x" in item.nodeid or "> at 0x" in item.nodeid:
            raise pytest.UsageError(f"{item.nodeid}: give this case an id of its own")
    forms.choose(config, items)


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
