# SPDX-License-Identifier: Apache-2.0
"""RDCFG of several threads in one cycle: one is executed, the others are dropped (RDCFG.md)."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.config.words import SET_CONFIG
from tests.core.tensix.drive import run
from tests.core.tensix.programs import ttinsn
from tests.core.wormhole.programs import words_of
from tests.machines import machine_on

WORD = 16  # of the configuration
OLD, NEW = 0x1111, 0x2222
# Threads wait until unpacker 0 has nothing of theirs, and continue in one cycle.
GATHER = "STALLWAIT block=B7, wait=C1"


def gathered(machine: Machine, *threads: int) -> list[int]:
    """GPRs of the threads, of which each pushes one RDCFG at once."""
    S = machine.record.S
    for thread in threads:
        S.gpr.word[thread * 64 + 4] = OLD
        S.busy.unpacker[0, thread] = 1
    SET_CONFIG[int(S.tile.chip)](S, 0, WORD, NEW)
    program = [ttinsn(word) for word in words_of([GATHER, f"RDCFG result_reg=4, cfg_index={WORD}"])]
    run(machine, {T0 + thread: program for thread in threads})  # until all of them wait
    for thread in threads:
        S.busy.unpacker[0, thread] = 0
    machine.run(200)
    return [int(S.gpr.word[thread * 64 + 4]) for thread in threads]


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_one_is_executed(engine: str) -> None:
    machine = machine_on(engine, Schedule.LATENCY, arch=Arch.WORMHOLE)
    values = gathered(machine, 0, 1, 2)
    assert sorted(values) == [OLD, OLD, NEW]
    S = machine.record.S
    assert S.report.count == 2
    assert {int(S.report.code[i]) for i in range(2)} == {Fault.RDCFG_DROPPED}
    assert {int(S.report.hart[i]) - T0 for i in range(2)} == {
        thread for thread in range(3) if values[thread] == OLD
    }
    machine.close()


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize(
    ("arch", "schedule"), [(Arch.BLACKHOLE, Schedule.LATENCY), (Arch.WORMHOLE, Schedule.SC)]
)
def test_otherwise_the_others_wait(engine: str, arch: Arch, schedule: Schedule) -> None:
    machine = machine_on(engine, schedule, arch=arch)
    assert gathered(machine, 0, 2) == [NEW, NEW]
    assert machine.record.S.report.count == 0
    machine.close()


def test_one_thread_after_the_other() -> None:
    machine = machine_on("compiled", Schedule.LATENCY, arch=Arch.WORMHOLE)
    assert gathered(machine, 0) == [NEW]
    assert gathered(machine, 1) == [NEW]
    assert machine.record.S.report.count == 0
    machine.close()
