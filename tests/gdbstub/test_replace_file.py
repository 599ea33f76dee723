# SPDX-License-Identifier: Apache-2.0
"""A file is replaced at once, or left as it was."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.replace_file import replace_file


def test_a_reader_sees_a_whole_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the new one is in its place the old one is there: `llk whole` reads reports while a
    tile writes them, and once read an empty one."""
    path = tmp_path / "races.json"
    path.write_text("old")
    seen = []
    move = os.replace

    def moved(new: str, old: Path) -> None:
        seen.append((Path(new).read_text(), old.read_text()))
        move(new, old)

    monkeypatch.setattr(os, "replace", moved)
    replace_file(path, b"new")
    assert seen == [("new", "old")]
    assert path.read_text() == "new"
    assert [each.name for each in tmp_path.iterdir()] == ["races.json"]


def test_a_failure_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "races.json"
    path.write_text("old")

    def full(new: str, old: Path) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        replace_file(path, b"new")
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["races.json"]


def test_what_is_no_file_is_written_to() -> None:
    replace_file(Path("/dev/null"), b"new")
    assert not Path("/dev/null").is_file()
