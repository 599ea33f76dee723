# SPDX-License-Identifier: Apache-2.0
"""A program is compiled again when anything has changed that the compiler would see, and only
then."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.kernels import building, kept_programs

KERNEL = '#include "places.h"\nint main(void)\n{\n    int unused;\n    return PLACE;\n}\n'
COMMAND = ["build", "--b", "kernel.c", "-I", "second", "-I", "first", "-o", "build"]
ELF = Path("build") / "b.elf"


@pytest.fixture(autouse=True)
def compiled(
    tmp_path: Path, tool: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """The steps in which the compiler was run, in a folder with a kernel; with its own cache."""
    tool("riscv64-unknown-elf-gcc")
    ran: list[str] = []
    run = building._run

    def note(command: Sequence[str], *more: object) -> bool:
        ran.append(command[-1])
        return run(command, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(building, "_run", note)
    monkeypatch.setattr(kept_programs, "TICK_NS", 0)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "mine"
    for name in ("first", "second"):
        (folder / name).mkdir(parents=True)
    (folder / "kernel.c").write_text(KERNEL, "utf-8")
    (folder / "first" / "places.h").write_text("#define PLACE 1\n", "utf-8")
    monkeypatch.chdir(folder)
    return ran


def runs(compiled: list[str], *more: str) -> int:
    """Build; how often the compiler was run for that."""
    compiled.clear()
    assert main([*COMMAND, *more]) == 0
    return len(compiled)


def test_nothing_has_changed(compiled: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert runs(compiled) == 3
    first = ELF.read_bytes(), ELF.stat().st_mode, capsys.readouterr()
    assert "unused variable" in first[2].err
    ELF.unlink()
    assert runs(compiled) == 0
    assert (ELF.read_bytes(), ELF.stat().st_mode, capsys.readouterr()) == first


CHANGES: dict[str, Callable[[], object]] = {
    "source": lambda: Path("kernel.c").write_text(KERNEL + "\n", "utf-8"),
    "header": lambda: Path("first/places.h").write_text("#define PLACE 2\n", "utf-8"),
    "a header that comes first": lambda: Path("second/places.h").write_text(
        "#define PLACE 3\n", "utf-8"
    ),
    "variable": lambda: os.environ.__setitem__("CPATH", "second"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_something_has_changed(
    change: str, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CPATH", "first")
    assert runs(compiled) == 3
    CHANGES[change]()
    assert runs(compiled) == 3
    assert runs(compiled) == 0
    assert runs(compiled, "-O", "2") == 3


def test_a_header_that_changes_meanwhile(
    compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compiler may have read it before or after."""
    run = building._run

    def change(command: Sequence[str], *more: object) -> bool:
        Path("first/places.h").write_text("#define PLACE 4\n", "utf-8")
        return run(command, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(kept_programs, "TICK_NS", 20_000_000)
    monkeypatch.setattr(building, "_run", change)
    assert runs(compiled) == 3
    assert runs(compiled) == 3


def test_a_program_that_says_when_it_was_compiled(compiled: list[str]) -> None:
    Path("kernel.c").write_text('#include "places.h"\nchar when[] = __TIME__;\n' + KERNEL, "utf-8")
    assert runs(compiled) == runs(compiled) == 3


def test_one_that_does_not_compile_is_not_kept(compiled: list[str]) -> None:
    Path("kernel.c").write_text("int main(void)\n", "utf-8")
    for _ in range(2):
        compiled.clear()
        assert main(COMMAND) == 2
        assert len(compiled) == 2


def test_the_cache_has_so_many(compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_programs, "MOST", 2)
    for number in range(4):
        assert runs(compiled, "-D", f"N={number}") == 3
    folder = Path(os.environ["XDG_CACHE_HOME"]) / "tensix-gdb" / "programs"
    assert len(list(folder.iterdir())) == 2
    assert runs(compiled, "-D", "N=3") == 0
    # Where nothing can be kept, what is damaged is not used, and all is compiled.
    for path in folder.iterdir():
        path.write_bytes(b"{}\n")
    assert runs(compiled, "-D", "N=3") == 3
