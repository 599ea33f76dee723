# SPDX-License-Identifier: Apache-2.0
"""A real GDB in a kernel of SFPI: lines that GDB does not have, and its variables."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import T1
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.threads import thread_of
from tensix_gdb.gdbstub.tensix.documents.kernel_lines import places
from tests.gdbstub.kernels.sfpi.installed import installed_sfpi
from tests.gdbstub.tensix.vectors.kernel import X, Y, built, line_of, tile_with
from tests.patience import HANG
from tests.tools import find_tool

HART = thread_of(T1)
SHOWN_BY_UP = [line_of("v_endif"), line_of("kernel(4)")]
# A line of a loop after the other.
LINES = [
    line_of(text)
    for text in (
        *("v_endif", "vFloat z", "dst_reg[0] = z", "dst_reg[1] = y", "dst_reg[2]", "dst_reg++"),
        *(
            "for (int i",
            "vFloat x",
            "dst_reg[0] = x",
            "vFloat y",
            "vInt exponent",
            "v_if",
            "y = -y",
        ),
    )
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the program."""
    made = tmp_path_factory.mktemp("sfpi")
    with pytest.MonkeyPatch.context() as patch:
        installed_sfpi(patch)
        built(made)
    return made


@pytest.fixture
def machine(folder: Path) -> Machine:
    image = read_elf(folder / "t1.elf")
    image.hart = T1
    return tile_with(image, Schedule.LATENCY)


def in_gdb(folder: Path, typed: Sequence[str]) -> str:
    """Return what GDB prints."""
    find_tool("gdb-multiarch")
    command = [sys.executable, "-m", "tensix_gdb.gdbstub", "gdb", "--dir", str(folder)]
    command += ["--", "-nx", "-batch", *(word for one in typed for word in ("-ex", one))]
    return subprocess.run(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=HANG,
        check=False,
    ).stdout


@pytest.mark.gdb
@pytest.mark.parametrize("how", ["next", "step"])
def test_lines_that_belong_to_headers(folder: Path, how: str) -> None:
    """GDB's own breakpoint, and `next` and `step` through a v_if line by line."""
    first = line_of("v_endif")
    typed = [f"break kernel.cpp:{first}", "continue", "tensix print x"]
    typed += ["set width 0", "print x", "print y[1] * 2", "p exponent", "print z"]
    typed += ["print count", 'output $_tensix_lanes("x")[31]', "up", "up", "print x", "delete"]
    typed += [*[how] * (len(LINES) - 1), "kill"]
    said = in_gdb(folder, typed)
    shown = [int(line) for line in re.findall(r"^(\d+)\t", said.partition("lane")[2], re.M)]
    assert shown == [*SHOWN_BY_UP, *LINES[1:]], said
    # GDB's own `print`, with values that it computes with.
    assert f"$1 = {{{', '.join(f'{x:g}' for x in X)}}}\n" in said, said
    assert f"$2 = {2 * Y[1]:g}\n$3 = {{4, 4, 4, 3, " in said, said
    assert f"z has no value yet: line {line_of('vFloat z')} gives it one\n$4 = 4\n42" in said, said
    assert 'No symbol "x" in current context.' in said, said
    rows = re.findall(r"^lane +\d+(.*)$", said, re.M)
    assert [float(cell.strip("()")) for row in rows for cell in row.split()] == X, said


@pytest.mark.gdb
@pytest.mark.long("test_lines_that_belong_to_headers stops at such lines")
def test_a_condition_with_variables_of_the_kernel(folder: Path) -> None:
    """It holds in the third of four rounds only."""
    typed = [f"hart-break -t kernel.cpp:{line_of('vInt exponent')} if i == 2", "continue"]
    said = in_gdb(folder, [*typed, "up", "print i", "info breakpoints", "kill"])
    assert "T1 comes there." in said
    assert "$1 = 2" in said
    assert "No breakpoints" in said


@pytest.mark.gdb
def test_gdbs_own_breakpoint_at_a_function_of_a_file_that_is_inlined(folder: Path) -> None:
    """GDB 13 keeps it pending. The helper adds what it stands for."""
    typed = ["set breakpoint pending on", "break kernel.cpp:kernel_main if $pc == 0"]
    typed += ["tbreak kernel.cpp:kernel_main", "break kernel.cpp:kernel_man"]
    typed += ["disable 5", "info breakpoints", "continue", "backtrace 1", "delete 1", "kill"]
    said = in_gdb(folder, typed)
    assert said.count("kernel.cpp:kernel_main is inlined: T1 comes there, at breakpoint") == 2
    # Each is enabled as the one that GDB keeps.
    shown = re.findall(r"^(\d) +breakpoint +(\w+) +(\w) +(\S+)", said, re.M)
    assert [row[:3] for row in shown] == [
        *(("1", "keep", "y"), ("2", "keep", "y"), ("3", "del", "y"), ("4", "del", "y")),
        ("5", "keep", "n"),
    ]
    assert [row[3] == "<PENDING>" for row in shown] == [True, False, True, False, True]
    assert "hit Temporary breakpoint 4, kernel_main ()" in said, said
    assert "#0  kernel_main ()" in said, said


def test_where_harts_come_to_lines_and_functions(machine: Machine) -> None:
    name = "kernel.cpp"
    for text in ("vFloat z", "v_endif", "y = -y"):
        ((hart, addr, line),) = (one.split() for one in places(machine, f"{name}:{line_of(text)}"))
        assert (hart, line) == ("T1", str(line_of(text)))
        assert machine.images[0].covers(int(addr))
    ((_, start, line),) = (one.split() for one in places(machine, f"{name}:kernel"))
    assert (line, int(start)) == ("0", machine.images[0].symbols["_Z6kerneli"].addr)
    with pytest.raises(TargetError, match="no program that is loaded has code of the function"):
        list(places(machine, f"{name}:kernal"))
    with pytest.raises(TargetError, match=r"of the line kernel\.cpp:999"):
        list(places(machine, f"{name}:999"))
