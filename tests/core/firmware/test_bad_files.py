# SPDX-License-Identifier: Apache-2.0
"""Faults of a folder of programs or a firmware: one sentence each."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tests.core.firmware.builds import CORES, KNOWN, names, unpack
from tests.elf_maker import make_elf, words


@pytest.fixture
def firmware(tmp_path: Path) -> Path:
    return unpack(KNOWN, tmp_path)


def without(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name / f"{name}.elf").unlink()


def truncated(folder: Path) -> None:
    path = folder / "trisc1" / "trisc1.elf"
    path.write_bytes(path.read_bytes()[:1000])


def stripped(folder: Path) -> None:
    (folder / "brisc" / "brisc.elf").write_bytes(make_elf([(0x3AE0, words(0x6F))], entry=0x3AE0))


def not_elf(folder: Path) -> None:
    (folder / "ncrisc" / "ncrisc.elf").write_bytes(b"#!/bin/sh\n")


# fmt: off
SPOILED = [
    (without("ncrisc"), "not a whole firmware: ncrisc.elf is missing"),
    (truncated,         "trisc1.elf: "),
    (stripped,          "brisc.elf: no debug information"),
    (not_elf,           "ncrisc.elf: "),
    (shutil.rmtree,     "there is no such directory"),
]
# fmt: on


@pytest.mark.parametrize(("spoil", "said"), SPOILED)
def test_a_spoiled_firmware(
    firmware: Path, capsys: pytest.CaptureFixture[str], spoil: Callable[[Path], None], said: str
) -> None:
    spoil(firmware)
    assert main(["run", "--firmware", str(firmware)]) == 2
    assert_one_sentence(capsys, said)


def test_a_wormhole_build(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = unpack(names()[1][0], tmp_path)
    assert main(["run", "--firmware", str(folder)]) == 2
    assert_one_sentence(capsys, "firmware for Wormhole, this tile is a Blackhole")


# fmt: off
WRONG = [
    (["run"],                                            "nothing to run"),
    (["run", "--dir", "{empty}"],                        "holds none of brisc.elf"),
    (["run", "--dir", "{file}"],                         "not a directory"),
    (["run", "--dir", "{both}"],                         "are both for T0"),
    (["run", "--elf", "b={elf}", "--launch", "b={elf}"], "--launch needs the firmware"),
    (["run", "--firmware", "x", "--launch", "t1={elf}"], "T2 together, each with a kernel of its "
     "own: add --launch t0=FILE and --launch t2=FILE"),
    (["run", "--elf", "b={elf}", "--firmware", "x"],     "leave out --elf and --dir"),
    (["run", "--elf", "b={elf}", "--bin", "0x20000"],    "is not ADDR=FILE"),
    (["run", "--elf", "b={elf}", "--bin", "0=/nowhere"], "cannot be read"),
    (["run", "--elf", "b={elf}", "--bin", "0x1000000={elf}"], "cannot be written"),
    (["run", "--elf", "b={elf}", "--faults", "x=stop"],  "'x' is no category of all"),
    (["run", "--elf", "b={elf}", "--faults", "u=stop"],  "'u' could be several of all"),
    (["run", "--elf", "b={elf}", "--faults", "all"],     "is not CATEGORY=POLICY"),
]
# fmt: on


@pytest.mark.parametrize(("command", "said"), WRONG)
def test_wrong_arguments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str], said: str
) -> None:
    (tmp_path / "empty").mkdir()
    both = tmp_path / "both"
    both.mkdir()
    elf = tmp_path / "program.elf"
    elf.write_bytes(make_elf([(0, words(0x00100073))]))
    for name in ("trisc0", "unpack"):
        shutil.copy(elf, both / f"{name}.elf")
    places = {"empty": tmp_path / "empty", "file": elf, "both": both, "elf": elf}
    assert main([word.format(**places) for word in command]) == 2
    assert_one_sentence(capsys, said)


def assert_one_sentence(capsys: pytest.CaptureFixture[str], said: str) -> None:
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("tensix-gdb: ")
    assert err.count("\n") == 1
    assert said in err


def test_every_core_has_a_folder(firmware: Path) -> None:
    assert sorted(path.name for path in firmware.iterdir()) == sorted(CORES)
