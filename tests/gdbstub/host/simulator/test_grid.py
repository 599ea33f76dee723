# SPDX-License-Identifier: Apache-2.0
"""The description of the chip that the driver reads, for each grid."""

from __future__ import annotations

import pytest

from tensix_gdb.core.noc.coordinates import DRAM
from tensix_gdb.gdbstub.host.simulator.grid import (
    ENDPOINTS,
    TENSIX_X,
    TENSIX_Y,
    endpoints,
    places_of,
    soc_descriptor,
)


def test_the_description_of_the_chip_has_each_core_once() -> None:
    whole = places_of("14x10")
    assert len(whole) == len(set(whole)) == len(TENSIX_X) * len(TENSIX_Y) == 140
    assert [x for x, y in places_of("8x1")] == [1, 2, 3, 4, 5, 6, 10, 11]
    assert [x for x, y in places_of("14x1")] == [*range(1, 8), *range(10, 17)]
    assert soc_descriptor(places_of("13x1")).count("  - [ 0-0, 0-1, 0-11 ]\n") == 1
    assert places_of("2x2") == ((1, 2), (2, 2), (1, 3), (2, 3))
    text = soc_descriptor(places_of("2x2"))
    assert "functional_workers: [ 1-2, 2-2, 1-3, 2-3 ]" in text
    others = text.partition("router_only:")[2].partition("]")[0]
    assert " 1-2," not in others
    assert " 2-3," not in others
    assert " 3-2," in others


@pytest.mark.parametrize(
    ("tiles", "ports"),
    [("14x10", "[2, 1]"), ("8x10", "[2, 1]"), ("8x8", "[1, 0]"), ("7x4", "[1, 0]")],
)
def test_the_tiles_next_to_dram_are_tiles_of_the_grid(tiles: str, ports: str) -> None:
    """Each channel has another one; ttnn reads shards in DRAM by these."""
    places = places_of(tiles)
    beside = [
        (DRAM[channel][on_noc_0][0] + 1, max(DRAM[channel][on_noc_0][1], 2))
        for channel, (on_noc_0, _) in enumerate(endpoints(places))
    ]
    assert set(beside) <= set(places)
    assert len(set(beside)) == len(DRAM)
    first = next(line for line in soc_descriptor(places).splitlines() if "channel: 0" in line)
    assert f"worker_endpoint: {ports}" in first


@pytest.mark.parametrize("tiles", ["1x1", "6x10", "7x3"])
def test_a_grid_without_these_tiles_has_the_ports_of_a_card(tiles: str) -> None:
    assert endpoints(places_of(tiles)) == ENDPOINTS
