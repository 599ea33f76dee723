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
from tensix_gdb.gdbstub.tensix.capabilities.threads import thread_of, thread_of_tensix
from tensix_gdb.gdbstub.tensix.documents.kernel_lines import kernel_line, other_lines, places
from tests.gdbstub.kernels.sfpi.installed import installed_sfpi
from tests.gdbstub.tensix.vectors.kernel import X, built, line_of, tile_with
from tests.patience import HANG
from tests.tools import find_tool

HART = thread_of(T1)
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
def test_lines_that_belong_to_headers(folder: Path) -> None:
    first = line_of("v_endif")
    typed = [f"hart-break kernel.cpp:{first}", "continue", "tensix print x"]
    typed += ["delete", *["hart-next"] * (len(LINES) - 1), "kill"]
    said = in_gdb(folder, typed)
    assert "T1 comes there." in said
    shown = [int(line) for line in re.findall(r"^#\d .*\bat \S*kernel\.cpp:(\d+)$", said, re.M)]
    assert shown == LINES[1:], said
    rows = re.findall(r"^lane +\d+(.*)$", said, re.M)
    assert [float(cell.strip("()")) for row in rows for cell in row.split()] == X, said


@pytest.mark.gdb
@pytest.mark.long("test_lines_that_belong_to_headers has both commands")
def test_a_breakpoint_ends_a_step_and_conditions_hold(folder: Path) -> None:
    """GDB's own breakpoint in the way of `hart-next 30` stops there; with a condition that holds
    in the third of four rounds only, as with `break`."""
    typed = [f"hart-break -t kernel.cpp:{line_of('vInt exponent')} if i == 2", "continue"]
    typed += ["up", "print i", f"hart-break kernel.cpp:{line_of('dst_reg++')}", "hart-next 30"]
    said = in_gdb(folder, [*typed, "info breakpoints", "kill"])
    assert "$1 = 2" in said
    assert re.search(r'Thread 3 "T1" hit Breakpoint 2,', said), said
    assert re.search(r"^2 +breakpoint +keep", said, re.M), said
    assert "internal" not in said


def test_where_harts_come_to_lines_and_functions(machine: Machine) -> None:
    name = "kernel.cpp"
    for text in ("vFloat z", "v_endif", "y = -y"):
        ((hart, addr, line),) = (one.split() for one in places(machine, f"{name}:{line_of(text)}"))
        assert (hart, line) == ("T1", str(line_of(text)))
        machine.write_pc(T1, int(addr))
        assert kernel_line(machine, HART).split("\t")[1] == line
        others = other_lines(machine, HART)
        assert int(addr) not in others
        assert len(others) >= len(set(LINES)) - 1
    ((_, start, line),) = (one.split() for one in places(machine, f"{name}:kernel"))
    assert (line, int(start)) == ("0", machine.images[0].symbols["_Z6kerneli"].addr)
    with pytest.raises(TargetError, match="no program that is loaded has code of the function"):
        list(places(machine, f"{name}:kernal"))
    with pytest.raises(TargetError, match=r"of the line kernel\.cpp:999"):
        list(places(machine, f"{name}:999"))
    with pytest.raises(TargetError, match="a Tensix thread has no lines of its own"):
        other_lines(machine, thread_of_tensix(1))
