# SPDX-License-Identifier: Apache-2.0
"""A host in C++: built against tt-metal's headers and the libraries of ttnn's wheel, and run.

The headers are in no wheel. TENSIX_TEST_METALIUM has the options of g++ that find them: those of
tt_metal/api and hostdevcommon/api, of tt_stl, tt-umd, fmt, enchantum and nlohmann.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.llktests.suite import CannotPrepare
from scripts.ttnntools.prepare import prepare
from tensix_gdb.gdbstub.host.ttnn.environment import find_ttnn
from tests.patience import HANG

HEADERS = os.environ.get("TENSIX_TEST_METALIUM", "")
SOURCE = Path(__file__).parent / "host" / "sum.cpp"
LIBRARIES = ("tt_metal", "tt-umd", "tt_stl")


@pytest.fixture(scope="module")
def python() -> str:
    """A Python with ttnn."""
    try:
        return str(prepare())
    except CannotPrepare as problem:
        pytest.skip(str(problem))


@pytest.fixture(scope="module")
def host(python: str, tool: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The executable."""
    out = tmp_path_factory.mktemp("host") / "sum"
    libraries = find_ttnn(python).folder / "build" / "lib"
    command = [tool("g++"), "-std=c++20", "-w", "-O1", *shlex.split(HEADERS), str(SOURCE)]
    command += ["-o", str(out), f"-L{libraries}", *(f"-l{name}" for name in LIBRARIES)]
    command += [f"-Wl,-rpath,{libraries}", "-Wl,--allow-shlib-undefined"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out


@pytest.mark.long("tests/gdbstub/host/ttnn/test_executable.py")
@pytest.mark.skipif(not HEADERS, reason="TENSIX_TEST_METALIUM names no headers of tt-metal")
@pytest.mark.parametrize("options", [(), ("--tiles", "14x10")])
def test_a_host_in_c(host: Path, python: str, options: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "tensix_gdb.gdbstub", "ttnn", "--python", python, "--ci"]
    command += ["--port", "0", *options, "--", str(host)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=False)
    assert done.returncode == 0, done.stderr
    assert "the sum of 1 to 64 is 2080\n" in done.stdout
