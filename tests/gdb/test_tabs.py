# SPDX-License-Identifier: Apache-2.0
"""TAB after `tensix` in a real GDB, in a terminal: the line is completed, nothing is printed."""

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
