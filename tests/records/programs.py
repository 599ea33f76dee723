# SPDX-License-Identifier: Apache-2.0
"""Five harts that take turns, and what `tensix-gdb` says about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.loader import read_elf
from gdbstub.cli import main
from tests.programs.build import PLACES, PROGRAMS, build
from tests.tools import find_tool


def five(folder: Path) -> dict[str, Path]:
    """five.c for each hart; the files by hart."""
    find_tool("riscv64-unknown-elf-gcc")
    return {
        hart: build(
            PROGRAMS / "five.c", hart, folder / f"{hart.lower()}.elf", defines=(f"HART={number}",)
        )
        for number, hart in enumerate(PLACES)
    }


def work_of(path: Path) -> int:
    """Where `work` is in a file."""
    addr = read_elf(path).symbol("work")
    assert addr is not None
    return addr


def run(capsys: pytest.CaptureFixture[str], elfs: dict[str, Path], *more: str) -> list[str]:
    """The lines of `tensix-gdb run`."""
    main(["run", *(f"--elf={hart}={path}" for hart, path in elfs.items()), *more])
    out, err = capsys.readouterr()
    assert err == ""
    return out.splitlines()


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one sentence of a command that cannot be carried out."""
    assert main(list(words)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err
