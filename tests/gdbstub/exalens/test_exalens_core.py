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

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, LOCAL_BASE, LOCAL_BYTES
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.tensix.corefile.elf import machine_from, read_core
from tensix_gdb.gdbstub.tensix.corefile.unknown import SHOWS, answered
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
    card, own = of(files, name, "card"), of(files, name, "own")
    unknown = card.unknown
    assert card.peek(0, 0, 1 << 20) == own.peek(0, 0, 1 << 20)
    for hart in range(HARTS):
        assert card.S.hart.in_reset[hart] == own.S.hart.in_reset[hart]
        if f"registers of {HART_NAMES[hart]}" not in unknown and not card.S.hart.in_reset[hart]:
            assert [card.read_x(hart, n) for n in range(32)] == [
                own.read_x(hart, n) for n in range(32)
            ]
        if f"local RAM of {HART_NAMES[hart]}" not in unknown:
            size = LOCAL_BYTES[hart]
            assert card.peek(hart, LOCAL_BASE, size) == own.peek(hart, LOCAL_BASE, size)
    assert bytes(card.S.config.word.raw) == bytes(own.S.config.word.raw)
    for thread in range(3):
        if f"GPRs of T{thread}" not in unknown:
            for number in range(64):
                at = thread * 64 + number
                assert card.S.gpr.word[at] == own.S.gpr.word[at]
    if "semaphores" not in unknown:
        assert list(card.S.semaphore.value.raw) == list(own.S.semaphore.value.raw)
    if "Dst" not in unknown:
        assert bytes(card.S.dst.bits.raw) == bytes(own.S.dst.bits.raw)


@pytest.mark.parametrize("name", NAMES)
def test_why_says_where_each_core_is_and_what_cannot_be_known(files: Path, name: str) -> None:
    card = of(files, name, "card")
    said = answered(card, "why", [])
    assert said is not None
    for hart in range(HARTS):
        runs = hart in HANGS[name]
        assert (f"{HART_NAMES[hart]}: in reset" in said) is not runs
        if runs:
            assert f"{HART_NAMES[hart]}: was at 0x" in said or "unknown" in said
    assert said.count("it cannot be known what is at its wait gate") == 3


def test_what_is_unknown_is_never_a_zero(files: Path) -> None:
    card = of(files, NAMES[0], "card")
    for command in SHOWS:
        said = answered(card, command, [])
        if command not in ("sem", "cfg"):
            assert said is not None, command
            assert said.startswith("unknown: "), command


def test_the_load_that_a_core_polls(files: Path) -> None:
    said = answered(of(files, "a counter of the NoC", "card"), "why", [])
    assert said is not None
    assert "registers of NC, because" in said  # the debug interface does not reach it


def test_core_says_what_is_not_known(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["core", str(files / "0.card")]) == 0
    said = capsys.readouterr().out
    assert "Not known: what is shown of it means nothing" in said
    assert "LRegs: the debug interface does not show it" in said


def test_halted_cores_go_on(files: Path, tool: Callable[[str], str]) -> None:
    own = of(files, "a flag in L1", "own")
    assert not own.S.hart.paused[0]
