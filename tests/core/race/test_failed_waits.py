# SPDX-License-Identifier: Apache-2.0
"""A report names the nearest wait that was meant to order the two, and says why it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scripts.examples.races.bugs import BUGS, ended, programs
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.litmus.text import parse
from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.race.findings import FailedWait, Report
from tensix_gdb.core.schedule import Schedule
from tests.core.race.observed import observe, races
from tests.machines import observed_tile

STORE, READ = "sw 2, CFG[190]", "push RDCFG result_reg=4, cfg_index=190"
STALL = "push STALLWAIT block="
PACR, POST = "push PACR read_intf_sel=1, last=1", "push SEMPOST sem=1"
PACKER = ("ready packer", "init semaphore.max[0] = 15, T1:GPR[8] = 0xf4")
LOAD = ("wait: lw a1, SEM[0]", "beqz a1, wait", "lw a0, 0xf40")


@pytest.fixture(scope="module")
def tile() -> Iterator[Tile]:
    with closing(observed_tile()) as tile:
        yield tile


def report(
    tile: Tile, *text: str, also: tuple[str, ...] = (), heading: tuple[str, ...] = ()
) -> Report:
    """The report of a program of T0, and of another core."""
    lines = ["litmus it", *heading, "T0", *text, *also, "final X", "allowed 0"]
    (found,) = races(observe(tile, parse("\n".join(lines))[0])[0])
    return found


def failed(tile: Tile, *text: str, also: tuple[str, ...] = ()) -> tuple[str, str]:
    """The wait and why it is none, of that report."""
    heading = PACKER if PACR in text or PACR in also else ()
    wait = report(tile, *text, also=also, heading=heading).failed
    assert wait is not None
    return wait.text, wait.why


def test_without_a_wait_none_is_named(tile: Tile) -> None:
    assert report(tile, STORE, READ).failed is None


def test_the_wrong_block_bit(tile: Tile) -> None:
    wait, why = failed(tile, STORE, f"{STALL}B6, wait=C10", READ)
    assert wait == "STALLWAIT(p_stall::STALL_MATH, p_stall::TRISC_CFG)"
    assert why == (
        "waits for the store, and does not hold RDCFG: that takes p_stall::STALL_CFG in its block "
        "mask"
    )


def test_the_wrong_condition(tile: Tile) -> None:
    wait, why = failed(tile, STORE, f"{STALL}B7, wait=C0", READ)
    assert wait == "STALLWAIT(p_stall::STALL_CFG, p_stall::THCON)"
    assert why == "holds RDCFG, and does not wait for the store: that takes p_stall::TRISC_CFG"


def test_the_nearest_of_two(tile: Tile) -> None:
    wait, _ = failed(tile, STORE, f"{STALL}B7, wait=C12", f"{STALL}B6, wait=C10", READ)
    assert wait == "STALLWAIT(p_stall::STALL_MATH, p_stall::TRISC_CFG)"


def test_a_wait_that_has_nothing_to_do_with_it_is_not_named(tile: Tile) -> None:
    assert report(tile, STORE, f"{STALL}B6, wait=C0", READ).failed is None


def test_a_wait_from_before(tile: Tile) -> None:
    _, why = failed(tile, f"{STALL}B7, wait=C10", STORE, READ)
    assert why == "was pushed before the store, and C10 waits for earlier requests only"


def test_a_store_of_another_hart(tile: Tile) -> None:
    _, why = failed(tile, "nop * 60", f"{STALL}B7, wait=C10", READ, also=("B", STORE))
    assert why == "waits for requests of T0, and the store is B's"


def test_a_unit_of_another_thread(tile: Tile) -> None:
    store = "push STOREIND.L1 size=1, data_reg=1, addr_reg=8, offset_half_reg=18"
    _, why = failed(tile, PACR, also=("T1", "nop * 60", f"{STALL}B5, wait=C3", store))
    assert why == "waits for its own thread, and PACR is thread 0's"


NO_SIGNAL = (
    "waits for PACR, and does not hold the signal of its thread: SEMPOST and SEMGET take "
    "p_stall::STALL_SYNC in its block mask"
)
NO_PACKER = "holds SEMPOST and SEMGET, and does not wait for PACR: that takes p_stall::PACK"


@pytest.mark.parametrize(
    ("block", "condition", "said"), [("B6", "C3", NO_SIGNAL), ("B1", "C4", NO_PACKER)]
)
def test_a_wait_before_a_signal(tile: Tile, block: str, condition: str, said: str) -> None:
    wait = f"{STALL}{block}, wait={condition}"
    _, why = failed(tile, PACR, wait, POST, also=("T1", *LOAD))
    assert why == said


def test_a_semwait_that_holds_other_units(tile: Tile) -> None:
    waits = "push SEMWAIT block=B6, sem=1, condition_mask=1"
    text, why = failed(tile, STORE, POST, also=("T1", waits, READ))
    assert text == "SEMWAIT(p_stall::STALL_MATH, p_stall::SEMAPHORE_0)"
    assert why == "does not hold RDCFG: that takes p_stall::STALL_CFG in its block mask"


def named(number: int, folder: Path) -> list[FailedWait]:
    """Of a bug of scripts/examples/races."""
    bug = next(bug for bug in BUGS if bug.number == number)
    machine = Machine(engine="compiled", schedule=Execution(Schedule.LATENCY))
    for hart, path in programs(bug, False, folder).items():
        machine.load(hart, read_elf(str(path)))
    machine.observe_races()
    ended(machine)
    found = [report.failed for report in machine.races().reports]
    machine.close()
    return [wait for wait in found if wait is not None]


def test_a_store_that_no_block_mask_holds(tool: Callable[[str], str], tmp_path: Path) -> None:
    tool("riscv64-unknown-elf-gcc")
    (wait,) = named(7, tmp_path)
    assert wait.why == "holds instructions, and no request of a hart: the store is one"
