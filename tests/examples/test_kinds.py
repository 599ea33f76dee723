# SPDX-License-Identifier: Apache-2.0
"""Kinds of failures that public reports are about: the page of each names its cause first, and the
manual's table is what was measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.examples.kinds.__main__ import BLOCK
from scripts.examples.kinds.inputs import KINDS
from scripts.examples.kinds.kind import LLK, Kind, first_cause, table
from tests.gdbstub.kernels.kernels import C_TOOLS, want, want_llk
from tests.programs.build import COMPILER, compiler_version
from tests.tools import find_tool

PAGE = """the program hangs
    after 10 cycles
most likely (hang): T0: polls L1 0x20000, at 0x00006004, main at t0.c:4 (through f at another.h:3):
    it is 0
    more
also possible:
    (fault) at t0.c:9
"""


@pytest.mark.sample(9, "kernels of a few lines, of the same kinds")
@pytest.mark.parametrize("kind", KINDS, ids=[kind.name.replace(" ", "-") for kind in KINDS])
def test_kind(kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if kind.kernel == LLK:
        want_llk(monkeypatch)
    else:
        want(find_tool, *C_TOOLS)
    page = kind.page(tmp_path)
    assert kind.is_named_by(page), page
    if kind.kernel == LLK or compiler_version() == COMPILER:
        assert kind.row(page) in BLOCK.read(), f"run `{BLOCK.maker}`"


def test_the_manual_has_all_of_them() -> None:
    rows = BLOCK.read().splitlines()
    assert rows[:2] == table([]).splitlines()
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows[2:]] == [k.name for k in KINDS]


def test_the_first_cause_of_a_page() -> None:
    assert first_cause(PAGE) == "hang: T0: polls L1 0x20000, at main at t0.c:4: it is 0"
    assert first_cause("nothing found\n") == "nothing"
    kind = Kind("a poll", "", "", "hang", r"main at t0.c:4")
    assert kind.is_named_by(PAGE)
    assert not Kind("a poll", "", "", "hang", r"t0.c:9").is_named_by(PAGE), "of another cause"
    assert not Kind("a poll", "", "", "fault", r"t0.c:9").is_named_by(PAGE), "it is not the first"


def test_each_input_has_its_line() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    for kind in KINDS:
        assert bool(kind.place) == bool(kind.guilty), kind.name
        assert ("PLACE" in kind.names) == bool(kind.guilty), kind.name
