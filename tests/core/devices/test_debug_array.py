# SPDX-License-Identifier: Apache-2.0
"""DBG_ARRAY_RD: rows of Dst, as LLK's debug helpers and tt-exalens read them."""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import PUSH_BASE, RESET_PC, T2, TILE_CONTROL_BASE, B
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import StopKind
from tests.assembler import NOP, SPIN, asm, image, li

EN, CMD, DATA = (TILE_CONTROL_BASE + offset for offset in (0x060, 0x064, 0x06C))
DST, SRC_A = 2 << 16, 0
BF16 = 5


def word(machine: Machine, addr: int) -> int:
    return int.from_bytes(machine.peek(B, addr, 4), "little")


def put(machine: Machine, addr: int, value: int) -> None:
    machine.poke(B, addr, value.to_bytes(4, "little"))


def test_a_row_of_dst(machine: Machine) -> None:
    for column in range(16):
        machine.S.dst.bits[700, column] = 0x1000 + column
    put(machine, EN, 1)
    found = []
    for pair in range(8):
        put(machine, CMD, DST | pair << 12 | 700)
        found.append(word(machine, DATA))
    assert found == [0x1001_1000 + 0x0002_0002 * pair for pair in range(8)]


def test_nothing_is_shown_when_it_is_off(machine: Machine) -> None:
    machine.S.dst.bits[3, 0] = 7
    put(machine, CMD, DST | 3)
    assert word(machine, DATA) == 0


def test_source_banks_are_not_guessed(machine: Machine) -> None:
    store = [*li(10, EN), asm("addi", rd=11, imm=1), asm("sw", rs1=10, rs2=11)]
    select = [asm("sw", rs1=10, rs2=SRC_A, imm=4), asm("lw", rd=12, rs1=10, imm=12), NOP]
    machine.load(B, image([*store, *select, asm("add", rd=12, rs1=12, rs2=12), asm("ebreak")]))
    stop = machine.run(200)
    assert stop is not None
    assert (stop.kind, stop.code) == (StopKind.FAULT, Fault.UNIMPLEMENTED_REGISTER)


def test_a_row_of_srca_by_way_of_dst(machine: Machine) -> None:
    """debug_tensix.py of tt-exalens: keep row 0 of Dst, move the row there, read it. Its STALLWAIT
    sets a bit that is a condition on Wormhole alone."""
    S = machine.S
    S.src.format[0, 0] = BF16
    for column in range(16):
        S.src.a[0, 5, column] = (column & 1) << 18 | (0x20 + column) << 11 | 0x70 + column
    pushed = ("SFPLOAD 3, 0, 0, 0", "SFPLOAD 3, 0, 0, 2", "MOVDBGA2D 0, 5, 0, 0, 0")
    moves = [parse(text) for text in pushed]
    program = li(10, PUSH_BASE)
    for pushed_word in (*moves[:2], 0xA2204000, moves[2]):
        program += [*li(11, pushed_word), asm("sw", rs1=10, rs2=11)]
    machine.load(T2, image([*program, SPIN], RESET_PC[T2]))
    assert machine.run(300) is None
    put(machine, EN, 1)
    for pair in range(8):
        put(machine, CMD, DST | pair << 12)
        left, right = (
            (column & 1) << 15 | (0x20 + column) << 8 | 0x70 + column
            for column in (2 * pair, 2 * pair + 1)
        )
        assert word(machine, DATA) == right << 16 | left


def test_the_helper_of_llk_ends_with_array_0(machine: Machine) -> None:
    """ckernel_debug.h: the command is cleared first, the enable after it."""
    put(machine, EN, 1)
    put(machine, CMD, DST)
    put(machine, CMD, 0)
    put(machine, EN, 0)
    assert word(machine, CMD) == word(machine, DATA) == 0
