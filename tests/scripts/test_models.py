# SPDX-License-Identifier: Apache-2.0
"""The table of ttnn's models, and the copy of tt-metal with a wrong constant, without ttnn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scripts.examples.ttnn.models.__main__ import COLUMNS, Row, counted, table
from scripts.examples.ttnn.models.planted import planted_root

SAID = {
    **{"values": 640, "error": 0.0091, "correlation": 0.99998, "seconds": 3.4, "processor": 2.1},
    **{"host": 620, "simulator": 351, "cycles": 50750, "launches": 6},
}
HEADER = Path("hw/inc/sigmoid.h")


def test_a_row_for_each_model() -> None:
    rows = [Row("mlp", "8x8", SAID), Row("bert", "8x8", {})]
    assert [row.is_right for row in rows] == [True, False]
    assert not Row("mlp", "8x8", {**SAID, "error": 0.06}).is_right
    lines = table(rows).splitlines()
    assert lines[2] == "| mlp | 8x8 | 640 | 0.0091 | 0.999980 | 3 | 2 | 620 + 351 | 50,750 | 6 |"
    assert lines[3].startswith("| bert | 8x8 | has not run |")
    assert {line.count("|") for line in lines} == {len(COLUMNS) + 3}


def test_cycles_are_those_of_the_tile_that_has_most() -> None:
    runs = [("1-2", 100), ("2-2", 30), ("2-2", 80)]
    lines = [json.dumps({"tile": tile, "cycles": cycles}) for tile, cycles in runs]
    assert counted(lines) == (110, 2)
    assert counted([json.dumps({"cycles": 7})]) == (7, 1), "a tile alone has no name"
    assert counted([]) == (0, 0)


def test_one_file_is_changed_and_the_others_are_links(tmp_path: Path) -> None:
    base, made = tmp_path / "base", tmp_path / "made"
    for path in (HEADER, Path("hw/inc/exp.h"), Path("hw/lib/crt0.S"), Path("runtime/sfpi/g++")):
        (base / path).parent.mkdir(parents=True, exist_ok=True)
        (base / path).write_text("denominator = 1.0f + x", "ascii")
    planted_root(base, made, HEADER, "1.0f +", "1.25f +")
    assert (made / HEADER).read_text() == "denominator = 1.25f + x"
    assert (base / HEADER).read_text() == "denominator = 1.0f + x"
    assert (made / "hw/inc/exp.h").resolve() == base / "hw/inc/exp.h"
    assert (made / "runtime").is_symlink()
    with pytest.raises(ValueError, match="0 times"):
        planted_root(base, tmp_path / "other", HEADER, "2.0f +", "1.25f +")
