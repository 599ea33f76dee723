# SPDX-License-Identifier: Apache-2.0
"""A host in C++: built against tt-metal's headers and the libraries of ttnn's wheel, and run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scripts.examples.ttnn import simulator
from scripts.ttnntools.headers import options
from scripts.ttnntools.prepare import NoPython, prepare
from tensix_gdb.gdbstub.llk.suite import CannotPrepare
from tensix_gdb.gdbstub.usage import UsageError
from tests.gdbstub.kernels.sfpi.installed import installed_sfpi
from tests.patience import HANG
from tests.tools import unavailable

SOURCE = Path(__file__).parent / "host" / "sum.cpp"


@pytest.fixture(scope="module")
def python() -> Iterator[str]:
    """A Python with ttnn, and SFPI for its kernels."""
    with pytest.MonkeyPatch.context() as patch:
        installed_sfpi(patch)
        try:
            yield str(prepare())
        except NoPython as problem:
            pytest.skip(str(problem))
        except CannotPrepare as problem:
            unavailable(str(problem))
            raise


@pytest.fixture(scope="module")
def host(python: str, tool: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The executable."""
    out = tmp_path_factory.mktemp("host") / "sum"
    try:
        words = options(python)
    except UsageError as problem:
        unavailable(str(problem))
        raise
    command = [tool("g++"), "-w", "-O1", str(SOURCE), "-o", str(out), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out


@pytest.mark.long("tests/gdbstub/host/ttnn/test_executable.py")
@pytest.mark.parametrize("tiles", ["1x1", "14x10"])
def test_a_host_in_c(host: Path, python: str, tiles: str) -> None:
    command = [sys.executable, "-m", "tensix_gdb.gdbstub", "ttnn", "--python", python, "--ci"]
    command += ["--port", "0", "--tiles", tiles, "--", str(host)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=False)
    assert done.returncode == 0, done.stderr
    assert "the sum of 1 to 64 is 2080\n" in done.stdout


@pytest.mark.long("tests/gdbstub/host/library")
def test_gdb_in_a_host_of_which_one_path_was_changed(
    host: Path, python: str, tool: Callable[[str], str]
) -> None:
    tool("gdb-multiarch")
    seen, said = simulator.session(python)
    shown = simulator.anywhere(seen)
    assert "the sum of 1 to 64 is 2080" in said
    assert 'Thread 1 "B" hit Temporary breakpoint 1, kernel_main () at' in shown
    typed = [line for line in simulator.BLOCK.read().splitlines() if line.startswith("(gdb)")]
    assert typed == [line for line in shown.splitlines() if line.startswith("(gdb)")]
