# SPDX-License-Identifier: Apache-2.0
"""The answer to wrong input is one sentence that says what to type, and exit status 2."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tests.elf_maker import make_elf, words
from tests.programs.build import DEMO

B_ELF, T0_ELF = DEMO / "b.elf", DEMO / "t0.elf"
EBREAK = 0x00100073
BAD_FILES = {
    "no.elf": None,
    "text.elf": b"#!/bin/sh\n",
    "wide.elf": make_elf([(0, words(EBREAK))], bits=2),
    "big.elf": make_elf([(0, words(EBREAK))], endian=2),
    "arm.elf": make_elf([(0, words(EBREAK))], machine=40),
    "cut.elf": make_elf([(0, words(EBREAK))])[:-2],
    "twice.elf": make_elf([(0, bytes(8)), (4, bytes(8))]),
    "nowhere.elf": make_elf([(0xF000_0000, words(EBREAK))], entry=0xF000_0000),
    "good.elf": make_elf([(0, words(EBREAK))]),
    "other.elf": make_elf([(0, words(0x13, EBREAK))]),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory to be in, with files of many kinds."""
    for name, content in BAD_FILES.items():
        if content is not None:
            (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    # With an empty cache the compiler starts: it has to be ended, or a warning is an error here.
    monkeypatch.setenv("TENSIX_GDB_CACHE", str(tmp_path / "cache"))
    return tmp_path


def refusal(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The one sentence that a command line gets."""
    assert main(command.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("tensix-gdb: ")
    assert err.count("\n") == 1
    return err.removeprefix("tensix-gdb: ").rstrip("\n")


# fmt: off
WRONG = {
    "":                                  "COMMAND is missing: type for example `tensix-gdb demo`",
    "debug":                             "there is no command 'debug'; `tensix-gdb --help` shows",
    "runn":                              "there is no command 'runn'; the nearest is run; `",
    "serve --prot 3":                    "--prot: there is no such option here; the nearest is --p",
    "run good.elf":                      "good.elf: a program is given as --elf HART=FILE, a fold",
    "sfpi good.elf":                     "good.elf: nothing is expected here; `tensix-gdb sfpi --h",
    "demo --fast":                       "--fast: there is no such option here",
    "serve":                             "nothing to run: name a program as in --elf b=program.elf",
    "gdb good.elf":                      "nothing to run: name a program as in --elf b=program.elf",
    "run --elf good.elf":                "'good.elf' does not say HART=FILE, as in b=program.elf",
    "run --elf b=":                      "'b=' does not say HART=FILE",
    "run --elf t3=good.elf":             "harts are b, t0, t1, t2, nc",
    "run --elf b=no.elf":                "no.elf: cannot be read: No such file or directory",
    "run --elf b=.":                     ".: a directory, not an ELF file",
    "run --elf b=text.elf":              "text.elf: not an ELF file",
    "run --elf b=wide.elf":              "wide.elf: a 64-bit ELF file",
    "run --elf b=big.elf":               "big.elf: a big-endian ELF file",
    "run --elf b=arm.elf":               "arm.elf: built for EM_ARM, not RISC-V",
    "run --elf b=cut.elf":               "cut.elf: the file is truncated",
    "run --elf b=twice.elf":             "twice.elf: segments overlap",
    "run --elf b=nowhere.elf":           "nowhere.elf: segment 0xf0000000..0xf0000004 is in no",
    "run --elf b=good.elf --elf b=x":    "two files for b: good.elf and x; choose one",
    "run --elf b=good.elf --elf nc=other.elf": "other.elf and good.elf overlap in L1 from 0x",
    "run --elf b=good.elf --engine fast":      "invalid choice: 'fast'",
    "run --elf b=good.elf --schedule fast":    "'fast' is not a schedule: type sc, latency, or",
    "run --elf b=good.elf --max-cycles 0":     "'0' is not a number of cycles above 0",
    "run --elf b=good.elf --until end":        "--until end: no such symbol in good.elf",
    "run --elf b=good.elf --until a.c:1":     "--until a.c:1: no such line with code in good.elf",
    "run --elf b=good.elf --until 0x2":        "--until 0x2: no instruction can be there",
    "run --elf b=good.elf --until 0x100000000": "--until 0x100000000: no instruction can be there",
    "serve --elf b=good.elf --port 65536":     "'65536' is not a port from 0 to 65535",
    "serve --elf b=good.elf --host a..b":     "cannot listen on 'a..b': there is no such host",
    "serve --elf b=good.elf --host [::1]":    "cannot listen on '[::1]': there is no such host",
    "serve --elf b=good.elf --rsp-log no/log": "--rsp-log no/log cannot be written: No such file",
    "gdb --elf b=good.elf --gdb no-gdb":       "--gdb no-gdb: there is no such program",
    "replay no.log":                           "no.log cannot be read: No such file or directory",
    "replay text.elf":                         "text.elf names no program: it is not a packet log",
}
# fmt: on


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", WRONG)
def test_what_is_wrong_is_said(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert WRONG[command] in refusal(command, capsys)


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        said = refusal(f"serve --elf b={B_ELF} --port {port}", capsys)
    assert said == (
        f"cannot listen on 127.0.0.1 port {port}: address already in use; choose another with "
        "--port, or 0 for any that is free"
    )


@pytest.mark.parametrize("command", ["gdb --elf b={elf}", "demo"])
def test_no_gdb_at_all(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    said = refusal(command.format(elf=B_ELF), capsys)
    assert said == "no GDB found; install gdb-multiarch, or name yours with --gdb"


def a_gdb(folder: Path, name: str, says: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only GDB in the path is one that prints this."""
    program = folder / name
    program.write_text(f"#!/bin/sh\n{says}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    return program


def test_a_gdb_that_does_not_know_the_processor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    a_gdb(tmp_path, "gdb", """echo 'Undefined item: "riscv:rv32".' >&2; exit 1""", monkeypatch)
    said = refusal(f"gdb --elf b={B_ELF}", capsys)
    assert "gdb knows no RISC-V; install gdb-multiarch" in said


def test_a_gdb_that_is_named_and_does_not_know_the_processor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = a_gdb(tmp_path, "gdb-multiarch", "exit 0", monkeypatch)
    (tmp_path / "own").mkdir()
    own = a_gdb(
        tmp_path / "own", "gdb", """echo 'Undefined item: "riscv:rv32".' >&2""", monkeypatch
    )
    monkeypatch.setenv("PATH", str(tmp_path))
    said = refusal(f"gdb --elf b={B_ELF} --gdb {own}", capsys)
    assert said == (f"{own} knows no RISC-V; type --gdb {other}, or name another GDB with --gdb")


def test_a_program_for_the_other_chip_is_noticed(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    assert main(["run", f"--elf=b={B_ELF}", "--until=main", "--arch=wormhole"]) == 0
    assert caplog.messages == [
        f"{B_ELF} was built for Blackhole, as its extension Zba tells, and this tile takes "
        "Wormhole's instructions: start with --arch blackhole, or build it for Wormhole"
    ]
    caplog.clear()
    assert main(["run", f"--elf=b={B_ELF}", "--until=main"]) == 0
    assert caplog.messages == []


def test_a_gdb_without_python_cannot_show_the_demo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    says = "echo Scripting in the Python language is not supported in this copy of GDB. >&2"
    a_gdb(tmp_path, "gdb-multiarch", says, monkeypatch)
    assert "the demo needs a GDB with Python" in refusal("demo", capsys)


def test_a_gdb_that_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = a_gdb(tmp_path, "gdb-multiarch", "", monkeypatch)
    broken.write_text("#!/no/such/shell\n")
    said = refusal(f"gdb --elf b={B_ELF}", capsys)
    assert said == f"{broken} cannot be started: No such file or directory"


@pytest.mark.parametrize("command", ["", "serve", "run", "gdb", "replay", "demo"])
def test_help_teaches(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--help"])
    assert ended.value.code == 0
    out, _ = capsys.readouterr()
    assert out.startswith(f"usage: tensix-gdb {command}".rstrip())
    if command == "":
        for shown in ("serve", "run", "gdb", "demo", "Start with `tensix-gdb demo`"):
            assert shown in out
    if command in ("serve", "run", "gdb"):
        assert "HART=FILE" in out
        assert "(b, t0, t1, t2, nc)" in out
