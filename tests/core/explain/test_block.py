# SPDX-License-Identifier: Apache-2.0
"""Parts of a page between marks: read, replaced, and missed when the marks are gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensix_gdb.core.explain.instruction.block import Generated

BEFORE = "# A page\n\n<!-- begin: one, made by `make one` -->\n"
BEHIND = "<!-- end: one -->\n\nMore.\n"


def test_a_part_is_read_and_replaced(tmp_path: Path) -> None:
    block = Generated("one", "make one", tmp_path / "page.md")
    block.page.write_text(f"{BEFORE}old\n{BEHIND}")
    assert block.read() == "old\n"
    block.write("new\n")
    assert block.page.read_text() == f"{BEFORE}new\n{BEHIND}"


@pytest.mark.parametrize(
    "text",
    ["", BEFORE, BEHIND, BEHIND + BEFORE, BEFORE.replace("make", "cook") + BEHIND],
    ids=["neither", "no end", "no begin", "turned round", "another maker"],
)
def test_a_page_without_the_marks_stays_as_it_is(text: str, tmp_path: Path) -> None:
    block = Generated("one", "make one", tmp_path / "page.md")
    block.page.write_text(text)
    with pytest.raises(ValueError, match="there is no <!-- begin: one, made by `make one` -->"):
        block.read()
    with pytest.raises(ValueError, match="there is no"):
        block.write("new\n")
    assert block.page.read_text() == text
