# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb ttnn -- ./program`: an executable gets the environment that a script gets."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.host.ttnn.environment import ROOT
from tensix_gdb.gdbstub.kernels.sfpi.find import COMPILER

Capture = pytest.CaptureFixture[str]
SAYS = """#!/bin/sh
echo "$*" $TT_METAL_RUNTIME_ROOT $TT_METAL_SLOW_DISPATCH_MODE
folder=${TT_METAL_SIMULATOR%/libtensix-gdb.so}
test -r "$TT_METAL_SIMULATOR" && test -r "$folder/soc_descriptor.yaml" || exit 1
exit 7
"""


def tt_metal(folder: Path) -> Path:
    """A folder that is taken for tt-metal, with a compiler."""
    compiler = folder / "runtime" / "sfpi" / COMPILER
    compiler.parent.mkdir(parents=True)
    compiler.touch()
    (folder / "tt_metal").mkdir()
    return folder


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An executable in the working directory, and a ttnn."""
    (tt_metal(tmp_path / "ttnn") / "__init__.py").touch()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(ROOT, raising=False)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "host"
    path.write_text(SAYS, "ascii")
    path.chmod(0o755)
    return path


def said(capfd: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["ttnn", "--python", sys.executable, "--port", "0", "--", *words]) == 7
    return capfd.readouterr().out.split()


@pytest.mark.parametrize("way", ["./host", "host", "on the path"])
def test_it_finds_the_tt_metal_of_ttnn(
    way: str, program: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library of tt-metal looks for a checkout in the working directory, and not for a wheel."""
    if way == "on the path":
        monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
        (program.parent / "elsewhere").mkdir()
        monkeypatch.chdir(program.parent / "elsewhere")
        way = "host"
    assert said(capfd, way, "-x", "two") == ["-x", "two", str(program.parent / "ttnn"), "1"]


def test_it_needs_no_ttnn_where_a_tt_metal_is_named(
    program: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tt_metal(program.parent / "own")
    monkeypatch.setenv(ROOT, str(own))
    (program.parent / "ttnn" / "__init__.py").unlink()
    monkeypatch.setenv("PYTHONPATH", "")
    assert said(capfd, "./host") == [str(own), "1"]


def test_a_script_is_pythons_also_if_it_is_executable(program: Path, capfd: Capture) -> None:
    script = program.with_suffix(".py")
    script.write_text("import sys, ttnn\nprint(*sys.argv[1:])\nsys.exit(7)\n", "ascii")
    script.chmod(0o755)
    assert said(capfd, "host.py", "1") == ["1"]
    assert said(capfd, "-c", "import sys, ttnn; print(2); sys.exit(7)") == ["2"]


@pytest.mark.parametrize("word", ["./nothing", "no-such-program.py"])
def test_none_is_there(word: str, program: Path, capfd: Capture) -> None:
    assert main(["ttnn", "--", word]) == 2
    assert f"{word}: there is no such program" in capfd.readouterr().err
