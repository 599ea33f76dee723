# SPDX-License-Identifier: Apache-2.0
"""F3 of a tile that has gone to another place: through a NIU, DRAM, another tile, the mover."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.coordinates import DRAM, TILE_X, TILE_Y
from tensix_gdb.core.race.shadow import site_of
from tensix_gdb.core.race.stages.fields import ARRIVES as REQUEST
from tensix_gdb.core.race.stages.reports import reports as of_stages
from tensix_gdb.core.schedule import Schedule
from tests.assembler import asm, li
from tests.core.chip.programs import (
    COPY,
    DATA,
    MARKED,
    READ,
    SEMAPHORE,
    WRITE,
    at,
    barrier,
    load,
    request,
    wait_for,
)
from tests.core.chip.test_races import raises
from tests.core.race.stages.test_stages import FACE, OUT, go
from tests.core.tensix.drive import run
from tests.core.tensix.programs import push_all
from tests.core.tensix.unpacker.unpack_model import Unpack, arrange

HERE, THERE, FAR = at((TILE_X, TILE_Y)), at(DRAM[0][0]), 0x1000
MOVED, BYTES = 0x30000, 512
NEAR_TILE, FAR_TILE = (1, 2), (10, 2)
WAYS = {
    "a write": request(WRITE | MARKED, OUT, HERE, MOVED, HERE, BYTES),
    "a read": request(READ, OUT, HERE, MOVED, HERE, BYTES),
    "DRAM": [
        *request(WRITE | MARKED, OUT, HERE, FAR, THERE, BYTES),
        *barrier(0),
        *request(READ, FAR, THERE, MOVED, HERE, BYTES),
    ],
    "the half of it": request(WRITE | MARKED, OUT, HERE, MOVED + 256, HERE, BYTES // 2),
    "DRAM that the host has written over": [],
}


def unpack(tile: Machine, addr: int, given: str) -> None:
    one = Unpack(base=addr // 16 - 1, dims=(FACE, 1, 1, 1), dest=64, given=given, wanted=given)
    arrange(tile.record.S, one)
    run(tile, {T0: push_all([one.text()])})


@pytest.mark.parametrize("way", ["a write", "a read", "DRAM"])
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_copy_has_the_format(way: str, engine: str) -> None:
    tile, _ = go(engine=engine)
    run(tile, {B: [*WAYS[way], *barrier(0)]})
    unpack(tile, MOVED, "BF16")
    assert tile.races().reports == ()
    unpack(tile, MOVED, "FP16")
    (report,) = tile.races().reports
    assert (report.check, report.place.name) == ("F3", f"L1 {MOVED:#x}")
    assert (report.earlier.instruction, report.later.instruction) == ("PACR", "UNPACR")
    assert "PACR has written it as BF16, and UNPACR reads it as FP16" in report.reason
    assert [each.name for each in report.settings] == [
        "THCON_SEC0_REG1_Out_data_format",
        "THCON_SEC0_REG0_TileDescriptor",
    ]
    tile.close()


def test_what_no_copy_has_reached() -> None:
    tile, _ = go()
    run(tile, {B: [*WAYS["the half of it"], *barrier(0)]})
    unpack(tile, MOVED, "FP16")
    assert tile.races().reports == ()
    tile.close()


def test_dram_that_the_host_has_written_over() -> None:
    tile, _ = go()
    run(tile, {B: [*request(WRITE | MARKED, OUT, HERE, FAR, THERE, BYTES), *barrier(0)]})
    tile.outside.races.host(0, FAR, BYTES)  # type: ignore[union-attr]
    run(tile, {B: [*request(READ, FAR, THERE, MOVED, HERE, BYTES), *barrier(0)]})
    unpack(tile, MOVED, "FP16")
    assert tile.races().reports == ()
    tile.close()


def chip_of(*groups: tuple[str, ...]) -> Chip:
    """Two tiles, each with these checks."""
    chip = Chip((NEAR_TILE, FAR_TILE), engine="compiled", schedule=Schedule.LATENCY)
    for tile, names in zip(chip.tiles.values(), groups, strict=True):
        tile.check_state(names)
    chip.observe_races(checks=())
    return chip


def test_a_tile_whose_formats_are_not_known() -> None:
    """Its data have none, whatever came to the other tile before."""
    chip = chip_of(("memory",), ("stages",))
    far = chip.tiles[FAR_TILE].record.S
    far.stages.data[REQUEST] = 1 + 5
    words = request(WRITE | MARKED, DATA, at(NEAR_TILE), COPY, at(FAR_TILE), BYTES)
    load(chip, NEAR_TILE, words)
    chip.run(3000)
    assert int(far.stages.tile[COPY // 16]) == 0
    chip.close()


@pytest.mark.parametrize("way", ["a write", "a read", "DRAM"])
def test_a_tile_that_another_tile_has_packed(way: str) -> None:
    """The sentence has the name of the tile, and the format; the packer's field is not here."""
    chip = chip_of(("stages",), ("stages",))
    near, far = (chip.tiles[place].record.S for place in (NEAR_TILE, FAR_TILE))
    for cell in range(DATA // 16, (DATA + BYTES) // 16):
        near.stages.tile[cell] = 1 + 5
        near.stages.tile_site[cell] = site_of(near, 3, 3, 0, 0x41, 0x1234)
    here, there = at(NEAR_TILE), at(FAR_TILE)
    if way == "a read":
        load(chip, FAR_TILE, [*request(READ, DATA, here, COPY, there, BYTES), *barrier(0)])
    elif way == "a write":
        load(chip, NEAR_TILE, [*request(WRITE | MARKED, DATA, here, COPY, there, BYTES)])
    else:
        port = at(DRAM[3][0])
        sends = request(WRITE | MARKED, DATA, here, FAR, port, BYTES)
        load(chip, NEAR_TILE, [*sends, *barrier(0), *raises(FAR_TILE)])
        reads = request(READ, FAR, port, COPY, there, BYTES)
        load(chip, FAR_TILE, [*wait_for(SEMAPHORE, 1), *reads, *barrier(0)])
    chip.run(5000)
    tile = chip.tiles[FAR_TILE]
    assert int(far.stages.tile[COPY // 16]) == 1 + 5
    unpack(tile, COPY, "FP16")
    (report,) = of_stages(tile.record.S, ["tile (1, 2)", "tile (10, 2)"])
    assert (report.check, report.earlier.outside) == ("F3", "tile (1, 2)")
    assert (report.earlier.instruction, report.earlier.pc) == ("PACR", 0x1234)
    assert [each.name for each in report.settings] == ["THCON_SEC0_REG0_TileDescriptor"]
    chip.close()


def loop(*between: int) -> list[int]:
    """B copies the tile by a loop of loads and stores, a word at a time."""
    body = [asm("lw", rd=12, rs1=10), *between, asm("sw", rs1=11, rs2=12),
            asm("addi", rd=10, rs1=10, imm=4), asm("addi", rd=11, rs1=11, imm=4)]  # fmt: skip
    back = asm("bne", rs1=10, rs2=13, imm=-4 * len(body))
    return [*li(10, OUT), *li(11, MOVED), *li(13, OUT + BYTES), *body, back]


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_hart_copies(engine: str) -> None:
    tile, _ = go(engine=engine)
    run(tile, {B: loop()})
    unpack(tile, MOVED, "BF16")
    assert tile.races().reports == ()
    unpack(tile, MOVED, "FP16")
    (report,) = tile.races().reports
    assert (report.check, report.place.name) == ("F3", f"L1 {MOVED:#x}")
    assert (report.earlier.instruction, report.later.instruction) == ("PACR", "UNPACR")
    tile.close()


@pytest.mark.parametrize(
    "code",
    [loop(asm("srli", rd=12, rs1=12, imm=1)), [*loop(), *li(12, 7), asm("sw", rs1=11, rs2=12)]],
    ids=["another value", "a store over it"],
)
def test_what_a_hart_has_made_itself(code: list[int]) -> None:
    """The value of the load was changed; or the hart has written over the copy."""
    tile, _ = go()
    over = len(code) > len(loop()) + 1
    before = [*code[:-1], *li(11, MOVED), code[-1]] if over else code
    run(tile, {B: before})
    unpack(tile, MOVED, "FP16")
    assert tile.races().reports == ()
    tile.close()
