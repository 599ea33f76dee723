# SPDX-License-Identifier: Apache-2.0
"""Several chips with ttnn: a mesh, and collectives over the cables."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.host.ttnn.environment import find_ttnn
from tensix_gdb.gdbstub.usage import UsageError

SCRIPT = Path(__file__).resolve().parents[4] / "scripts" / "examples" / "ttnn" / "collectives.py"
SECONDS = 550
pytestmark = pytest.mark.long("tests/core/chip/test_ethernet.py, tests/gdbstub/host/library")


@pytest.fixture(scope="module")
def python() -> str:
    """A Python with ttnn: TENSIX_TEST_TTNN in the environment, or the usual one."""
    try:
        return find_ttnn(os.environ.get("TENSIX_TEST_TTNN")).python
    except UsageError as problem:
        pytest.skip(str(problem))


def run(
    python: str, *words: str, chips: int = 2, dispatch: str = "slow", arch: str = "blackhole"
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tensix_gdb.gdbstub", "ttnn", "--ci", "--port", "0"]
    tiles = "14x10" if arch == "blackhole" else "8x8"
    command += ["--arch", arch, "--chips", str(chips), "--tiles", tiles, "--dispatch", dispatch]
    command += ["--python", python]
    variables = {name: value for name, value in os.environ.items() if name != "SFPI"}
    return subprocess.run(
        [*command, "--", str(SCRIPT), *words],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env=variables,
        check=False,
    )


def test_a_mesh_is_opened_and_closed_again_and_again(python: str) -> None:
    done = run(python, "open", "3")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "3 of 3 right"


@pytest.mark.parametrize("arch", ["blackhole", "wormhole"])
def test_collectives_are_right(python: str, arch: str) -> None:
    done = run(python, arch=arch)
    assert done.returncode == 0, done.stderr
    names = ("all_gather", "reduce_scatter", "all_reduce", "point_to_point")
    assert done.stdout.splitlines()[-4:] == [f"{name}: right" for name in names]


def test_four_chips_add_in_a_square(python: str) -> None:
    """By fast dispatch, whose launches are broadcasts on each chip."""
    done = run(python, "2x2", "open", "1", chips=4, dispatch="fast")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "1 of 1 right"
