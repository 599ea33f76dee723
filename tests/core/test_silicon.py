# SPDX-License-Identifier: Apache-2.0
"""Facts about silicon: each with a source, and asked for by chip."""

from __future__ import annotations

from tensix_gdb.core.arch import silicon


def test_each_fact_has_a_source() -> None:
    for fact in silicon.TABLE.values():
        assert "#" in fact.source
        assert fact.blackhole or fact.wormhole


def test_chips_are_in_the_order_of_the_row_that_selects_them() -> None:
    assert silicon.SCALAR_STAGE == (1, 0)
    assert silicon.LATE_FLIP == (1, 1)
    assert silicon.ROWS_STAY_UNDEFINED == (1, 0)
