# SPDX-License-Identifier: Apache-2.0
"""Machine code that came with the package: an engine starts with it, if it fits."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from tensix_gdb.core.engine import Entry, background, jit, open_engine, shipped
from tensix_gdb.core.engine.background import BackgroundEngine
from tensix_gdb.core.engine.cache import VARIABLE, open_cache
from tensix_gdb.core.engine.plan import Plan, plan_for
from tensix_gdb.core.record.record import Record
from tensix_gdb.gdbstub.doctor.builds import builds
from tests.core.engine import small
from tests.patience import turns

ENTRIES = (Entry("add", small.add), Entry("rows", small.rows))


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file that a wheel would bring for this processor; the user's cache has nothing
    yet."""
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "shipped")
    name = jit.processor()[0]
    monkeypatch.setattr(jit, "commons", lambda: ("better", name))
    monkeypatch.setenv(VARIABLE, str(tmp_path / "of-the-wheel"))
    plan = plan_for(ENTRIES, small.LAYOUT)
    path = shipped.write(plan, plan.build(open_cache(), jit.FULL))
    monkeypatch.setenv(VARIABLE, str(tmp_path / "objects"))
    return path


def auto(entries: tuple[Entry, ...] = ENTRIES) -> BackgroundEngine:
    engine = open_engine("auto", entries, Record(small.LAYOUT))
    assert isinstance(engine, BackgroundEngine)
    return engine


def test_the_first_call_runs_it_and_code_of_this_processor_follows(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "LATER", 0.1)
    engine = auto()
    try:
        assert engine.kind == "compiled"
        first = engine._engine
        assert engine.call("add", 40, 2) == 42
        for _ in turns():
            engine.poll()
            if engine._level == jit.FULL:
                break
        assert engine._level == jit.FULL
        assert engine._engine is not first
        assert engine.call("add", 40, 2) == 42
    finally:
        engine.close()
    # The child has not compiled quickly for what was better already.
    assert len(list((file.parents[1] / "objects").glob("*.index"))) == 1


@pytest.mark.parametrize("damage", ["other sources", "half of it", "no code", "another processor"])
def test_what_does_not_fit_is_as_if_it_were_not_there(
    damage: str, file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    content = file.read_bytes()
    head, _, _ = content.partition(b"\n")
    match damage:
        case "other sources":
            monkeypatch.setattr(shipped, "_sources", lambda: "edited")
        case "half of it":
            file.write_bytes(content[: len(content) // 2])
        case "no code":
            file.write_bytes(head + b"\n")
        case "another processor":
            monkeypatch.setattr(jit, "commons", lambda: ("better",))
    assert shipped.find(plan_for(ENTRIES, small.LAYOUT)) is None
    engine = auto()
    try:
        assert engine.kind == "reference"
        assert engine.call("add", 40, 2) == 42
    finally:
        engine.close()
    assert not caplog.records


def test_other_entries_are_compiled(file: Path) -> None:
    assert shipped.find(plan_for(ENTRIES[:1], small.LAYOUT)) is None
    assert shipped.find(plan_for(ENTRIES, small.LAYOUT)) is not None


def test_who_waits_takes_it_too(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Plan, "build", None)
    engine = open_engine("compiled", ENTRIES, Record(small.LAYOUT))
    assert engine.call("add", 40, 2) == 42
    engine.close()


def test_the_best_that_this_processor_runs_is_taken(file: Path) -> None:
    plan, kind = plan_for(ENTRIES, small.LAYOUT), jit.kind_of(jit.triple())
    found = shipped.find(plan)
    assert found is not None
    better = dataclasses.replace(found, key="better")
    path = shipped.path_of(plan, "better", kind)
    content = zlib.compress(better.to_bytes())
    path.write_bytes(file.read_bytes().partition(b"\n")[0] + b"\n" + content)
    taken = shipped.find(plan)
    assert taken is not None
    assert taken.key == "better"


def test_plans_have_files_of_their_own() -> None:
    paths = [shipped.path_of(each.plan, "generic", "x86_64") for each in builds()]
    assert len(set(paths)) == len(paths)


@pytest.mark.parametrize("named", ["", "generic"])
def test_a_wheel_is_made_for_two_processors_of_a_kind(
    named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wheel's processors do not depend on this machine."""
    monkeypatch.setenv(jit.KIND, "x86_64")
    monkeypatch.setenv(jit.CPU, named)
    assert jit.processor.__wrapped__() == (named or "x86-64-v3", "")


def test_the_common_processor_is_one_of_this_kind_of_machine() -> None:
    kind = jit.llvm().get_process_triple().partition("-")[0]
    assert jit.baseline() in ("", jit.BASELINES[kind][0])
    assert jit.commons()[-1] == jit.GENERIC


@pytest.mark.parametrize("named", ["generic", "x86-64-v2"])
def test_one_who_asks_for_less_gets_what_such_a_machine_would(
    named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user without AVX2 sees the same, whatever this processor runs."""
    if named != "generic" and jit.kind_of(jit.llvm().get_process_triple()) != "x86_64":
        pytest.skip("a processor of another kind of machine")
    monkeypatch.setenv(jit.CPU, named)
    assert jit.commons() == ("generic",)
    assert jit.processor.__wrapped__() == (named, "")


@pytest.mark.parametrize(
    ("kind", "told"),
    [("aarch64", "it is for aarch64, as TENSIX_GDB_KIND"), ("z80", "TENSIX_GDB_KIND=z80")],
)
def test_code_of_another_kind_of_machine_is_not_loaded(
    kind: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if jit.llvm().get_process_triple().startswith(kind):
        pytest.skip("code of this kind of machine")
    monkeypatch.setenv(jit.KIND, kind)
    script = "from tests.core.engine.test_shipped import *; "
    script += "open_engine('compiled', ENTRIES, Record(small.LAYOUT))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert f"RuntimeError: {told}" in done.stderr
