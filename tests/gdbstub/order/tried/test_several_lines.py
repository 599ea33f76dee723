# SPDX-License-Identifier: Apache-2.0
"""Diffs of more than a line: configuration that is put back, and a semaphore of two agents. Each is
tried, compiled in a copy, and run there."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.examples.planted.patched import rows
from scripts.examples.planted.planting import typed
from tensix_gdb.gdbstub.cli.main import main
from tests.gdbstub.kernels.kernels import C_TOOLS, want
from tests.tools import find_tool

HEAD = '#include "tensix_by_name.h"\n#define RELU WORD(STACC_RELU_ApplyRelu)\n'
SETS = "TTINSN(RMWCIB0 | RMWCIB0_index4(RELU) | RMWCIB0_mask(60) | RMWCIB0_new_value(8));"
READS = "TTINSN(RDCFG | RDCFG_result_reg(4) | RDCFG_cfg_index(RELU));"
WORD = "#define HERE (*(volatile u32 *)0x40000)\n"
DONE = ("wait_for_tensix();",)
Diagnosed = Callable[..., list[str]]


def program(core: str, *lines: str) -> str:
    body = "".join(f"    {line}\n" for line in (*lines, "return 0;"))
    return f"#ifdef LLK_TRISC_{core}\nint main(void)\n{{\n{body}}}\n#endif\n"


@pytest.fixture
def ran(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Diagnosed:
    """Build a kernel, run it observed, and try remedies with `--apply`."""
    want(find_tool, *C_TOOLS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def run(text: str, *options: str) -> list[str]:
        Path("two.c").write_text(text)
        words = ["build", "two.c", "--sfpi", "none"]
        typed(shlex.join(["tensix-gdb", *words]), tmp_path)
        command = shlex.join([sys.executable, "-m", "tensix_gdb.gdbstub", *words])
        main(["run", "--dir", "build", "--apply", command, *options])
        return capsys.readouterr().out.splitlines()

    return run


def added(lines: list[str]) -> list[str]:
    """The lines that diffs add."""
    return [line[1:].strip() for line in lines if line.startswith("+") and line[:3] != "+++"]


def test_what_a_kernel_leaves_is_put_back_at_its_end(ran: Diagnosed) -> None:
    sets = "configure(STACC_RELU_ApplyRelu, 3);"
    text = HEAD + program("PACK", sets) + program("MATH") + program("UNPACK")
    lines = ran(text, "--check", "leaks")
    tried = "K1 1, tried: put back STACC_RELU_ApplyRelu = 0x0 before two.c:"
    assert any(line.startswith(tried) for line in lines)
    assert any(line.startswith("K1 1: a diff; compiled and run in a copy") for line in lines)
    assert added(lines) == ["wait_for_tensix();", "configure(STACC_RELU_ApplyRelu, 0x0);"]


def test_of_a_thread_with_setc16(ran: Diagnosed) -> None:
    sets = "set_thread(WORD(SFPU_DEST_FMT_Enable), FIELD(SFPU_DEST_FMT_Enable, 1));"
    text = HEAD + program("PACK") + program("MATH", sets, *DONE) + program("UNPACK")
    lines = ran(text, "--check", "leaks")
    assert any(line.startswith("K1 1: a diff; compiled and run") for line in lines), lines
    assert added(lines) == ["set_thread(WORD(SFPU_DEST_FMT_Enable), 0x0);"]


def test_a_semaphore_of_two_threads(ran: Diagnosed) -> None:
    text = HEAD + program("MATH", SETS, *DONE) + program("PACK", READS, *DONE)
    lines = ran(text + program("UNPACK"), "--races")
    assert any(line.startswith("RACE 1: a diff; compiled and run") for line in lines), lines
    assert added(lines) == [
        "TTINSN(SEMINIT | SEMINIT_new_max(15) | SEMINIT_new_value(0) | SEMINIT_sem_S7);",
        "TTINSN(SEMPOST | SEMPOST_sem_S7);",
        "TTINSN(SEMWAIT | SEMWAIT_block_B1 | SEMWAIT_block_B7 | SEMWAIT_sem_S7 | SEMWAIT_wait_C0);",
        "TTINSN(SEMGET | SEMGET_sem_S7);",
    ]


def test_a_semaphore_of_two_cores(ran: Diagnosed) -> None:
    writes = program("MATH", "HERE = 5;", *DONE)
    reads = program("PACK", "for (u32 i = 0; i < 100; i++)", "    TTINSN(NOP);",
                    "u32 found = HERE;", "TAKE(found);")  # fmt: skip
    take = '#define TAKE(value) __asm__ volatile("and zero, %0, zero" : : "r"(value))\n'
    lines = ran(HEAD + WORD + take + writes + reads + program("UNPACK"), "--races")
    assert any(line.startswith("RACE 1: a diff; compiled and run") for line in lines), lines
    found = added(lines)
    assert found[1] == "wait_for_tensix();"
    assert "*(volatile unsigned *)0xffe8003c = 0; /* posts semaphore 7 */" in found
    assert "*(volatile unsigned *)0xffe8003c = 1; /* takes semaphore 7 */" in found


@pytest.mark.sample(2, "kernels that get a diff")
@pytest.mark.parametrize(
    ("name", "reports"),
    [
        ("packer", ["RACE 1"]),
        ("tt-metal#48365", ["K1 1"]),  # RMWCIB of a word that two cores have fields of
        ("tt-metal#56500", ["RACE 1", "K5 3"]),
    ],
)
def test_a_kernel_with_a_bug_gets_diffs(name: str, reports: list[str], tmp_path: Path) -> None:
    want(find_tool, *C_TOOLS)
    (row,) = rows(tmp_path, [name])
    assert (row.diffs, row.failed) == (reports, [])


def test_a_pair_that_a_loop_shows_both_ways(tmp_path: Path) -> None:
    """No wait of the thread orders its read of a GPR before the core's next store."""
    want(find_tool, *C_TOOLS)
    (row,) = rows(tmp_path, ["gpr"])
    assert row.diffs == ["RACE 2"]
    assert not row.without


def test_nothing_for_a_function_that_returns_twice(ran: Diagnosed) -> None:
    more = ("configure(STACC_RELU_ApplyRelu, 3);", "if (HERE)", "    return 1;", "HERE = 2;")
    text = HEAD + WORD + program("PACK", *more) + program("MATH") + program("UNPACK")
    lines = ran(text, "--check", "leaks")
    said = [line for line in lines if line.startswith("K1 1: ")]
    why = "the function of the kernel has not one return that is known"
    assert said == [f"K1 1: no diff: 1 remedy tried: {why}"]
    assert not added(lines)
