# SPDX-License-Identifier: Apache-2.0
"""Several harts in one loop (`burst_together`): the same states as cycle by cycle, wherever a run
ends and whichever hart leaves its instruction to the general case."""

from __future__ import annotations

import random

import pytest

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.clock import sc as clock
from tensix_gdb.core.machine import Machine
from tests.assembler import asm, image
from tests.core.chip.programs import MARKED, WRITE, at, request
from tests.machines import Maker, machine_on

DATA = 0x4000
PLACE = (1, 2)  # of a tile by itself
LOOP = [
    asm("addi", rd=11, rs1=11, imm=1),
    asm("sw", rs1=8, rs2=11),
    asm("lw", rd=12, rs1=9),
    asm("add", rd=13, rs1=13, rs2=12),
    asm("jal", imm=-16),
]
# A CSR and an address that a burst leaves alone, once in a round.
COUNTER = [asm("csrrs", rd=12, imm=0xB00), *LOOP[:4], asm("jal", imm=-20)]
SLOW_LOCAL = [asm("lw", rd=12, rs1=10), *LOOP[:4], asm("jal", imm=-20)]
ALWAYS = [asm("lw", rd=12, rs1=10), asm("jal", imm=-4)]  # nearly no burst is long
# What a burst goes on after: a store to a register of the tile, which begins nothing.
GPRS = [asm("sw", rs1=14, rs2=11), *LOOP[:4], asm("jal", imm=-20)]
# What it does not: instructions for the coprocessor, and a request over the NoC.
PUSHES = [asm("sw", rs1=15, rs2=16), *LOOP[:4], asm("jal", imm=-20)]
COPIES = request(WRITE | MARKED, DATA, at(PLACE), DATA + 64, at(PLACE), 32)
REQUESTS = [*COPIES, *LOOP[:4] * 8, asm("jal", imm=-4 * (len(COPIES) + 32))]
PAUSES = [*LOOP[:4], asm("ebreak"), asm("jal", imm=-20)]


def prepare(machine: Machine, programs: list[list[int]]) -> Machine:
    for hart, words in enumerate(programs):
        if words:
            machine.load(hart, image(words, 0x1000 + 0x400 * hart))
            machine.write_x(hart, 8, DATA)  # shared: the order of the harts is seen
            machine.write_x(hart, 9, DATA)
            machine.write_x(hart, 10, 0xFFB18000)
            machine.write_x(hart, 14, 0xFFE00010)
            machine.write_x(hart, 15, 0xFFE40000)
            machine.write_x(hart, 16, 0x02000000)  # NOP
    return machine


PROGRAMS = {
    "all alike": [LOOP] * HARTS,
    "two": [[], LOOP, [], [], LOOP],
    "the first leaves": [COUNTER, LOOP, LOOP, LOOP, LOOP],
    "one in the middle leaves": [SLOW_LOCAL, LOOP, COUNTER, LOOP, LOOP],
    "the last leaves": [LOOP, LOOP, LOOP, LOOP, COUNTER],
    "one leaves all the time": [LOOP, ALWAYS, LOOP, LOOP, LOOP],
    "some write registers": [LOOP, GPRS, LOOP, GPRS, LOOP],
    "one pushes": [LOOP, LOOP, PUSHES, GPRS, LOOP],
    "one has requests under way": [REQUESTS, GPRS, LOOP, LOOP, LOOP],
    "one pauses": [LOOP, LOOP, PAUSES, LOOP, LOOP],
}


@pytest.mark.parametrize("programs", PROGRAMS.values(), ids=PROGRAMS)
def test_runs_of_any_length(new_machine: Maker, programs: list[list[int]]) -> None:
    machine, other = prepare(new_machine(), programs), prepare(machine_on("reference"), programs)
    draw = random.Random(3)
    for _ in range(60):
        cycles = draw.choice((1, 2, 3, 7, 50, 51))
        stop = machine.run(cycles)
        end = other.S.tile.cycle + cycles
        other.S.stop.kind = 0
        while other.S.tile.cycle < end and not other.S.stop.kind:
            clock.tick(other.S, 0)
        assert machine.hash() == other.hash()
        assert (stop is None) == (not other.S.stop.kind)
