# SPDX-License-Identifier: Apache-2.0
"""One test for each kernel of a suite: which they are, in which order, and what all would cost.

The suite here is a small one, run by this Python's pytest with the plugin of the real one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from rich.console import Console

from scripts.llktests.whole import cluster
from scripts.llktests.whole.__main__ import main, run_all
from scripts.llktests.whole.cluster import EACH, Done, run_on
from scripts.llktests.whole.kernels import KernelList, KernelsOf, _of_rows, kernels_of
from scripts.llktests.whole.ledger import FileOfSuite, Ledger, read
from scripts.llktests.whole.piece import Piece, _processor
from scripts.llktests.whole.reported import cost_of, say_reports
from tensix_gdb.gdbstub.llk.running import Choice, Outcome
from tensix_gdb.gdbstub.llk.suite import COMPILER, CannotPrepare, Suite

CHOICE = Choice(0, "1", "latency", "compiled")
CONFTEST = """
def pytest_addoption(parser):
    parser.addoption("--compile-producer", action="store_true")
"""
CONFIG = """
import pytest

class TestConfig:
    __test__ = False
    test_name, skip_build_header, compile_time_formats = "sources/a.cpp", False, False
    boot_mode, profiler_build, coverage_build, requires_device_print = "b", "p", "c", False

    def __init__(self, height):
        self.height = height

    def generate_build_header(self):
        return f"constexpr int HEIGHT = {self.height};"

    def resolve_compile_options(self):
        return "-O3"

    def build_elfs(self):
        raise AssertionError("nothing is to be compiled")

    def run(self):
        self.build_elfs()
        pytest.skip("just for compiling")
"""
PACK = """
def pack_bfp8_b(tensor):
    with open(__file__ + ".calls", "a") as file:
        file.write("x")
    return bytes(*tensor.shape)
"""
TESTS = """
import pytest
from helpers.pack import pack_bfp8_b
from helpers.test_config import TestConfig

class Tensor:
    dtype = "float32"

    def __init__(self, *shape):
        self.shape = shape

@pytest.fixture
def more():
    return 3

@pytest.mark.parametrize("height", (1, 2))
@pytest.mark.parametrize("data", range(3))
def test_of_two_kernels(height, data):
    TestConfig(height).run()

@pytest.mark.parametrize("data", range(2))
def test_with_a_fixture(data, more):
    TestConfig(more).run()

def test_that_is_skipped():
    pytest.skip("not on this chip")

def test_that_fails_with_its_kernel():
    TestConfig(4).build_elfs()
    assert False

def test_that_fails_before():
    assert False

@pytest.mark.parametrize("size", (6, 7, 6.0))
def test_that_packs(size):
    TestConfig(len(pack_bfp8_b(Tensor(int(size))))).run()
"""


def test_each_kernel_once(tmp_path: Path) -> None:
    suite = Suite(tmp_path / "suite", Path(sys.executable))
    (suite.tests / "helpers").mkdir(parents=True)
    (suite.llk / COMPILER / "compiler" / "bin").mkdir(parents=True)
    (suite.tests / "conftest.py").write_text(CONFTEST)
    (suite.tests / "helpers" / "__init__.py").write_text("")
    (suite.tests / "helpers" / "test_config.py").write_text(CONFIG)
    pack = suite.tests / "helpers" / "pack.py"
    pack.write_text(PACK)
    (suite.tests / "test_it.py").write_text(TESTS)
    found = kernels_of(suite, CHOICE, "test_it.py")
    assert (found.asked, found.without) == (14, 2)
    names = sorted(test.partition("[")[0].partition("::")[2] for test in found.tests)
    two = "test_of_two_kernels"
    packs = "test_that_packs"
    assert names == [
        two,
        two,
        "test_that_fails_with_its_kernel",
        packs,
        packs,
        "test_with_a_fixture",
    ]
    assert pack.with_name("pack.py.calls").read_text() == "xx", "once for a shape"
    with pytest.raises(CannotPrepare, match=r"test_other\.py: "):
        kernels_of(suite, CHOICE, "test_other.py")


def test_a_test_of_two_kernels_stands_for_what_is_new() -> None:
    found = _of_rows("a.py", [("x", ["1", "2"]), ("y", ["2"]), ("z", None), ("w", ["2", "3"])])
    assert (list(found.tests), found.without, found.asked) == (["x", "w"], 1, 4)


def test_a_sample_is_drawn_from_all_kernels(tmp_path: Path) -> None:
    """A line that was not written to its end is none: the suite is asked again."""
    known = KernelList(tmp_path / "run.jsonl")
    known.add(KernelsOf("a.py", [f"a{at}" for at in range(90)], 0, 100))
    known.add(KernelsOf("b.py", ["b"], 0, 1))
    with known.path.open("a") as file:
        file.write('{"file": ')
    again = KernelList(tmp_path / "run.jsonl")
    assert again.counts == {"a.py": 90, "b.py": 1}
    some = again.wanted(["a.py", "b.py"], 10, "7")
    assert sum(map(len, some.values())) == 10
    assert some == again.wanted(["a.py", "b.py"], 10, "7")
    assert some != again.wanted(["a.py", "b.py"], 10, "8")
    assert sum(map(len, again.wanted(["a.py"], 1000, "1").values())) == 90


def report(identity: str, check: str = "") -> dict[str, object]:
    side = {"instruction": "sw", "pc": 4, "chain": []}
    place = {"name": "cfg X"}
    said = {"identity": identity, "check": check, "verdict": "race", "text": f"text of {identity}"}
    return said | {"place": place, "earlier": side, "later": side}


def observed(test: str, processor: float, *races: dict[str, object]) -> Outcome:
    return Outcome(test, "passed", "", 1.0, races=list(races), processor=processor)


def test_what_is_wanted_runs_and_is_said(tmp_path: Path) -> None:
    """A report is written once, and counted for each test; what has run is not run again."""
    path = tmp_path / "run.jsonl"
    wanted = {"a.py": ["a1", "a2", "a3"], "b.py": ["b1"]}
    asked: list[tuple[str, list[str]]] = []

    def run(name: str, piece: Piece) -> Iterator[Outcome]:
        asked.append((name, list(piece.only or ())))
        for test in piece.only or ():
            yield observed(test, 2.0 + len(asked), report("R"), report(test, "K1"))
        piece.seconds, piece.processor, piece.built = 9.0, 20.0 + 3.0 * piece.most, 1_000_000

    run_of = {"chip": "blackhole", "kernels": "all"}
    ledger = Ledger(path, run_of)
    ledger.add("a.py", observed("a1", 1.0, report("R")))
    lines: list[str] = []

    def tests_of(name: str) -> list[str]:
        if name not in wanted:
            raise CannotPrepare("no such file")
        return wanted[name]

    run_all([*wanted, "c.py"], ledger, run, lines.append, tests_of)
    run_all(list(wanted), ledger, run, lambda text: pytest.fail(text), tests_of)
    ledger.close()
    assert "c.py: set aside: no such file" in lines
    assert sorted(asked) == [("a.py", ["a2", "a3"]), ("b.py", ["b1"])]
    assert path.read_text().count("text of R") == 1
    _, files = read(path)
    assert [len(one.races) for one in files["a.py"].outcomes.values()] == [1, 2, 2]
    assert files["b.py"].outcomes["b1"].races[0]["text"] == "text of R"
    assert (files["a.py"].left, files["b.py"].left) == (0, 0)
    console = Console(width=300, record=True)
    say_reports(run_of, files, {"a.py": 300, "b.py": 10}, console)
    said = console.export_text()
    assert "RACE, not judged: 4 reports of 1 kinds in 2 files" in said
    assert "K1, contract: 3 reports of 3 kinds in 2 files" in said
    assert "not judged: a1\ntext of R\n" in said
    assert "all 310 kernels of 2 files: " in said


def test_what_all_kernels_cost() -> None:
    """A piece takes 10 s and a kernel 2 s beside its test, which takes 5 s."""

    def file(kernels: int) -> FileOfSuite:
        found = FileOfSuite(cost=[{"tests": kernels, "processor": 10.0 + 7.0 * kernels}])
        found.outcomes = {f"{at}": observed(f"{at}", 5.0) for at in range(kernels)}
        return found

    cost = cost_of([file(1), file(4), file(9)])
    assert cost is not None
    assert (round(cost.start), round(cost.each), cost.test, cost.error) == (10, 2, 5, 0)
    assert cost.of({"a": 100, "b": 101}) == pytest.approx((3 * 10 + 201 * 7, 0))
    assert cost_of([file(5)]) is None


def test_seconds_of_a_process() -> None:
    assert _processor(os.getpid()) > 0
    assert _processor(2**22 + 1) == 0.0


def test_on_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are asked about and run there; what the ledger has is not run again."""
    ran: list[tuple[str, ...]] = []

    def list_there(choice: Choice, name: str) -> KernelsOf:
        if name == "none.py":
            raise CannotPrepare("no such file")
        return KernelsOf(name, [f"{name}{at}" for at in range(EACH + 3)], 0, 99)

    def run_there(choice: Choice, name: str, tests: list[str]) -> Done:
        ran.append(tuple(tests))
        return [observed(test, 2.0) for test in tests], {"tests": len(tests), "seconds": 1.0}, ""

    monkeypatch.setattr(cluster, "list_there", list_there)
    monkeypatch.setattr(cluster, "run_there", run_there)
    ledger = Ledger(tmp_path / "run.jsonl", {"chip": "blackhole", "kernels": "all"})
    ledger.add("a.py", observed("a.py0", 1.0))
    lines: list[str] = []
    known = KernelList(ledger.path)
    with ThreadPoolExecutor(2) as pool:
        run_on(pool, ["a.py", "b.py", "none.py"], ledger, known, CHOICE, lines.append)
        assert sorted(map(len, ran)) == [2, 3, EACH, EACH]
        ran.clear()
        run_on(pool, ["a.py"], ledger, KernelList(ledger.path), CHOICE, lines.append)
    ledger.close()
    assert not ran
    assert "none.py: set aside: no such file" in lines
    assert {name: file.left for name, file in read(ledger.path)[1].items()} == {
        "a.py": 0,
        "b.py": 0,
    }


def test_what_on_goes_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "run.jsonl"), "--on", "local"]) == 2
    assert "--on goes with --kernels, and not with --llk or --sample" in capsys.readouterr().err


@pytest.mark.long("a small suite is asked in test_each_kernel_once")
def test_the_kernels_of_a_file_of_llk(suite: Suite) -> None:
    """Rows and formats differ in what a kernel is given when it runs."""
    found = kernels_of(suite, CHOICE, "test_pack_rows.py")
    assert found.asked == 320
    assert len(found.tests) < found.asked / 5
    assert all(test.startswith("test_pack_rows.py::") for test in found.tests)
