# SPDX-License-Identifier: Apache-2.0
"""Wheel and source archive as a user gets them, in a new environment of each Python here.

`pip install` and `pipx run --spec WHEEL tensix-gdb` do no more than this: an environment with the
wheel and what it depends on, and the command of the package's own name.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from tests.layers.style import ROOT
from tests.pythons import pythons
from tests.tools import find_tool, unavailable

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
DEMO = "import tensix_gdb.gdbstub.demo as d; print(d.__path__[0] + '/programs')"


def ran(*command: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """A command as from a user's shell: nothing of the checkout is on its path."""
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The source archive of the checkout, and the wheel that is built of that archive."""
    folder = tmp_path_factory.mktemp("dist")
    done = ran(sys.executable, "-m", "build", "--outdir", folder, ROOT)
    if "No matching distribution" in done.stdout + done.stderr:
        unavailable("there is no index of packages to build with")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    (source,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    return source, wheel


@pytest.mark.long("test_installed.py installs the checkout")
def test_the_text_of_the_licence_is_in_both(archives: tuple[Path, Path]) -> None:
    source, wheel = archives
    licence = (ROOT / "scripts/package/LICENSE").read_text()
    assert licence.lstrip().startswith("Apache License")
    with zipfile.ZipFile(wheel) as file:
        (name,) = [one for one in file.namelist() if one.endswith("/LICENSE")]
        assert ".dist-info/licenses/" in name
        assert file.read(name).decode() == licence
        (meta,) = [one for one in file.namelist() if one.endswith(".dist-info/METADATA")]
        told = message_from_bytes(file.read(meta))
    assert told["License-Expression"] == PROJECT["license"] == "Apache-2.0"
    assert told["Requires-Python"] == PROJECT["requires-python"]
    with tarfile.open(source) as archive:
        names = archive.getnames()
    assert any(name.endswith("/scripts/package/LICENSE") for name in names)


@pytest.mark.long("test_installed.py installs the checkout")
def test_the_wheel_is_of_the_checkout(archives: tuple[Path, Path]) -> None:
    """The archive in between loses no module and no chapter."""
    done = ran("git", "ls-files", "core", "gdbstub", cwd=ROOT)
    wanted = {name for name in done.stdout.split() if name.endswith(".py")}
    wanted |= {name for name in done.stdout.split() if name.startswith("gdbstub/manual/")}
    with zipfile.ZipFile(archives[1]) as file:
        packed = {name.removeprefix("tensix_gdb/") for name in file.namelist()}
    assert wanted - packed == set()


@pytest.fixture(scope="module", params=pythons().items(), ids=lambda item: item[0])
def environment(
    request: pytest.FixtureRequest,
    archives: tuple[Path, Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[str, Path]:
    """The version of a Python, and the commands of a new environment of it with the wheel."""
    version, program = request.param
    folder = tmp_path_factory.mktemp(f"env-{version}")
    assert ran(program, "-m", "venv", folder).returncode == 0
    done = ran(folder / "bin/python", "-m", "pip", "install", "--quiet", archives[1])
    if "No matching distribution" in done.stderr:
        unavailable(f"the packages for Python {version} cannot be had: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    return version, folder / "bin"


@pytest.mark.sample(9, "one Python of those that are here")
def test_what_a_new_user_types(environment: tuple[str, Path], tmp_path: Path) -> None:
    version, commands = environment
    command = commands / "tensix-gdb"
    shown = ran(command, "--version", cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.splitlines()[0].split() == ["tensix-gdb", PROJECT["version"]]
    assert f"Python      {version}." in shown.stdout
    programs = ran(commands / "python", "-c", DEMO, cwd=tmp_path).stdout.strip()
    done = ran(command, "run", "--dir", programs, "--until", "publish", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "# Changes" in ran(command, "manual", "changes", cwd=tmp_path).stdout
    assert "complete" in ran(command, "completion", "bash", cwd=tmp_path).stdout


@pytest.mark.sample(9, "one Python of those that are here")
@pytest.mark.gdb
def test_the_demo(environment: tuple[str, Path], tmp_path: Path) -> None:
    find_tool("gdb-multiarch")
    done = ran(environment[1] / "tensix-gdb", "demo", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "(gdb) continue" in done.stdout
