# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb doctor`: a whole machine, an empty one, and compiling beforehand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tensix_gdb.core.engine import Entry, jit, shipped
from tensix_gdb.core.engine.cache import VARIABLE, Cache
from tensix_gdb.core.engine.plan import plan_for
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.doctor import command
from tensix_gdb.gdbstub.doctor import findings as looking
from tensix_gdb.gdbstub.doctor.builds import Build, builds
from tests.core.engine import small

SMALL = (
    Build("a tile of Small", plan_for([Entry("add", small.add)], small.LAYOUT)),
    Build("origin, Small", plan_for([Entry("rows", small.rows)], small.LAYOUT)),
)
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home with nothing on the PATH, and builds that are compiled in a moment."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv(VARIABLE, str(tmp_path / "objects"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    for name in ("SFPI", "TT_METAL_HOME", "VIRTUAL_ENV"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("tensix_gdb.gdbstub.kernels.sfpi.find.INSTALLED", tmp_path / "sfpi")
    monkeypatch.setattr("tensix_gdb.gdbstub.kernels.sfpi.find.ttnn_folders", list)
    monkeypatch.setattr("tensix_gdb.gdbstub.kernels.llk.ttnn_folders", list)
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "shipped")
    for module in (looking, command):
        monkeypatch.setattr(module, "builds", lambda: list(SMALL))
    return tmp_path


def found(capsys: Capture, status: int) -> dict[str, dict[str, str]]:
    capsys.readouterr()
    assert main(["doctor", "--json"]) == status
    return {each["name"]: each for each in json.loads(capsys.readouterr().out)}


def test_nothing_is_there(capsys: Capture) -> None:
    """Each thing that is missing has a command that mends it, and nothing is an exception."""
    rows = found(capsys, 1)
    missing = [name for name, row in rows.items() if row["state"] == "missing"]
    assert missing == ["GDB", "kernel compiler"]
    assert rows["GDB"]["mend"] == "apt-get install gdb-multiarch"
    assert rows["kernel compiler"]["mend"].startswith("apt-get install gcc-riscv64-unknown-elf")
    assert rows["LLK"]["mend"].startswith("tensix-gdb build --get-llk")
    assert all(row["mend"] for row in rows.values() if row["state"] != "ok")
    assert main(["doctor"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "missing: GDB, kernel compiler"
    assert "          mend: apt-get install gdb-multiarch" in said


def test_what_most_commands_need_is_there(machine: Path, capsys: Capture) -> None:
    tools = machine / "bin"
    tools.mkdir()
    for name in ("gdb-multiarch", "riscv64-unknown-elf-gcc"):
        (tools / name).write_text("#!/bin/sh\necho 12.2.0\n")
        (tools / name).chmod(0o755)
    rows = found(capsys, 0)
    assert rows["GDB"]["found"] == str(tools / "gdb-multiarch")
    assert rows["kernel compiler"]["found"] == "riscv64-unknown-elf-gcc 12.2.0"
    assert rows["SFPI"]["state"] == "optional"
    assert main(["doctor"]) == 0
    assert capsys.readouterr().out.endswith("nothing is missing that most commands need\n")


def test_no_compiler_of_the_tile(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise jit.LlvmMissingError("it is not installed")

    monkeypatch.setattr(jit, "versions", missing)
    rows = found(capsys, 1)
    assert rows["llvmlite"]["mend"] == "pip install llvmlite"
    assert not [name for name in rows if name.startswith("code")]


def test_a_cache_that_cannot_be_used(machine: Path, capsys: Capture) -> None:
    (machine / "objects").write_text("a file")
    assert found(capsys, 1)["cache"]["mend"].startswith(f"export {VARIABLE}=DIR")
    assert main(["doctor", "--compile"]) == 2
    assert "nothing could be kept" in capsys.readouterr().err


def test_a_disk_that_is_nearly_full(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "WANTED_BYTES", 1 << 80)
    assert found(capsys, 1)["cache"]["mend"].startswith("make room")


def test_compiling_beforehand(machine: Path, capsys: Capture) -> None:
    """Then no command waits for it; and what is there is not compiled again."""
    code = ["code: a tile of Small", "code: origin, Small"]
    assert [found(capsys, 1)[name]["state"] for name in code] == ["optional"] * 2
    mend = "tensix-gdb doctor --compile 'origin, Small'"
    assert found(capsys, 1)[code[1]]["mend"] == mend
    assert main(["doctor", "--compile", "origin, Small"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "origin, Small: compiling"
    assert said[1].startswith("origin, Small: 1 of 1 units in ")
    assert [found(capsys, 1)[name]["state"] for name in code] == ["optional", "ok"]
    assert main(["doctor", "--compile"]) == 0
    assert "origin, Small: was compiled before" in capsys.readouterr().out
    assert [found(capsys, 1)[name]["state"] for name in code] == ["ok"] * 2
    cache = Cache(machine / "objects")
    assert all(each.plan.find(cache, jit.FULL) is not None for each in SMALL)


def test_what_came_with_the_package_is_said(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = SMALL[0].plan
    monkeypatch.setattr(jit, "commons", lambda: (jit.processor()[0],))
    shipped.write(plan, plan.build(Cache(Path.home() / "other"), jit.FULL))
    assert found(capsys, 1)["code: a tile of Small"]["found"].startswith("came with the package")


def test_a_build_that_is_not_known(capsys: Capture) -> None:
    assert main(["doctor", "--compile", "nonsense"]) == 2
    assert "they are a tile of Small, origin, Small" in capsys.readouterr().err


def test_every_build_a_command_waits_for_is_listed() -> None:
    """Both chips; races and checks are observed by the tile's own code."""
    names = [each.name for each in builds()]
    assert len(names) == len(set(names)) == 7
    assert sum(each.is_common for each in builds()) == 2
