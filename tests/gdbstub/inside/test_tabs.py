# SPDX-License-Identifier: Apache-2.0
"""TAB after `tensix`: the command is called as recorded GDBs call it (tests/gdb/tabs.py)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

import pytest

from tests.gdbstub.inside.made_up_gdb import inside

FILES = sorted((Path(__file__).resolve().parent / "tabs").glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_line_is_completed(path: Path) -> None:
    with inside("commands") as commands:
        tensix = commands.Tensix()
        for tab in json.loads(path.read_text("ascii")):
            (before, first), (text, word) = tab["asked"]
            assert (before, first) == (text, None), "asked only for where a word begins"
            assert tensix.complete(before, None) == [], "an exception is shown at each TAB"
            rest = completed(tensix.complete(text, word), word)
            assert tab["line"] + rest == tab["shown"]


def completed(found: Sequence[str], word: str) -> str:
    """Complete a word as GDB does: by what all have in common, and a blank after the only one."""
    same = takewhile(lambda letters: len(set(letters)) == 1, zip(*found, strict=False))
    common = "".join(letters[0] for letters in same)
    return common[len(word) :] + " " * (len(found) == 1)


def test_two_generations_are_recorded() -> None:
    assert [path.stem for path in FILES] == ["gdb13", "gdb17"]
