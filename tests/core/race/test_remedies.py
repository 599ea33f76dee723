# SPDX-License-Identifier: Apache-2.0
"""The remedy of a report as a value: kind, operands and spots; its text is made of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.litmus.text import parse
from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.race.findings import Report
from tensix_gdb.core.race.remedies.remedy import Beside, RemedyKind, Spot
from tensix_gdb.core.race.remedies.waits import CFGEXU, PACK, SFPU, TRISC_CFG, stallwait
from tests.core.race.observed import observe, races
from tests.machines import observed_tile

STORE, READ = "sw 2, CFG[190]", "push RDCFG result_reg=4, cfg_index=190"


@pytest.fixture(scope="module")
def tile() -> Iterator[Tile]:
    with closing(observed_tile()) as tile:
        yield tile


def report(tile: Tile, *lines: str) -> Report:
    """The only report of a program."""
    text = "\n".join(["litmus it", *lines, "final X", "allowed 0"])
    (found,) = races(observe(tile, parse(text)[0])[0])
    return found


def test_a_wait_before_the_push(tile: Tile) -> None:
    found = report(tile, "T0", STORE, READ)
    fix = found.fix
    assert fix is not None
    assert (fix.kind, fix.block, fix.conditions) == (RemedyKind.STALLWAIT, Block.B7, TRISC_CFG)
    assert fix.spots == (Spot(Beside.BEFORE, 1, 0, found.later.pc),)
    assert fix.text == "TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::TRISC_CFG)"


def test_a_sync_before_the_load(tile: Tile) -> None:
    found = report(tile, "T0", "push SETDMAREG.Immediate new_value=5, result_half_reg=G4_lo",
                   "nop * 20", "lw a0, GPR[4]")  # fmt: skip
    fix = found.fix
    assert fix is not None
    assert (fix.kind, fix.macro, fix.text) == (RemedyKind.SYNC, "tensix_sync()", "tensix_sync()")
    assert fix.spots == (Spot(Beside.BEFORE, 1, None, found.later.pc),)


def test_text_of_wormhole() -> None:
    wait = stallwait(Arch.WORMHOLE, Block.B1, PACK | SFPU, "", ())
    assert wait.conditions == 0x78 | 1 << 14
    assert wait.text == "TTI_STALLWAIT(p_stall::STALL_SYNC, p_stall::PACK | p_stall::WAIT_SFPU)"
    nop = stallwait(Arch.WORMHOLE, Block.B1, CFGEXU, "", ())
    assert (nop.kind, nop.text) == (RemedyKind.NOP, "TTI_NOP")
