# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb run`: how a run ends, in words and as exit status."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.benchmark.starting import seconds_of_processor
from tensix_gdb.core.arch.blackhole import NC, T2, B
from tensix_gdb.core.engine.cache import open_cache
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.cli.main import main
from tests.elf_maker import make_elf, words
from tests.gdbstub.cli.terminal import finish, start
from tests.patience import HANG
from tests.programs.build import DEMO, GCC, PROGRAMS, build

EBREAK, ECALL, JUMP_TO_ITSELF, NOP = 0x00100073, 0x00000073, 0x0000006F, 0x00000013
DEMO_B = f"--elf=b={DEMO / 'b.elf'}"  # continues forever
DEMO_T0, DEMO_T1, DEMO_NC = (f"--elf={hart}={DEMO / hart}.elf" for hart in ("t0", "t1", "nc"))

NOT_LOOKED_AT = (
    "one order of events was looked at, that of `latency`: `--races` says what nothing orders, "
    "`--seeds 20` tries others, `--schedule random:1,strict` one without the orders that no page "
    "grants"
)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    """Exit status and lines."""
    status = main(["run", *arguments])
    out, err = capsys.readouterr()
    assert err == ""
    return status, out.splitlines()


def cycles_to(elf: Path, hart: int, pc: int) -> int:
    """After how many cycles of `latency` a hart that is alone is at `pc`."""
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    try:
        machine.load(hart, read_elf(elf))
        while machine.read_pc(hart) != pc:
            assert machine.run(1) is None
        return int(machine.S.tile.cycle)
    finally:
        machine.close()


@pytest.fixture
def elf(tmp_path: Path) -> Path:
    """Where a small program can be put."""
    return tmp_path / "small.elf"


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_all_harts_pause(engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = run(capsys, DEMO_T0, DEMO_T1, DEMO_NC, "--engine", engine)
    assert status == 0
    assert lines[0].startswith("NC paused at ebreak, 0x00012054, _start at crt0.S:")
    assert [line.split(" ")[0] for line in lines[:3]] == ["NC", "T1", "T0"]
    assert lines[3].startswith("all harts have paused after ")


def test_until_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = run(capsys, "--dir", str(DEMO), "--until", "t0.c:38")
    assert status == 0
    assert lines[-1].startswith("T0 at 0x00006130, publish at t0.c:38: breakpoint after ")


def test_a_program_for_another_hart(capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = run(capsys, f"--elf=t0={DEMO / 'b.elf'}")
    assert status == 1
    assert "was the program linked for B or NC? The local RAM of T0 ends at 0xffb01000" in lines[0]


def test_an_ecall_pauses_too(elf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elf.write_bytes(make_elf([(0, words(NOP, ECALL))]))
    cycles = cycles_to(elf, NC, 0x4)
    assert run(capsys, f"--elf=nc={elf}") == (
        0,
        [
            "NC paused at ecall, 0x00000004, after 1 instructions",
            f"all harts have paused after {cycles} cycles",
            NOT_LOOKED_AT,
        ],
    )


@pytest.mark.parametrize(
    ("words_of", "options", "said"),
    [
        ((NOP, EBREAK), (), True),
        ((NOP, EBREAK), ("--schedule", "random:1"), False),
        ((NOP, EBREAK), ("--schedule", "sc"), False),
        ((NOP, EBREAK), ("--until", "0x4"), False),
        ((NOP, 0xFFFFFFFF), (), False),
    ],
)
def test_a_green_run_says_what_was_not_looked_at(
    words_of: tuple[int, ...],
    options: tuple[str, ...],
    elf: Path,
    capsys: pytest.CaptureFixture[str],
    *,
    said: bool,
) -> None:
    elf.write_bytes(make_elf([(0, words(*words_of))]))
    _, lines = run(capsys, f"--elf=b={elf}", *options)
    assert (lines[-1] == NOT_LOOKED_AT) is said
    assert NOT_LOOKED_AT not in lines[:-1]


def test_a_fault(elf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elf.write_bytes(make_elf([(0, words(NOP, 0xFFFFFFFF))]))
    status, lines = run(capsys, f"--elf=t2={elf}")
    assert status == 1
    assert lines[0].startswith("T2 at 0x00000004: ")
    assert "0xffffffff" in lines[0]
    assert lines[0].endswith(f"after {cycles_to(elf, T2, 0x4)} cycles")


@pytest.mark.parametrize("until", ["main", "0x70"])
def test_until_a_symbol_or_an_address(until: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = run(capsys, DEMO_B, "--until", until)
    assert status == 0
    assert lines[0].startswith("B at 0x00000070, main at b.c:")
    cycles = cycles_to(DEMO / "b.elf", B, 0x70)
    assert lines[0].endswith(f": breakpoint after {cycles} cycles")


def test_until_is_never_reached(elf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elf.write_bytes(make_elf([(0, words(EBREAK, NOP))]))
    status, lines = run(capsys, f"--elf=b={elf}", "--until", "0x4")
    assert status == 1
    assert re.fullmatch(r"all harts have paused after \d cycles, none has reached 0x4", lines[-1])


def test_too_many_cycles(elf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elf.write_bytes(make_elf([(0, words(NOP, JUMP_TO_ITSELF))]))
    assert run(capsys, f"--elf=b={elf}", "--max-cycles", "12345") == (
        1,
        [
            "still running after 12345 cycles: B at 0x00000004",
            "    B spins at 0x00000004 in the last 1000 cycles",
            f"why: `tensix-gdb diagnose --elf b={elf} --max-cycles 12345`",
        ],
    )


def test_too_many_cycles_name_the_lines_of_each_loop(
    tmp_path: Path, tool: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    tool(GCC)
    elf = build(PROGRAMS / "spin.c", "B", tmp_path / "b.elf")
    status, lines = run(capsys, f"--elf=b={elf}", "--max-cycles", "20000")
    assert status == 1
    assert lines[0].startswith("still running after 20000 cycles: B at 0x0000")
    assert re.fullmatch(r"    B spins at (spin\.c:\d+(, )?)+ in the last 1000 cycles", lines[1])


@pytest.mark.long("tests/core/engine/test_background.py")
def test_a_long_run_does_not_wait_for_slow_code(tmp_path: Path) -> None:
    """It begins in Python, and moves up as soon as there is machine code. The cache has the units
    that the compiler takes longest for, and not yet what says that they are the whole."""
    Machine(engine="compiled").close()
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    for unit in open_cache().directory.glob("*.object"):
        shutil.copy(unit, cache)
    status, out, err = finish(
        ["run", DEMO_B, "--max-cycles", 20_000_000],
        env={"TENSIX_GDB_CACHE": str(cache)},
    )
    assert status == 1
    assert re.fullmatch(r"tensix-gdb: the tile runs on the reference.* in \S+/cache\n", err)
    # In Python alone it would be a quarter of an hour, and `finish` does not wait that long.
    assert "still running after 20000000 cycles: B at" in out


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_ctrl_c_says_where_it_is(engine: str) -> None:
    arguments = ["run", DEMO_B, DEMO_NC, "--engine", engine, "--max-cycles", 10**12]
    Machine(engine=engine).close()  # so that nothing is left to compile
    with start(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            # Not before it runs: a start takes less than so many seconds of the processor.
            while seconds_of_processor(process.pid) < 2:
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=HANG)
        finally:
            process.kill()
    assert err == ""
    assert process.returncode == 130
    assert "\ninterrupted after " in "\n" + out
    assert "cycles: B at 0x000000" in out


def test_a_pause_at_a_place(elf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elf.write_bytes(make_elf([(0, words(NOP, NOP, EBREAK))]))
    latency = [f"--elf=b={elf}", "--schedule", "latency", "--engine", "reference"]
    _, plain = run(capsys, *latency)
    _, paused = run(capsys, *latency, "--pause", "b@0x4:500")
    cycles = [int(lines[1].split()[5].replace(",", "")) for lines in (plain, paused)]
    assert 490 < cycles[1] - cycles[0] <= 500


@pytest.mark.parametrize(
    ("schedule", "pause", "said"),
    [
        ("sc", "B@0x4:500", "--pause B@0x4:500: nothing takes time in the schedule sc: choose"),
        ("latency", "B@0x4", "--pause 'B@0x4' is not a pause: type HART@PLACE:CYCLES"),
        ("latency", "B@main:5", "--pause B@main:5: the program of B has no symbol main"),
    ],
)
def test_a_pause_that_cannot_be(
    elf: Path, schedule: str, pause: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    elf.write_bytes(make_elf([(0, words(EBREAK))]))
    arguments = [f"--elf=b={elf}", "--schedule", schedule, "--engine", "reference"]
    assert main(["run", *arguments, "--pause", pause]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
