# SPDX-License-Identifier: Apache-2.0
"""Values and specifications one by one, and messages that are damaged."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest

from tensix_gdb.core.device_print.buffer import (
    AUX_BYTES,
    DISABLED,
    NEW_KERNEL,
    RESET,
    STALLED,
    STARTING,
    Buffer,
)
from tensix_gdb.core.device_print.prints import PERIOD, Prints
from tensix_gdb.core.device_print.rendering import Damaged, Surroundings, rendered
from tensix_gdb.core.device_print.specification import FLOAT32_DIGITS, formatted
from tensix_gdb.core.device_print.strings import Strings
from tensix_gdb.core.device_print.values import bfloat16, block_float, numbers, tile_slice
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image
from tensix_gdb.gdbstub.tensix.host.device_print import buffer_at
from tests.assembler import SPIN, image
from tests.machines import machine_on

NOBODY = Surroundings(Strings(Image(Path("no.elf"), 0, (), b"")), lambda addr: f"<{addr:x}>")


@pytest.mark.parametrize(
    ("value", "spec", "text"),
    [
        (5, "", "5"),
        (-5, "04d", "-005"),
        (255, "x", "ff"),
        (255, "#06x", "0x00ff"),
        (255, "X", "FF"),
        (5, "+", "+5"),
        (5, "<4", "5   "),
        (5, "^5", "  5  "),
        (5, "*>4", "***5"),
        (65, "c", "A"),
        (10, "o", "12"),
        (True, "", "true"),
        (True, "d", "1"),
        (False, ">6", " false"),
        (1.0, "", "1"),
        (0.5, ".3f", "0.500"),
        (2.0, "8.2f", "    2.00"),
        (2.0, "08.2f", "00002.00"),
        (1e20, "", "1e+20"),
        (123456.0, "", "123456"),
        (1e15, "", "1000000000000000"),
        (0.0001, "", "0.0001"),
        (float("inf"), "", "inf"),
        (float("nan"), "", "nan"),
        ("text", "6", "text  "),
        ("text", ">6", "  text"),
        ("text", ".2", "te"),
        (5, "no such thing", "5"),
    ],
)
def test_specifications(value: int | float | str, spec: str, text: str) -> None:
    assert formatted(value, spec) == text


@pytest.mark.parametrize("seed", range(20))
def test_a_float_in_as_few_digits_as_tell_it(seed: int) -> None:
    bits = random.Random(seed).getrandbits(32)
    (value,) = struct.unpack("<f", struct.pack("<I", bits))
    text = formatted(value, "", FLOAT32_DIGITS)
    if value == value:
        assert struct.pack("<f", float(text)) == struct.pack("<f", value)
    assert len(text) <= 16


def test_numbers_of_each_format() -> None:
    assert numbers(struct.pack("<2f", 1.5, -2), 2, 0) == [1.5, -2]
    assert numbers(struct.pack("<2e", 1.5, -2), 2, 1) == [1.5, -2]
    assert numbers(bytes([0xC0, 0x3F]), 1, 5) == [1.5]
    assert numbers(bytes([127, 0x60, 128, 0xE0]), 2, 6) == [1.5, -3.0]
    assert numbers(bytes([127, 0x6]), 1, 7) == [1.5]
    assert numbers(struct.pack("<i", -3), 1, 8) == [-3]
    assert numbers(struct.pack("<H", 65535), 1, 9) == [65535]
    assert numbers(struct.pack("<I", 2**32 - 1), 1, 24) == [2**32 - 1]
    assert numbers(b"\xff", 1, 14) == [-1]
    assert numbers(b"\xff", 1, 30) == [255]
    assert numbers(struct.pack("<I", 0x3FC00000 >> 13), 1, 4) == [1.5]
    assert numbers(b"12", 9, 0) == []
    assert numbers(bytes(8), 1, 200) is None
    assert bfloat16(0x3F80) == 1
    assert block_float(0, 0x80, 7) == 0


def a_slice(
    *, status: int = 2, code: int = 5, count: int = 4, room: int = 8, ends: int = 1
) -> bytes:
    head = struct.pack("<I12B", 0x1000, 0, 2, 1, 0, 2, 1, 0, code, count, ends, status, room)
    return head + struct.pack("<4H", 0x3F80, 0x4000, 0x4040, 0x4080)


def test_slices() -> None:
    text = "{0,t}"
    assert rendered(text, a_slice(), NOBODY) == "\n   1.00    2.00\n   3.00    4.00\n"
    assert rendered(text, a_slice(ends=0), NOBODY) == "   1.00    2.00    3.00    4.00"
    assert rendered(text, a_slice(count=3), NOBODY).endswith("<the other 1 did not fit>\n")
    assert rendered(text, a_slice(status=4), NOBODY) == "<tile slice: bad tile pointer>"
    assert rendered(text, a_slice(status=9), NOBODY) == "<tile slice: return code 9>"
    assert rendered(text, a_slice(code=77), NOBODY) == "<tile slice: unsupported data format 77>"
    assert rendered("{0,t}|{1,I}", a_slice() + struct.pack("<I", 7), NOBODY).endswith("\n|7")
    assert tile_slice(a_slice()).ends_rows


def test_other_values() -> None:
    assert rendered("{0,s}", struct.pack("<I", 0x1234), NOBODY) == "<1234>"
    assert rendered("{0,E} {1,e}", bytes([127, 0x60, 127, 6]), NOBODY) == "1.5 1.5"
    callers = struct.pack("<III", 0x100, 0xFFFFFFFF, 1)
    assert rendered("{0,c}", callers, NOBODY) == "0x100 (?), called from unknown"
    assert rendered("{0,#}", bytes(4), NOBODY) == "<a value of type '#'>"
    assert rendered("{0,/e_B_Some::Where}", b"\2", NOBODY) == "(Some::Where)2"
    assert rendered("{0,A}", struct.pack("<HHI", 99, 1, 0), NOBODY) == "<an array of format 99>"


@pytest.mark.parametrize("text", ["{0,I}", "{0,q} {1,B}", "{0,t}", "{0,A}", "{0,c}", "{0,s}"])
def test_too_few_bytes(text: str) -> None:
    with pytest.raises(Damaged, match="do not fit"):
        rendered(text, b"\1", NOBODY)


@pytest.fixture(scope="module")
def spinning() -> Machine:
    machine = Machine(engine="reference")
    machine.load(0, image([SPIN]))
    return machine


AT = Buffer(0x1000, 64)


def put(machine: Machine, write: int, read: int, data: bytes = b"") -> None:
    aux = struct.pack("<II", write, read).ljust(AUX_BYTES, b"\0")
    machine.poke(0, AT.addr, aux + data.ljust(AT.data_bytes, b"\0"))


def header(number: int, length: int, *, risc: int = 0, kernel: int = 0) -> bytes:
    return struct.pack("<I", kernel | risc << 1 | length << 6 | number << 16)


def looked(machine: Machine) -> list[str]:
    shown: list[str] = []
    prints = Prints(machine, AT, shown.append)
    prints.observe()
    prints.show()
    return shown


@pytest.mark.parametrize("write", [STARTING, DISABLED, 3, 4096, 0x80000003])
def test_nothing_is_read_when_nothing_is_said(write: int, spinning: Machine) -> None:
    put(spinning, write, 0, header(1, 4) * 8)
    assert looked(spinning) == []
    assert spinning.S.l1.word[AT.addr + 4 >> 2] == 0


def test_a_reset_of_the_buffer_is_not_read(spinning: Machine) -> None:
    put(spinning, 8, RESET, header(1, 0) * 2)
    assert looked(spinning) == []


def test_the_end_of_the_ring(spinning: Machine) -> None:
    """Behind a mark, and behind too little room for one."""
    data = bytearray(AT.data_bytes)
    data[36:40] = header(0xFFFF, 0)
    data[0:4] = header(7, 0)
    put(spinning, 4, 36, bytes(data))
    assert looked(spinning) == ["B: <print 7 with 0 bytes: no file with prints is loaded for B>\n"]
    put(spinning, 4, AT.data_bytes, bytes(data))
    assert len(looked(spinning)) == 1
    assert spinning.S.l1.word[AT.addr + 4 >> 2] == 4


def test_a_kernel_that_waits_is_read_too(spinning: Machine) -> None:
    put(spinning, 8 | STALLED, 0, header(9, NEW_KERNEL, kernel=1) + header(1, 0, risc=9))
    assert looked(spinning) == ["a print of hart 9, which a tile does not have\n"]
    assert spinning.S.l1.word[AT.addr + 4 >> 2] == 8


@pytest.mark.parametrize("seed", range(50))
def test_whatever_is_in_memory(seed: int, spinning: Machine) -> None:
    """A wrong address shows nonsense at most, and always ends."""
    source = random.Random(seed)
    put(spinning, 4 * source.randrange(12), 4 * source.randrange(12), source.randbytes(44))
    assert len(looked(spinning)) < 64


@pytest.mark.parametrize(
    "text", ["", "x", "0x180000", "0x17fffc", "-4", "0x1001", "0x1000,4", "1,2,3"]
)
def test_no_buffer(text: str) -> None:
    assert buffer_at(text) is None


def test_a_buffer() -> None:
    assert buffer_at("0x1000") == Buffer(0x1000, 1020)
    assert buffer_at("4096,0x40") == Buffer(0x1000, 64)
    assert PERIOD > 0


def test_a_message_may_end_with_its_header_where_the_ring_ends() -> None:
    machine = machine_on("reference")
    ring = Buffer(0x1000, AUX_BYTES + 16)
    header = 7 << 16 | 2 << 1  # string 7 of T0, without arguments
    machine.poke(0, ring.addr + AUX_BYTES + 12, header.to_bytes(4, "little"))
    told = list(ring.messages(machine, 12, 16))
    assert [(one.risc, one.number, one.arguments) for one in told] == [(2, 7, b"")]
    machine.close()
