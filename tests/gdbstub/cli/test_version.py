# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb --version`, and the changes that the manual tells of that version."""

from __future__ import annotations

import platform
import tomllib
from pathlib import Path

import pytest

from tensix_gdb.core.engine import jit
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.manual import text_of
from tests.layers.style import ROOT

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
Capture = pytest.CaptureFixture[str]


def shown(capsys: Capture) -> dict[str, str]:
    """The rows by name."""
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    rows = (line.partition("  ") for line in capsys.readouterr().out.splitlines())
    return {name: text.strip() for name, _, text in rows}


def test_what_a_report_has_to_name(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.object").write_bytes(bytes(2_000_000))
    monkeypatch.setenv("TENSIX_GDB_CACHE", str(tmp_path))
    rows = shown(capsys)
    found = jit.versions()
    assert list(rows) == ["tensix-gdb", "Python", "llvmlite", "LLVM", "processor", "cache"]
    assert rows["tensix-gdb"] == VERSION
    assert rows["Python"].startswith(f"{platform.python_version()}, CPython, /")
    assert (rows["llvmlite"], rows["LLVM"]) == (found.llvmlite, found.llvm)
    assert rows["processor"] == f"{found.processor}, {found.triple}"
    assert rows["cache"] == f"{tmp_path}: 1 files, 2 MB"


def test_what_is_missing_is_told(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise jit.LlvmMissingError("llvmlite is not installed")

    monkeypatch.setattr(jit, "versions", missing)
    monkeypatch.setenv("TENSIX_GDB_CACHE", "/nowhere")
    rows = shown(capsys)
    assert "choose `--engine reference`" in rows["llvmlite"]
    assert "LLVM" not in rows
    assert rows["cache"] == "/nowhere: No such file or directory"


def test_the_changes_are_those_of_this_version() -> None:
    sections = [line for line in text_of("changes").splitlines() if line.startswith("## ")]
    assert sections[0] == f"## {VERSION}"
