# SPDX-License-Identifier: Apache-2.0
"""The short form of the tests stays short: rules for tests/durations.txt, forms and `--fast`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import durations, forms, nearest

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parents[2]


def test_the_table_names_files_that_are_there() -> None:
    gone = [name for name in durations.files() if not (ROOT / name).exists()]
    assert gone == [], "run scripts/test and then `python -m tests.durations`"


def test_a_table_is_read_as_it_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    c, d, e = (f"tests/a/test_b.py::test_{name}" for name in ("c[1 2]", "d", "e"))
    short = {c: [9.0, 7.5], d: [1.0, 0.4]}
    long = {c: [9.0, 7.5], c.replace("1 2", "3"): [1.0, 2.5], f"{e}[1]": [4.0, 4.0]}
    monkeypatch.setattr(durations, "TABLE", tmp_path / "durations.txt")
    durations.TABLE.write_text(durations.table(short, long))
    monkeypatch.setattr(durations, "of_a_case", durations.of_a_case.__wrapped__)
    assert durations.files() == {"tests/a/test_b.py": 7.9}
    assert durations.of_a_case() == {c.partition("[")[0]: 2.5, e: 4.0}


def test_what_is_nearest_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    all_files = [
        "tests/core/tensix/packer/test_pack.py",
        "tests/core/tensix/test_x.py",
        "tests/gdb/test_gdb.py",
        "tests/gdbstub/cli/test_run.py",
        "tests/layers/test_style.py",
    ]
    costs = dict.fromkeys(all_files, 10.0) | {"tests/gdb/test_gdb.py": 70.0}
    monkeypatch.setattr(durations, "files", lambda: costs)
    changes = ["core/tensix/packer/pack.py", "tests/gdb/test_gdb.py"]
    far = [nearest.distance(file, changes) for file in all_files]
    assert far == [1, 2, 0, 4, 3]
    assert nearest.nearest(all_files, changes, 100) == set(all_files) - {all_files[3]}
    assert nearest.nearest(all_files, changes, 60) == {"tests/gdb/test_gdb.py"}


INNER = """
    import pytest
    from tensix_gdb.core.schedule import Schedule
    from tests.forms import rounds, seed, some

    @pytest.fixture(params=[("reference", Schedule.SC), ("compiled", Schedule.LATENCY)], ids=str)
    def runs(request):
        return request.param

    @pytest.mark.parametrize("number", range(8))
    def test_each(runs, number):
        pass

    @pytest.mark.sample(4, "eight of a kind")
    @pytest.mark.parametrize("number", range(8))
    def test_some(runs, number):
        pass

    @pytest.mark.long("test_each")
    def test_long():
        pass

    def test_rounds():
        print("said", rounds(2, 9), len(some(range(9), 3)), seed(8))
"""


@pytest.fixture
def inner(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv(forms.FORM, "short")
    monkeypatch.setenv(forms.NUMBER, "0")
    pytester.makeconftest(
        "from tests import forms\n"
        "def pytest_addoption(parser): forms.add_options(parser)\n"
        "def pytest_configure(config): forms.set_up(config)\n"
        "def pytest_report_header(): return forms.head()\n"
        "def pytest_collection_modifyitems(config, items): forms.choose(config, items)\n"
    )
    pytester.makeini("[pytest]\nmarkers =\n    long\n    sample\n")
    pytester.makepyfile(INNER)
    return pytester


def run(inner: pytest.Pytester, *words: str) -> tuple[int, str]:
    """Return how many tests ran, and all that was said."""
    done = inner.runpytest_inprocess("-s", *words)
    return done.parseoutcomes().get("passed", 0), done.stdout.str()


def test_the_short_form_has_each_case_once_and_a_sample(inner: pytest.Pytester) -> None:
    count, said = run(inner, "-v")
    assert count == 8 + 2 + 0 + 1
    assert 0 < said.count("reference") < 10
    assert "said 2 3 8" in said


def test_the_long_form_has_all(inner: pytest.Pytester) -> None:
    count, said = run(inner, "--all")
    assert count == 16 + 16 + 1 + 1
    assert "said 9 9 8" in said


BUDGETS = {"BUDGET": 0.25, "LONG_BUDGET": 1.5, "LONG": 0.6}
COSTS = {
    "test_x.py::test_each": BUDGETS["LONG_BUDGET"] / 16,
    "test_x.py::test_some": BUDGETS["LONG_BUDGET"] / 2,
    "test_x.py::test_rounds": 3.0,
}


def test_costs_decide_what_a_form_has(
    inner: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of test_each two cases fit into the short form, and 16 into the long one; of the others none,
    and 2 of 16 of test_some."""
    inner.path.joinpath(next(inner.path.glob("test_*.py")).name).rename(inner.path / "test_x.py")
    monkeypatch.setattr(durations, "of_a_case", lambda: COSTS)
    for name, seconds in BUDGETS.items():
        monkeypatch.setattr(forms, name, seconds)
    assert run(inner)[0] == 2
    assert run(inner, "--all")[0] == 16 + 2 + 1 + 1


def test_a_file_is_never_without_a_test(
    inner: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner.path.joinpath(next(inner.path.glob("test_*.py")).name).rename(inner.path / "test_x.py")
    costs = dict.fromkeys(COSTS, 9.0) | {"test_x.py::test_rounds": 8.0, "test_x.py::test_long": 9.0}
    monkeypatch.setattr(durations, "of_a_case", lambda: costs)
    assert run(inner)[0] == 1


def test_what_is_named_runs_whole(inner: pytest.Pytester) -> None:
    assert run(inner, "-k", "some or long")[0] == 17


def test_other_seeds_are_named_and_can_be_repeated(inner: pytest.Pytester) -> None:
    _, said = run(inner, "--seeds", "fresh", "-k", "rounds")
    (number,) = [line.split()[-1] for line in said.splitlines() if "random tests by" in line]
    drawn = [line for line in said.splitlines() if "said" in line]
    assert "said 2 3 8" not in said
    assert drawn[0].lstrip(".") in run(inner, "--seeds", number, "-k", "rounds")[1]


def test_forms_are_no_longer_than_they_say() -> None:
    assert forms.rounds(3, 9) in (3, 9)
