# SPDX-License-Identifier: Apache-2.0
"""The contents of an installation, and that a user's own `core` and `gdbstub` are not in its
way."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.layers.style import ROOT

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
KERNELS = ROOT / "gdbstub" / "kernels"
DEMO = ROOT / "gdbstub" / "demo" / "programs"
TEST = f'''
import core
import pytest
import tensix_gdb.core.machine


def test_whose_packages():
    assert core.MINE
    assert "site" in tensix_gdb.core.machine.__file__


@pytest.mark.tile(b="{DEMO / "b.elf"}", t0="{DEMO / "t0.elf"}")
def test_a_breakpoint(tile):
    tile.run_to("main")
'''


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the project installed as pip installs it, without what it depends on."""
    folder = tmp_path_factory.mktemp("site")
    subprocess.run(
        [*PIP, "install", "--quiet", "--no-deps", "--target", str(folder), str(ROOT)],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A user's folder, with packages of the names that this project's folders have."""
    for name in ("core", "gdbstub"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("MINE = True\n")
    (tmp_path / "test_mine.py").write_text(TEST)
    return tmp_path


def run(site: Path, project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python in the user's folder, which is first on its path, and our installation behind it."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_one_package_is_installed(site: Path) -> None:
    added = {path.name for path in site.iterdir() if not path.name.endswith(".dist-info")}
    assert added == {"tensix_gdb", "bin"}
    inside = site / "tensix_gdb"
    assert {path.name for path in inside.iterdir()} == {"core", "gdbstub"}
    assert (inside / "gdbstub" / "manual" / "session.md").is_file()
    assert (inside / "gdbstub" / "demo" / "programs" / "b.elf").is_file()


def test_a_new_project_is_built(site: Path, project: Path, tool: Callable[[str], str]) -> None:
    """Everything that `new` copies and `build` includes is installed."""
    tool("riscv64-unknown-elf-gcc")
    there = {str(path.relative_to(KERNELS)) for path in KERNELS.rglob("*") if path.is_file()}
    inside = site / "tensix_gdb" / "gdbstub" / "kernels"
    installed = {str(path.relative_to(inside)) for path in inside.rglob("*") if path.is_file()}
    assert {name for name in there ^ installed if "__pycache__" not in name} == set()
    command = ("-m", "tensix_gdb.gdbstub")
    assert run(site, project, *command, "new", "mine").returncode == 0
    assert (project / "mine" / ".vscode" / "launch.json").is_file()
    done = run(site, project, *command, "build", "mine/add.c", "-o", "out")
    assert done.returncode == 0, done.stderr
    assert (project / "out" / "t2.elf").is_file()


def test_pytest_in_a_folder_with_such_packages(site: Path, project: Path) -> None:
    done = run(site, project, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "trio_mode=0")
    assert "2 passed" in done.stdout, done.stdout + done.stderr


def test_commands_in_a_folder_with_such_packages(site: Path, project: Path) -> None:
    done = run(
        site, project, "-m", "tensix_gdb.gdbstub", "run", "--dir", str(DEMO), "--until", "main"
    )
    assert done.returncode == 0, done.stderr
    assert "manual" in run(site, project, "-m", "tensix_gdb.gdbstub", "--help").stdout
