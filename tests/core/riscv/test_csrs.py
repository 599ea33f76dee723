# SPDX-License-Identifier: Apache-2.0
"""CSRs as CSRs.md has them, reached by instructions, on both engines."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import NC, T0, T2, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.riscv.csrs import CSRS
from tensix_gdb.core.stop import StopKind
from tests.assembler import EBREAK, NOP, asm, image, li


def run(machine: Machine, hart: int, *words: int) -> None:
    machine.load(hart, image([*words, EBREAK]))
    stop = machine.run(1000)
    assert stop is not None
    assert stop.kind is StopKind.EBREAK, stop.text


def swap(number: int, value: int) -> list[int]:
    """x6 = the CSR before, x7 = the CSR after writing `value`."""
    return [
        *li(5, value),
        asm("csrrw", rd=6, rs1=5, imm=number),
        asm("csrrs", rd=7, rs1=0, imm=number),
    ]


ALL_ONES = 0xFFFFFFFF

# number, value at reset, value after all ones were written; on T2, which has all of V
# fmt: off
REGISTERS = [
    (0x003, 0,           0xFF),       (0x008, 0,          0),          (0x009, 0, ALL_ONES),
    (0x00A, 0,           ALL_ONES),   (0x300, 0x80006600, 0x80006600),
    (0x301, 0x40201123,  0x40201123), (0x320, 0,          ALL_ONES),   (0x323, 0, ALL_ONES),
    (0x324, 0,           ALL_ONES),   (0x7C0, 16 << 13,   ALL_ONES),   (0x7C1, 0, ALL_ONES),
    (0x7C2, 0,           ALL_ONES),   (0x7C3, 0,          ALL_ONES),   (0x7C4, 0, ALL_ONES),
    (0x7C5, 0,           ALL_ONES),   (0x7C6, 0,          ALL_ONES),   (0xB03, 0, ALL_ONES),
    (0xB04, 0,           ALL_ONES),   (0xB83, 0,          ALL_ONES),   (0xB84, 0, ALL_ONES),
    (0xBCA, 0,           ALL_ONES),   (0xC20, 0,          ALL_ONES),   (0xC21, 0, ALL_ONES),
    (0xC22, 16,          ALL_ONES),   (0xF14, 0,          0),
]
# fmt: on


@pytest.mark.parametrize(("number", "reset", "written"), REGISTERS)
def test_a_register(machine: Machine, number: int, reset: int, written: int) -> None:
    run(machine, T2, *swap(number, ALL_ONES))
    assert (machine.read_x(T2, 6), machine.read_x(T2, 7)) == (reset, written)
    assert machine.read_csr(T2, number) == written


@pytest.mark.parametrize("hart", [B, NC])
def test_stream_status_is_scratch_on_b_and_nc(machine: Machine, hart: int) -> None:
    run(machine, hart, *swap(0xBC5, 0x1234))
    assert machine.read_x(hart, 7) == 0x1234


@pytest.mark.parametrize(("low", "high"), [(0xB00, 0xB80), (0xC00, 0xC80)])
def test_cycles_count_and_can_be_written(machine: Machine, low: int, high: int) -> None:
    # Written in the cycle before the one that is read.
    run(machine, B, *li(5, ALL_ONES), asm("csrrw", rs1=5, imm=low), asm("csrrs", rd=6, imm=low))
    assert machine.read_x(B, 6) == 0
    assert machine.read_csr(B, high) == 1


def test_instructions_count_and_are_written_through_their_alias(machine: Machine) -> None:
    run(machine, B, NOP, NOP, asm("csrrs", rd=6, imm=0xB02), asm("csrrwi", rs1=5, imm=0xC82))
    assert machine.read_x(B, 6) == 2
    assert machine.read_csr(B, 0xB82) == 5
    assert machine.read_csr(B, 0xB02) == machine.read_csr(B, 0xC02) == 4


def test_reading_a_counter_clears_it_when_cfg0_says_so(machine: Machine) -> None:
    clear_on_read = [*li(5, 1 << 8), asm("csrrs", rs1=5, imm=0x7C0)]
    run(machine, B, *clear_on_read, *swap(0xB83, 7), asm("csrrs", rd=8, rs1=0, imm=0xB83))
    assert (machine.read_x(B, 7), machine.read_x(B, 8)) == (7, 0)


def test_looking_at_a_counter_does_not_clear_it(machine: Machine) -> None:
    run(machine, B, *li(5, 1 << 8), asm("csrrs", rs1=5, imm=0x7C0), *li(5, 7),
        asm("csrrw", rs1=5, imm=0xB04))  # fmt: skip
    assert [machine.read_csr(B, 0xB04) for _ in range(2)] == [7, 7]


def test_set_and_clear_without_bits_do_not_write(machine: Machine) -> None:
    # A write of mcycle would set it back; csrrs of x0 only looks.
    run(machine, T0, asm("csrrci", rd=6, rs1=0, imm=0xF14), asm("csrrs", rd=7, rs1=0, imm=0xB00))
    assert machine.read_x(T0, 7) == 1


def test_set_and_clear_change_the_named_bits(machine: Machine) -> None:
    run(machine, B, *swap(0x7C3, 0xF0), asm("csrrsi", rs1=0x1F, imm=0x7C3),
        asm("csrrci", rd=8, rs1=3, imm=0x7C3))  # fmt: skip
    assert machine.read_x(B, 8) == 0xFF
    assert machine.read_csr(B, 0x7C3) == 0xFC


def test_every_csr_of_the_table_is_known_or_named_as_missing(machine: Machine) -> None:
    missing = {f"tt_cfg_sstatus{i}" for i in range(8)}
    machine.load(T2, image([NOP]))
    unknown = {name for number, name in CSRS if machine.read_csr(T2, number) is None}
    assert unknown == missing


def test_a_soft_reset_puts_csrs_back(machine: Machine) -> None:
    run(machine, B, *swap(0x7C0, 5))
    for value in (0x47800, 0x47000):
        machine.poke(B, 0xFFB121B0, value.to_bytes(4, "little"))
    assert machine.read_csr(B, 0x7C0) == 16 << 13
