# SPDX-License-Identifier: Apache-2.0
"""Policies: a fault of a category stops, or is passed and counted, or passed and forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import NC, T0, TILE_CONTROL_BASE, B
from tensix_gdb.core.devices.registers import Access
from tensix_gdb.core.devices.tile_control import BLOCK
from tensix_gdb.core.faults.codes import Category, Fault
from tensix_gdb.core.faults.policy import CODES, PolicyError, categories
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.cli.main import main
from tests.assembler import EBREAK, asm, image, li
from tests.core.devices.scripts import Load, Store, finish, loaded, program, start
from tests.core.devices.test_risc_debug import PAUSE, READ_MEMORY, command, counting, debug, read
from tests.elf_maker import make_elf, words

# A register of tile control of which nothing but its name is known.
NAME_ONLY = TILE_CONTROL_BASE + next(at for at, row, _ in BLOCK if row.access is Access.MISSING)
UNMAPPED, NO_REGISTER = 0x00200000, 0xFFB12FFC
PUSH = 0xFFE40000


def test_a_load_reads_0_and_the_run_goes_on(tile: Machine) -> None:
    tile.faults.set("all=count")
    steps = [asm("addi", rd=10, imm=99), Load(UNMAPPED), Store(0x4000, 5), Load(0x4000)]
    start(tile, {B: steps})
    assert finish(tile) is None
    assert loaded(tile, B, steps) == [0, 5]
    assert tile.faults.counted(tile.S, Category.UNDEFINED_BEHAVIOR) == 1


def test_what_only_the_device_finds(tile: Machine) -> None:
    """The request is on its way when it is refused, and the hart is further on."""
    tile.faults.set("missing=count")
    steps = [
        asm("addi", rd=10, imm=99),
        Load(NO_REGISTER),
        *[asm("addi", rd=7, rs1=7, imm=1)] * 9,
    ]
    start(tile, {T0: steps})
    assert finish(tile) is None
    assert loaded(tile, T0, steps) == [0]
    assert tile.read_x(T0, 7) == 9
    assert [place.code for place in tile.faults.places.values()] == [Fault.UNKNOWN_REGISTER]


def test_a_store_is_discarded(tile: Machine) -> None:
    tile.faults.set("unimplemented=count")
    steps = [Store(NAME_ONLY, 1), Store(0x4000, 1)]
    start(tile, {NC: [*steps, *steps]})
    assert finish(tile) is None
    assert tile.peek(B, 0x4000, 1) == b"\x01"
    assert tile.faults.counted(tile.S, Category.UNIMPLEMENTED) == 2
    assert len(tile.faults.places) == 2, "two places, each once"


def test_a_push_that_is_discarded_leaves_nothing(tile: Machine) -> None:
    """Auto TTSync has seen it leave the store queue, and must not wait for it."""
    tile.faults.set("all=count")
    byte = [*li(5, PUSH), asm("sb", rs1=5, rs2=0), *li(5, PUSH + 0x10000), asm("sw", rs1=5, rs2=0)]
    start(tile, {T0: byte})
    assert finish(tile) is None
    codes = {place.code for place in tile.faults.places.values()}
    assert codes == {Fault.STORE_WIDTH, Fault.PUSH_OTHER_THREAD}
    assert not any(tile.S.push.count)
    assert not any(tile.S.tracker.entering)
    assert not any(tile.S.tracker.count)


def test_an_instruction_does_nothing(tile: Machine) -> None:
    tile.faults.set("undefined=ignore")
    tile.load(B, image([asm("addi", rd=5, imm=1), 0xFFFFFFFF, asm("addi", rd=6, imm=2), EBREAK]))
    assert finish(tile) is None
    assert (tile.read_x(B, 5), tile.read_x(B, 6)) == (1, 2)
    assert tile.faults.counted(tile.S, Category.UNDEFINED_BEHAVIOR) == 0
    assert not tile.faults.places
    assert tile.S.fault.skipped[Fault.ILLEGAL_INSTRUCTION] == 1


def test_other_categories_still_stop(tile: Machine) -> None:
    tile.faults.set("missing=count")
    start(tile, {B: [Load(UNMAPPED)]})
    stop = finish(tile)
    assert stop is not None
    assert Fault(stop.code) is Fault.LOAD_UNMAPPED


def test_nothing_can_be_passed_without_an_instruction(tile: Machine) -> None:
    tile.faults.set("all=count")
    tile.load(B, image([*li(8, 0xFFB00000), asm("jalr", rs1=8)]))
    stop = finish(tile)
    assert stop is not None
    assert stop.kind is StopKind.FAULT
    assert Fault(stop.code) is Fault.FETCH_OUTSIDE_L1


def test_a_command_of_the_debug_interface(tile: Machine) -> None:
    tile.faults.set("all=count")
    counting(tile, T0)
    tile.run(50)
    steps = [command(T0, PAUSE), command(T0, READ_MEMORY, UNMAPPED) + read(T0, 0) + read(T0, 4)]
    pc = debug(tile, *steps)
    assert pc == [1, 0]
    assert tile.faults.counted(tile.S, Category.UNDEFINED_BEHAVIOR) == 1


def test_both_engines_pass_alike() -> None:
    ends = set()
    for engine in ("reference", "compiled"):
        machine = Machine(engine=engine)
        machine.faults.set("all=count")
        steps = [Load(UNMAPPED + 4 * i) for i in range(9)]
        machine.load(B, image(program([*steps, Store(NO_REGISTER, 5)])))
        assert finish(machine) is None
        ends.add(machine.hash())
        machine.close()
    assert len(ends) == 1


def test_a_tensix_instruction_does_nothing(tile: Machine) -> None:
    """It stops before its wait gate, long after the push; the ones behind it pass."""
    illegal, sempost = 0xFF000000 >> 2, 0xA4000000 | 1 << 2
    tile.faults.set("all=count")
    steps = [Store(PUSH, illegal), Store(PUSH, sempost), Store(PUSH, illegal), Store(PUSH, sempost)]
    start(tile, {T0: steps})
    assert finish(tile) is None
    assert tile.S.semaphore.value[0] == 2
    assert tile.S.fault.skipped[Fault.TENSIX_ILLEGAL] == 2
    assert len(tile.faults.places) == 2, "each has its push"
    assert "T0 at 0x000060" in next(iter(tile.faults.places.values())).text


def test_many_faults_in_one_run(tile: Machine) -> None:
    """A run may end early, but never with a fault that is to be passed."""
    tile.faults.set("all=count")
    tile.load(B, image([*li(8, UNMAPPED), asm("lw", rd=9, rs1=8), asm("jal", imm=-4)]))
    for _ in range(4):
        assert tile.run(5000) is None
    counted = tile.faults.counted(tile.S, Category.UNDEFINED_BEHAVIOR)
    assert counted > 1000
    assert len(tile.faults.places) == 1


def test_a_reset_forgets_what_was_counted(tile: Machine) -> None:
    tile.faults.set("all=count")
    start(tile, {B: [Load(UNMAPPED)]})
    assert finish(tile) is None
    tile.reset()
    assert not tile.faults.places
    assert tile.faults.counted(tile.S, Category.UNDEFINED_BEHAVIOR) == 0
    assert finish(tile) is None
    assert tile.faults.counted(tile.S, Category.UNDEFINED_BEHAVIOR) == 1


@pytest.mark.parametrize("text", ["", "all", "all=", "all=maybe", "x=stop", "un=stop", "all=stop,"])
def test_what_is_no_policy(text: str) -> None:
    machine = Machine(engine="reference")
    before = dict(machine.faults.of)
    with pytest.raises(PolicyError):
        machine.faults.set(text)
    assert machine.faults.of == before
    machine.close()


def test_names_by_their_first_letters() -> None:
    assert categories("unimp") == [Category.UNIMPLEMENTED]
    assert categories("UndefinedBehavior") == [Category.UNDEFINED_BEHAVIOR]
    assert categories("all") == list(Category)


def test_there_is_room_for_every_code() -> None:
    assert max(Fault) < CODES


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elf = tmp_path / "program.elf"
    elf.write_bytes(make_elf([(0, words(*program([Load(UNMAPPED)])))]))
    assert main(["run", "--elf", f"b={elf}"]) == 1
    assert "UndefinedBehavior: load of 4 bytes" in capsys.readouterr().out
    assert main(["run", "--elf", f"b={elf}", "--faults", "undefined=count"]) == 0
    out = capsys.readouterr().out
    assert "UndefinedBehavior: 1 counted" in out
    assert "load of 4 bytes from 0x00200000" in out
