# SPDX-License-Identifier: Apache-2.0
"""Several tiles of Wormhole: where they are, translated coordinates, requests between them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import NC
from tensix_gdb.core.arch.chips import WORMHOLE
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.places import TENSIX_PLACES, Place, check, coordinates, place_of
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.noc.coordinates import COLUMNS_OF, ROWS, WORMHOLE_DRAM
from tensix_gdb.core.noc.translation import translate, translated, untranslated
from tensix_gdb.core.schedule import Schedule
from tests.core.devices.scripts import fault_of
from tests.core.wormhole.test_noc_requests import (
    ATOMIC,
    BROADCAST,
    INLINE,
    MARKED,
    READ,
    WRITE,
    place,
    request,
)

FIRST, SECOND, THIRD = (1, 1), (2, 1), (6, 7)  # over the column of DRAM and the row of Ethernet
NIU, STRIDE = 0xFFB20000, 0x10000
X_TABLE, Y_TABLE, LOGICAL, OUTSTANDING = 0x118, 0x128, 0x138, 0x240
DATA, THERE, ENOUGH = 0x4000, 0x8000, 2_000
INCREMENT = 1 << 12 | 31 << 2


@pytest.fixture(params=["reference", "compiled"])
def chip(request: pytest.FixtureRequest) -> Iterator[Chip]:
    places, schedule = (FIRST, SECOND, THIRD), Schedule.LATENCY
    made = Chip(places, engine=request.param, schedule=schedule, arch=Arch.WORMHOLE)
    for tile in made.tiles.values():
        translate(tile.S)
    yield made
    made.close()


def go(chip: Chip, sender: Place, *numbers: int, niu: int = 0, **more: int) -> None:
    """Have a tile make a request, and run until it is over."""
    tile = chip.wake(sender)
    for step in request(*numbers, niu=niu, **more):
        tile.poke(NC, step.addr, step.value.to_bytes(4, "little"))
    assert chip.run(ENOUGH) is None
    if not numbers[0] & BROADCAST:  # of which each receiver acknowledges
        assert peek(chip, sender, NIU + STRIDE * niu + OUTSTANDING) == 0


def peek(chip: Chip, tile: Place, addr: int) -> int:
    return int.from_bytes(chip.wake(tile).peek(NC, addr, 4), "little")


def poke(chip: Chip, tile: Place, addr: int, value: int) -> None:
    chip.wake(tile).poke(NC, addr, value.to_bytes(4, "little"))


def at(tile: Place) -> int:
    """The translated coordinates of a tile."""
    return place(*translated(*tile))


def test_the_tables_are_those_of_the_page(chip: Chip) -> None:
    """WormholeB0 NoC/Coordinates.md, both tables, with no row fused off; NoC 1 from the other
    corner. A tile says by which coordinates it goes."""
    for tile, logical in ((FIRST, (18, 18)), (SECOND, (19, 18)), (THIRD, (22, 23))):
        assert translated(*tile) == logical
        assert peek(chip, tile, NIU + LOGICAL) == place(*logical)
    words = [peek(chip, FIRST, NIU + X_TABLE + 4 * i) for i in range(8)]
    assert words == [
        *(0x76543210, 0xFEDCBA98, 0x76432150, 0x00000098),
        *(0x76543210, 0xFEDCBA98, 0x75432160, 0x0000BA98),
    ]
    words = [peek(chip, FIRST, NIU + STRIDE + X_TABLE + 4 * i) for i in range(8)]
    assert words == [
        *(0x76543210, 0xFEDCBA98, 0x23567849, 0x00000001),
        *(0x76543210, 0xFEDCBA98, 0x46789A5B, 0x00000123),
    ]


def test_each_place_has_translated_coordinates_of_its_own() -> None:
    every = [(x, y) for x in range(COLUMNS_OF[WORMHOLE]) for y in range(ROWS)]
    assert [untranslated(*translated(*one)) for one in every] == every
    assert [untranslated(*one) for one in every] == every
    assert [coordinates(1, 1, place_of(1, 1, place(*one))) for one in every] == every
    assert untranslated(40, 18) == (40, 1)


def test_there_are_80_places_for_tensix_tiles() -> None:
    tiles = TENSIX_PLACES[WORMHOLE]
    assert len(tiles) == 80
    translated_tiles = [translated(*tile) for tile in tiles]
    assert translated_tiles == [(x, y) for y in range(18, 28) for x in range(18, 26)]
    check(tiles, WORMHOLE)
    for wrong in ((0, 1), (5, 1), (1, 0), (1, 6), (10, 1), (1, 12)):
        with pytest.raises(ValueError, match=f"no Tensix tile at {wrong[0]}-{wrong[1]}"):
            check([wrong], WORMHOLE)


@pytest.mark.parametrize("niu", [0, 1])
def test_the_same_coordinates_on_both_nocs(chip: Chip, niu: int) -> None:
    """A write, a read back from there, and an increment."""
    poke(chip, FIRST, DATA, 0x1234)
    go(chip, FIRST, WRITE | MARKED, DATA, THERE, 4, ret_at=at(THIRD), niu=niu)
    assert peek(chip, THIRD, THERE) == 0x1234
    assert peek(chip, SECOND, THERE) == 0
    go(chip, SECOND, READ | MARKED, THERE, DATA, 4, targ_at=at(THIRD), niu=niu)
    assert peek(chip, SECOND, DATA) == 0x1234
    go(chip, SECOND, ATOMIC | MARKED, THERE, DATA, INCREMENT, targ_at=at(THIRD), data=2, niu=niu)
    assert peek(chip, THIRD, THERE) == 0x1236


@pytest.mark.parametrize("niu", [0, 1])
def test_a_rectangle_over_columns_without_tiles(chip: Chip, niu: int) -> None:
    """Software swaps the corners on NoC 1 (Coordinates.md); the sender is left out."""
    poke(chip, FIRST, DATA, 0x77)
    corners = (at(FIRST), at(THIRD))[:: -1 if niu else 1]
    ctrl = WRITE | MARKED | BROADCAST | 1 << 8
    go(chip, FIRST, ctrl, DATA, THERE, 4, ret_at=corners[0] << 12 | corners[1], niu=niu)
    assert [peek(chip, tile, THERE) for tile in (FIRST, SECOND, THIRD)] == [0, 0x77, 0x77]


def test_an_inline_write_of_some_bytes(chip: Chip) -> None:
    """NOC_AT_LEN_BE has a bit for each of 16 bytes of L1; one that is a word is carried by the
    machine's code, the other by Python."""
    ctrl = WRITE | MARKED | INLINE
    go(chip, FIRST, ctrl, THERE + 4, 0, 0xF0, targ_at=at(SECOND), data=0x44332211)
    assert peek(chip, SECOND, THERE + 4) == 0x44332211
    go(chip, FIRST, ctrl, THERE, 0, 0x0102, targ_at=at(SECOND), data=0x88776655)
    assert [peek(chip, SECOND, THERE + 4 * i) for i in range(3)] == [0x6600, 0x44332211, 0x55]


def test_both_channels_of_a_group_of_dram(chip: Chip) -> None:
    """A port leads to 2 GiB, and all three of a group to the same; on NoC 1 by its own
    coordinates, which are not translated."""
    port, other = WORMHOLE_DRAM[3][0], WORMHOLE_DRAM[3][2]
    poke(chip, FIRST, DATA, 0xD0)
    go(chip, FIRST, WRITE | MARKED, DATA, (1 << 30) + DATA, 4, ret_at=place(*port))
    there = place(*coordinates(WORMHOLE, 1, other))
    go(chip, THIRD, READ | MARKED, (1 << 30) + DATA, THERE, 4, targ_at=there, niu=1)
    assert peek(chip, THIRD, THERE) == 0xD0


def test_where_there_is_no_tile(chip: Chip) -> None:
    tile = chip.wake(FIRST)
    steps = request(READ | MARKED, THERE, DATA, 4, targ_at=place(20, 18))
    fault, said = fault_of(tile, NC, *steps)
    assert fault is Fault.NOC_TRANSLATION
    assert "x 3, y 1 of its NoC, after translation" in said
