# SPDX-License-Identifier: Apache-2.0
"""`scripts/ttnn` and what it prepares agree on whether there is a compiler of Tenstorrent's."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.ttnntools import prepare
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.kernels.sfpi.find import COMPILER


@pytest.mark.parametrize("ends", [0, 1])
def test_an_sfpi_that_does_not_run_is_none(
    ends: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The script goes by the status of `tensix-gdb sfpi`; then Debian's is put in its place."""
    compiler = tmp_path / COMPILER
    compiler.parent.mkdir(parents=True)
    compiler.write_text(f"#!/bin/sh\nexit {ends}\n", "ascii")
    compiler.chmod(0o755)
    monkeypatch.setenv("SFPI", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    done: list[str] = []
    monkeypatch.setattr(prepare, "_program", lambda: "python")
    monkeypatch.setattr(prepare, "_install", lambda *_: done.append("install"))
    monkeypatch.setattr(prepare, "_folder_of", lambda new: new)
    monkeypatch.setattr(prepare, "_stand_in", lambda _: done.append("stand in"))
    prepare.prepare()
    assert done == (["install", "stand in"] if main(["sfpi"]) else ["install"])
