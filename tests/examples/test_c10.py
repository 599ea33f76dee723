# SPDX-License-Identifier: Apache-2.0
"""The race of scripts/examples/c10: found without C10, gone with it, and seen in GDB."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.examples.c10 import races, witness
from scripts.examples.c10.race import FORMS, KERNEL, VARIANTS, look
from scripts.examples.typed import folder_of, in_gdb
from tests.patience import HANG
from tests.programs.build import ROOT, build
from tests.tools import find_tool

SEEDS = 600
HELD = 1500  # more, where none may be wrong


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    find_tool("riscv64-unknown-elf-gcc")
    folder = tmp_path_factory.mktemp("c10")
    return [
        build(KERNEL, "T0", folder / f"wait{wait}.elf", defines=(f"WAIT={wait}",))
        for wait in range(len(VARIANTS))
    ]


def test_only_the_right_wait_holds(kernels: list[Path]) -> None:
    without, right, missing = kernels
    assert look(without, SEEDS).wrong > SEEDS // 10
    assert look(right, HELD).wrong == 0
    assert look(missing, SEEDS).wrong > SEEDS // 10


def test_the_race_in_gdb(kernels: list[Path]) -> None:
    find_tool("gdb-multiarch")
    seed = look(kernels[0], 100).first
    command = [
        *(sys.executable, "-m", "tensix_gdb.gdbstub", "gdb", "--elf", f"t0={kernels[0]}"),
        *("--schedule", f"random:{seed}", "--", "-batch", "-x", "scripts/examples/c10/look.gdb"),
    ]
    done = subprocess.run(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=HANG,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    emitted = [line for line in done.stdout.splitlines() if line.startswith("T0  emitted")]
    assert any("configuration" in line and line.endswith("(C10)") for line in emitted), done.stdout
    assert "RDCFG has read 0x1000" in done.stdout
    assert "wrong () at ./kernel.c" in done.stdout


def test_the_manual_shows_the_race_of_one_run(kernels: list[Path]) -> None:
    find_tool("gdb-multiarch")
    blocks = (races.BLOCK.read(), races.PATCHED.read())
    assert races.shown() == blocks, f"run `{races.BLOCK.maker}`"


def test_the_manual_shows_the_witness(kernels: list[Path]) -> None:
    find_tool("gdb-multiarch")
    assert witness.shown() == witness.BLOCK.read(), f"run `{witness.BLOCK.maker}`"


def test_enter_goes_to_the_other_side() -> None:
    """`race-other` shows the later access, and the same again the earlier one."""
    find_tool("riscv64-unknown-elf-gcc")
    find_tool("gdb-multiarch")
    commands = ("monitor races on", "continue", "race-other", "race-other", "race-other 7")
    with folder_of(KERNEL, "T0", {"no_wait": FORMS["no_wait"]}):
        said = in_gdb(["--elf", "t0=no_wait.elf"], commands)
    first, _, second = said.partition("(gdb) race-other\nrace 1: thread 0 configuration  RDCFG")[
        2
    ].partition("(gdb) race-other\nrace 1: T0 ")
    assert "is in main (./kernel.c:41)" in first, said
    assert "is in main (./kernel.c:35)" in second, said
    assert "there is no report 7" in second, said
