# SPDX-License-Identifier: Apache-2.0
"""The compiler and LLK's headers are found where they are installed; what is missing is named."""

from __future__ import annotations

import importlib
import zipfile
from pathlib import Path

import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.kernels import llk
from tensix_gdb.gdbstub.kernels.compilers import DEBIAN, Compiler, find_compiler
from tensix_gdb.gdbstub.kernels.llk import find_llk
from tensix_gdb.gdbstub.kernels.sfpi import find
from tensix_gdb.gdbstub.usage import UsageError

CFG = "hw/inc/internal/tt-1xx/blackhole/cfg_defines.h"
LLK_LIB = "tt_llk_blackhole/llk_lib/llk_pack.h"


def program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    path.chmod(0o755)
    return path


def sfpi(folder: Path) -> Path:
    """An SFPI that accepts every option but one."""
    text = '#!/bin/sh\n[ "$1" != -ftt-consteval ]\n'
    for name in ("gcc", "g++"):
        program(folder / "compiler" / "bin" / f"riscv-tt-elf-{name}", text)
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with nothing installed."""
    monkeypatch.setattr(find, "INSTALLED", tmp_path / "opt")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("SFPI", "TT_METAL_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.path", [str(tmp_path / "site")])
    return tmp_path


def test_sfpi_is_preferred(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(home / "bin" / f"{DEBIAN}gcc")
    assert find_compiler() == Compiler(DEBIAN)
    (home / "site" / "ttnn").mkdir(parents=True)
    (home / "site" / "ttnn" / "__init__.py").write_text("raise ImportError\n", "utf-8")
    importlib.invalidate_caches()
    assert find_compiler() == Compiler(DEBIAN)
    for folder in (home / "site/ttnn/runtime/sfpi", home / "opt"):
        assert find_compiler().sfpi != sfpi(folder)
        assert find_compiler().sfpi == folder
    on_path = sfpi(home / "mine")
    monkeypatch.setenv("PATH", str(on_path / "compiler" / "bin"))
    assert find_compiler().sfpi == on_path
    monkeypatch.setenv("SFPI", str(sfpi(home / "set")))
    assert find_compiler().sfpi == home / "set"
    assert find_compiler(str(sfpi(home / "named"))).sfpi == home / "named"


def test_options_that_an_sfpi_does_not_know_are_left_out(home: Path) -> None:
    command = find_compiler(str(sfpi(home / "old"))).cxx(tensix=True)
    assert "-mcpu=tt-bh-tensix" in command
    assert "-ftt-nttp" in command
    assert "-ftt-consteval" not in command
    assert f"{home}/old/include" in command
    assert "-mcpu=tt-bh" in find_compiler(str(home / "old")).c(tensix=False)


def test_a_chip_for_which_an_sfpi_has_no_configuration_of_its_own(home: Path) -> None:
    """The SFPI of a wheel for Blackhole compiles C++ for Wormhole with the one for all chips."""
    folder = sfpi(home / "half")
    library = folder / "compiler/riscv-tt-elf/include/c++/15.1.0/riscv-tt-elf"
    program(library / "bh-ilp32/bits/c++config.h")
    for arch, is_added in ((Arch.BLACKHOLE, False), (Arch.WORMHOLE, True)):
        command = find_compiler(str(folder), arch).cxx(tensix=True)
        assert (str(library) in command) is is_added


def test_a_compiler_that_is_missing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"no compiler for the harts: on Debian, `apt-get install"):
        find_compiler()
    monkeypatch.setenv("SFPI", str(home))
    with pytest.raises(UsageError, match=r"^SFPI .*: has no compiler/bin/riscv-tt-elf-g\+\+$"):
        find_compiler()


def test_parts_of_a_compiler_that_are_missing(home: Path) -> None:
    program(home / "bin" / f"{DEBIAN}gcc")
    with pytest.raises(UsageError, match=r"^riscv64-unknown-elf-g\+\+ is missing, which compiling"):
        find_compiler().cxx(tensix=True)
    program(home / "bin" / f"{DEBIAN}g++", "#!/bin/sh\necho 7.1.0\n")
    with pytest.raises(UsageError, match=r"^g\+\+ is missing, .*picolibc-riscv64-unknown-elf`$"):
        find_compiler().cxx(tensix=True)
    program(home / "bin" / "g++", "#!/bin/sh\necho none-such\n")
    with pytest.raises(UsageError, match=r"headers of version 7 are missing: .*install g\+\+-7`$"):
        find_compiler().cxx(tensix=True)


@pytest.mark.parametrize(
    "place", ["tt_metal/tt-llk", "tt_metal/third_party/tt_llk", "ttnn/tt_metal/tt-llk"]
)
def test_llk_in_a_folder(place: str, home: Path) -> None:
    root = program(home / "checkout" / place / LLK_LIB).parents[2]
    hardware = home / "checkout" / place.partition("tt_metal")[0] / "tt_metal"
    with pytest.raises(UsageError, match=r"has LLK without the headers of tt-metal"):
        find_llk(str(home / "checkout"))
    program(hardware / CFG)
    for given in (home / "checkout", root):
        found = find_llk(str(given))
        assert found.root == root
        assert found.configuration == (hardware / CFG).parent
        assert f"{root}/tt_llk_blackhole/llk_lib" in found.include_options()


def test_llk_of_the_environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = program(home / "metal/tt_metal/tt-llk" / LLK_LIB).parents[2]
    program(home / "metal/tt_metal" / CFG)
    monkeypatch.setenv("TT_METAL_HOME", str(home / "metal"))
    assert find_llk(None).root == root


def test_llk_in_a_wheel(home: Path) -> None:
    wheel = home / "cache" / "tensix-gdb" / "wheels" / llk.FILE
    wheel.parent.mkdir(parents=True)
    with zipfile.ZipFile(wheel, "w") as made:
        for name in (f"ttnn/tt_metal/tt-llk/{LLK_LIB}", f"ttnn/tt_metal/{CFG}", "ttnn/other"):
            made.writestr(name, "")
    found = find_llk(None)
    assert found.configuration.is_dir()
    assert not list((home / "cache").rglob("other"))
    assert find_llk(str(wheel)) == found


def test_a_cache_that_cannot_be_written(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "file").touch()
    wheel = home / "llk.whl"
    with zipfile.ZipFile(wheel, "w") as made:
        made.writestr(f"ttnn/tt_metal/tt-llk/{LLK_LIB}", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "file"))
    wanted = r"^the cache in .*/file/tensix-gdb cannot be written: .*; name another folder in XDG_"
    for download in (False, True):
        with pytest.raises(UsageError, match=wanted):
            find_llk(None if download else str(wheel), may_download=download)


def test_llk_that_is_missing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"^LLK's headers are missing: name .* --llk DIR, or let"):
        find_llk(None)
    for path, why in ((home, "has no tt_llk_blackhole"), (home / "x", "there is no such file")):
        with pytest.raises(UsageError, match=why):
            find_llk(str(path))
    damaged = program(home / "ttnn.whl")
    with pytest.raises(UsageError, match=r"ttnn.whl: is a damaged wheel$"):
        find_llk(str(damaged))
    monkeypatch.setattr(
        "sys.executable", str(program(home / "python", "#!/bin/sh\necho no>&2;exit 1\n"))
    )
    with pytest.raises(UsageError, match=r"^pip cannot download ttnn==\S+: no$"):
        find_llk(None, may_download=True)
