# SPDX-License-Identifier: Apache-2.0
"""A program is compiled once in a run, as long as its sources stay as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.programs.once import VARIABLE, once


def test_once_and_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared, sources = tmp_path / "shared", tmp_path / "sources"
    shared.mkdir()
    sources.mkdir()
    (sources / "a.c").write_text("1")
    monkeypatch.setenv(VARIABLE, str(shared))
    made: list[str] = []

    def compiled(option: str, name: str) -> str:
        out = tmp_path / name

        def make() -> None:
            made.append(option)
            out.write_text(f"{option} {(sources / 'a.c').read_text()}")

        once(["gcc", option, "-o", str(out)], [sources], out, make)
        return out.read_text()

    assert [compiled("-O1", "one"), compiled("-O1", "two")] == ["-O1 1", "-O1 1"]
    assert made == ["-O1"]
    assert compiled("-O2", "one") == "-O2 1"
    (sources / "a.c").write_text("2")
    assert compiled("-O1", "one") == "-O1 2"
    monkeypatch.delenv(VARIABLE)
    assert compiled("-O1", "one") == "-O1 2"
    assert made == ["-O1", "-O2", "-O1", "-O1"]
