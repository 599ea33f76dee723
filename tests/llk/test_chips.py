# SPDX-License-Identifier: Apache-2.0
"""The manual's table of LLK's test files, by chip, is what scripts/llktests has."""

from __future__ import annotations

import pytest

from scripts.llktests import chips
from scripts.llktests.ordering import LLK_FOLDERS, TESTS
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.llk.chips import COVERED, EXCLUDED


def test_the_manual_has_the_table() -> None:
    assert chips.BLOCK.read() == chips.table(), f"run `{chips.BLOCK.maker}`"


def test_a_file_is_covered_or_excluded_with_a_reason() -> None:
    both = [set(COVERED[arch]) | set(EXCLUDED[arch]) for arch in COVERED]
    assert both[0] == both[1]
    for arch, covered in COVERED.items():
        assert not set(covered) & set(EXCLUDED[arch])


@pytest.mark.parametrize("arch", COVERED)
def test_the_list_is_of_the_chip(arch: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["llk", "--list", "--arch", arch]) == 0
    assert f"covered, {len(COVERED[arch])} files:" in capsys.readouterr().out


def test_a_file_that_the_chip_does_not_cover_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["llk", "test_hadamard.py", "--arch", "wormhole"]) == 2
    assert "test_hadamard.py is excluded" in capsys.readouterr().err


def test_edits_of_ordering_tests_are_in_the_llk_of_the_chip() -> None:
    for test in TESTS:
        for arch in test.chips:
            assert test.file in COVERED[arch]
            of_chip = test.of_chip(arch)
            for edit in (*of_chip.undo, *of_chip.settle):
                assert edit.file.startswith((LLK_FOLDERS[arch], "tests/"))
