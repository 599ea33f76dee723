# SPDX-License-Identifier: Apache-2.0
"""The time of Wormhole's DRAM: the rate of its channels, of which each of six places has two, and
when a write is acknowledged."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensix_gdb.core.arch.blackhole import NC
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.noc.coordinates import WORMHOLE_DRAM
from tensix_gdb.core.noc.state import WR_ACK_RECEIVED
from tensix_gdb.core.schedule import Schedule
from tests.core.wormhole.test_noc_requests import (
    MARKED,
    PATTERN,
    READ,
    SOURCE,
    WRITE,
    counters,
    place,
    request,
)
from tests.machines import machine_on

RD_RESP, BYTES, STEP, MOST = 2, 8192, 10, 1500
SECOND = 1 << 30  # where a place's second channel begins
PORTS = [place(*tile) for tile in WORMHOLE_DRAM[0]]
RATE = 22.0  # bytes in a cycle (mesham/tt-sim, dramratebench of a card: 21.8 to 22.2)


def ends(first: tuple[int, int], second: tuple[int, int]) -> Sequence[int]:
    """Return when two reads that begin together are over; each has a port and an address."""
    tile = machine_on("reference", Schedule.LATENCY, arch=Arch.WORMHOLE)
    for i, (port, addr) in enumerate((first, second)):
        to = 0x8000 + BYTES * i
        for step in request(READ, addr, to, BYTES, targ_at=port, initiator=i):
            tile.poke(NC, step.addr, step.value.to_bytes(4, "little"))
    cycles: list[int] = []
    for cycle in range(0, MOST, STEP):
        (over,) = counters(tile, RD_RESP)
        cycles += [cycle] * (over - len(cycles))
        if over == 2:
            break
        tile.run(STEP)
    tile.close()
    return cycles


@pytest.mark.parametrize("port", [0, 1])
def test_reads_of_one_channel_take_turns(port: int) -> None:
    """By one port or by two of the group."""
    first, second = ends((PORTS[0], 0), (PORTS[port], BYTES))
    assert second - first == pytest.approx(BYTES / RATE, abs=2 * STEP)


def test_the_other_channel_of_a_place_does_not_wait() -> None:
    first, second = ends((PORTS[0], 0), (PORTS[0], SECOND))
    assert second - first <= 2 * STEP


def test_a_write_is_acknowledged_when_dram_has_taken_it() -> None:
    """A card's write of 64 bytes takes 409 cycles, 45 of them the profiler's, and one to another
    tile's L1 293, in noc_latencies.yaml: 116 more for DRAM, all of it after the data is there."""
    tile = machine_on("reference", Schedule.LATENCY, arch=Arch.WORMHOLE)
    tile.poke(NC, SOURCE, PATTERN[:64])
    for step in request(WRITE | MARKED, SOURCE, 0, 64, ret_at=PORTS[0]):
        tile.poke(NC, step.addr, step.value.to_bytes(4, "little"))
    there = back = 0
    for cycle in range(0, 600, STEP):
        if not there and tile.outside.dram[0].read(0, 64) == PATTERN[:64]:
            there = cycle
        if not back and counters(tile, WR_ACK_RECEIVED) == [1]:
            back = cycle
        tile.run(STEP)
    tile.close()
    assert there
    assert 116 < back - there < 170  # the way back is 30; both are seen each 10 cycles
