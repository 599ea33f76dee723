# SPDX-License-Identifier: Apache-2.0
"""Running, stopping and continuing: what a debugger relies on, on both engines."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import L1_BYTES, NC, T0, T1, T2, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.machine import MemoryFault
from tensix_gdb.core.stop import StopKind, WatchKind
from tests.assembler import EBREAK, NOP, SPIN, asm, image, li
from tests.machines import Maker

COUNT = [asm("addi", rd=5, rs1=5, imm=1), asm("jal", imm=-4)]


def test_a_fresh_tile_has_every_hart_in_reset(machine: Machine) -> None:
    stop = machine.run(100)
    assert stop is not None
    assert stop.kind is StopKind.ALL_PAUSED
    assert machine.S.tile.cycle == 0
    assert {machine.hart_state(h) for h in range(5)} == {"in reset"}


def test_a_loaded_hart_runs_from_its_entry(machine: Machine) -> None:
    machine.load(T1, image([NOP, *li(6, 0xDEADBEEF), EBREAK], 0x400, entry=0x404))
    stop = machine.run(100)
    assert stop is not None
    assert (stop.kind, stop.hart, stop.pc) == (StopKind.EBREAK, T1, 0x40C)
    assert machine.read_x(T1, 6) == 0xDEADBEEF
    assert machine.S.hart.retired[T1] == 2
    assert machine.hart_state(T1) == "paused at 0x0000040c"


def test_going_on_passes_an_ebreak_that_was_reported(machine: Machine) -> None:
    machine.load(B, image([EBREAK, NOP, EBREAK]))
    first = machine.run(10)
    machine.resume_from(B)
    second = machine.run(10)
    assert first is not None
    assert second is not None
    assert (first.pc, second.pc) == (0, 8)


def test_every_hart_that_issues_executes_one_instruction_in_a_cycle(machine: Machine) -> None:
    for hart in range(5):
        machine.load(hart, image(COUNT, 0x100 * hart))
    assert machine.run(101) is None
    assert machine.S.tile.cycle == 101
    assert [machine.read_x(h, 5) for h in range(5)] == [51] * 5


def test_a_stop_in_mid_cycle_changes_nothing_about_the_execution(new_machine: Maker) -> None:
    def run(machine: Machine) -> str:
        for hart in (B, T0, NC):
            machine.load(hart, image([*li(8, 0x8000), *COUNT_IN_MEMORY], 0x100 * hart))
        while machine.S.tile.cycle < 500:
            if machine.run(500 - machine.S.tile.cycle) is not None:
                machine.resume_from(machine.S.stop.hart)
        return machine.hash()

    undisturbed = run(new_machine())
    disturbed = new_machine()
    disturbed.add_break(0x108)
    disturbed.add_watch(NC, 0x8000, 4, "read")
    assert run(disturbed) == undisturbed


COUNT_IN_MEMORY = [
    asm("lw", rd=5, rs1=8),
    asm("addi", rd=5, rs1=5, imm=1),
    asm("sw", rs1=8, rs2=5),
    asm("jal", imm=-12),
]


def test_a_breakpoint_stops_before_the_instruction_and_only_its_harts(machine: Machine) -> None:
    for hart in (B, T0):
        machine.load(hart, image(COUNT))
    machine.add_break(4, T0)
    stop = machine.run(100)
    assert stop is not None
    assert (stop.kind, stop.hart, stop.pc) == (StopKind.BREAK, T0, 4)
    assert machine.read_x(T0, 5) == 1
    machine.resume_from(T0)
    stop = machine.run(100)
    assert stop is not None
    assert machine.read_x(T0, 5) == 2
    machine.remove_break(4, T0)
    assert machine.run(100) is None


def test_breakpoints_are_counted(machine: Machine) -> None:
    machine.load(B, image([NOP, SPIN]))
    machine.add_break(4)
    machine.add_break(4)
    machine.remove_break(4)
    stop = machine.run(10)
    assert stop is not None
    assert stop.pc == 4
    machine.remove_break(4)
    machine.remove_break(4)
    assert machine.run(10) is None


def test_a_breakpoint_outside_l1_stops_before_the_fetch_faults(machine: Machine) -> None:
    machine.load(B, image([asm("jalr", rs1=5)]))
    machine.write_x(B, 5, 0xFFB00100)
    machine.add_break(0xFFB00100)
    stop = machine.run(10)
    assert stop is not None
    assert (stop.kind, stop.pc) == (StopKind.BREAK, 0xFFB00100)
    machine.remove_break(0xFFB00100)
    stop = machine.run(10)
    assert stop is not None
    assert stop.kind is StopKind.FAULT
    assert "the pc left L1" in stop.text


def test_a_step_is_one_instruction_and_a_range_step_ends_outside(machine: Machine) -> None:
    machine.load(B, image([NOP, NOP, NOP, SPIN]))
    machine.step(B)
    stop = machine.run(100)
    assert stop is not None
    assert (stop.kind, machine.read_pc(B)) == (StopKind.STEP, 4)
    machine.step(B, 0, 12)
    stop = machine.run(100)
    assert stop is not None
    assert (stop.kind, machine.read_pc(B)) == (StopKind.STEP, 12)
    assert machine.S.tile.cycle == 2


def test_held_harts_do_not_issue(machine: Machine) -> None:
    for hart in (B, T0):
        machine.load(hart, image(COUNT))
    machine.freeze([B])
    machine.run(10)
    assert (machine.read_x(B, 5), machine.read_x(T0, 5)) == (0, 5)
    machine.freeze([])
    machine.run(10)
    assert machine.read_x(B, 5) == 5


STORE = [*li(8, 0xFFB00020), asm("addi", rd=5, imm=7), asm("sw", rs1=8, rs2=5), SPIN]


def test_a_watch_stops_before_the_access_with_the_address_as_given(machine: Machine) -> None:
    for hart in (T0, T2):
        machine.load(hart, image(STORE, 0x100 * hart))
    machine.add_watch(T2, 0xFFB00022, 1, "write")
    stop = machine.run(100)
    assert stop is not None
    assert (stop.kind, stop.hart, stop.addr) == (StopKind.WATCH, T2, 0xFFB00022)
    assert stop.access is WatchKind.WRITE
    assert machine.peek(T2, 0xFFB00020, 4) == bytes(4)
    machine.resume_from(T2)
    machine.step(T2)
    machine.run(1)
    assert machine.peek(T2, 0xFFB00020, 4) == b"\x07\0\0\0"
    assert machine.run(10) is None, "another hart's byte at the same address is not watched"


def test_a_watch_sees_the_bytes_through_their_other_address(machine: Machine) -> None:
    machine.load(B, image([*li(8, 0xFFB18020), asm("lw", rd=5, rs1=8), SPIN]))
    machine.add_watch(T0, 0xFFB00020, 4, "read")
    stop = machine.run(10)
    assert stop is not None
    assert (stop.hart, stop.addr, stop.pc) == (B, 0xFFB00020, 8)


def test_a_breakpoint_that_was_passed_does_not_hide_a_watch(machine: Machine) -> None:
    machine.load(B, image(STORE))
    machine.add_break(12)
    machine.add_watch(B, 0xFFB00020, 4, "write")
    kinds = []
    for _ in range(2):
        stop = machine.run(10)
        assert stop is not None
        kinds.append((stop.kind, stop.pc))
        machine.resume_from(B)
    assert kinds == [(StopKind.BREAK, 12), (StopKind.WATCH, 12)]
    assert machine.run(10) is None


@pytest.mark.parametrize("kind", [StopKind.WATCH, StopKind.BREAK, StopKind.EBREAK])
def test_what_was_reported_is_reported_again_in_the_next_round(
    machine: Machine, kind: StopKind
) -> None:
    """Stepping up to it is no report: continuing from there must not pass it."""
    at_8 = EBREAK if kind is StopKind.EBREAK else asm("sw", rs1=8, rs2=5)
    machine.load(B, image([*li(8, 0xFFB00020), at_8, asm("jal", imm=-4)]))
    if kind is StopKind.WATCH:
        machine.add_watch(B, 0xFFB00020, 4, "write")
    elif kind is StopKind.BREAK:
        machine.add_break(8)
    for round in range(3):
        stop = machine.run(100)
        assert stop is not None
        assert (stop.kind, stop.pc, machine.S.hart.retired[B]) == (kind, 8, 2 + 2 * round)
        for _ in range(2):
            machine.disarm()
            machine.resume_from(B)
            machine.step(B)
            machine.run(10)
        assert machine.read_pc(B) == 8
        machine.disarm()
        machine.resume_from(B)


def test_one_breakpoint_behind_the_other(machine: Machine) -> None:
    machine.load(B, image([NOP, NOP, NOP, NOP, SPIN]))
    for addr in (0, 4, 8, 12):
        machine.add_break(addr)
    stops = []
    for _ in range(4):
        stop = machine.run(10)
        assert stop is not None
        stops.append(stop.pc)
        machine.resume_from(B)
    assert stops == [0, 4, 8, 12]
    assert machine.run(10) is None


def test_a_stop_of_another_hart_does_not_report_it_twice(machine: Machine) -> None:
    machine.load(B, image([asm("addi", rd=5, rs1=5, imm=1), SPIN]))
    machine.load(T0, image([NOP, SPIN], 0x6000))
    machine.add_break(0)
    stop = machine.run(10)
    assert stop is not None
    assert stop.hart == B
    for _ in range(3):
        # T0 runs while B is held: B has not passed its breakpoint by that.
        machine.disarm()
        machine.freeze([B])
        machine.resume_from(T0)
        machine.step(T0)
        machine.run(10)
    machine.disarm()
    machine.freeze([])
    machine.resume_from(B)
    assert machine.run(10) is None
    assert machine.read_x(B, 5) == 1


def test_an_atomic_counts_as_a_read_and_as_a_write(machine: Machine) -> None:
    machine.load(B, image([asm("addi", rd=8, imm=0x100), asm("amoadd.w", rs1=8), SPIN]))
    for kind in ("read", "write"):
        machine.reset()
        machine.add_watch(B, 0x102, 1, kind)
        stop = machine.run(10)
        assert stop is not None
        assert (stop.kind, stop.pc) == (StopKind.WATCH, 4)
        machine.remove_watch(B, 0x102, 1, kind)


def test_code_that_is_overwritten_is_decoded_again(machine: Machine) -> None:
    twice = [
        asm("addi", rd=6, imm=1),  # at 8: becomes `addi x6, x0, 2`
        asm("add", rd=7, rs1=7, rs2=6),
        asm("sw", rs2=5, imm=8),
        asm("addi", rd=9, rs1=9, imm=1),
        asm("blt", rs1=9, rs2=10, imm=-16),
        EBREAK,
    ]
    machine.load(B, image([*li(5, asm("addi", rd=6, imm=2)), *twice]))
    machine.write_x(B, 10, 2)
    assert machine.run(50) is not None
    assert machine.read_x(B, 7) == 3


def test_poking_code_takes_effect_at_once(machine: Machine) -> None:
    machine.load(B, image([asm("addi", rd=5, imm=1), asm("jal", imm=-4)]))
    machine.run(10)
    machine.poke(B, 0, asm("addi", rd=5, imm=9).to_bytes(4, "little"))
    machine.run(10)
    assert machine.read_x(B, 5) == 9


def test_a_hart_releases_another_by_soft_reset(machine: Machine) -> None:
    all_but_t0 = 0x46000
    release = [*li(8, 0xFFB121B0), *li(9, all_but_t0), asm("sw", rs1=8, rs2=9), SPIN]
    machine.load(B, image(release))
    machine.poke(B, 0x6000, b"".join(w.to_bytes(4, "little") for w in COUNT))
    assert machine.run(4 + 10) is None
    assert [machine.hart_state(h) for h in (T0, T1)] == ["ready", "in reset"]
    assert machine.read_x(T0, 5) == 5


def test_reset_makes_the_tile_as_loaded(new_machine: Maker) -> None:
    machine = new_machine()
    machine.load(B, image(STORE))
    fresh = machine.hash()
    machine.run(20)
    assert machine.hash() != fresh
    machine.reset()
    assert machine.hash() == fresh


def test_a_snapshot_is_gone_back_to(machine: Machine) -> None:
    machine.load(B, image(COUNT))
    machine.run(10)
    kept, at = machine.snapshot(), machine.hash()
    machine.run(1000)
    later = machine.hash()
    machine.restore(kept)
    assert machine.hash() == at
    machine.run(1000)
    assert machine.hash() == later


@pytest.mark.parametrize("pieces", [[1] * 40, [40], [7, 1, 32], [0, 3, 37]])
def test_how_a_run_is_cut_into_pieces_does_not_matter(
    new_machine: Maker, pieces: list[int]
) -> None:
    def run(budgets: list[int]) -> str:
        machine = new_machine()
        machine.load(T0, image([*li(8, 0x8000), *COUNT_IN_MEMORY], 0x200))
        for budget in budgets:
            machine.run(budget)
        return machine.hash()

    assert run(pieces) == run([20, 20])


def test_memory_is_read_as_far_as_it_goes(machine: Machine) -> None:
    assert len(machine.peek(B, L1_BYTES - 2, 100)) == 2
    assert len(machine.peek(T0, 0xFFB00FF0, 100)) == 16
    assert len(machine.peek(B, 0xFFB00FF0, 100)) == 100
    with pytest.raises(MemoryFault, match="0x00180000 cannot be read: B has nothing there"):
        machine.peek(B, L1_BYTES, 4)
    with pytest.raises(MemoryFault, match="0xffb01000 cannot be written: T0 has nothing there"):
        machine.poke(T0, 0xFFB00FF0, bytes(32))
    assert machine.peek(T0, 0xFFB00FF0, 16) == bytes(16), "nothing was written"


def test_a_device_register_is_written_as_a_store(machine: Machine) -> None:
    assert machine.peek(B, 0xFFB121B1, 2) == (0x47800).to_bytes(4, "little")[1:3]
    machine.poke(B, 0xFFB121B0, (0x47000).to_bytes(4, "little"))
    assert machine.hart_state(B) == "ready"
    with pytest.raises(MemoryFault, match="one aligned word"):
        machine.poke(B, 0xFFB121B0, b"\0\0")
    with pytest.raises(MemoryFault, match="cannot be written"):
        machine.poke(NC, 0xFFE40000, bytes(4))
    assert machine.S.stop.kind == StopKind.NONE


def test_the_pc_written_elsewhere_ends_a_pause(machine: Machine) -> None:
    machine.load(B, image([EBREAK, *COUNT]))
    machine.run(10)
    machine.write_pc(B, 0)
    assert machine.hart_state(B).startswith("paused")
    machine.write_pc(B, 4)
    assert machine.hart_state(B) == "ready"
    machine.run(10)
    assert machine.read_x(B, 5) == 5
