# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin: a fixture `tile`, and where it stood when a test failed.

    @pytest.mark.tile(t0="t0.elf", b="b.elf")     # files beside the test; or tile.load(...) in it
    def test_sums(tile): ...

`--tile-engine` chooses the engine; `--tile-serve` keeps the tile of a failed test for a debugger
that attaches to it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.testing.tile import Tile

_TILE: pytest.StashKey[Tile] = pytest.StashKey()
SECTION = "where the tile stands"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tensix-gdb", "breakpoint tests on an emulated Tensix tile")
    group.addoption(
        "--tile-engine",
        choices=("auto", "compiled", "reference"),
        default="auto",
        help="engine of the `tile` fixture (default: auto)",
    )
    group.addoption(
        "--tile-serve",
        action="store_true",
        help="after a failed test, wait for a debugger to look at its tile",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "tile(b=, t0=, t1=, t2=, nc=, sources=, schedule=): what the `tile` fixture loads, and "
        "when things take effect; paths are relative to the test's file",
    )


@pytest.fixture
def tile(request: pytest.FixtureRequest) -> Iterator[Tile]:
    """A Tensix tile (gdbstub.testing.Tile) with the ELFs that the marker `tile` names."""
    from tensix_gdb.gdbstub.testing.tile import Tile

    folder = request.path.parent
    marker = request.node.get_closest_marker("tile")
    given = {} if marker is None else dict(marker.kwargs)
    sources = [folder / path for path in given.pop("sources", ())]
    schedule = given.pop("schedule", "sc")
    engine = request.config.getoption("--tile-engine")
    made = Tile(engine=engine, schedule=schedule, sources=sources)
    try:
        try:
            for hart, path in given.items():
                made.load(hart, folder / path)
        except (ValueError, LookupError) as problem:
            pytest.fail(f"mark.tile: {problem}", pytrace=False)
        request.node.stash[_TILE] = made
        yield made
    finally:
        made.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    stood = item.stash.get(_TILE, None)
    if stood is not None and report.when == "call" and report.failed:
        if not _says_where(call):
            report.sections.append((SECTION, stood.report()))
        if item.config.getoption("--tile-serve"):
            _serve(item, stood)
    return report


def _says_where(call: pytest.CallInfo[None]) -> bool:
    """Is the failure a run that did not stop, whose message has it all?"""
    from tensix_gdb.gdbstub.testing.stop import NotStopped

    return call.excinfo is not None and call.excinfo.errisinstance(NotStopped)


def _serve(item: pytest.Item, stood: Tile) -> None:
    from tensix_gdb.gdbstub.testing.serving import serve_once

    capture = item.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        print(f"\n{item.nodeid} failed\n{stood.report()}")
        serve_once(stood)
