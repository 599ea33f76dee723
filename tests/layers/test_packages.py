# SPDX-License-Identifier: Apache-2.0
"""Every package says what it is for, the READMEs list them, and no folder is a shelf."""

from __future__ import annotations

import pytest

from scripts.packages import BLOCKS, packages, purpose, table
from tensix_gdb.core.explain.instruction.block import ROOT, Generated

MAX_MODULES = 22


@pytest.mark.parametrize("top", ["core", "gdbstub"])
def test_every_package_says_its_purpose(top: str) -> None:
    for folder in packages(top):
        assert purpose(folder)[0].isupper(), folder


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.page.parent.name)
def test_readmes_have_the_table(block: Generated) -> None:
    assert table(block.page.parent.name) == block.read(), f"run `{block.maker}`"


@pytest.mark.parametrize("top", ["core", "gdbstub"])
def test_no_folder_is_a_shelf(top: str) -> None:
    """A folder with more modules than one looks through has a package in it."""
    crowded = {
        str(folder.relative_to(ROOT)): len(list(folder.glob("*.py")))
        for folder in [ROOT / top, *packages(top)]
    }
    assert {name: count for name, count in crowded.items() if count > MAX_MODULES} == {}
