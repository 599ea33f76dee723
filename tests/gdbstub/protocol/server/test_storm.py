# SPDX-License-Identifier: Apache-2.0
"""Clients that come, hang and vanish do nothing to a running tile
(tests.gdbstub.protocol.server.storm)."""

from __future__ import annotations

from tests.forms import rounds
from tests.gdbstub.protocol.server import storm

CONNECTIONS = rounds(150, 400)
MAX_GROWN = 32 << 20


def test_a_storm() -> None:
    weather = storm.run(CONNECTIONS)
    assert weather.equal
    assert weather.cycles > 1000
    assert len(weather.connections) == 8
    assert set(weather.dropped) == {
        "refused, there are 16 clients already",
        "does not end its packet; dropped it",
        "takes nothing any more; dropped it",
    }
    assert weather.answers > 50
    assert weather.grown_bytes < MAX_GROWN
