# SPDX-License-Identifier: Apache-2.0
"""Every vector file, on both engines, in `sc` and in `latency`."""

from __future__ import annotations

import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.instruction import Status, Unit
from tensix_gdb.core.tensix.table import rows_of
from tests.core.tensix.vector_files import FOLDER, Case, cases, run

FILES = sorted(FOLDER.rglob("*.txt"))
CASES = [(path.stem, case) for path in FILES for case in cases(path)]
CONTROL_UNITS = {Unit.SYNC, Unit.THCON, Unit.CONFIG, Unit.MISC, Unit.MOVER, Unit.MOP, Unit.REPLAY}


@pytest.mark.sample(2, "928 lines of the files of vectors")
@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY], ids=lambda s: s.name.lower())
@pytest.mark.parametrize(("file", "case"), CASES, ids=str)
def test_case(file: str, case: Case, schedule: Schedule) -> None:
    if not case.only or case.only == schedule.name.lower():
        run(case, schedule)


def test_every_instruction_has_a_file() -> None:
    wanted = {
        row.mnemonic
        for row in rows_of(Arch.BLACKHOLE)
        if row.unit in CONTROL_UNITS and row.status is Status.IMPLEMENTED
    }
    assert wanted | {"SETRWC", "INCRWC"} <= {path.stem for path in FILES}
