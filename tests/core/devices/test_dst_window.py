# SPDX-License-Identifier: Apache-2.0
"""Dst in the address space of T0, T1 and T2, as TensixCoprocessor/Dst.md has it."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import NC, T0, T1, T2, B
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tests.core.devices.scripts import Load, Store, fault_of, run

DST = 0xFFBD8000
CONTROL = 0xFFEF0000 + 4 * 3  # RISC_DEST_ACCESS_CTRL
FIRST = {T0: 14, T1: 19, T2: 24}
FP32, INT32, FP16, BF16, INT16, INT8 = range(6)


def fmt(hart: int, number: int, *, raw: bool = False, unsigned: bool = False) -> Store:
    """Choose what the window holds for a thread."""
    return Store(CONTROL, (number << 2 | int(unsigned) << 1 | int(raw)) << FIRST[hart])


@pytest.mark.parametrize("hart", FIRST)
@pytest.mark.parametrize("raw", [False, True])
def test_floats_come_back(tile: Machine, hart: int, raw: bool) -> None:
    values = [0x3F800000, 0xC0490FDB, 0x00000001, 0xFFFFFFFF]
    steps = [
        fmt(hart, FP32, raw=raw),
        *(Store(DST + 4 * i, value) for i, value in enumerate(values)),
        *(Load(DST + 4 * i) for i in range(len(values))),
    ]
    assert run(tile, hart, *steps) == values


def test_the_layout_of_bf16_in_dst(tile: Machine) -> None:
    """Sign, then mantissa, then exponent: 0x3F80 is 1.0 with exponent 127 and mantissa 0."""
    run(tile, T0, fmt(T0, BF16), Store(DST, 0x3F80, "sh"), Store(DST + 2, 0xC0C0, "sh"))
    assert int(tile.S.dst.bits[0, 0]) == 0x7F
    assert int(tile.S.dst.bits[0, 1]) == 0x8000 | 0x40 << 8 | 0x81


def test_the_layout_of_fp16_in_dst(tile: Machine) -> None:
    run(tile, T1, fmt(T1, FP16), Store(DST, 0x3C01, "sh"))
    assert int(tile.S.dst.bits[0, 0]) == 0x001 << 5 | 0x0F


def test_integers_are_sign_and_magnitude_in_dst(tile: Machine) -> None:
    minus_5 = 0xFFFFFFFB
    steps = [fmt(T0, INT32), Store(DST, minus_5), Load(DST), fmt(T0, INT32, raw=True), Load(DST)]
    assert run(tile, T0, *steps)[0] == minus_5
    steps16 = [fmt(T1, INT16), Store(DST + 64, 0xFFFB, "sh"), Load(DST + 64, "lhu")]
    assert run(tile, T1, *steps16) == [0xFFFB]
    assert int(tile.S.dst.bits[2, 0]) == 0x8005


def test_the_halves_of_32_bits_are_8_rows_apart(tile: Machine) -> None:
    run(
        tile,
        T0,
        fmt(T0, FP32, raw=True),
        Store(DST, 0x11112222),
        Store(DST + 4 * 16 * 8, 0x33334444),
    )
    bits = tile.S.dst.bits
    assert [int(bits[row, 0]) for row in (0, 8, 16, 24)] == [0x1111, 0x2222, 0x3333, 0x4444]


def test_bytes(tile: Machine) -> None:
    steps = [fmt(T2, INT8, unsigned=True), Store(DST + 3, 0x7F, "sb"), Load(DST + 3, "lbu")]
    assert run(tile, T2, *steps) == [0x7F]


def test_t2_takes_several_elements_at_once(tile: Machine) -> None:
    steps = [fmt(T2, INT16, unsigned=True), Store(DST, 0x00020001), Load(DST + 2, "lhu"), Load(DST)]
    assert run(tile, T2, *steps) == [2, 0x00020001]


# fmt: off
WRONG = [
    (T0, [fmt(T0, BF16), Load(DST)],             Fault.DST_ACCESS),
    (T1, [fmt(T1, FP32), Load(DST, "lhu")],      Fault.DST_ACCESS),
    (T2, [fmt(T2, FP32), Load(DST, "lhu")],      Fault.DST_ACCESS),
    (T0, [fmt(T0, 6), Load(DST)],                Fault.DST_ACCESS),
    (B,  [Load(DST)],                            Fault.LOAD_UNMAPPED),
    (NC, [Store(DST, 1)],                        Fault.STORE_UNMAPPED),
]
# fmt: on


@pytest.mark.parametrize(("hart", "steps", "code"), WRONG)
def test_what_does_not_fit(
    tile: Machine, hart: int, steps: list[Load | Store], code: Fault
) -> None:
    assert fault_of(tile, hart, *steps)[0] is code
