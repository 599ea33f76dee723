# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb ttnn --ci`: a program whose tile stops at a fault is ended, and the fault named.

A program that drives a tile as the driver does stands in for one with ttnn.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import SOFT_RESET_HARTS
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.host.simulator.chip import SOFT_RESET_0
from tensix_gdb.gdbstub.host.simulator.life import living
from tensix_gdb.gdbstub.host.ttnn.options import FAULTED
from tensix_gdb.gdbstub.host.ttnn.script import STOPPED, say_faults
from tensix_gdb.gdbstub.kernels.sfpi.find import COMPILER
from tests.assembler import SPIN
from tests.gdbstub.host.simulator.driver import B_RUNS
from tests.patience import HANG

NO_INSTRUCTION = 0xFFFFFFFF
# Loads a program, then polls for ever, or ends.
PROGRAM = """
import ctypes, os, sys

word, polls = int(sys.argv[1]), sys.argv[2]
library = ctypes.CDLL(os.environ["TT_METAL_SIMULATOR"])
x, y, data = 1, 2, ctypes.create_string_buffer(4)
library.libttsim_init()
for addr, value in ((SOFT_RESET_0, IN_RESET), (0, word), (SOFT_RESET_0, B_RUNS)):
    library.libttsim_tile_wr_bytes(x, y, ctypes.c_uint64(addr), value.to_bytes(4, "little"), 4)
while True:
    library.libttsim_tile_rd_bytes(x, y, ctypes.c_uint64(0x5000), data, 4)
    library.libttsim_clock(1)
    if polls == "once":
        library.libttsim_clock(2000)
        library.libttsim_exit()
        break
print("the program is done", flush=True)
sys.exit(5)
"""
NAMES = f"SOFT_RESET_0, IN_RESET, B_RUNS = {SOFT_RESET_0}, {SOFT_RESET_HARTS}, {B_RUNS}"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """The program, and a package that is taken for ttnn, with a compiler in it."""
    compiler = tmp_path / "ttnn" / "runtime" / "sfpi" / COMPILER
    compiler.parent.mkdir(parents=True)
    compiler.touch()
    (tmp_path / "ttnn" / "__init__.py").touch()
    path = tmp_path / "program.py"
    path.write_text(NAMES + PROGRAM, "ascii")
    return path


def run(
    program: Path, word: int, polls: str, *options: str, command: str = "ttnn", ports: bool = True
) -> subprocess.CompletedProcess[str]:
    variables = {
        **os.environ,
        "PYTHONPATH": str(program.parent),
        "XDG_CACHE_HOME": str(program.parent / "cache"),
    }
    words = [sys.executable, "-m", "tensix_gdb.gdbstub", command, "--python", sys.executable]
    words += ["--port", "0"] if ports else []
    words += [*options, "--", str(program), str(word), polls]
    return subprocess.run(
        words, env=variables, capture_output=True, text=True, timeout=HANG, check=False
    )


def test_a_program_that_polls_for_ever_is_ended(program: Path) -> None:
    done = run(program, NO_INSTRUCTION, "for ever", "--ci")
    assert done.returncode == FAULTED, done.stderr
    assert done.stdout == ""
    said = done.stderr.splitlines()
    assert said[-2] == f"tensix-gdb: {STOPPED}"
    assert said[-1].startswith("tensix-gdb: 1-2: B at 0x00000000: UndefinedBehavior: 0xffffffff")
    assert said.index(said[-1]) < len(said) - 2, "it was said when it happened, too"


@pytest.mark.long("test_script.py: the status of a program")
@pytest.mark.parametrize(("word", "options"), [(SPIN, ("--ci",)), (NO_INSTRUCTION, ())])
def test_else_the_status_is_the_programs(
    word: int, options: tuple[str, ...], program: Path
) -> None:
    done = run(program, word, "once", *options)
    assert done.returncode == 5, done.stderr
    assert done.stdout == "the program is done\n"
    assert STOPPED not in done.stderr


@pytest.mark.parametrize("option", ["--gdb", "--stop-at-fault", "--stop-at-entry"])
def test_what_waits_for_a_debugger(
    option: str, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ttnn", "--ci", option, "--", str(program)]) == 2
    said = capsys.readouterr().err
    assert f"{option} waits for a debugger, --ci for none" in said
    assert said.count("\n") == 1


def test_all_faults_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "life"
    assert say_faults(path, 7) == 7
    with living(path) as life:
        life.fault("1-2: B at 0x8")
        life.fault("2-2: T0 at 0x10")
    assert say_faults(path, 0) == FAULTED
    *_, first, second = capsys.readouterr().err.splitlines()
    assert (first, second) == ("tensix-gdb: 1-2: B at 0x8", "tensix-gdb: 2-2: T0 at 0x10")
