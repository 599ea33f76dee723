# SPDX-License-Identifier: Apache-2.0
"""Coverage and profiles of the manual: of a firmware's boot and of a kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.examples.counted import BLOCK, all_that_is_shown
from tests.programs.build import COMPILER, compiler_version
from tests.tools import find_tool


def test_readme_has_them(tmp_path: Path) -> None:
    find_tool("riscv64-unknown-elf-gcc")
    shown = all_that_is_shown(tmp_path)
    for wanted in (
        " of 632 lines",
        "14 of 14 lines, 17 of 17 Tensix instructions",
        "a source bank",
        "Matrix Unit",
    ):
        assert wanted in shown
    if compiler_version() != COMPILER:
        pytest.skip("what the manual has was made with another compiler")
    assert shown == BLOCK.read(), f"run `{BLOCK.maker}`"
