# SPDX-License-Identifier: Apache-2.0
"""`monitor ignore COUNT gate N`, and what `nth` counts."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T1
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.assembler import EBREAK, image
from tests.core.tensix.programs import push_all


@pytest.fixture
def machine() -> Machine:
    made = Machine(engine="reference")
    made.load(T1, image([*push_all(["NOP"] * 5), EBREAK], 0x1000))
    return made


def say(machine: Machine, line: str) -> str:
    monitor = tensix_target(machine).monitor
    assert monitor is not None
    return monitor.command(1, line, running=False)


def test_hits_of_a_gate_breakpoint_are_ignored(machine: Machine) -> None:
    say(machine, "break gate NOP")
    assert say(machine, "ignore 3 gate 1") == (
        "The next 3 hits of gate breakpoint 1 (NOP) are ignored.\n"
    )
    assert say(machine, "break") == "  1  gate   NOP: 0 hits, the next 3 are ignored\n"
    stop = machine.run(100)
    while stop is not None and stop.kind is not StopKind.GATE:
        stop = machine.run(100)
    assert stop is not None
    assert stop.pc == 0x100C
    assert say(machine, "break") == "  1  gate   NOP: 4 hits\n"
    assert "The next 0 hits" in say(machine, "ignore 0 gate")


@pytest.mark.parametrize("words", ["3 gate", "3 gate 2", "3 gate x"])
def test_a_gate_breakpoint_that_is_not_there(machine: Machine, words: str) -> None:
    with pytest.raises(TargetError, match="name a gate breakpoint that `monitor break` lists"):
        say(machine, f"ignore {words}")


def test_the_form_says_what_nth_counts(machine: Machine) -> None:
    assert "`nth 5` (the fifth of each push)" in say(machine, "break")
    assert "nth: of each push" in say(machine, "help break")
