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
from tensix_gdb.core.race.findings import Access, Kind, Report, State
from tensix_gdb.core.race.lines import MOVER, Line, name, of_thread
from tensix_gdb.core.race.remedies.advice import advise
from tensix_gdb.core.race.remedies.end import End
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


PACR = "push PACR read_intf_sel=1, last=1"
PACKER = ("ready packer", "init semaphore.max[0] = 15, semaphore.max[1] = 15")
COLUMN = 34
LATER = "init T1:a3 = 100"
DELAY = ("more: addi a3, a3, -1", "bnez a3, more")


def two(tile: Tile, first: tuple[str, ...], second: tuple[str, ...]) -> Report:
    """The report of a program with a T core in each column."""
    count = max(len(first), len(second))
    rows = [list(one) + [""] * (count - len(one)) for one in (first, second)]
    lines = [f"{a.ljust(COLUMN)} | {b}" for a, b in zip(*rows, strict=True)]
    return report(tile, *PACKER, LATER, f"{'T0'.ljust(COLUMN)} | T1", *lines)


STORE_BY_T1 = "push STOREIND.L1 size=1, data_reg=1, addr_reg=8, offset_half_reg=18"
INIT = "init T1:GPR[8] = 0xf4"


def test_a_post_that_does_not_wait_for_the_unit(tile: Tile) -> None:
    found = two(tile, (PACR, "push SEMPOST sem=1"),
                ("wait: lw a1, SEM[0]", "beqz a1, wait", "lw a0, 0xf40"))  # fmt: skip
    fix = found.fix
    assert fix is not None
    assert (fix.kind, fix.block, fix.conditions) == (RemedyKind.STALLWAIT, Block.B1, PACK)
    assert fix.where == "before the SEMPOST of semaphore 0"
    assert fix.spots == (Spot(Beside.BEFORE, 1, 0, found.earlier.pc + 4),)


def test_a_message_of_the_core_takes_a_sync(tile: Tile) -> None:
    """A STALLWAIT would hold no store of a core (tt-metal#55664)."""
    found = two(tile, (PACR, "sw 5, MAILBOX_T1"), ("lw x0, MAILBOX_T0", "fence", "lw a0, 0xf40"))
    fix = found.fix
    assert fix is not None
    assert (fix.kind, fix.text) == (RemedyKind.SYNC, "tensix_sync()")
    assert fix.spots == (Spot(Beside.AFTER, 1, 0, found.earlier.pc),)
    assert "STALLWAIT, which holds instructions, and no store of a core" in fix.would_not


def test_a_signal_that_nobody_waits_for(tile: Tile) -> None:
    found = two(tile, (PACR, "push STALLWAIT block=B1, wait=C3", "push SEMPOST sem=2"),
                (*DELAY, "lw a0, 0xf40"))  # fmt: skip
    fix = found.fix
    assert fix is not None
    assert (fix.kind, fix.semaphore) == (RemedyKind.SEMWAIT, 1)
    assert found.reason == (
        "T0 has signalled since, by a SEMPOST of semaphore 1, and T1 has not waited for that."
    )
    assert fix.spots == (Spot(Beside.BEFORE, 2, None, found.later.pc),)


def test_no_signal_at_all(tile: Tile) -> None:
    """tt-metal#56500: there is nothing that a wait could wait for."""
    found = two(tile, (PACR,), ("nop * 100", "lw a0, 0xf40"))
    fix = found.fix
    assert fix is not None
    assert found.reason == "No signal goes from T0 to T1 between the two."
    assert [spot.beside for spot in fix.spots] == [Beside.AFTER, Beside.BEFORE]


def test_a_semwait_that_holds_no_semget(tile: Tile) -> None:
    """Its get passes first, so a later SEMWAIT finds the post of the tile before."""
    waits = "push SEMWAIT block=B5, sem=2, condition_mask=1"
    take, post = "push SEMGET sem=2", "push SEMPOST sem=2"
    text = ["litmus it", *PACKER, INIT, LATER, f"{'T0'.ljust(COLUMN)} | T1"]
    first = ["nop * 30", post, "nop * 60", PACR]
    second = [waits, take, "nop * 40", STORE_BY_T1, waits, take, *DELAY, STORE_BY_T1]
    first += [""] * (len(second) - len(first))
    text += [f"{a.ljust(COLUMN)} | {b}" for a, b in zip(first, second, strict=True)]
    found = races(observe(tile, parse("\n".join([*text, "final X", "allowed 0"]))[0])[0])
    failed = [one.failed for one in found if one.failed is not None]
    assert [wait.text for wait in failed] == ["SEMWAIT(p_stall::STALL_THCON, p_stall::SEMAPHORE_1)"]
    assert "p_stall::STALL_SYNC in its block mask" in failed[0].why


def test_a_load_that_is_processed_before_an_earlier_push(tile: Tile) -> None:
    """The remedy is that of the program: a wait for the load would come before it."""
    found = report(tile, "T0", "push SETDMAREG.Immediate new_value=5, result_half_reg=G4_lo",
                   "lw a0, GPR[4]")  # fmt: skip
    fix = found.fix
    assert fix is not None
    assert found.earlier.thread is None, "the load was processed first"
    assert found.reason.startswith("In the program SETDMAREG comes first. ")
    assert (fix.kind, fix.text) == (RemedyKind.SYNC, "tensix_sync()")
    assert fix.spots == (Spot(Beside.BEFORE, 1, None, found.earlier.pc),)


def test_a_store_before_a_push_stays_the_earlier_one(tile: Tile) -> None:
    found = report(tile, "T0", STORE, "nop * 3", READ)
    assert not found.reason.startswith("In the program")
    assert found.fix is not None
    assert found.fix.conditions == TRISC_CFG


def test_a_copy_of_the_mover_takes_its_own_condition() -> None:
    access = Access("mover", Kind.WRITE, 1, 0, 0x6000, "XMOV", "", 1, 1)
    after = Access("thread 0", Kind.READ, 1, 0, 0x6004, "UNPACR", "", 2, 2)
    ends = End(name(MOVER), access), End(name(of_thread(0, Line.UNPACKER_0)), after)
    fix = advise(*ends, State.L1).fix
    assert fix is not None
    assert fix.text == "TTI_STALLWAIT(p_stall::STALL_UNPACK, p_stall::XMOV)"
    assert fix.spots == ends[1].before
