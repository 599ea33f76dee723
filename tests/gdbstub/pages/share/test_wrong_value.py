# SPDX-License-Identifier: Apache-2.0
"""A page of a wrong result says which value, what was expected, and what has written it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.host.ttnn.compare.checks import _in_memory
from tensix_gdb.gdbstub.host.ttnn.compare.told import Difference, said_wrong
from tensix_gdb.gdbstub.host.ttnn.compare.wanted import note_wrong
from tensix_gdb.gdbstub.pages.share.document import unpacked
from tensix_gdb.gdbstub.tensix.output.wrong_value import copy_wrong, keep_wrong, wrong_in
from tensix_gdb.gdbstub.tensix.tiles.expected import keep_expected
from tests.core.chip.programs import DATA

FOUND = Difference(0.5, 1, 140, (45,), 46.0, 45.0)
PLACE = f"1-3 {DATA + 64:#x}"


@pytest.fixture
def found(tmp_path: Path) -> Path:
    """The file that a program has written."""
    path = tmp_path / "wrong.json"
    lines = said_wrong(FOUND, "torch.equal at model.py:9: torch.equal(a, b)", "row 0", PLACE)
    note_wrong(path, lines, PLACE)
    return path


def test_on_a_chip(chip: Path, found: Path, tmp_path: Path) -> None:
    run, page = tmp_path / "run.rec", tmp_path / "wrong.html"
    shutil.copyfile(chip, run)
    keep_wrong(found, run)
    assert main(["share", str(run), "-o", str(page), "--events", "20", "--no-races"]) == 0
    data = unpacked(page.read_text())
    first = data["said"][
        data["said"].index("found by torch.equal at model.py:9: torch.equal(a, b)") - 2
    ]
    assert first.startswith(
        "A result is wrong: [45] is 46, and 45 is expected; 1 of 140 values differ; written by a "
        "request of NoC 0 that "
    )
    assert data["chip"]["events"][0]["ending"].split("\n")[0] == first
    (writer,) = data["chip"]["grid"]["followed"][:1]
    assert f"that {writer} B has made" in first
    cell = data["chip"]["events"][0]["cells"][writer]
    assert (cell["tone"], cell["tip"].split("\n")[-1]) == (
        "wrong",
        "it has written the wrong value",
    )
    assert list(data["origins"]) == [f"{writer} {PLACE}"]


def test_beside_an_array(hang: Path, tmp_path: Path) -> None:
    run, page, wanted = (tmp_path / name for name in ("run.rec", "wrong.html", "wanted.npy"))
    shutil.copyfile(hang / "run.rec", run)
    np.save(wanted, np.array([[7, 7]], dtype=np.int32))
    keep_expected(run, [f"0x0={wanted}:int32,rows"])
    assert main(["share", str(run), "-o", str(page), "--events", "20", "--no-races"]) == 0
    said = unpacked(page.read_text())["said"]
    assert said[0].startswith("A result is wrong: 0x0 is not what is expected")
    assert "wanted 7" in "\n".join(said)


def test_of_a_test_of_llk(hang: Path, tmp_path: Path) -> None:
    """The run of a core file is played again; beside it is the array that the test has wanted."""
    core, page, wanted = (tmp_path / name for name in ("run.core", "wrong.html", "wanted.npy"))
    shutil.copyfile(hang / "end.core", core)
    np.save(wanted, np.array([[7, 7]], dtype=np.int32))
    kept = {"addr": 0, "data": "", "reads": {}, "expected": [f"0x0={wanted}:int32,rows"]}
    core.with_suffix(".json").write_text(json.dumps(kept))
    assert main(["share", str(core), "-o", str(page), "--events", "20", "--no-races"]) == 0
    first = unpacked(page.read_text())["said"][0]
    assert first.startswith("A result is wrong: 0x0 is not what is expected")


def test_beside_a_core_file(chip: Path, found: Path, tmp_path: Path) -> None:
    core, run = tmp_path / "run.core", tmp_path / "run.rec"
    core.write_bytes(b"core")
    core.with_suffix(".json").write_text(json.dumps({"ended": True}))
    shutil.copyfile(chip, run)
    copy_wrong(core, run)
    assert wrong_in(str(run)) is None
    keep_wrong(found, core)
    copy_wrong(core, run)
    known = wrong_in(str(run))
    assert known is not None
    assert known.place == PLACE
    assert known.lines[-1] == f"it is in row 0, {PLACE}"


@pytest.mark.parametrize(
    ("part", "index", "found"),
    [
        ((2, (1,)), (0,), (0, 1)),  # the second datum of two bytes
        ((8, (4, 1)), (1, 2), (2, 2)),  # rows from the second on: one more, and two columns
        ((22, (1,)), (5,), None),  # beyond
    ],
)
def test_a_part_of_a_result(
    part: tuple[int, tuple[int, ...]], index: tuple[int, ...], found: tuple[int, ...] | None
) -> None:
    def tensor(at: int, shape: tuple[int, ...], steps: tuple[int, ...]) -> SimpleNamespace:
        return SimpleNamespace(
            shape=shape, data_ptr=lambda: at, element_size=lambda: 2, stride=lambda: steps
        )

    whole = tensor(100, (3, 4), (4, 1))
    assert _in_memory(tensor(100 + part[0], (), part[1]), whole, index) == found
