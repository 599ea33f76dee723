# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb origin`: how it is ended, and what `--diff` takes."""

from __future__ import annotations

import signal
from pathlib import Path

import numpy as np
import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.cli.terminal.keyboard import answering, listening
from tests.elf_maker import make_elf, words
from tests.gdbstub.cli.terminal import CTRL_C, in_terminal
from tests.programs.build import DEMO

ENDLESS = ["origin", f"--elf=b={DEMO / 'b.elf'}", "--schedule", "sc", "0x21000"]
ENDLESS += ["--max-cycles", "1000000000000"]  # a fast machine executes the usual 10**9 in a second
EBREAK = 0x00100073


def test_the_second_ctrl_c_ends_it() -> None:
    """The first has ended the run, and the answer would take as long as the run."""
    with in_terminal(ENDLESS, TERM="xterm", COLUMNS="120") as terminal:
        terminal.wait_for(b" cycles ")
        terminal.type(CTRL_C)
        terminal.wait_for(b"interrupted after ")
        terminal.type(CTRL_C)
        assert terminal.wait_for_end() in (130, -signal.SIGINT)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_without_an_answer(number: signal.Signals) -> None:
    with in_terminal(ENDLESS, TERM="xterm", COLUMNS="120") as terminal:
        terminal.wait_for(b" cycles ")
        terminal.signal(number)
        assert terminal.wait_for_end() == 128 + number
        assert b"written" not in terminal.shown


def test_the_second_ctrl_c_raises_where_that_is_asked_for() -> None:
    """Of `seeds` and `run --seeds`: what they have begun is then given up."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with listening() as keyboard:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            assert keyboard.is_interrupted()
        with listening(second_ends=True) as keyboard:
            signal.raise_signal(signal.SIGINT)
            assert keyboard.is_interrupted()
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_search_notes_one_ctrl_c(capfd: pytest.CaptureFixture[str]) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with answering(was_interrupted=False) as keyboard:
            assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
            assert not keyboard.is_interrupted()
            signal.raise_signal(signal.SIGINT)
            assert keyboard.is_interrupted()
            assert signal.getsignal(signal.SIGINT) == signal.SIG_DFL  # the next one ends it
        assert signal.getsignal(signal.SIGINT) == signal.default_int_handler
        assert "Ctrl-C again" in capfd.readouterr().err
        with answering(was_interrupted=True):
            assert signal.getsignal(signal.SIGINT) == signal.SIG_DFL
    finally:
        signal.signal(signal.SIGINT, before)


def test_diff_has_tolerances(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elf, golden = tmp_path / "b.elf", tmp_path / "golden.npy"
    elf.write_bytes(make_elf([(0, words(EBREAK))]))
    np.save(golden, np.full((32, 32), 0.02, np.float32))
    given = ["origin", f"--elf=b={elf}", "--diff"]
    assert main([*given, f"0x40000={golden}:fp32,atol=0.03"]) == 0
    assert "nothing differs" in capsys.readouterr().out
    assert main([*given, f"0x40000={golden}:fp32,rtol=0.5,atol=0.02,rows"]) == 0
    for wrong in ("atol=0.01", "rtol=0.5", "rtol"):
        assert main([*given, f"0x40000={golden}:fp32,{wrong}"]) == 1
        assert "0x40000" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words_after", "said"),
    [
        (",atol", "atol is no tolerance"),
        (",atol=-1", "atol=-1 is no tolerance"),
        (",rtol=x", "rtol=x is no tolerance"),
        (",32x32", "'32x32' is no option of --diff: there are rows, rtol, rtol=NUMBER"),
        (",", "'' is no option of --diff"),
    ],
)
def test_diff_refuses(
    words_after: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    elf, golden = tmp_path / "b.elf", tmp_path / "golden.npy"
    elf.write_bytes(make_elf([(0, words(EBREAK))]))
    np.save(golden, np.zeros((32, 32), np.float32))
    diff = f"0x40000={golden}:fp32{words_after}"
    assert main(["origin", f"--elf=b={elf}", "--diff", diff]) == 2
    assert said in capsys.readouterr().err
