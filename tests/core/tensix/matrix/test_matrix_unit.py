# SPDX-License-Identifier: Apache-2.0
"""Every instruction of the Matrix Unit in every mode, on both engines.

Each case of matrix_cases.txt gives the recorded bits; where a second model knows the instruction it
says the same. Cases marked `simulator` gave the same bits in Tenstorrent's simulator, which refuses
the others.
"""

from __future__ import annotations

import pytest

from tensix_gdb.core.assembly.tensix_text import parse
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.instruction import Status, Unit
from tensix_gdb.core.tensix.matrix.formats import FORMAT_FP16
from tensix_gdb.core.tensix.table import by_mnemonic
from tests.core.tensix.matrix.matrix_cases import (
    HIGHEST,
    Case,
    digest,
    execute,
    fill,
    put,
    read_cases,
)
from tests.core.tensix.matrix.matrix_model_moves import Moves
from tests.vectors import both_engines

CASES = read_cases()
NAMES = sorted({case.text.split()[0] for case in CASES})
WITHOUT_MODEL = {"CLREXPHIST", "GATESRCRST"}


def cases_of(name: str) -> list[Case]:
    return [case for case in CASES if case.text.split()[0] == name]


@pytest.fixture(scope="module")
def record() -> Record:
    return Record(LAYOUT)


@pytest.fixture(scope="module")
def blank() -> object:
    return Record(LAYOUT).snapshot()


@pytest.mark.parametrize("name", NAMES)
def test_cases(name: str, record: Record, blank: object) -> None:
    for case in cases_of(name):
        record.restore(blank)  # type: ignore[arg-type]
        fill(record, case)
        model = Moves(record, case)
        assert both_engines(execute, record, parse(case.text)) == 0, case.line()
        assert digest(record) == case.digest, case.line()
        assert model.run() != (name in WITHOUT_MODEL)
        if name not in WITHOUT_MODEL:
            assert not model.differences(record)[:4], case.line()


@pytest.mark.parametrize("flags", ["fp32", "int8"])
def test_gmpool_takes_the_last_of_equal_datums(flags: str, record: Record, blank: object) -> None:
    """In the order 4 to 7, 0 to 3 (GMPOOL.md), so 3, whose index is 1; the others have none."""
    record.restore(blank)  # type: ignore[arg-type]
    kind = 14 if flags == "int8" else 5
    case = Case("GMPOOL dimension=1, arg_max=1", kind, 5, flags, 0, 1)
    fill(record, case)
    put(record, "src", "a", "I", [0x3FF00 | 200] * (2 * 64 * 16))
    put(record, "src", "b", "I", [200] * (2 * 64 * 16))
    put(record, "dst", "bits", "H", [0] * (HIGHEST * 16))
    put(record, "dst", "undefined", "H", [0] * HIGHEST)
    model = Moves(record, case)
    assert both_engines(execute, record, parse(case.text)) == 0
    assert model.run()
    assert not model.differences(record)[:4]
    found = {int(record.S.dst.bits[row, column]) for row in range(HIGHEST) for column in range(16)}
    assert any(low & 0xF == 1 and low & 0xF00 == 0x100 for low in found)


def test_no_instruction_is_left_out() -> None:
    elsewhere = {"SETRWC", "INCRWC", "CLEARDVALID"}  # tensix/test_counters.py, test_source_banks.py
    found = {
        mnemonic
        for mnemonic, rows in by_mnemonic(Arch.BLACKHOLE).items()
        if rows[0].unit is Unit.FPU and rows[0].status is Status.IMPLEMENTED
    }
    assert found == set(NAMES) | elsewhere


@pytest.mark.parametrize(
    ("datum", "half"), [(0x55560, 0xAAA0), (0x55500, 0), (0x55541, 0xAAA1)], ids=hex
)
def test_movb2d_flushes_by_all_eight_bits_of_the_exponent(
    datum: int, half: int, record: Record, blank: object
) -> None:
    """MOVB2D.md looks for an exponent of 0 before FP16 loses the three high bits of it."""
    record.restore(blank)  # type: ignore[arg-type]
    S = record.S
    S.src.format[1, 0] = FORMAT_FP16
    S.src.b[0, 0, 0] = datum
    assert both_engines(execute, record, parse("MOVB2D")) == 0
    assert S.dst.bits[0, 0] == half
