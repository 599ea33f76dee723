# SPDX-License-Identifier: Apache-2.0
"""Programs that are no single file: one for each hart, several files, C++ without LLK, B and NC."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.testing.tile import Tile
from tests.gdbstub.kernels.kernels import C_TOOLS, CXX_TOOLS, KERNELS, want
from tests.gdbstub.kernels.sfpi.installed import installed_sfpi

SHARED = """
#include "tile.h"
SHARED volatile u32 found[5];
u32 own(void);
int main(void) { found[own()] = own() + 1; return 0; }
"""
SORTS = """
#include <algorithm>
#include <array>
constexpr std::array<unsigned, 3> given{3, 1, 2};
int main() { auto sorted = given; std::sort(sorted.begin(), sorted.end()); return sorted[0]; }
"""
COMPUTES = """
#include <stdio.h>
#include "tile.h"
SHARED volatile float half;
SHARED volatile unsigned long long many, some;
int main(void)
{
    half = 0.5f; many = 3ull << 32; some = 3ull << 2;
    printf("the half of it is %d\\n", (int)(many / some * half));
    return 0;
}
"""
CONSTRUCTS = """
struct Counter { Counter(); int value; } counter;
Counter::Counter() : value(5) {}
int main() { return counter.value; }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_for_each_hart_and_one_for_all(folder: Path, tool: Callable[[str], str]) -> None:
    want(tool, *C_TOOLS)
    harts = ("b", "t0", "t1", "t2", "nc")
    typed = []
    for number, hart in enumerate(harts):
        (folder / f"{hart}.c").write_text(f"unsigned own(void) {{ return {number}; }}\n", "utf-8")
        typed += [f"{hart}.c", f"--{hart}=main.c"]
    (folder / "main.c").write_text(SHARED, "utf-8")
    assert main(["build", *typed]) == 0
    with Tile(**{hart: folder / "build" / f"{hart}.elf" for hart in harts}) as tile:
        tile.run_to_end()
        assert [tile.b[f"found[{number}]"] for number in range(5)] == [1, 2, 3, 4, 5]


def test_cpp_without_llk(folder: Path, tool: Callable[[str], str]) -> None:
    """The C++ library, and the kernel in C as C++."""
    want(tool, *CXX_TOOLS)
    (folder / "sorts.cpp").write_text(SORTS, "utf-8")
    (folder / "add.cpp").write_text((KERNELS / "template" / "add.c").read_text("utf-8"), "utf-8")
    assert main(["build", "--b", "sorts.cpp", "add.cpp"]) == 0
    with Tile() as tile:
        for hart in ("b", "t0", "t1", "t2"):
            tile.load(hart, folder / "build" / f"{hart}.elf")
        tile.run_to_end()
        assert tile.b.registers["a0"] == 1


def test_floats_numbers_of_64_bits_and_printf(
    folder: Path, tool: Callable[[str], str], capfd: pytest.CaptureFixture[str]
) -> None:
    """The library does what no instruction of a hart does; printf is a semihosting call."""
    want(tool, *CXX_TOOLS)
    (folder / "t0.c").write_text(COMPUTES, "utf-8")
    assert main(["build", "t0.c"]) == 0
    assert main(["run", "--dir", "build", "--semihosting"]) == 0
    assert "the half of it is 536870912\n" in capfd.readouterr().out


def test_printf_needs_the_library_of_debian(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    installed_sfpi(monkeypatch)
    (folder / "b.c").write_text(
        '#include <stdio.h>\nint main(void) { return printf("%d", 1); }\n', "utf-8"
    )
    assert main(["build", "b.c"]) == 2
    assert capfd.readouterr().err.endswith("that of Debian does, with --sfpi none\n")


def test_what_the_compiler_says_of_each_hart_in_order(
    folder: Path, tool: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Warnings of those that can be compiled, and the first that cannot be; that of later ones is
    the same mostly."""
    want(tool, *C_TOOLS)
    slow = "".join(f"int unused_{n}(void) {{ int x{n}; return 0; }}\n" for n in range(300))
    (folder / "b.c").write_text(f"{slow}int main(void) {{ return 0; }}\n", "utf-8")
    for hart in ("t0", "t2"):
        (folder / f"{hart}.c").write_text(f"int main(void) {{ return wrong_{hart}; }}\n", "utf-8")
    assert main(["build", "t2.c", "t0.c", "b.c"]) == 2
    said = capsys.readouterr().err
    assert said.index("unused variable 'x0'") < said.index("wrong_t0")
    assert "wrong_t2" not in said
    assert "t0.c cannot be compiled for T0" in said
    assert not list(folder.glob("build/*"))


def test_what_cannot_be_linked(
    folder: Path, tool: Callable[[str], str], capfd: pytest.CaptureFixture[str]
) -> None:
    """Constructors that nothing would call; code or an array that is too large; no main."""
    want(tool, *CXX_TOOLS)
    (folder / "t0.cpp").write_text(CONSTRUCTS, "utf-8")
    (folder / "t1.c").write_text('int main(void) { __asm__(".zero 0x4000"); return 0; }\n', "utf-8")
    (folder / "t2.c").write_text("int other;\n", "utf-8")
    (folder / "nc.c").write_text("int many[2000]; int main(void) { return many[5]; }\n", "utf-8")
    for name, hart, why in (
        ("t0.cpp", "T0", "no constructor of a global object is called: make it constexpr"),
        ("t1.c", "T1", "too much code for this hart"),
        ("t2.c", "T2", "undefined reference to `main'"),
        ("nc.c", "NC", "no room for a stack in local RAM: large arrays belong into L1"),
    ):
        assert main(["build", name]) == 2
        said = capfd.readouterr().err
        assert why in said
        assert said.endswith(f"tensix-gdb: the program of {hart} cannot be linked\n")
    assert not list((folder / "build").iterdir())
