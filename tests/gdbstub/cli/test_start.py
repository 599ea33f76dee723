# SPDX-License-Identifier: Apache-2.0
"""The work of a server before it listens: little, when everything was compiled before."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tensix_gdb.core.machine import Machine
from tests.gdbstub.cli.counted import calls_of
from tests.gdbstub.cli.terminal import ROOT

# What a debugger may ask for, or makes code: none of it is needed to listen.
LATER = (
    "tensix_gdb.core.engine.lower", "tensix_gdb.core.engine.compile_workers",
    "tensix_gdb.core.explain.instruction", "tensix_gdb.core.waits.gfx9", "tensix_gdb.core.dwarf",
    "tensix_gdb.core.litmus", "numpy",
)  # fmt: skip
MAX_CALLS = 1_400_000  # of functions; a quarter of a second is 900,000


def test_serving_loads_only_what_it_needs() -> None:
    packages = "tensix_gdb.gdbstub.cli.serve, tensix_gdb.core.engine.background"
    code = f"import {packages}, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "tensix_gdb.core.machine.machine" in loaded
    assert not loaded & set(LATER)


def test_a_warm_start_is_quick(demo_elfs: dict[str, Path]) -> None:
    """With code from the cache, until the port is open. `scripts/bench` has it in seconds."""
    Machine(engine="compiled").close()
    calls = calls_of("serve", "--port", "0", "--elf", f"b={demo_elfs['B']}", until="listening on")
    assert calls < MAX_CALLS
