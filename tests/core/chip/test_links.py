# SPDX-License-Identifier: Apache-2.0
"""Links and channels of DRAM that tiles of a chip share, in `latency,links`."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from scripts.chiptime.flows import Flow, measure
from scripts.chiptime.points import kept
from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.links_seen import channels, loads
from tensix_gdb.core.chip.places import Place, of_chip
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.noc.coordinates import DRAM
from tensix_gdb.core.noc.request import LINKED, on_link
from tests.assembler import asm, image
from tests.core.chip.programs import (
    ATOMIC,
    COPY,
    DATA,
    INCREMENT,
    MARKED,
    READ,
    SEMAPHORE,
    WRITE,
    at,
    barrier,
    copy_word,
    load,
    request,
    store,
    wait_for,
    word,
)

LEFT, MIDDLE, RIGHT = (1, 2), (2, 2), (4, 2)
LINKS = Execution.parse("latency,links")
LONG = 0x4000
STATIC = 1 << 7  # the channel is named: a semaphore stays after its data


def chip_of(places: Sequence[Place], threads: int = 1) -> Chip:
    """Two tiles that write to a third one at the same time, each a semaphore after its data."""
    chip = Chip(places, engine="compiled", schedule=LINKS, threads=threads)
    for number, place in enumerate((LEFT, MIDDLE)):
        data, to = 0x20000, 0x40000 + LONG * number
        words = store(data + LONG - 4, 7 + number)
        ctrl = WRITE | MARKED | STATIC
        for _ in range(3):
            words += request(ctrl, data, at(place), to, at(RIGHT), LONG)
        there = SEMAPHORE + 16 * number
        words += request(
            ATOMIC | MARKED | STATIC, there, at(RIGHT), DATA, at(place), INCREMENT, data=1
        )
        load(chip, place, [*words, *barrier(0), *store(COPY, 1)])
    last = 0x40000 + LONG - 4
    words = [*wait_for(SEMAPHORE, 1), *copy_word(last, COPY), *wait_for(SEMAPHORE + 16, 1)]
    load(chip, RIGHT, [*words, *copy_word(last + LONG, COPY + 4)])
    return chip


PLACES = (LEFT, MIDDLE, RIGHT)


def test_who_shares_a_link_waits_and_the_order_is_kept() -> None:
    chip = chip_of(PLACES)
    assert chip.run(6 * on_link(256) - 200) is None
    assert not word(chip, LEFT, COPY)
    assert not word(chip, MIDDLE, COPY)
    assert chip.run(3000) is None
    assert (word(chip, RIGHT, COPY), word(chip, RIGHT, COPY + 4)) == (7, 8)
    network = chip.links()
    assert network is not None
    busiest = loads(network)[0]
    assert busiest.busy >= 6 * on_link(256)
    assert busiest.waited > 0
    chip.close()


def test_slices_threads_and_the_past_change_nothing() -> None:
    hashes = []
    for slices, threads in ((1, 1), (7, 2)):
        chip = chip_of(PLACES, threads)
        for _ in range(slices):
            assert chip.run(2100 // slices) is None
        middle = chip.capture()
        assert chip.run(900) is None
        hashes.append(chip.hash())
        chip.restore(middle)
        assert chip.run(900) is None
        hashes.append(chip.hash())
        chip.close()
    assert len(set(hashes)) == 1


def test_all_ports_of_a_channel_have_its_rate_together() -> None:
    flows = [
        Flow(place, DRAM[0][port], 4096, 16, True)
        for port, place in enumerate(((1, 2), (1, 5), (2, 8)))
    ]
    cycles = measure(flows)
    moved = sum(flow.size * flow.count for flow in flows)
    assert moved / max(cycles) == pytest.approx(47.1, rel=0.15)
    alone = measure(flows[:1])[0]
    assert max(cycles) > 2.5 * (alone - 500)


@pytest.mark.parametrize(("reads", "cycles"), [(True, 34), (False, 18)])
def test_a_loop_that_polls_the_command_at_once_polls_twice(reads: bool, cycles: int) -> None:
    """A card's reads of another tile follow each other in 34.0 cycles; its writes have work between
    the store and the poll."""
    few, many = (
        measure([Flow((1, 2), (2, 2), 64, count, reads, stateful=True)])[0] for count in (16, 64)
    )
    assert many - few == 48 * cycles


def test_the_bytes_of_a_channel_are_counted() -> None:
    chip = Chip((LEFT,), engine="compiled", schedule=LINKS)
    words = request(READ, 0, at(DRAM[3][0]), 0x20000, at(LEFT), 2048)
    load(chip, LEFT, [*words, *barrier(0), *store(COPY, 1)])
    assert chip.run(2000) is None
    assert word(chip, LEFT, COPY) == 1
    network = chip.links()
    assert network is not None
    assert channels(network, chip.cycle) == {3: (2048, 0)}
    chip.close()


@pytest.mark.parametrize("engine", ["compiled", "reference"])
def test_what_a_tile_writes_to_itself_is_there_after_the_data_of_its_read(engine: str) -> None:
    """A linked read, then a write of the same transaction: the tile does the rest of both."""
    chip = Chip((LEFT, RIGHT), engine=engine, schedule=LINKS)
    here = at(LEFT)
    words = store(DATA, 5) + store(DATA + 64, 6)
    words += request(READ | STATIC | LINKED, DATA, here, COPY, here, 4)
    words += request(WRITE | MARKED | STATIC, DATA + 64, here, DATA, here, 4)
    load(chip, LEFT, [*words, *barrier(0), *store(COPY + 8, 1)])
    assert chip.run(2000) is None
    assert [word(chip, LEFT, addr) for addr in (COPY, DATA, COPY + 8)] == [5, 6, 1]
    chip.close()


def test_points_that_are_kept_out_were_drawn() -> None:
    shared = [name for name in kept() if name.startswith("nocbench shared")]
    assert len(shared) == 24
    assert {"nocbench contention", "dramratebench fanchan"} <= set(kept())


@pytest.mark.parametrize("engine", ["compiled", "reference"])
def test_where_a_run_is_cut_and_put_back_makes_no_difference(engine: str) -> None:
    """The links are a part of the state, in any chip that it is put into."""
    places = ((1, 2), (2, 2), (1, 3), (2, 3))
    chip = Chip(places, engine=engine, schedule=LINKS)
    for number, place in enumerate(places):
        there = at(places[number - 1])
        words = request(WRITE | MARKED, DATA, at(place), DATA + 64, there, 256) + barrier(0)
        words += request(READ, DATA, there, COPY, at(place), 128) + barrier(0)
        words += request(WRITE | MARKED, DATA, at(place), COPY + 256, at(place), 64)
        chip.tiles[place].load(B, image([*words, asm("jal", imm=-4 * len(words))], 0))
    start = chip.capture()
    chip.run(1000)
    whole = chip.hash()
    for cut in (227, 335, 500, 571, 764):
        chip.restore(start)
        chip.run(cut)
        middle = chip.capture()
        chip.run(1000 - cut)
        assert chip.hash() == whole, cut
        again = Chip(places, engine=engine, schedule=LINKS)
        again.restore(middle)
        again.run(1000 - cut)
        assert again.hash() == whole, cut
        again.close()
    chip.close()


def test_several_chips_have_no_links() -> None:
    with pytest.raises(ValueError, match="on one chip"):
        Chip([of_chip(LEFT, 0)], engine="reference", schedule=LINKS)
