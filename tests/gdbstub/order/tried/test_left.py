# SPDX-License-Identifier: Apache-2.0
"""K2 to K7: what a kernel has left is put back at its end, the report is gone, and a diff says
how."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.order.tried.machine_runs import MachineRuns
from tensix_gdb.gdbstub.order.tried.patch import diff_of, patches_of
from tensix_gdb.gdbstub.order.tried.spelling import Known, spelled
from tensix_gdb.gdbstub.order.tried.text import all_lines
from tensix_gdb.gdbstub.order.tried.trial import Tried, try_all
from tests.programs.build import build

KERNEL = Path(__file__).with_name("left.c")
LLK = Known("TTI_NOP;")
# fmt: off
SAID = {
    2: ("put back X of channel 0 = 0, Y of channel 1 = 0, Z of channel 0 = 0 of UNP0",
        ("TTI_SETADCXY(1, 0, 0, 0, 0, 9);", "TTI_SETADCZW(1, 0, 0, 0, 0, 1);")),
    3: ("1 SEMGET of semaphore 0, each after SEMWAIT,", ("TTI_SEMGET(semaphore::t6_sem(0));",)),
    4: ("ATRELM of mutex 0", ("TTI_ATRELM(0);",)),
    5: ("CLEARDVALID of SrcA, after a wait for the bank,", ("TTI_CLEARDVALID(1, 0);",)),
    6: ("put back LReg[11], 0xbf800000, by SFPCONFIG", ("TTI_SFPCONFIG(0x0, 11, 1);",)),
    7: ("SFPENCC, which switches all lanes on,", ("TTI_SFPENCC(0x0, 0, 0, 0x0);",)),
}
# fmt: on


@pytest.mark.parametrize("number", SAID)
def test_it_is_put_back(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(KERNEL.parent)
    program = build(KERNEL, "T0", tmp_path / "left.elf", defines=(f"LEFT={number}",))
    machine = Machine(engine="compiled", schedule=Schedule.LATENCY)
    with closing(machine):
        machine.load(T0, read_elf(program))
        runs = MachineRuns(machine, lambda one: one.check_state(("leaks",)), 3000)
        (found,) = try_all(runs, runs.base.findings.reports)
        assert found.report.check == f"K{number}"
        assert found.ended is found.tries[0], list(all_lines([found], machine.places))
        diff = _diff(found, machine)
    text, macros = SAID[number]
    assert found.ended.remedy.words == text
    assert diff.count("\n+") > 2  # with the header
    pushed = found.ended.put[0].words
    spelled_ = [
        spelled(found.ended.remedy, LLK, (word >> 2 | word << 30) & 0xFFFFFFFF) for word in pushed
    ]
    assert spelled_[0].startswith("TTI_STALLWAIT(p_stall::STALL_")
    assert tuple(spelled_[-len(macros) :]) == macros


def _diff(found: Tried, machine: Machine) -> str:
    assert found.ended is not None
    return diff_of(patches_of(found.ended, machine.places, found.report))
