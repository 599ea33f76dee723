# SPDX-License-Identifier: Apache-2.0
"""TAB behind `tensix` at the terminal of a real GDB: the line is completed, without a word."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.gdb.openings import GDB
from tests.gdb.tabs import press_tabs

pytestmark = pytest.mark.gdb


def test_tab(tool: Callable[[str], str]) -> None:
    found = {tab.line: tab.shown for tab in press_tabs(tool(GDB))}
    assert found["tensix mu"] == "tensix mutex "
    assert found["tensix step-l"] == "tensix step-limit "
    assert found["tensix nothing "] == "tensix nothing "
    assert not [shown for shown in found.values() if "Exception" in shown]
