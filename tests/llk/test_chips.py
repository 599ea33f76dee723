# SPDX-License-Identifier: Apache-2.0
"""The manual's table of LLK's test files, by chip, is what scripts/llktests has."""

from __future__ import annotations

import pytest

from scripts.llktests import chips
from scripts.llktests.__main__ import main
from scripts.llktests.ordering import LLK_FOLDERS, TESTS


def test_the_manual_has_the_table() -> None:
    assert chips.BLOCK.read() == chips.table(), f"run `{chips.BLOCK.maker}`"


def test_a_file_is_covered_or_excluded_with_a_reason() -> None:
    both = [set(chips.COVERED[arch]) | set(chips.EXCLUDED[arch]) for arch in chips.COVERED]
    assert both[0] == both[1]
    for arch, covered in chips.COVERED.items():
        assert not set(covered) & set(chips.EXCLUDED[arch])


@pytest.mark.parametrize("arch", chips.COVERED)
def test_the_list_is_of_the_chip(arch: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list", "--arch", arch]) == 0
    assert f"covered, {len(chips.COVERED[arch])} files:" in capsys.readouterr().out


def test_a_file_that_the_chip_does_not_cover_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["test_hadamard.py", "--arch", "wormhole"]) == 2
    assert "test_hadamard.py is excluded" in capsys.readouterr().out


def test_edits_of_ordering_tests_are_in_the_llk_of_the_chip() -> None:
    for test in TESTS:
        for arch in test.chips:
            assert test.file in chips.COVERED[arch]
            of_chip = test.of_chip(arch)
            for edit in (*of_chip.undo, *of_chip.settle):
                assert edit.file.startswith((LLK_FOLDERS[arch], "tests/"))
