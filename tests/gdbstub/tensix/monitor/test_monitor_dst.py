# SPDX-License-Identifier: Apache-2.0
"""`monitor dst`, `monitor vector`, watches on Dst and LRegs, and $lreg as a vector."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tensix.config.unit import STATE_ID_WORD
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities import tensix_registers
from tests.core.tensix.drive import run_thread
from tests.core.tensix.vector.macros import LOAD_0, SIMPLE, fill, set_everywhere, step
from tests.core.tensix.vector.pages import bits
from tests.gdbstub.tensix.monitor.test_monitor_tensix import RspClient
from tests.machines import machine_on

FP32 = config_fields(Arch.BLACKHOLE)["ALU_ACC_CTRL_Fp32_enabled"]
READS = config_fields(Arch.BLACKHOLE)["PCK_DEST_RD_CTRL_Read_32b_data"]


@pytest.fixture
def ask() -> Iterator[RspClient]:
    machine = machine_on("reference", Schedule.LATENCY)
    yield RspClient(machine)
    machine.close()


def store(machine: Machine, mod0: str, *values: int) -> None:
    """A row of lanes into the even columns of rows 0 to 3."""
    for lane in range(32):
        machine.record.S.vector.lreg[1, lane] = values[lane % len(values)]
    stop = run_thread(machine, [f"SFPSTORE vd=L1, mod0={mod0}"])
    assert stop is not None
    assert stop.kind is StopKind.ALL_PAUSED, stop.text


def test_rows_with_what_is_no_number(ask: RspClient) -> None:
    values = (bits(1.5), 0x7FC00000, 0xFF800000, 1, 0x80000000, bits(-2.0), 0, bits(1e10))
    store(ask.machine, "INT32", *values)
    lines = ask("dst 0-1 --format fp32").splitlines()
    assert lines[0] == "Dst32b as fp32; not finite: 2 NaN and 2 infinite"
    shown = ["1.5", "nan", "-inf", "den", "-0", "-2", "0", "1.000e+10"]
    assert lines[2].split() == ["0", *(text for one in shown for text in (one, "0"))]
    assert len(lines) == 4


def test_the_bank_that_math_has_chosen(ask: RspClient) -> None:
    """Fp32_enabled counts where T1 looks, and a packer that reads otherwise is said."""
    config = ask.machine.record.S.config
    config.word[1, FP32.word] = FP32.mask
    assert ask("dst 0").splitlines()[0] == "Dst16b as bf16"
    config.thread[1, STATE_ID_WORD] = 1
    assert ask("dst 0").splitlines()[0] == "Dst32b as fp32"
    passed = ask.machine.record.S.passed.count
    passed[1], passed[2] = 1, 1
    assert ask("dst 0").splitlines()[0] == (
        "Dst32b as fp32; T1 math writes 32 bits of a datum (ALU_ACC_CTRL), T2 pack reads 16 "
        "(PCK_DEST_RD_CTRL_Read_32b_data)"
    )
    config.thread[2, STATE_ID_WORD] = 1
    config.word[1, READS.word] |= READS.mask
    assert ask("dst 0").splitlines()[0] == "Dst32b as fp32"


@pytest.mark.parametrize(
    ("mod0", "value", "form", "shown"),
    [
        ("BF16", bits(-3.0), "bf16", "-3"), ("FP16", bits(0.5), "fp16", "0.5"),
        ("INT8", 0x80000007, "int8", "-7"), ("INT16", 0x80000009, "int16", "-9"),
        ("UINT16", 65535, "uint16", "65535"), ("UINT16", 0xBEEF, "hex16", "beef"),
        ("INT32", 0x80000005, "int32", "-5"), ("HI16", 0x12345678, "hex32", "12345678"),
    ],
)  # fmt: skip
def test_formats(ask: RspClient, mod0: str, value: int, form: str, shown: str) -> None:
    store(ask.machine, mod0, value)
    assert ask(f"dst 3 --format {form}").splitlines()[2].split()[:2] == ["3", shown]


def test_faces_tiles_and_what_is_undefined(ask: RspClient) -> None:
    run_thread(ask.machine, ["ZEROACC clear_mode=ALL_OF_DST"])
    store(ask.machine, "UINT16", 7)
    assert ask("dst 0 --format uint16").splitlines()[2].split() == ["0", *["7", "undef"] * 8]
    assert ask("dst face 2").splitlines()[2].split()[0] == "32"
    assert len(ask("dst tile 1 --format bf16").splitlines()) == 2 + 32


def test_what_comes_from_undefined_rows(ask: RspClient) -> None:
    """A question mark in LRegs and Dst, until the debugger writes another value."""
    S = ask.machine.S
    S.dst.undefined[0] = 0xFFFF
    run_thread(ask.machine, ["SFPLOAD vd=L1, mod0=UINT16", "SFPSTORE vd=L1, mod0=UINT16, imm10=4"])
    lines = ask("vector 1 --format int").splitlines()
    assert lines[0].endswith("; ? where undefined rows of Dst decide it")
    assert [line.split()[2] for line in lines[1:]] == ["0?", "0", "0", "0"]
    lines = ask("dst 3-5 --format uint16").splitlines()
    assert lines[0].endswith("; ? where undefined rows decide it")
    assert [line.split()[1] for line in lines[2:]] == ["0", "0?", "0"]
    ask("vector 1.0-7 = 2")
    assert "?" not in ask("vector 1")


def test_a_tile_is_a_matrix_of_its_four_faces(ask: RspClient) -> None:
    for row in range(64):
        for column in range(16):
            ask.machine.record.S.dst.bits[64 + row, column] = row * 16 + column
    lines = ask("dst tile 1 --format uint16").splitlines()
    assert "tile 1, faces at rows 64, 80, 96, 112" in lines[0]
    assert lines[1].split() == ["row", *map(str, range(32))]
    shown = [[int(cell) for cell in line.split()] for line in lines[2:]]
    for y in range(32):
        faces = [y // 16 * 2 * 256 + face * 256 + y % 16 * 16 for face in (0, 1)]
        assert shown[y] == [y, *(first + x for first in faces for x in range(16))]


def test_lanes(ask: RspClient) -> None:
    S = ask.machine.S
    S.vector.use_flags = 0xFFFFFFFF
    S.vector.flags = 0xFFFF0001
    for lane in range(32):
        S.vector.lreg[3, lane] = bits(float(lane))
    lines = ask("vector 3").splitlines()
    assert lines[1].split() == ["lane", "0", "0", *(f"({i})" for i in range(1, 8))]
    assert lines[3].split() == ["lane", "16", *map(str, range(16, 24))]
    assert ask("vector L3 5 = -2.5") == "lreg 3.5 = -2.5 (0xc0200000)\n"
    assert ask("vector 3 --format hex").splitlines()[1].split()[7] == "(c0200000)"
    assert ask("vector").splitlines()[0].split() == ["lane", "flags", "ffff0001", "in", "use",
                                                     "ffffffff"]  # fmt: skip
    assert ["LReg[10]", "all", "1"] in [line.split() for line in ask("vector").splitlines()]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("dst 1024", "no row"), ("dst 0 1", "two meanings: type `dst 0.1`"),
        ("dst 0 --format x", "fp32"), ("dst face", "which"), ("vector 17", "LReg"),
        ("dst 500-599 --format fp32", "0 to 511"),
        ("vector 3 32 = 1", "lane"), ("vector 9 0 = 1", "constant"), ("vector 3 1 = x", "neither"),
        ("vector 3 1", "to what"), ("watch lreg 17", "LReg"), ("watch dst32 512", "row"),
    ],
)  # fmt: skip
def test_mistakes_are_answered(ask: RspClient, line: str, sentence: str) -> None:
    with pytest.raises(TargetError, match=sentence):
        ask(line)


@pytest.mark.parametrize(
    ("watch", "text"),
    [
        ("lreg 2: lane 0", "SFPLOADI vd=L2, mod0=USHORT, imm16=7"),
        ("lreg 2.31:", "SFPADDI imm16=0x3f80, vd=L2"),
        ("dst32 1: columns 0 and 1, as they are kept,", "SFPSTORE vd=L10, mod0=FP32"),
    ],
)
def test_a_watch_names_thread_and_instruction(ask: RspClient, watch: str, text: str) -> None:
    watch, _, which = watch.partition(":")
    ask(f"watch {watch}")
    stop = run_thread(ask.machine, ["SFPNOP", text, "SFPNOP", "SFPNOP", "SFPNOP"], thread=1)
    assert stop is not None
    assert stop.kind is StopKind.WATCH
    assert f"({watch}):{which} changed from" in stop.text
    assert text.split()[0] in stop.text
    S = ask.machine.S
    assert S.gate_watch.thread == 1
    name = text.split()[0]
    assert {"SFPLOADI": 0x71, "SFPADDI": 0x75, "SFPSTORE": 0x72}[name] == S.gate_watch.word >> 24


@pytest.mark.parametrize(
    ("watch", "text"),
    [
        ("adc T1 UNP0 Z1", "SETADCZW u0=1, z1_val=6, z1=1"),
        ("adc T1 UNP1", "SETADCZW u1=1, z1_val=6, z1=1"),
        ("adc.value[1,0,1,2]", "SETADCZW u0=1, z1_val=6, z1=1"),
        ("adc.cr[1,0,1,2]", "ADDRCRZW u0=1, z1_inc=6, z1=1"),
        ("rwc dst", "SETRWC dst_val=15, dst=1"),
        ("rwc T1 src_b", "INCRWC src_b_inc=4"),
        ("src a 0 0", "MOVD2A dst_row=0"),
    ],
)
def test_a_watch_of_a_counter_or_a_source(ask: RspClient, watch: str, text: str) -> None:
    S = ask.machine.S
    for column in range(16):
        S.dst.bits[0, column] = 0x3F80
    ask(f"watch {watch}")
    stop = run_thread(ask.machine, ["SFPNOP", text, "SFPNOP", "SFPNOP", "SFPNOP"], thread=1)
    assert stop is not None
    assert stop.kind is StopKind.WATCH
    assert f"{watch.split()[-1]}): changed from 0" in stop.text
    assert f"by {text.split()[0]}" in stop.text
    assert S.gate_watch.thread == 1


@pytest.mark.parametrize("delay", [None, 0, 3])
def test_a_watch_of_lane_flags(ask: RspClient, delay: int | None) -> None:
    """By GDB's name of them: of an instruction at the gate, and of what SFPLOADMACRO has scheduled
    for the same cycle or a later one."""
    S = ask.machine.S
    S.vector.use_flags = S.vector.flags = 0xFFFFFFFF
    fill(ask.machine)
    text = "SFPSETCC vc=L4, mod1=LREG_EQ0"
    if delay is not None:
        set_everywhere(ask.machine, ["SFPSETCC vc=0, mod1=LREG_EQ0"], misc=3)  # FP32
        for column in range(8):
            S.vector.sequence[0, column] = step(4, delay) << SIMPLE
        text = LOAD_0.format(0, 0)
    ask("watch $lanes.is.flags")
    stop = run_thread(ask.machine, ["SFPNOP", text, *["NOP"] * 8], thread=1)
    assert stop is not None
    assert stop.kind is StopKind.WATCH, stop.text
    assert "(vector.flags): changed from 0xffffffff to 0x0 by " + text.split()[0] in stop.text
    assert S.gate_watch.thread == 1


def test_an_lreg_as_a_register() -> None:
    machine = machine_on("reference", Schedule.LATENCY)
    by_name = {one.name: one for one in tensix_registers.REGISTERS}
    register = by_name["lreg3"]
    S = machine.S
    data = struct.pack("<32f", *(lane / 2 for lane in range(32)))
    tensix_registers.write(S, 1, register, data)
    assert S.vector.lreg[3, 3] == bits(1.5)
    assert tensix_registers.read(S, 2, register) == data
    with pytest.raises(TargetError, match="cannot be written"):
        tensix_registers.write(S, 1, by_name["lreg10"], bytes(128))
    S.vector.flags_undefined = 3
    S.vector.undefined[3] = 3
    S.vector.lreg[3, 1] = 7
    tensix_registers.write(S, 0, by_name["lanes"], struct.pack("<3I", 5, 7, 0xFFFFFFFF))
    assert (S.vector.flags, S.vector.use_flags) == (5, 7)
    tensix_registers.write(S, 1, register, data)
    # GDB writes whole registers: lane 0 has the value that it had.
    assert (S.vector.flags_undefined, S.vector.undefined[3]) == (0, 1)
    machine.close()
