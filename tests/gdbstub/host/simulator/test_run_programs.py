# SPDX-License-Identifier: Apache-2.0
"""The program of an access in a report of several launches, where other kernels are by now."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from tensix_gdb.core.arch.blackhole import NC, B
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.host.simulator.runs.races import RunRaces
from tests.assembler import SPIN, image
from tests.gdbstub.order.report.made import STORE
from tests.machines import machine_on

KERNEL = 0xA000


def kernel(hart: int, name: str) -> Image:
    return replace(image([SPIN], KERNEL), hart=hart, path=Path(name))


def test_a_request_is_answered_when_its_kernel_is_gone() -> None:
    """NC's first kernel asks, and ends; then B has a kernel at the same address, then NC again."""
    old, of_b, new = kernel(NC, "old.elf"), kernel(B, "b.elf"), kernel(NC, "new.elf")
    with closing(machine_on("reference", Schedule.LATENCY)) as machine:
        races = RunRaces(machine, None)
        access = replace(STORE, hart=NC, pc=KERNEL, last=150, is_request=True)
        assert races._elsewhere(access) is None  # nothing was launched yet: it is what is loaded
        races._programs.append((100, [old]))  # until cycle 100
        machine.images[:] = [of_b]
        assert races._elsewhere(access) is old
        assert races._elsewhere(replace(access, last=90)) is old
        races._programs.append((200, [of_b]))
        machine.images[:] = [new]
        assert races._elsewhere(access) is old
        assert races._elsewhere(replace(access, last=250)) is new
        assert races._elsewhere(replace(access, hart=B)) is of_b
        assert races._elsewhere(replace(access, pc=0x100)) is None
