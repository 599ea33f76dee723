# SPDX-License-Identifier: Apache-2.0
"""The debug interface: a program on one core halts, steps and changes another one.

The registers are driven in the order that tt-exalens uses (baby_risc_debug.py): CNTL_1 with the
value, CNTL_0 without and then with the trigger, STATUS_0 and STATUS_1 for the answer. The program
is written in terms of debug registers DR(i) of a core.
"""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import LOCAL_BASE, NC, T0, T1, T2, B
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.pipeline.frontend import LINE, SETS, WAYS
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tests.assembler import EBREAK, NOP, asm, image
from tests.core.devices.scripts import PLACES, Load, Step, Store, loaded, start

CNTL_0, CNTL_1, STATUS_0, STATUS_1 = 0xFFB12080, 0xFFB12084, 0xFFB12088, 0xFFB1208C
TRIGGER, WRITE, VALID = 1 << 31, 1 << 16, 1 << 30
# DR(1)
PAUSE, STEP, CONTINUE, READ_REGISTER, WRITE_REGISTER = 1, 2, 4, 8, 16
READ_MEMORY, WRITE_MEMORY, ZERO, WRITE_PC, SLOW = 32, 64, 128, 256, 1 << 31
HALTED, BREAKPOINT, WATCHPOINT, AT_EBREAK = 1, 2, 4, 8
PC = 32
DEBUGGED = (T0, T1, T2)
WAIT = [NOP] * 60  # a pause takes a handful of cycles


def write(core: int, index: int, value: int) -> list[Step]:
    """DR(index) of a core = value."""
    at = index | WRITE | core << 17
    return [Store(CNTL_1, value), Store(CNTL_0, 0), Store(CNTL_0, at | TRIGGER)]


def read(core: int, index: int) -> list[Step]:
    """One load: DR(index) of a core."""
    return [Store(CNTL_0, 0), Store(CNTL_0, index | core << 17 | TRIGGER), Load(STATUS_1)]


def command(core: int, bits: int, arg0: int = 0, arg1: int = 0) -> list[Step]:
    """Give a command with its arguments, as tt-exalens with the slow mode always set."""
    steps = write(core, 2, arg0) + write(core, 3, arg1) + write(core, 1, bits | SLOW)
    return [*steps, *WAIT]


def step_over(core: int) -> list[Step]:
    """Two commands for one instruction on Blackhole."""
    return command(core, STEP) + command(core, STEP)


def register(core: int, number: int) -> list[Step]:
    """One load: a register of the paused core; number 32 is the pc."""
    return command(core, READ_REGISTER, number) + read(core, 4)


def debug(tile: Machine, *steps: list[Step], by: int = B) -> list[int]:
    """Run the program on core `by` beside the debugged core; what it has read."""
    flat = [step for group in steps for step in group]
    start(tile, {by: flat})
    while (stop := tile.run(60_000)) is not None and stop.kind is StopKind.EBREAK:
        if stop.hart == by:
            return loaded(tile, by, flat)
    raise AssertionError(stop.text if stop else "still running")


def counting(tile: Machine, hart: int) -> None:
    """x5 counts up for ever: three instructions a round, at PLACES[hart]."""
    loop = [asm("addi", rd=5, rs1=5, imm=1), asm("addi", rd=6, rs1=6, imm=2), asm("jal", imm=-8)]
    tile.load(hart, image(loop, PLACES[hart]))


@pytest.mark.parametrize("hart", DEBUGGED)
def test_pause_step_and_continue(tile: Machine, hart: int) -> None:
    counting(tile, hart)
    tile.run(100)
    before, status, pc, after_step = debug(
        tile,
        read(hart, 0),
        command(hart, PAUSE),
        read(hart, 0),
        register(hart, PC),
        step_over(hart),
        register(hart, PC),
    )
    assert (before, status) == (0, HALTED)
    place = PLACES[hart]
    assert place <= pc < place + 12
    assert after_step == (pc + 4 if pc < place + 8 else place)
    assert tile.S.hart.paused[hart]
    count = tile.read_x(hart, 5)
    tile.run(300)
    assert tile.read_x(hart, 5) == count
    status, *_ = debug(tile, command(hart, CONTINUE), read(hart, 0))
    assert status == 0
    tile.run(300)
    assert tile.read_x(hart, 5) > count + 30


def test_one_step_command_is_not_enough(tile: Machine) -> None:
    counting(tile, T0)
    steps = [command(T0, PAUSE), register(T0, PC), command(T0, STEP), register(T0, PC)]
    first, second = debug(tile, *steps)
    assert first == second


def test_registers_are_read_and_written(tile: Machine) -> None:
    counting(tile, T1)
    tile.run(50)
    steps = [
        command(T1, PAUSE),
        command(T1, WRITE_REGISTER, 7, 0xCAFE0001),
        command(T1, WRITE_REGISTER, 0, 5),
        *(register(T1, 7), register(T1, 0)),
        command(T1, ZERO),
        *(register(T1, 5), register(T1, 7)),
    ]
    assert debug(tile, *steps) == [0xCAFE0001, 0, 0, 0]


def test_memory_is_read_and_written_as_the_core_sees_it(tile: Machine) -> None:
    counting(tile, T0)
    tile.run(50)
    local, gpr, mailbox = LOCAL_BASE + 0x20, 0xFFE00008, 0xFFEC1000
    steps = [
        command(T0, PAUSE),
        command(T0, WRITE_MEMORY, local, 0x11223344),
        command(T0, WRITE_MEMORY, 0x4000, 0x55),
        command(T0, WRITE_MEMORY, gpr, 0x99),
        command(T0, WRITE_MEMORY, mailbox, 3),
        command(T0, READ_MEMORY, local) + read(T0, 0) + read(T0, 4),
        command(T0, READ_MEMORY, 0x4000) + read(T0, 4),
        command(T0, READ_MEMORY, gpr) + read(T0, 4),
        command(T0, READ_MEMORY, mailbox) + read(T0, 4),
    ]
    assert debug(tile, *steps) == [HALTED, 0x11223344, 0x55, 0x99, 3]
    assert tile.peek(T0, local, 4) == bytes([0x44, 0x33, 0x22, 0x11])
    assert int(tile.S.gpr.word[2]) == 0x99, "the GPR of thread T0"
    assert int(tile.S.mailbox.count[T0, T0]) == 0, "popped again"


def test_a_read_comes_after_the_core_s_own_stores(tile: Machine) -> None:
    tile.reschedule(tile.S.schedule.kind if not tile.S.schedule.kind else Schedule.RANDOM, 5)
    loop = [
        *(asm("lui", rd=8, imm=0x4000), asm("addi", rd=9, rs1=9, imm=1)),
        *(asm("sw", rs1=8, rs2=9), asm("jal", imm=-8)),
    ]
    tile.load(T0, image(loop, PLACES[T0]))
    tile.run(200)
    pause = write(T0, 2, 0x4000) + write(T0, 1, PAUSE)
    steps = [[*pause, *WAIT, *write(T0, 1, READ_MEMORY), *[NOP] * 400], read(T0, 4)]
    assert debug(tile, *steps)[0] in (tile.read_x(T0, 9), tile.read_x(T0, 9) - 1)
    if tile.read_pc(T0) != PLACES[T0] + 8:
        assert debug(tile, read(T0, 4)) == [tile.read_x(T0, 9)], "behind the store"


def test_a_read_that_waits_keeps_the_core_busy(tile: Machine) -> None:
    counting(tile, T0)
    tile.run(50)
    from_b = 0xFFEC0000
    steps = [
        command(T0, PAUSE),
        command(T0, READ_MEMORY, from_b) + read(T0, 0),
        [Store(0xFFEC1000, 77), *WAIT],
        read(T0, 0) + read(T0, 4),
    ]
    assert debug(tile, *steps) == [0, HALTED, 77]


def test_t2_reads_its_local_ram_in_part_only(tile: Machine) -> None:
    counting(tile, T2)
    tile.run(50)
    steps = [command(T2, PAUSE)]
    for at in range(0, 16, 4):
        steps += [command(T2, WRITE_MEMORY, LOCAL_BASE + at, 0x10 + at)]
    for at in range(0, 16, 4):
        steps += [command(T2, READ_MEMORY, LOCAL_BASE + at) + read(T2, 4)]
    assert debug(tile, *steps) == [0x10, 0x14, 0, 0]


@pytest.mark.parametrize("number", [0, 3, 7])
def test_a_breakpoint(tile: Machine, number: int) -> None:
    counting(tile, T0)
    tile.run(50)
    at = PLACES[T0] + 4
    steps = [
        write(T0, 10 + number, at) + write(T0, 5, 8 << 4 * number) + WAIT,
        read(T0, 0),
        register(T0, PC),
    ]
    assert debug(tile, *steps) == [HALTED | BREAKPOINT | 1 << 8 + number, at + 4]


@pytest.mark.parametrize(
    ("mode", "hits"), [(8, False), (9, True), (10, False), (11, True), (12, False), (0, False)]
)
def test_a_watchpoint_on_loads(tile: Machine, mode: int, hits: bool) -> None:
    loop = [asm("lui", rd=8, imm=0x4000), asm("lw", rd=9, rs1=8), asm("jal", imm=-4)]
    tile.load(T1, image(loop, PLACES[T1]))
    tile.run(50)
    steps = [write(T1, 12, 0x4000) + write(T1, 5, mode << 8) + WAIT, read(T1, 0)]
    assert debug(tile, *steps) == [(HALTED | WATCHPOINT | 1 << 10) if hits else 0]


def test_a_watchpoint_on_stores(tile: Machine) -> None:
    loop = [asm("lui", rd=8, imm=0x4000), asm("sw", rs1=8, rs2=9), asm("jal", imm=-4)]
    tile.load(T1, image(loop, PLACES[T1]))
    tile.run(50)
    steps = [
        *(write(T1, 10, 0x4000) + write(T1, 5, 9) + WAIT, read(T1, 0)),
        *(write(T1, 5, 10) + WAIT, read(T1, 0)),
    ]
    assert debug(tile, *steps) == [0, HALTED | WATCHPOINT | 1 << 8]


def test_from_an_ebreak_by_writing_the_pc(tile: Machine) -> None:
    tile.load(T0, image([EBREAK, asm("addi", rd=5, imm=9), asm("jal")], PLACES[T0]))
    stop = tile.run(100)
    assert stop is not None
    assert stop.kind is StopKind.EBREAK
    behind = PLACES[T0] + 4
    status, pc = debug(tile, read(T0, 0), register(T0, PC))
    assert (status, pc) == (HALTED | AT_EBREAK, behind)
    debug(tile, command(T0, WRITE_PC | STEP, 0, behind), command(T0, CONTINUE))
    assert tile.read_x(T0, 5) == 9


def test_the_pc_without_slow_mode_is_the_reset_pc(tile: Machine) -> None:
    counting(tile, T0)
    tile.S.tile_control.trisc_override = 0
    tile.run(50)
    steps = [
        command(T0, PAUSE),
        write(T0, 3, 0x7000) + write(T0, 1, WRITE_PC) + WAIT,
        register(T0, PC),
    ]
    assert debug(tile, *steps) == [0x6000]


def test_a_pause_waits_for_a_load_that_waits(tile: Machine) -> None:
    start(tile, {T0: [Load(0xFFEC0000), *[NOP] * 8]})
    tile.run(100)
    steps = [
        *(command(T0, PAUSE), read(T0, 0)),
        *([Store(0xFFEC1000, 5), *WAIT], read(T0, 0)),
    ]
    assert debug(tile, *steps) == [0, HALTED]


def test_soft_reset_clears_the_debug_registers(tile: Machine) -> None:
    counting(tile, T0)
    soft_reset, disable = 0xFFB121B0, 0xFFB12224
    held = 0x47800 & ~(1 << 11)
    steps = [
        *(write(T0, 10, 0x1234), read(T0, 10), [Store(soft_reset, held)], read(T0, 10)),
        *(write(T0, 10, 0x5678), read(T0, 10), [Store(disable, 2)]),
        *(write(T0, 10, 0x5678), read(T0, 10)),
    ]
    assert debug(tile, *steps) == [0x1234, 0, 0, 0x5678]


@pytest.mark.parametrize("slow", [False, True])
def test_the_slow_mode_leaves_queues_of_one_entry(tile: Machine, slow: bool) -> None:
    """Eight loads in a row take eight latencies; eight stores fill no queue."""
    loads = [asm("lw", rd=10 + i, rs1=8, imm=64 * i) for i in range(8)]
    stores = [asm("sw", rs1=8, rs2=9, imm=64 * i) for i in range(8)]
    body = [asm("lui", rd=8, imm=0x4000), asm("csrrs", rd=6, imm=0xB00), *loads, *stores]
    # Starts when B has written, so that the debug interface has had its time.
    wait = [asm("lui", rd=5, imm=0x5000), asm("lw", rd=7, rs1=5), asm("beq", rs1=7, imm=-4)]
    end = [asm("csrrs", rd=7, imm=0xB00), EBREAK]
    tile.load(T0, image([*wait, *body, *end], PLACES[T0]))
    start(tile, {B: [*write(T0, 1, SLOW if slow else 0), *WAIT, Store(0x5000, 1)]})
    deepest = 0
    for _ in range(6000):
        stop = tile.run(1)
        deepest = max(deepest, tile.S.pipeline.rq_count[T0] if tile.read_x(T0, 8) else 0)
        if stop is not None and stop.kind is StopKind.EBREAK and stop.hart == T0:
            break
    assert tile.read_x(T0, 7) > tile.read_x(T0, 6)
    if not tile.S.schedule.kind:
        assert deepest == 0, "nothing is ever under way"
    else:
        assert (deepest == 1) == slow
        assert (tile.read_x(T0, 7) - tile.read_x(T0, 6) > 60) == slow


def test_status_echoes_control(tile: Machine) -> None:
    steps: list[Step] = [
        *(Store(CNTL_0, 0x7FF | 2 << 17), Load(STATUS_0)),
        *(Store(CNTL_0, 5 | 2 << 17 | TRIGGER), Load(STATUS_0)),
        *(Store(CNTL_0, 0), Store(CNTL_0, 10 | 3 << 17 | WRITE | TRIGGER), Load(STATUS_0)),
    ]
    assert debug(tile, steps) == [
        0x7FF,
        5 | VALID | TRIGGER,
        10 | 1 << 13 + 3 | TRIGGER,
    ]


def test_b_can_be_debugged_too(tile: Machine) -> None:
    counting(tile, B)
    tile.run(50)
    assert debug(tile, command(0, PAUSE), read(0, 0), by=NC) == [HALTED]
    assert tile.S.hart.paused[B]


# fmt: off
WRONG = [
    (write(T0, 1, STEP),                           Fault.DEBUG_NOT_PAUSED),
    ([*write(T0, 1, PAUSE), *WAIT, *write(T0, 1, READ_MEMORY | WRITE_MEMORY)],
                                                   Fault.DEBUG_COMBINATION),
    ([*write(T0, 1, PAUSE), *WAIT, *write(T0, 1, READ_MEMORY | STEP)],
                                                   Fault.DEBUG_COMBINATION),
]
# fmt: on


@pytest.mark.parametrize(("steps", "code"), WRONG)
def test_what_the_page_excludes(tile: Machine, steps: list[Step], code: Fault) -> None:
    counting(tile, T0)
    start(tile, {B: steps})
    stop = tile.run(20_000)
    assert stop is not None
    assert stop.kind is StopKind.FAULT
    assert Fault(stop.code) is code


def test_continue_from_an_ebreak(tile: Machine) -> None:
    tile.load(T0, image([EBREAK], PLACES[T0]))
    tile.run(100)
    start(tile, {B: write(T0, 1, CONTINUE)})
    stop = tile.run(20_000)
    assert stop is not None
    assert Fault(stop.code) is Fault.DEBUG_CONTINUE_EBREAK


def fetched(S: View, start: int, words: int) -> None:
    """Put a program of T1 into its instruction cache."""
    for line in range(start // LINE, (start + 4 * words) // LINE + 1):
        S.frontend.tag[T1, ((line + 1) & (SETS - 1)) * WAYS] = line + 1


def test_a_core_may_move_its_own_pc_with_a_store_that_is_under_way(tile: Machine) -> None:
    """The pause comes before the stores that it has issued already; the last one writes the pc."""
    if tile.S.schedule.kind == Schedule.SC:
        return  # nothing is under way when the core pauses
    target, trigger = 0x8000, WRITE | T1 << 17 | TRIGGER
    values = (target, 3 | trigger, PAUSE, 1 | trigger, WRITE_PC | SLOW)
    base, zero, to, dr3, pause, dr1, write_pc = 5, 0, 6, 7, 8, 9, 10
    stores = [(4, to), (0, zero), (0, dr3), (4, pause), (0, zero), (0, dr1)]
    stores += [(4, write_pc), (0, zero), (0, dr1)]
    code = [asm("sw", rs1=base, rs2=register, imm=offset) for offset, register in stores]
    tile.load(T1, image([*code, *WAIT, asm("jal")], PLACES[T1]))
    fetched(tile.S, PLACES[T1], len(code))
    tile.write_x(T1, base, CNTL_0)
    for number, value in zip((to, dr3, pause, dr1, write_pc), values, strict=True):
        tile.write_x(T1, number, value)
    tile.run(200)
    assert tile.S.hart.paused[T1]
    assert tile.read_pc(T1) == target
