# SPDX-License-Identifier: Apache-2.0
"""LLK's own tests, ready to run, for the tests of the long form."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.kernels.sfpi.find import NONE, VARIABLE
from tensix_gdb.gdbstub.llk.running import Choice, Outcome, run
from tensix_gdb.gdbstub.llk.suite import CannotPrepare, Suite, prepare
from tests.tools import unavailable


@pytest.fixture
def suite(monkeypatch: pytest.MonkeyPatch) -> Suite:
    """The suite, downloaded once into the user's cache. It is compiled by SFPI, which all other
    tests leave out (tests/conftest.py)."""
    if os.environ.get(VARIABLE) == NONE:
        monkeypatch.delenv(VARIABLE)
    try:
        return prepare()
    except CannotPrepare as problem:
        unavailable(str(problem))
        raise


class Once:
    """In the place of `run`: runs a file in one form of LLK, `shipped` or not, and brings what was
    kept of that run to all that ask."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._found: dict[tuple[str, str], list[Outcome]] = {}

    def __call__(
        self, suite: Suite, tests: Sequence[str], choice: Choice, keep: str, form: str = "shipped"
    ) -> list[Outcome]:
        (test,) = tests
        assert (choice.seed, choice.schedule, choice.engine) == ("1", "latency", "compiled")
        folder = self._folder / f"{test}-{form}"
        if (test, form) not in self._found:
            self._found[test, form] = run(suite, tests, choice, str(folder))
        shutil.copytree(folder, keep, dirs_exist_ok=True)
        return self._found[test, form]


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Runs of the suite that several tests look at."""
    return Once(tmp_path_factory.mktemp("once"))
