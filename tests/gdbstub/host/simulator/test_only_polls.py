# SPDX-License-Identifier: Apache-2.0
"""A run that hangs is said once, after the host has only waited: all that kernels do is to poll."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import NC, T0, B
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.host.simulator.chip import Chip
from tensix_gdb.gdbstub.host.simulator.grid import Core
from tensix_gdb.gdbstub.host.simulator.runs.only_polls import FIRST_CYCLES, LONGEST, OnlyPolls
from tests.assembler import EBREAK, asm, image, li
from tests.core.polls import programs
from tests.core.polls.programs import FLAG, X7, X8, until
from tests.machines import machine_on

FIRST, SECOND = (1, 2), (2, 2)
ELF = {B: "brisc", T0: "trisc0", NC: "ncrisc"}


@pytest.fixture
def chip() -> Iterator[Chip]:
    machines = {core: machine_on("reference", Schedule.LATENCY) for core in (FIRST, SECOND)}
    for machine in machines.values():
        machine.host.is_present = True
    yield Chip(machines)
    for machine in machines.values():
        machine.close()


def program(words: Sequence[int], hart: int, name: str) -> Image:
    """A kernel of tt-metal, or its firmware."""
    folder = "firmware" if name == "firmware" else f"kernels/{name}/123"
    path = Path(f"/cache/{folder}/{ELF[hart]}/{ELF[hart]}.elf")
    at = 0x8000 * (hart + 1) + (0x4000 if name == "firmware" else 0)
    return replace(image(list(words), at), path=path, hart=hart)


def put(chip: Chip, core: Core, hart: int, words: Sequence[int], name: str) -> None:
    chip.tiles[core].load(hart, program(words, hart, name))


def looks(chip: Chip, caplog: pytest.LogCaptureFixture, most: int = 10) -> list[str]:
    """Let the host wait; return what was said."""
    caplog.set_level(logging.WARNING)
    found, cycle = OnlyPolls(), 0
    found.host_acts(0)
    for _ in range(most):
        cycle += FIRST_CYCLES
        for machine in chip.tiles.values():
            machine.run(500)
        found.look(chip, cycle)
    return [record.getMessage() for record in caplog.records]


STUCK = until("bne", 1)
IDLE = until("bne", 3, addr=FLAG + 0x80)


def test_what_polls_is_said_once(chip: Chip, caplog: pytest.LogCaptureFixture) -> None:
    put(chip, FIRST, NC, STUCK, "reader")
    put(chip, SECOND, NC, STUCK, "reader")
    put(chip, FIRST, B, IDLE, "firmware")
    put(chip, FIRST, T0, IDLE, "firmware")
    chip.tiles[FIRST].loader.set_hosted("kernels", [program([EBREAK], T0, "compute")])
    (said,) = looks(chip, caplog)
    title, *lines = said.splitlines()
    assert title.startswith("the program may hang: the host waits, and all that kernels do")
    assert lines[0].startswith("    NC of 1-2, 2-2 polls L1 0x20000, at 0x00028010: it is 0, and")
    assert lines[-1] == "    T0 of 1-2 has ended its kernel"


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (programs.STORES, "reader"),
        (IDLE, "firmware"),
        (STUCK, "cq_dispatch"),
        ([*li(X8, 60_000), asm("addi", rd=X7, rs1=X7, imm=1),
          asm("bne", rs1=X7, rs2=X8, imm=-4), EBREAK], "reader"),
    ],
    ids=["it stores", "firmware waits for work", "a dispatcher waits for commands", "it computes"],
)  # fmt: skip
def test_nothing_is_said(
    words: Sequence[int], name: str, chip: Chip, caplog: pytest.LogCaptureFixture
) -> None:
    put(chip, FIRST, NC, words, name)
    assert looks(chip, caplog) == []


def test_a_tile_that_moves_says_nothing_of_others(
    chip: Chip, caplog: pytest.LogCaptureFixture
) -> None:
    put(chip, FIRST, NC, STUCK, "reader")
    put(chip, SECOND, NC, programs.STORES, "writer")
    assert looks(chip, caplog) == []


def test_a_count_in_the_loop_is_no_reason_to_be_silent(
    chip: Chip, caplog: pytest.LogCaptureFixture
) -> None:
    put(chip, FIRST, NC, programs.TIMES_OUT, "reader")
    (said,) = looks(chip, caplog)
    assert "with a counter or a clock in the loop: it may end without the word" in said


def test_what_the_host_does_begins_the_wait_anew(
    chip: Chip, caplog: pytest.LogCaptureFixture
) -> None:
    put(chip, FIRST, NC, STUCK, "reader")
    chip.tiles[FIRST].run(500)
    caplog.set_level(logging.WARNING)
    found = OnlyPolls()
    for cycle in range(0, 10 * FIRST_CYCLES, FIRST_CYCLES // 2):
        found.host_acts(cycle)
        found.look(chip, cycle + FIRST_CYCLES // 4)
    assert caplog.records == []
    assert LONGEST > 10 * FIRST_CYCLES
    cycle = 20 * FIRST_CYCLES
    found.host_acts(cycle)
    found.look(chip, cycle + 1, is_silent=True)
    assert len(caplog.records) == 1, "no cycle will pass until the host acts"
