# SPDX-License-Identifier: Apache-2.0
"""`monitor break gate FILE:LINE pending`: the program that has the line is loaded later, and each
time elsewhere."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T1
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.protocol.target import TargetError
from tests.assembler import EBREAK, image
from tests.core.tensix.programs import push_all
from tests.gdbstub.tensix.monitor.test_ignore_at_gates import say

SOURCE = "kernels/compute.cpp"


def kernel(at: int) -> Image:
    """A program with a line for each of its five pushes."""
    made = image([*push_all(["NOP"] * 5), EBREAK], at)
    made.hart = T1
    vars(made.tables)["lines"] = [(at + 4 * i, SOURCE, 10 + i) for i in range(6)]
    return made


def launch(machine: Machine, at: int) -> None:
    machine.loader.set_hosted("kernels", [kernel(at)])
    machine.loader.place(machine.images[-1])


@pytest.fixture
def machine() -> Machine:
    return Machine(engine="reference")


def next_stop(machine: Machine) -> int:
    """Run to the next gate breakpoint; the push that it stops."""
    stop = machine.run(200)
    assert stop is not None
    assert stop.kind is StopKind.GATE
    return int(stop.pc)


def test_it_follows_the_program(machine: Machine) -> None:
    said = say(machine, "break gate compute.cpp:12 pending if thread T1")
    assert said == (
        "Gate breakpoint 1: compute.cpp:12 if thread T1. No program that is loaded has code for "
        "it; it is set when one comes.\n"
    )
    assert not machine.gates.anything()
    for hits, at in enumerate((0x1000, 0x2000), 1):
        launch(machine, at)
        assert next_stop(machine) == at + 8
        assert f"{hits} hit" in say(machine, "break")
    machine.loader.set_hosted("kernels", [])
    assert "2 hits, pending: no program has code for it" in say(machine, "break")
    assert not machine.gates.anything()


def test_hits_are_ignored_of_one_that_waits(machine: Machine) -> None:
    say(machine, "break gate pending compute.cpp:12 NOP")
    say(machine, "break gate compute.cpp:14 pending")
    say(machine, "ignore 1 gate 1")
    launch(machine, 0x1000)
    assert next_stop(machine) == 0x1010
    assert "  1  gate   compute.cpp:12 NOP: 1 hit\n" in say(machine, "break")


def test_without_the_word_it_is_refused(machine: Machine) -> None:
    with pytest.raises(TargetError, match=r"no program has code for compute\.cpp:12"):
        say(machine, "break gate compute.cpp:12")
    with pytest.raises(TargetError, match="is no range of addresses"):
        say(machine, "break gate 0x20-0x10 pending")
