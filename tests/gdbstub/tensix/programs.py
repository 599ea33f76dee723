# SPDX-License-Identifier: Apache-2.0
"""Five harts that take turns, and what `tensix-gdb` says about them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.gdbstub.cli.main import main
from tests.patience import HANG
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


def gdb(port: int, *commands: str, elf: Path | None = None) -> str:
    """Return what a real GDB says to these, attached to a server; with the symbols of a file of its
    own, or those that the server has."""
    lines = [f"-ex={line}" for line in ("set osabi none", f"target remote :{port}", *commands)]
    command = [find_tool("gdb-multiarch"), "-nx", "-nh", "-batch"]
    command += [*([str(elf)] if elf is not None else []), *lines]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=HANG
    )
    return done.stdout + done.stderr
