# SPDX-License-Identifier: Apache-2.0
"""LLK's own tests, ready to run, for the tests of the long form."""

from __future__ import annotations

import os

import pytest

from tensix_gdb.gdbstub.kernels.sfpi.find import NONE, VARIABLE
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
