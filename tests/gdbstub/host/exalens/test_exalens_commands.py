# SPDX-License-Identifier: Apache-2.0
"""tt-exalens' own commands on our tile: each shows what is there, and none ends in a traceback."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.host.library.build import LIBRARY
from tests.patience import HANG
from tests.tools import unavailable

pytestmark = pytest.mark.long("test_snapshot.py reads tiles without the tools")

COMMANDS = {
    "wxy 0,0 0x100 0x1234": "0x00000100 (256) <= 0x00001234",
    "brxy 0,0 0x100 1": "0x00000100:  00001234",
    "debug-bus trisc0_pc,brisc_pc": "brisc_pc: 0x0",
    "debug-bus group trisc0_group_d 0x1000": "trisc0_pc_buffer_cmd_fifo_empty",
    "debug-bus group rwc_coordinates_a 0x1000 --samples 3": "[0x0, 0x0, 0x0]",
    "tensix adc -a 0x1000": "ADCS0_UNPACKER1_CHANNEL1",
    "tensix rwc": "fidelity_phase",
    "tensix alu": "Format_SrcA",
    "reg RISCV_DEBUG_REG_SOFT_RESET_0": "Value of register",
    "gpr": "Soft reset",
    "riscv status": "IN RESET - trisc0",
    # B leaves reset, at a loop: opening the chip lets no core go.
    "wxy 0,0 0x0 0x6f": "<= 0x0000006f",
    "wxy 0,0 0xffb121b0 0x47000": "<= 0x00047000",
    "riscv halt -r brisc": "Halting brisc",
    "riscv cont -r brisc": "Continuing brisc",
    "noc status": "read resps sent",
    "device": "R----",
}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return what one session prints."""
    if importlib.util.find_spec("ttexalens") is None:
        unavailable("tt-exalens is not installed: it is for Linux on x86-64")
    folder = tmp_path_factory.mktemp("commands")
    simulator = str(folder / "simulator")
    assert main(["simulator", simulator, "--port=0", "--tiles=1x1", "--engine=compiled"]) == 0
    tool = Path(sys.executable).parent / "tt-exalens"
    found = str(tool) if tool.exists() else shutil.which("tt-exalens")
    assert found is not None
    done = subprocess.run(
        [found, "-s", f"{simulator}/{LIBRARY}", "--commands", "; ".join([*COMMANDS, "x"])],
        env={**os.environ, "COLUMNS": "200"},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=HANG,
        check=False,
    )
    return re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)


def test_no_tracebacks(said: str) -> None:
    assert "Traceback" not in said, said[-3000:]


@pytest.mark.parametrize("command", list(COMMANDS))
def test_each_shows_what_is_there(said: str, command: str) -> None:
    part = said.partition(f"Executing command: {command}\n")[2].partition("Executing command: ")[0]
    assert part, said[-3000:]
    assert COMMANDS[command] in part
