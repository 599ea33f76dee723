# SPDX-License-Identifier: Apache-2.0
"""The search of `tensix-gdb ttnn`, and the variables that a program gets."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.host.ttnn import environment
from tensix_gdb.gdbstub.host.ttnn.environment import Installed
from tensix_gdb.gdbstub.usage import UsageError


def test_what_the_user_has_set_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_METAL_CACHE", "/elsewhere")
    monkeypatch.setenv("TT_METAL_SIMULATOR", "/another")
    made = environment.environment(tmp_path, tmp_path / "cache")
    assert environment.ROOT not in made
    assert made["TT_METAL_CACHE"] == "/elsewhere"
    assert made["TT_METAL_SIMULATOR"] == str(tmp_path)
    assert made["TT_METAL_SLOW_DISPATCH_MODE"] == "1"


def test_fast_dispatch_has_a_column_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TT_METAL_SLOW_DISPATCH_MODE", "0")  # which tt-metal takes for a yes
    made = environment.environment(tmp_path, tmp_path, "2x2", environment.FAST)
    assert "TT_METAL_SLOW_DISPATCH_MODE" not in made
    assert made["TT_METAL_DRAM_BACKED_CQ"] == "1"
    assert made["TT_METAL_CORE_GRID_OVERRIDE_TODEPRECATE"] == "1,1"
    wanted = {"1x1": "2x10", "2x2": "3x10", "13x10": "14x10", "14x10": "14x10"}
    assert {tiles: environment.chip(tiles, environment.FAST) for tiles in wanted} == wanted
    assert environment.chip("4x4", environment.SLOW) == "4x4"


def test_fast_dispatch_has_a_row_of_its_own_on_wormhole(tmp_path: Path) -> None:
    """tt-metal's dispatcher is in the last row there, of all eight columns."""
    wormhole = Arch.WORMHOLE
    wanted = {"1x1": "8x2", "2x2": "8x3", "8x8": "8x9", "8x10": "8x10"}
    assert {one: environment.chip(one, environment.FAST, wormhole) for one in wanted} == wanted
    assert environment.chip("8x10", environment.SLOW, wormhole) == "8x10"
    made = environment.environment(tmp_path, tmp_path, "8x10", environment.FAST, arch=wormhole)
    assert made["TT_METAL_CORE_GRID_OVERRIDE_TODEPRECATE"] == "7,8"


def test_the_active_environment_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "python"
    program.write_text("#!/bin/sh\necho '[[3, 12], \"/there/ttnn/__init__.py\"]'\n", "ascii")
    program.chmod(0o755)
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path))
    assert environment.find_ttnn(None) == Installed(str(program), Path("/there/ttnn"))


def test_another_version_of_python_is_named(tmp_path: Path) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\necho '[[3, 13], null]'\n", "ascii")
    program.chmod(0o755)
    with pytest.raises(UsageError, match=r"is Python 3\.13 and has no ttnn, .* 3\.10 and 3\.12"):
        environment.find_ttnn(str(program))
