# SPDX-License-Identifier: Apache-2.0
"""Notes of a simulator about itself: what cannot be written ends nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.kept import FOLDER, OPENS
from tensix_gdb.gdbstub.host.simulator.life import Life, faults_of, has_reports, living
from tensix_gdb.gdbstub.host.simulator.runs.failing import CORE, JSON

FULL = Path("/dev/full")  # each write is refused: no space left on device


def test_a_full_disk_does_not_end_the_simulator(tmp_path: Path) -> None:
    """The fault is on standard error as well, and the run is the user's."""
    Life(None, FULL).fault("1-2: B at 0x8")
    Life(None, tmp_path / "gone" / "life.faults").fault("1-2: B at 0x8")
    with FULL.open("w", encoding="ascii") as file:
        life = Life(file)
        life.reported()


def test_a_name_that_is_no_text_can_be_noted(tmp_path: Path) -> None:
    """The name of a source file may have bytes that are no UTF-8."""
    path = tmp_path / "life"
    with living(path) as life:
        life.fault("T0 at kernel\udcff.cpp:3")
        assert has_reports(path)
    assert faults_of(path) == ["T0 at kernel\\udcff.cpp:3"]
    assert not has_reports(path)


def test_a_program_that_has_named_the_library_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No command keeps its run; the simulator does, when the program is gone."""
    monkeypatch.setenv(FOLDER, str(tmp_path / "runs"))
    with living(None) as life:
        assert life.folder is not None
        assert life.keep_failed() == []  # nothing has hung
        (life.folder / CORE).write_bytes(b"a core")
        (life.folder / JSON).write_text("{}", "ascii")
        said = life.keep_failed()
    assert said[0] == OPENS
    (core,) = (tmp_path / "runs" / "ttnn").glob("*.core")
    assert str(core) in said[1]
    assert not life.folder.exists()
    with living(tmp_path / "life") as life:
        assert life.folder == tmp_path
        (tmp_path / CORE).write_bytes(b"a core")
        assert life.keep_failed() == []
