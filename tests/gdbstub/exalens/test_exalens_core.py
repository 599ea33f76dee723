# SPDX-License-Identifier: Apache-2.0
"""A tile that hangs, read through tt-exalens from our own bridge, is the tile's own core file in
all that the debug interface shows; the rest is unknown, and nowhere a zero."""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.tensix.corefile.elf import machine_from, read_core
from tensix_gdb.gdbstub.tensix.corefile.unknown import answered
from tests.gdbstub.exalens.compare import differences, said_otherwise
from tests.gdbstub.exalens.hangs import HANGS
from tests.tools import unavailable

SESSION = Path(__file__).resolve().parent / "session.py"
ROOT = Path(__file__).resolve().parents[3]
NAMES = list(HANGS)
FAST = ("--engine", "compiled", "--cycles", "100")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with a snapshot and the own core file of each hang."""
    if importlib.util.find_spec("ttexalens") is None:
        unavailable("tt-exalens is not installed: it is for Linux on x86-64")
    folder = tmp_path_factory.mktemp("hangs")
    programs = [{str(hart): list(words) for hart, words in one.items()} for one in HANGS.values()]
    (folder / "programs.json").write_text(json.dumps(programs), "utf-8")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert main(["bridge", str(folder / "simulator"), "--port", str(port), *FAST]) == 0
    arguments = [folder / "simulator", str(port), folder / "programs.json", folder]
    done = subprocess.run(
        [sys.executable, str(SESSION), *map(str, arguments)],
        env={**os.environ, "TT_SIMULATOR_LOCALHOST": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stdout.count("DONE") == len(HANGS), done.stdout[-2000:] + done.stderr[-3000:]
    return folder


def of(folder: Path, name: str, kind: str) -> Machine:
    return machine_from(read_core(str(folder / f"{NAMES.index(name)}.{kind}")), "reference")


@pytest.mark.parametrize("name", NAMES)
def test_what_is_known_is_as_it_is(files: Path, name: str) -> None:
    assert differences(of(files, name, "card"), of(files, name, "own")) == []


@pytest.mark.parametrize("name", NAMES)
def test_why_says_the_same_or_that_it_cannot_be_known(files: Path, name: str) -> None:
    assert said_otherwise(of(files, name, "card"), of(files, name, "own")) == []


@pytest.mark.parametrize("name", NAMES)
def test_go_on(files: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """From each of them, with what is assumed."""
    core = str(files / f"{NAMES.index(name)}.card")
    main(["run", "--from", core, "--max-cycles", "1500", "--engine", "reference"])
    said = capsys.readouterr().out
    assert "assumed to be as after a reset: mutexes, SrcA and SrcB, LRegs" in said
    assert "latched wait of T0" in said
    if name == "a mailbox that no hart fills":  # its load is from an address that is not known
        assert "registers of T0" in said


def test_the_counter_of_the_noc_that_nc_polls(files: Path) -> None:
    said = answered(of(files, "a counter of the NoC", "card"), "why", 0, [])
    assert said is not None
    assert "the debug interface does not reach it: registers of NC" in said


def test_core_says_what_is_not_known(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["core", str(files / "0.card")]) == 0
    said = capsys.readouterr().out
    assert "Not known: what is shown of it means nothing" in said
    assert "LRegs: the debug interface does not show it" in said


def test_halted_cores_go_on(files: Path, tool: Callable[[str], str]) -> None:
    own = of(files, "a flag in L1", "own")
    assert not own.S.hart.paused[0]
