# SPDX-License-Identifier: Apache-2.0
"""Who waits for the compiler is told so, once, where a person looks."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from tensix_gdb.core.engine import Entry, background, compile_workers, open_engine, waiting
from tensix_gdb.core.engine.background import BackgroundEngine
from tensix_gdb.core.engine.cache import VARIABLE
from tensix_gdb.core.engine.plan import Plan
from tensix_gdb.core.record.record import Record
from tests.core.engine import small

ENTRIES = (Entry("add", small.add),)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Return the lines that are said; the record of these tests is a tile's."""
    lines: list[str] = []
    waiting._say.cache_clear()
    monkeypatch.setattr(waiting, "listener", lines.append)
    monkeypatch.setattr(waiting, "TILE_BYTES", small.LAYOUT.size)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "objects"))
    return lines


def test_one_that_has_to_wait(said: list[str], tmp_path: Path) -> None:
    for _ in range(2):
        open_engine("compiled", ENTRIES, Record(small.LAYOUT)).close()
    (line,) = said
    assert line.startswith("compiling the tile for this processor, which takes some ")
    assert line.endswith(f" s once and is kept in {tmp_path}/objects")


def test_what_is_compiled_in_a_moment(said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "TILE_BYTES", small.LAYOUT.size + 1)
    open_engine("compiled", ENTRIES, Record(small.LAYOUT)).close()
    assert said == []


def test_one_that_runs_slowly_meanwhile(said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a short run."""
    now = time.monotonic()
    monkeypatch.setattr(background, "time", SimpleNamespace(monotonic=lambda: now))
    engine = open_engine("auto", ENTRIES, Record(small.LAYOUT))
    assert isinstance(engine, BackgroundEngine)
    assert engine._compiler is not None
    monkeypatch.setattr(engine._compiler, "ready", list)
    try:
        engine.poll()
        assert said == []
        now += waiting.QUIET_SECONDS + 1
        for _ in range(2):
            engine.poll()
        (line,) = said
        assert line.startswith("the tile runs on the reference engine, ")
    finally:
        engine.close()


def test_a_busy_machine_takes_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compile_workers, "processors", lambda: 2)
    loads = []
    for load in (0.0, 2.0, 6.0):
        monkeypatch.setattr(os, "getloadavg", lambda load=load: (load, 0, 0))
        loads.append(waiting.seconds())
    assert loads == [waiting.TILE_SECONDS / 2, waiting.TILE_SECONDS, waiting.TILE_SECONDS * 2]


@pytest.mark.parametrize("of_a_test", [False, True])
def test_it_goes_to_standard_error(of_a_test: bool) -> None:
    """But a process of a test has output that the test looks at."""
    code = "from tensix_gdb.core.engine import waiting; waiting._say('text')"
    environment = {k: v for k, v in os.environ.items() if k != "PYTEST_CURRENT_TEST"}
    if of_a_test:
        environment["PYTEST_CURRENT_TEST"] = "test"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "" if of_a_test else "tensix-gdb: text\n")


def test_nothing_is_said_of_what_is_there(said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    open_engine("compiled", ENTRIES, Record(small.LAYOUT)).close()
    said.clear()
    waiting._say.cache_clear()
    monkeypatch.setattr(Plan, "build", None)
    open_engine("compiled", ENTRIES, Record(small.LAYOUT)).close()
    assert said == []
