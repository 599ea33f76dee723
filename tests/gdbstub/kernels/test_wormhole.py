# SPDX-License-Identifier: Apache-2.0
"""`build --arch wormhole`, and what our headers have for kernels of both chips."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1, B
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.coordinates import DRAM, WORMHOLE_DRAM
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.kernels.project import FILES, KERNELS, ON_WORMHOLE, TEMPLATE
from tests.gdbstub.kernels.kernels import C_TOOLS, want, want_llk

BITS = """
#include "tensix_by_name.h"
volatile union { struct { u32 low : 5, middle : 11, high : 16; } part; u32 all; } word;
u32 main(void)
{
    word.part.high = 0x1234;
    return word.all >> 16;
}
"""
SENDS = """
#include "tensix_by_name.h"
u32 main(void)
{
    MAILBOX(2) = 5;
    return take_mail(2);
}
"""
ADDS = """
#include "tensix_by_name.h"
u32 main(void)
{
    GPR(4) = take_mail(1); /* 5; read back and used: it is there before the thread reads it */
    __asm__ volatile("and zero, %0, zero" : : "r"(GPR(4)));
    u32 add = ADDDMAREG_Imm | ADDDMAREG_result_reg(4) | ADDDMAREG_left_reg(4);
    push_word(add | ADDDMAREG_right_imm6(1)); /* 6 */
    mop_loop(2, 3, add | ADDDMAREG_right_imm6(10), add | ADDDMAREG_right_imm6(1), NOP,
             add | ADDDMAREG_right_imm6(5), NOP); /* 2 * (10 + 3 + 5) = 36 more */
    TTINSN(MOP | MOP_template_DOUBLE_LOOP);
    wait_for_tensix();
    mop_mask(add | ADDDMAREG_right_imm6(20), NOP, add | ADDDMAREG_right_imm6(2), NOP);
    TTINSN(MOP | MOP_template_MASK_LOOP | MOP_count1(2) | MOP_mask_lo(2)); /* 20 + 2 + 20 more */
    wait_for_tensix();
    MAILBOX(1) = GPR(4);
    return GPR(4);
}
"""
COPIES = """
#include "tensix_noc.h"
u32 main(void)
{
    noc_read(0, NOC_PLACE(DRAM_X, DRAM_Y), 0x1000, 0x20000, 64);
    noc_wait_reads(0);
    noc_write(0, NOC_HERE(0), 0x20100, 0x20000, 64);
    noc_wait_writes(0);
    return *(volatile u32 *)0x20100;
}
"""
ARCHES = [pytest.param(one, id=one.name.lower()) for one in (Arch.BLACKHOLE, Arch.WORMHOLE)]
SCHEDULES = (Execution(Schedule.LATENCY), *(Execution(Schedule.RANDOM, seed) for seed in range(4)))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: Callable[[str], str]) -> Path:
    want(tool, *C_TOOLS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def built(folder: Path, arch: Arch, *options: str, **sources: str) -> None:
    typed = []
    for hart, text in sources.items():
        (folder / f"{hart}.c").write_text(text, "utf-8")
        typed.append(f"{hart}.c")
    assert main(["build", "--arch", arch.name.lower(), "-O", "2", *options, *typed]) == 0


def loaded(folder: Path, arch: Arch, execution: Execution, *harts: int) -> Machine:
    machine = Machine(engine="reference", schedule=execution, arch=arch)
    for hart in harts:
        machine.load(hart, read_elf(folder / "build" / f"{('b', 't0', 't1')[hart]}.elf"))
    return machine


@pytest.mark.parametrize("arch", ARCHES)
def test_mailboxes_pushes_and_mops(folder: Path, arch: Arch) -> None:
    built(folder, arch, t0=SENDS, t1=ADDS)
    machine = loaded(folder, arch, Execution(Schedule.LATENCY), T0, T1)
    machine.run(5000)
    machine.run(5000)
    assert (machine.read_x(T0, 10), machine.read_x(T1, 10)) == (84, 84)
    machine.close()


@pytest.mark.parametrize("arch", ARCHES)
def test_requests_of_the_noc(folder: Path, arch: Arch) -> None:
    (x, y), _, _ = WORMHOLE_DRAM[1] if arch is Arch.WORMHOLE else DRAM[1]
    built(folder, arch, f"-DDRAM_X={x}", f"-DDRAM_Y={y}", b=COPIES)
    machine = loaded(folder, arch, Execution(Schedule.LATENCY), B)
    machine.outside.dram[1].write(0x1000, (0xC0FFEE).to_bytes(4, "little"))
    machine.run(20_000)
    assert machine.read_x(B, 10) == 0xC0FFEE
    machine.close()


@pytest.mark.parametrize("arch", ARCHES)
def test_bit_fields_are_read_as_they_were_written(folder: Path, arch: Arch) -> None:
    """On Wormhole by the load that the compiler adds: the word has another first byte than `sh`."""
    built(folder, arch, t0=BITS)
    for execution in SCHEDULES:
        machine = loaded(folder, arch, execution, T0)
        machine.run(2000)
        assert machine.read_x(T0, 10) == 0x1234
        machine.close()


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_new_project(
    kernel: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It runs on a tile of Wormhole, and everything that starts one says so."""
    with_llk = kernel == "add.cpp"
    if with_llk:
        want_llk(monkeypatch)
    assert main(["new", "mine", "--arch", "wormhole", *["--llk"] * with_llk]) == 0
    said = capsys.readouterr().out
    assert "tensix-gdb build --arch wormhole " in said
    assert "tensix-gdb run --arch wormhole --dir build " in said
    for path in (folder / "mine").rglob("*.*"):
        if path.suffix in (".py", ".json", ".c", ".cpp"):
            assert "@" not in path.read_text("utf-8").replace("@pytest", ""), path
    assert 'arch="wormhole"' in (folder / "mine/test_add.py").read_text("utf-8")
    tasks = (folder / "mine/.vscode/tasks.json").read_text("utf-8")
    assert tasks.count('"--arch", "wormhole"') == 2  # to build, and to serve
    chip = ["--arch", "wormhole"]
    assert main(["build", *chip, f"mine/{kernel}", "-o", "mine/build"]) == 0
    typed = shlex.split(" ".join(FILES).replace("=", "=mine/"))
    run = ["run", *chip, "--dir", "mine/build", *typed, "--engine", "reference"]
    for schedule in ("latency", "random:1"):
        assert main([*run, "--schedule", schedule]) == 0, capsys.readouterr().out
    observed = ["--races", "--check", "all", "--error-exitcode", "9"]
    assert main([*run, *observed]) == 0, capsys.readouterr().out


def test_what_wormhole_has_instead_is_in_a_kernel() -> None:
    kernels = [(TEMPLATE / name).read_text("utf-8") for name in KERNELS]
    for old in ON_WORMHOLE:
        assert sum(text.count(old) for text in kernels) == 1, old


def test_it_says_what_to_type_next(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    built(folder, Arch.WORMHOLE, t0=BITS)
    said = capsys.readouterr().out
    assert "Compiled for Wormhole with " in said
    assert "`tensix-gdb run --arch wormhole --dir build`" in said
    assert main(["run", "--arch", "wormhole", "--dir", "build", "--engine", "reference"]) == 0
    assert "was built for" not in capsys.readouterr().err


def test_a_pair_of_lines_on_wormhole(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A word, then a byte of it: no compiler guards that (tt-metal#55505)."""
    text = BITS.replace("word.part.high = 0x1234;", "word.all = 0x12340000;")
    text = text.replace("word.all >> 16", "((volatile u8 *)&word)[3]")
    built(folder, Arch.WORMHOLE, t0=text)
    pair = ["check", "--pair", "t0.c:6", "t0.c:7", "--dir", "build", "--engine", "reference"]
    capsys.readouterr()
    assert main([*pair, "--arch", "wormhole"]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert said.startswith("no")
    assert "The load begins at another byte than the store." in said
