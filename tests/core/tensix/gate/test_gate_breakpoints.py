# SPDX-License-Identifier: Apache-2.0
"""Breakpoints, steps and watches at the wait gates, on every engine and in every schedule."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.debug.breakpoints import ArmedError
from tensix_gdb.core.debug.gate_breakpoints import (
    FieldTest,
    GateBreak,
    GateWatch,
    Word,
    WordTest,
    words_at,
)
from tensix_gdb.core.explain.gate_stop import origin
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.stop import Stop, StopKind
from tensix_gdb.core.tensix.gate.breakpoints import Compare
from tensix_gdb.core.tensix.gate.watchpoints import Cell
from tests.assembler import EBREAK, asm, image
from tests.core.tensix.drive import start
from tests.core.tensix.programs import push_all
from tests.machines import machine_on

MOP = 0x01800000  # of template 1
SETDMAREG = "SETDMAREG.Immediate new_value={}, result_half_reg={}"
LIMIT = 20000
GPR_5 = Word(Cell.GPR, 64 + 5)
OPCODE = 0xFF000000
PLACE = 0x2000


def of(mnemonic: str, *fields: FieldTest) -> WordTest:
    """Instructions of an opcode."""
    return WordTest(OPCODE, parse(mnemonic) & OPCODE, fields)


def go(tile: Machine) -> Stop | None:
    """Run up to the next stop of a Tensix thread; None when everything is done."""
    for _ in range(100):
        stop = tile.run(LIMIT)
        if stop is None or stop.kind is StopKind.ALL_PAUSED:
            return None
        if stop.thread is not None:
            assert stop.kind is not StopKind.FAULT, stop.text
            return stop
    raise AssertionError("it stops again and again")


def stops(tile: Machine) -> list[Stop]:
    """All stops up to the end."""
    return list(iter(lambda: go(tile), None))


def mop_program(tile: Machine) -> Image:
    """A MOP of 2 times 3 SETDMAREG with a DMANOP behind the three, then a NOP."""
    nop, loop = parse("NOP"), parse("SETDMAREG.Immediate new_value=7, result_half_reg=4")
    for i, word in enumerate((2, 3, nop, parse("DMANOP"), nop, loop, nop, loop, loop)):
        tile.S.mop_config.word[1, i] = word
    return image([*push_all([MOP, "NOP"]), EBREAK], PLACE)


def test_break_by_mnemonic(tile: Machine) -> None:
    start(tile, "NOP", SETDMAREG.format(3, 10), "DMANOP", SETDMAREG.format(4, 12), "NOP", thread=1)
    tile.gates.add_break(GateBreak("SETDMAREG", tests=(of("SETDMAREG.Immediate"),)))
    first = go(tile)
    assert first is not None
    assert (first.kind, first.thread, first.pc) == (StopKind.GATE, 1, 2 * PLACE + 4)
    assert tile.S.gpr.half[128 + 10] == 0, "it stops before"
    assert origin(tile.S, 1).pc == first.pc
    assert "Gate breakpoint 1 (SETDMAREG): T1 math has SETDMAREG.Immediate" in first.text
    second = go(tile)
    assert second is not None
    assert second.pc == 2 * PLACE + 12
    assert tile.S.gpr.half[128 + 10] == 3
    assert go(tile) is None
    assert tile.S.gpr.half[128 + 12] == 4
    assert tile.gates.hits(1) == 2


def test_break_by_field_thread_and_range(tile: Machine) -> None:
    half = FieldTest(Compare.EQUAL, 0, 0x7F, 12)
    start(tile, SETDMAREG.format(3, 10), SETDMAREG.format(4, 12), "NOP", thread=1)
    start(tile, SETDMAREG.format(4, 12), "NOP", thread=2)
    row = parse(SETDMAREG.format(0, 0))
    assert row >> 24 == 0x45
    tests = (of("SETDMAREG.Immediate", half),)
    tile.gates.add_break(GateBreak("with a field", threads=2, tests=tests))
    tile.gates.add_break(GateBreak("a range", ranges=((3 * PLACE + 4, 3 * PLACE + 8),)))
    found = stops(tile)
    assert sorted((stop.thread, stop.pc) for stop in found) == [
        (1, 2 * PLACE + 4),
        (2, 3 * PLACE + 4),
    ]


@pytest.mark.parametrize(("compare", "wanted"), [
    (Compare.EQUAL, [5]), (Compare.NOT_EQUAL, [4, 6]), (Compare.LESS, [4]),
    (Compare.AT_MOST, [4, 5]), (Compare.GREATER, [6]), (Compare.AT_LEAST, [5, 6]),
])  # fmt: skip
def test_comparisons(tile: Machine, compare: Compare, wanted: list[int]) -> None:
    start(tile, *[SETDMAREG.format(value, 2) for value in (4, 5, 6)], thread=1)
    value = FieldTest(compare, 8, 0xFFFF, 5)
    tile.gates.add_break(GateBreak("", tests=(of("SETDMAREG.Immediate", value),)))
    tile.gates.add_break(GateBreak("", threads=1))
    seen = [(stop.pc - 2 * PLACE) // 4 + 4 for stop in stops(tile)]
    assert seen == wanted


def test_nth_of_an_expansion(tile: Machine) -> None:
    """The fifth SETDMAREG of the MOP; the NOPs between are not counted."""
    tile.load(T0 + 1, mop_program(tile))
    tile.gates.add_break(GateBreak("fifth", tests=(of("SETDMAREG.Immediate"),), nth=5))
    stop = go(tile)
    assert stop is not None
    assert "5th of a MOP, at its gate" in stop.text
    assert tile.S.passed.index[1] == 5, "four SETDMAREG and the DMANOP of the first loop"
    assert go(tile) is None
    assert tile.S.passed.count[1] == 9
    assert tile.gates.hits(1) == 1


def test_counts_begin_again_with_the_tile(tile: Machine) -> None:
    """The same push in the same cycle, after a snapshot was restored, is another one."""
    tile.load(T0 + 1, mop_program(tile))
    fresh = tile.snapshot()
    tile.gates.add_break(GateBreak("fifth", tests=(of("SETDMAREG.Immediate"),), nth=5))
    for hits in (1, 2):
        tile.restore(fresh)
        assert go(tile) is not None
        assert tile.gates.hits(1) == hits


def test_hits_that_are_ignored(tile: Machine) -> None:
    start(tile, *["NOP"] * 5, thread=1)
    number = tile.gates.add_break(GateBreak("NOP", tests=(of("NOP"),)))
    tile.gates.ignore(number, 3)
    # Another breakpoint that comes or goes leaves the count as it is.
    tile.gates.remove(tile.gates.add_break(GateBreak("DMANOP", tests=(of("DMANOP"),))))
    assert [stop.pc for stop in stops(tile)] == [2 * PLACE + 12, 2 * PLACE + 16]
    assert tile.gates.hits(number) == 5
    assert tile.gates.ignored(number) == 0


def test_breaks_come_and_go(tile: Machine) -> None:
    start(tile, "NOP", "DMANOP", "NOP", "DMANOP", thread=1)
    nops = tile.gates.add_break(GateBreak("NOP", tests=(of("NOP"),)))
    assert go(tile) is not None
    others = tile.gates.add_break(GateBreak("DMANOP", tests=(of("DMANOP"),)))
    assert tile.gates.remove(nops)
    assert not tile.gates.remove(nops)
    assert [stop.pc for stop in stops(tile)] == [2 * PLACE + 4, 2 * PLACE + 12]
    assert list(tile.gates.breaks) == [others]
    assert tile.gates.hits(others) == 2


def test_there_is_an_end_of_breakpoints(tile: Machine) -> None:
    for _ in range(64):
        tile.gates.add_break(GateBreak("one"))
    with pytest.raises(ArmedError):
        tile.gates.add_break(GateBreak("too many"))


def test_a_step_passes_one(tile: Machine) -> None:
    start(tile, "NOP", SETDMAREG.format(3, 10), "NOP", thread=1)
    for count in (1, 2, 3):
        tile.disarm()
        tile.gates.step(1, 0, 0)
        stop = go(tile)
        assert stop is not None
        assert (stop.kind, stop.thread) == (StopKind.STEP, 1)
        assert tile.S.passed.count[1] == count
    tile.disarm()
    assert go(tile) is None


def test_a_step_through_a_range(tile: Machine) -> None:
    """Through a whole MOP, to what was pushed behind it."""
    tile.load(T0 + 1, mop_program(tile))
    tile.gates.add_break(GateBreak("first", nth=1))
    stop = go(tile)
    assert stop is not None
    mop = stop.pc
    tile.gates.remove(1)
    tile.gates.step(1, mop, mop + 4)
    stop = go(tile)
    assert stop is not None
    assert (stop.kind, stop.thread, stop.pc) == (StopKind.STEP, 1, mop + 4)
    assert tile.S.passed.count[1] == 8


def test_a_thread_is_held(tile: Machine) -> None:
    start(tile, "NOP", "NOP", thread=1)
    start(tile, "NOP", "NOP", thread=2)
    tile.gates.freeze([1])
    for _ in range(50):
        tile.run(20)
    assert tile.S.passed.count[1] == 0
    assert tile.S.passed.count[2] == 2
    tile.gates.freeze([])
    while go(tile):
        pass
    assert tile.S.passed.count[1] == 2


def test_a_tile_whose_thread_is_held_is_not_dead(tile: Machine) -> None:
    """T1 waits for nothing that could not come: the debugger may let the thread go."""
    code = [*push_all(["NOP"]), asm("jal")]
    tile.load(T0 + 1, image(code, PLACE))
    tile.gates.freeze([1])
    assert tile.run(LIMIT) is None
    tile.gates.freeze([])
    stop = tile.run(LIMIT)
    assert stop is None or stop.kind is StopKind.STANDSTILL
    assert tile.S.passed.count[1] == 1


def test_a_held_thread_goes_on_for_a_hart_that_waits(tile: Machine) -> None:
    """More pushes than queues hold."""
    start(tile, *["NOP"] * 100, thread=1)
    tile.gates.freeze([1])
    stop = tile.run(LIMIT)
    assert stop is not None
    assert stop.kind is StopKind.EBREAK
    assert tile.S.passed.count[1] > 10


@pytest.mark.parametrize(
    ("texts", "word", "new", "by"),
    [
        ([SETDMAREG.format(9, 10), "NOP"], GPR_5, 9, 0),
        (["ADDDMAREG.Imm result_reg=5, left_reg=4, right_imm6=6", "NOP"], GPR_5, 6, 0),
        (["LOADIND size=1, result_reg=5, addr_reg=4", "NOP"], GPR_5, 0x77, 0),
        (["LOADREG result_reg=5, addr_lo=0x488e", "NOP"], GPR_5, 0x1234, 0),
        (["RDCFG result_reg=5, cfg_index=0", "NOP"], GPR_5, 0x1234, 0),
        (["NOP", "SEMPOST sem=S3", "NOP"], Word(Cell.DEVICE, 0xFFE8002C, T0), 1, 1),
        (["SEMINIT new_max=4, new_value=0, sem=S3"], Word(Cell.SEMAPHORE_MAX, 3), 4, 0),
        (["ATGETM index=2", "NOP"], Word(Cell.MUTEX, 2), 2, 0),
        ([SETDMAREG.format(8, 12), "WRCFG cfg_index=3, input_reg=6", "NOP"],
         Word(Cell.DEVICE, 0xFFEF000C, T0), 8, 1),
        (["RMWCIB0 index4=0, mask=0xff, new_value=0x35"], Word(Cell.DEVICE, 0xFFEF0000, T0),
         0x1235, 0),
        ([SETDMAREG.format(8, 12), "STOREIND.L1 size=1, data_reg=6, addr_reg=4", "NOP"],
         Word(Cell.L1, 0), 8, 1),
    ],
)  # fmt: skip
def test_watch(tile: Machine, texts: list[str], word: Word, new: int, by: int) -> None:
    """A change stops, names who has made it, and changes nothing about the execution."""
    prepare(tile, texts)
    other = machine_on("reference", tile.S.schedule.kind)
    try:
        prepare(other, texts)
        while go(other):
            pass
        tile.gates.add_watch(GateWatch("it", (word,)))
        stop = go(tile)
        assert stop is not None
        assert (stop.kind, stop.thread) == (StopKind.WATCH, 1)
        assert stop.pc == 2 * PLACE + 4 * by, stop.text
        assert f"to {new:#x} by {texts[by].split()[0]}" in stop.text
        assert go(tile) is None
        assert tile.hash() == other.hash()
    finally:
        other.close()


def prepare(tile: Machine, texts: list[str]) -> None:
    """The program, and something in configuration, a device and L1 for it to read."""
    start(tile, *texts, thread=1)
    tile.S.config.word[0, 0] = tile.S.tile_control.ncrisc_reset_pc = 0x1234
    tile.S.l1.word[0] = 0x77


def test_watched_from_outside(tile: Machine) -> None:
    """A write of the debugger while the tile is stopped in the middle of a cycle is no change."""
    start(tile, SETDMAREG.format(9, 10), "NOP", SETDMAREG.format(1, 14), thread=1)
    tile.gates.add_watch(GateWatch("two", (GPR_5, Word(Cell.GPR, 64 + 7))))
    first = go(tile)
    assert first is not None
    assert "Watch 1 (two): changed from 0x0 to 0x9" in first.text
    tile.S.gpr.word[64 + 5] = 0
    second = go(tile)
    assert second is not None
    assert "from 0x0 to 0x1" in second.text


def test_stops_change_nothing(tile: Machine) -> None:
    """Stopping at each instruction, and stepping over each, ends in the same record."""

    def run(arm: Callable[[Machine], None]) -> str:
        machine = machine_on("reference", tile.S.schedule.kind)
        machine.load(T0 + 1, mop_program(machine))
        arm(machine)
        while go(machine):
            arm(machine)
        assert machine.S.passed.count[1] == 9
        found = machine.hash()
        machine.close()
        return found

    plain = run(lambda machine: None)
    assert run(lambda machine: machine.gates.step(1, 0, 0)) == plain
    tile.load(T0 + 1, mop_program(tile))
    tile.gates.add_break(GateBreak("each"))
    assert len(stops(tile)) == 9
    assert tile.hash() == plain


def test_words_at(tile: Machine) -> None:
    words = words_at(tile.S, T0 + 2, 0xFFE00010, 6)
    assert words == (Word(Cell.GPR, 132), Word(Cell.GPR, 133, 0, 0xFFFF))
    assert words_at(tile.S, T0, 0x1002, 4) == (
        Word(Cell.L1, 0x1000, 0, 0xFFFF0000),
        Word(Cell.L1, 0x1004, 0, 0xFFFF),
    )
    assert words_at(tile.S, T0, 0xFFB00000, 4) == ()
    assert words_at(tile.S, T0, 0xFFEF0000, 4) == (Word(Cell.DEVICE, 0xFFEF0000, T0),)
