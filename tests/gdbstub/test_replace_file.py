# SPDX-License-Identifier: Apache-2.0
"""A file is replaced at once, or left as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensix_gdb.gdbstub.replace_file import replace_file


def test_a_reader_sees_a_whole_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the new one is in its place the old one is there: `llk whole` reads reports while a
    tile writes them, and once read an empty one."""
    path = tmp_path / "races.json"
    path.write_text("old")
    seen = []
    move = Path.replace

    def moved(new: Path, old: Path) -> None:
        seen.append((new.read_text(), old.read_text()))
        move(new, old)

    monkeypatch.setattr(Path, "replace", moved)
    replace_file(path, b"new")
    assert seen == [("new", "old")]
    assert path.read_text() == "new"
    assert [each.name for each in tmp_path.iterdir()] == ["races.json"]


def test_a_failure_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "races.json"
    path.write_text("old")

    def full(new: Path, old: Path) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        replace_file(path, b"new")
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["races.json"]


def test_a_link_stays_one(tmp_path: Path) -> None:
    """The file that it names is replaced, in its own folder."""
    there = tmp_path / "there"
    there.mkdir()
    (there / "races.json").write_text("old")
    link = tmp_path / "link.json"
    link.symlink_to(there / "races.json")
    replace_file(link, b"new")
    assert link.is_symlink()
    assert (there / "races.json").read_text() == "new"
    assert [each.name for each in there.iterdir()] == ["races.json"]


def test_what_is_no_file_is_written_to() -> None:
    replace_file(Path("/dev/null"), b"new")
    assert not Path("/dev/null").is_file()
