# SPDX-License-Identifier: Apache-2.0
"""The pictures of the manual: they show the store under way, and are as they would be drawn now."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.examples.pictures import BLOCK, FOLDER, HANG, NAMES, session
from tests.programs.build import COMPILER, compiler_version
from tests.tools import find_tool


def test_manual_has_them(tmp_path: Path) -> None:
    find_tool("riscv64-unknown-elf-gcc")
    shown = session(tmp_path)
    drawn = {name: (tmp_path / f"{name}.svg").read_text("utf-8") for name in (*NAMES, HANG)}
    for text in (drawn[name] for name in NAMES):
        assert "0xffef0130 in cycle" in text  # the store is emitted
    assert "RDCFG of T0 unpack, kernel.c:41" in drawn["no-wait"]
    assert "latched: STALLWAIT block=B7, wait=C10" in drawn["wait"]
    assert "semaphore 1 is 0 until it is posted" in drawn[HANG]
    if compiler_version() != COMPILER:
        pytest.skip("what the manual has was made with another compiler")
    assert shown == BLOCK.read(), f"run `{BLOCK.maker}`"
    for name, text in drawn.items():
        assert text == (FOLDER / f"{name}.svg").read_text("utf-8"), f"run `{BLOCK.maker}`"
