# SPDX-License-Identifier: Apache-2.0
"""README.md's session with `tensix-gdb core` is what it prints."""

from __future__ import annotations

import pytest

from scripts.examples.cores import BLOCK, all_that_is_shown, steady
from tests.tools import find_tool

pytestmark = pytest.mark.gdb


def test_readme_has_it() -> None:
    find_tool("gdb-multiarch")
    shown = all_that_is_shown()
    for wanted in ("publish at t0.c:37: breakpoint", "* 2 T0", "serve --core tile.core"):
        assert wanted in shown
    assert steady(shown) == steady(BLOCK.read()), f"run `{BLOCK.maker}`"
