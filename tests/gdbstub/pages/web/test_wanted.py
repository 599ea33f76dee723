# SPDX-License-Identifier: Apache-2.0
"""The page loads when the clients of the tile rest."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing

from tensix_gdb.gdbstub.pages.web import wanted


@pytest.mark.parametrize(
    ("talks", "waits"),
    [(0.0, wanted.REST), (1.0, 1.0 + wanted.REST), (math.inf, wanted.LONGEST)],
)
async def test_it_waits_for_clients_and_not_for_ever(
    talks: float, waits: float, autojump_clock: trio.testing.MockClock
) -> None:
    noticed: list[float] = []
    server: Any = SimpleNamespace(noticed=lambda: noticed.append(trio.current_time()))
    before = server.noticed
    began = trio.current_time()

    async def talk() -> None:
        while trio.current_time() < began + talks:
            await trio.sleep(0.1)
            server.noticed()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(talk)
        await wanted._clients_rest(server)
        assert trio.current_time() - began == pytest.approx(waits, abs=0.11)
        nursery.cancel_scope.cancel()
    assert server.noticed is before
