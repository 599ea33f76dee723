# SPDX-License-Identifier: Apache-2.0
"""The chapter about tuning shows what its steps give, and each is faster than the one before."""

from __future__ import annotations

from pathlib import Path

from scripts.examples.tuning.__main__ import BLOCK, MVMULS, all_that_is_shown, run
from tests.tools import find_tool


def test_the_chapter_is_fresh(tmp_path: Path) -> None:
    find_tool("riscv64-unknown-elf-gcc")
    assert BLOCK.read() == all_that_is_shown(tmp_path), f"run `{BLOCK.maker}`"


def test_each_step_is_faster_up_to_the_bound(tmp_path: Path) -> None:
    find_tool("riscv64-unknown-elf-gcc")
    cycles = [run(step, tmp_path)[0] for step in range(1, 5)]
    assert cycles == sorted(cycles, reverse=True)
    assert cycles[0] > 5 * MVMULS
    assert MVMULS <= cycles[-1] < 1.05 * MVMULS
