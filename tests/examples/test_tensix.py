# SPDX-License-Identifier: Apache-2.0
"""The mistakes of scripts/examples/tensix are found by the commands of the manual in a real GDB."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.examples.tensix.sessions import BLOCK, SESSIONS, Session, page, run
from tensix_gdb.core.explain.instruction.block import MANUAL
from tensix_gdb.core.stop import NOTHING_MOVES
from tensix_gdb.gdbstub.demo.transcript import gdb_version
from tests.patience import HANG
from tests.programs.build import COMPILER, ROOT, compiler_version
from tests.tools import find_tool

pytestmark = pytest.mark.gdb
BY_NAME = {session.name: session for session in SESSIONS}


@pytest.fixture(scope="module")
def elfs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Path]]:
    find_tool("riscv64-unknown-elf-gcc")
    folder = tmp_path_factory.mktemp("tensix")
    return {session.name: session.elfs(folder) for session in SESSIONS}


@pytest.fixture(scope="module")
def shown(elfs: dict[str, dict[str, Path]]) -> dict[str, str]:
    find_tool("gdb-multiarch")
    return {session.name: run(session, elfs[session.name]) for session in SESSIONS}


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.name)
def test_the_mistake_is_found(session: Session, shown: dict[str, str]) -> None:
    for text in session.shows:
        assert text in shown[session.name]
    assert "Error" not in shown[session.name]


@pytest.mark.parametrize("schedule", ["sc", "random:5"])
@pytest.mark.parametrize("name", ["hang", "gpr", "flush", "flush-cured"])
def test_in_other_schedules_too(name: str, schedule: str, elfs: dict[str, dict[str, Path]]) -> None:
    find_tool("gdb-multiarch")
    text = run(BY_NAME[name], elfs[name], schedule)
    for wanted in BY_NAME[name].shows:
        assert wanted in text


def test_readme_has_these_sessions(shown: dict[str, str]) -> None:
    if gdb_version() not in (MANUAL / "session.md").read_text("utf-8") or (
        compiler_version() != COMPILER
    ):
        pytest.skip("the sessions in the manual were made with another GDB or compiler")
    assert page(shown) == BLOCK.read(), f"run `{BLOCK.maker}`"


def test_a_run_without_a_debugger_says_it_too(elfs: dict[str, dict[str, Path]]) -> None:
    """And its exit status does."""
    programs = [f"--elf={hart.lower()}={path}" for hart, path in elfs["flush"].items()]
    done = subprocess.run(
        [sys.executable, "-m", "tensix_gdb.gdbstub", "run", *programs],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=HANG,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout.startswith(NOTHING_MOVES)
    held = r"^T1 math: SETDMAREG held .* FLUSHDMA of T0 unpack from flush.c:"
    assert re.search(held, done.stdout, re.MULTILINE)
    assert "In a circle: T0 unpack waits for T1 math waits for T0 unpack." in done.stdout
    cured = [f"--elf={hart.lower()}={path}" for hart, path in elfs["flush-cured"].items()]
    done = subprocess.run(
        [sys.executable, "-m", "tensix_gdb.gdbstub", "run", *cured],
        cwd=ROOT,
        timeout=HANG,
        check=False,
    )
    assert done.returncode == 0
