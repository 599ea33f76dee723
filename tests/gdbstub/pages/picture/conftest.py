# SPDX-License-Identifier: Apache-2.0
"""A kernel on three T cores (tests/programs/data_path.c) that was recorded, and its history."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from scripts.examples.counted import kernel
from tensix_gdb.core.history import MachineHistory
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.tensix.output.recording import history_of


@dataclass(frozen=True)
class Recorded:
    """The recording, the arguments that load its programs, its tile and the way back."""

    path: Path
    programs: list[str]
    machine: Machine
    history: MachineHistory


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorded]:
    """The kernel from its first cycle to its last."""
    folder = tmp_path_factory.mktemp("recorded")
    programs = kernel(folder)
    path = folder / "kernel.rec"
    assert main(["run", *programs, "--record-to", str(path)]) == 0
    machine, history, _ = history_of(str(path), "auto")
    yield Recorded(path, programs, machine, history)
    machine.close()
