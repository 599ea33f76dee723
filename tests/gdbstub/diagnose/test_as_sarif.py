# SPDX-License-Identifier: Apache-2.0
"""`--races-to FILE.sarif`: a fault and causes, each at the line of its source."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tests.gdb.harness import ROOT
from tests.programs.build import build

EXAMPLES = ROOT / "scripts" / "examples"
PUSHES = """\
#include "tile.h"
static void push(void)
{
    TTINSN(0x02000000u);
    TTINSN(0x44000000u); /* RSTDMA */
}
int main(void)
{
    push();
    return 0;
}
"""
LOADS = "int main(void)\n{\n    return *(volatile int *)0xffff0000;\n}\n"


@pytest.fixture
def results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: Callable[[str], str]
) -> Callable[..., list[dict[str, Any]]]:
    """Type a command about a program of T0; the results in its file."""
    tool("riscv64-unknown-elf-gcc")
    monkeypatch.chdir(tmp_path)

    def typed(source: Path, *words: str, defines: tuple[str, ...] = ()) -> list[dict[str, Any]]:
        build(source, "T0", tmp_path / "t0.elf", defines=defines)
        main([*words, "--elf", "t0=t0.elf", "--races-to", "it.sarif"])
        found: list[dict[str, Any]] = json.loads(Path("it.sarif").read_text())["runs"][0]["results"]
        return found

    return typed


def lines(one: dict[str, Any]) -> list[int]:
    return [
        place["physicalLocation"]["region"]["startLine"]
        for place in (*one["locations"], *one["relatedLocations"])
    ]


@pytest.mark.parametrize(("text", "line"), [(PUSHES, 5), (LOADS, 3)])
def test_a_fault_is_at_its_instruction_or_at_the_push(
    text: str, line: int, tmp_path: Path, results: Callable[..., list[dict[str, Any]]]
) -> None:
    source = tmp_path / "t0.c"
    source.write_text(text, "utf-8")
    (ran,) = results(source, "run", "--races")
    assert ran["ruleId"] == "fault"
    assert lines(ran) == [line]
    found = results(source, "diagnose")
    assert found[0]["ruleId"] == "cause"
    assert found[0]["message"]["text"].startswith("most likely (fault): T0 at")
    assert lines(found[0])[0] == line
    uri = found[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "t0.c"


def test_a_race_has_both_lines(results: Callable[..., list[dict[str, Any]]]) -> None:
    source = EXAMPLES / "c10" / "kernel.c"
    text = source.read_text("utf-8").splitlines()
    reads = 1 + next(at for at, line in enumerate(text) if "RDCFG r" in line)
    found = results(source, "diagnose", "--try", defines=("WAIT=0",))
    race = next(one for one in found if one["ruleId"] == "race")
    assert "RACE 1" in race["message"]["text"]
    assert "Remedy, tried: " in race["message"]["text"]
    assert lines(race)[0] == reads
    earlier = race["relatedLocations"][0]["message"]["text"]
    assert earlier.startswith("the earlier side: T0 sw")


def test_a_hang_is_at_the_wait(
    tmp_path: Path, results: Callable[..., list[dict[str, Any]]]
) -> None:
    """Its evidence names the instruction that is held, and the wait that holds it."""
    source = Path(shutil.copy(EXAMPLES / "tensix" / "hang.c", tmp_path))
    shutil.copy(EXAMPLES / "tensix" / "tensix.h", tmp_path)
    (one,) = results(source, "diagnose", defines=("LLK_TRISC_PACK",))
    assert one["message"]["text"].startswith("most likely (hang): ")
    text = source.read_text("utf-8").splitlines()
    held, waits = (
        1 + next(at for at, line in enumerate(text) if wanted in line)
        for wanted in ("0x5678", "SEMWAIT_WHILE_0(S1)")
    )
    assert lines(one)[:2] == [held, waits]
    assert one["relatedLocations"][0]["message"]["text"].startswith("SEMWAIT pushed at ")


def test_what_cannot_be_written(
    tmp_path: Path, results: Callable[..., list[dict[str, Any]]], capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "t0.c"
    source.write_text(LOADS, "utf-8")
    results(source, "diagnose")
    words = ["diagnose", "--elf", "t0=t0.elf", "--races-to"]
    assert main([*words, "nowhere/it.sarif"]) == 1
    assert (
        "nowhere/it.sarif: cannot be written: No such file or directory" in capsys.readouterr().out
    )
    assert main([*words, "it.json"]) == 2
    assert "--races-to it.json: the name has to end in .sarif" in capsys.readouterr().err
