# SPDX-License-Identifier: Apache-2.0
"""Nobody but T0 writes the total. B does: this test fails, and shows where."""

import pytest


@pytest.mark.tile(b="b.elf", t0="t0.elf")
def test_only_t0_writes_the_total(tile):
    tile.watch("ring.total", hart="b", when=lambda hart: hart is tile.b)
    tile.run_to_end("t0")
    assert tile.t0["ring.total"] == 5050
