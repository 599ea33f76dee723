# SPDX-License-Identifier: Apache-2.0
"""`monitor races witness` on a chip: all tiles go to the other order, and the history with them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.chip.chip import Chip
from tests.assembler import SPIN, asm, image, li
from tests.core.chip.programs import DATA, store
from tests.gdbstub.tensix.chip.test_target import (
    FAR,
    NEAR,
    PROGRAM,
    client_of,
    heard,
    monitor,
    run,
    sent,
)
from tests.gdbstub.tiles import Client

READS = [*[asm("addi", rd=5, rs1=5, imm=1)] * 40, *li(10, DATA), asm("lw", rd=11, rs1=10), SPIN]


@pytest.fixture
def racing() -> Iterator[Chip]:
    """B of the far tile stores a word that T0 reads some cycles later; the near one counts."""
    chip = Chip((NEAR, FAR), engine="compiled")
    chip.tiles[NEAR].load(B, image(PROGRAM, 0))
    chip.tiles[FAR].load(B, image([*store(DATA, 5), SPIN], 0))
    chip.tiles[FAR].load(T0, image(READS, 0x400))
    chip.observe_races()
    yield chip
    chip.close()


def rested(client: Client, cycles: int) -> None:
    run(client, "vCont;c", cycles)
    client.session.interrupt()
    heard(client)


def test_without_a_history_it_says_what_it_needs(racing: Chip) -> None:
    client = client_of(racing)
    rested(client, 500)
    sent(client, "Hgp2.9")
    assert "RACE 1" in monitor(client, "races 1")
    assert "type `monitor record on` before the run" in monitor(client, "races witness 1")
    assert "there is no report 7" in monitor(client, "races witness 7")


def test_the_chip_goes_there_and_on_from_there(racing: Chip) -> None:
    client, tile = client_of(racing), racing.tiles[FAR]
    monitor(client, "record on")
    rested(client, 500)
    assert tile.read_x(T0, 11) == 5
    sent(client, "Hgp2.9")
    said = monitor(client, "races witness 1")
    assert said.startswith("RACE 1 goes ")
    assert "The chip is there: `continue`" in said
    assert racing.cycle < 500
    assert len({int(each.S.tile.cycle) for each in racing.tiles.values()}) == 1
    there = racing.cycle
    rested(client, 500 - there)
    assert tile.read_x(T0, 11) == 0, "it was read before it was stored"
    assert tile.peek(B, DATA, 4) == b"\5\0\0\0"
    end = racing.hash()
    assert "Recorded from cycle 0 to 500" in monitor(client, "record")
    monitor(client, f"goto {there}")
    rested(client, 500 - there)
    assert racing.hash() == end
