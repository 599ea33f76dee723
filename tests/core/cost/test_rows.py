# SPDX-License-Identifier: Apache-2.0
"""The cost model: every number of time is a row, and says what it is known by."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tensix_gdb.core.cost import row
from tensix_gdb.core.cost.row import TABLE, Trust, cost
from tensix_gdb.core.explain import time
from tensix_gdb.core.machine.parts import PARTS
from tensix_gdb.core.tensix.matrix import pipeline as matrix
from tests.layers.imports import ROOT

# Functions whose last argument is a number of cycles.
CLOCKS = {"due_after", "due_exactly", "wait_until"}


def literal_cycles(path: Path) -> Iterator[str]:
    """Return the places where the code has a number of cycles; one cycle is the next one."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id not in CLOCKS or len(node.args) != 2:
            continue
        numbers = [one.value for one in ast.walk(node.args[1]) if isinstance(one, ast.Constant)]
        for value in numbers:
            if isinstance(value, int) and value > 1:
                yield f"{path.relative_to(ROOT)}:{node.lineno}: {value}"


def test_no_number_of_cycles_stands_in_the_code() -> None:
    assert PARTS
    found = [text for path in (ROOT / "core").rglob("*.py") for text in literal_cycles(path)]
    assert not found, "make it a row: core/cost/row.py"


def test_the_check_finds_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "unit.py"
    file.write_text("due = due_after(S, 3 + THERE)\nnext = due_after(S, 1)\n")
    monkeypatch.setattr("tests.core.cost.test_rows.ROOT", tmp_path)
    assert list(literal_cycles(file)) == ["unit.py:1: 3"]


def test_the_machine_takes_its_constants_from_the_rows() -> None:
    assert TABLE["matrix.dst_hold"].value == matrix.DST_CYCLES


@pytest.mark.parametrize("name", sorted(TABLE))
def test_each_row_has_a_source_and_what_is_not_sure_a_note(name: str) -> None:
    one = TABLE[name]
    assert one.source
    assert one.what
    assert one.unit
    assert one.note or one.trust in (Trust.PAGE, Trust.MEASURED)
    if one.trust is Trust.FITTED:
        assert "fitted" in one.note


def test_a_name_is_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row, "TABLE", {})
    assert cost("a.b", 3, "cycles", "of it", source="A.md", trust=Trust.PAGE) == 3
    with pytest.raises(ValueError, match=r"a\.b is two rows"):
        cost("a.b", 3, "cycles", "of it", source="A.md", trust=Trust.PAGE)
    with pytest.raises(ValueError, match=r"a\.c is fitted and has no note"):
        cost("a.c", 3, "cycles", "of it", source="A.md", trust=Trust.FITTED)


def test_an_instruction_has_its_row_and_those_of_its_unit() -> None:
    names = [one.name for one in time.rows_of("MVMUL")]
    assert {"instruction.MVMUL", "matrix.dst_hold", "frontend.fifo_a"} <= set(names)
    assert "packer.blocks" not in names
    assert {"load.L1", "hart.l1_store"} <= {one.name for one in time.rows_of("lw")}
    assert time.rows_of("nothing") == []


def test_a_part_and_a_word() -> None:
    assert {one.part for one in time.rows_about("unpacker")} == {"unpacker"}
    assert [one.name for one in time.rows_about("matrix.dst_hold")] == ["matrix.dst_hold"]
    assert all("MOVD2B" in one.what + one.note for one in time.rows_about("movd2b"))
    assert time.show(time.rows_about("matrix.dst_hold")).startswith("matrix.dst_hold: 5 cycles")
