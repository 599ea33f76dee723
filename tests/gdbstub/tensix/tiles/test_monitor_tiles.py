# SPDX-License-Identifier: Apache-2.0
"""`monitor l1` and `monitor dst-load`, and `tensix-dst-load` in a made-up GDB."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tiles.formats import FORMATS
from tensix_gdb.core.tiles.npy import Array
from tensix_gdb.core.tiles.registers import from_dst, held, to_dst
from tensix_gdb.core.tiles.tile import to_l1
from tensix_gdb.gdbstub.protocol.target import TargetError
from tests.gdbstub.inside.made_up_gdb import inside
from tests.gdbstub.tensix.monitor.test_monitor_tensix import RspClient
from tests.machines import machine_on

ROUND = np.arange(1024, dtype="f4").reshape(32, 32)


@pytest.fixture
def ask() -> Iterator[RspClient]:
    machine = machine_on("reference", Schedule.SC)
    yield RspClient(machine)
    machine.close()


def put(ask: RspClient, addr: int, name: str, array: np.ndarray) -> None:
    given = Array(array.shape, array.ravel().tolist())
    ask.machine.poke(B, addr, to_l1(FORMATS[name], given))


def test_a_tile_of_l1(ask: RspClient) -> None:
    numbers = np.zeros((32, 32))
    numbers[3, 17], numbers[4, 0], numbers[31, 31] = 1.5, np.inf, -2
    put(ask, 0x40000, "bf16", numbers)
    lines = ask("l1 0x40000 --tile bf16").splitlines()
    assert lines[0] == "L1 at 0x40000 as bf16, 32x32; not finite: 1 infinite"
    assert lines[1].split() == ["row", *map(str, range(32))]
    assert lines[2] == "    0 to 2: zero"
    assert lines[3].split() == ["3", *"0" * 17, "1.5", *"0" * 14]
    assert lines[4].split() == ["4", "inf", *"0" * 31]
    assert lines[5] == "    5 to 30: zero"
    assert lines[6].split() == ["31", *"0" * 31, "-2"]


@pytest.mark.parametrize("name", ["int8", "uint32", "twos16", "bfp8", "fp8_e4m3", "tf32"])
def test_formats_and_shapes(ask: RspClient, name: str) -> None:
    numbers = np.arange(4096).reshape(64, 64) % 7 * 2
    put(ask, 0x40000, name, numbers)
    lines = ask(f"l1 0x40000 --tile={name} --shape 64x64").splitlines()
    rows = [line.split() for line in lines[1:] if line.split()[0] != "row"]
    shown = [[float(cell) for cell in row[1:]] for row in rows]
    assert (np.hstack([shown[:64], shown[64:]]) == numbers).all()


def test_row_by_row(ask: RspClient) -> None:
    ask.machine.poke(B, 0x1000, bytes(range(8)))
    assert ask("l1 0x1000 --tile uint8 --shape 2x4 --rows").splitlines() == [
        "L1 at 0x1000 as uint8, 2x4 row by row",
        "  row   0   1   2   3",
        "    0   0   1   2   3",
        "    1   4   5   6   7",
    ]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("l1", r"which tile\? type `monitor l1 0x40000 --tile bf16`; formats are fp32, "),
        ("l1 0x40000", r"which tile\? type `monitor l1 0x40000 --tile bf16`; formats are fp32, "),
        ("l1 0x40000 --tile", "'nothing' is no format"),
        ("l1 0x40000 --tile bf8", r"'bf8' is no format"),
        ("l1 0x40004 --tile bf16", "0x40004 is no multiple of 16"),
        ("l1 0x17fff0 --tile bf16", "2048 bytes from 0x17fff0 on end at 0x1807f0"),
        ("l1 0x40000 --tile bf16 --shape 32", "32 is no matrix: type rows and columns"),
        ("l1 0x40000 --tile bf16 --shape x", "'x' is no shape: type one such as 32x64"),
        ("l1 0x40000 --tile bf16 --shape 256x256", "256x256 is more than can be read"),
        ("l1 0x40000 --tile bf16 more", "does not know 'more'"),
        ("dst-load 0 bf16", "type `monitor dst-load 64 bf16 1 2.5 -3`"),
        ("dst-load 0 bf16 x", "'x' is no number"),
        ("dst-load 1024 bf16 1", "'1024' is no row: type a number from 0 to 1023"),
        ("dst-load 512 fp32 1", "'512' is no row: type a number from 0 to 511"),
        ("dst-load 0 int8 128", "has 128 at .0., and int8 has the integers from -127 to 127"),
        ("dst-load 1023 bf16 " + "1 " * 17, "it cannot begin at row 1023"),
        ("dst-compare 0 bf16", "type `monitor dst-compare 64 bf16 1 2.5 -3`"),
        ("dst-compare 0 bf16 bits", "type `monitor dst-compare 64 bf16 1 2.5 -3`"),
        ("dst-compare 0 bf16 bits 10000", "'0x10000' is no datum"),
        ("dst-compare 0 bf8 1", "'bf8' is no format"),
        ("dst-compare 1024 int16 1", "'1024' is no row: type a number from 0 to 1023"),
        ("dst-compare 1023 int16 " + "1 " * 17, "it cannot begin at row 1023"),
    ],
)
def test_typed_wrong(ask: RspClient, typed: str, said: str) -> None:
    with pytest.raises(TargetError, match=said):
        ask(typed)


def test_numbers_into_dst(ask: RspClient) -> None:
    assert ask("dst-load 64 bf16 1 2.5 -3") == "3 datums of bf16 in row 64.\n"
    assert ask("dst 64 --format bf16").splitlines()[2].split()[:4] == ["64", "1", "2.5", "-3"]
    assert ask("dst-load 8 fp32 " + "0.1 " * 20) == "20 datums of fp32 in rows 8 to 9.\n"
    shown = ask("dst 8-9 --format fp32").splitlines()[2:]
    assert [row.split().count("0.1") for row in shown] == [16, 4]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_compared(ask: RspClient, name: str) -> None:
    """With what a file's numbers are in Dst: block float is BF16 or FP16 there."""
    ask(f"dst-load 8 {name} " + "1 " * 32)
    assert ask(f"dst-compare 8 {name} " + "1 " * 32) == "0 of 32 datums differ\n"
    said = ask(f"dst-compare 8 {name} {'1 ' * 17}0 {'1 ' * 14}").splitlines()
    assert said[0] == "1 of 32 datums differ"
    assert re.fullmatch(r"row 9 column 1: 1 \(0x[0-9a-f]+\), in the file 0 \(0x0+\)", said[1]), (
        said[1]
    )


def test_bits_are_compared_and_a_few_are_named(ask: RspClient) -> None:
    ask("dst-load 0 bf16 " + "nan " * 64)
    assert ask("dst-compare 0 bf16 bits 7fc1") == "0 of 1 datums differ\n"
    said = ask("dst-compare 0 bf16 bits " + "3f80 " * 64).splitlines()
    assert said[:2] == [
        "64 of 64 datums differ",
        "row 0 column 0: nan (0x7fc1), in the file 1 (0x3f80)",
    ]
    assert len(said) == 21


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_to_dst_and_back(ask: RspClient, name: str) -> None:
    most = 1 if "bfp2" in name else 7
    least = 0 if name.startswith("uint") else -most
    numbers = np.random.default_rng(3).integers(least, most + 1, (64, 32))
    array = Array((64, 32), [float(x) for x in numbers.ravel()])
    S = ask.machine.record.S
    to_dst(S, FORMATS[name], 64, array)
    back, bits = from_dst(S, FORMATS[name], 64, (64, 32))
    assert back.values == array.values
    assert None not in bits
    shown = "int32" if "32" in held(FORMATS[name]).name and "int" in name else ""
    if shown and least == 0:
        assert ask("dst 64 --format int32").split()[-16:] == [
            str(number) for number in numbers[0, :16]
        ]


def test_undefined_datums_are_no_numbers(ask: RspClient) -> None:
    S = ask.machine.record.S
    S.dst.undefined[3] = 0x0002
    array, bits = from_dst(S, FORMATS["bf16"], 0, (4, 16), by_rows=True)
    assert [i for i, one in enumerate(bits) if one is None] == [49]
    assert np.isnan(array.values[49])


def test_the_command_in_gdb(tmp_path: Path) -> None:
    """64 rows of a tile, in faces; then 32 rows as they are; what is wrong is one sentence."""
    path = tmp_path / "in.npy"
    np.save(path, ROUND)
    said: list[str] = []
    with inside("dst_load") as dst_load:
        gdb = dst_load.gdb
        gdb.string_to_argv = str.split
        gdb.selected_thread = lambda: None
        gdb.write = said.append
        command = dst_load.DstLoad()
        command.invoke(f"{path} fp32 64", from_tty=True)
        shown = dst_load.ask("monitor 1 dst tile 1 --format fp32").splitlines()[2:]
        assert [[float(cell) for cell in row.split()[1:]] for row in shown] == ROUND.tolist()
        command.invoke(f"{path} fp32 8 rows", from_tty=True)
        row = dst_load.ask("monitor 1 dst 9 --format fp32").split()[-16:]
        assert [float(cell) for cell in row] == ROUND[0, 16:].tolist()
        assert said == [
            "32x32 numbers as fp32 in rows 64 to 127 of Dst\n",
            "32x32 numbers as fp32 in rows 8 to 71 of Dst\n",
        ]
        np.save(tmp_path / "flat.npy", np.zeros(16))
        for typed, sentence in (
            ("", "which file"),
            (f"{path} bf16 x", "'x' is no row"),
            (f"{path} bf17", "'bf17' is no format"),
            (f"{path} fp32 480", "rows 480 to 543: '528' is no row"),
            (f"{tmp_path}/no.npy", "No such file or directory"),
            (f"{tmp_path}/flat.npy", "an array of 16 is no whole tiles"),
            (__file__, "is no .npy file"),
        ):
            with pytest.raises(gdb.GdbError, match=sentence):
                command.invoke(typed, from_tty=True)
        # Refused before anything was written.
        rows = dst_load.ask("monitor 1 dst 480-511 --format fp32").splitlines()[2:]
        assert {cell for row in rows for cell in row.split()[1:]} == {"0"}
