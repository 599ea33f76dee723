# SPDX-License-Identifier: Apache-2.0
"""The manual's table of what one expects of a debugger for C++: each row is done again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scripts.examples.expected import BLOCK, table

pytestmark = pytest.mark.gdb


@pytest.mark.long("tests/dap/test_extension.py: the same adapter")
def test_the_table_is_what_the_adapter_does(tool: Callable[[str], str]) -> None:
    tool("riscv64-unknown-elf-gcc")
    assert table() == BLOCK.read(), f"run `{BLOCK.maker}`"
