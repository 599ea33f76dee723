# SPDX-License-Identifier: Apache-2.0
"""`monitor src`: banks, formats, rows, and numbers that are none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.protocol.target import TargetError
from tests.core.tensix.drive import run_thread
from tests.gdbstub.tensix.monitor.test_monitor_tensix import RspClient
from tests.machines import machine_on


def bf16(sign: int, exponent: int, mantissa: int) -> int:
    """As SrcA and SrcB keep it."""
    return sign << 18 | mantissa << 11 | exponent


@pytest.fixture
def ask() -> Iterator[RspClient]:
    machine = machine_on("reference", Schedule.LATENCY)
    yield RspClient(machine)
    machine.close()


def fill(machine: Machine) -> None:
    """SrcA: 1.0 to 15.0, an infinity and a NaN in row 2; SrcB bank 1: integers."""
    S = machine.record.S
    S.src.format[0, 0], S.src.format[1, 1] = 5, 14
    for column in range(1, 16):
        exponent = column.bit_length() - 1
        S.src.a[0, 2, column] = bf16(0, 127 + exponent, (column << (7 - exponent)) & 0x7F)
        S.src.b[1, 0, column] = (column & 1) << 18 | (column * 60) << 8 | 16
    S.src.a[0, 2, 4] = bf16(1, 255, 0)
    S.src.a[0, 2, 5] = bf16(0, 255, 3)
    S.src.a[0, 63, 0] = bf16(1, 126, 0)


def test_a_bank_is_a_matrix_with_what_is_no_number(ask: RspClient) -> None:
    fill(ask.machine)
    lines = ask("src a").splitlines()
    assert lines[0] == (
        "SrcA bank 0: the unpackers', where the Matrix Unit and the unpacker are; unpacked to BF16"
    )
    assert lines[1] == "not finite: 1 NaN and 1 infinite"
    assert lines[2].split() == ["row", *map(str, range(16))]
    assert lines[3] == "    0 to 1: zero"
    row = ["2", "0", "1", "2", "3", "-inf", "nan", *map(str, range(6, 16))]
    assert lines[4].split() == row
    assert lines[5] == "    3 to 62: zero"
    assert lines[6].split() == ["63", "-0.5", *["0"] * 15]


def test_banks_rows_and_formats(ask: RspClient) -> None:
    fill(ask.machine)
    lines = ask("src b 1 0-0").splitlines()
    assert lines[0].startswith("SrcB bank 1: the unpackers'; unpacked to INT8")
    assert lines[2].split() == ["0", *(str(-60 * i if i & 1 else 60 * i) for i in range(16))]
    assert ask("src a 0 2-2 --format=hex").splitlines()[-1].split()[2:4] == ["0007f", "00080"]
    assert "3.4e" not in ask("src a 0 2-2 --format fp16")


def test_owners_follow_the_program(ask: RspClient) -> None:
    assert ask("src").count("the unpackers'") == 4
    run_thread(ask.machine, ["SETDVALID flip_src_a=1"])
    first, second, *_ = ask("src").splitlines()
    assert first.startswith("SrcA bank 0: the Matrix Unit's, where the Matrix Unit is;")
    assert second.startswith("SrcA bank 1: the unpackers', where the unpacker is;")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("src c", "neither a nor b"),
        ("src a 2", "no bank"),
        ("src a 0 9-3", "type 3-9"),
        ("src a 0 0-64", "no row"),
        ("src a --format f80", "bf16, tf32"),
        ("src a 0 1-2 x", "no number of a column"),
    ],
)
def test_mistakes_are_answered(ask: RspClient, line: str, sentence: str) -> None:
    with pytest.raises(TargetError, match=sentence):
        ask(line)


def test_one_row(ask: RspClient) -> None:
    fill(ask.machine)
    assert [line.split()[0] for line in ask("src a 0 63").splitlines()[-2:]] == ["row", "63"]


def test_a_bank_that_nobody_has_filled(ask: RspClient) -> None:
    assert (
        ask("src b 1").splitlines()[0] == "SrcB bank 1: the unpackers'; all zero, as after a reset"
    )
