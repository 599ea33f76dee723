# SPDX-License-Identifier: Apache-2.0
"""`monitor noc links`, and which link a packet waits for."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.noc.coordinates import DRAM
from tensix_gdb.core.noc.request import on_link
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.tensix.chip.links import NO_LINKS
from tests.assembler import SPIN, image
from tests.core.chip.programs import COPY, DATA, MARKED, READ, WRITE, at, request
from tests.gdbstub.tensix.chip.test_target import client_of, monitor

LEFT, MIDDLE, RIGHT = (1, 2), (2, 2), (4, 2)
LINKS = Execution.parse("latency,links")
SIZE = 4096
MOST = 400  # cycles until both packets are at the link that they share


@pytest.fixture
def chip() -> Iterator[Chip]:
    """Two tiles that write to a third one, and one of them reads from DRAM on the other NoC."""
    chip = Chip((LEFT, MIDDLE, RIGHT), engine="compiled", schedule=LINKS)
    for place in (LEFT, MIDDLE):
        words = request(WRITE | MARKED, DATA, at(place), DATA, at(RIGHT), SIZE)
        if place == LEFT:
            there, here = at(DRAM[3][1], 1), at(place, 1)
            words += request(READ, 0, there, COPY, here, 2048, niu=1)
        chip.tiles[place].load(B, image([*words, SPIN], 0))
    yield chip
    chip.close()


def test_loads_of_links_and_of_dram(chip: Chip) -> None:
    client = client_of(chip)
    assert monitor(client, "noc links") == "nothing has gone over a link\n"
    assert chip.run(2000) is None
    said = monitor(client, "noc links")
    once, twice = on_link(SIZE // 64), 2 * on_link(SIZE // 64)
    cycles = chip.cycle
    for link in ("from 2-2 to 3-2", "from 3-2 to 4-2", "into the NIU of 4-2"):
        assert f"NoC 0 {link}: in use {twice} of {cycles} cycles" in said
    line = f"NoC 0 from the NIU of 1-2: in use {once} of {cycles} cycles ({once / cycles:.0%})"
    assert f"{line}, packets have waited 0 cycles for it\n" in said
    assert f"DRAM channel 3: 2048 bytes, {2048 / cycles:.1f} in a cycle\n" in said


def test_what_a_packet_waits_for(chip: Chip) -> None:
    client = client_of(chip)
    said = ""
    while "waits for a link" not in said:
        assert chip.run(1) is None
        assert chip.cycle < MOST
        said = monitor(client, "noc")
    waits = r"it waits for a link, NoC 0 from 2-2 to 3-2, which a packet of [12]-2 had before it"
    assert re.search(waits, said)


def test_links_take_no_time_in_sc() -> None:
    chip = Chip((LEFT,), engine="compiled", schedule=Schedule.SC)
    assert monitor(client_of(chip), "noc links") == f"{NO_LINKS}\n"
    chip.close()
