# SPDX-License-Identifier: Apache-2.0
"""A long run of a suite: it is stopped at any time, and the same command continues.

The suite here is a small one, run by this Python's pytest with the plugin of the real one.
"""

from __future__ import annotations

import json
import os
import runpy
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import cast

import pytest

from scripts.llktests.whole.__main__ import is_complete, main, next_of, run_all, size_of
from scripts.llktests.whole.ledger import FileOfSuite, Ledger, read
from scripts.llktests.whole.piece import Piece, outcomes_of
from tensix_gdb.gdbstub.llk.running import INSIDE, Choice, Outcome, share_priority
from tensix_gdb.gdbstub.llk.suite import COMPILER, CannotPrepare, Suite

RUN = {"chip": "blackhole", "seed": "1"}
CHOICE = Choice(0, "1", "latency", "compiled")
CONFTEST = """
def pytest_addoption(parser):
    parser.addoption("--run-simulator", action="store_true")
    parser.addoption("--timeout", action="append")
"""
TESTS = """
import os
import pytest

@pytest.mark.parametrize("number", range(9))
def test_it(number):
    if number % 3 == 1:
        pytest.skip("not on this chip")
    assert number != 2
    if number == 6:
        os._exit(1)
"""


def outcome(test: str, said: str = "passed") -> Outcome:
    return Outcome(test, said, "" if said == "passed" else "why", 1.0, 100)


@pytest.fixture
def small(tmp_path: Path) -> Suite:
    suite = Suite(tmp_path / "suite", Path(sys.executable))
    suite.tests.mkdir(parents=True)
    (suite.tests / "conftest.py").write_text(CONFTEST)
    (suite.tests / "test_it.py").write_text(TESTS)
    compiler = suite.llk / COMPILER
    (compiler / "compiler" / "bin").mkdir(parents=True)
    return suite


def test_a_session_gets_the_priority_of_another() -> None:
    """A run in the background has `echo 19 > /proc/self/autogroup`, and so has its suite."""
    command = [sys.executable, "-c", "input()"]
    pipes = {"stdin": subprocess.PIPE, "start_new_session": True}
    with subprocess.Popen(command, **pipes) as one, subprocess.Popen(command, **pipes) as other:  # type: ignore[call-overload]
        groups = [Path(f"/proc/{process.pid}/autogroup") for process in (one, other)]
        if not groups[0].exists():
            pytest.skip("Linux without autogroups")
        groups[0].write_text("7")
        share_priority(one.pid, other.pid)
        assert groups[1].read_text().endswith("nice 7\n")
        share_priority(-1, other.pid)  # no such process: nothing is changed, and nothing is said
        assert groups[1].read_text().endswith("nice 7\n")
        for process in (one, other):
            process.communicate(b"\n")


HELPERS = """
from pathlib import Path

class TestConfig:
    ARTEFACTS_DIR = Path(__file__).parent.parent / "built"

    def __init__(self, variant_id):
        self.test_name, self.variant_id = "sources/a.cpp", variant_id

    def build_elfs(self):
        marker = self.ARTEFACTS_DIR / self.test_name / self.variant_id / "complete"
        new = not marker.exists()
        marker.touch()
        return new
"""


def test_kernels_are_named_and_not_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The suite removes its own folder at each beginning."""
    (tmp_path / "helpers").mkdir()
    (tmp_path / "helpers" / "test_config.py").write_text(HELPERS)
    monkeypatch.setenv("LLK_BUILD", str(tmp_path / "kept"))
    module = runpy.run_path(str(tmp_path / "helpers" / "test_config.py"))
    config = SimpleNamespace(TestConfig=module["TestConfig"])
    monkeypatch.setitem(sys.modules, "helpers.test_config", cast(ModuleType, config))
    plugin = runpy.run_path(str(INSIDE / "tensix_gdb_llk_built.py"))
    plugin["watch"]()
    assert config.TestConfig("one").build_elfs()
    shutil.rmtree(config.TestConfig.ARTEFACTS_DIR)
    assert not config.TestConfig("one").build_elfs()
    assert config.TestConfig("two").build_elfs()
    assert plugin["test"]["kernels"] == ["one", "one", "two"]


@pytest.mark.long("the others are about the file that such a run writes")
def test_pieces_of_a_file_make_the_whole(small: Suite, tmp_path: Path) -> None:
    """Each test once, also when one of them ends the process, which is wrong."""
    ledger = Ledger(tmp_path / "run.jsonl", RUN)
    begun: list[int] = []

    def run(name: str, piece: Piece) -> Iterator[Outcome]:
        begun.append(piece.most)
        return outcomes_of(small, tmp_path, CHOICE, name, piece)

    run_all(["test_it.py"], ledger, run, lambda text: None)
    ledger.close()
    _, files = read(tmp_path / "run.jsonl")
    (file,) = files.values()
    assert (file.collected, file.left, file.run) == (9, 0, 6)
    assert (file.passed, file.skipped) == (4, 3)
    wrong = {one.test: one.outcome for one in file.wrong}
    assert wrong == {"test_it.py::test_it[2]": "failed", "test_it.py::test_it[6]": "not ended"}
    assert begun[0] == 3
    rows = [json.loads(line) for line in (tmp_path / "run.jsonl").read_text().splitlines()]
    assert sum("cost" in row for row in rows) == len(begun), "a row for each piece"
    ended = Counter(row.get("test") for row in rows if "cost" not in row)
    assert ended.pop(None) == 2
    assert len(ended) == 9
    assert set(ended.values()) == {1}


def test_a_killed_run_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"

    def killed(name: str, piece: Piece) -> Iterator[Outcome]:
        yield outcome("a::1")
        yield outcome("a::2", "failed")
        os.kill(os.getpid(), signal.SIGINT)
        yield outcome("a::3")

    ledger = Ledger(path, RUN)
    with pytest.raises(KeyboardInterrupt):
        run_all(["a"], ledger, killed, lambda text: None)
    ledger.close()
    with path.open("a") as file:
        file.write('{"file": "a", "test": "a::')  # as the machine went off
    assert list(read(path)[1]["a"].outcomes) == ["a::1", "a::2"]
    again: list[frozenset[str]] = []

    def rest(name: str, piece: Piece) -> Iterator[Outcome]:
        again.append(piece.done)
        piece.collected = 3
        yield outcome("a::3")

    ledger = Ledger(path, RUN)
    run_all(["a"], ledger, rest, lambda text: None)
    assert again == [{"a::1", "a::2"}]
    assert not is_complete(["a"], ledger.files)
    ledger.forget("a")
    run_all(["a"], ledger, lambda name, piece: iter([outcome("a::2")]), lambda text: None)
    ledger.close()
    _, files = read(path)
    assert is_complete(["a"], files)
    assert not is_complete(["a", "b"], files)


def test_the_file_with_the_fewest_is_next(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "run.jsonl", RUN)
    for number in range(7):
        ledger.add("a", outcome(f"a::{number}"))
        ledger.add("b", outcome(f"b::{number}", "skipped"))
    assert next_of(["a", "b"], ledger) == "b"
    assert (size_of(ledger.of("a")), size_of(ledger.of("b"))) == (21, 3)
    ledger.collected("b", 7)
    assert next_of(["a", "b"], ledger) == "a"
    assert size_of(FileOfSuite(None, {str(i): outcome(str(i)) for i in range(3000)})) == 1000
    ledger.close()


def test_a_file_of_which_nothing_runs_is_set_aside(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "run.jsonl", RUN)
    said: list[str] = []

    def run(name: str, piece: Piece) -> Iterator[Outcome]:
        piece.problem = "no compiler"
        yield from ()

    run_all(["a"], ledger, run, said.append)
    ledger.close()
    assert said[-1] == "a: set aside: no compiler"


def test_another_run_or_another_process_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    ledger = Ledger(path, RUN)
    with pytest.raises(CannotPrepare, match="is being continued by another process"):
        Ledger(path, RUN)
    ledger.close()
    with pytest.raises(CannotPrepare, match="is of chip blackhole, and this is wormhole"):
        Ledger(path, {**RUN, "chip": "wormhole"})
    path.write_text('{"run": {}}\n{"file": "a"}\n')
    with pytest.raises(CannotPrepare, match="line 2: not of a long run"):
        Ledger(path, RUN)
    with pytest.raises(CannotPrepare, match="cannot be written: No such file"):
        Ledger(tmp_path / "none" / "run.jsonl", RUN)


def test_the_summary(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = Ledger(tmp_path / "run.jsonl", RUN)
    ledger.add("test_a.py", outcome("test_a.py::x", "failed"))
    ledger.add("test_a.py", outcome("test_a.py::y", "skipped"))
    ledger.collected("test_a.py", 5)
    ledger.close()
    assert main([str(tmp_path / "run.jsonl"), "--summary"]) == 1
    said = capsys.readouterr().out
    assert "failed: test_a.py::x\n    why" in said
    assert "files: 1; 0 passed, 1 skipped, 1 wrong, 3 left in all" in said
    assert main([str(tmp_path / "none"), "--summary"]) == 2
    assert "none cannot be read: No such file" in capsys.readouterr().err
    excluded = [str(tmp_path / "new"), "--arch", "wormhole", "test_hadamard.py"]
    assert main(excluded) == 2
    assert "test_hadamard.py is excluded: the suite skips it" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
