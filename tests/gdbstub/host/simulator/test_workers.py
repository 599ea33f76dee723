# SPDX-License-Identifier: Apache-2.0
"""LLK's tests with workers of pytest-xdist: one that has no tile is told how to get one."""

from __future__ import annotations

import pytest

from tensix_gdb.gdbstub.host.simulator.serving import worker_without_tile


@pytest.mark.parametrize(
    ("worker", "workers", "tiles", "said"),
    [
        ("", "", 1, ""),
        ("master", "2", 1, ""),
        ("gw0", "2", 1, ""),
        ("gw1", "2", 2, ""),
        (
            *("gw1", "2", 1),
            "LLK's tests run worker 2 of pytest -n on tile 2, and this simulator has 1 tile: "
            "tensix-gdb simulator DIR --tiles 2x1",
        ),
        (
            *("gw4", "3", 2),  # in place of one that has crashed
            "LLK's tests run worker 5 of pytest -n on tile 5, and this simulator has 2 tiles: "
            "tensix-gdb simulator DIR --tiles 5x1",
        ),
    ],
)
def test_a_worker_beyond_the_tiles(worker: str, workers: str, tiles: int, said: str) -> None:
    environment = {"PYTEST_XDIST_WORKER": worker, "PYTEST_XDIST_WORKER_COUNT": workers}
    assert worker_without_tile({**environment, "PWD": "/llk/tests/python_tests"}, tiles) == said
    assert worker_without_tile({**environment, "PWD": "/mine"}, tiles) == ""
    assert worker_without_tile(environment, tiles) == ""
