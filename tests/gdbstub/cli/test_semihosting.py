# SPDX-License-Identifier: Apache-2.0
"""`run --semihosting`: the console is standard output and input, the status that of the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensix_gdb.core.semihosting.operations import APPLICATION_EXIT, Op
from tests.core.semihosting.program import BLOCK, EXIT, block, data, program
from tests.elf_maker import make_elf, words
from tests.gdbstub.cli.terminal import CTRL_C, finish, in_terminal

COMMAND = ("run", "--engine", "reference")


@pytest.fixture
def elf(tmp_path: Path) -> Path:
    """Reads three letters and writes them to both outputs and into a file; status 3."""
    calls = [
        (Op.SYS_READ, block(0)),
        (Op.SYS_WRITE, block(1)),
        (Op.SYS_WRITE, block(2)),
        (Op.SYS_OPEN, block(3)),
        (Op.SYS_WRITE, block(4)),
        (Op.SYS_EXIT_EXTENDED, block(5)),
    ]
    blocks = [
        (0, data(0), 3),
        (1, data(0), 3),
        (2, data(0), 3),
        (data(1), 4, 4),
        (3, data(0), 3),
        (APPLICATION_EXIT, 3),
    ]
    table = b"".join(words(*fields).ljust(64, b"\0") for fields in blocks)
    path = tmp_path / "copy.elf"
    segments = [(0, words(*program(calls))), (BLOCK, table), (data(1), b"file")]
    path.write_bytes(make_elf(segments))
    return path


def test_console_files_and_status(elf: Path, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    given = tmp_path / "input"
    given.write_bytes(b"\xff\nabc")
    with given.open("rb") as file:
        status, out, err = finish(
            [*COMMAND, f"--elf=b={elf}", "--semihosting", "--semihosting-dir", folder],
            stdin=file,
            encoding="latin-1",
        )
    assert status == 3
    assert out.startswith("\xff\naB has ended with status 3 after ")
    assert err == "\xff\na"
    assert (folder / "file").read_bytes() == b"\xff\na"


def test_without_the_option_the_stop_names_it(elf: Path) -> None:
    status, out, err = finish([*COMMAND, f"--elf=b={elf}"])
    assert (status, err) == (1, "")
    assert "B at 0x0000001c: SYS_READ, a semihosting call, and nothing answers it: start" in out


def test_a_hart_that_ends_with_0_leaves_the_others(tmp_path: Path) -> None:
    path = tmp_path / "end.elf"
    path.write_bytes(make_elf([(0, words(*program([EXIT])))]))
    other = tmp_path / "other.elf"
    other.write_bytes(make_elf([(0x6000, words(*[0x13] * 40, 0x00100073))], entry=0x6000))
    arguments = [*COMMAND, f"--elf=b={path}", f"--elf=t0={other}", "--semihosting"]
    status, out, _ = finish(arguments)
    assert status == 0
    assert "T0 paused at ebreak" in out
    assert "\nB has ended with status 0\n" in out
    status, out, _ = finish([*arguments, "--until", "0x9000"])
    assert status == 1


def test_the_end_is_not_what_was_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "end.elf"
    path.write_bytes(make_elf([(0, words(*program([EXIT])))]))
    status, out, _ = finish([*COMMAND, f"--elf=b={path}", "--semihosting", "--until", "0x9000"])
    assert status == 1
    assert out.startswith("B has ended with status 0 after ")


def test_ctrl_c_while_it_waits_for_a_key(tmp_path: Path) -> None:
    path = tmp_path / "asks.elf"
    calls = [(Op.SYS_WRITE0, data(0)), (Op.SYS_READ, block(0))]
    segments = [(0, words(*program(calls))), (BLOCK, words(0, data(1), 3)), (data(0), b"key?\0")]
    path.write_bytes(make_elf(segments))
    with in_terminal([*COMMAND, f"--elf=b={path}", "--semihosting"]) as terminal:
        terminal.wait_for(b"key?")
        with pytest.raises(AssertionError):
            terminal.wait_for(b"anything", seconds=0.3)
        terminal.type(CTRL_C)
        terminal.wait_for(b"interrupted after ")
        assert terminal.wait_for_end() == 130


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--semihosting-dir", "."], "need --semihosting: add it"),
        (["--semihosting-arg", "x"], "need --semihosting: add it"),
        (["--semihosting", "--semihosting-dir", "/nowhere"], "/nowhere: No such file"),
        (["--semihosting", "gdb"], "invalid choice: 'gdb'"),
    ],
)
def test_wrong_options(options: list[str], said: str, elf: Path) -> None:
    status, _, err = finish([*COMMAND, f"--elf=b={elf}", *options])
    assert status == 2
    assert said in err
