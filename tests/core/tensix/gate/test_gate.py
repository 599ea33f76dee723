# SPDX-License-Identifier: Apache-2.0
"""The wait gate: block masks, the latched wait, semaphores, mutexes, who is held for what."""

from __future__ import annotations

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.gate.wait_gate import Held, blocked_by_mask
from tensix_gdb.core.tensix.instruction import Catch
from tensix_gdb.core.tensix.table import FIRST, ROWS
from tests.assembler import EBREAK, NOP, image
from tests.core.tensix.drive import ends, refused, run, run_thread
from tests.core.tensix.programs import push_all
from tests.machines import machine_on

FULL = ["SEMINIT new_max=1, new_value=0, sem=S0|S1"]


def value(machine: Machine, semaphore: int) -> int:
    return int(machine.record.S.semaphore.value[semaphore])


def test_every_row_is_caught_by_its_block_bits() -> None:
    S = machine_on("reference").record.S
    for number, row in enumerate(ROWS, FIRST):
        for bit in range(9):
            S.latch.block[0] = 1 << bit
            assert bool(blocked_by_mask(S, 0, number)) == bool(row.blocked_by & Block(1 << bit)), (
                row.name
            )
        S.latch.block[0] = 0x1FF
        assert bool(blocked_by_mask(S, 0, number)) == (
            row.gate in (Catch.MASKED, Catch.ONLY_ALL)
        ), row.name


def test_semaphores_saturate(tile: Machine) -> None:
    texts = ["SEMINIT new_max=15, new_value=14, sem=S3", *["SEMPOST sem=S3|S4"] * 17]
    ends(tile, *texts)
    assert (value(tile, 3), value(tile, 4)) == (15, 15)
    ends(tile, *["SEMGET sem=S3"] * 17)
    assert (value(tile, 3), value(tile, 4)) == (0, 15)


def test_semwait_waits_for_all_it_selects(tile: Machine) -> None:
    waits = [*FULL, "SEMWAIT block=B1, sem=S0|S1, wait=C0", "SEMPOST sem=S2"]
    assert run_thread(tile, waits) is None
    tile.record.S.semaphore.value[0] = 1
    tile.run(2000)
    assert value(tile, 2) == 0
    assert tile.record.S.gate.held[0] == Held.LATCHED_WAIT
    tile.record.S.semaphore.value[1] = 1
    tile.run(2000)
    assert value(tile, 2) == 1


def test_nop_is_held_by_a_full_mask_only(tile: Machine) -> None:
    # A wait that never ends: of a NOP and what B0 would catch, both pass or none.
    for block, held in ((0x1FE, 0), (0x1FF, 2)):
        tile.reset()
        program = [*FULL, f"SEMWAIT block={block:#x}, sem=S0, wait=C0", "NOP", "SETADCXX"]
        run_thread(tile, program)
        S = tile.record.S
        left = S.fifo.count[0, 2] + S.fifo.count[0, 1] + S.fifo.count[0, 0]
        assert left == held


def test_a_wait_behind_a_latched_wait(tile: Machine) -> None:
    """Blackhole holds a SEMWAIT whatever the mask; Wormhole lets it replace the wait."""
    for arch, posted in ((Arch.BLACKHOLE, 0), (Arch.WORMHOLE, 1)):
        one = machine_on(tile.engine.kind, tile.execution.schedule, arch=arch)
        texts = [*FULL, "SEMPOST sem=S1", "SEMWAIT block=B6, sem=S0, wait=C0",
                 "SEMWAIT block=B6, sem=S1, wait=C0", "SEMPOST sem=S2"]  # fmt: skip
        run_thread(one, texts)
        assert value(one, 2) == posted


def test_mutex_goes_round(tile: Machine) -> None:
    hold = ["ATGETM index=0", "ATGETM index=0"]  # twice: it passes while it is held
    ends(tile, *hold)
    both = {
        2: push_all(["ATGETM index=0", "SEMPOST sem=S1"]),
        3: push_all(["ATGETM index=0", "SEMPOST sem=S2"]),
    }
    assert run(tile, both) is None
    assert (value(tile, 1), value(tile, 2)) == (0, 0)
    assert tile.record.S.gate.held[1] == Held.MUTEX
    run_thread(tile, ["ATRELM index=0"])
    assert (value(tile, 1), value(tile, 2)) == (1, 0), "thread 1 is behind thread 0"
    assert tile.record.S.mutex.holder[0] == 2


def test_a_mutex_that_does_not_exist_is_waited_for(tile: Machine) -> None:
    assert run_thread(tile, ["ATGETM index=1"]) is None
    assert tile.record.S.gate.held[0] == Held.MUTEX


def test_semwait_without_a_condition_stops(tile: Machine) -> None:
    """Undefined on the newest pages of both chips."""
    for arch in Arch.BLACKHOLE, Arch.WORMHOLE:
        one = machine_on(tile.engine.kind, tile.execution.schedule, arch=arch)
        assert refused(one, "SEMWAIT block=B1, sem=S0").code == Fault.TENSIX_SEMWAIT


def passes(texts: list[str]) -> list[int]:
    """Cycles in which instructions pass the gate of thread 0, from the first one."""
    machine = machine_on("reference", Schedule.LATENCY)
    S = machine.record.S
    machine.load(1, image([*push_all(texts), *[NOP] * 40, EBREAK], 0x1000))
    seen = []
    for _ in range(80):
        machine.run(1)
        if S.gate.taken:
            seen.append(int(S.tile.cycle))
    return [cycle - seen[0] for cycle in seen]


def test_the_next_instruction_sees_a_wait_for_a_cycle_at_least() -> None:
    assert passes(["SEMPOST sem=S0", "SEMPOST sem=S0"])[:2] == [0, 1]
    met = ["STALLWAIT block=B1, wait=C9", "SEMPOST sem=S0"]
    assert passes(met)[:2] == [0, 2]
    not_caught = ["STALLWAIT block=B6, wait=C9", "SEMPOST sem=S0"]
    assert passes(not_caught)[:2] == [0, 1]


def test_scalar_instructions_take_their_cycles() -> None:
    """Those of another unit pass in the last cycle of a sum, the next sum after it."""
    add = "ADDDMAREG result_reg=1, right_reg={}, left_reg=0"
    assert passes([add.format(1), "SEMPOST sem=S0"])[:2] == [0, 2]
    assert passes([add.format(4), "SEMPOST sem=S0"])[:2] == [0, 3]
    assert passes([add.format(1), add.format(1)])[:2] == [0, 3]
    assert passes([add.format(4), add.format(4)])[:2] == [0, 4]
    assert passes(["SETDMAREG new_value=1, result_half_reg=0", "SEMPOST sem=S0"])[:2] == [0, 1]
