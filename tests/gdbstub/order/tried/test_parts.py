# SPDX-License-Identifier: Apache-2.0
"""Free registers, words, and detours."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import L1_BYTES, T0, B
from tensix_gdb.core.assembly.rv32 import ABI_NAMES
from tensix_gdb.core.assembly.rv32_read import assemble
from tensix_gdb.core.race.remedies.remedy import Beside
from tensix_gdb.gdbstub.order.tried.detour import detours, outside_a_record
from tensix_gdb.gdbstub.order.tried.registers import Code
from tensix_gdb.gdbstub.order.tried.words import CannotTry, Here, Insertion, barrier, read_back
from tests.assembler import image

START = 0x4000
NOP = 0x13


def code(text: str) -> Code:
    return Code(image([one.word for one in assemble(text, START)], START))


def names(text: str, at: int, count: int = 7) -> set[str]:
    return {ABI_NAMES[number] for number in code(text).free(START + 4 * at, count)}


def test_a_register_that_is_read_later_is_not_free() -> None:
    text = "call_: jal ra,call_; li t0,1; li t1,2; sw t0,0(t1); li t0,3; ret"
    assert {"t0", "t1"}.isdisjoint(names(text, 3))
    assert {"t0", "t1", "t2"} <= names(text, 4)


def test_both_ways_of_a_branch_are_followed() -> None:
    text = "jal ra,. + 4; beqz a0,other; li t0,1; ret; other: mv a0,t0; ret"
    assert "t0" not in names(text, 1)
    assert "t0" in names(text, 2)


def test_what_is_not_named_is_free_where_nothing_is_called() -> None:
    assert "t0" not in names("sw t0,0(t1); ebreak", 0, 30)
    assert {"t2", "s1"} <= names("sw t0,0(t1); ebreak", 0, 30)
    # A program that calls may be called: s1 belongs to its caller.
    assert "s1" not in names("sw t0,0(t1); jal ra,. + 4; ebreak", 0, 30)


def test_a_program_with_no_register_left() -> None:
    text = "; ".join(f"mv a0,x{number}" for number in range(1, 32)) + "; sw a0,0(a1); ebreak"
    at = Here(code(text), T0, START + 4 * 31)
    with pytest.raises(CannotTry, match="T0 has no register free"):
        read_back(Here(at.code, T0, at.pc))


def test_reading_back_takes_the_width_of_the_store() -> None:
    put = read_back(Here(code("sh a0,6(a1); ebreak"), T0, START))
    assert put.words == tuple(one.word for one in assemble("lhu t0,6(a1); addi zero,t0,0"))
    put = read_back(Here(code("lw a0,6(a1); ebreak"), T0, START))
    assert put.words == tuple(one.word for one in assemble("addi zero,a0,0"))


def test_what_is_no_store() -> None:
    there = Here(code("add a0,a1,a2; ebreak"), T0, START)
    with pytest.raises(CannotTry, match="no load or store"):
        read_back(there)
    with pytest.raises(CannotTry, match="no store to NOC_CMD_CTRL"):
        barrier(there)


def test_b_pushes_by_stores() -> None:
    there = Here(code("sw a0,0(a1); ebreak"), B, START)
    put = there.pushed(Beside.BEFORE, 2, [0xA2000FFF])
    text = "lui t0,0xffe60; lui t1,0xa2001; addi t1,t1,-1; sw t1,0(t0)"
    assert put.words == tuple(one.word for one in assemble(text))
    assert Here(there.code, T0, START).pushed(Beside.BEFORE, 0, [0xA2000FFF]).words == (
        0xA2000FFF << 2 & 0xFFFFFFFF | 2,
    )


def test_a_place_in_what_a_replay_records_moves_out_of_it() -> None:
    from tensix_gdb.core.tensix.table import opcode

    replay = (opcode("REPLAY") << 24 | 2 << 4 | 1) << 2 & 0xFFFFFFFF
    nop = 0x02000000 << 2
    recorded = Code(image([NOP, replay, nop, NOP, nop, nop, NOP], START))

    def moved(at: int, beside: Beside) -> int:
        one = Insertion(T0, START + 4 * at, beside, (nop,))
        return (outside_a_record(recorded, one).pc - START) // 4

    assert moved(2, Beside.BEFORE) == 1
    assert moved(4, Beside.BEFORE) == 1
    assert moved(2, Beside.AFTER) == 4
    assert moved(4, Beside.AFTER) == 4
    assert moved(5, Beside.BEFORE) == 5
    assert moved(0, Beside.AFTER) == 0


def test_a_detour_goes_to_lines_that_nothing_uses() -> None:
    there = code("sw a0,0(a1); ebreak")
    one = Insertion(T0, START, Beside.AFTER, (NOP, NOP))
    made = detours(lambda hart, pc, tile: there, [one], lambda addr, tile: addr < 0x8000, L1_BYTES)
    (cave, words), (pc, _) = made.pokes
    assert (cave % 16, pc, len(words)) == (0, START, 16)
    assert cave + 16 == 0x8000
    assert made.moved[cave + 4] == START
    assert cave not in made.own
    assert {cave + 4, cave + 8, cave + 12} <= made.own
    with pytest.raises(CannotTry, match="are unused"):
        detours(lambda hart, pc, tile: there, [one], lambda addr, tile: False, L1_BYTES)
    beside = Insertion(T0, START + 4, Beside.AFTER, (NOP,))
    with pytest.raises(CannotTry, match="nothing can be put beside"):
        detours(lambda hart, pc, tile: there, [beside], lambda addr, tile: True, L1_BYTES)
