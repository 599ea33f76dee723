# SPDX-License-Identifier: Apache-2.0
"""The pages of core/race: their tables are those of the code, and each edge names what there is."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from scripts.races import MAKER, ORDERS, PAGE, blocks
from tensix_gdb.core.race.edges import EDGES, Edge
from tests.ordering.litmus_files import TESTS

LONGEST = 200


def test_the_tables_are_those_of_the_code() -> None:
    for block, text in blocks().items():
        assert block.read() == text, f"run `{MAKER}`"


@pytest.mark.parametrize("page", [PAGE, ORDERS], ids=lambda page: page.name)
def test_the_pages_stay_short(page: Path) -> None:
    assert len(page.read_text("utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize("edge", EDGES, ids=lambda edge: edge.what)
def test_an_edge_names_its_test_and_its_function(edge: Edge) -> None:
    if edge.litmus.startswith("test_"):
        name, _, test = edge.litmus.partition(".")
        folder = "network." if name in ("test_noc", "test_host") else ""
        assert callable(getattr(importlib.import_module(f"tests.core.race.{folder}{name}"), test))
    else:
        assert edge.litmus in {test.name for test in TESTS.values()}
    module, _, function = edge.where.rpartition(".")
    assert callable(getattr(importlib.import_module(f"tensix_gdb.core.race.{module}"), function))
