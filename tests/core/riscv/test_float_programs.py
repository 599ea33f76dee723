# SPDX-License-Identifier: Apache-2.0
"""Programs with floating-point numbers, on both engines and in schedules with and without time."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import F0, T1
from tensix_gdb.core.assembly.rv32_read import assemble
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tests.assembler import image
from tests.machines import machine_on

START = 0x4000


def start(machine: Machine, source: str, hart: int = T1) -> None:
    """Put a program into L1 and a hart at its beginning."""
    machine.load(hart, image([placed.word for placed in assemble(source, START)], START))


def ends(machine: Machine, source: str, hart: int = T1) -> list[int]:
    """f0 to f31 at the ebreak behind a program."""
    start(machine, source + "\nebreak", hart)
    stop = machine.run(5000)
    assert stop is not None
    assert stop.kind is StopKind.EBREAK, stop.text
    return [machine.read_x(hart, F0 + i) for i in range(32)]


def test_loads_stores_and_arithmetic(tile: Machine) -> None:
    tile.poke(T1, 0x8000, bytes.fromhex("0000803f 00000040 003c0040"))
    f = ends(
        tile,
        """
        lui a1,0x8
        flw fa0,0(a1)
        flw fa1,4(a1)
        fmadd.s fa2,fa0,fa1,fa1     # 4, out of two loads
        fadd.s fa3,fa2,fa2          # 8, forwarded
        fsw fa3,16(a1)
        flw fa4,16(a1)
        flh fa5,8(a1)
        fcvt.s.h fa6,fa5
        fadd.h fa7,fa5,fa5
        fsh fa7,20(a1)
        fcvt.w.s a2,fa4
        feq.s a3,fa4,fa3
        fmv.x.h a4,fa7
        """,
    )
    assert f[10:16] == [0x3F800000, 0x40000000, 0x40800000, 0x41000000, 0x41000000, 0xFFFF3C00]
    assert f[16:18] == [0x3F800000, 0xFFFF4000]
    assert [tile.read_x(T1, n) for n in (12, 13, 14)] == [8, 1, 0x4000]
    assert tile.peek(T1, 0x8010, 6) == bytes.fromhex("00000041 0040")


def test_bf16_by_cfg0(tile: Machine) -> None:
    f = ends(
        tile,
        """
        lui a0,0x40000
        csrs 0x7c0,a0               # EnBFloat
        lui a1,0x4
        addi a1,a1,0x49             # 3.140625
        fmv.h.x fa0,a1
        fmul.h fa1,fa0,fa0          # 9.86..., toward zero
        lui a0,0x80000
        csrs 0x7c0,a0               # EnBFloatRTNE
        fmul.h fa2,fa0,fa0
        lui a0,0xc0000
        csrc 0x7c0,a0
        fmul.h fa3,fa0,fa0          # 2.14...**2 of FP16
        """,
    )
    assert f[11:14] == [0xFFFF411D, 0xFFFF411E, 0xFFFF4497]


def test_rounding_mode_is_ignored(tile: Machine) -> None:
    f = ends(
        tile,
        """
        li a0,1
        csrw fcsr,a0
        csrwi 3,31
        lui a1,0x3f800
        addi a1,a1,1
        fmv.w.x fa0,a1
        fmul.s fa1,fa0,fa0,rup
        fmul.s fa2,fa0,fa0
        li a2,5
        fcvt.s.w fa3,a2
        lui a3,0x3f000
        fmv.w.x fa4,a3
        fmul.s fa3,fa3,fa4          # 2.5
        fcvt.w.s a4,fa3,rup
        csrr a5,fcsr
        """,
    )
    assert f[11:13] == [0x3F800002, 0x3F800002]
    assert tile.read_x(T1, 14) == 2
    assert tile.read_x(T1, 15) == 31


@pytest.mark.parametrize("text", ["0x18c5f553", "0x580575d3", "0x1ac5f553"])
def test_what_is_not_there_stops(text: str) -> None:
    """fdiv.s, fsqrt.s, fdiv.d"""
    machine = machine_on("reference")
    start(machine, f".word {text}")
    stop = machine.run(10)
    assert stop is not None
    assert stop.code == Fault.ILLEGAL_INSTRUCTION


def test_a_sum_takes_a_cycle_more_than_a_move() -> None:
    """BabyRISCV/README.md, EX2: what needs the result of a sum waits for it."""
    cycles = []
    for first in ("fadd.s fa0,fa1,fa1", "fsgnj.s fa0,fa1,fa1"):
        machine = machine_on("reference", Schedule.LATENCY)
        ends(machine, f"{first}\n fmv.x.w a0,fa0\n" * 6)
        cycles.append(int(machine.S.tile.cycle))
        machine.close()
    assert cycles[0] - cycles[1] == 6
