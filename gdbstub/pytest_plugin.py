# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin: a fixture `tile`, and where it stood when a test failed.

    @pytest.mark.tile(t0="t0.elf", b="b.elf")     # files beside the test; or tile.load(...) in it
    def test_sums(tile): ...

    @pytest.mark.tile(dir="build", schedule="latency", seeds=200)     # two tests: one of all seeds
    def test_adds(tile): ...

Many seeds are one test, which says which of them fail: those of the marker, or for all tests
`--tile-seeds 200`; here, or on a cluster (`--tile-on`).
`--tile-schedule` and `--tile-seed` choose other runs, `--tile-engine` the engine. `--tile-serve`
keeps the tile of a failed test for a debugger that attaches to it, `--tile-pictures` draws it.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Generator, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.testing.cases import Many
    from tensix_gdb.gdbstub.testing.race_check import RaceCheck
    from tensix_gdb.gdbstub.testing.tile import Tile

_TILE: pytest.StashKey[Tile] = pytest.StashKey()
_TILES: pytest.StashKey[list[Tile]] = pytest.StashKey()
SECTION = "where the tile stands"
AGAIN = "the same run again"
PICTURE = "picture of the tile"
MARK = "mark.tile"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tensix-gdb", "breakpoint tests on an emulated Tensix tile")
    group.addoption(
        "--tile-engine",
        choices=("auto", "compiled", "reference"),
        default="auto",
        help="engine of the `tile` fixture (default: auto)",
    )
    group.addoption(
        "--tile-schedule",
        action="append",
        metavar="SCHEDULE",
        help="run every test with a tile in this schedule (sc, latency, random:SEED), instead of "
        "that of its marker; may be repeated",
    )
    group.addoption(
        "--tile-seed",
        action="append",
        metavar="SEEDS",
        help="run every test with a tile in random:SEED for these seeds: 7, or 3,7, or 0-99",
    )
    group.addoption(
        "--tile-seeds",
        type=int,
        metavar="N",
        help="run every test with a tile in random:1 to random:N, as one test that says which "
        "seeds fail",
    )
    group.addoption(
        "--tile-on",
        metavar="local|tcp://HOST:PORT",
        help="tests of many seeds (--tile-seeds, or seeds= of their markers): on a cluster of Dask",
    )
    group.addoption(
        "--tile-races",
        nargs="?",
        const="default",
        choices=("default", "strict"),
        help="fail every test with a tile, in a schedule with time, in which nothing orders two "
        "accesses; strict: also if only a promise of no page does",
    )
    group.addoption(
        "--tile-races-suppressions",
        action="append",
        default=[],
        metavar="FILE",
        help="reports that do not count (tensix-gdb manual races); may be repeated",
    )
    group.addoption(
        "--tile-check",
        metavar="NAMES",
        help="fail every test with a tile, in a schedule with time, in which one of these finds "
        "something: init, leaks, memory, separated by commas, or all",
    )
    group.addoption(
        "--tile-serve",
        action="store_true",
        help="after a failed test, wait for a debugger to look at its tile",
    )
    group.addoption(
        "--tile-pictures",
        metavar="DIR",
        help="draw the tile of each failed test, as it stands, into DIR/TEST.svg",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "tile(b=, t0=, t1=, t2=, nc=, dir=, sources=, schedule=, seeds=, races=, "
        "races_suppressions=, checks=): what the `tile` fixture loads, in which runs the test is, "
        "and whether it fails with a race, or a finding of `init,leaks,memory`; paths are "
        "relative to the test's file",
    )
    if config.getoption("--tile-schedule") or config.getoption("--tile-seed"):
        from tensix_gdb.gdbstub.usage import UsageError

        try:
            _chosen(config)
        except UsageError as problem:
            raise pytest.UsageError(str(problem)) from None


def pytest_collection_finish(session: pytest.Session) -> None:
    wanted = session.items and session.config.getoption("--tile-on")
    if wanted and not any(_many(item) for item in session.items):
        raise pytest.UsageError("--tile-on is about many seeds: add --tile-seeds 200")


def _many(item: pytest.Item) -> Many | None:
    """The seeds of a test that is of many, by `--tile-seeds` or by its marker."""
    from tensix_gdb.gdbstub.testing.cases import RANDOM, Many, marked_tests
    from tensix_gdb.gdbstub.usage import UsageError

    count = item.config.getoption("--tile-seeds")
    if "tile" not in getattr(item, "fixturenames", ()) or _chosen(item.config):
        return None
    if count:
        return Many.of(RANDOM, list(range(1, count + 1)))
    callspec = getattr(item, "callspec", None)
    if callspec is not None and "tile_schedule" in callspec.params:
        chosen = callspec.params["tile_schedule"]
    else:
        try:
            chosen = marked_tests(MARK, _marked(item))[0]
        except UsageError:
            return None  # the fixture says it
    return chosen if isinstance(chosen, Many) else None


def _chosen(config: pytest.Config) -> list[str]:
    """The executions that the options choose; none without options."""
    schedules, seeds = config.getoption("--tile-schedule"), config.getoption("--tile-seed")
    if not schedules and not seeds:
        return []
    from tensix_gdb.gdbstub.testing.cases import executions

    return executions("--tile-schedule", schedules, ",".join(seeds) if seeds else None)


def _marked(node: pytest.Item | Any) -> dict[str, Any]:
    """The arguments of the marker. UsageError with a sentence for what it does not take."""
    from tensix_gdb.gdbstub.testing.cases import MARKED, check_arguments
    from tensix_gdb.gdbstub.usage import UsageError

    marker = node.get_closest_marker("tile")
    if marker is None:
        return {}
    if marker.args:
        raise UsageError(f"{MARK}: {marker.args[0]!r} has no name: type for example dir='build'")
    check_arguments(MARK, marker.kwargs, MARKED)
    return dict(marker.kwargs)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test once for each execution, if there are several or the options name them."""
    if "tile_schedule" not in metafunc.fixturenames:
        return
    from tensix_gdb.gdbstub.testing.cases import marked_tests
    from tensix_gdb.gdbstub.usage import UsageError

    chosen = _chosen(metafunc.config)
    try:
        several = marked_tests(MARK, _marked(metafunc.definition))
    except UsageError:
        return  # the fixture says it, of this test alone
    if metafunc.config.getoption("--tile-seeds") and not chosen:
        return  # one test for all seeds
    if chosen or len(several) > 1:
        metafunc.parametrize("tile_schedule", chosen or several, indirect=True, ids=_named)


def _named(execution: str) -> str:
    """A test's execution in its id; that of many seeds has none."""
    from tensix_gdb.gdbstub.testing.cases import Many

    return execution.name if isinstance(execution, Many) else execution


@pytest.fixture
def tile_schedule(request: pytest.FixtureRequest) -> str:
    """The schedule of the test's tile, as text."""
    from tensix_gdb.gdbstub.testing.cases import marked_executions
    from tensix_gdb.gdbstub.usage import UsageError

    try:
        return getattr(request, "param", marked_executions(MARK, _marked(request.node))[0])
    except UsageError as problem:
        raise pytest.fail.Exception(str(problem), pytrace=False) from None


@pytest.fixture
def tile(request: pytest.FixtureRequest, tile_schedule: str) -> Iterator[Tile]:
    """A Tensix tile (gdbstub.testing.Tile) with the ELFs that the marker `tile` names.

    Call it for more of them: tile(dir=, schedule=, seeds=).
    """
    from tensix_gdb.gdbstub.testing.fixture import FixtureTile

    made: list[Tile] = []
    request.node.stash[_TILES] = made
    check = _race_check(request.node)

    def is_looked_at(one: Tile) -> None:
        made.append(one)
        if check is not None:
            check.begin(one)
        request.node.stash[_TILE] = one
        _note_run(request.node, one)

    try:
        engine = request.config.getoption("--tile-engine")
        folder = request.path.parent
        try:
            yield FixtureTile(folder, engine, tile_schedule, is_looked_at, _marked(request.node))
        except (ValueError, LookupError) as problem:
            raise pytest.fail.Exception(f"{MARK}: {problem}", pytrace=False) from None
    finally:
        for one in made[:1]:
            one.close()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Call a test of many seeds with a tile for each, and once more in the first that fails: its
    failure is that of the test."""
    chosen = _many(pyfuncitem)
    if chosen is None:
        return None
    from tensix_gdb.gdbstub.search.many import here, on_cluster
    from tensix_gdb.gdbstub.usage import UsageError

    address = pyfuncitem.config.getoption("--tile-on")
    seeds = chosen.seeds
    try:
        if address:
            folder = str(pyfuncitem.config.rootpath)
            many = on_cluster(address, pyfuncitem.nodeid, folder, chosen.name, seeds)
        else:
            many = here(seeds, partial(_call_in, pyfuncitem), skips=pytest.skip.Exception)
    except UsageError as problem:
        raise pytest.fail.Exception(str(problem), pytrace=False) from None
    if many.first is None:
        pyfuncitem.user_properties += many.properties()
        return True
    try:
        _call_in(pyfuncitem, many.first, keep=True)
    except BaseException as problem:
        problem.add_note(many.text())
        raise
    finally:
        pyfuncitem.user_properties += many.properties()
    raise pytest.fail.Exception(f"{many.text()}; here it passes", pytrace=False)


def _call_in(item: pytest.Function, seed: int, *, keep: bool = False) -> None:
    """Call a test's function with a fresh tile in a seed."""
    first: Any = item.funcargs["tile"]
    made = item.stash[_TILES]
    tile = first.in_seed(seed)
    if keep:
        made.insert(0, tile)
    arguments = {name: item.funcargs[name] for name in item._fixtureinfo.argnames}
    if "tile_schedule" in arguments:
        arguments["tile_schedule"] = str(tile.machine.execution)
    check = _race_check(item)
    try:
        item.obj(**{**arguments, "tile": tile})
        if check is not None and (failure := check.failure([tile])):
            raise pytest.fail.Exception(failure, pytrace=False)
    finally:
        if not keep:
            made.remove(tile)
            tile.close()


def _race_check(item: pytest.Item) -> RaceCheck | None:
    """How the tiles of a test are observed; None if they are not."""
    given, option = _marked(item), item.config.getoption("--tile-races")
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
    if _many(item) is not None:
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
    """What a failed `tile.races == []` shows."""
    module = sys.modules.get("tensix_gdb.gdbstub.testing.races")
    if module is not None and op == "==" and not right and isinstance(left, module.Races):
        lines: list[str] = left.explanation()
        return lines
    return None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    stood = item.stash.get(_TILE, None)
    if stood is not None and report.when == "call" and report.failed:
        if not _says_where(call):
            report.sections.append((SECTION, stood.report()))
        again = _again(item, stood)
        report.sections.append((AGAIN, "\n".join(again.values())))
        item.user_properties += again.items()
        if item.config.getoption("--tile-pictures"):
            report.sections.append((PICTURE, _draw(item, stood)))
        if item.config.getoption("--tile-serve"):
            _serve(item, stood)
    return report


def _again(item: pytest.Item, stood: Tile) -> dict[str, str]:
    """The lines that run a failed test again: in pytest, and its programs under GDB."""
    from shlex import quote

    from tensix_gdb.gdbstub.testing.reproduction import gdb_command

    is_many = _many(item) is not None
    is_chosen = _chosen(item.config) or is_many
    chosen = f" --tile-schedule={stood.machine.execution}" if is_chosen else ""
    node = item.nodeid.partition("[")[0] if is_many else item.nodeid
    lines = {"tile-pytest": f"pytest {quote(node)}{chosen}"}
    command = gdb_command(stood, _folder(item))
    return {**lines, "tile-gdb": command} if command else lines


def _draw(item: pytest.Item, stood: Tile) -> str:
    """Draw the tile of a failed test; return the file's name, or why there is none."""
    from tensix_gdb.gdbstub.picture.files import content
    from tensix_gdb.gdbstub.picture.state import take

    path = Path(item.config.getoption("--tile-pictures")) / f"{_file_name(item)}.svg"
    stop = stood.stop
    ending = f"{item.nodeid}: {stop.text if stop is not None else 'the tile has not stopped yet'}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content(take(stood.machine, ending), path.name))
    except OSError as problem:
        return f"{path}: cannot be written: {problem.strerror}"
    item.user_properties.append(("tile-picture", str(path)))
    return str(path)


def _file_name(item: pytest.Item) -> str:
    return re.sub(r"\W+", "-", item.nodeid).strip("-")[-100:]


def _folder(item: pytest.Item) -> Path:
    """Where the inputs of a failed test are written, if it has some."""
    cache = getattr(item.config, "cache", None)
    root = Path(tempfile.gettempdir()) if cache is None else Path(cache.mkdir("tensix-gdb"))
    return root / _file_name(item)


def _says_where(call: pytest.CallInfo[None]) -> bool:
    """True if the failure is a run that did not stop: its message has it all."""
    from tensix_gdb.gdbstub.testing.stop import NotStopped

    return call.excinfo is not None and call.excinfo.errisinstance(NotStopped)


def _serve(item: pytest.Item, stood: Tile) -> None:
    from tensix_gdb.gdbstub.testing.serving import serve_once

    capture = item.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        print(f"\n{item.nodeid} failed\n{stood.report()}")
        serve_once(stood)
