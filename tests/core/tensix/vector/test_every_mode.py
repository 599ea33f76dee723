# SPDX-License-Identifier: Apache-2.0
"""Each of the 42 opcodes with each value of its mode fields: as the model has it, or a fault.

Whatever else has vectors, here nothing is left out: a value that is neither modelled nor refused
fails. What computes goes through the model of pages.py, both engines having run it; loads, stores
and SFPCONFIG are modelled below, by their pages.
"""

from __future__ import annotations

import random

import pytest

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.vector import address
from tests.core.tensix.vector.batch import FIRST as FIRST_ROW
from tests.core.tensix.vector.batch import NUMBERS, ROWS, Request, fresh, index_of, run, run_one
from tests.core.tensix.vector.model import CONSTANTS, M32, bits
from tests.core.tensix.vector.test_operations import expected, mask, requests
from tests.vectors import both_engines

OPCODES = {ROWS[number - FIRST_ROW].opcode for number in NUMBERS}
LOAD, STORE, NOP, CONFIG, MACRO = 0x70, 0x72, 0x8F, 0x91, 0x93
APART = {LOAD, STORE, NOP, CONFIG, MACRO}
# Values of a mode field that no page has.
REFUSED = {0x71: {3, 5, 6, 7, 9, *range(11, 16)}, 0x94: set(range(7, 16))}
ON_THE_STACK = (0x87, 0x88)


def word_of(rng: random.Random, opcode: int, mode: int) -> int:
    """Some word of an opcode with a value in its mode field."""
    low = rng.randrange(8) << 4 | mode
    match opcode:
        case 0x71 | 0x73:
            return opcode << 24 | low >> 4 << 20 | mode << 16 | rng.getrandbits(16)
        case 0x74 | 0x75:
            return opcode << 24 | rng.getrandbits(16) << 8 | low
        case 0x94 if mode == 6:
            return opcode << 24 | rng.getrandbits(12) << 12 | low
        case 0x8A:
            return opcode << 24 | rng.getrandbits(2) << 12 | mode
        case 0x8C | 0x87 | 0x88 | 0x8B:
            return opcode << 24 | (mode if opcode != 0x8C else 0)
        case 0x95:
            return opcode << 24 | low
        case _:
            registers = [rng.randrange(8) for _ in range(3)]
            return opcode << 24 | registers[0] << 16 | registers[1] << 12 | registers[2] << 8 | low


def check(words: list[int], refused: set[int], depth: int) -> None:
    """`refused` are values of the mode field; `depth` is that of the stack of flags before."""
    record = fresh()
    if depth:
        record.S.vector.stack_valid[0] = record.S.vector.stack_flags[0] = M32
    asked = requests(random.Random(words[0]), iter(words))
    for one, got in zip(asked, run(record, asked), strict=True):
        word = one.word
        wrong = (word >> 16 if word >> 24 == 0x71 else word) & 15 in refused
        assert got.fault == (Fault.TENSIX_MODE if wrong else 0), f"{word:#010x}"
        if wrong:
            assert (got.lregs, got.flags, got.use) == (one.lregs, one.flags, one.use)
            continue
        unit = expected(one, [0] * 8, depth)
        assert got.lregs == unit.L[:8], f"{word:#010x}"
        assert (got.flags, got.use) == (mask(unit.flags), mask(unit.use)), f"{word:#010x}"
        assert got.prng == unit.prng, f"{word:#010x}"


@pytest.mark.parametrize("opcode", sorted(OPCODES - APART), ids=hex)
def test_every_value_of_the_mode(opcode: int) -> None:
    rng = random.Random(opcode)
    words = [word_of(rng, opcode, mode) for mode in range(16) for _ in range(3)]
    if opcode in ON_THE_STACK:
        # Each with a stack of its own.
        for word in words[::3]:
            check([word], set(), 1)
    elif opcode == 0x94:
        # SFPSHFT2 by a constant is another function.
        check(words[6 * 3 : 7 * 3], set(), 0)
        check(words[: 6 * 3] + words[7 * 3 :], REFUSED[opcode], 0)
    else:
        check(words, REFUSED.get(opcode, set()), 0)


def test_every_rounding_of_sfp_stoch_rnd() -> None:
    rng = random.Random(0x8E)
    words = [word_of(rng, 0x8E, mode) & ~(7 << 21) for mode in range(16)]
    check([word | rounding << 21 for word in words for rounding in range(4)], set(), 0)


def shuffled(x: int) -> int:
    """The upper half of an FP32 as Dst has it: sign, mantissa, exponent."""
    return x & 0x8000 | (x & 0x7F) << 8 | x >> 7 & 0xFF


def unshuffled(x: int) -> int:
    return x & 0x8000 | (x & 0xFF) << 7 | x >> 8 & 0x7F


def loaded(mode: int, high: int, low: int, old: int) -> int:
    """SFPLOAD of a datum of 16 bits, or of two halves."""
    sign, ten, five = high >> 15 << 31, high >> 5 & 0x3FF, high & 31
    match mode:
        case address.FP16:
            return sign | ((five + 112) << 23 if five else 0) | ten << 13
        case address.SRCB | address.BF16:  # SrcB is BF16 where nothing is configured
            return unshuffled(high) << 16
        case address.FP32 | address.INT32 | address.INT32_ALL | address.INT32_SM:
            return unshuffled(high) << 16 | low
        case address.INT8:
            return sign | ten & 0xFF
        case address.INT8_COMP:
            return sign | ten
        case address.INT16:
            return sign | high & 0x7FFF
        case address.UINT16 | address.LO16:
            return high
        case address.HI16:
            return high << 16
        case address.LO16_ONLY:
            return old & 0xFFFF0000 | high
        case address.HI16_ONLY:
            return high << 16 | old & 0xFFFF
        case _:
            return 0


def stored(mode: int, x: int) -> tuple[int, int | None]:
    """SFPSTORE: the datum of 16 bits, or both halves."""
    flushed = x if x & 0x7F800000 else x & 0x80000000
    sign, exponent = x >> 31 << 15, (x >> 23 & 255) - 112
    match mode:
        case address.FP16:
            five = min(max(exponent, 0), 31)
            ten = 0 if exponent <= 0 else 0x3FF if exponent > 31 else x >> 13 & 0x3FF
            return sign | ten << 5 | five, None
        case address.SRCB | address.BF16:
            return shuffled(flushed >> 16), None
        case address.FP32:
            return shuffled(flushed >> 16), flushed & 0xFFFF
        case address.INT32 | address.INT32_ALL | address.INT32_SM:
            return shuffled(x >> 16), x & 0xFFFF
        case address.INT8 | address.INT8_COMP:
            return sign | (x & 0x3FF) << 5 | 16, None
        case address.INT16:
            return sign | x & 0x7FFF, None
        case address.UINT16 | address.LO16_ONLY:
            return x & 0xFFFF, None
        case address.HI16_ONLY:
            return x >> 16, None
        case address.LO16:
            return x & 0xFFFF, x >> 16
        case address.HI16:
            return x >> 16, x & 0xFFFF
        case _:
            return 0, None


@pytest.fixture(scope="module")
def record() -> Record:
    """One for many instructions, each of which sets what it reads."""
    return fresh()


def execute(record: Record, word: int) -> None:
    both_engines(run_one, record, word, index_of(word))
    assert record.S.stop.code == 0, f"{word:#010x}"


def places() -> list[tuple[int, int]]:
    """Row and column of each lane; its low half is 8 rows further on."""
    return [(lane >> 3, 2 * (lane & 7)) for lane in range(32)]


@pytest.mark.parametrize("opcode", [LOAD, MACRO], ids=["SFPLOAD", "SFPLOADMACRO"])
@pytest.mark.parametrize("mode", range(16))
def test_every_format_is_loaded(opcode: int, mode: int, record: Record) -> None:
    """SFPLOADMACRO without a sequence is a load."""
    rng = random.Random(mode)
    wanted = []
    for lane, (row, column) in enumerate(places()):
        old, high, low = rng.getrandbits(32), rng.getrandbits(16), rng.getrandbits(16)
        record.S.vector.lreg[2, lane] = old
        record.S.dst.bits[row, column], record.S.dst.bits[row + 8, column] = high, low
        wanted.append(loaded(mode, high, low, old))
    execute(record, opcode << 24 | 2 << 20 | mode << 16)
    assert [int(record.S.vector.lreg[2, lane]) for lane in range(32)] == wanted


@pytest.mark.parametrize("mode", range(16))
def test_every_format_is_stored(mode: int, record: Record) -> None:
    rng = random.Random(mode)
    wanted = []
    for lane, (row, column) in enumerate(places()):
        x = rng.choice((rng.getrandbits(32), bits(rng.uniform(-9, 9)), rng.getrandbits(23)))
        record.S.vector.lreg[3, lane] = x
        record.S.dst.bits[row + 8, column] = 0x1111
        high, low = stored(mode, x)
        wanted.append((high, 0x1111 if low is None else low))
    execute(record, STORE << 24 | 3 << 20 | mode << 16)
    dst = record.S.dst.bits
    found = [(int(dst[row, column]), int(dst[row + 8, column])) for row, column in places()]
    assert found == wanted


def configure(S: View, first: int, count: int) -> int:
    """Requests of SFPCONFIG in L1: the word, LaneConfig, Misc and LReg[0] of eight columns before,
    and everything that it may write behind them."""
    for i in range(count):
        at = (first + i) * CONFIG_BLOCK
        for column in range(8):
            S.vector.config[column] = S.l1.word[at + 1 + column]
            S.vector.misc[column] = S.l1.word[at + 9 + column]
            for k in range(4):
                S.vector.template[k, column] = 0
                S.vector.sequence[k, column] = 0
        for lane in range(32):
            S.vector.lreg[0, lane] = S.l1.word[at + 17 + (lane & 7)]
        run_one(S, S.l1.word[at], CONFIG_INDEX)
        for column in range(8):
            S.l1.word[at + 25 + column] = S.vector.config[column]
            S.l1.word[at + 33 + column] = S.vector.misc[column]
            for k in range(4):
                S.l1.word[at + 41 + 8 * k + column] = S.vector.template[k, column]
                S.l1.word[at + 73 + 8 * k + column] = S.vector.sequence[k, column]
                S.l1.word[at + 105 + 8 * k + column] = S.vector.lreg[11 + k, column]
    return 0


CONFIG_BLOCK = 137
CONFIG_INDEX = index_of(CONFIG << 24)


@pytest.mark.parametrize("vd", range(16))
def test_every_sfpconfig(vd: int) -> None:
    rng = random.Random(vd)
    record = fresh()
    l1 = record.S.l1.word
    constants = [bits(-1.0), *(CONSTANTS[number] for number in (12, 13, 14))]
    for mode in range(16):
        before = [rng.getrandbits(18) & ~0xF000 for _ in range(8)]
        misc = [rng.getrandbits(12) for _ in range(8)]
        lreg = [rng.getrandbits(32) for _ in range(8)]
        imm, at = rng.getrandbits(16), mode * CONFIG_BLOCK
        block = [CONFIG << 24 | imm << 8 | vd << 4 | mode, *before, *misc, *lreg]
        for k, value in enumerate(block):
            l1[at + k] = value
    both_engines(configure, record, 0, 16)
    held = [[constant] * 8 for constant in constants]
    for mode in range(16):
        block = [int(l1[mode * CONFIG_BLOCK + k]) for k in range(CONFIG_BLOCK)]
        before, misc, lreg = block[1:9], block[9:17], block[17:25]
        wanted = [before[:], misc[:], *([0] * 8 for _ in range(8)), *held]
        for column in range(8):
            by_page(block[0], column, lreg[column], wanted)
        found = [block[25 + 8 * k : 33 + 8 * k] for k in range(14)]
        assert found == wanted, f"{block[0]:#010x}"


def by_page(word: int, column: int, lreg: int, rows: list[list[int]]) -> None:
    """SFPCONFIG in one column; `rows` are LaneConfig, Misc, four templates, four sequences and
    LReg[11] to [14]."""
    imm, vd, mode = word >> 8 & 0xFFFF, word >> 4 & 15, word & 15
    if mode & 8 and not imm >> (2 * column) & 1:
        return
    value = imm if mode & 1 else lreg
    if vd in (8, 15):
        row, bits_of_it = (rows[1], 0xFFF) if vd == 8 else (rows[0], 0x3FFFF)
        old = row[column]
        new = {0: value, 2: old | value, 4: old & value, 6: old ^ value}[mode & 6] & bits_of_it
        row[column] = new | (old & ~0xFFFF if vd == 15 and mode & 1 else 0)
    elif vd < 4:
        rows[2 + vd][column] = lreg
    elif vd < 8:
        rows[6 + vd - 4][column] = value
    elif vd > 10:
        constant = {11: bits(-1.0), **CONSTANTS}[vd]
        rows[10 + vd - 11][column] = constant if mode & 1 else lreg


def test_sfpnop_does_nothing() -> None:
    one = requests(random.Random(1), iter([NOP << 24]))[0]
    got: Request = run(fresh(), [one])[0]
    assert (got.lregs, got.flags, got.use, got.fault) == (one.lregs, one.flags, one.use, 0)


def test_there_are_42() -> None:
    assert len(OPCODES) == 42
    assert set(range(0x70, 0x9A)) == OPCODES
