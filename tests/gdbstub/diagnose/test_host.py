# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb diagnose -- PROGRAM`: a program with tiles as its device.

A program that drives a tile as the driver does stands in for one with ttnn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import HARTS, NC, THREADS, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.state.table import GROUPS
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.diagnose.evidence import Symptom
from tensix_gdb.gdbstub.diagnose.host_evidence import HostEvidence
from tensix_gdb.gdbstub.diagnose.page import page_lines, rank
from tensix_gdb.gdbstub.host.simulator.runs.found import (
    FaultFound,
    Find,
    Finds,
    RunFound,
    WaitFound,
    finds_of,
    has_ended_badly,
)
from tensix_gdb.gdbstub.host.ttnn.observed import Observed
from tensix_gdb.gdbstub.order.report.located import Located, located
from tensix_gdb.gdbstub.tensix.blocked.why import Waiter
from tensix_gdb.gdbstub.tensix.races.output import RaceOptions
from tests.assembler import EBREAK, SPIN, asm, image, li
from tests.gdbstub.host.ttnn.test_ci import NO_INSTRUCTION, program, run
from tests.machines import machine_on

__all__ = ["program"]  # a fixture
FLAG = "polls semaphore 0 of the program (L1 0xa090), at w.cpp:5: it is 2, and the loop ends when "


def of_program(path: Path, word: int, polls: str, *options: str) -> tuple[int, str]:
    done = run(path, word, polls, *options, command="diagnose", ports=False)
    return done.returncode, done.stdout


def test_a_fault_ends_the_program(program: Path) -> None:
    status, page = of_program(program, NO_INSTRUCTION, "for ever")
    assert status == 1
    assert "the program stops at a fault\n" in page
    assert "    the program was ended there\n" in page
    assert re.search(r"most likely \(fault\): 1-2: B at 0x00000000: UndefinedBehavior", page)
    assert f"ttnn --gdb --python {'/'}" in re.sub(r"\s+", " ", page)


@pytest.mark.long("test_script.py: the status of a program")
def test_an_exit_status(program: Path) -> None:
    status, page = of_program(program, SPIN, "once")
    assert status == 0, page
    assert page.startswith("the program is done\nthe program ends, and the exit status of its host")
    assert "    its exit status is 5\n" in page
    assert "nothing found" in page


@pytest.mark.parametrize(
    "options",
    [
        ["--elf=b=b.elf", "--", "x.py"],
        ["--kept=k.core", "--", "x.py"],
        ["--expect=0x0=x.npy:bf16", "--", "x.py"],
        ["--try", "--", "x.py"],
        ["--tiles=2x2"],
        ["--tiles=a", "--", "x.py"],
        ["--", "/no/such/program"],
    ],
)
def test_what_is_refused(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", *options]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def waits(tile: str, *some: Waiter) -> WaitFound:
    parties = [Waiter(number, "") for number in range(HARTS + THREADS)]
    for one in some:
        parties[one.number] = one
    return WaitFound(tile, parties, [], [])


def page_of(finds: Sequence[Find], status: int | None = None) -> list[str]:
    evidence = HostEvidence(Observed(status, finds))
    return list(page_lines(evidence, rank(evidence), lambda text: text))


def reports() -> list[Located]:
    """A division by 0: C6, as a tile reports it."""
    words = [*li(10, 7), asm("divu", rd=11, rs1=10, rs2=0), EBREAK]
    machine: Machine = machine_on("reference", Schedule.LATENCY)
    try:
        machine.load(B, image(words, 0))
        RaceOptions(groups=GROUPS).observe(machine)
        machine.run(1000)
        return located(machine.races(), machine.places)
    finally:
        machine.close()


def test_finds_are_read_as_they_were_written(tmp_path: Path) -> None:
    """Also those before one that was cut off."""
    path = tmp_path / "finds"
    finds = Finds(path)
    assert not has_ended_badly(path)
    found = RunFound("", 3, ["add"], reports())
    finds.note(found)
    assert not has_ended_badly(path)
    finds.note(waits("1-2", Waiter(NC, "polls")), FaultFound("at a place"))
    assert has_ended_badly(path)
    path.write_bytes(path.read_bytes()[:-3])
    first, second = finds_of(path)
    assert first == found
    assert isinstance(second, WaitFound)
    Finds().note(found)  # no file is wanted


def test_a_report_of_the_contract_comes_before_the_wait() -> None:
    """Of a hang, reports of runs before it say nothing."""
    old, hangs = RunFound("", 1, [], []), RunFound("", 2, ["reader"], reports(), is_over=False)
    wait = waits("", Waiter(NC, "polls cb 0"))
    lines = page_of([old, hangs, wait])
    assert lines[0].startswith("the program may hang: its host waits")
    assert "    after 2 runs of kernels; the last (reader), which has not ended" in lines
    (likely,) = [line for line in lines if line.startswith("most likely")]
    assert likely.startswith("most likely (agreement, in a hang): C6 1")
    assert "    (hang) NC: polls cb 0" in lines
    old = replace(hangs, number=1, is_over=True)
    lines = page_of([old, RunFound("", 2, [], [], is_over=False), wait])
    assert "most likely (hang): NC: polls cb 0" in lines


def test_tiles_that_wait_for_the_same_are_named_once() -> None:
    """A wait that waits for no other comes first."""
    own = Waiter(B, "polls cb 0", waits_for=(NC,))
    root = Waiter(NC, f"{FLAG}it is 1", more=["B wrote it last in cycle 9"])
    later = replace(root, more=["B wrote it last in cycle 10"])
    evidence = HostEvidence(Observed(None, [waits("1-2", own, root), waits("2-2", own, later)]))
    assert evidence.symptom is Symptom.WAITS
    (found,) = [one for cause, one in rank(evidence).found if cause.name == "hang"]
    assert found.title.startswith("tiles 1-2, 2-2: NC: polls semaphore 0 of the program")
    assert "noc_semaphore_wait_min" in found.remedy
    assert {"B: polls cb 0", "B wrote it last in cycle 9"} <= set(found.evidence)


def test_the_same_report_of_several_runs_is_one_cause() -> None:
    """It is named with the first run that has it."""
    runs = [RunFound(tile, 1, ["add"], reports()) for tile in ("1-2", "2-2")]
    evidence = HostEvidence(Observed(0, runs))
    assert evidence.symptom is Symptom.NONE
    (one,) = [found for _, found in rank(evidence).found]
    assert evidence.of_run(one).evidence[0] == "in run 1 of tile 1-2 (add)"
    assert page_of(runs, 0)[0] == ("the program ends as wanted, as far as its exit status says")
    assert "    its exit status is 1" in page_of(runs, 1)
