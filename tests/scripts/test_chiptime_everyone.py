# SPDX-License-Identifier: Apache-2.0
"""All tiles to all, as it is put beside a card (scripts/chiptime/everyone.py)."""

from __future__ import annotations

from scripts.chiptime.everyone import measure
from scripts.chiptime.points import kept
from tensix_gdb.core.noc.request import on_link


def test_each_tile_takes_at_least_what_it_sends_to_others() -> None:
    places = [(1, 2), (2, 2)]
    short, long = (measure(places, places, size, 4) for size in (64, 4096))
    assert len(short) == 2
    assert min(long) >= 4 * on_link(64)
    assert min(long) > max(short)


def test_nothing_may_be_fitted_to_all_to_all() -> None:
    assert "noc_estimator all_to_all" in kept()
