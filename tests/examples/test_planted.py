# SPDX-License-Identifier: Apache-2.0
"""Bugs that are planted in the two example kernels: the commands of each name the guilty line."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.examples.planted.__main__ import BLOCK, section, table
from scripts.examples.planted.bugs import BUGS, LLK_BUGS
from scripts.examples.planted.planting import RUN, Bug, Edit, edited, made, outputs_of, typed
from tests.gdbstub.kernels.kernels import C_TOOLS, want, want_llk
from tests.programs.build import COMPILER, compiler_version
from tests.tools import find_tool

IS_RIGHT = "0x41000 is sum.npy, as bf16: all 4096 datums of 128x32"


def of(bugs: tuple[Bug, ...]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("bug", bugs, ids=lambda bug: bug.name)


def checked(bug: Bug, folder: Path) -> list[str]:
    """Type the commands of a bug: the last one names the line, and none before it does."""
    outputs = outputs_of(bug, folder)
    *before, last = outputs
    assert bug.is_named_by(last), last
    assert not any(bug.is_named_by(output) for output in before)
    return outputs


@pytest.mark.sample(2, "bugs of the same kernel")
@of(BUGS)
def test_bug(bug: Bug, tmp_path: Path) -> None:
    want(find_tool, *C_TOOLS)
    shown = section(bug, checked(bug, tmp_path))
    if compiler_version() == COMPILER:
        assert shown in BLOCK.read(), f"run `{BLOCK.maker}`"


@pytest.mark.sample(3, "some bugs once more, in kernels with LLK")
@of(LLK_BUGS)
def test_bug_with_llk(bug: Bug, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    want_llk(monkeypatch)
    checked(bug, tmp_path)


@pytest.mark.sample(3, "the same kernels without their bugs")
@of(tuple(bug for bug in (*BUGS, *LLK_BUGS) if bug.right))
def test_without_the_bug(bug: Bug, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel with the additions for the bug's sake has no bug."""
    if bug in LLK_BUGS:
        want_llk(monkeypatch)
    else:
        want(find_tool, *C_TOOLS)
    assert IS_RIGHT in typed(RUN, made(bug, bug.template, tmp_path))


def test_the_manual_has_all_of_them() -> None:
    text = BLOCK.read()
    assert text.startswith(f"{table(BUGS)}\n{table(LLK_BUGS)}\n")
    assert text.count("\n## ") == len(BUGS)


def test_a_kernel_that_has_changed() -> None:
    """Nothing is planted in silence."""
    with pytest.raises(ValueError, match="bug: the kernel has 0 times 'c'"):
        edited("bug", "ab", [Edit("a", "b"), Edit("c", "d")])
    with pytest.raises(ValueError, match="2 times 'b'"):
        edited("bug", "ab", [Edit("a", "b"), Edit("b", "d")])
