# SPDX-License-Identifier: Apache-2.0
"""The compiler of a ttnn program: where tt-metal finds it by itself, and where it needs links."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.host.ttnn.compiler import root_with_compiler
from tensix_gdb.gdbstub.host.ttnn.environment import ROOT, environment
from tensix_gdb.gdbstub.kernels.compilers import CXX_LIBRARY
from tensix_gdb.gdbstub.kernels.sfpi import find
from tensix_gdb.gdbstub.kernels.sfpi.find import COMPILER, in_cache
from tensix_gdb.gdbstub.usage import UsageError


@pytest.fixture
def ttnn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ttnn without a compiler, on a machine without one."""
    monkeypatch.setattr(find, "INSTALLED", tmp_path / "opt")
    monkeypatch.setattr(find, "ttnn_folders", list)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    for name in ("SFPI", ROOT):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "site" / "ttnn"
    for name in ("tt_metal", "runtime/hw"):
        (folder / name).mkdir(parents=True)
    return folder


def sfpi(folder: Path) -> Path:
    (folder / COMPILER).parent.mkdir(parents=True)
    (folder / COMPILER).write_text("#!/bin/sh\n", "ascii")
    (folder / COMPILER).chmod(0o755)
    return folder


def test_ttnn_of_a_checkout(ttnn: Path, tmp_path: Path) -> None:
    """Its tt-metal is two folders up: links to the package alone have no firmware in them."""
    place, checkout = sfpi(in_cache()), tmp_path / "checkout"
    (checkout / "tt_metal").mkdir(parents=True)
    (checkout / "ttnn" / "ttnn").mkdir(parents=True)
    root = root_with_compiler(checkout / "ttnn" / "ttnn")
    assert root is not None
    assert (root / "tt_metal").resolve() == (checkout / "tt_metal").resolve()
    assert (root / "runtime" / "sfpi").resolve() == place.resolve()
    sfpi(checkout / "runtime" / "sfpi")
    assert root_with_compiler(checkout / "ttnn" / "ttnn") is None


def test_an_sfpi_without_wormholes_headers(ttnn: Path, tmp_path: Path) -> None:
    """Its C++ compiler gets those of all chips; that of Blackhole is the file itself."""
    place = sfpi(in_cache())
    headers = place / CXX_LIBRARY / "15.1.0/riscv-tt-elf"
    (headers / "bh-ilp32/bits").mkdir(parents=True)
    (headers / "bh-ilp32/bits/c++config.h").write_text("")
    (place / COMPILER).write_text('#!/bin/sh\necho "$@"\n', "ascii")
    (place / COMPILER).with_name("riscv-tt-elf-nm").write_text("")
    of_blackhole, root = (
        root_with_compiler(ttnn, arch) for arch in (Arch.BLACKHOLE, Arch.WORMHOLE)
    )
    assert of_blackhole is not None
    assert root is not None
    assert root != of_blackhole
    assert (of_blackhole / "runtime" / "sfpi").resolve() == place.resolve()
    there = root / "runtime" / "sfpi"
    said = subprocess.run([there / COMPILER, "-c", "a b.cc"], capture_output=True, text=True)
    assert said.stdout == f"-isystem {headers} -c a b.cc\n"
    linked = (there / COMPILER).with_name("riscv-tt-elf-nm")
    assert linked.resolve() == (place / COMPILER).with_name("riscv-tt-elf-nm").resolve()


def test_a_folder_without_tt_metal(ttnn: Path) -> None:
    sfpi(in_cache())
    (ttnn / "tt_metal").rmdir()
    with pytest.raises(UsageError, match="it has no tt_metal"):
        root_with_compiler(ttnn)


def test_an_sfpi_that_does_not_run(ttnn: Path) -> None:
    """It would be a failure of each kernel."""
    (sfpi(in_cache()) / COMPILER).write_text("#!/bin/sh\nexit 1\n", "ascii")
    with pytest.raises(UsageError, match="does not run here: `tensix-gdb sfpi` shows"):
        root_with_compiler(ttnn)


@pytest.mark.parametrize("place", ["opt", "site/ttnn/runtime/sfpi"])
def test_tt_metal_finds_it_by_itself(place: str, ttnn: Path, tmp_path: Path) -> None:
    sfpi(tmp_path / place)
    assert root_with_compiler(ttnn) is None
    assert not (tmp_path / "cache").exists()


def test_none_is_there(ttnn: Path) -> None:
    with pytest.raises(UsageError, match="no compiler for kernels: `tensix-gdb sfpi --install`"):
        root_with_compiler(ttnn)


def test_one_elsewhere_gets_a_folder_of_links(ttnn: Path) -> None:
    """Once; and the wheel's folder stays as it is."""
    before = sorted(ttnn.rglob("*"))
    place = sfpi(in_cache())
    root = root_with_compiler(ttnn)
    assert root is not None
    assert (root / "runtime" / "sfpi").resolve() == place.resolve()
    assert (root / "runtime" / "hw").resolve() == (ttnn / "runtime" / "hw").resolve()
    assert (root / "tt_metal").resolve() == (ttnn / "tt_metal").resolve()
    assert root_with_compiler(ttnn) == root
    assert sorted(ttnn.rglob("*")) == before
    assert environment(ttnn, ttnn, root=root)[ROOT] == str(root)


def test_one_that_is_named_comes_before_that_of_the_wheel(
    ttnn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sfpi(ttnn / "runtime" / "sfpi")
    monkeypatch.setenv("SFPI", str(sfpi(tmp_path / "mine")))
    root = root_with_compiler(ttnn)
    assert root is not None
    assert (root / "runtime" / "sfpi").resolve() == (tmp_path / "mine").resolve()
    monkeypatch.setenv("SFPI", "none")
    assert root_with_compiler(ttnn) is None


def test_a_folder_of_the_user_stays(
    ttnn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sfpi(in_cache())
    monkeypatch.setenv(ROOT, str(tmp_path / "own"))
    with pytest.raises(UsageError, match=rf"^{ROOT} is .*own, which has no runtime/sfpi: unset it"):
        root_with_compiler(ttnn)
    sfpi(tmp_path / "own" / "runtime" / "sfpi")
    assert root_with_compiler(ttnn) is None
