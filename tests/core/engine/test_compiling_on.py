# SPDX-License-Identifier: Apache-2.0
"""The child that compiles, without its parent and beside others: one works, and none for ever."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tensix_gdb.core.engine import background, build, jit
from tensix_gdb.core.engine.cache import VARIABLE, Cache, open_cache
from tensix_gdb.core.engine.plan import Built, Plan, plan_for
from tensix_gdb.core.record.record import Record
from tests.core.engine import small
from tests.core.engine.test_background import ENTRIES, auto, child_of, process_of, start, wait


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for this test, so that every start is cold."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "objects"))
    return tmp_path / "objects"


@pytest.fixture
def record() -> Record:
    return Record(small.LAYOUT)


def test_close_ends_a_child_that_works_for_nothing(
    record: Record, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where the cache goes with this process."""
    unkept = Cache(tmp_path / "of this run", is_kept=False)
    monkeypatch.setattr(background, "open_cache", lambda: unkept)
    engine = auto(record)
    child, process = child_of(engine), process_of(engine)
    engine.close()
    assert process.returncode == -signal.SIGKILL, "nobody waits for what it does"
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_a_child_that_is_left_finishes_what_it_has_begun(
    record: Record, directory: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A command that is shorter than the compiler leaves something to the next."""
    engine = auto(record)
    process = process_of(engine)
    engine.close()
    assert process.wait() == 0
    again = auto(Record(small.LAYOUT))
    assert again.kind == "compiled"
    assert again._compiler is None
    again.close()
    assert not caplog.messages


def test_what_was_compiled_quickly_is_taken_until_there_is_more(record: Record) -> None:
    plan_for(ENTRIES, record.layout).build(open_cache(), jit.QUICK)
    engine = auto(record)
    assert engine.kind == "compiled"
    assert engine._level == jit.QUICK
    assert wait(engine) == ["compiled"]
    assert engine._level == jit.FULL
    engine.close()


def test_one_child_compiles_and_the_other_takes_what_it_makes(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, store = plan_for(ENTRIES, record.layout), open_cache()
    work, told, looks = build.Work(), [], []
    lowered = plan.lower()

    def look(_: float) -> None:
        looks.append(work.doing)
        if len(looks) == 1:
            plan.make(store, jit.QUICK, lowered)
        else:
            plan.make(store, jit.FULL, lowered)
            turn.close()

    class Told:
        def ready(self, built: Built, cache: Cache) -> None:
            told.append(built.level)

    monkeypatch.setattr("time.sleep", look)
    with contextlib.ExitStack() as turn:
        assert turn.enter_context(store.turn(plan.key(jit.FULL)))
        monkeypatch.setattr(Plan, "lower", None)
        build._compile(plan, cast("Any", Told()), work, quickly=True)
    assert told == [jit.QUICK, jit.FULL]
    assert looks == [build.Doing.WAITS] * 2


def test_a_child_goes_on_as_long_as_that_is_of_use(
    record: Record, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    work, store, now = build.Work(), open_cache(), 0.0
    assert work.is_worth_going_on(), "it has not come to what it is for"
    work.cache = store
    for work.doing, is_worth in ((build.Doing.WAITS, False), (build.Doing.COMPILES, True)):
        assert work.is_worth_going_on() is is_worth
    store.unkept = "No space left on device"
    assert not work.is_worth_going_on()
    store.unkept = ""

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr(build, "time", SimpleNamespace(sleep=sleep, monotonic=lambda: now))
    build.stay(work)
    assert build.STAY_SECONDS <= now < build.STAY_SECONDS + 1
    store.directory.rmdir()
    build.stay(work)
    assert now < build.STAY_SECONDS + 1
    work = build.Work()
    assert not work.is_worth_going_on(), "there is no directory any more for what it would make"


def test_a_child_whose_parent_is_killed_ends_by_itself(tmp_path: Path, directory: Path) -> None:
    """When it has finished."""
    told = start(
        """
        print(engine._compiler._process.pid, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
        """,
        tmp_path,
    )
    deadline = time.monotonic() + 60
    while Path(f"/proc/{int(told)}/stat").exists():
        state = Path(f"/proc/{int(told)}/stat").read_text().rpartition(")")[2].split()[0]
        if state == "Z":
            break
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert len(list(directory.glob("*.index"))) == 2


TO_A_PARENT_THAT_HAS_GONE = """
from tensix_gdb.core.engine.build import Report
report = Report()
report._tell("ready", b"code")
report.close()
"""


def test_a_parent_that_has_gone_is_no_failure() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([sys.executable, "-c", TO_A_PARENT_THAT_HAS_GONE], stdout=writing)
    os.close(writing)
    assert done.returncode == 0
