# SPDX-License-Identifier: Apache-2.0
"""Each of the 42 opcodes with each value of its mode and all kinds of operands, on both engines.

A test is an operation, a mode and a class of operands:

    lanes                   some words with any LRegs, lane flags, stack of flags and LaneConfig;
                            a value of the mode that no page has is a fault and changes nothing
    upper, small, halves    all 2**16 operands that matter, in an LReg or to Dst
    constant                all 2**16 constants of the instruction
    dst                     all 2**16 datums of Dst
    golden                  results that were computed apart from the emulator (golden.json)

The compiled engine runs all, the reference all of `lanes` and `golden` and some of the others. What
they have to give is the model's (unit.py, dst.py), but for `golden`.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.vector import address
from tensix_gdb.core.tensix.vector.state import STACK, power_up
from tests.core.tensix.vector import running
from tests.core.tensix.vector.dst import LANE_CONFIG, MISC, configured, loaded, stored
from tests.core.tensix.vector.operands import (
    LAYOUTS,
    ODD_MODES,
    TABLES,
    operands_of,
    requests,
    words_with_registers,
)
from tests.core.tensix.vector.pages import Bools, Words, u32
from tests.core.tensix.vector.running import ALL, NAMES, Kind, Request, fresh, run, sweep
from tests.core.tensix.vector.unit import Unit, execute

LOAD, LOADI, STORE, NOP, CONFIG, MACRO = 0x70, 0x71, 0x72, 0x8F, 0x91, 0x93
MAY_WRITE_INDICES = (LOADI, 0x92, 0x8C)  # SFPSWAP, SFPTRANSP
ELSEWHERE = (LOAD, STORE, CONFIG, MACRO)  # test_dst.py
# Values of a mode field that no page has.
REFUSED = {LOADI: {3, 5, 6, 7, 9, *range(11, 16)}, 0x94: set(range(7, 16))}
WITHOUT_MODE = (0x8C, NOP)
LOADED = (
    *(address.FP16, address.BF16, address.INT8, address.UINT16, address.HI16, address.INT16),
    *(address.LO16, address.ZERO, address.INT8_COMP, address.LO16_ONLY, address.HI16_ONLY),
)
STORED = tuple(mode for mode in LOADED if mode not in (address.LO16, address.HI16))
GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text())

# Words of golden.json by name; they read LReg[1] and write LReg[0].
# fmt: off
GOLDEN_WORDS = {
    "SFPCAST to FP32":           0x90 << 24 | 1 << 8,
    "SFPCAST integers":          0x90 << 24 | 1 << 8 | 3,
    "SFPEXEXP":                  0x77 << 24 | 1 << 8,
    "SFPEXMAN":                  0x78 << 24 | 1 << 8,
    "SFPLZ":                     0x81 << 24 | 1 << 8 | 4,
    "SFPABS float":              0x7D << 24 | 1 << 8 | 1,
    "SFPARECIP reciprocal":      0x99 << 24 | 1 << 8,
    "SFPARECIP exponential":     0x99 << 24 | 1 << 8 | 2,
    "SFPSTOCHRND FP16A nearest": 0x8E << 24 | 1 << 8,
    "SFPSTOCHRND BF16 zero":     0x8E << 24 | 2 << 21 | 1 << 8 | 1,
    "SFPSTOCHRND UINT8":         0x8E << 24 | 1 << 8 | 2,
    "SFPSTOCHRND INT16":         0x8E << 24 | 1 << 8 | 7,
    "SFPDIVP2 add":              0x76 << 24 | 0x5 << 12 | 1 << 8 | 1,
    "SFPSHFT right":             0x7A << 24 | 0xFF9 << 12 | 1 << 8 | 7,
}
# fmt: on
GOLDEN_INTEGERS = ("SFPCAST", "SFPLZ", "SFPSHFT")
assert {*GOLDEN["digests"], *GOLDEN["values"]} <= set(GOLDEN_WORDS)


def mode_of(word: int) -> int:
    return word >> 16 & 15 if word >> 24 in (LOAD, LOADI, STORE, 0x73) else word & 15


def cases() -> Iterator[tuple[tuple[int, int, str], list[int]]]:
    """Opcode, mode and class, with the words that are swept."""
    for opcode in sorted({*NAMES} - {*ELSEWHERE}):
        for mode in range(1 if opcode in WITHOUT_MODE else 16):
            yield (opcode, mode, "lanes"), []
    swept: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for word in words_with_registers():
        swept[word >> 24, mode_of(word)].append(word)
    for opcode, modes in TABLES.items():
        for mode in modes:
            swept[opcode, mode].append(opcode << 24 | (mode << 16 if opcode == 0x73 else mode))
    for mode in STORED:
        swept[STORE, mode].append(STORE << 24 | 1 << 20 | mode << 16)
    for layout in LAYOUTS:
        for (opcode, mode), words in swept.items():
            yield (opcode, mode, layout), words
    for mode in LOADED:
        yield (LOAD, mode, "dst"), [LOAD << 24 | mode << 16]
    for mode in sorted({*range(16)} - REFUSED[LOADI]):
        yield (LOADI, mode, "constant"), [LOADI << 24 | mode << 16]
    for opcode in (0x74, 0x75):
        for mode in (0, 2):
            yield (opcode, mode, "constant"), [opcode << 24 | mode]
    for mode in ODD_MODES:
        yield (CONFIG, mode, "constant"), [CONFIG << 24 | vd << 4 | mode for vd in (8, 15)]
    golden: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for word in GOLDEN_WORDS.values():
        golden[word >> 24, mode_of(word)].append(word)
    for (opcode, mode), words in golden.items():
        yield (opcode, mode, "golden"), words


CASES = dict(cases())


@pytest.fixture(scope="module")
def record() -> Record:
    """One for all: each test sets what it reads."""
    return fresh()


@pytest.mark.sample(4, "1055 operations, modes and classes of operands")
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{NAMES[case[0]]}-{case[1]}-{case[2]}")
def test_operation(case: tuple[int, int, str], record: Record) -> None:
    opcode, mode, operands = case
    power_up(record.S)
    if operands == "lanes":
        check_lanes(record, requests(opcode, mode))
        return
    for word in CASES[case]:
        CLASSES[operands](record, word, operands)


# -- lanes
def lanes_of(mask: int) -> Bools:
    return mask >> np.arange(32) & 1 == 1


def expected(one: Request) -> Unit:
    """The model after the request."""
    unit = Unit()
    unit.L[:8], unit.config, unit.prng = one.lregs, np.tile(one.config, 4), one.prng
    unit.flags, unit.use = lanes_of(one.flags), lanes_of(one.use)
    unit.stack = [(lanes_of(flags), lanes_of(use)) for flags, use in one.stack]
    execute(unit, one.word)
    return unit


def fault_of(one: Request) -> int:
    """Return the fault that stops instead: a mode that no page has, a full or empty stack of flags,
    a write of what holds an index (erratum TEN-2932)."""
    opcode, mode, depth = one.word >> 24, mode_of(one.word), len(one.stack)
    if mode in REFUSED.get(opcode, ()):
        return Fault.TENSIX_MODE
    full = opcode == 0x87 and mode == 0 and depth == STACK
    empty = depth == 0 and ((opcode == 0x87 and mode > 0) or (opcode == 0x88 and mode == 0))
    if full or empty:
        return Fault.VECTOR_STACK
    corrupt = opcode not in MAY_WRITE_INDICES and expected(one).indices
    return Fault.VECTOR_INDEX if corrupt else 0


def check_lanes(record: Record, asked: list[Request]) -> None:
    for one, got in zip(asked, run(record, asked), strict=True):
        name = f"{one.word:#010x} with {len(one.stack)} on the stack"
        assert got.fault == fault_of(one), name
        if got.fault:
            assert (got.lregs == one.lregs).all(), name
            assert (got.prng == one.prng).all(), name
            assert (got.flags, got.use, got.stack) == (one.flags, one.use, one.stack), name
            continue
        unit = expected(one)
        for number, lane in np.argwhere(got.lregs != unit.L[:8])[:1]:
            read = [hex(lreg[lane]) for lreg in one.lregs]
            wrong, right = got.lregs[number, lane], unit.L[number, lane]
            pytest.fail(
                f"{name}: LReg[{number}][{lane}] of {read} is {wrong:#x}, by the page {right:#x}"
            )
        assert (lanes_of(got.flags) == unit.flags).all(), name
        assert (lanes_of(got.use) == unit.use).all(), name
        assert (got.prng == unit.prng).all(), name
        assert len(got.stack) == len(unit.stack), name
        for (flags, use), level in zip(got.stack, unit.stack, strict=True):
            assert (lanes_of(flags) == level[0]).all(), name
            assert (lanes_of(use) == level[1]).all(), name


# -- sweeps
def swept_unit(operands: Words, *, in_table: bool) -> Unit:
    """The model of running.prepare."""
    unit = Unit(ALL)
    values = (running.D, operands, running.B, running.X, running.Z)
    for number, value in enumerate((*values, operands if in_table else running.Z)):
        unit.L[number] = value
    unit.flags[:] = unit.use[:] = True
    unit.prng = u32(np.arange(ALL) * running.STEP + running.FROM)
    return unit


def check(word: int, found: Words, wanted: Words) -> None:
    wrong = np.flatnonzero(found != wanted)
    assert wrong.size == 0, (
        f"{word:#010x}: {wrong.size} differ, at first {wrong[0]:#x}: "
        f"{found[wrong[0]]:#010x}, by the page {wanted[wrong[0]]:#010x}"
    )


def check_registers(record: Record, word: int, layout: str, *, whole: bool = False) -> Words:
    """Operands in LReg[1], which is also in LReg[5] for tables; or the operand of SFPSTORE."""
    step, offset = LAYOUTS[layout]
    in_table = word >> 24 in TABLES
    if word >> 24 == STORE:
        found, _ = sweep(record, word, Kind.TO_DST, step, offset)
        check(word, found, stored(mode_of(word), operands_of(layout, ALL))[0])
        return found
    kind = Kind.IN_TABLE if in_table else Kind.IN_LREG
    found, flags = sweep(record, word, kind, step, offset, whole=whole)
    unit = swept_unit(operands_of(layout, ALL), in_table=in_table)
    execute(unit, word)
    check(word, found, unit.L[0])
    assert (flags == unit.flags).all(), f"{word:#010x} flags"
    return found


def check_constants(record: Record, word: int, _: str) -> None:
    constant = u32(np.arange(ALL))
    if word >> 24 == CONFIG:
        vd, mode = word >> 4 & 15, word & 15
        found, _flags = sweep(record, word, Kind.IN_CONFIG, 1 << 8, vd)
        before = running.CONFIG_BEFORE if vd == LANE_CONFIG else running.MISC_BEFORE
        assert vd in (LANE_CONFIG, MISC)
        check(word, found, configured(vd, mode, constant, constant, u32(np.full(ALL, before))))
        return
    step = 1 if word >> 24 == LOADI else 1 << 8
    found, _flags = sweep(record, word, Kind.IN_CONSTANT, step, 0)
    unit = swept_unit(constant, in_table=False)
    execute(unit, word, constant)
    check(word, found, unit.L[0])


def check_datums(record: Record, word: int, _: str) -> None:
    found, _flags = sweep(record, word, Kind.IN_DST, 0, 0)
    high, old = u32(np.arange(ALL)), u32(np.full(ALL, running.D))
    check(word, found, loaded(mode_of(word), high, np.zeros_like(high), old))


def check_golden(record: Record, word: int, _: str) -> None:
    name = next(name for name, golden in GOLDEN_WORDS.items() if golden == word)
    layout = "halves" if name.split()[0] in GOLDEN_INTEGERS else "upper"
    found = check_registers(record, word, layout, whole=True)
    if name in GOLDEN["digests"]:
        assert hashlib.sha256(found.tobytes()).hexdigest() == GOLDEN["digests"][name]
    for i, value in GOLDEN["values"].get(name, ()):
        assert found[i] == value, f"{name} of operand {i}"


CLASSES = {"constant": check_constants, "dst": check_datums, "golden": check_golden}
CLASSES |= dict.fromkeys(LAYOUTS, check_registers)


def test_no_opcode_is_left_out() -> None:
    """Each opcode with an operand that may be swept is; the others have no such operand, or are
    products whose operands the tables and tests/core/numeric have."""
    assert set(NAMES) == set(range(0x70, 0x9A))
    swept = {opcode for opcode, _, operands in CASES if operands != "lanes"}
    # FMA of three registers, lane flags, exchanges of lanes, SFPNOP and SFPLOADMACRO.
    others = {0x84, 0x85, 0x86, 0x87, 0x88, 0x8A, 0x8B, 0x8C, NOP, 0x92, MACRO}
    assert swept | others == set(NAMES)
    assert not swept & others


def test_a_high_vd_is_a_template_where_the_backdoor_is_open(record: Record) -> None:
    power_up(record.S)
    word = 0x7B << 24 | 1 << 8 | 13 << 4
    one = Request(word, u32(np.arange(256).reshape(8, 32)), config=u32([0, 0, 0, 2, 0, 0, 0, 0]))
    got = run(record, [one])[0]
    assert [int(record.S.vector.template[1, column]) for column in range(8)] == [
        0 if column == 3 else word for column in range(8)
    ]
    assert (got.lregs == one.lregs).all()
