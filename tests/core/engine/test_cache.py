# SPDX-License-Identifier: Apache-2.0
"""The cache is private, bounded, survives damage, and cannot hand out stale code."""

from __future__ import annotations

import logging
import os
import stat
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest

from tensix_gdb.core.engine import EngineDefect, Entry, cache, jit, open_engine
from tensix_gdb.core.engine.cache import VARIABLE, Cache, CacheError, open_cache, wanted_directory
from tensix_gdb.core.engine.dependencies import canonical
from tensix_gdb.core.engine.ir import Module
from tensix_gdb.core.engine.plan import Plan, kept_object
from tensix_gdb.core.record.record import Record
from tests.core.engine import small
from tests.core.engine.conftest import WriteModule
from tests.patience import HANG


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for this test."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "objects"))
    return tmp_path / "objects"


def files(directory: Path, kind: str) -> list[Path]:
    return sorted(directory.glob(f"*{kind}"))


def run(function: Any, *args: int) -> int:
    record = Record(small.LAYOUT)
    engine = open_engine("compiled", [Entry("f", function)], record)
    try:
        return engine.call("f", *args)
    finally:
        engine.close()


# Files


def test_what_is_written_is_read(directory: Path) -> None:
    Cache(directory).write("key", ".object", b"one\ntwo\n")
    assert Cache(directory).read("key", ".object") == b"one\ntwo\n"
    assert Cache(directory).read("key", ".index") is None
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert stat.S_IMODE((directory / "key.object").stat().st_mode) == 0o600
    assert [p.name for p in directory.iterdir()] == ["key.object"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:-1],
        lambda content: content[: len(content) // 2],
        lambda content: b"",
        lambda content: content[:-1] + b"\0",
        lambda content: b"x" + content,
        lambda content: content + b"x",
        lambda content: os.urandom(200),
    ],
)
@pytest.mark.parametrize("kind", [".object", ".index"])
def test_damaged_files_are_made_again(directory: Path, kind: str, damage: Any) -> None:
    assert run(small.twice_plus_one, 20) == 41
    (path,) = files(directory, kind)
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    assert run(small.twice_plus_one, 20) == 41
    assert path.read_bytes() == whole


def test_an_index_that_means_nothing_is_made_again(directory: Path) -> None:
    for content in (
        b"",
        b"[]",
        b"{}",
        b'{"object": "no such", "globals": {}, "sites": []}',
        b"\xff",
    ):
        assert run(small.twice_plus_one, 20) == 41
        (path,) = files(directory, ".index")
        Cache(directory).write(path.stem, ".index", content)
    assert run(small.twice_plus_one, 20) == 41


def test_the_oldest_files_go(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cache.MAX_FILES, ".object", 64)
    store = Cache(directory)
    for number in range(70):
        store.write(f"key{number}", ".object", b"code")
        os.utime(directory / f"key{number}.object", (number, number))
    assert store.read("key20", ".object") == b"code"  # used again: among the youngest now
    store.write("last", ".object", b"code")
    left = {path.stem for path in files(directory, ".object")}
    assert len(left) == 64
    assert {"last", "key20", "key69"} <= left
    assert not {"key0", "key5"} & left


def test_what_killed_processes_left_goes(directory: Path) -> None:
    store = Cache(directory)
    for name in ("old.tmp", "old.lock", "new.tmp", "new.lock", "notes.txt"):
        (directory / name).write_bytes(b"")
        if name.startswith("old"):
            os.utime(directory / name, (1, 1))
    store.write("key", ".object", b"code")
    assert sorted(p.name for p in directory.iterdir()) == [
        "key.object",
        "new.lock",
        "new.tmp",
        "notes.txt",
    ]


def test_a_full_disk_is_no_error(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert run(small.twice_plus_one, 20) == 41
    assert not files(directory, ".tmp")
    monkeypatch.setattr(tempfile, "mkstemp", full)
    assert run(small.twice_plus_one, 20) == 41


# The directory


def test_directories_of_others_are_refused(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory.mkdir()
    for mode in (0o770, 0o707, 0o777):
        directory.chmod(mode)
        with pytest.raises(CacheError, match="can be written by others"):
            Cache(directory)
    directory.chmod(0o700)
    Cache(directory)
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    with pytest.raises(CacheError, match="belongs to another user"):
        Cache(directory)


def test_files_of_others_are_not_read(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Cache(directory)
    store.write("key", ".object", b"code")
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    assert store.read("key", ".object") is None


def test_where_there_is_no_place_for_a_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Code is then kept for this process; one line says so, once."""
    (tmp_path / "file").write_text("not a directory")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "file" / "objects"))
    with caplog.at_level(logging.WARNING):
        assert run(small.twice_plus_one, 20) == 41
        assert run(small.twice_plus_one, 21) == 43
    (line,) = caplog.messages
    assert "cannot be made: Not a directory; compiled code is kept for this run only" in line
    private = open_cache().directory
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    assert files(private, ".object")


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "/chosen")
    assert wanted_directory() == Path("/chosen")
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert wanted_directory() == Path("/xdg/tensix-gdb/objects")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative is to be ignored")
    monkeypatch.setenv("HOME", "/home/someone")
    assert wanted_directory() == Path("/home/someone/.cache/tensix-gdb/objects")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert wanted_directory() == Path("/home/someone/.cache/tensix-gdb/objects")


# Turns


class Clock:
    """The cache's clock, which continues only while it waits; `asleep` says that it does."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.asleep = threading.Event()
        monkeypatch.setattr("tensix_gdb.core.engine.cache.time", self)

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.asleep.set()


def test_one_builds_while_the_other_waits(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, events, clock = Cache(directory), [], Clock(monkeypatch)

    def second() -> None:
        with store.lock("key", patience=float("inf")):
            events.append("second")

    with store.lock("key"):
        thread = threading.Thread(target=second)
        thread.start()
        assert clock.asleep.wait(HANG), "it waits for its turn"
        events.append("first")
    thread.join()
    assert events == ["first", "second"]


def test_patience_ends(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, clock = Cache(directory), Clock(monkeypatch)
    with store.lock("key"), store.lock("other"):
        assert clock.now == 0, "no other process has them"
        with store.lock("key", patience=5):
            assert 5 < clock.now < 5.1


# Staleness


MAIN = """\
from stale import numbers
from stale.callee import scale


def f(S, a):
    return scale(S, a) + numbers.ADD
"""
CALLEE = "def scale(S, a):\n    return a * 2 + S.p.w[0]\n"
NUMBERS = "ADD = 1\n"


def stale(write_module: WriteModule, main: str, callee: str, numbers: str) -> Any:
    """The package `stale`, imported afresh."""
    for name, text in (
        ("stale.__init__", ""),
        ("stale.numbers", numbers),
        ("stale.callee", callee),
    ):
        write_module(name, text)
    return write_module("stale.main", main).f


def test_an_edit_anywhere_is_seen(directory: Path, write_module: WriteModule) -> None:
    """A callee in another module, a constant in a third one, a table that is computed."""
    assert run(stale(write_module, MAIN, CALLEE, NUMBERS), 10) == 21
    assert run(stale(write_module, MAIN, CALLEE, NUMBERS), 10) == 21
    assert len(files(directory, ".object")) == 1
    assert run(stale(write_module, MAIN, CALLEE.replace("a * 2", "a * 3"), NUMBERS), 10) == 31
    assert run(stale(write_module, MAIN, CALLEE, "ADD = sum([1, 2, 3])\n"), 10) == 26
    assert run(stale(write_module, MAIN, CALLEE, NUMBERS), 10) == 21
    assert len(files(directory, ".object")) == 3


def test_a_partial_that_binds_something_else_is_seen(
    directory: Path, write_module: WriteModule
) -> None:
    text = (
        "from functools import partial\n"
        "def g(S, a, N): return a * N\n"
        "D = (partial(g, N=2), partial(g, N=3))\n"
        "def f(S, a): return D[a & 1](S, a)\n"
    )
    assert run(write_module("bound", text).f, 5) == 15
    assert run(write_module("bound", text.replace("N=3", "N=7")).f, 5) == 35
    assert run(write_module("bound", text.replace("a * N", "a - N")).f, 5) == 2


def test_moved_lines_keep_the_code_but_not_the_places(
    directory: Path, write_module: WriteModule
) -> None:
    """The IR has no line numbers, so the object stays; the sentences of the defects do not."""
    text = "def f(S, a):\n    return S.p.w[a]\n"
    for shift in (0, 3):
        function = write_module("moved", "\n" * shift + text).f
        with pytest.raises(EngineDefect, match=rf"^moved\.py:{2 + shift}: index 99 is outside"):
            run(function, 99)
    assert len(files(directory, ".object")) == 1
    assert len(files(directory, ".index")) == 2


def test_a_warm_start_makes_no_ir(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(small.nested_dispatch, 1, 2) == run(small.nested_dispatch, 1, 2)

    def never(self: Plan) -> None:
        raise AssertionError("lowered again")

    monkeypatch.setattr(Plan, "lower", never)
    run(small.nested_dispatch, 1, 2)


def test_builds_and_layouts_are_kept_apart(directory: Path) -> None:
    record = Record(small.LAYOUT)
    for checked in (False, True):
        open_engine("compiled", [Entry("f", small.rows)], record, checked=checked).close()
    open_engine("compiled", [Entry("g", small.rows)], record).close()
    assert len(files(directory, ".object")) == 3


def test_a_plan_survives_the_way_to_another_process() -> None:
    plan = Plan((Entry("f", small.scaled, {"FACTOR": 3}), Entry("g", small.rows)), small.LAYOUT)
    again = Plan.from_json(plan.to_json())
    assert again.key(2) == plan.key(2)
    assert again.lower().ir == plan.lower().ir
    bound = Entry("f", small.with_constants, {"CHECKED": 0, "OPERATION": small.add})
    with pytest.raises(TypeError, match="f binds OPERATION to a function"):
        Plan((bound,), small.LAYOUT).to_json()


def test_an_object_outside_of_plans_is_compiled_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    module = Module("define i64 @one() {\n ret i64 1\n}\n", False)
    first = kept_object(module)
    monkeypatch.setattr(jit, "compile_object", None)
    assert kept_object(module) == first
    assert len(list(tmp_path.glob("*.object"))) == 1


def test_tables_are_spelled_apart() -> None:
    """Whatever their numbers are, also more than a machine word."""
    tables = ((), (1, 2), (12,), (1, 2, 0), (-1,), (2**64 - 1,), (2**70, 1), (2**70, 2), (True, 2))
    assert len({canonical(table) for table in tables}) == len(tables)
    assert canonical((1, 2)) == canonical(tuple([1, 2]))
