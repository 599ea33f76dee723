# SPDX-License-Identifier: Apache-2.0
"""No file outside of the folders that the user has named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.mcp import roots
from tensix_gdb.gdbstub.mcp.roots import Roots
from tensix_gdb.gdbstub.usage import UsageError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file, beside another with a secret."""
    for name in ("open/below", "closed"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "open/below/a.elf").write_bytes(b"a")
    (tmp_path / "closed/secret").write_bytes(b"s")
    return tmp_path


@pytest.mark.parametrize("name", ["below/a.elf", "./below/a.elf", "{}/open/below/a.elf"])
def test_a_file_below(folder: Path, name: str) -> None:
    found = Roots([str(folder / "open")]).file(name.format(folder))
    assert found == folder / "open/below/a.elf"


def test_a_relative_name_is_looked_for_in_every_folder(folder: Path) -> None:
    both = Roots([str(folder / "open"), str(folder / "closed")])
    assert both.file("secret") == folder / "closed/secret"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("{}/closed/secret", "is in none of the folders that may be read"),
        ("/etc/passwd", "is in none of the folders that may be read"),
        ("{}/open/../closed/secret", "a name with `..` is refused"),
        ("../closed/secret", "a name with `..` is refused"),
        ("none", "there is no such file in"),
        ("{}/open/none", "cannot be read: No such file or directory"),
        ("below", "is no file"),
        ("link", "is reached by a symbolic link"),
        ("linked/secret", "is reached by a symbolic link"),
        ("inside", "is reached by a symbolic link"),
        ("{}/open/below/a.elf\0", "is refused"),
        ("pipe", "is no file"),
        ("{}/openly", "is in none of the folders"),
    ],
)
def test_refused(folder: Path, name: str, said: str) -> None:
    (folder / "open/link").symlink_to(folder / "closed/secret")
    (folder / "open/linked").symlink_to(folder / "closed")
    (folder / "open/inside").symlink_to(folder / "open/below/a.elf")
    (folder / "openly").write_bytes(b"")
    os.mkfifo(folder / "open/pipe")
    with pytest.raises(UsageError) as problem:
        Roots([str(folder / "open")]).file(name.format(folder))
    assert said in str(problem.value)
    assert "\n" not in str(problem.value)


def test_no_folder_is_none(folder: Path) -> None:
    with pytest.raises(UsageError, match="no folder may be read; start tensix-gdb mcp with --root"):
        Roots([]).file(str(folder / "open/below/a.elf"))


def test_a_folder_that_is_reached_by_a_link_is_itself(folder: Path) -> None:
    """The user has named it."""
    (folder / "named").symlink_to(folder / "open")
    assert Roots([str(folder / "named")]).file("below/a.elf") == folder / "open/below/a.elf"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="none: there is no such folder"):
        Roots([str(tmp_path / "none")])


def test_a_file_that_is_too_large(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roots, "MAX_BYTES", 0)
    with pytest.raises(UsageError, match="has more than 0 MiB"):
        Roots([str(folder / "open")]).file("below/a.elf")
