# SPDX-License-Identifier: Apache-2.0
"""Packets on the links of a chip: turns, room, channels of DRAM, multicasts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tensix_gdb.core.arch.chips import BLACKHOLE, WORMHOLE
from tensix_gdb.core.chip.network import ENTRIES
from tensix_gdb.core.chip.places import Place
from tensix_gdb.core.engine import Engine, open_engine
from tensix_gdb.core.links.acks import LENGTH
from tensix_gdb.core.links.multicast import RELEASE, RESERVE
from tensix_gdb.core.links.state import (
    ANSWERS,
    DRAM_READ,
    DRAM_WRITE,
    IN,
    KINDS,
    LAYOUT,
    MULTICAST,
    OUT,
    PLAIN,
    RESERVING,
)
from tensix_gdb.core.noc.coordinates import COLUMNS_OF
from tensix_gdb.core.noc.dram import ACCESS, RATE
from tensix_gdb.core.noc.request import on_link
from tensix_gdb.core.record.record import Record

Run = Callable[[], "Links"]
TARGET = (11, 2)


class Links:
    """An engine of links, and when packets arrive."""

    def __init__(self, kind: str, chip: int = BLACKHOLE) -> None:
        self.record = Record(LAYOUT)
        self.record.S.net.chip = chip
        self.engine: Engine = open_engine(kind, ENTRIES, self.record)
        self.arrived: dict[int, int] = {}
        self.now = 0

    def enter(
        self, packet: int, cycle: int, here: Place, there: Place, size: int, how: int = PLAIN
    ) -> None:
        self.engine.call("enter", packet, cycle, _at(here), _at(there), size, how)

    def advance(self, cycle: int) -> None:
        self.now = cycle
        net = self.record.S.net
        for i in range(self.engine.call("advance", cycle)):
            packet = int(net.arrived[i])
            self.arrived[packet] = int(net.at[packet])

    def run(self, step: int = 1000) -> dict[int, int]:
        while self.record.S.net.size:
            self.advance(self.now + step)
        return self.arrived


def _at(place: Place) -> int:
    return place[0] | place[1] << 6


@pytest.fixture(params=("reference", "compiled"))
def links(request: pytest.FixtureRequest) -> Iterator[Links]:
    made = Links(request.param)
    yield made
    made.engine.close()


def packet(tile: int, slot: int = 0, niu: int = 0) -> int:
    return (tile * 2 + niu) * 16 + slot


def test_alone_a_packet_takes_its_hops_and_its_flits(links: Links) -> None:
    links.enter(packet(0), 100, (1, 2), (4, 4), 4096)
    assert links.engine.call("bound", packet(0), 0) == 100 + 10 + 9 * 5 + on_link(64)
    assert links.run() == {packet(0): 100 + 10 + 9 * 5 + on_link(64)}


def test_two_flows_over_one_link_have_half_of_it_each(links: Links) -> None:
    for slot in range(16):
        links.enter(packet(0, slot), 0, (1, 2), (5, 2), 16384)
        links.enter(packet(1, slot), 0, (2, 2), (6, 2), 16384)
    ends = links.run()
    last = max(ends.values())
    assert last >= 31 * on_link(256)
    assert min(ends[packet(0, 15)], ends[packet(1, 15)]) >= 30 * on_link(256)


def test_on_different_links_they_do_not_meet(links: Links) -> None:
    for slot in range(16):
        links.enter(packet(0, slot), 0, (1, 2), (2, 2), 16384)
        links.enter(packet(1, slot), 0, (2, 2), (3, 2), 16384)
    assert max(links.run().values()) <= 16 * on_link(256) + 30


def test_the_flow_that_joins_last_has_half_of_the_link(links: Links) -> None:
    """Senders one after the other on the way to one tile, as a card's (nocbench contention): the
    nearest has half of the last link, the next one a quarter."""
    senders = [(1, 11), (2, 10), (3, 9), (4, 8)]
    for tile, sender in enumerate(senders):
        for slot in range(16):
            links.enter(packet(tile, slot), 0, sender, TARGET, 4096)
    arrived = links.run()
    ends = [max(arrived[packet(tile, slot)] for slot in range(16)) for tile in range(4)]
    whole = 16 * on_link(64)
    assert [round(end / whole) for end in ends] == [2, 3, 4, 4]


def test_what_has_gone_over_the_edge_has_its_turn_first(links: Links) -> None:
    """It has a virtual channel of its own, which is interleaved with the other one: half of the
    link, of which two senders on this side have a quarter each."""
    senders = [(15, 2), (2, 2), (3, 2)]
    for tile, sender in enumerate(senders):
        for slot in range(16):
            links.enter(packet(tile, slot), 0, sender, (4, 2), 4096)
    arrived = links.run()
    ends = [max(arrived[packet(tile, slot)] for slot in range(16)) for tile in range(3)]
    assert [round(end / (16 * on_link(64))) for end in ends] == [2, 3, 3]


def test_what_a_tile_sends_itself_takes_the_link_to_its_niu(links: Links) -> None:
    links.enter(packet(0), 0, (4, 2), (4, 2), 16384)
    links.enter(packet(1), 0, (3, 2), (4, 2), 64)
    ends = links.run()
    assert ends[packet(0)] == 10 + on_link(256)
    assert ends[packet(1)] == 10 + on_link(256) + on_link(1)


def test_an_acknowledgement_takes_a_cycle_of_each_link_on_its_way_back(links: Links) -> None:
    home = _at((3, 2)) << 12
    whole = 10 + 9 + on_link(1)
    links.engine.call("enter", packet(0), 0, _at((3, 2)), _at((4, 2)) | home, 64, PLAIN | ANSWERS)
    for tile in (1, 2):  # from the NIU that it leaves
        links.enter(packet(tile), whole - 1, (4, 2), (5, 2), 64)
    ends = links.run()
    assert ends[packet(1)] == 2 * whole - 1
    assert ends[packet(2)] == 2 * whole - 1 + on_link(1) + LENGTH
    load = links.record.S.net.load
    used = {at: int(load[at]) for at in range(17 * KINDS * 12) if load[at]}
    row = [(x + COLUMNS_OF[0] * 2) * KINDS for x in range(COLUMNS_OF[0])]
    assert used[row[4] + IN] == LENGTH + 2 * on_link(1)
    assert used[row[3] + OUT] == used[row[16]] == LENGTH
    assert sum(used.values()) == 3 * 3 * on_link(1) + (2 + 16) * LENGTH


@pytest.mark.parametrize(("size", "waits"), [(64, False), (4096, True)])
def test_a_long_packet_that_waits_lies_over_several_routers(
    links: Links, size: int, waits: bool
) -> None:
    links.enter(packet(0), 0, (5, 2), (6, 2), 16384)  # keeps the link to column 6
    links.enter(packet(1), 0, (1, 2), (6, 2), size)
    links.enter(packet(2), 150, (2, 2), (3, 2), 64)
    ends = links.run(step=20)
    assert ends[packet(2)] > on_link(256) if waits else ends[packet(2)] == 150 + 10 + 9 + on_link(1)


def test_long_packets_of_all_to_all_arrive(links: Links) -> None:
    square = [(x, y) for x in range(11, 15) for y in range(2, 5)]
    numbers = [packet(tile, slot) for tile in range(12) for slot in range(12)]
    for tile, here in enumerate(square):
        for slot, there in enumerate(square):
            links.enter(packet(tile, slot), 0, here, there, 16384)
    assert sorted(links.run()) == numbers
    assert not any(links.record.row(LAYOUT.slot("net", "held")))


def test_a_ring_of_packets_that_wait_for_each_other_goes_on(links: Links) -> None:
    for tile in range(17):
        x = tile
        for slot in range(16):
            links.enter(packet(tile, slot), 0, (x, 3), ((x + 8) % 17, 3), 16384)
    assert len(links.run(5000)) == 17 * 16


def test_what_cuts_a_run_changes_nothing() -> None:
    states = []
    for step in (7, 19, 5000):
        links = Links("reference")
        for tile in range(6):
            for slot in range(4):
                links.enter(packet(tile, slot), 20 * slot, (1 + tile, 11 - tile), TARGET, 2048)
        links.run(step)
        while links.now < 10_000:
            links.advance(links.now + step)
        states.append((links.arrived, links.record.state()))
    assert states[0][0] == states[1][0] == states[2][0]


def test_a_channel_of_dram_has_one_rate_for_reads_and_writes(links: Links) -> None:
    for tile in range(4):
        for slot in range(16):
            how = (DRAM_READ if tile & 1 else DRAM_WRITE) | 3 << 5
            home = (1 + tile, 2)
            there = (0, (5, 7, 6)[tile % 3])
            to = _at(there) | _at(home) << 12
            links.engine.call("enter", packet(tile, slot), 0, _at(home), to, 4096, how)
    last = max(links.run().values())
    moved = 64 * 4096
    assert moved / RATE[0] * 10 <= last <= moved / RATE[0] * 10 * 1.02 + ACCESS[BLACKHOLE] + 400
    assert links.record.S.net.moved[3] == moved


def test_requests_that_wait_for_dram_keep_their_links(links: Links) -> None:
    """So a read of another channel waits too, though its own is idle (head-of-line blocking)."""
    for slot in range(16):
        to = _at((0, 5)) | _at((16, 2)) << 12
        how = DRAM_READ | 3 << 5
        links.engine.call("enter", packet(0, slot), 0, _at((16, 2)), to, 16384, how)
    links.advance(1000)
    to = _at((0, 9)) | _at((16, 3)) << 12
    links.engine.call("enter", packet(1), 1000, _at((16, 3)), to, 64, DRAM_READ | 2 << 5)
    assert links.run()[packet(1)] - 1000 > 4 * 16384 * 10 / RATE[0]


def test_a_read_of_dram_takes_its_access_time(links: Links) -> None:
    to = _at((0, 2)) | _at((1, 2)) << 12
    links.engine.call("enter", packet(0), 0, _at((1, 2)), to, 64, DRAM_READ)
    hops = 9 * 17
    assert links.run() == {packet(0): 2 * (10 + on_link(1)) + hops + ACCESS[BLACKHOLE]}


@pytest.mark.parametrize("kind", ["reference", "compiled"])
def test_wormhole_has_ten_columns_flits_of_32_bytes_and_twelve_channels(kind: str) -> None:
    links = Links(kind, WORMHOLE)
    links.enter(packet(0), 100, (9, 1), (1, 2), 4096)  # around the edge of the grid
    assert links.run() == {packet(0): 100 + 10 + 9 * 3 + on_link(128)}
    reads = DRAM_READ | 11 << 5
    to = _at((5, 5)) | _at((1, 5)) << 12
    for slot in (1, 2):
        links.engine.call("enter", packet(0, slot), 1000, _at((1, 5)), to, 2048, reads)
    ends = links.run()
    assert ends[packet(0, 1)] > 1000 + 9 * 10 + 20 + ACCESS[WORMHOLE] + 2048 * 10 // RATE[WORMHOLE]
    assert ends[packet(0, 2)] - ends[packet(0, 1)] == pytest.approx(
        2048 * 10 / RATE[WORMHOLE], abs=1
    )
    links.engine.close()


def test_a_multicast_takes_its_whole_tree(links: Links) -> None:
    area = _at((6, 5)) | _at((3, 3)) << 12
    links.engine.call("enter", packet(0), 0, _at((1, 2)), area, 16384, MULTICAST)
    links.enter(packet(1), 10, (6, 2), (6, 4), 64)  # over a link of the tree
    ends = links.run()
    assert ends[packet(0)] == 0
    assert ends[packet(1)] > on_link(256)


def test_the_next_reservation_waits_for_the_path(links: Links) -> None:
    area = _at((2, 3)) | _at((1, 2)) << 12
    for slot in range(3):
        links.engine.call("enter", packet(0, slot), slot, _at((1, 2)), area, 64, RESERVING)
    ends = links.run()
    each = 2 * RESERVE + on_link(1) + RELEASE
    assert [ends[packet(0, slot)] for slot in range(3)] == [
        2 * RESERVE + i * each for i in range(3)
    ]
