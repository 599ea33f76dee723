# SPDX-License-Identifier: Apache-2.0
"""`--tile`, `--expect` and `--dump`: NumPy's arrays into a tile and out of it again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.gdbstub.cli.build import machine_of
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.cli.parser import parse
from tensix_gdb.gdbstub.manual import text_of
from tests.assembler import asm, li
from tests.elf_maker import make_elf, words
from tests.gdbstub.cli.test_wrong_input import refusal

SOURCE, TARGET = 0x21000, 0x40000
ROUND = np.arange(1024, dtype="f4").reshape(32, 32) / 8


def copier(count: int) -> bytes:
    """A program that copies so many words from one tile to the other."""
    loop = [
        asm("lw", rd=12, rs1=10, imm=0),
        asm("sw", rs2=12, rs1=11, imm=0),
        asm("addi", rd=10, rs1=10, imm=4),
        asm("addi", rd=11, rs1=11, imm=4),
        asm("addi", rd=13, rs1=13, imm=-1),
        asm("bne", rs1=13, rs2=0, imm=-20),
        asm("ebreak"),
    ]
    return make_elf([(0, words(*li(10, SOURCE), *li(11, TARGET), *li(13, count), *loop))])


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "copy.elf").write_bytes(copier(1024))
    np.save(tmp_path / "in.npy", ROUND)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, list[str]]:
    arguments = ["run", "--elf=b=copy.elf", "--engine=reference", "--schedule=sc", *options]
    status = main(arguments)
    out, err = capsys.readouterr()
    assert err == ""
    return status, out.splitlines()[2:]


def test_there_and_back(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = run(
        capsys,
        *("--tile", "0x21000=in.npy:bf16", "--expect", "0x40000=in.npy:bf16"),
        *("--expect", "0x40000=in.npy:bf16,rtol=0.01,atol=0.1", "--dump", "0x40000=out.npy:bf16"),
    )
    assert lines == [
        "out.npy has 32x32 numbers of bf16 at 0x40000",
        "0x40000 is in.npy, as bf16: all 1024 datums of 32x32",
        "0x40000 is in.npy, as bf16 within rtol=0.01, atol=0.1: all 1024 datums of 32x32",
    ]
    assert status == 0
    out = np.load("out.npy")
    assert out.dtype == np.float32
    assert np.allclose(out, ROUND, rtol=1 / 256)


def test_the_tile_is_in_faces(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Row by row the output is the four faces one after the other."""
    status, _ = run(
        capsys, "--tile", "0x21000=in.npy:fp32", "--dump", "0x40000=out.npy:fp32,64x16,rows"
    )
    assert status == 0
    out = np.load("out.npy")
    assert (out[:16] == ROUND[:16, :16]).all()
    assert (out[16:32] == ROUND[:16, 16:]).all()
    assert (out[48:] == ROUND[16:, 16:]).all()


def test_several_tiles_of_integers(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    numbers = np.random.default_rng(1).integers(-127, 128, (64, 64))
    np.save("in.npy", numbers)
    status, _ = run(capsys, "--tile", "0x21000=in.npy:int8", "--dump", "0x40000=out.npy:int8,64x64")
    assert status == 0
    assert (np.load("out.npy") == numbers).all()


def test_a_difference_is_a_map_and_exit_status_1(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = ROUND.copy()
    wanted[3, 17] += 2
    wanted[31, 0] = np.nan
    np.save("wanted.npy", wanted)
    status, lines = run(
        capsys, "--tile=0x21000=in.npy:fp32", "--expect=0x40000=wanted.npy:fp32,atol=1"
    )
    assert status == 1
    assert lines == [
        "0x40000 is not wanted.npy, as fp32: 2 of 1024 datums differ (atol=1)",
        "the first: row 3, column 17, at 0x404c4 (0x41620000): 14.125, wanted 16.125",
        "the worst: row 31, column 0, at 0x40bc0 (0x42f80000): 124, wanted nan",
        "rows 0 to 31, columns 0 to 31: . alike, x differs, 0 is zero and should not be, n is NaN "
        "and should not be",
        "    0 to 2: alike",
        "    3  ................ .x..............",
        "    4 to 30: alike",
        "   31  x............... ................",
        "why: `tensix-gdb diagnose --elf b=copy.elf --engine reference --schedule sc "
        "--tile 0x21000=in.npy:fp32 --expect 0x40000=wanted.npy:fp32,atol=1`",
    ]


def test_what_a_format_cannot_have_is_not_wanted(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a tolerance the file is taken as the format has it; with one, as it is."""
    np.save("in.npy", np.full((32, 32), 1 / 3))
    given = "--tile=0x21000=in.npy:bf16"
    assert run(capsys, given, "--expect=0x40000=in.npy:bf16")[0] == 0
    assert run(capsys, given, "--expect=0x40000=in.npy:bf16,rtol=0")[0] == 1


def test_rtol_alone_is_two_units_in_the_last_place(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save("in.npy", np.full((32, 32), 1.0))
    given = "--tile=0x21000=in.npy:bf16"
    for units, status in ((-1, 0), (1, 0), (3, 1)):
        # The numbers of bf16 around 1 are 1/128 apart above it.
        np.save("wanted.npy", np.full((32, 32), 1 / (1 + units / 128)))
        found, lines = run(capsys, given, "--expect=0x40000=wanted.npy:bf16,rtol")
        assert found == status, lines
        assert any("rtol=0.015625" in line for line in lines)


# fmt: off
WRONG = {
    "--tile in.npy": "--tile in.npy: type ADDR=FILE.npy:FORMAT, as in 0x21000=in.npy:bf16",
    "--tile 0x21000=in.npy": "type ADDR=FILE.npy:FORMAT, as in 0x21000=in.npy:bf16",
    "--tile 0x21=in.npy:bf16": "0x21 is no multiple of 16",
    "--tile here=in.npy:bf16": "'here' is no address",
    "--tile 0x180000=in.npy:bf16": "0x180000 is not in L1, which ends at 0x180000",
    "--tile 0x17ff00=in.npy:bf16": "2048 bytes from 0x17ff00 on end at 0x180700, and L1 ",
    "--tile 0x21000=in.npy:bf61": "'bf61' is no format (bf16?): type one of fp32, ",
    "--tile 0x21000=in.npy:bf16,rtol=1": "'rtol=1' is no option of --tile: there are rows",
    "--tile 0x21000=no.npy:bf16": "--tile no.npy: cannot be read: No such file or directory",
    "--tile 0x21000=copy.elf:bf16": "--tile copy.elf: is no .npy file: write it by numpy.save",
    "--tile 0x21000=flat.npy:bf16": "--tile flat.npy: an array of 1024 is no whole tiles",
    "--tile 0x21000=in.npy:int8": "--tile in.npy: has 0.125 at [0, 1], and int8 has the integers",
    "--tile 0x0=in.npy:bf16": "--tile in.npy: 0x0 to 0x7ff is where copy.elf has its code",
    "--tile 0x21000=in.npy:bf16 --tile 0x21010=flat.npy:bf16,rows": "--tile flat.npy: 0x21010 is "
    "inside of in.npy, which ends at 0x21800",
    "--expect 0x40000=in.npy:bf16,rtol=x": "rtol=x is no tolerance: type a number such",
    "--expect 0x40000=in.npy:bf16,rtol=": "rtol= is no tolerance: type a number such as rtol=0.01",
    "--expect 0x40000=in.npy:bf16,atol": "atol is no tolerance: type a number such as atol=0.01",
    "--expect 0x40000=in.npy:int8,rtol": "rtol needs a number, such as rtol=0.01: int8 has",
    "--expect 0x40000=in.npy:bfp8,rtol": "rtol needs a number, such as rtol=0.01: bfp8 shares an",
    "--expect 0x40000=in.npy:bf16,32x32": "'32x32' is no option of --expect: there are rows",
    "--dump 0x40000=out.npy:bf16,33x32": "an array of 33x32 is no whole tiles",
    "--dump 0x40000=out.npy:bf16,9999999x999": "an array of 9999999x999 does not fit into L1",
    "--dump 0x40000=no/out.npy:bf16": "--dump no/out.npy: there is no such folder",
}
# fmt: on


@pytest.mark.parametrize("options", WRONG)
def test_typed_wrong(options: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save("flat.npy", np.zeros(1024))
    assert WRONG[options] in refusal(f"run --elf b=copy.elf {options}", capsys)


def test_a_full_disk_is_said(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "out.npy").mkdir()
    status, lines = run(capsys, "--dump", "0x40000=out.npy:bf16")
    assert status == 2
    assert lines == ["--dump out.npy: cannot be written: Is a directory"]


def test_the_map_in_the_manual(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    """The page shows what this kernel's mistakes give."""
    wanted = np.full((32, 32), 12.0)
    wanted[2, 20] = 11.5
    got = wanted.copy()
    got[2, 20], got[16, :16], got[16, 3] = 0, 13, 150
    np.save("in.npy", got)
    np.save("sum.npy", wanted)
    status, lines = run(
        capsys, "--tile=0x21000=in.npy:bf16", "--expect=0x40000=sum.npy:bf16,rtol=0.02"
    )
    assert status == 1
    *shown, why = lines
    assert "\n".join([*shown, "why: `tensix-gdb diagnose "]) in text_of("tiles")
    assert why.startswith("why: `tensix-gdb diagnose --elf b=copy.elf ")


@pytest.mark.parametrize("command", ["gdb", "serve", "run"])
def test_a_session_begins_with_its_input(command: str, here: Path) -> None:
    """Before the first cycle and after a reset."""
    typed = f"{command} --elf b=copy.elf --engine reference --tile 0x21000=in.npy:fp32"
    machine, _ = machine_of(parse(typed.split()).options.programs)
    for _ in range(2):
        words = machine.peek(B, SOURCE, 4096)
        assert (np.frombuffer(words[:64], "f4") == ROUND[0, :16]).all()
        machine.poke(B, SOURCE, bytes(4096))
        machine.reset()
    machine.close()


def test_a_packet_log_has_no_arrays(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refusal("serve --elf b=copy.elf --tile 0x21000=in.npy:fp32 --rsp-log log", capsys)
    assert said == "a packet log names ELF files only: leave out --firmware, --bin and --tile"


@pytest.mark.parametrize("bits", [0x7C00, 0x7E00, 0x7FFF])
def test_what_is_infinity_or_nan_to_numpy(
    bits: int, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """tt-metal#57215: FP16 of the coprocessor has numbers where IEEE 754 has infinity and NaN."""
    packed = np.ones((32, 32), "f2")
    packed.view("u2")[0, 3] = bits
    number = {0x7C00: 65536.0, 0x7E00: 98304.0, 0x7FFF: np.inf}[bits]
    given = np.ones((32, 32), "f4")
    given[0, 3] = number
    np.save(here / "given.npy", given)
    np.save(here / "ones.npy", np.ones((32, 32), "f4"))
    note = (
        "1 of 1024 datums are numbers of at least 65536 to the coprocessor, and infinity or NaN to "
        "NumPy and ttnn, which read IEEE 754"
    )
    _, lines = run(
        capsys,
        *("--tile", "0x21000=given.npy:fp16", "--expect", "0x40000=given.npy:fp16"),
        *("--expect", "0x40000=ones.npy:fp16,atol=1"),
    )
    assert lines[0].startswith("0x40000 is given.npy")
    assert lines[1] == note
    read = str(float(packed[0, 3]))
    assert f"(0x{bits:04x}): {number:.9g} ({read} to NumPy and ttnn), wanted 1" in lines[3]
    sign = "x" if read == "inf" else "n"
    assert f"  ...{sign}............ " in "\n".join(lines)
    assert lines.count(note) == 2
