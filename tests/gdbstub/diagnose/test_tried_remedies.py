# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb diagnose --try`, `--patch`, `--apply`: the remedy on the page was tried."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main

KERNEL = Path(__file__).resolve().parents[3] / "scripts" / "examples" / "c10" / "kernel.c"
BUILD = shlex.join([sys.executable, "-m", "tensix_gdb.gdbstub", "build", "--sfpi=none"])
BUILD += " --t0 kernel.c -D WAIT=2"
DIFF = "RACE 1: a diff; "
Diagnosed = Callable[..., list[str]]


@pytest.fixture
def diagnosed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Diagnosed:
    """Diagnose the kernel with a wait that does not hold; the lines of the page."""
    shutil.copy(KERNEL, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    subprocess.run(BUILD, shell=True, check=True, capture_output=True)

    def diagnose(*options: str) -> list[str]:
        assert main(["diagnose", "--dir=build", *options]) == 1
        out, err = capsys.readouterr()
        assert err == ""
        return out.splitlines()

    return diagnose


def test_the_remedy_is_the_one_that_ended_the_report(diagnosed: Diagnosed) -> None:
    lines = diagnosed("--patch")
    wait = "TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::TRISC_CFG)"
    at = lines.index(f"    Remedy, tried: {wait} before kernel.c:41")
    assert lines[at + 1].startswith("        the report is gone; the run ends as before; no other")
    assert not any(line.startswith("    Would order them") for line in lines)
    said = lines.index(f"{DIFF}not compiled: --apply COMMAND does that in a copy")
    diff = "\n".join(lines[said + 1 :]) + "\n"
    subprocess.run(["git", "apply", "-"], input=diff, text=True, check=True)
    assert "0xa2400400u" in Path("kernel.c").read_text()


def test_without_it_nothing_is_tried(diagnosed: Diagnosed) -> None:
    lines = diagnosed()
    assert any(line.startswith("    Would order them: ") for line in lines)
    assert not any("tried" in line for line in lines)


def test_a_diff_comes_after_its_own_check(diagnosed: Diagnosed) -> None:
    """It is built and run in a copy. Without that, or with the report there again: no diff."""
    before = Path("kernel.c").read_text()
    good = diagnosed("--apply", BUILD)
    assert any(line.startswith(f"{DIFF}compiled and run in a copy: the report") for line in good)
    assert "--- a/kernel.c" in good
    assert Path("kernel.c").read_text() == before
    loses = f"sed -i /0xa2400400u/d kernel.c; {BUILD}"
    for command, why in (
        (loses, "compiled with it the program has the report again"),
        ("false", "`false` fails with it, with status 1"),
    ):
        lines = diagnosed("--apply", command)
        assert lines[-1] == f"RACE 1: no diff: {why}"
        assert not any(line.startswith(("---", "+++", "@@")) for line in lines)


def test_where_all_is_in_order_nothing_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page says why; what is left counts only in a kernel that has come to its end."""
    shutil.copy(KERNEL, tmp_path)
    monkeypatch.chdir(tmp_path)
    subprocess.run(BUILD.replace("WAIT=2", "WAIT=1"), shell=True, check=True, capture_output=True)
    main(["diagnose", "--dir=build", "--try", "--seeds=0"])
    whole = " ".join(capsys.readouterr().out.split())
    assert whole.endswith("the cause is what a line says, and not when")
    assert "in order, and nothing is left changed, so no wait" in whole
    main(["diagnose", "--dir=build", "--try", "--seeds=0", "--max-cycles=60"])
    cut_off = " ".join(capsys.readouterr().out.split())
    assert "in order, so no wait or barrier changes where it stops" in cut_off


def test_what_cannot_be_tried(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", "--schedule=sc", "--try"]) == 2
    assert "remed" in capsys.readouterr().err
