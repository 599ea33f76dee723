# SPDX-License-Identifier: Apache-2.0
"""The page of core/race: its tables are those of the code, and each edge names what there is."""

from __future__ import annotations

import importlib

import pytest

from scripts.races import MAKER, PAGE, blocks
from tensix_gdb.core.race.edges import EDGES, Edge
from tests.ordering.litmus_files import TESTS

LONGEST = 200


def test_the_tables_are_those_of_the_code() -> None:
    for block, text in blocks().items():
        assert block.read() == text, f"run `{MAKER}`"


def test_the_page_stays_short() -> None:
    assert len(PAGE.read_text("utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize("edge", EDGES, ids=lambda edge: edge.what)
def test_an_edge_names_its_test_and_its_function(edge: Edge) -> None:
    assert edge.litmus in {test.name for test in TESTS.values()}
    module, _, function = edge.where.rpartition(".")
    assert callable(getattr(importlib.import_module(f"tensix_gdb.core.race.{module}"), function))
