# SPDX-License-Identifier: Apache-2.0
"""Which file is for which hart; what is wrong is one sentence that says what to type."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.parser import parse
from tensix_gdb.gdbstub.kernels.sources import by_hart, has_run_kernel, uses_llk
from tests.gdbstub.kernels.kernels import KERNELS, MAIN, refusal

THREE = "#ifdef LLK_TRISC_MATH\nint main(void) { return 0; }\n#endif\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("unpack.c", "my-math.cpp", "t2_pack.c", "brisc.c", "nc.c", "other.c", "a.txt"):
        (tmp_path / name).write_text(MAIN, "utf-8")
    (tmp_path / "unpack_add.c").write_text(THREE, "utf-8")
    (tmp_path / "test.cpp").write_text("void run_kernel(RUNTIME_PARAMETERS params) {}", "utf-8")
    (tmp_path / "compute.cpp").write_text('#include "api/compute/tile_move_copy.h"\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("SFPI", raising=False)
    return tmp_path


SHARED = {
    "unpack.c my-math.cpp t2_pack.c": {"T0": "unpack.c", "T1": "my-math.cpp", "T2": "t2_pack.c"},
    "unpack_add.c": {"T0": "unpack_add.c", "T1": "unpack_add.c", "T2": "unpack_add.c"},
    "--t1 other.c": {"T1": "other.c"},
    "--t1 other.c --t1 unpack.c": {"T1": "other.c unpack.c"},
    "unpack_add.c --b brisc.c --nc nc.c": {
        **dict.fromkeys(("T0", "T1", "T2"), "unpack_add.c"), "B": "brisc.c", "NC": "nc.c"
    },
    "brisc.c -o out nc.c": {"B": "brisc.c", "NC": "nc.c"},
}  # fmt: skip


@pytest.mark.parametrize("typed", SHARED)
@pytest.mark.usefixtures("folder")
def test_which_file_is_for_which_hart(typed: str) -> None:
    found = by_hart(parse(["build", *typed.split()]).options)
    assert {hart: " ".join(map(str, paths)) for hart, paths in found.items()} == SHARED[typed]


WRONG = {
    "": "no sources: name one file for the three T cores, as in `tensix-gdb build add.cpp`",
    "gone.c": "gone.c: cannot be read: No such file or directory",
    "--t0 gone.c": "gone.c: cannot be read: No such file or directory",
    "a.txt": "a.txt: is no C or C++ source; their names end in .c, .cpp, .cc, .cxx",
    "other.c": "other.c: says neither by its name (unpack, math, pack, t0, t1, t2, b, nc) nor by",
    "test.cpp": "test.cpp: is a kernel of LLK's own tests, and their runner writes its parameters",
    "compute.cpp": "compute.cpp: includes tt-metal's kernel API, which tt-metal compiles",
    "unpack.c": "no compiler for the harts: on Debian, `apt-get install gcc-riscv64-unknown-elf`",
    "unpack.c --sfpi nowhere": "--sfpi nowhere: has no compiler/bin/riscv-tt-elf-g++",
}


@pytest.mark.parametrize("typed", WRONG)
@pytest.mark.usefixtures("folder")
def test_what_is_wrong(
    typed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tensix_gdb.gdbstub.kernels.sfpi.find.here", lambda: iter(()))
    assert refusal(capsys, "build", *typed.split()).startswith(WRONG[typed])


def test_kernels_with_llk() -> None:
    with_llk, without = KERNELS / "template/add.cpp", KERNELS / "template/add.c"
    assert uses_llk({"T0": [without], "T1": [with_llk]})
    assert not uses_llk({"T0": [without]})
    assert has_run_kernel([with_llk])
    assert not has_run_kernel([without])


@pytest.mark.parametrize("header", ["sfpi.h", "llk_pack.h"])
def test_what_needs_tenstorrents_compiler(
    header: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], tool: Callable[[str], str]
) -> None:
    """Debian's would say that a header is missing."""
    tool("riscv64-unknown-elf-gcc")
    source = tmp_path / "math.cpp"
    source.write_text(f'#include "{header}"\nint main() {{ return 0; }}\n', "ascii")
    said = refusal(capsys, "build", str(source), "--sfpi", "none", "-o", str(tmp_path / "build"))
    assert said.startswith("a kernel with LLK or sfpi.h needs Tenstorrent's compiler; ")
    assert "`tensix-gdb sfpi --install`" in said
