# SPDX-License-Identifier: Apache-2.0
"""Every mode that has an operand of 16 bits, with all 2**16 of them, against numpy_pages.py.

The operand is a register (as an upper half, a small integer, both halves), a constant of the
instruction, or a datum of Dst. The compiled engine runs all, the reference some of each.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.vector import address
from tests.core.tensix.vector import sweeping
from tests.core.tensix.vector.batch import fresh
from tests.core.tensix.vector.numpy_pages import BY_OPCODE, SIGN, Case, Words, u32, wide
from tests.core.tensix.vector.sweeping import (
    ALL,
    IN_CONFIG,
    IN_CONSTANT,
    IN_DST,
    IN_LREG,
    IN_TABLE,
    TO_DST,
    B,
    D,
    X,
    Z,
    layouts,
    run,
    seeds,
)

VB, VC = 2 << 12, 1 << 8
I = np.arange(ALL)  # noqa: E741
IMM12, IMM8 = 0xFF9 << 12, 0x85 << 12
ODD_MODES = (1, 3, 5, 7)

# Opcode: what else is in the word, and the modes. Constants stand where VB does.
# fmt: off
REGISTERS: dict[int, list[tuple[int, range | tuple[int, ...]]]] = {
    0x76: [(IMM8, range(2))],                      0x77: [(0, range(16))],
    0x78: [(0, range(2))],                         0x79: [(IMM12, range(16))],
    0x7A: [(IMM12, range(8)), (7 << 12, range(8))],
    0x7B: [(0, range(16)), (1 << 12, ODD_MODES)],  0x7C: [(0, (0, 1, 2))],
    0x7D: [(0, range(2))],                         0x7E: [(VB, range(2))],
    0x7F: [(VB, range(2))],                        0x80: [(0, (0,))],
    0x81: [(0, range(16))],                        0x82: [(IMM8, range(4))],
    0x83: [(IMM12, range(2))],                     0x89: [(1 << 12, range(2)), (0, (1,))],
    0x8D: [(0, (0,))],                             0x90: [(0, range(4))],
    0x8E: [(r << 21 | 9 << 16 | VB, range(16)) for r in range(3)],
    0x94: [(VB, (5,))],
    0x96: [(0, range(0, 16, 8)), (0, (1, 9))],     0x97: [(0, range(0, 16, 8)), (0, (1, 9))],
    0x98: [(1 << 16 | VB | 4 << 8, range(2))],     0x99: [(VB, (0, 1))],
}
# fmt: on
VC_ELSEWHERE = (0x98,)
LOADED = (
    *(address.FP16, address.BF16, address.INT8, address.UINT16, address.HI16, address.INT16),
    *(address.LO16, address.ZERO, address.INT8_COMP, address.LO16_ONLY, address.HI16_ONLY),
)
STORED = tuple(mode for mode in LOADED if mode not in (address.LO16, address.HI16))


@pytest.fixture(scope="module")
def record() -> Record:
    return fresh()


def register_words(opcode: int) -> Iterator[int]:
    for rest, modes in REGISTERS[opcode]:
        vc = 0 if opcode in VC_ELSEWHERE else VC
        for mod1 in modes:
            yield opcode << 24 | rest | vc | mod1


def check(word: int, found: Words, wanted: Words) -> None:
    wrong = np.flatnonzero(found != wanted)
    assert wrong.size == 0, (
        f"{word:#010x}: {wrong.size} differ, at first {wrong[0]:#x}: "
        f"{found[wrong[0]]:#010x}, by the page {wanted[wrong[0]]:#010x}"
    )


@pytest.mark.parametrize("opcode", REGISTERS, ids=hex)
def test_operands_in_registers(opcode: int, record: Record) -> None:
    for word in register_words(opcode):
        for step, offset in layouts():
            found, flags = run(record, word, IN_LREG, step, offset)
            c = u32(I * step + offset)
            d = np.full(ALL, Z if opcode == 0x98 else D, np.uint32)
            result, flagged = BY_OPCODE[opcode](
                Case(word, c, d, np.full(ALL, B, np.uint32), seeds())
            )
            check(word, found, result)
            assert (flags == (True if flagged is None else flagged)).all(), f"{word:#010x} flags"


@pytest.mark.parametrize("mod0", LOADED)
def test_loads(mod0: int, record: Record) -> None:
    word = 0x70 << 24 | mod0 << 16
    sign, all_ = wide(u32(I)) >> 15 << 31, I
    man, low = all_ >> 5 & 0x3FF, all_ & 31
    bf16 = all_ & 0x8000 | (all_ & 0xFF) << 7 | (all_ & 0x7F00) >> 8
    wanted = {
        address.FP16: sign | np.where(low == 0, 0, low + 112) << 23 | man << 13,
        address.BF16: bf16 << 16,
        address.INT8: sign | man & 0xFF,
        address.INT8_COMP: sign | man,
        address.INT16: sign | all_ & 0x7FFF,
        address.UINT16: all_,
        address.LO16: all_,
        address.HI16: all_ << 16,
        address.LO16_ONLY: D & 0xFFFF0000 | all_,
        address.HI16_ONLY: all_ << 16 | D & 0xFFFF,
        address.ZERO: np.zeros_like(all_),
    }[mod0]
    check(word, run(record, word, IN_DST, 0, 0)[0], u32(wanted))


@pytest.mark.parametrize("mod0", STORED)
def test_stores(mod0: int, record: Record) -> None:
    word = 0x72 << 24 | 1 << 20 | mod0 << 16
    for step, offset in layouts():
        x = wide(u32(I * step + offset))
        sign, e, man = x >> 31 << 15, x >> 23 & 255, x & 0x7FFFFF
        five = np.clip(e - 112, 0, 31)
        ten = np.where(e - 112 > 31, 0x3FF, np.where(e - 112 <= 0, 0, man >> 13))
        bf16 = sign | e | np.where(e == 0, 0, man >> 16) << 8
        eleven = sign | (x & 0x3FF) << 5 | 16
        wanted = {
            address.FP16: sign | ten << 5 | five,
            address.BF16: bf16,
            address.INT8: eleven,
            address.INT8_COMP: eleven,
            address.INT16: sign | x & 0x7FFF,
            address.UINT16: x & 0xFFFF,
            address.LO16_ONLY: x & 0xFFFF,
            address.HI16_ONLY: x >> 16,
            address.ZERO: np.zeros_like(x),
        }[mod0]
        check(word, run(record, word, TO_DST, step, offset)[0], u32(wanted))


@pytest.mark.parametrize("mod0", [0, 1, 2, 4, 8, 10])
def test_sfploadi(mod0: int, record: Record) -> None:
    word = 0x71 << 24 | mod0 << 16
    fp16 = (I >> 15) << 31 | ((I >> 10 & 31) + 112) << 23 | (I & 0x3FF) << 13
    wanted = {
        0: I << 16, 1: fp16, 2: I, 4: I - (I >> 15 << 16), 8: I << 16 | D & 0xFFFF,
        10: D & 0xFFFF0000 | I,
    }[mod0]  # fmt: skip
    check(word, run(record, word, IN_CONSTANT, 1, 0)[0], u32(wanted))


@pytest.mark.parametrize("mod1", [0, 2])
@pytest.mark.parametrize("opcode", [0x74, 0x75], ids=["SFPMULI", "SFPADDI"])
def test_bf16_constants_in_arithmetic(opcode: int, mod1: int, record: Record) -> None:
    """Products of 8 bits and 24, and sums, in 53 bits; those that come near denormals aside."""
    word = opcode << 24 | mod1
    found, _ = run(record, word, IN_CONSTANT, 1 << 8, 0)
    constant = u32(I << 16)
    constant = np.where(constant << np.uint32(1) < np.uint32(1 << 24), constant & SIGN, constant)
    with np.errstate(invalid="ignore"):  # of signalling NaN
        a = constant.astype(np.uint32).view(np.float32).astype(np.float64)
    d = np.float64(np.uint32(D ^ (0x80000000 if mod1 & 2 else 0)).view(np.float32))
    with np.errstate(all="ignore"):
        exact = a * d + 0.0 if opcode == 0x74 else a + d  # a product that is -0 becomes 0
        wanted = exact.astype(np.float32).view(np.uint32)
        small = (np.abs(exact) < 2.0**-125) & (exact != 0)
    nan = np.isnan(exact)
    assert np.isnan(found[nan].view(np.float32)).all()
    sure = ~small & ~nan
    assert sure.sum() > 60_000
    check(word, found[sure], wanted[sure])
    assert (found[small & (np.abs(exact) < 2.0**-127)] & np.uint32(0x7FFFFFFF) == 0).all()


def small_entry(x: Words) -> np.ndarray:
    """An entry of 8 bits: sign, three bits of a negative exponent, four of mantissa."""
    x = wide(x)
    value = (1 + (x & 15) / 16) / 2.0 ** (x >> 4 & 7)
    return np.where(x == 0xFF, 0, np.where(x & 0x80, -value, value))


def entry(x: Words) -> np.ndarray:
    """An entry of 16 bits: FP16, whose largest exponent stands for 0."""
    x = wide(x)
    value = (1 + (x & 0x3FF) / 1024) * 2.0 ** ((x >> 10 & 31) - 15.0)
    return np.where(x >> 10 & 31 == 31, 0, np.where(x >> 15, -value, value))


def single(x: Words) -> np.ndarray:
    """An FP32 without denormals."""
    with np.errstate(invalid="ignore"):  # of signalling NaN
        value = x.view(np.float32).astype(np.float64)
    return np.where(x << np.uint32(1) < np.uint32(1 << 24), 0, value)


@pytest.mark.parametrize("mode", [(0x73, 0), (0x73, 4), *((0x95, m) for m in (0, 2, 3, 10, 14, 6))])
def test_lookups(mode: tuple[int, int], record: Record) -> None:
    """Both numbers of a table's entry; 1.375 is in the second one, and in its first half."""
    opcode, mod = mode
    word = opcode << 24 | mod << 16 if opcode == 0x73 else opcode << 24 | mod
    for step, offset in layouts():
        c = u32(I * step + offset)
        if mode == (0x95, 0) and step == 1:
            continue  # denormals, all of them
        half = c & np.uint32(0xFFFF)
        if opcode == 0x73:
            a, b = small_entry(half >> np.uint32(8)), small_entry(half & np.uint32(0xFF))
        elif mod & 2 == 0:
            a, b = single(c), single(c)
        elif mod & 10 == 10:
            a, b = entry(c >> np.uint32(16)), entry(half)
        else:
            a, b = entry(half), entry(half)
        with np.errstate(all="ignore"):
            exact = a * 1.375 + b
            wanted = exact.astype(np.float32).view(np.uint32)
        if mod & 4:
            wanted = wanted & ~SIGN | np.uint32(X & 0x80000000)
        found, _ = run(record, word, IN_TABLE, step, offset)
        # The sign of a sum that is 0, and sums near denormals, have vectors of their own.
        sure = (np.abs(exact) > 2.0**-125) & ~np.isnan(exact)
        assert sure.sum() > 60_000
        check(word, found[sure], wanted[sure])


CONFIGURED = {15: (0x2A5A5, 0xFFFF), 8: (0x5A5, 0xFFF)}


@pytest.mark.parametrize("mod1", ODD_MODES)
@pytest.mark.parametrize("vd", CONFIGURED)
def test_sfpconfig(vd: int, mod1: int, record: Record) -> None:
    word = 0x91 << 24 | vd << 4 | mod1
    before, bits = CONFIGURED[vd]
    value = I & bits
    changed = {1: value, 3: before | value, 5: before & value, 7: before ^ value}[mod1]
    wanted = changed & bits | before & ~bits
    check(word, run(record, word, IN_CONFIG, 1 << 8, vd)[0], u32(wanted))
    for column in range(8):
        record.S.vector.config[column] = record.S.vector.misc[column] = 0


def test_sweeps_are_of_what_has_16_bits() -> None:
    """Each opcode with an operand that may be swept is here; the others have no such operand, or
    are products whose 2**16 operands `test_lookups` and tests/core/numeric have."""
    swept = {*REGISTERS, 0x70, 0x71, 0x72, 0x74, 0x75, 0x91, *sweeping.LOOKUPS}
    # FMA of three registers, lane flags, exchanges of lanes, and NOP.
    others = {0x84, 0x85, 0x86, 0x87, 0x88, 0x8A, 0x8B, 0x8C, 0x8F, 0x92, 0x93}
    assert swept | others == set(range(0x70, 0x9A))
    assert not swept & others
