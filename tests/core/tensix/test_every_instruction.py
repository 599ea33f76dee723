# SPDX-License-Identifier: Apache-2.0
"""All 137 instructions of Blackhole either run or stop with a fault that names them."""

from __future__ import annotations

import pytest

from tensix_gdb.core.faults.codes import ENTRIES, Category, Fault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tensix.dispatch import EXECUTE, illegal, not_yet
from tensix_gdb.core.tensix.instruction import Status
from tensix_gdb.core.tensix.table import FIRST, ROWS, by_mnemonic
from tests.core.tensix.programs import run_thread
from tests.machines import machine_on

TABLE = by_mnemonic(Arch.BLACKHOLE)
LEGACY = {"MFCONV3S1", "CONV3S1", "CONV3S2", "APOOL3S1", "APOOL3S2", "MPOOL3S1", "MPOOL3S2"}
# Nothing but a line of the assembler table names these.
UNDOCUMENTED = {
    *("MOVDBGB2D", "TRNSPSRCA", "RAREB", "SETASHRMH0", "SETASHRMH1", "SETASHRMV", "SETPKEDGOF"),
    *("SETASHRMH", "SETIBRWC", "RSTDMA", "TBUFCMD"),
}
# Expanders and the tracker of Auto TTSync take these before they get to a unit.
BEFORE_THE_UNITS = {"MOP", "MOP_CFG", "REPLAY", "RESOURCEDECL"}


def test_there_are_137_and_none_is_left() -> None:
    assert len(TABLE) == 137
    by_status: dict[Status, set[str]] = {status: set() for status in Status}
    for mnemonic, rows in TABLE.items():
        for row in rows:
            by_status[row.status].add(mnemonic)
    assert not by_status[Status.NOT_YET]
    assert by_status[Status.LEGACY] == LEGACY
    assert by_status[Status.UNDOCUMENTED] == UNDOCUMENTED
    assert len(by_status[Status.IMPLEMENTED]) == 137 - len(LEGACY) - len(UNDOCUMENTED)


def test_what_is_implemented_has_a_function() -> None:
    for number, row in enumerate(ROWS, FIRST):
        if Arch.BLACKHOLE in row.arch and row.status is Status.IMPLEMENTED:
            has_one = EXECUTE[number] not in (not_yet, illegal)
            assert has_one != (row.mnemonic in BEFORE_THE_UNITS), row.name


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_the_others_stop_by_name(engine: str) -> None:
    machine = machine_on(engine, Schedule.LATENCY)
    for mnemonic in sorted(LEGACY | UNDOCUMENTED):
        machine.reset()
        give_banks(machine)
        stop = run_thread(machine, [TABLE[mnemonic][0].opcode << 24], 1)
        assert stop is not None
        assert stop.kind is StopKind.FAULT
        assert mnemonic in stop.text
        assert "Tensix thread 1" in stop.text
        entry = ENTRIES[Fault(stop.code)]
        assert entry.category is Category.MISSING_SPECIFICATION, stop.text
    machine.close()


def give_banks(machine: Machine) -> None:
    """The Matrix Unit has all it could wait for."""
    for source in range(2):
        machine.record.S.busy.src_client[source, 0] = 1
