# SPDX-License-Identifier: Apache-2.0
"""A tile whose three Tensix threads wait for each other, with instructions everywhere.

T0  has made semaphore 1 with a Max of 2, and waits for mutex 2 before it would post semaphore 1
T1  waits for semaphore 1, and has more behind that than its FIFOs hold
T2  has mutex 2, and waits for semaphore 1 too
"""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import T0, T1, T2
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import StopKind
from tests.assembler import EBREAK, image
from tests.core.tensix.programs import push_all

PROGRAMS = {
    T0: [
        "SEMINIT new_max=2, new_value=0, sem=S1",
        *["NOP"] * 20,
        "ATGETM index=2",
        "SETDMAREG.Immediate new_value=5, result_half_reg=G4_lo",
        "SEMPOST sem=S1",
    ],
    T1: ["SEMWAIT block=ALL, sem=S1, wait=C0", "ATGETM index=0", *["NOP"] * 50],
    T2: ["ATGETM index=2", "SEMWAIT block=ALL, sem=S1, wait=C0", "NOP"],
}
ENOUGH = 600  # cycles


def load(machine: Machine) -> Machine:
    """Put the programs into a fresh machine."""
    for hart, texts in PROGRAMS.items():
        machine.load(hart, image([*push_all(texts), EBREAK], 0x1000 * (hart + 1)))
    return machine


def run(machine: Machine) -> Machine:
    """Run them as far as they get."""
    while machine.S.tile.cycle < ENOUGH:
        stop = machine.run(ENOUGH - machine.S.tile.cycle)
        if stop is not None and stop.kind is not StopKind.EBREAK:
            break
    return machine
