# SPDX-License-Identifier: Apache-2.0
"""Fixtures of users that take `tile`: in a test of many seeds they are set up anew for each."""

from __future__ import annotations

import pytest

from tests.gdbstub.testing.test_pytest_plugin import PLUGIN

pytest_plugins = ["pytester"]

FIXTURES = """
import pytest
LOG = []

@pytest.fixture
def once():
    LOG.append("once")
    return 1

@pytest.fixture
def loaded(tile, once):
    LOG.append(f"up {tile.machine.execution}")
    tile.marks = ["fresh"]
    yield tile
    LOG.append(f"down {tile.machine.execution}")

@pytest.fixture
def named(loaded):
    return str(loaded.machine.execution)

@pytest.fixture
def scheduled(tile_schedule):
    return tile_schedule

@pytest.fixture(autouse=True)
def always(request):
    yield
    print("LOG", *LOG, sep="|")
"""
ALL = [f"random:{seed}" for seed in range(3)]


def ran(pytester: pytest.Pytester, test: str, *options: str) -> pytest.RunResult:
    pytester.makepyfile(FIXTURES + test)
    return pytester.runpytest_inprocess(*PLUGIN, "-s", *options)


@pytest.mark.parametrize("seeded", ["@pytest.mark.tile(seeds=3)", ""], ids=["marker", "option"])
@pytest.mark.parametrize("arguments", ["loaded, once", "once, loaded, tile", "named, loaded"])
def test_each_seed_has_its_own(pytester: pytest.Pytester, arguments: str, seeded: str) -> None:
    test = f"""
{seeded}
def test_it({arguments}):
    assert loaded.marks == ["fresh"]
    loaded.marks.append("used")
    LOG.append(f"test {{loaded.machine.execution}}")
"""
    result = ran(pytester, test, *([] if seeded else ["--tile-seeds=3"]))
    result.assert_outcomes(passed=1)
    said = next(line for line in result.outlines if "LOG|" in line).partition("LOG|")[2].split("|")
    assert said.count("once") == 1
    seeds = ALL if seeded else ["random:1", "random:2", "random:3"]
    for seed in seeds:
        at = said.index(f"test {seed}")
        assert said[at - 1 : at + 2] == [f"up {seed}", f"test {seed}", f"down {seed}"]


def test_the_values_are_those_of_the_seed(pytester: pytest.Pytester) -> None:
    test = """
@pytest.mark.tile(seeds=3)
def test_it(named, scheduled, tile, tile_schedule):
    assert named == scheduled == tile_schedule == str(tile.machine.execution)
    LOG.append("test " + named)
"""
    result = ran(pytester, test)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines([f"*test {ALL[0]}|*test {ALL[1]}|*test {ALL[2]}*"])


def test_a_fixture_that_overrides_the_tile(pytester: pytest.Pytester) -> None:
    test = """
@pytest.fixture
def tile(tile):
    tile.marks = ["mine"]
    return tile

@pytest.mark.tile(seeds=3)
def test_it(tile):
    assert tile.marks == ["mine"]
    tile.marks.append("used")
    assert str(tile.machine.execution) != "random:2"
"""
    result = ran(pytester, test)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*1 of 3 seeds fail*: 2; --tile-seed 2 repeats the first*"])


def test_a_fixture_that_fails_in_a_seed(pytester: pytest.Pytester) -> None:
    test = """
@pytest.fixture
def fails(tile):
    yield tile
    assert str(tile.machine.execution) != "random:1", "torn down badly"

@pytest.mark.tile(seeds=3)
def test_it(fails):
    pass
"""
    result = ran(pytester, test)
    result.stdout.fnmatch_lines(["*1 of 3 seeds fail*: 1; --tile-seed 1 repeats the first*"])
