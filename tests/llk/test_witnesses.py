# SPDX-License-Identifier: Apache-2.0
"""Witnesses of kernels that were kept: a program of ours in the place of LLK's, and the table."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from scripts.llktests import witnesses
from scripts.llktests.beginning import DONE, DONE_AT
from scripts.llktests.judged.race_verdicts import ROWS
from scripts.llktests.judged.races import table
from scripts.llktests.sweep import Plan, Sweep, files_kept
from scripts.llktests.witnesses import OTHER
from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.llk.running import Choice
from tensix_gdb.gdbstub.llk.suite import CannotPrepare
from tensix_gdb.gdbstub.tensix.corefile.elf import core_of
from tests.assembler import asm, image, li

CONFIG, PUSH, GPRS, DONE_CHECK = 0xFFEF0000, 0xFFE40000, 0xFFE00000, 0xFFE80004
WORD, RESULT = 100, 0x20000
READ = parse("RDCFG result_reg=1, cfg_index=100")
WAIT = parse("STALLWAIT block=B7, wait=C10")


def kernel(*pushed: int) -> list[int]:
    """Store to a word of configuration, push, wait for the Tensix thread, keep what RDCFG has read,
    and say that all three are done."""
    words = [*li(5, CONFIG + 4 * WORD), *li(6, PUSH), *li(7, 9), *li(9, DONE_CHECK), *li(10, GPRS)]
    for number, word in enumerate(pushed):
        words += li(20 + number, word)
    words.append(asm("sw", rs1=5, rs2=7))
    words += [asm("sw", rs1=6, rs2=20 + number) for number in range(len(pushed))]
    words += [asm("sw", rs1=9), asm("lw", rd=11, rs1=9), asm("and", rs1=11)]
    words += [asm("lw", rd=12, rs1=10, imm=4), *li(13, RESULT), asm("sw", rs1=13, rs2=12)]
    words += li(14, DONE)
    for addr in DONE_AT:
        words += [*li(13, addr), asm("sw", rs1=13, rs2=14)]
    return [*words, asm("jal")]


def keep(folder: Path, words: list[int]) -> None:
    """As `simulator --keep` does."""
    folder.mkdir()
    machine = Machine(engine="reference", schedule=Execution(Schedule.LATENCY))
    machine.load(T0, image(words))
    (folder / "run-1.core").write_bytes(core_of(machine, "before the run"))
    machine.close()
    reads = {str(RESULT): (9).to_bytes(4, "little").hex()}
    kept = {"command": "READ", "addr": 0, "data": "", "reads": reads, "writes": []}
    (folder / "run-1.json").write_text(json.dumps(kept))


class Here(Executor):
    """Runs what it is given at once."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **more: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **more))
        return future


def test_a_sweep_of_kernels_that_were_kept(tmp_path: Path) -> None:
    for name, pushed in (("right", (WAIT, READ)), ("wrong", (READ,))):
        keep(tmp_path / f"test_{name}.py", kernel(*pushed))
    names = files_kept(tmp_path)
    assert names == ["test_right.py", "test_wrong.py"]
    plan = Plan(Choice(1, "1", "latency", "compiled"), range(1, 21), (False,))
    found = dict(Sweep(None, plan, Here(), tmp_path).files(names))
    assert (found["test_right.py"].kernels, found["test_right.py"].runs) == (1, 20)
    assert found["test_right.py"].good
    assert found["test_wrong.py"].unnamed[0].problem.endswith("the result differ, the first is 0")
    assert (tmp_path / "test_right.py" / "run-1.core").exists()
    with pytest.raises(CannotPrepare, match="has no kernels"):
        files_kept(tmp_path / "test_none.py")


def test_a_report_that_goes_the_other_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path / "test_a.py", kernel(READ))
    keep(tmp_path / "test_b.py", kernel(WAIT, READ))
    out = tmp_path / "out.json"
    assert witnesses.main([str(tmp_path), "--json", str(out)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("test_a.py run-1\nRACE 1 goes the other way, too: the sw is held from ")
    assert said.endswith("    Its end: other result.\n2 kernels, 1 tries, 1 witnesses\n")
    (one,) = json.loads(out.read_text())
    assert (one["file"], one["outcome"], one["result"]) == ("test_a.py", "possible", OTHER)


def test_a_folder_without_kernels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert witnesses.main([str(tmp_path)]) == 2
    assert "llk witness: no kernel is kept in" in capsys.readouterr().err


def side(instruction: str) -> dict[str, Any]:
    step = {"file": "/llk/cunpack_common.h", "line": 1001, "function": "set_dst_write_addr"}
    return {"instruction": instruction, "pc": 0x6000, "chain": [step], "thread": 0}


def test_the_cell_of_the_table() -> None:
    races = [
        {
            "identity": name,
            "check": None,
            "place": {"name": "gpr T0 18"},
            "earlier": side("SETDMAREG"),
            "later": side("WRCFG"),
        }
        for name in "abcde"
    ]
    late = "RMWCIB is held, and the later access has not come until cycle 9"
    ends = [("possible", "", "same"), ("possible", "", OTHER), ("unknown", late, "")]
    ends.append(("impossible", "a proof", ""))
    tries = [
        {"report": race, "outcome": outcome, "reason": reason, "result": result}
        for race, (outcome, reason, result) in zip(races, ends, strict=False)
    ]
    tests = [{"test": "test_a.py::b", "result": "passed", "races": races}]
    (line,) = (one for one in table(tests, tries).splitlines() if ROWS[0].what in one)
    assert line.endswith(
        "| 2, 1 with another result; 1 withdrawn: the other order is impossible; "
        "1 without: both pass one gate, and nothing holds the stages after it alone; 1 not tried "
        f"| {ROWS[0].page} |"
    )
