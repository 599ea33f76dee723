# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin: a fixture `tile`, and where it had stopped when a test failed.

    @pytest.mark.tile(t0="t0.elf", b="b.elf")     # files beside the test; or tile.load(...) in it
    def test_sums(tile): ...

    @pytest.mark.tile(dir="build", schedule="latency", seeds=200)     # two tests: one of all seeds
    def test_adds(tile): ...

Many seeds are one test, which says which of them fail: those of the marker, or for all tests
`--tile-seeds 200`; here, or on a cluster (`--tile-on`).
`--tile-schedule` and `--tile-seed` choose other runs, `--tile-engine` the engine. `--tile-serve`
keeps the tile of a failed test for a debugger that attaches to it, `--tile-pictures` draws it,
`--tile-share` makes a file of its run that anyone opens.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tensix_gdb.gdbstub.pytest_plugin.anew import Anew
from tensix_gdb.gdbstub.pytest_plugin.executions import (
    MARK,
    chosen_executions,
    execution_name,
    many_seeds,
    marker_arguments,
)
from tensix_gdb.gdbstub.pytest_plugin.failed import draw, kept, run_again, says_where, serve, share
from tensix_gdb.gdbstub.pytest_plugin.options import add_options
from tensix_gdb.gdbstub.pytest_plugin.waiting import tell_who_waits

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.testing.fixture import FixtureTile
    from tensix_gdb.gdbstub.testing.race_check import RaceCheck
    from tensix_gdb.gdbstub.testing.tile import Tile

_TILE: pytest.StashKey[Tile] = pytest.StashKey()
_FIRST: pytest.StashKey[FixtureTile] = pytest.StashKey()  # that of the fixture
_TILES: pytest.StashKey[list[Tile]] = pytest.StashKey()
SECTION = "where the tile has stopped"
AGAIN = "the same run again"
PICTURE = "picture of the tile"
SHARED = "the run as one file"


def pytest_addoption(parser: pytest.Parser) -> None:
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "tile(b=, t0=, t1=, t2=, nc=, dir=, sources=, schedule=, seeds=, races=, "
        "races_suppressions=, checks=): what the `tile` fixture loads, in which runs the test is, "
        "and whether it fails with a race, or a finding of `init,leaks,memory,stages`; paths are "
        "relative to the test's file",
    )
    if config.getoption("--tile-schedule") or config.getoption("--tile-seed"):
        from tensix_gdb.gdbstub.usage import UsageError

        try:
            chosen_executions(config)
        except UsageError as problem:
            raise pytest.UsageError(str(problem)) from None


def pytest_collection_finish(session: pytest.Session) -> None:
    wanted = session.items and session.config.getoption("--tile-on")
    if wanted and not any(many_seeds(item) for item in session.items):
        raise pytest.UsageError("--tile-on is about many seeds: add --tile-seeds 200")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test once for each execution, if there are several or the options name them."""
    if "tile_schedule" not in metafunc.fixturenames:
        return
    from tensix_gdb.gdbstub.testing.cases import marked_tests
    from tensix_gdb.gdbstub.usage import UsageError

    chosen = chosen_executions(metafunc.config)
    try:
        several = marked_tests(MARK, marker_arguments(metafunc.definition))
    except UsageError:
        return  # the fixture says it, of this test alone
    if metafunc.config.getoption("--tile-seeds") and not chosen:
        return  # one test for all seeds
    if chosen or len(several) > 1:
        metafunc.parametrize("tile_schedule", chosen or several, indirect=True, ids=execution_name)


@pytest.fixture
def tile_schedule(request: pytest.FixtureRequest) -> str:
    """The schedule of the test's tile, as text."""
    from tensix_gdb.gdbstub.testing.cases import marked_executions
    from tensix_gdb.gdbstub.usage import UsageError

    try:
        return getattr(request, "param", marked_executions(MARK, marker_arguments(request.node))[0])
    except UsageError as problem:
        raise pytest.fail.Exception(str(problem), pytrace=False) from None


@pytest.fixture
def tile(request: pytest.FixtureRequest, tile_schedule: str) -> Iterator[Tile]:
    """A Tensix tile (gdbstub.testing.Tile) with the ELFs that the marker `tile` names.

    Call it for more of them: tile(dir=, schedule=, seeds=).
    """
    from tensix_gdb.gdbstub.testing.fixture import FixtureTile

    tell_who_waits(request.config)
    made: list[Tile] = []
    request.node.stash[_TILES] = made
    check = _race_check(request.node)

    def is_looked_at(one: Tile) -> None:
        made.append(one)
        if check is not None:
            check.observe_tile(one)
        request.node.stash[_TILE] = one
        _note_run(request.node, one)

    try:
        engine = request.config.getoption("--tile-engine")
        folder = request.path.parent
        try:
            first = FixtureTile(
                folder, engine, tile_schedule, is_looked_at, marker_arguments(request.node)
            )
            request.node.stash[_FIRST] = first
            yield first
        except (ValueError, LookupError) as problem:
            raise pytest.fail.Exception(f"{MARK}: {problem}", pytrace=False) from None
    finally:
        for one in made[:1]:
            one.close()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Call a test of many seeds with a tile for each, and once more in the first that fails: its
    failure is that of the test."""
    chosen = many_seeds(pyfuncitem)
    if chosen is None:
        return None
    from tensix_gdb.gdbstub.order.search.many import here, on_cluster
    from tensix_gdb.gdbstub.usage import UsageError

    anew = Anew(pyfuncitem)
    address = pyfuncitem.config.getoption("--tile-on")
    seeds = chosen.seeds
    try:
        if address:
            folder = str(pyfuncitem.config.rootpath)
            many = on_cluster(address, pyfuncitem.nodeid, folder, chosen.name, seeds)
        else:
            many = here(seeds, partial(_call_in, pyfuncitem, anew), skips=pytest.skip.Exception)
    except UsageError as problem:
        raise pytest.fail.Exception(str(problem), pytrace=False) from None
    if many.first is None:
        pyfuncitem.user_properties += many.properties()
        return True
    try:
        _call_in(pyfuncitem, anew, many.first, keep=True)
    except BaseException as problem:
        problem.add_note(many.text())
        raise
    finally:
        pyfuncitem.user_properties += many.properties()
    raise pytest.fail.Exception(f"{many.text()}; here it passes", pytrace=False)


def _call_in(item: pytest.Function, anew: Anew, seed: int, *, keep: bool = False) -> None:
    """Call a test's function with a fresh tile in a seed."""
    made = item.stash[_TILES]
    tile = item.stash[_FIRST].in_seed(seed)
    if keep:
        made.insert(0, tile)
    check = _race_check(item)
    try:
        item.obj(**anew.arguments(tile=tile, tile_schedule=str(tile.machine.execution)))
        if check is not None and (failure := check.failure([tile])):
            raise pytest.fail.Exception(failure, pytrace=False)
    finally:
        if not keep:
            try:
                anew.tear_down()
            finally:
                made.remove(tile)
                tile.close()


def _race_check(item: pytest.Item) -> RaceCheck | None:
    """Return how the tiles of a test are observed; None if they are not."""
    given, option = marker_arguments(item), item.config.getoption("--tile-races")
    groups = item.config.getoption("--tile-check")
    if not (given.get("races") or given.get("checks")) and option is None and groups is None:
        return None
    from tensix_gdb.gdbstub.testing.race_check import race_check

    files = item.config.getoption("--tile-races-suppressions")
    return race_check(MARK, given, item.path.parent, option, files, groups)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """A test that has passed fails if one of its tiles has a race."""
    yield
    if many_seeds(item) is not None:
        return  # each seed was looked at
    made = item.stash.get(_TILES, [])
    check = _race_check(item) if made else None
    failure = check.failure(made) if check is not None else ""
    if failure:
        raise pytest.fail.Exception(failure, pytrace=False)


def _note_run(item: pytest.Item, tile: Tile) -> None:
    """Properties of the test for reports: the schedule and the seed of its last tile."""
    execution = tile.machine.execution
    kept = [one for one in item.user_properties if not one[0].startswith("tile-")]
    kept.append(("tile-schedule", str(execution)))
    if str(execution).startswith("random"):
        kept.append(("tile-seed", str(execution.seed)))
    item.user_properties[:] = kept


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Return the explanation of a failed `tile.races == []`."""
    module = sys.modules.get("tensix_gdb.gdbstub.testing.races")
    if module is not None and op == "==" and isinstance(left, module.Races) and not right:
        lines: list[str] = left.explanation()
        return lines
    return None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    tile = item.stash.get(_TILE, None)
    if tile is not None and report.when == "call" and report.failed:
        if not says_where(call):
            report.sections.append((SECTION, tile.report()))
        again = run_again(item, tile)
        report.sections.append((AGAIN, "\n".join([*again.values(), *kept(tile)])))
        item.user_properties += again.items()
        if item.config.getoption("--tile-pictures"):
            report.sections.append((PICTURE, draw(item, tile)))
        if item.config.getoption("--tile-share"):
            report.sections.append((SHARED, share(item, tile)))
        if item.config.getoption("--tile-serve"):
            serve(item, tile)
    return report
