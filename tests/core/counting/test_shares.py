# SPDX-License-Identifier: Apache-2.0
"""Kernels that replace each other at the same addresses: each has its own share of the counts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.counting.shares import Share
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image
from tests.assembler import SPIN, asm, image

START = 0x6000
TIMES = 5


def loop(times: int) -> Image:
    """A program that counts, and then stops: its second instruction is executed so often."""
    words = [asm("addi", rd=5, imm=times), asm("addi", rd=5, rs1=5, imm=-1)]
    program = image([*words, asm("bne", rs1=5, rs2=0, imm=-4), SPIN], START)
    return replace(program, path=Path(f"{times}.elf"))


def executed(machine: Machine, program: Image) -> int:
    counts = machine.runner.counts
    assert counts is not None
    share = counts.shares.own(program, Share(counts.executions(B)))
    return share.executed.get(START + 4, 0)


def test_each_program_has_its_own_share() -> None:
    machine = Machine(engine="compiled")
    counts = machine.count()
    programs = [loop(times) for times in (TIMES, 3)]
    for program in (programs[0], programs[1], programs[0]):
        machine.loader.set_hosted("kernels", [])
        program.hart = B
        machine.loader.set_hosted("kernels", [program])
        machine.loader.place(program)
        assert machine.run(200) is None
        wanted = TIMES if program is programs[0] else 3
        assert executed(machine, program) == wanted
    shares = {id(image): share.executed[START + 4] for image, share in counts.shares.past()}
    assert sorted(shares.values()) == [3, TIMES]  # of the present one too, when it was there before
    machine.close()


def test_counts_of_a_program_that_stays_are_its_own() -> None:
    machine = Machine(engine="compiled")
    program = loop(TIMES)
    machine.load(B, program)
    counts = machine.count()
    assert machine.run(200) is None
    assert counts.shares.past() == []
    assert executed(machine, program) == TIMES
    machine.close()
