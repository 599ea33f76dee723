# SPDX-License-Identifier: Apache-2.0
"""Results that are kept: which changes of a tree make a test run again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.parser import parse
from tensix_gdb.gdbstub.llk.copying import bring_up_to_date
from tensix_gdb.gdbstub.llk.job.inputs import Tree, repository_of
from tensix_gdb.gdbstub.llk.job.keys import OWN, options_key, own_digest
from tensix_gdb.gdbstub.llk.job.store import MOST_RESULTS, Record, Result, Store, result_of
from tensix_gdb.gdbstub.llk.running import Outcome
from tensix_gdb.gdbstub.llk.suite import Suite
from tests.llk.made_job import PACK, TEST, UNPACK, race, result, tree_at

LLK = "tt_metal/tt-llk"


def test_names_are_of_the_repository(tmp_path: Path) -> None:
    tree = tree_at(tmp_path / "metal")
    assert tree.root == tmp_path / "metal"
    assert tree.name_of(tree.llk / UNPACK) == f"{LLK}/{UNPACK}"
    assert tree.name_of(f"{tree.llk}/tests/../{UNPACK}") == f"{LLK}/{UNPACK}"
    assert tree.name_of("/usr/include/stdint.h") is None
    copy = Tree(tree.llk, tree.root, [tmp_path / "copy"])
    assert copy.name_of(tmp_path / "copy" / UNPACK) == f"{LLK}/{UNPACK}"
    assert repository_of(tree.llk) == tree.root
    (tmp_path / "metal/.git").rmdir()
    assert repository_of(tree.llk) == tree.llk


def test_what_changes_a_digest(tmp_path: Path) -> None:
    def digest() -> str:
        tree = tree_at(tmp_path)
        return tree.digest([f"{LLK}/{UNPACK}", "tt_metal/hw/inc/tensix.h"])

    before, tree = digest(), tree_at(tmp_path)
    (tree.llk / PACK).write_text("void other();\n")
    assert Tree(tree.llk).digest([f"{LLK}/{UNPACK}", "tt_metal/hw/inc/tensix.h"]) == before
    (tree.llk / UNPACK).write_text("void other();\n")
    changed = Tree(tree.llk).digest([f"{LLK}/{UNPACK}", "tt_metal/hw/inc/tensix.h"])
    assert changed != before
    assert digest() == before
    # Another file of that name may now be found first.
    (tree.llk / "common").mkdir()
    (tree.llk / "common/tensix.h").write_text("")
    assert digest() != before


def test_any_file_of_llk_changes_everything(tmp_path: Path) -> None:
    tree = tree_at(tmp_path)
    before = tree.everything()
    assert Tree(tree.llk).everything() == before
    (tree.llk / PACK).write_text("void other();\n")
    assert Tree(tree.llk).everything() != before


def test_what_all_tests_of_a_file_share(tmp_path: Path) -> None:
    tree = tree_at(tmp_path)
    before = tree.common("test_unpack_A.py")
    tests = tree.llk / "tests/python_tests"
    for name, is_shared in (
        ("test_other.py", False),
        ("test_run.log", False),
        ("__pycache__/conftest.pyc", False),
        ("test_unpack_A.py", True),
        ("conftest.py", True),
        ("helpers/test_config.py", True),
        ("../helpers/ld/math.ld", True),
    ):
        path = tests / name
        path.parent.mkdir(exist_ok=True)
        old = path.read_text() if path.exists() else None
        path.write_text("changed")
        assert (Tree(tree.llk).common("test_unpack_A.py") != before) is is_shared, name
        if old is not None:
            path.write_text(old)


def _record(tree: Tree, *results: Result) -> Record:
    record = Record({})
    record.add({one.test: one for one in results}, tree)
    return record


def test_a_result_holds_until_a_file_of_it_changes(tmp_path: Path) -> None:
    tree, store = tree_at(tmp_path / "tree"), Store(tmp_path / "kept")
    store.write("k", _record(tree, result(races=[race()])))
    (kept,) = store.read("k").valid(tree).values()
    assert (kept.kept, kept.passed, kept.races) == ("files", True, [race()])
    (tree.llk / PACK).write_text("changed")
    assert store.read("k").valid(Tree(tree.llk))
    (tree.llk / UNPACK).write_text("changed")
    record, changed = store.read("k"), Tree(tree.llk)
    assert record.valid(changed) == {}
    assert record.elfs([TEST]) == {TEST: ["e1"]}
    assert record.last(TEST).kept == "elfs"
    # Back on the other branch the older one holds.
    record.add({TEST: result(outcome="failed")}, changed)
    assert record.valid(changed)[TEST].outcome == "failed"
    assert record.valid(tree_at(tmp_path / "tree"))[TEST].outcome == "passed"
    assert store.read("none").tests == {}
    (tmp_path / "kept" / "bad.json").write_text('{"tests": []}')
    assert store.read("bad").tests == {}


def test_a_few_results_of_a_test_are_kept(tmp_path: Path) -> None:
    tree = tree_at(tmp_path)
    record = Record({})
    for number in range(MOST_RESULTS + 3):
        (tree.llk / UNPACK).write_text(str(number))
        record.add({TEST: result(cycles=number)}, Tree(tree.llk))
    assert [row["cycles"] for row in record.tests[TEST]] == list(range(10, 2, -1))


@pytest.mark.parametrize(
    "one",
    [
        result(outcome="failed", deps=[], elfs=[]),
        result(outcome="failed", reason="E   TENSIX TIMED OUT"),
        result(outcome="not ended"),
        result(is_told=False),
        result(deps=[]),
    ],
    ids=["not compiled", "late", "not ended", "not told", "of unknown files"],
)
def test_a_result_that_is_not_kept(tmp_path: Path, one: Result) -> None:
    """Its test is known, and has to run again."""
    tree = tree_at(tmp_path)
    record = _record(tree, one)
    assert list(record.tests) == [TEST]
    assert record.valid(tree) == {}
    assert record.elfs([TEST]) == {}


def test_a_test_without_a_kernel_is_kept(tmp_path: Path) -> None:
    tree = tree_at(tmp_path)
    for outcome in ("passed", "skipped"):
        one = result(outcome=outcome, deps=[], elfs=[], cycles=0)
        assert _record(tree, one).valid(tree)[TEST].outcome == outcome


def test_a_result_of_an_outcome(tmp_path: Path) -> None:
    """Reports and sources have the names of the tree, also where a copy was compiled."""
    tree = tree_at(tmp_path / "tree")
    own = Tree(tree.llk, tree.root, [tmp_path / "copy"])
    report = race()
    report["later"] = {**report["later"], "chain": [
        {"file": f"../{PACK}", "line": 3, "function": "a"},
        {"file": str(tmp_path / "copy" / UNPACK), "line": 4, "function": "b"},
        {"file": "/opt/sfpi/sfpi.h", "line": 5, "function": "c"},
    ]}  # fmt: skip
    outcome = Outcome(TEST, "passed", "", 1.0, 10, races=[report], elfs=["e"])
    outcome.deps = [str(tmp_path / "copy" / UNPACK), "/opt/sfpi/sfpi.h"]
    found = result_of(outcome, own)
    assert found.deps == [f"{LLK}/{UNPACK}"]
    chain = [step["file"] for step in found.races[0]["later"]["chain"]]
    assert chain == [f"{LLK}/{PACK}", f"{LLK}/{UNPACK}", "/opt/sfpi/sfpi.h"]
    outcome.unknown = ["helpers/test_config.py has no run_shell_command"]
    assert not result_of(outcome, own).can_be_kept()


def test_a_key_is_of_the_options(tmp_path: Path) -> None:
    suite = Suite(tmp_path, tmp_path / "venv" / "bin" / "python")

    def key(*words: str, arch: str = "blackhole") -> str:
        return options_key(parse(["llk", "--ci", *words]).options, arch, suite, suite.python)

    assert key() == key("--reports", "other") == key("test_matmul.py")
    others = [key(*words) for words in (
        ["--variants", "2"], ["--seed", "2"], ["--schedule", "random:1"],
        ["--engine", "reference"], ["--seeds", "3"], ["a.py", "--", "-k", "Float16"],
    )]  # fmt: skip
    assert len({key(), key(arch="wormhole"), *others}) == len(others) + 2
    assert (OWN / "core" / "machine").is_dir()
    assert len(own_digest()) == 64


def test_a_copy_is_brought_up_to_date(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "a/b").mkdir(parents=True)
    for name in ("a/same.h", "a/b/changed.h", "a/gone.h", "left.h"):
        (source / name).write_text(name)
    (source / "link.h").symlink_to("a/same.h")

    def left_out(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if name == "left.h"]

    bring_up_to_date(source, target, left_out)
    assert not (target / "left.h").exists()
    assert os.readlink(target / "link.h") == "a/same.h"
    before = (target / "a/same.h").stat()
    (target / "a/__pycache__").mkdir()
    (source / "a/b/changed.h").write_text("other")
    (source / "a/gone.h").unlink()
    (source / "link.h").unlink()
    (source / "link.h").mkdir()
    bring_up_to_date(source, target, left_out)
    assert (target / "a/b/changed.h").read_text() == "other"
    assert not (target / "a/gone.h").exists()
    assert (target / "a/__pycache__").is_dir()
    assert (target / "link.h").is_dir()
    assert (target / "a/same.h").stat().st_ino == before.st_ino
