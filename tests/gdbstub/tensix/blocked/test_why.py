# SPDX-License-Identifier: Apache-2.0
"""`monitor why`, and what a dead tile says, on tiles where it is known who waits for whom."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1, T2, B
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.debug.memory import MemoryFault
from tensix_gdb.core.devices.soft_reset import set_soft_reset
from tensix_gdb.core.history import begin_history
from tensix_gdb.core.isa.architecture import DIALECTS, Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.deadlock import is_dead
from tensix_gdb.core.machine.hart_reset import put_in_reset
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.blocked.why import (
    HARTS,
    Waiter,
    circular_waits,
    deadlock_text,
    party,
)
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.assembler import EBREAK, asm, image, li
from tests.core.tensix.programs import push_all
from tests.gdbstub.tensix import stuck
from tests.gdbstub.tensix.stuck import ENOUGH
from tests.machines import machine_on

JUMP = 0x0000006F  # to itself


@pytest.fixture
def tile() -> Iterator[Machine]:
    machine = machine_on("reference", Schedule.LATENCY)
    yield machine
    machine.close()


def why(machine: Machine, line: str = "", thread: int = 1) -> str:
    monitor = tensix_target(machine).monitor
    assert monitor is not None
    return monitor.command(thread, f"why {line}", running=False)


def test_everybody(tile: Machine) -> None:
    shown = why(stuck.run(stuck.load(tile))).splitlines()
    assert any(
        line.startswith("T0 unpack: ATGETM held at the gate since cycle ")
        and line.endswith(": mutex 2 is held by T2 pack")
        for line in shown
    )
    assert any(
        line.startswith(
            "T1 math: ATGETM held at the gate by SEMWAIT block=ALL sem=S1 wait=C0 since"
        )
        and "semaphore 1 is 0" in line
        for line in shown
    )
    assert any(
        line.startswith("    ATGETM index=0, pushed by T1 at 0x00003004 in cycle ")
        for line in shown
    )
    assert "    SEMWAIT pushed at 0x00003000" in shown
    assert "T1: waits to push to the Tensix thread of T1: its FIFO is full" in "\n".join(shown)
    assert shown[-1] == "Nothing to do: B, NC."
    assert why(tile, "all").splitlines() == shown, "one tile is all of them"


def test_one_and_all_that_it_waits_for(tile: Machine) -> None:
    stuck.run(stuck.load(tile))
    shown = why(tile, "T0")
    assert shown.index("T0 unpack: ATGETM") < shown.index(
        "T2 pack: NOP held at the gate by SEMWAIT"
    )
    assert why(tile, "6").startswith("T0 unpack: ATGETM")
    assert why(tile, "B") == "Nothing to do: B.\n"
    with pytest.raises(TargetError, match="'X' is no hart and no Tensix thread"):
        why(tile, "X")


def test_who_should_have_posted(tile: Machine) -> None:
    shown = why(stuck.run(stuck.load(tile))).splitlines()
    # One SEMPOST in the code of T0, behind twenty-two other words; T1 and T2 wait for it.
    assert shown.count("    programs have SEMPOST of semaphore 1 at 0x0000205c (T0)") == 2


def test_which_code_is_about_a_semaphore(tile: Machine) -> None:
    monitor = tensix_target(stuck.run(stuck.load(tile))).monitor
    assert monitor is not None
    assert monitor.command(1, "sem 1", running=False).splitlines()[-4:] == [
        "  SEMINIT  0x00002000 (T0)",
        "  SEMPOST  0x0000205c (T0)",
        "  SEMGET   in no program's code",
        "  SEMWAIT  0x00003000 (T1), 0x00004004 (T2)",
    ]


@pytest.mark.parametrize(
    ("begins", "said", "more"),
    [
        ("SEMINIT new_max=1, new_value=0, sem=S2", "semaphore 2 is 0 until it is posted", 1),
        ("SEMINIT new_max=1, new_value=1, sem=S2", "semaphore 2 is full (1 of 1) until", 1),
        ("NOP", "semaphore 2 has no room, as no SEMINIT has given it a maximum", 0),
    ],
)
def test_nobody_posts_or_gets(tile: Machine, begins: str, said: str, more: int) -> None:
    wait = "C0" if "value=0" in begins else "C1"
    program = [begins, f"SEMWAIT block=ALL, sem=S2, wait={wait}", "NOP", "DMANOP"]
    tile.load(T1, image([*push_all(program), EBREAK], 0x2000))
    tile.run(600)
    tile.run(600)
    shown = why(tile, "T1")
    name = "SEMPOST" if wait == "C0" else "SEMGET"
    assert said in shown
    assert shown.count(f"    no program has a {name} of semaphore 2 in its code; a store") == more


def test_who_spins_is_said_so_after_the_stop_too(tile: Machine) -> None:
    tile.load(T1, image([*push_all(["SEMWAIT block=ALL, sem=S1, wait=C0", "NOP"]), JUMP], 0x100))
    stop = tile.run(5000)
    assert stop is not None
    assert stop.kind is StopKind.STANDSTILL
    assert "T1: spins and changes nothing, pc 0x00000108" in deadlock_text(tile)
    assert "T1: spins and changes nothing, pc 0x00000108" in why(tile)


def test_a_circle_of_two_mutexes(tile: Machine) -> None:
    for hart, first, second in ((T0, 2, 3), (T1, 3, 2)):
        texts = [f"ATGETM index={first}", *["NOP"] * 9, f"ATGETM index={second}", "NOP"]
        tile.load(hart, image([*push_all(texts), EBREAK], 0x1000 * (hart + 1)))
    stuck.run(tile)
    waiters = [party(tile, number) for number in range(HARTS + 3)]
    assert list(circular_waits(waiters)) == [
        "In a circle: T0 unpack waits for T1 math waits for T0 unpack."
    ]
    assert "In a circle" in why(tile)
    assert "In a circle" in why(tile, "T1")
    assert "In a circle" not in why(tile, "B")


def test_a_circle_of_harts(tile: Machine) -> None:
    """Each reads the mailbox that the next one does not write."""
    for hart, writer in ((B, T0), (T0, T2), (T2, B)):
        at = 0xFFEC0000 + 0x1000 * {B: 0, T0: 1, T2: 3}[writer]
        tile.load(hart, image([*li(5, at), asm("lw", rd=6, rs1=5), EBREAK], 0x1000 * (hart + 1)))
    stop = tile.run(5000)
    assert stop is not None
    assert stop.kind is StopKind.STANDSTILL
    text = deadlock_text(tile)
    assert text.startswith(f"nothing can move any more, after cycle {tile.S.tile.cycle}:\nB: waits")
    assert "In a circle: B waits for T0 waits for T2 waits for B." in text
    for hart in (B, T0, T2):
        assert f", at {0x1000 * (hart + 1) + 8:#010x}" in text


def test_an_atomic_that_fails_for_ever(tile: Machine) -> None:
    """ATCAS has the unit until the word at 0 is 1; T0 cannot use it either."""
    tile.load(T1, image([*push_all(["ATCAS cmp_val=1, addr_reg=G4"]), EBREAK], 0x3000))
    tile.run(60)
    tile.run(60)
    first = why(tile, "T1")
    wanted = "T1 math: ATCAS from 0x00003000 is tried again until the word at 0x00000000 fits"
    assert wanted in first
    behind = [asm("addi")] * 40
    other = push_all(["SETDMAREG.Immediate new_value=1, result_half_reg=G4_lo"])
    tile.load(T0, image([*behind, *other, EBREAK], 0x2000))
    while (stop := tile.run(5000)) is not None and stop.kind is StopKind.EBREAK:
        pass
    assert stop is not None
    assert stop.kind is StopKind.STANDSTILL
    text = deadlock_text(tile)
    assert "T0 unpack: SETDMAREG held at the gate" in text
    assert wanted in text
    tile.poke(B, 0, bytes([1, 0, 0, 0]))
    tile.run(200)
    assert tile.S.gpr.word[4] == 1


def test_a_tile_that_moves(tile: Machine) -> None:
    tile.load(T0, image([*push_all(["NOP"] * 6), asm("jal")], 0x2000))
    tile.run(5)
    shown = why(tile)
    assert "T0: runs, pc 0x0000" in shown
    tile.run(100)
    assert "T0 unpack" in why(tile).splitlines()[-1]


# -- Wormhole
# The Matrix Unit's bank of SrcA is never its own: C7 on Blackhole, C10 on Wormhole.
LITMUS_36 = (
    "SEMINIT new_max=15, new_value=0, sem=S0|S1",
    "STALLWAIT block=B6, wait={never}",
    "SEMWAIT block=B6, sem=S0, wait=C0",
    "SEMPOST sem=S1",
    "SEMWAIT block=B1, sem=S0, wait=C0",
    "SEMPOST sem=S2",
)


@pytest.mark.parametrize(
    ("arch", "at_gate", "by", "posted"),
    [
        (Arch.BLACKHOLE, "SEMWAIT", "STALLWAIT block=B6 wait=C7", "0"),
        (Arch.WORMHOLE, "SEMPOST", "SEMWAIT block=B1 sem=S0 wait=C0", "1"),
    ],
)
def test_litmus_36_in_the_debugger(arch: Arch, at_gate: str, by: str, posted: str) -> None:
    """A SEMWAIT behind a latched wait: on Blackhole it waits, on Wormhole it takes its place."""
    machine = Machine(engine="reference", schedule=Schedule.LATENCY, arch=arch)
    dialect = DIALECTS["wormhole" if arch is Arch.WORMHOLE else "blackhole"]
    never = "C10" if arch is Arch.WORMHOLE else "C7"
    program = push_all([parse(text.format(never=never), dialect) for text in LITMUS_36])
    machine.load(T0, image([*program, EBREAK], 0x1000))
    while machine.run(400) is not None and machine.S.tile.cycle < 400:
        pass
    target = tensix_target(machine)
    assert target.monitor is not None
    assert target.threads is not None
    shown = target.monitor.command(1, "why", running=False)
    assert f"T0 unpack: {at_gate} held at the gate by {by} since cycle " in shown
    assert target.threads.thread_state(6).startswith(f"{at_gate} held at the gate by {by}")
    semaphores = target.monitor.command(1, "sem 1", running=False).splitlines()[1].split()
    assert semaphores[:2] == ["1", posted]
    machine.close()


@pytest.mark.parametrize(("arch", "number"), [(Arch.BLACKHOLE, "C10"), (Arch.WORMHOLE, "C13")])
def test_conditions_have_the_numbers_of_the_architecture(arch: Arch, number: str) -> None:
    """Requests of the T core, and the bank of SrcA, which is never the Matrix Unit's."""
    machine = Machine(engine="reference", schedule=Schedule.LATENCY, arch=arch)
    dialect = DIALECTS["wormhole" if arch is Arch.WORMHOLE else "blackhole"]
    never = {"C10": "C7", "C13": "C10"}[number]
    texts = (f"STALLWAIT block=B5, wait={number}|{never}", "SETDMAREG.Immediate result_half_reg=2")
    program = push_all([parse(text, dialect) for text in texts])
    machine.load(T0, image([*program, EBREAK], 0x1000))
    while machine.run(400) is not None and machine.S.tile.cycle < 400:
        pass
    monitor = tensix_target(machine).monitor
    assert monitor is not None
    assert f"STALLWAIT block=B5 wait={'|'.join(sorted((never, number), key=len))}" in (
        monitor.command(6, "why", running=False)
    )
    assert f"{number} would not wait" in monitor.command(1, "order", running=False)
    machine.close()


def test_what_was_posted_instead(tile: Machine) -> None:
    begin = ["SEMINIT new_max=2, new_value=0, sem=S1", "SEMINIT new_max=2, new_value=0, sem=S2"]
    posts = [*begin, *["NOP"] * 30, "SEMPOST sem=S2"]
    tile.load(T1, image([*push_all(posts), EBREAK], 0x3000))
    waits = [*["NOP"] * 4, "SEMWAIT block=ALL, sem=S1, wait=C0", "NOP"]
    tile.load(T2, image([*push_all(waits), EBREAK], 0x4000))
    while (stop := tile.run(500)) is not None and stop.kind is StopKind.EBREAK:
        pass
    shown = why(tile).splitlines()
    before = shown.index(
        "    no program has a SEMPOST of semaphore 1 in its code; a store or a MOP might push one"
    )
    assert shown[before + 1].startswith(
        "    since then T1 math has posted semaphore 2 (it is 1, and no thread waits for it) at "
        "0x00003080 in cycle "
    )


def test_a_semaphore_that_is_left_over(tile: Machine) -> None:
    """The last post of T1 is another one, and what it posted before is not known."""
    begin = ["SEMINIT new_max=2, new_value=0, sem=S1", "SEMINIT new_max=2, new_value=0, sem=S2"]
    tile.load(T1, image([*push_all([*begin, "SEMPOST sem=S2", begin[0]]), EBREAK], 0x3000))
    waits = ["NOP", "SEMWAIT block=ALL, sem=S1, wait=C0", "NOP"]
    tile.load(T2, image([*push_all(waits), EBREAK], 0x4000))
    while (stop := tile.run(500)) is not None and stop.kind is StopKind.EBREAK:
        pass
    assert (
        "    semaphore 2 is 1, and no thread waits for it; programs post it at 0x00003008 (T1)"
        in why(tile).splitlines()
    )


@pytest.mark.parametrize("program", ["of a hart", "at a gate"])
def test_it_begins_with_the_fault(tile: Machine, program: str) -> None:
    """Nothing moves in the tile: "runs, 1 instruction on its way" sent people to look elsewhere."""
    push = [*push_all(["NOP"]), 0, JUMP]  # 0: a push of no instruction, of which no page speaks
    tile.load(T1, image([0xFFFFFFFF] if program == "of a hart" else push, 0x3000))
    tile.load(B, image([JUMP], 0x100))
    stop = tile.run(ENOUGH)
    assert stop is not None
    assert stop.kind is StopKind.FAULT
    first, *others = why(tile).splitlines()
    assert first == f"At a fault: {stop.text}"
    party = "T1" if program == "of a hart" else "T1 math"
    assert f"{party}: at the fault, pc {stop.pc:#010x}" in others
    assert "on its way" not in "\n".join(others)
    assert why(tile, "nc").splitlines() == [first, "Nothing to do: NC."]
    tile.write_pc(stop.hart, stop.pc + 8)
    assert (first in why(tile)) == (stop.thread is not None), "a client has moved the hart"
    tile.faults.set("all=count")
    tile.run(ENOUGH)
    assert "At a fault" not in why(tile)


def load_fault(tile: Machine) -> Machine:
    """The first word of T1 is no instruction."""
    tile.load(T1, image([0xFFFFFFFF], 0x3000))
    tile.load(B, image([JUMP], 0x100))
    return tile


def at_fault(tile: Machine) -> str:
    """Run to it; the line about it."""
    stop = tile.run(ENOUGH)
    assert stop is not None
    assert stop.kind is StopKind.FAULT
    return f"At a fault: {stop.text}"


@pytest.mark.parametrize("by", ["reset", "restore", "soft reset", "soft reset and out of it"])
def test_a_fault_is_not_told_of_a_tile_that_has_not_met_it(tile: Machine, by: str) -> None:
    """Its pc is where the fault was: the first instruction."""
    load_fault(tile)
    before = tile.snapshot()
    assert at_fault(tile) in why(tile)
    if by == "reset":
        tile.reset()
    elif by == "restore":
        tile.restore(before)
    else:
        out = int(tile.S.tile_control.soft_reset)
        put_in_reset(tile.S, T1)
        if by != "soft reset":
            set_soft_reset(tile.S, out)
            tile.write_pc(T1, 0x3000)
    shown = why(tile)
    assert "At a fault" not in shown
    assert "at the fault" not in shown


def test_a_fault_is_told_again_where_the_history_comes_back_to_it(tile: Machine) -> None:
    load_fault(tile)
    history = begin_history(tile)
    history.resume()
    line = at_fault(tile)
    history.suspend()
    history.to_start()
    assert "At a fault" not in why(tile)
    history.to_present()
    assert line in why(tile)


def test_a_refused_write_leaves_the_tile_at_its_fault(tile: Machine) -> None:
    """The refusal is a fault too while the device says it, and it is the client's."""
    line = at_fault(load_fault(tile))
    with pytest.raises(MemoryFault):
        tile.poke(B, 0xFFB12000 + 0xFFC, bytes(4))
    assert not tile.write_csr(B, 0x123, 1)
    is_dead(tile.engine, tile.record, tile.memory)
    assert line in why(tile)


def test_what_waits_for_the_fault_is_in_no_circle(tile: Machine) -> None:
    """T2 waits for T1 or T0, and T1 is at a fault: T0 alone was said to be left."""
    at_fault(load_fault(tile))
    waiters = [party(tile, number) for number in range(HARTS)]
    waiters[T0] = Waiter(T0, "waits", waits_for=(T2,))
    waiters[T2] = Waiter(T2, "waits", waits_for=(T1, T0))
    assert not list(circular_waits(waiters))
