# SPDX-License-Identifier: Apache-2.0
"""tt-exalens itself, from the package registry, on our tile: all that its users do with a card."""

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.host.library.build import LIBRARY
from tests.patience import HANG
from tests.tools import unavailable

pytestmark = pytest.mark.long("tests/gdbstub/host/exalens")

SOURCES = Path(__file__).resolve().parent / "programs"
SESSION = Path(__file__).resolve().parent / "session.py"


@pytest.fixture(scope="module", params=["1x1", "2x2"])
def found(
    request: pytest.FixtureRequest,
    tool: Callable[[str], str],
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, object]:
    """Return what the session has found."""
    if importlib.util.find_spec("ttexalens") is None:
        unavailable("tt-exalens is not installed: it is for Linux on x86-64")
    folder = tmp_path_factory.mktemp("exalens")
    elf = folder / "work.elf"
    command = [tool("riscv64-unknown-elf-gcc"), "-march=rv32im", "-mabi=ilp32", "-g", "-O1"]
    command += ["-fno-omit-frame-pointer", "-nostdlib", "-Wl,--no-warn-rwx-segments"]
    command += [f"-Wl,-T,{SOURCES / 'work.ld'}", str(SOURCES / "work.c"), "-o", str(elf)]
    subprocess.run(command, check=True)
    place = read_elf(elf).symbol("twice")
    assert place is not None
    simulator = str(folder / "simulator")
    assert main(["simulator", simulator, "--port", "0", "--tiles", request.param]) == 0
    done = subprocess.run(
        [sys.executable, str(SESSION), f"{simulator}/{LIBRARY}", str(elf), f"{place:x}"],
        capture_output=True,
        text=True,
        timeout=HANG,
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("FOUND ")]
    assert lines, done.stdout[-2000:] + done.stderr[-2000:]
    facts = json.loads(lines[0].removeprefix("FOUND "))
    assert isinstance(facts, dict)
    return facts


def test_memory(found: dict[str, object]) -> None:
    assert found["words"] == [1, 2, 3, 4]
    assert found["memory"] == 2


def test_who_is_in_reset(found: dict[str, object]) -> None:
    """As after a reset of the chip: opening it lets no core go."""
    assert found["reset"] == {
        "brisc": True,
        "trisc0": True,
        "trisc1": True,
        "trisc2": True,
        "ncrisc": True,
    }


def test_halt_step_registers(found: dict[str, object]) -> None:
    assert found["halted"] is True
    assert found["stepped"] is True
    assert found["gpr"] == 0x1234


def test_breakpoint_and_call_stack(found: dict[str, object]) -> None:
    assert found["hit"] is True
    # The comparator pauses the core behind the instruction: the frame is that of `twice` already.
    callstack = found["callstack"]
    assert isinstance(callstack, list)
    assert callstack[:2] == ["twice", "work"]
