# SPDX-License-Identifier: Apache-2.0
"""`run --seeds`: other orders of the same run, and the place at which a wait is missing.

tests/examples/test_planted.py has it of kernels with a wait taken out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.cli import after_run
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.cli.terminal.keyboard import Keyboard
from tensix_gdb.gdbstub.order.seeds.command import other_orders, seeds_of
from tensix_gdb.gdbstub.order.seeds.trial import Interrupted, Trials
from tensix_gdb.gdbstub.usage import UsageError
from tests.assembler import asm, li
from tests.elf_maker import make_elf, words
from tests.gdbstub.kernels.kernels import refusal

FLAG, SEEN = 0x20000, 0x30000
WAITS = 60  # instructions: in `latency` long enough
EBREAK, NOP = asm("ebreak"), asm("addi", rd=0, rs1=0, imm=0)
WRITER = [*li(10, FLAG), *li(11, 7), asm("sw", rs2=11, rs1=10, imm=0), EBREAK]
READER = [
    *(*li(10, FLAG), *li(12, SEEN), *([NOP] * WAITS)),
    *(asm("lw", rd=11, rs1=10, imm=0), asm("sw", rs2=11, rs1=12, imm=0), EBREAK),
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A reader that only counts on time, and what it should see."""
    (tmp_path / "t0.elf").write_bytes(make_elf([(0x6000, words(*WRITER))], entry=0x6000))
    (tmp_path / "t1.elf").write_bytes(make_elf([(0xA000, words(*READER))], entry=0xA000))
    wanted = np.zeros((1, 16))
    wanted[0, 0] = 7
    np.save(tmp_path / "seen.npy", wanted)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, list[str]]:
    status = main(
        ["run", "--dir=.", "--engine=compiled", "--expect=0x30000=seen.npy:uint32,rows", *options]
    )
    out, err = capsys.readouterr()
    assert err == ""
    return status, out.splitlines()


def test_a_wait_for_another_hart_is_missing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = run(capsys, "--seeds=20")
    assert status == 1
    assert "0x30000 is seen.npy, as uint32: all 16 datums of 1x16" in lines
    at = next(i for i, line in enumerate(lines) if line.startswith("other orders: "))
    assert " of 20 seeds are not as wanted: random:" in lines[at]
    assert lines[at].endswith("; `latency` is")
    assert lines[at + 1].startswith("a wait for another thread is missing (SEMWAIT, a mailbox)")
    load = 0xA000 + 4 * (len(READER) - 3)
    assert lines[at + 2] == f"    T1: before {load:#010x} (once)"
    assert lines[at + 3 :] == []


def test_the_first_of_them_goes_well(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A run with a seed alone says no more than before; one in `latency` says what to type."""
    status, lines = run(capsys)
    assert status == 0
    assert lines[-1].startswith("one order of events was looked at, that of `latency`: ")
    assert "`--seeds 20`" in lines[-1]


def test_what_no_wait_mends(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save("seen.npy", np.full((1, 16), 8))
    status, lines = run(capsys, "--seeds=3-4")
    assert status == 1
    assert lines[-2:] == [
        "other orders: 2 of 2 seeds are not as wanted: random:3, random:4; `latency` is not either",
        "no order goes well, and no wait at one place mends it: look for a mistake that has "
        "nothing to do with waiting",
    ]


def test_options_of_the_schedule_stay(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save("seen.npy", np.full((1, 16), 8))
    _, lines = run(capsys, "--seeds=3-4", "--schedule=random:1,strict")
    assert lines[-2].endswith(": random:3,strict, random:4,strict; `random:1,strict` is not either")


def test_all_go_well(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save("seen.npy", np.zeros((1, 16)))
    (here / "t0.elf").write_bytes(make_elf([(0x6000, words(EBREAK))], entry=0x6000))
    status, lines = run(capsys, "--seeds=5")
    assert (status, lines[-1]) == (0, "other orders: all 5 seeds are as wanted")


def test_ctrl_c(here: Path) -> None:
    machine = Machine(schedule=Execution(Schedule.LATENCY))
    trials = Trials(machine, 1000, lambda _: True, lambda: True)
    with pytest.raises(Interrupted):
        trials.goes_well(Execution(Schedule.LATENCY))
    lines, good = other_orders(machine, [1], lambda _: True, lambda: True, went_well=True)
    assert (lines, good) == (["interrupted: not all orders were looked at"], False)
    machine.close()


def test_the_status_after_ctrl_c(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is that of a run which Ctrl-C has ended."""

    @contextmanager
    def pressed(*, second_ends: bool = False) -> Iterator[Keyboard]:
        yield Keyboard(interrupted=second_ends)

    monkeypatch.setattr(after_run, "listening", pressed)
    np.save("seen.npy", np.zeros((1, 16)))
    (here / "t0.elf").write_bytes(make_elf([(0x6000, words(EBREAK))], entry=0x6000))
    status, lines = run(capsys, "--seeds=5")
    assert (status, lines[-1]) == (130, "interrupted: not all orders were looked at")


@pytest.mark.parametrize(
    ("text", "seeds"), [("3", range(3)), ("7-9", range(7, 10)), ("5-5", range(5, 6))]
)
def test_seeds(text: str, seeds: range) -> None:
    assert seeds_of(text) == seeds


@pytest.mark.parametrize(
    "text", ["", "x", "3,7", "-3", "0", "9-7", "10001", "4294967296-4294967297"]
)
def test_no_seeds(text: str) -> None:
    with pytest.raises(UsageError, match="--seeds"):
        seeds_of(text)


@pytest.mark.parametrize(
    "option", ["--trace=x", "--core=x", "--record-to=x", "--until=main", "--schedule=sc"]
)
def test_options_of_one_run(here: Path, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = refusal(capsys, "run", "--dir=.", "--seeds=2", option)
    assert said.startswith("--seeds")
    assert option.partition("=")[0] in said
