# SPDX-License-Identifier: Apache-2.0
"""Every instruction of the Vector Unit in every mode, against the model, on both engines."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.vector.state import STACK
from tests.core.tensix.vector.batch import Request, fresh, run
from tests.core.tensix.vector.model import M32, Unit
from tests.core.tensix.vector.pages import execute

SPECIAL = (
    *(0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 1, 0x80000001, 0x007FFFFF),
    *(0x00800000, 0x7F7FFFFF, 0x3F800000, 0xBF800000, 0x4B800000, M32, 0x7FFFFFFF, 0x3F000000),
    *(0x40000000, 0x3F7FFFFE, 0x47000000, 0x3FC00000, 0x40400000, 0x40800000),
)

# fmt: off
# Opcode and modes; how wide the field at bit 12 is where it is no register.
WITH_CONSTANT = {
    0x76: (range(2), 12), 0x79: (range(16), 12), 0x7A: (range(8), 12), 0x7B: (range(16), 1),
    0x82: (range(4), 8), 0x83: (range(2), 12), 0x89: (range(2), 1),
}
OF_REGISTERS = {
    0x77: range(16), 0x78: range(2), 0x7C: (0, 1, 2, 3), 0x7D: range(2), 0x7E: range(2),
    0x7F: range(2), 0x80: (0,), 0x81: range(16), 0x8C: (0,), 0x8D: (0,), 0x90: range(4),
    0x92: range(11), 0x94: range(6), 0x96: range(16), 0x97: range(16), 0x99: range(4),
    0x84: range(16), 0x85: range(16), 0x86: range(16), 0x98: (0, 1, 4, 5, 8, 9, 12, 13),
    0x95: range(16),
}
# fmt: on


def operands(rng: random.Random) -> list[int]:
    """The lanes of an LReg: anything, floats of about one size, small integers, special ones."""
    kind = rng.randrange(4)
    if kind == 0:
        return [rng.getrandbits(32) for _ in range(32)]
    if kind == 1:
        exponent = rng.randrange(10, 240)
        return [
            rng.getrandbits(1) << 31 | exponent + rng.randrange(-9, 10) << 23 | rng.getrandbits(23)
            for _ in range(32)
        ]
    if kind == 2:
        return [rng.getrandbits(rng.randrange(1, 33)) for _ in range(32)]
    return [rng.choice(SPECIAL) for _ in range(32)]


def requests(rng: random.Random, words: Iterator[int]) -> list[Request]:
    found = []
    for word in words:
        lregs = [operands(rng) for _ in range(8)]
        if rng.random() < 0.5:
            lregs[7] = [rng.randrange(16) for _ in range(32)]
        flags = rng.choice((M32, rng.getrandbits(32)))
        use = rng.choice((0, M32, rng.getrandbits(32)))
        found.append(Request(word, lregs, flags, use, [rng.getrandbits(32) for _ in range(32)]))
    return found


def expected(one: Request, config: list[int], stack: int) -> Unit:
    """The model after the request."""
    unit = Unit(config=list(config), prng=list(one.prng))
    for number in range(8):
        unit.L[number] = list(one.lregs[number])
    unit.flags = [bool(one.flags >> lane & 1) for lane in range(32)]
    unit.use = [bool(one.use >> lane & 1) for lane in range(32)]
    unit.stack = [[(True, False)] * stack for _ in range(32)]
    execute(unit, one.word)
    return unit


def mask(values: list[bool]) -> int:
    return sum(value << lane for lane, value in enumerate(values))


def check(words: list[int], seed: int = 1, config: int = 0) -> None:
    rng = random.Random(seed)
    record = fresh()
    for column in range(8):
        record.S.vector.config[column] = config
    asked = requests(rng, iter(words))
    for one, got in zip(asked, run(record, asked), strict=True):
        unit = expected(one, [config] * 8, 0)
        assert got.fault == 0, f"{one.word:#010x}"
        for number in range(8):
            for lane in range(32):
                assert got.lregs[number][lane] == unit.L[number][lane], (
                    f"{one.word:#010x}: LReg[{number}][{lane}] of "
                    f"{[hex(lreg[lane]) for lreg in one.lregs]}"
                )
        assert got.flags == mask(unit.flags), f"{one.word:#010x}"
        assert got.use == mask(unit.use), f"{one.word:#010x}"
        assert got.prng == unit.prng, f"{one.word:#010x}"


def register(rng: random.Random) -> int:
    return rng.choice((*range(8), *range(8), 9, 10, 11, 12, 13, 14, 15))


@pytest.mark.parametrize("opcode", OF_REGISTERS, ids=hex)
def test_of_registers(opcode: int) -> None:
    rng = random.Random(opcode)
    words = []
    for mod1 in (*OF_REGISTERS[opcode], *OF_REGISTERS[opcode]):
        fields = [register(rng) for _ in range(3)]
        if opcode in (0x80, 0x8C, 0x8D, 0x90, 0x92, 0x96, 0x97, 0x81, 0x7D, 0x7C, 0x77, 0x78):
            fields[:2] = 0, 0  # no VA, no VB
        if opcode in (0x7E, 0x7F, 0x94, 0x99):
            fields[0] = 0
        if opcode == 0x95:
            fields = [rng.choice((0, 8)), 0, 0]
        if opcode == 0x8C:
            fields = [0, 0, 0]
        vd = 0 if opcode == 0x8C else rng.randrange(12)
        va, vb, vc = fields
        words.append(opcode << 24 | va << 16 | vb << 12 | vc << 8 | vd << 4 | mod1)
    check(words, opcode)


@pytest.mark.parametrize("opcode", WITH_CONSTANT, ids=hex)
def test_with_a_constant(opcode: int) -> None:
    rng = random.Random(opcode)
    modes, width = WITH_CONSTANT[opcode]
    words = []
    for mod1 in (*modes, *modes, *modes):
        constant, vd = rng.getrandbits(width), rng.randrange(12)
        words.append(opcode << 24 | constant << 12 | register(rng) << 8 | vd << 4 | mod1)
    check(words, opcode)


@pytest.mark.parametrize("opcode", [0x74, 0x75], ids=hex)
def test_with_a_bf16(opcode: int) -> None:
    rng = random.Random(opcode)
    modes = (0, 2, 8, 10)
    check([opcode << 24 | rng.getrandbits(16) << 8 | rng.randrange(8) << 4 | m for m in modes * 4])


def test_sfplut() -> None:
    rng = random.Random(3)
    check([0x73 << 24 | rng.randrange(8) << 20 | mod0 << 16 for mod0 in (*range(16), *range(16))])


def test_sfploadi() -> None:
    rng = random.Random(4)
    modes = (0, 1, 2, 4, 8, 10)
    check([0x71 << 24 | rng.randrange(8) << 20 | m << 16 | rng.getrandbits(16) for m in modes * 4])


@pytest.mark.parametrize("mod1", range(16))
def test_sfp_stoch_rnd(mod1: int) -> None:
    rng = random.Random(mod1)
    words = []
    for rounding in (0, 1, 2, 3, 0, 1, 2):
        low = rng.randrange(32) << 16 | register(rng) << 12 | register(rng) << 8
        words.append(0x8E << 24 | rounding << 21 | low | rng.randrange(8) << 4 | mod1)
    check(words, mod1)


@pytest.mark.parametrize("vc", [9, 15, 10])
def test_sfpmov_from_special(vc: int) -> None:
    check([0x7C << 24 | vc << 8 | vd << 4 | 8 for vd in range(8)], vc, config=0x3F00)


def test_sfpshft2_by_a_constant() -> None:
    rng = random.Random(5)
    check([0x94 << 24 | rng.getrandbits(12) << 12 | vd << 4 | 6 for vd in range(8)])


@pytest.mark.parametrize("config", [1 << 2, 1 << 8, 1 << 2 | 1 << 8, 5 << 12])
def test_sfpswap_as_configured(config: int) -> None:
    rng = random.Random(config)
    words = [
        0x92 << 24 | rng.randrange(8) << 8 | rng.randrange(8) << 4 | m for m in (*range(10), 1)
    ]
    check(words, config, config)


@pytest.mark.parametrize("opcode", [0x87, 0x88, 0x8B, 0x96, 0x97], ids=hex)
@pytest.mark.parametrize("depth", [0, 1, 7, 8])
def test_the_stack_of_flags(opcode: int, depth: int) -> None:
    rng = random.Random(opcode + depth)
    for mod1 in (0,) if opcode == 0x8B else range(16):
        record = fresh()
        S = record.S
        for i in range(depth):
            S.vector.stack_valid[i] = M32
            S.vector.stack_flags[i] = M32
        one = requests(rng, iter([opcode << 24 | mod1]))[0]
        full = opcode == 0x87 and mod1 == 0 and depth == STACK
        empty = depth == 0 and ((opcode == 0x87 and mod1 > 0) or (opcode == 0x88 and mod1 == 0))
        got = run(record, [one])[0]
        assert got.fault == (Fault.VECTOR_STACK if full or empty else 0)
        if full or empty:
            continue
        unit = expected(one, [0] * 8, depth)
        assert (got.flags, got.use) == (mask(unit.flags), mask(unit.use)), mod1
        for lane in range(32):
            found = [
                (bool(S.vector.stack_flags[i] >> lane & 1), bool(S.vector.stack_use[i] >> lane & 1))
                for i in range(STACK)
                if S.vector.stack_valid[i] >> lane & 1
            ]
            assert found[::-1] == unit.stack[lane], (mod1, lane)


def test_sfpencc() -> None:
    check([0x8A << 24 | imm << 12 | mod1 for imm in range(4) for mod1 in range(16)])


# fmt: off
@pytest.mark.parametrize(("word", "code"), [
    (0x71 << 24 | 3 << 16,  Fault.TENSIX_MODE),  # SFPLOADI
    (0x94 << 24 | 7,        Fault.TENSIX_MODE),  # SFPSHFT2
    (0x94 << 24 | 15,       Fault.TENSIX_MODE),
])
def test_a_mode_that_no_page_has(word: int, code: Fault) -> None:
    got = run(fresh(), requests(random.Random(1), iter([word])))[0]
    assert got.fault == code


def test_a_high_vd_is_a_template_where_the_backdoor_is_open() -> None:
    record: Record = fresh()
    record.S.vector.config[3] = 2
    word = 0x7B << 24 | 1 << 8 | 13 << 4
    one = requests(random.Random(1), iter([word]))[0]
    one.flags, one.use = 0, 0
    got = run(record, [one])[0]
    assert [int(record.S.vector.template[1, column]) for column in range(8)] == [
        0 if column == 3 else word for column in range(8)
    ]
    assert got.lregs == one.lregs
