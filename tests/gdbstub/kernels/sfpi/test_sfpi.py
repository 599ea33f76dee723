# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb sfpi`: what it finds, and what it installs: whole, checked, or not at all."""

from __future__ import annotations

import json
import os
import stat
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.kernels.compilers import find_compiler
from tensix_gdb.gdbstub.kernels.sfpi import find, install, pinned
from tensix_gdb.gdbstub.kernels.sfpi.find import COMPILER, find_sfpi
from tensix_gdb.gdbstub.kernels.sfpi.version import Version, version_of
from tests.gdbstub.kernels.sfpi.wheels import GXX, library, write_wheel

Capture = pytest.CaptureFixture[str]
VERSION = Version("9.8.7", "15.1.0")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with nothing installed, where pip has nothing to download either."""
    monkeypatch.setattr(find, "INSTALLED", tmp_path / "opt")
    monkeypatch.setattr(find, "ttnn_folders", lambda: [tmp_path / "ttnn"])
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.delenv("SFPI", raising=False)
    set_pip(tmp_path, monkeypatch, "echo no network >&2; exit 1")
    return tmp_path


def set_pip(home: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Let the Python that runs pip be a script."""
    program(home / "python", f'#!/bin/sh\necho "$@" >> {home}/asked\n{script}\n')
    monkeypatch.setattr("sys.executable", str(home / "python"))


def program(path: Path, text: str = GXX) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def wheel(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The wheel of these tests, pinned."""
    path, row = write_wheel(home)
    monkeypatch.setattr(pinned, "PINNED", row)
    return path


def said(capsys: Capture, *typed: str, status: int = 0) -> tuple[str, str]:
    """Run the command; return its lines without their breaks, and those of standard error."""
    assert main(["sfpi", *typed]) == status
    out, err = capsys.readouterr()
    return " ".join(out.split()), " ".join(err.split())


def test_none_is_there(home: Path, capsys: Capture) -> None:
    """It says what would be downloaded, how large that is, and where to; nothing is asked of
    pip."""
    out, _ = said(capsys, status=1)
    assert out.startswith("no SFPI is used")
    assert "`tensix-gdb sfpi --install` downloads jax-tt-plugin==0.1.3 with pip (84 MB;" in out
    assert out.endswith(f"to {home}/cache/tensix-gdb/sfpi/7.87.0")
    assert not (home / "asked").exists()
    assert not (home / "cache").exists()


def test_the_first_place_is_used(home: Path, capsys: Capture) -> None:
    """And the others are shown, one that does not run too."""
    program(home / "ttnn/runtime/sfpi" / COMPILER, "#!/bin/sh\nexit 1\n")
    out, _ = said(capsys, status=1)
    assert out == f"the SFPI in {home}/ttnn/runtime/sfpi (tt-metal or ttnn) does not run here"
    program(home / "opt" / COMPILER)
    out, _ = said(capsys)
    first, other = out.split(" not used: ")
    assert first == f"SFPI 9.8.7, GCC 15.1.0: {home}/opt (its package)"
    assert other == f"does not run here: {home}/ttnn/runtime/sfpi (tt-metal or ttnn)"
    out, _ = said(capsys, "--json")
    rows = json.loads(out)
    assert rows["used"]["release"] == "9.8.7"
    assert [row["gcc"] for row in rows["others"]] == [None]


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ("riscv-tt-elf-g++ (tenstorrent/sfpi:7.87.0[1023]) 15.1.0", Version("7.87.0", "15.1.0")),
        ("riscv-tt-elf-g++ (GCC) 12.4.0", Version("", "12.4.0")),
        ("", Version("", "")),
    ],
)
def test_versions(line: str, version: Version, home: Path) -> None:
    program(home / COMPILER, f"#!/bin/sh\necho '{line}'\n")
    assert version_of(home) == version
    assert str(version)


def test_install(home: Path, wheel: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """pip brings the wheel; the cache gets SFPI alone, and compilers are found there. The second
    time there is nothing to do."""
    set_pip(home, monkeypatch, f'while [ $# -gt 1 ]; do shift; done; cp {wheel} "$1"')
    out, err = said(capsys, "--install")
    folder = home / "cache/tensix-gdb/sfpi/9.8.7"
    assert err.startswith("downloading jax-tt-plugin==0.1.3 with pip (84 MB; unpacked 0 MB) ...")
    assert out == f"SFPI 9.8.7, GCC 15.1.0: {folder} (the user's cache)"
    asked = (home / "asked").read_text()
    assert " download --quiet --no-deps jax-tt-plugin==0.1.3 --only-binary=:all:" in asked
    assert sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()) == [
        "compiler/bin/riscv-tt-elf-g++",
        "include/sfpi.h",
    ]
    assert stat.S_IMODE((folder / COMPILER).stat().st_mode) == 0o755
    assert stat.S_IMODE((folder / "include/sfpi.h").stat().st_mode) == 0o644
    assert [path.name for path in folder.parent.iterdir() if path.is_dir()] == ["9.8.7"]
    compiler = find_compiler()
    assert compiler.sfpi == folder
    assert compiler.name == "SFPI 9.8.7, GCC 15.1.0"
    out, _ = said(capsys, "--install")
    assert out.startswith(f"SFPI 9.8.7 is in {folder} already: nothing was downloaded")
    assert (home / "asked").read_text() == asked


def test_a_wheel_that_is_here(home: Path, wheel: Path, capsys: Capture) -> None:
    _, err = said(capsys, "--install", "--wheel", str(wheel))
    assert err.startswith("unpacking SFPI 9.8.7 into ")
    assert wheel.exists()
    assert not (home / "asked").exists()


def test_none_is_wanted(
    home: Path, wheel: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then Debian's compiler is taken, although SFPI is here."""
    program(home / "opt" / COMPILER)
    out, _ = said(capsys, "--sfpi", "none", status=1)
    assert out.startswith("no SFPI is used")
    assert "not used: 9.8.7" in out
    monkeypatch.setenv("SFPI", "none")
    assert find_sfpi() is None
    assert find_sfpi(str(home / "opt")) is not None


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("no network", "pip cannot download jax-tt-plugin==0.1.3: no network"),
        ("another file", "its SHA-256 is "),
        ("no archive", "has no archive that begins with runtime/"),
        ("no compiler", "does not run here: it wants glibc 2.34 or newer"),
        ("another machine", "is for Linux on x86-64, and this is linux on riscv64"),
        ("no zstandard", "`pip install zstandard`"),
        ("no room", "make room, or name another folder in XDG_CACHE_HOME"),
        ("no file", "nowhere.whl: cannot be read: No such file"),
    ],
)
def test_nothing_is_left_of_what_fails(
    what: str, why: str, home: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = {"no archive": b"code", "no compiler": library({})}.get(what)
    path, row = write_wheel(home, content)
    if what == "another file":
        row = replace(row, sha256="0" * 64)
    if what == "another machine":
        monkeypatch.setattr("platform.machine", lambda: "riscv64")
    if what == "no zstandard":
        monkeypatch.setitem(sys.modules, "zstandard", None)
    if what == "no room":
        row = replace(row, unpacked_bytes=1 << 80)
    monkeypatch.setattr(pinned, "PINNED", row)
    given = {"no network": (), "no file": ("--wheel", "nowhere.whl")}
    typed = given.get(what, ("--wheel", str(path)))
    _, err = said(capsys, "--install", *typed, status=2)
    assert why in err
    below = home / "cache/tensix-gdb/sfpi"
    assert [path.name for path in below.iterdir()] == ["9.8.7.lock"]
    assert find_sfpi() is None


@pytest.mark.parametrize("damage", ["no compiler", "does not run"])
def test_a_damaged_one_is_installed_anew(
    damage: str, home: Path, wheel: Path, capsys: Capture
) -> None:
    """All that was in the folder goes."""
    folder = home / "cache/tensix-gdb/sfpi/9.8.7"
    program(folder / "left.over")
    if damage == "does not run":
        program(folder / COMPILER, "#!/bin/sh\nexit 1\n")
    out, err = said(capsys, "--install", "--wheel", str(wheel))
    assert f"what is in {folder} does not run" in err
    assert out == f"SFPI 9.8.7, GCC 15.1.0: {folder} (the user's cache)"
    assert not (folder / "left.over").exists()


def test_a_damaged_one_stays_where_nothing_can_take_its_place(
    home: Path, wheel: Path, capsys: Capture
) -> None:
    folder = home / "cache/tensix-gdb/sfpi/9.8.7"
    program(folder / "left.over")
    said(capsys, "--install", "--wheel", "nowhere.whl", status=2)
    assert (folder / "left.over").exists()


def test_nothing_is_left_of_one_that_was_killed(
    home: Path, wheel: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wheel is in the folder that the next one begins with removing."""
    below = home / "cache/tensix-gdb/sfpi"
    set_pip(home, monkeypatch, f"find {below} -type d -name '.wheel-*' > {home}/while; exit 1")
    said(capsys, "--install", status=2)
    (scratch,) = (home / "while").read_text().split()
    assert Path(scratch).parent == below / "9.8.7.new"
    program(Path(scratch) / "part.whl")  # the process was killed
    said(capsys, "--install", "--wheel", str(wheel))
    assert [path.name for path in below.iterdir() if path.is_dir()] == ["9.8.7"]
    assert not list((below / "9.8.7").glob(".wheel-*"))


def test_room_for_a_wheel_that_is_here_is_not_wanted(
    home: Path, wheel: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pinned, "PINNED", replace(pinned.PINNED, bytes=1 << 80))
    assert "make room" in said(capsys, "--install", status=2)[1]
    said(capsys, "--install", "--wheel", str(wheel))


def test_pip_asks_nothing(
    home: Path, wheel: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A password for a registry would be waited for; what a terminal sends is not pip's."""
    set_pip(home, monkeypatch, f"readlink /proc/self/fd/0 > {home}/input; exit 1")
    was, (terminal, other) = os.dup(0), os.pipe()
    os.dup2(terminal, 0)
    try:
        said(capsys, "--install", status=2)
    finally:
        os.dup2(was, 0)
        for descriptor in (was, terminal, other):
            os.close(descriptor)
    assert (home / "input").read_text().strip() == "/dev/null"
    asked = (home / "asked").read_text().split()
    assert {"--no-input", "--disable-pip-version-check"} < set(asked)


def test_a_wheel_without_install(capsys: Capture) -> None:
    assert "add --install" in said(capsys, "--wheel", "x.whl", status=2)[1]


def test_what_is_pinned_is_one_file() -> None:
    """The file's name has the requirement's version and the platform."""
    row = pinned.PINNED
    name, _, version = row.requirement.partition("==")
    assert row.file == f"{name.replace('-', '_')}-{version}-py3-none-{row.platform}.whl"
    assert len(row.sha256) == 64
    assert install.megabytes(row.bytes) == "84 MB"
    assert install.megabytes(row.unpacked_bytes) == "308 MB"
